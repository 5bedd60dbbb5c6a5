//! A cursor over a position or move in informal words: numbers, marks and words with any blanks between them.
//!
//! Each family turns its own phrases into notation with a [`WordCursor`]; the strict parser then reads the notation.

/// Words that change no meaning, skipped everywhere.
const FILLERS: [&str; 9] = ["a", "the", "stone", "stones", "stick", "sticks", "match", "matches", "left"];

/// Words for the act of taking stones.
pub(crate) const TAKE: [&str; 6] = ["take", "takes", "took", "remove", "removes", "removed"];

/// The rest of a typed text. Blanks, [filler words](FILLERS) and the case of letters do not matter. Each method reads at
/// the cursor: it moves the cursor if it finds the asked-for thing there, and otherwise returns false or `None`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordCursor<'a>(&'a str);

impl<'a> WordCursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut typed = Self(text);
        typed.skip_fillers();
        typed
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Reads a number, and returns its digits.
    pub(crate) fn number(&mut self) -> Option<&'a str> {
        let end = self.0.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(self.0.len());
        (end > 0).then(|| self.advance(end))
    }

    /// Reads one of these marks. A minus sign and dashes of any length count as the mark `-`.
    pub(crate) fn mark(&mut self, marks: &[char]) -> bool {
        let Some(first) = self.0.chars().next() else { return false };
        let mark = if matches!(first, '‐'..='―' | '−') { '-' } else { first };
        let is_found = marks.contains(&mark);
        if is_found {
            self.advance(first.len_utf8());
        }
        is_found
    }

    /// Reads one of these words.
    pub(crate) fn word(&mut self, words: &[&str]) -> bool {
        let end = self.end_of_word();
        let is_found = words.iter().any(|word| word.eq_ignore_ascii_case(&self.0[..end]));
        if is_found {
            self.advance(end);
        }
        is_found
    }

    /// Returns the length of the word at the cursor, in bytes.
    fn end_of_word(self) -> usize {
        self.0.find(|letter: char| !letter.is_alphabetic()).unwrap_or(self.0.len())
    }

    /// Moves the cursor by `end` bytes and the fillers after them. Returns the text of these bytes.
    fn advance(&mut self, end: usize) -> &'a str {
        let (first, rest) = self.0.split_at(end);
        self.0 = rest;
        self.skip_fillers();
        first
    }

    fn skip_fillers(&mut self) {
        loop {
            self.0 = self.0.trim_start();
            let end = self.end_of_word();
            if !FILLERS.iter().any(|word| word.eq_ignore_ascii_case(&self.0[..end])) {
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
