//! Why a position is won or lost.

use bouton_lookup::{Columns, Deed, Part, Refuted, Sentence, Theorem, refute};
use bouton_tables::Game;
use serde::Serialize;

use crate::board::{Effort, Shown};
use crate::budget::Asking;
use crate::{Question, Refusal};

/// Replies that an argument refutes.
pub const REPLIES: usize = 200;

/// The question why a position is won or lost.
#[derive(Clone, Debug)]
pub struct Why {
    /// The position, in notation.
    pub position: String,
}

/// The argument.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct WhyAnswer {
    /// The position as canonical text.
    pub position: String,
    /// For the player to move.
    #[cfg_attr(feature = "schemas", schema(value_type = crate::board::Outcome))]
    pub outcome: &'static str,
    /// The argument in words, as `bouton-lookup --explain` prints it.
    pub text: String,
    /// The same, part by part.
    pub blocks: Vec<Block>,
    /// The best move of a won position; `null` in a lost one.
    #[cfg_attr(feature = "schemas", schema(required))]
    pub best: Option<String>,
    /// The lost position whose moves are refuted: where `best` leads, or the position itself.
    pub of: String,
    /// Its moves, each with the answer to it.
    pub replies: Vec<Refutation>,
    /// How many moves it has beyond those.
    pub more: usize,
}

/// A move of a lost position, and its refutation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct Refutation {
    /// The move.
    #[serde(rename = "move")]
    pub chosen: String,
    /// Where it leads.
    pub to: String,
    /// A winning move there; `null` if the game is over.
    #[cfg_attr(feature = "schemas", schema(required))]
    pub answer: Option<String>,
    /// Where the answer leads; `null` if there is none.
    #[cfg_attr(feature = "schemas", schema(required))]
    pub then: Option<String>,
}

/// A part of the argument.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Block {
    /// The theorem that decides the game.
    Theorem {
        /// Which one: nim, misere-nim, bachet, grundy, moore or wythoff.
        key: &'static str,
        /// Whose it is, as "Bouton (1901)".
        name: &'static str,
        /// What it says, without the numbers that follow.
        statement: String,
        /// Of nim, misere-nim, grundy and moore: a lost position has, in each column, a multiple of this many ones. Of bachet: what the
        /// heap is divided by.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schemas", schema(nullable = false))]
        modulus: Option<u32>,
        /// Of grundy: the values of heaps of 0, 1, 2, ... stones. Of bachet: the lost heaps. Of wythoff: the lost pairs, one number after
        /// the other.
        values: Vec<u32>,
        /// Whether there are more of them.
        more: bool,
    },
    /// A position as the theorem sees it: its heaps in binary.
    Columns {
        /// The position.
        position: String,
        /// A row for each heap.
        rows: Vec<RowOf>,
        /// What stands beside the sums: "nim-sum", or "ones mod 3".
        label: String,
        /// The ones of each column, modulo `modulus`; the highest column first.
        sums: Vec<u32>,
        /// What the ones are counted modulo.
        modulus: u32,
        /// The nim-sum; `null` if the columns are not counted modulo 2.
        #[cfg_attr(feature = "schemas", schema(required))]
        number: Option<u32>,
    },
    /// What follows, in words.
    Sentence {
        /// Which sentence it is: for programs that say it in other words.
        key: &'static str,
        /// The words.
        text: String,
        /// The move that it speaks of; absent if it speaks of none, as the following are.
        #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schemas", schema(nullable = false))]
        chosen: Option<String>,
        /// What that move makes of heaps.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        makes: Vec<MadeOf>,
        /// An answer to the move.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schemas", schema(nullable = false))]
        answer: Option<String>,
        /// Numbers, as the sentence has them: the values of a heap before and after and the nim-sum before; the number of heaps of
        /// one stone; the heap, what it is divided by, and what remains; the modulus; the number of a pair, and the pair.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        numbers: Vec<u64>,
    },
    /// Here the replies are the argument, and not an illustration: `replies` has them.
    Replies {
        /// What they show, in words.
        text: String,
    },
}

/// A heap in binary.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct RowOf {
    /// Its stones.
    pub heap: u32,
    /// The number that counts for it.
    pub value: u32,
    /// The digits of that number, the highest first; as many as there are columns.
    pub digits: Vec<u32>,
}

/// What a move makes of a heap.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct MadeOf {
    /// Its row, counted from 1.
    pub row: usize,
    /// Its stones before the move.
    pub from: u32,
    /// Its stones after the move.
    pub to: u32,
}

impl Question for Why {
    type Answer = WhyAnswer;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<WhyAnswer, Refusal> {
        let game = table.game();
        let position = game.read_position(&self.position)?;
        effort.budget(Asking::Why).spend((REPLIES as u64 + 1) * effort.answer)?;
        let argument = table.argue(&position, REPLIES)?;
        let by_table = argument.0.iter().find_map(|part| match part {
            Part::Replies(refutation) => Some(refutation.clone()),
            _ => None,
        });
        let refutation = by_table.map_or_else(|| refute(table, &position, REPLIES), Ok)?;
        let replies = refutation.replies.iter().map(|Refuted { chosen, to, answer }| Refutation {
            chosen: chosen.to_string(),
            to: game.show_position(to),
            answer: answer.as_ref().map(|(best, _)| best.to_string()),
            then: answer.as_ref().map(|(_, then)| game.show_position(then)),
        });
        let block = |part: &Part<_, _>| match part {
            Part::Theorem(known) => theorem(known),
            Part::Columns(of, columns) => in_columns(game.show_position(of), columns),
            Part::Sentence(sentence) => in_words(sentence),
            Part::Replies(refutation) => Block::Replies { text: refutation.summary(game) },
        };
        Ok(WhyAnswer {
            position: game.show_position(&position),
            outcome: refutation.outcome.as_str(),
            text: argument.text(game),
            blocks: argument.0.iter().map(block).collect(),
            best: refutation.best.map(|best| best.to_string()),
            of: game.show_position(&refutation.of),
            replies: replies.collect(),
            more: refutation.more,
        })
    }
}

fn theorem(theorem: &Theorem) -> Block {
    let (modulus, values, more) = match theorem {
        Theorem::Nim | Theorem::MisereNim => (Some(2), Vec::new(), false),
        Theorem::Bachet { modulus, lost, more } => (Some(*modulus), lost.clone(), *more),
        Theorem::Grundy { values, more } => (Some(2), values.clone(), *more),
        Theorem::Moore { heaps } => (Some(heaps + 1), Vec::new(), false),
        Theorem::Wythoff { pairs, more } => (None, pairs.iter().flat_map(|&(a, b)| [a, b]).collect(), *more),
    };
    let statement = theorem.statement();
    Block::Theorem { key: theorem.key(), name: theorem.name(), statement, modulus, values, more }
}

fn in_columns(position: String, columns: &Columns) -> Block {
    let places = (0..columns.sums.len().max(1)).rev();
    let rows = columns.rows.iter().map(|row| RowOf {
        heap: row.heap,
        value: row.value,
        digits: places.clone().map(|place| row.value >> place & 1).collect(),
    });
    Block::Columns {
        position,
        rows: rows.collect(),
        label: columns.label(),
        sums: places.clone().map(|place| columns.sums.get(place).copied().unwrap_or(0)).collect(),
        modulus: columns.modulus,
        number: columns.number(),
    }
}

fn in_words(sentence: &Sentence) -> Block {
    let deed = sentence.deed();
    let made = deed.into_iter().flat_map(|Deed { made, .. }| made);
    let example = sentence.example();
    let numbers = match *sentence {
        Sentence::MakesSumZero { values: [from, to], sum, .. } => vec![from.into(), to.into(), sum.into()],
        Sentence::Ones { heaps } | Sentence::LeavesOnes { heaps, .. } => vec![heaps as u64],
        Sentence::AllMultiples { modulus, .. }
        | Sentence::MakesMultiples { modulus, .. }
        | Sentence::MultiplesStayNot { modulus } => vec![modulus.into()],
        Sentence::Rest { heap, modulus, rest, .. } => vec![heap.into(), modulus.into(), rest.into()],
        Sentence::LostPair { pair: (a, b), number, .. } => vec![number as u64, a.into(), b.into()],
        Sentence::NoTheorem
        | Sentence::TooLarge
        | Sentence::Contradicted
        | Sentence::SumIsZero { .. }
        | Sentence::SumStaysNot => Vec::new(),
    };
    Block::Sentence {
        key: sentence.key(),
        text: sentence.to_string(),
        chosen: deed.map(|deed| &deed.chosen).or(example.map(|example| &example.chosen)).cloned(),
        makes: made.map(|made| MadeOf { row: made.row, from: made.from, to: made.to }).collect(),
        answer: example.map(|example| example.answer.clone()),
        numbers,
    }
}
