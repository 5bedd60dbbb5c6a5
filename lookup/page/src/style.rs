//! Style sheets, which are put one after the other.

use crate::Error;

/// What names other files, or belongs at the very beginning.
const ALONE: [&str; 5] = ["url(", "image-set(", "@import", "@charset", "@namespace"];

/// Makes certain that a style sheet means the same between others as alone.
///
/// # Errors
/// If it names other files, or what it begins does not end in it.
pub(crate) fn check(file: &str, source: &str) -> Result<(), Error> {
    let bytes = source.as_bytes();
    let error = |at: usize, what: &str| {
        let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        Err(Error::new(file, line, what))
    };
    let small = source.to_ascii_lowercase();
    if let Some(at) = ALONE.iter().filter_map(|word| small.find(word)).min() {
        return error(at, "a style sheet names no files and has no @charset: it is put together with others");
    }
    let mut open: Vec<(u8, usize)> = Vec::new();
    let (mut at, mut last) = (0, (b'}', 0));
    while let Some(&byte) = bytes.get(at) {
        let mut length = 1;
        match byte {
            b'/' if bytes[at..].starts_with(b"/*") => match source[at + 2..].find("*/") {
                Some(end) => {
                    at += 2 + end + 2;
                    continue;
                }
                None => return error(at, "the comment does not end"),
            },
            b'"' | b'\'' => match source[at + 1..].find([char::from(byte), '\\', '\n']) {
                Some(end) if bytes[at + 1 + end] == byte => length = 1 + end + 1,
                _ => return error(at, "a string ends in its line, and has no backslash"),
            },
            b'\\' => return error(at, "a backslash; write the character itself"),
            b'{' | b'(' | b'[' => open.push((byte, at)),
            b'}' | b')' | b']' => {
                let opening = match byte {
                    b'}' => b'{',
                    b')' => b'(',
                    _ => b'[',
                };
                if open.pop().is_none_or(|(open, _)| open != opening) {
                    return error(at, &format!("'{}' closes nothing", char::from(byte)));
                }
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = (byte, at);
        }
        at += length;
    }
    match (open.last(), last) {
        (Some(&(bracket, at)), _) => error(at, &format!("'{}' is not closed", char::from(bracket))),
        (None, (b'}' | b';', _)) => Ok(()),
        (None, (_, at)) => error(at, "the last rule does not end"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_in_the_style_sheet_is_taken() {
        for source in [
            "",
            "/* why: \" { */\n.a/* why */.b {\n  content: \"/* { */\";\n  font: 1px/2 x; /* two\n lines */\n}\n",
            "@media (width > 1px) {\n  a:is([b], 'c') {\n  }\n}\n/* end */",
            "@layer a;\n",
            "[title=\"·\"] ·é {}",
        ] {
            assert_eq!(check("x.css", source), Ok(()), "{source}");
        }
    }

    #[test]
    fn what_names_other_files_or_does_not_end_is_refused_with_its_line() {
        for (source, line) in [
            ("\na { b: url(x.png) }", 2),
            ("\na { b: URL(x.png) }", 2),
            ("@import \"x.css\";", 1),
            ("\n\n/* a", 3),
            ("a\n{ b: \"c\n }", 2),
            ("a {}\nb {\n  c: d;\n", 2),
            ("a {}\n}\n", 2),
            ("a { b: calc(1px; }\n", 1),
            ("a {}\nb: c(1px;\n", 2),
            ("a {}\nb,\n/* c */\n", 2),
            ("\n.a\\{b {}", 2),
        ] {
            assert_eq!(check("x.css", source).unwrap_err().line, line, "{source}");
        }
    }
}
