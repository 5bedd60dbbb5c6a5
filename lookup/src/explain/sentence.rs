//! Conclusions from a theorem about one position.

use std::fmt::{self, Display, Formatter};

/// A conclusion from the theorem, or the reason why no theorem is used. Moves are in notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Name of the sentence, for programs that word it themselves.
    pub key: &'static str,
    /// The words.
    pub text: String,
    /// The best move of a won position.
    pub effect: Option<MoveEffect>,
    /// A move of a lost position, and the answer to it.
    pub example: Option<ExampleReply>,
    /// The numbers in the sentence, for programs that word it themselves.
    pub numbers: Vec<u64>,
}

/// A move of a lost position, and an answer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleReply {
    /// The move.
    pub chosen: String,
    /// The answer.
    pub answer: String,
}

/// A move, and its effect on the heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveEffect {
    /// The move.
    pub chosen: String,
    /// Each heap from which the move takes.
    pub changes: Vec<HeapChange>,
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
        Self { key, text: text.into(), effect: None, example: None, numbers }
    }

    pub(crate) fn with_effect(self, effect: impl Into<Option<MoveEffect>>) -> Self {
        Self { effect: effect.into(), ..self }
    }

    /// Appends an example to the words, if there is one.
    pub(crate) fn with_example(mut self, example: Option<ExampleReply>) -> Self {
        if let Some(ExampleReply { chosen, answer }) = &example {
            self.text += &format!(" After {chosen}, for example, the answer is {answer}.");
        }
        Self { example, ..self }
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
