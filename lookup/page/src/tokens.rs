//! Splits JavaScript into words, literals, symbols and gaps. Example: `a = "b"; // c` has the word `a`, the literal
//! `"b"`, the symbols `=` and `;`, and gaps: blanks and the comment.

use crate::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// White space, or a comment.
    Gap,
    /// A name, a keyword or a number.
    Word,
    /// A string in quotes, a part of a template, or a regular expression.
    Literal,
    /// Any other character.
    Symbol,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'a str,
    /// The line, counted from 1.
    pub(crate) line: usize,
    /// Number of brackets of any kind that are open before the token.
    pub(crate) depth: usize,
}

impl Token<'_> {
    pub(crate) fn is(&self, text: &str) -> bool {
        self.kind != TokenKind::Literal && self.text == text
    }
}

/// Returns the tokens of a file. Joined, their texts are the file.
///
/// # Errors
/// If a token or bracket is not closed, a slash is ambiguous, a name has an escape, or a line ends in an unusual way.
pub(crate) fn tokens<'a>(file: &'a str, source: &'a str) -> Result<Vec<Token<'a>>, Error> {
    // These characters too end lines, and so line comments, in JavaScript.
    let mut unusual = source.match_indices(['\r', '\u{2028}', '\u{2029}']);
    if let Some((at, _)) = unusual.find(|(at, _)| !source[*at..].starts_with("\r\n")) {
        let line = source[..at].matches('\n').count() + 1;
        let what = "a line ends with a line feed, with or without a carriage return";
        return Err(Error::new(file, line, what));
    }
    let mut reader = Tokenizer { file, source, at: 0, line: 1, open: Vec::new(), tokens: Vec::new() };
    while reader.at < source.len() {
        reader.read_token()?;
    }
    match reader.open.last() {
        None => Ok(reader.tokens),
        Some((bracket, line)) => Err(Error::new(file, *line, format!("'{bracket}' is not closed"))),
    }
}

/// Keywords after which a slash begins a regular expression.
const BEFORE_REGEX: &str =
    "await case delete do else extends in instanceof new return throw typeof void yield";

/// Words after which a slash is ambiguous: as a name they precede a division, as a keyword a regular expression.
const BEFORE_EITHER: [&str; 4] = ["break", "continue", "debugger", "of"];

/// Stands for the `${` of a template among the open brackets.
const TEMPLATE: char = '$';

struct Tokenizer<'a> {
    file: &'a str,
    source: &'a str,
    /// Offset of the next token in the source.
    at: usize,
    /// Line of the next token, counted from 1.
    line: usize,
    /// The open brackets, and their lines.
    open: Vec<(char, usize)>,
    tokens: Vec<Token<'a>>,
}

impl<'a> Tokenizer<'a> {
    fn error<T>(&self, what: &str) -> Result<T, Error> {
        Err(Error::new(self.file, self.line, what))
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    /// Adds a token of `length` bytes.
    fn push(&mut self, kind: TokenKind, length: usize) {
        let text = &self.rest()[..length];
        self.tokens.push(Token { kind, text, line: self.line, depth: self.open.len() });
        self.at += length;
        self.line += text.matches('\n').count();
    }

    /// Reads the next token.
    fn read_token(&mut self) -> Result<(), Error> {
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or_default();
        let run_of = |is_part: fn(char) -> bool| rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        match first {
            _ if first.is_whitespace() => self.push(TokenKind::Gap, run_of(char::is_whitespace)),
            _ if is_word_char(first) => self.push(TokenKind::Word, run_of(is_word_char)),
            '/' if rest.starts_with("//") => self.push(TokenKind::Gap, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => match rest[2..].find("*/") {
                Some(end) => self.push(TokenKind::Gap, 2 + end + 2),
                None => return self.error("the comment does not end"),
            },
            '/' if self.begins_regex()? => {
                let length = self.regex_length()?;
                self.push(TokenKind::Literal, length);
            }
            '"' | '\'' => {
                let end = find_end(&rest[1..], |letter| letter == first || letter == '\n');
                match end.filter(|end| rest[1 + end..].starts_with(first)) {
                    Some(end) => self.push(TokenKind::Literal, 1 + end + 1),
                    None => return self.error("the string does not end in its line"),
                }
            }
            '`' => self.read_template()?,
            '\\' => return self.error("a backslash outside of a text; write the name without it"),
            '}' if self.open.last().is_some_and(|(open, _)| *open == TEMPLATE) => {
                self.open.pop();
                self.read_template()?;
            }
            '(' | '[' | '{' => {
                self.push(TokenKind::Symbol, 1);
                self.open.push((first, self.line));
            }
            ')' | ']' | '}' => match (self.open.pop().map(|(open, _)| open), first) {
                (Some('('), ')') | (Some('['), ']') | (Some('{'), '}') => self.push(TokenKind::Symbol, 1),
                _ => return self.error(&format!("'{first}' closes nothing")),
            },
            _ => self.push(TokenKind::Symbol, first.len_utf8()),
        }
        Ok(())
    }

    /// Reads a part of a template: from the opening quote, or the end of an expression in the template, to the closing
    /// quote or the next expression.
    fn read_template(&mut self) -> Result<(), Error> {
        let rest = self.rest();
        let mut before = ' ';
        let end = find_end(&rest[1..], |letter| {
            letter == '`' || std::mem::replace(&mut before, letter) == '$' && letter == '{'
        });
        let Some(end) = end else { return self.error("the template does not end") };
        let line = self.line;
        let opens = rest[1 + end..].starts_with('{');
        self.push(TokenKind::Literal, 1 + end + 1);
        if opens {
            self.open.push((TEMPLATE, line));
        }
        Ok(())
    }

    /// Returns whether the next slash begins a regular expression, and is not a division.
    fn begins_regex(&self) -> Result<bool, Error> {
        let mut before = self.tokens.iter().rev().filter(|token| token.kind != TokenKind::Gap);
        let (Some(last), earlier) = (before.next(), before.next()) else { return Ok(true) };
        let after = |text: &str| earlier.is_some_and(|token| token.is(text));
        match last.kind {
            // After `${` an expression begins; any other text is a value, so the slash divides.
            TokenKind::Literal => Ok(last.text.ends_with("${")),
            // A property may be named like a keyword.
            TokenKind::Word if after(".") => Ok(false),
            TokenKind::Word if BEFORE_EITHER.contains(&last.text) => self.ambiguous_slash(),
            TokenKind::Word => Ok(BEFORE_REGEX.split(' ').any(|word| word == last.text)),
            _ => match last.text {
                "]" => Ok(false),
                ")" if !self.closes_condition() => Ok(false),
                "+" | "-" if !after(last.text) => Ok(true),
                ")" | "}" | "+" | "-" | "." => self.ambiguous_slash(),
                _ => Ok(true),
            },
        }
    }

    /// Returns the error of a slash that may begin a regular expression or divide.
    fn ambiguous_slash<T>(&self) -> Result<T, Error> {
        self.error("it is not certain whether '/' divides here; put what it belongs to in parentheses")
    }

    /// Returns whether the last parenthesis closes the condition of a statement.
    fn closes_condition(&self) -> bool {
        let depth = self.open.len();
        let mut before = self.tokens.iter().rev().filter(|token| token.kind != TokenKind::Gap);
        let opening = before.find(|token| token.depth == depth && token.is("("));
        let word = before.next();
        opening.is_none() || word.is_some_and(|word| ["if", "while", "for", "with"].contains(&word.text))
    }

    /// Returns the length of the next regular expression, with its flags.
    fn regex_length(&self) -> Result<usize, Error> {
        let rest = self.rest();
        let mut in_class = false;
        let end = find_end(&rest[1..], |letter| {
            match letter {
                '[' => in_class = true,
                ']' => in_class = false,
                _ => {}
            }
            letter == '\n' || letter == '/' && !in_class
        });
        let Some(end) = end.filter(|end| rest[1 + end..].starts_with('/')) else {
            return self.error("the regular expression does not end in its line");
        };
        let flags = &rest[1 + end + 1..];
        Ok(1 + end + 1 + flags.find(|letter| !is_word_char(letter)).unwrap_or(flags.len()))
    }
}

/// Returns the offset of the first character that is the end, and not escaped with a backslash.
fn find_end(text: &str, mut is_end: impl FnMut(char) -> bool) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        if std::mem::take(&mut escaped) {
            // Show a blank in place of the escaped character, since `is_end` may remember the previous character.
            is_end(' ');
            continue;
        }
        escaped = letter == '\\';
        if is_end(letter) {
            return Some(at);
        }
    }
    None
}

/// Returns whether a character may be part of a name, a keyword or a number.
pub(crate) fn is_word_char(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        let tokens = tokens("x.js", source).unwrap();
        assert_eq!(tokens.iter().map(|token| token.text).collect::<String>(), source);
        tokens.iter().filter(|token| token.kind == TokenKind::Literal).map(|token| token.text).collect()
    }

    #[test]
    fn strings_and_parts_of_templates_are_single_tokens() {
        assert_eq!(texts(r#"a = "// \" no" + 'it"s';"#), [r#""// \" no""#, r#"'it"s'"#]);
        assert_eq!(
            texts("`a ${b({ c: `d ${e} f` })} \\` \\${ g`"),
            ["`a ${", "`d ${", "} f`", "} \\` \\${ g`"]
        );
        assert_eq!(texts("`$${a}`"), ["`$${", "}`"]);
        assert_eq!(texts("/* 'a' */ // 'b'\n'c'"), ["'c'"]);
    }

    #[test]
    fn a_slash_divides_after_a_value_and_begins_a_regular_expression_elsewhere() {
        for divides in ["a / b / c", "(a) / 2 / c", "a[0] / 2 / c", "f(x) / 2 / c", "a.of / 2 / c"] {
            assert_eq!(texts(divides), [""; 0], "{divides}");
        }
        assert_eq!(texts("`${a}` / 2"), ["`${", "}`"]);
        assert_eq!(texts("`${/`/.test(a)}`"), ["`${", "/`/", "}`"]);
        for (source, pattern) in [
            ("x = /a'\\/[/\"]/g.test(y)", "/a'\\/[/\"]/g"),
            ("return /'/", "/'/"),
            ("f(/`/)", "/`/"),
            ("a && /\"/u", "/\"/u"),
            ("void /\"/.test(a)", "/\"/"),
            ("class A extends /\"/.constructor {}", "/\"/"),
        ] {
            assert_eq!(texts(source), [pattern]);
        }
    }

    #[test]
    fn ambiguous_or_incomplete_code_is_refused_with_its_line() {
        for (source, line, what) in [
            ("\nif (a) /b/.test(c)", 2, "whether '/' divides"),
            ("{}\n/a/", 2, "whether '/' divides"),
            ("i++ / 2", 1, "whether '/' divides"),
            ("of / 2", 1, "whether '/' divides"),
            ("\n1. / 2", 2, "whether '/' divides"),
            ("a;\nim\\u0070ort", 2, "backslash"),
            ("a;\n// b\u{2028}c", 2, "line feed"),
            ("a;\rb", 1, "line feed"),
            ("a\n'b\n'", 2, "string does not end"),
            ("\n\n`a ${b", 3, "'$' is not closed"),
            ("`a", 1, "template does not end"),
            ("/* a", 1, "comment does not end"),
            ("x = /a\n/", 1, "regular expression does not end"),
            ("f(\n", 1, "'(' is not closed"),
            ("f(]", 1, "']' closes nothing"),
        ] {
            let error = tokens("x.js", source).unwrap_err();
            assert_eq!((error.file.as_str(), error.line), ("x.js", line), "{source}: {error}");
            assert!(error.what.contains(what), "{source}: {error}");
        }
    }
}
