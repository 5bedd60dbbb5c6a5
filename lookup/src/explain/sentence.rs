//! Conclusions from a theorem about one position.

use std::fmt::{self, Display, Formatter};

/// A conclusion from the theorem, or the reason why no theorem is used. Moves are in notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Name of the sentence, for programs that word it themselves.
    pub key: &'static str,
    /// The words.
    pub text: String,
    /// The best move of a won position, or an example of a move of a lost one.
    pub chosen: Option<String>,
    /// The effect of the best move of a won position: each heap from which the move takes.
    pub changes: Vec<HeapChange>,
    /// The answer to the example.
    pub answer: Option<String>,
    /// The numbers in the sentence, for programs that word it themselves.
    pub numbers: Vec<u64>,
}

/// A move, and each heap from which it takes.
pub(crate) struct MoveEffect {
    pub(crate) chosen: String,
    pub(crate) changes: Vec<HeapChange>,
}

/// The size of a heap before and after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapChange {
    /// The row of the heap, counted from 1.
    pub row: usize,
    /// Stones before the move.
    pub from: u32,
    /// Stones after the move.
    pub to: u32,
}

impl Sentence {
    pub(crate) fn new(key: &'static str, text: impl Into<String>, numbers: &[u32]) -> Self {
        let numbers = numbers.iter().map(|&number| number.into()).collect();
        Self { key, text: text.into(), chosen: None, changes: Vec::new(), answer: None, numbers }
    }

    pub(crate) fn with_effect(self, MoveEffect { chosen, changes }: MoveEffect) -> Self {
        Self { chosen: Some(chosen), changes, ..self }
    }

    /// Appends to the words an example of a move, and the answer to it.
    pub(crate) fn with_example(self, chosen: String, answer: String) -> Self {
        let text = self.text + &format!(" After {chosen}, for example, the answer is {answer}.");
        Self { text, chosen: Some(chosen), answer: Some(answer), ..self }
    }
}

/// Writes for example "1:2 makes 5 of 7 in row 1".
impl Display for MoveEffect {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{} makes ", self.chosen)?;
        for (number, HeapChange { row, from, to }) in self.changes.iter().enumerate() {
            write!(f, "{}{to} of {from} in row {row}", if number > 0 { " and " } else { "" })?;
        }
        Ok(())
    }
}
