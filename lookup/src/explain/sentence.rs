//! Conclusions from a theorem about one position. Each function of [`Sentence`] writes one of them.

use std::fmt::{self, Display, Formatter};

/// A conclusion from the theorem, or the reason why no theorem is used. Moves are in notation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// Name of the sentence, for programs that word it themselves.
    pub key: &'static str,
    /// The words.
    pub text: String,
    /// The best move of a won position.
    pub effect: Option<MoveEffect>,
    /// A move of a lost position, and the answer to it.
    pub example: Option<ExampleReply>,
    /// The numbers in the sentence, in the order of the parameters of its function.
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

const NO_MOVE_KEEPS_IT: &str =
    "a move changes one heap, and each column in which its number changes becomes odd.";

fn no_move_keeps_multiples(modulus: u32) -> String {
    format!(
        "no move keeps all of them multiples: in the highest column that a move changes, it takes away between 1 and {} ones.",
        modulus - 1
    )
}

fn single_stones(heaps: usize) -> String {
    if heaps == 1 { "1 heap of one stone".to_owned() } else { format!("{heaps} heaps of one stone") }
}

impl Sentence {
    fn new(key: &'static str, text: impl Into<String>) -> Self {
        Self { key, text: text.into(), ..Self::default() }
    }

    /// Appends an example to the words, if there is one.
    fn with_example(mut self, example: Option<ExampleReply>) -> Self {
        if let Some(ExampleReply { chosen, answer }) = &example {
            self.text += &format!(" After {chosen}, for example, the answer is {answer}.");
        }
        Self { example, ..self }
    }

    /// No theorem is known. The table's own argument follows.
    pub(crate) fn no_theorem() -> Self {
        Self::new(
            "no-theorem",
            "Bouton knows no theorem that decides these rules; this is the table's own argument.",
        )
    }

    /// The heaps are too large for the theorem: the table's own argument follows.
    pub(crate) fn too_large() -> Self {
        Self::new(
            "too-large",
            "These heaps are too large for the game's theorem to be computed here; this is the table's own argument.",
        )
    }

    /// The table contradicts the theorem.
    pub(crate) fn contradicted() -> Self {
        Self::new(
            "contradicted",
            "The theorem that decides this game contradicts the table: do not trust the table, and run `bouton verify` on it. \
             The table's own argument:",
        )
    }

    /// The nim-sum of a lost position is 0, and no move keeps it at 0. Misère play ends differently: an odd number of
    /// single stones is lost.
    pub(crate) fn sum_is_zero(misere: bool, example: Option<ExampleReply>) -> Self {
        let end = if misere { ", or leaves an odd number of heaps of one stone and no others" } else { "" };
        let text = format!(
            "The nim-sum is 0, and no move keeps it at 0: {NO_MOVE_KEEPS_IT} The opponent's answer makes all columns even \
             again{end}."
        );
        Self::new("sum-is-zero", text).with_example(example)
    }

    /// The best move makes the nim-sum 0, which was `sum`: it changes the value of its heap.
    pub(crate) fn makes_sum_zero(effect: MoveEffect, from: u32, to: u32, sum: u32) -> Self {
        let text = format!(
            "The columns with a 1 in the nim-sum have to change, in one heap. {effect}: {from} xor {sum} is {to}, and the \
             nim-sum becomes 0."
        );
        let numbers = vec![from.into(), to.into(), sum.into()];
        Self { effect: Some(effect), numbers, ..Self::new("makes-sum-zero", text) }
    }

    /// After the best move the nim-sum is 0, and no move keeps it at 0.
    pub(crate) fn sum_stays_not() -> Self {
        Self::new("sum-stays-not", format!("From there no move keeps the sum 0: {NO_MOVE_KEEPS_IT}"))
    }

    /// Misère play: this number of heaps have one stone, and no heap has more.
    pub(crate) fn ones(heaps: usize) -> Self {
        let (parity, last) = match heaps % 2 {
            0 => ("even", "the opponent"),
            _ => ("odd", "the player to move"),
        };
        let ones = single_stones(heaps);
        let text =
            format!("The position has {ones}: the number is {parity}, so {last} has to take the last one.");
        Self { numbers: vec![heaps as u64], ..Self::new("ones", text) }
    }

    /// Misère play: the best move leaves this number of heaps of one stone, and none of more.
    pub(crate) fn leaves_ones(effect: MoveEffect, heaps: usize) -> Self {
        let text = format!(
            "Here misère play departs from normal play, as the move leaves no heap of two stones or more. {effect}, which \
             leaves {}: an odd number, of which the opponent has to take the last one. In normal play one would leave an \
             even number.",
            single_stones(heaps)
        );
        Self { effect: Some(effect), numbers: vec![heaps as u64], ..Self::new("leaves-ones", text) }
    }

    /// The heap leaves the remainder of lost positions: after the best move, or here if there is none.
    pub(crate) fn rest(
        effect: Option<MoveEffect>,
        heap: u32,
        modulus: u32,
        rest: u32,
        example: Option<ExampleReply>,
    ) -> Self {
        let mut text = effect.as_ref().map_or_else(String::new, |effect| format!("{effect}: "));
        text += &match rest {
            0 => format!("{modulus} divides {heap}."),
            rest => format!("{heap} divided by {modulus} leaves {rest}."),
        };
        text += &match (heap == rest, &effect) {
            (true, _) if rest == 0 => String::new(),
            (true, Some(_)) => " The opponent has to take the last one.".to_owned(),
            (true, None) => " The player to move has to take the last one.".to_owned(),
            (false, Some(_)) => {
                format!(
                    " Whatever the opponent takes, bring the total taken to {modulus}, and this stays true."
                )
            }
            (false, None) => format!(
                " Whatever the player to move takes, the opponent can bring the total taken to {modulus}, and this stays true."
            ),
        };
        let numbers = vec![heap.into(), modulus.into(), rest.into()];
        Self { effect, numbers, ..Self::new("rest", text) }.with_example(example)
    }

    /// The number of ones in each column of a lost position is a multiple of `modulus`, and no move keeps all of them
    /// multiples.
    pub(crate) fn all_multiples(modulus: u32, example: Option<ExampleReply>) -> Self {
        let text = format!("All are multiples of {modulus}, and {}", no_move_keeps_multiples(modulus));
        Self { numbers: vec![modulus.into()], ..Self::new("all-multiples", text) }.with_example(example)
    }

    /// The best move makes the number of ones in each column a multiple of `modulus`.
    pub(crate) fn makes_multiples(effect: MoveEffect, modulus: u32) -> Self {
        let text = format!("{effect}, and every column becomes a multiple of {modulus}:");
        Self { effect: Some(effect), numbers: vec![modulus.into()], ..Self::new("makes-multiples", text) }
    }

    /// After the best move the number of ones in each column is a multiple of `modulus`, and no move keeps all of them
    /// multiples.
    pub(crate) fn multiples_stay_not(modulus: u32) -> Self {
        let text = format!("From there {}", no_move_keeps_multiples(modulus));
        Self { numbers: vec![modulus.into()], ..Self::new("multiples-stay-not", text) }
    }

    /// The position, or the one after the best move, is a lost pair of Wythoff's game. `number` is its index among all
    /// lost pairs, from 0 for (0,0).
    pub(crate) fn lost_pair(effect: Option<MoveEffect>, number: usize, (a, b): (u32, u32)) -> Self {
        let subject = effect.as_ref().map_or_else(|| "This is".to_owned(), |effect| format!("{effect}:"));
        let text = format!(
            "{subject} ({a},{b}), pair number {number}. No move leads from one lost pair to another, since no two of them have a \
             number in common, and no two the same difference."
        );
        Self { effect, numbers: vec![number as u64, a.into(), b.into()], ..Self::new("lost-pair", text) }
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
