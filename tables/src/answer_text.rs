//! An answer as text, for JSON.

use serde::Serialize;

use crate::{Answer, MoveSet, Outcome};

/// An answer with its moves as text. JSON has the fields in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerText {
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// Plies to the end under best play, if the table holds depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The best move; `None` if there is no move.
    pub best: Option<String>,
    /// Every winning move, in the natural order.
    pub winning: Vec<String>,
}

impl<M: ToString, W: MoveSet<M>> From<&Answer<M, W>> for AnswerText {
    fn from(answer: &Answer<M, W>) -> Self {
        Self {
            outcome: answer.verdict.outcome,
            depth: answer.verdict.depth,
            best: answer.best.as_ref().map(ToString::to_string),
            winning: answer.winning.iter().map(|chosen| chosen.to_string()).collect(),
        }
    }
}
