//! Lines of bounded length, from people and programs that may write anything.

use std::io::{BufRead, BufReader, Read};
use std::mem;

use bouton_tables::printable::shorten;

/// Maximum length of a line, in bytes.
pub(super) const MAX_LINE: usize = 4096;

/// A line, without its newline.
#[derive(Debug)]
pub(crate) struct InputLine {
    bytes: Vec<u8>,
    /// False if the line is longer than [`MAX_LINE`], and so cut.
    is_complete: bool,
}

impl InputLine {
    /// Returns the line as trimmed text; the error names the line's defect.
    pub(crate) fn text(&self) -> Result<&str, String> {
        if !self.is_complete {
            return Err(format!("a line of more than {MAX_LINE} bytes, which begins '{}'", self.shown(40)));
        }
        match str::from_utf8(&self.bytes) {
            Ok(text) => Ok(text.trim()),
            Err(_) => Err(format!("a line that is not UTF-8 text, '{}'", self.shown(40))),
        }
    }

    /// Returns the line safe to print, cut after `max_chars` characters; a cut line ends in `...` and the length read.
    pub(super) fn shown(&self, max_chars: usize) -> String {
        shorten(String::from_utf8_lossy(&self.bytes).trim(), max_chars)
    }
}

/// An iterator over lines of bounded length.
#[derive(Debug)]
pub(super) struct LineReader<R> {
    input: BufReader<R>,
    /// True if the rest of an overlong line is still unread.
    in_overlong_line: bool,
}

impl<R: Read> LineReader<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input: BufReader::new(input), in_overlong_line: false }
    }

    /// Returns true if more input is buffered after the last line; false after an overlong one.
    pub(super) fn has_more(&self) -> bool {
        !self.in_overlong_line && !self.input.buffer().is_empty()
    }
}

impl<R: Read> Iterator for LineReader<R> {
    type Item = InputLine;

    /// Returns the next line as soon as it ends or is too long; `None` at the end of the input or on a read error.
    fn next(&mut self) -> Option<InputLine> {
        if mem::take(&mut self.in_overlong_line) {
            self.input.skip_until(b'\n').ok()?;
        }
        let mut bytes = Vec::new();
        self.input.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes).ok()?;
        match bytes.last() {
            None => return None,
            Some(b'\n') => _ = bytes.pop(),
            Some(_) => self.in_overlong_line = bytes.len() > MAX_LINE,
        }
        Some(InputLine { bytes, is_complete: !self.in_overlong_line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_continues_after_invalid_lines() {
        let long = [b'7'; MAX_LINE];
        let longer = [b'8'; 3 * MAX_LINE];
        let input = [&b" 5r \r\n\n\xff\x1b[2J\n"[..], &long, b"\n", &longer, b"\n1\nend"].concat();
        let mut lines = LineReader::new(&input[..]);
        let mut next = || lines.next().map(|line| line.text().map(str::to_owned));
        assert_eq!(next(), Some(Ok("5r".to_owned())));
        assert_eq!(next(), Some(Ok(String::new())));
        let garbage = "a line that is not UTF-8 text, '\u{fffd}\\u{1b}[2J'";
        assert_eq!(next(), Some(Err(garbage.to_owned())));
        assert_eq!(next().unwrap().unwrap().len(), MAX_LINE);
        assert!(
            next().unwrap().unwrap_err().starts_with("a line of more than 4096 bytes, which begins '888")
        );
        assert_eq!(next(), Some(Ok("1".to_owned())));
        assert_eq!(next(), Some(Ok("end".to_owned())), "the last line needs no newline");
        assert_eq!(next(), None);
    }

    #[test]
    fn an_endless_line_is_reported_as_too_long() {
        let mut lines = LineReader::new(std::io::repeat(b'1'));
        assert!(lines.next().unwrap().text().is_err());
    }
}
