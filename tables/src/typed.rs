//! Positions and moves as people type them: numbers, marks and words, with blanks between them as they like.
//!
//! A family reads its own sentences with the cursor [`Typed`], and gives their notation, which the strict parser then reads.

/// Words that mean nothing, wherever they stand.
const EMPTY: [&str; 9] = ["a", "the", "stone", "stones", "stick", "sticks", "match", "matches", "left"];

/// Words for the act of taking stones.
pub(crate) const TAKE: [&str; 6] = ["take", "takes", "took", "remove", "removes", "removed"];

/// The rest of a typed text. Blanks, [empty words](EMPTY) and the case of letters do not matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Typed<'a>(&'a str);

impl<'a> Typed<'a> {
    /// A whole text.
    pub(crate) fn new(text: &'a str) -> Self {
        let mut typed = Self(text);
        typed.skip();
        typed
    }

    /// Whether nothing is left.
    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Takes the digits of a number.
    pub(crate) fn number(&mut self) -> Option<&'a str> {
        let end = self.0.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(self.0.len());
        (end > 0).then(|| self.split(end))
    }

    /// Takes one of these marks. A minus sign and dashes of any length are the mark `-`.
    pub(crate) fn mark(&mut self, marks: &[char]) -> bool {
        let Some(first) = self.0.chars().next() else { return false };
        let mark = if matches!(first, '‐'..='―' | '−') { '-' } else { first };
        let is_there = marks.contains(&mark);
        if is_there {
            self.split(first.len_utf8());
        }
        is_there
    }

    /// Takes one of these words.
    pub(crate) fn word(&mut self, words: &[&str]) -> bool {
        let end = self.end_of_word();
        let is_there = words.iter().any(|word| word.eq_ignore_ascii_case(&self.0[..end]));
        if is_there {
            self.split(end);
        }
        is_there
    }

    /// The length of the word that begins here.
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
        let mut typed = Typed::new(" The  12stones —\tANd5R×");
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
