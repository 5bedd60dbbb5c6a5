//! The argument why a position is won or lost, as data for the page and for programs.

use bouton_lookup::{ArgumentPart, BinaryRow, Columns, HeapChange, RefutedMove, Sentence, Theorem, refute};
use bouton_tables::Game;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::board::BoardTable;
use crate::budget::{LookUpCost, QuestionKind};
use crate::{Question, Refusal};

/// Maximum number of replies that an argument refutes.
pub const MAX_REPLIES: usize = 200;

/// The question why a position is won or lost.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhyQuestion {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    pub position: String,
}

/// The argument.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WhyAnswer {
    /// The position as canonical text.
    pub position: String,
    /// Outcome for the player to move.
    #[schema(value_type = crate::board::Outcome)]
    pub outcome: &'static str,
    /// The argument in words, as `bouton-lookup --explain` prints it.
    pub text: String,
    /// The argument part by part.
    pub blocks: Vec<ArgumentBlock>,
    /// The best move of a won position; `null` in a lost one, or if the game is over.
    #[schema(required)]
    pub best: Option<String>,
    /// The position whose moves are refuted: the position after `best`, or, without `best`, the position itself.
    pub of: String,
    /// The moves of that position, each with its answer.
    pub replies: Vec<MoveRefutation>,
    /// Number of further moves that `replies` omits.
    pub more: usize,
}

/// A move of a lost position, and its refutation.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveRefutation {
    /// The move.
    #[serde(rename = "move")]
    pub chosen: String,
    /// The position after the move.
    pub to: String,
    /// The winning answer; `null` if the game is over.
    #[schema(required)]
    pub answer: Option<String>,
    /// The position after the answer; `null` if there is no answer.
    #[schema(required)]
    pub then: Option<String>,
}

/// A part of the argument.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ArgumentBlock {
    /// The theorem that decides the game.
    Theorem {
        /// The theorem: nim, misere-nim, bachet, grundy, moore or wythoff.
        key: &'static str,
        /// The authors, and mostly the year, as "Bouton (1901)".
        name: &'static str,
        /// The statement in words.
        statement: String,
        /// The number by which the heap is divided (bachet); or a divisor that the numbers of ones in the columns of a lost
        /// position have in common (nim, misere-nim, grundy, moore).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        modulus: Option<u32>,
        /// The values of heaps of 0, 1, 2, ... stones (grundy), the lost heaps (bachet), or the numbers of the lost
        /// pairs in order (wythoff).
        values: Vec<u32>,
        /// Whether `values` omits some.
        more: bool,
    },
    /// A position, and its heaps in binary, on which the theorem is based.
    Columns {
        /// The position.
        position: String,
        /// A row for each heap.
        rows: Vec<RowDigits>,
        /// Label of the row of sums: "nim-sum", or "ones mod 3".
        label: String,
        /// Number of ones in each column, modulo `modulus`; the highest column first.
        sums: Vec<u32>,
        /// The modulus of the sums.
        modulus: u32,
        /// The nim-sum; `null` if the columns are not counted modulo 2.
        #[schema(required)]
        number: Option<u32>,
    },
    /// A conclusion, in words.
    Sentence {
        /// Name of the sentence, for programs that word it themselves.
        key: &'static str,
        /// The words.
        text: String,
        /// The move in the sentence; absent, like the following keys, if the sentence has none.
        #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        chosen: Option<String>,
        /// The effect of that move on the heaps.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        makes: Vec<RowChange>,
        /// An answer to the move.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        answer: Option<String>,
        /// The numbers in the sentence, by its kind: the values of a heap before and after, and the nim-sum before; the
        /// number of heaps of one stone; the heap, the divisor and the remainder; the modulus; the index of a pair, and
        /// the pair.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        numbers: Vec<u64>,
    },
    /// The replies prove the outcome, and are not just an illustration; the key `replies` lists them.
    Replies {
        /// The conclusion from the replies, in words.
        text: String,
    },
}

/// A heap in binary.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RowDigits {
    /// Stones of the heap.
    pub heap: u32,
    /// The number written in binary: the stones, or the Grundy value of the heap.
    pub value: u32,
    /// The binary digits of `value`, the highest first; one for each column.
    pub digits: Vec<u32>,
}

/// The size of a heap before and after a move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RowChange {
    /// The row, counted from 1.
    pub row: usize,
    /// Stones before the move.
    pub from: u32,
    /// Stones after the move.
    pub to: u32,
}

impl Question for WhyQuestion {
    type Answer = WhyAnswer;

    fn answer<S: BoardTable>(self, table: &S, cost: LookUpCost) -> Result<WhyAnswer, Refusal> {
        let game = table.game();
        let position = game.read_position(&self.position)?;
        cost.budget(QuestionKind::Why).spend((MAX_REPLIES as u64 + 1) * cost.answer)?;
        let argument = table.argue(&position, MAX_REPLIES)?;
        let by_table = argument.0.iter().find_map(|part| match part {
            ArgumentPart::Replies(refutation) => Some(refutation.clone()),
            _ => None,
        });
        let refutation = by_table.map_or_else(|| refute(table, &position, MAX_REPLIES), Ok)?;
        let replies = refutation.replies.iter().map(|RefutedMove { chosen, to, answer }| MoveRefutation {
            chosen: chosen.to_string(),
            to: game.show_position(to),
            answer: answer.as_ref().map(|(best, _)| best.to_string()),
            then: answer.as_ref().map(|(_, then)| game.show_position(then)),
        });
        let text = argument.text(game);
        let block = |part| match part {
            ArgumentPart::Theorem(Theorem { key, name, statement, modulus, values, more }) => {
                ArgumentBlock::Theorem { key, name, statement, modulus, values, more }
            }
            ArgumentPart::Columns(of, columns) => columns_block(game.show_position(&of), columns),
            ArgumentPart::Sentence(sentence) => sentence_block(sentence),
            ArgumentPart::Replies(refutation) => ArgumentBlock::Replies { text: refutation.summary(game) },
        };
        Ok(WhyAnswer {
            position: game.show_position(&position),
            outcome: refutation.outcome.as_str(),
            text,
            blocks: argument.0.into_iter().map(block).collect(),
            best: refutation.best.map(|best| best.to_string()),
            of: game.show_position(&refutation.lost),
            replies: replies.collect(),
            more: refutation.more,
        })
    }
}

fn columns_block(position: String, columns: Columns) -> ArgumentBlock {
    let row = |BinaryRow { heap, value, digits }| RowDigits { heap, value, digits };
    ArgumentBlock::Columns {
        position,
        label: columns.label(),
        number: columns.nim_sum(),
        rows: columns.rows.into_iter().map(row).collect(),
        sums: columns.sums,
        modulus: columns.modulus,
    }
}

fn sentence_block(Sentence { key, text, chosen, changes, answer, numbers }: Sentence) -> ArgumentBlock {
    let makes = changes.into_iter().map(|HeapChange { row, from, to }| RowChange { row, from, to });
    ArgumentBlock::Sentence { key, text, chosen, makes: makes.collect(), answer, numbers }
}
