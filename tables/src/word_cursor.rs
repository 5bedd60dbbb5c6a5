//! A cursor over positions and moves in informal words: numbers, marks and words with any blanks between them.
//!
//! Each family turns its own phrases into notation with a [`WordCursor`]; the strict parser then reads the notation.

/// Words without a meaning, skipped everywhere.
const EMPTY: [&str; 9] = ["a", "the", "stone", "stones", "stick", "sticks", "match", "matches", "left"];

/// Words for the act of taking stones.
pub(crate) const TAKE: [&str; 6] = ["take", "takes", "took", "remove", "removes", "removed"];

/// The rest of a typed text. Blanks, [empty words](EMPTY) and upper or lower case do not matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordCursor<'a>(&'a str);

impl<'a> WordCursor<'a> {
    /// Starts at the beginning of a text.
    pub(crate) fn new(text: &'a str) -> Self {
        let mut typed = Self(text);
        typed.skip();
        typed
    }

    /// Returns true at the end of the text.
    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Consumes a number, and returns its digits.
    pub(crate) fn number(&mut self) -> Option<&'a str> {
        let end = self.0.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(self.0.len());
        (end > 0).then(|| self.split(end))
    }

    /// Consumes one of these marks. A minus sign and dashes of any length count as the mark `-`.
    pub(crate) fn mark(&mut self, marks: &[char]) -> bool {
        let Some(first) = self.0.chars().next() else { return false };
        let mark = if matches!(first, '‐'..='―' | '−') { '-' } else { first };
        let is_there = marks.contains(&mark);
        if is_there {
            self.split(first.len_utf8());
        }
        is_there
    }

    /// Consumes one of these words.
    pub(crate) fn word(&mut self, words: &[&str]) -> bool {
        let end = self.end_of_word();
        let is_there = words.iter().any(|word| word.eq_ignore_ascii_case(&self.0[..end]));
        if is_there {
            self.split(end);
        }
        is_there
    }

    /// Returns the length of the word at the cursor, in bytes.
    fn end_of_word(self) -> usize {
        self.0.find(|letter: char| !letter.is_alphabetic()).unwrap_or(self.0.len())
    }

    fn split(&mut self, end: usize) -> &'a str {
        let (first, rest) = self.0.split_at(end);
        self.0 = rest;
        self.skip();
        first
    }

    fn skip(&mut self) {
        loop {
            self.0 = self.0.trim_start();
            let end = self.end_of_word();
            if !EMPTY.iter().any(|word| word.eq_ignore_ascii_case(&self.0[..end])) {
                return;
            }
            self.0 = &self.0[end..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_piece_by_piece() {
        let mut typed = WordCursor::new(" The  12stones —\tANd5R×");
        assert!(!typed.word(&["and"]) && !typed.mark(&['-']));
        assert_eq!(typed.number(), Some("12"));
        assert_eq!(typed.number(), None);
        assert!(typed.mark(&[',', '-']) && !typed.word(&["an"]) && typed.word(&["and"]));
        assert_eq!(typed.number(), Some("5"));
        assert!(typed.word(&["reset", "r"]) && !typed.is_empty());
        assert!(typed.mark(&['×']) && typed.is_empty());
        assert!(!typed.mark(&['-']) && !typed.word(&["r"]) && typed.number().is_none());
    }
}
