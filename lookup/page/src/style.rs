//! Checks that style sheets can be concatenated without a change of meaning.

use crate::Error;

/// Syntax that names other files, or must be at the beginning of a style sheet.
const REFUSED: [&str; 5] = ["url(", "image-set(", "@import", "@charset", "@namespace"];
/// The only way to name a picture.
const PICTURE: &str = "url(\"";

/// Returns the names in a style sheet that only imports others: each line is `@import "NAME";`.
///
/// # Errors
/// If it has any other line.
pub(crate) fn imports<'a>(file: &str, source: &'a str) -> Result<Vec<&'a str>, Error> {
    let import = |(number, line): (usize, &'a str)| {
        let name = line.strip_prefix("@import \"").and_then(|rest| rest.strip_suffix("\";"));
        let what = "expected @import \"NAME\"; as other style sheets have the rules";
        name.ok_or_else(|| Error::new(file, number + 1, what))
    };
    source.lines().enumerate().map(import).collect()
}

/// Returns a style sheet without indentation and without most comments, after a check that it can be concatenated with
/// others. A comment stays if it may separate two words, as in `.a/* why */.b`, or if it is a licence: `/*! ... */`.
/// A picture is `url("NAME")`, and `address` returns the address of the file.
///
/// # Errors
/// If the style sheet names a file that has no address, has a backslash or one of [`REFUSED`], or if a comment, string,
/// bracket or rule is not closed.
pub(crate) fn read(
    file: &str,
    source: &str,
    address: impl Fn(&str) -> Option<String>,
) -> Result<String, Error> {
    let mut text = String::with_capacity(source.len());
    let bytes = source.as_bytes();
    let error = |at: usize, what: &str| {
        let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        Err(Error::new(file, line, what))
    };
    let lower_case = source.to_ascii_lowercase();
    let is_refused = |at: &usize| !source[*at..].starts_with(PICTURE);
    let found = REFUSED.iter().flat_map(|word| lower_case.match_indices(word)).map(|(at, _)| at);
    if let Some(at) = found.filter(is_refused).min() {
        return error(
            at,
            "a style sheet names files only as url(\"NAME\"), and has no @charset or @namespace, as it is concatenated \
             with others",
        );
    }
    // For each open bracket, the bracket that closes it, and its offset.
    let mut open: Vec<(u8, usize)> = Vec::new();
    // The last byte outside comments that is not white space, and its offset. An empty style sheet counts as complete.
    let (mut at, mut last) = (0, (b'}', 0));
    while let Some(&byte) = bytes.get(at) {
        let mut length = 1;
        match byte {
            b'/' if bytes[at..].starts_with(b"/*") => match source[at + 2..].find("*/") {
                Some(end) => {
                    let comment = &source[at..at + 2 + end + 2];
                    let separates_words = !text.is_empty() && !text.ends_with(char::is_whitespace);
                    if separates_words || comment.starts_with("/*!") {
                        text.push_str(comment);
                    }
                    at += comment.len();
                    continue;
                }
                None => return error(at, "the comment does not end"),
            },
            b'"' | b'\'' => match source[at + 1..].find([char::from(byte), '\\', '\n']) {
                Some(end) if bytes[at + 1 + end] == byte => {
                    length = 1 + end + 1;
                    if source[..=at].ends_with(PICTURE) {
                        let name = &source[at + 1..][..end];
                        let Some(address) = address(name) else {
                            return error(at, &format!("the page's folder has no file '{name}'"));
                        };
                        last = (byte, at);
                        text.extend(["\"", &address, "\""]);
                        at += length;
                        continue;
                    }
                }
                _ => return error(at, "the string has a backslash or does not end in its line"),
            },
            b'\\' => return error(at, "a backslash; write the character itself"),
            b'{' => open.push((b'}', at)),
            b'(' => open.push((b')', at)),
            b'[' => open.push((b']', at)),
            b'}' | b')' | b']' if open.pop().is_none_or(|(closing, _)| closing != byte) => {
                let found = char::from(byte);
                return error(at, &format!("'{found}' does not match the last open bracket"));
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = (byte, at);
        }
        // Extend to a whole character of several bytes.
        while !source.is_char_boundary(at + length) {
            length += 1;
        }
        text.push_str(&source[at..at + length]);
        at += length;
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let text = lines.flat_map(|line| [line, "\n"]).collect();
    match (open.last(), last) {
        (Some(&(_, at)), _) => error(at, &format!("'{}' is not closed", char::from(bytes[at]))),
        (None, (b'}' | b';', _)) => Ok(text),
        (None, (_, at)) => error(at, "the last rule does not end"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The address of the only picture.
    fn address(name: &str) -> Option<String> {
        (name == "c.svg").then(|| "./c-1.svg".to_owned())
    }

    #[test]
    fn a_complete_style_sheet_is_accepted() {
        for (source, text) in [
            ("", ""),
            (
                "/* why: \" { */\n.a/* why */.b {\n  content: \"/* { */\";\n  font: 1px/2 x; /* two\n lines */\n}\n",
                ".a/* why */.b {\ncontent: \"/* { */\";\nfont: 1px/2 x;\n}\n",
            ),
            (
                "@media (width > 1px) {\n  a:is([b], 'c') {\n  }\n}\n/* end */",
                "@media (width > 1px) {\na:is([b], 'c') {\n}\n}\n",
            ),
            ("@layer a;\n", "@layer a;\n"),
            ("/*! L */\na {}\n/* b */", "/*! L */\na {}\n"),
            ("a { b: url(\"c.svg\") }", "a { b: url(\"./c-1.svg\") }\n"),
            ("[title=\"·\"] ·é {}", "[title=\"·\"] ·é {}\n"),
        ] {
            assert_eq!(read("x.css", source, address).as_deref(), Ok(text), "{source}");
        }
    }

    #[test]
    fn style_sheets_that_name_files_or_are_incomplete_are_refused_with_their_line() {
        for (source, line) in [
            ("\na { b: url(x.png) }", 2),
            ("\na { b: URL(x.png) }", 2),
            ("\na { b: url(\"x.png\") }", 2),
            ("\na { b: url('c.svg') }", 2),
            ("\na { b: url( \"c.svg\") }", 2),
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
            assert_eq!(read("x.css", source, address).unwrap_err().line, line, "{source}");
        }
    }
}
