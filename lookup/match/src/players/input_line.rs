//! Lines of bounded length, from people and programs that may write anything.

use std::io::{BufRead, BufReader, Read};
use std::mem;

use bouton_tables::printable::shorten;

/// The longest line that is read, in bytes.
pub(super) const LONGEST: usize = 4096;

/// A line, without its newline.
#[derive(Debug)]
pub(crate) struct InputLine {
    bytes: Vec<u8>,
    /// True if the line is complete: not longer than [`LONGEST`].
    whole: bool,
}

impl InputLine {
    /// Returns the line as trimmed text; the error names the line's defect.
    pub(crate) fn text(&self) -> Result<&str, String> {
        if !self.whole {
            return Err(format!("a line of more than {LONGEST} bytes, which begins '{}'", self.shown(40)));
        }
        match str::from_utf8(&self.bytes) {
            Ok(text) => Ok(text.trim()),
            Err(_) => Err(format!("a line that is not UTF-8 text, '{}'", self.shown(40))),
        }
    }

    /// Returns at most `most` characters of the line, safe to print.
    pub(super) fn shown(&self, most: usize) -> String {
        shorten(String::from_utf8_lossy(&self.bytes).trim(), most)
    }
}

/// An iterator over lines of bounded length.
#[derive(Debug)]
pub(super) struct LineReader<R> {
    input: BufReader<R>,
    /// True if the rest of an overlong line is still unread.
    within: bool,
}

impl<R: Read> LineReader<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input: BufReader::new(input), within: false }
    }

    /// Returns true if more input arrived together with the last line.
    pub(super) fn has_more(&self) -> bool {
        !self.within && !self.input.buffer().is_empty()
    }
}

impl<R: Read> Iterator for LineReader<R> {
    type Item = InputLine;

    /// Returns the next line as soon as it ends or is too long; `None` at the end of the input or on a read error.
    fn next(&mut self) -> Option<InputLine> {
        if mem::take(&mut self.within) {
            self.input.skip_until(b'\n').ok()?;
        }
        let mut bytes = Vec::new();
        self.input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes).ok()?;
        match bytes.last() {
            None => return None,
            Some(b'\n') => _ = bytes.pop(),
            Some(_) => self.within = bytes.len() > LONGEST,
        }
        Some(InputLine { bytes, whole: !self.within })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_bytes_are_read_and_the_ones_after_them_too() {
        let long = [b'7'; LONGEST];
        let longer = [b'8'; 3 * LONGEST];
        let input = [&b" 5r \r\n\n\xff\x1b[2J\n"[..], &long, b"\n", &longer, b"\n1\nend"].concat();
        let mut lines = LineReader::new(&input[..]);
        let mut next = || lines.next().map(|line| line.text().map(str::to_owned));
        assert_eq!(next(), Some(Ok("5r".to_owned())));
        assert_eq!(next(), Some(Ok(String::new())));
        let garbage = "a line that is not UTF-8 text, '\u{fffd}\\u{1b}[2J'";
        assert_eq!(next(), Some(Err(garbage.to_owned())));
        assert_eq!(next().unwrap().unwrap().len(), LONGEST);
        assert!(
            next().unwrap().unwrap_err().starts_with("a line of more than 4096 bytes, which begins '888")
        );
        assert_eq!(next(), Some(Ok("1".to_owned())));
        assert_eq!(next(), Some(Ok("end".to_owned())), "the last line need not be ended");
        assert_eq!(next(), None);
    }

    #[test]
    fn a_line_without_an_end_is_reported_before_it_ends() {
        let mut lines = LineReader::new(std::io::repeat(b'1'));
        assert!(lines.next().unwrap().text().is_err());
    }
}
