//! Style sheets.

use crate::Error;

/// A style sheet without comments, indentation and empty lines.
pub(crate) fn style(file: &str, source: &str) -> Result<String, Error> {
    let mut plain = String::with_capacity(source.len());
    let mut rest = source;
    let line = |rest: &str| source[..source.len() - rest.len()].matches('\n').count() + 1;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match rest.as_bytes() {
            [b'/', b'*', ..] => match rest[2..].find("*/") {
                Some(end) => {
                    plain.push(' ');
                    rest = &rest[2 + end + 2..];
                    continue;
                }
                None => return Err(Error::new(file, line(rest), "the comment does not end")),
            },
            [b'/', ..] => 1,
            [quote, text @ ..] => {
                let end = text.iter().position(|byte| byte == quote || *byte == b'\\' || *byte == b'\n');
                match end.filter(|&end| text[end] == *quote) {
                    Some(end) => 1 + end + 1,
                    None => {
                        return Err(Error::new(
                            file,
                            line(rest),
                            "a string ends in its line, and has no backslash",
                        ));
                    }
                }
            }
            [] => 0,
        };
        plain.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    plain.push_str(rest);
    if let Some(at) = source.find("url(").or_else(|| source.find("@import")) {
        return Err(Error::new(
            file,
            line(&source[at..]),
            "a style sheet names no other files: it is put together with others",
        ));
    }
    let lines = plain.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(lines.flat_map(|line| [line, "\n"]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go_and_texts_stay() {
        let source = "/* why */\na {\n  content: \"/* no */\";\n\n  font: 1px/2 x; /* two\n lines */\n}\n";
        assert_eq!(style("x.css", source).unwrap(), "a {\ncontent: \"/* no */\";\nfont: 1px/2 x;\n}\n");
    }

    #[test]
    fn what_names_other_files_or_does_not_end_is_refused_with_its_line() {
        for (source, line) in
            [("\na { b: url(x.png) }", 2), ("@import \"x.css\";", 1), ("\n\n/* a", 3), ("a\n{ b: \"c\n }", 2)]
        {
            assert_eq!(style("x.css", source).unwrap_err().line, line, "{source}");
        }
    }
}
