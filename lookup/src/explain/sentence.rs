//! Conclusions from a theorem about one position.

use std::fmt::{self, Display, Formatter};

/// A conclusion from the theorem, or the reason why no theorem is used. Moves are in notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sentence {
    /// No theorem is known. The table's own argument follows.
    NoTheorem,
    /// The heaps are too large for the theorem: the table's own argument follows.
    TooLarge,
    /// The table contradicts the theorem.
    Contradicted,
    /// The nim-sum of a lost position is 0, and no move keeps it at 0.
    SumIsZero {
        /// Whether play is misère, which ends differently: an odd number of single stones is lost.
        misere: bool,
        /// A move, and the answer to it.
        example: Option<ExampleReply>,
    },
    /// The best move makes the nim-sum 0.
    MakesSumZero {
        /// The move.
        effect: MoveEffect,
        /// The value of its heap, before and after.
        values: [u32; 2],
        /// The nim-sum before.
        sum: u32,
    },
    /// After the best move the nim-sum is 0, and no move keeps it at 0.
    SumStaysNot,
    /// Misère play: this number of heaps have one stone, and no heap has more.
    Ones(usize),
    /// Misère play: after the best move no heap has more than one stone.
    LeavesOnes {
        /// The move.
        effect: MoveEffect,
        /// Number of heaps of one stone.
        heaps: usize,
    },
    /// The heap, here or after the best move, leaves the remainder of lost positions.
    Rest {
        /// The best move; `None` in a lost position.
        effect: Option<MoveEffect>,
        /// The heap of the lost position.
        heap: u32,
        /// The divisor.
        modulus: u32,
        /// The remainder.
        rest: u32,
        /// In a lost position, a move and the answer to it.
        example: Option<ExampleReply>,
    },
    /// The number of ones in each column of a lost position is a multiple of `modulus`, and no move keeps all of them
    /// multiples.
    AllMultiples {
        /// The modulus.
        modulus: u32,
        /// A move, and the answer to it.
        example: Option<ExampleReply>,
    },
    /// The best move makes the number of ones in each column a multiple of `modulus`.
    MakesMultiples {
        /// The modulus.
        modulus: u32,
        /// The move.
        effect: MoveEffect,
    },
    /// After the best move the number of ones in each column is a multiple of this modulus, and no move keeps all of them
    /// multiples.
    MultiplesStayNot(u32),
    /// The position is a lost pair of Wythoff's game, or the best move leads to one.
    LostPair {
        /// The best move; `None` in a lost position.
        effect: Option<MoveEffect>,
        /// The pair.
        pair: (u32, u32),
        /// The index of the pair among all lost pairs, from 0 for (0,0).
        number: usize,
    },
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
    /// Returns the name of the sentence, for programs that word it themselves.
    pub fn key(&self) -> &'static str {
        match self {
            Self::NoTheorem => "no-theorem",
            Self::TooLarge => "too-large",
            Self::Contradicted => "contradicted",
            Self::SumIsZero { .. } => "sum-is-zero",
            Self::MakesSumZero { .. } => "makes-sum-zero",
            Self::SumStaysNot => "sum-stays-not",
            Self::Ones(_) => "ones",
            Self::LeavesOnes { .. } => "leaves-ones",
            Self::Rest { .. } => "rest",
            Self::AllMultiples { .. } => "all-multiples",
            Self::MakesMultiples { .. } => "makes-multiples",
            Self::MultiplesStayNot(_) => "multiples-stay-not",
            Self::LostPair { .. } => "lost-pair",
        }
    }

    /// Returns the winning move of the sentence, with its effect.
    pub fn effect(&self) -> Option<&MoveEffect> {
        match self {
            Self::MakesSumZero { effect, .. }
            | Self::LeavesOnes { effect, .. }
            | Self::MakesMultiples { effect, .. } => Some(effect),
            Self::LostPair { effect, .. } | Self::Rest { effect, .. } => effect.as_ref(),
            _ => None,
        }
    }

    /// Returns the example of a lost position: a move, and the answer to it.
    pub fn example(&self) -> Option<&ExampleReply> {
        match self {
            Self::SumIsZero { example, .. }
            | Self::AllMultiples { example, .. }
            | Self::Rest { example, .. } => example.as_ref(),
            _ => None,
        }
    }
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

impl Display for Sentence {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Self::NoTheorem => f.write_str("Bouton knows no theorem that decides these rules; this is the table's own argument."),
            Self::TooLarge => f.write_str(
                "These heaps are too large for the game's theorem to be computed here; this is the table's own \
                 argument.",
            ),
            Self::Contradicted => f.write_str(
                "The theorem that decides this game contradicts the table: do not trust the table, and run `bouton verify` on \
                 it. The table's own argument:",
            ),
            Self::SumIsZero { misere, example } => {
                let end = if *misere {
                    ", or leaves an odd number of heaps of one stone and no others"
                } else {
                    ""
                };
                write!(
                    f,
                    "The nim-sum is 0, and no move keeps it at 0: {NO_MOVE_KEEPS_IT} The opponent's answer makes all columns even \
                     again{end}."
                )?;
                write_example(f, example.as_ref())
            }
            Self::MakesSumZero { effect, values: [from, to], sum } => write!(
                f,
                "The columns with a 1 in the nim-sum have to change, in one heap. {effect}: {from} xor {sum} is {to}, and the \
                 nim-sum becomes 0."
            ),
            Self::SumStaysNot => write!(f, "From there no move keeps the sum 0: {NO_MOVE_KEEPS_IT}"),
            Self::Ones(heaps) => {
                let (parity, last) = match heaps % 2 {
                    0 => ("even", "the opponent"),
                    _ => ("odd", "the player to move"),
                };
                let heaps = single_stones(*heaps);
                write!(f, "The position has {heaps}: the number is {parity}, so {last} has to take the last one.")
            }
            Self::LeavesOnes { effect, heaps } => write!(
                f,
                "Here misère play departs from normal play, as the move leaves no heap of two stones or more. {effect}, which \
                 leaves {}: an odd number, of which the opponent has to take the last one. In normal play one would leave an \
                 even number.",
                single_stones(*heaps)
            ),
            Self::Rest { effect, heap, modulus, rest, example } => {
                if let Some(effect) = effect {
                    write!(f, "{effect}: ")?;
                }
                match rest {
                    0 => write!(f, "{modulus} divides {heap}.")?,
                    rest => write!(f, "{heap} divided by {modulus} leaves {rest}.")?,
                }
                match (heap == rest, effect) {
                    (true, _) if *rest == 0 => Ok(()),
                    (true, Some(_)) => f.write_str(" The opponent has to take the last one."),
                    (true, None) => f.write_str(" The player to move has to take the last one."),
                    (false, Some(_)) => write!(
                        f,
                        " Whatever the opponent takes, bring the total taken to {modulus}, and this stays true."
                    ),
                    (false, None) => {
                        write!(
                            f,
                            " Whatever the player to move takes, the opponent can bring the total taken to {modulus}, and this stays true."
                        )?;
                        write_example(f, example.as_ref())
                    }
                }
            }
            Self::AllMultiples { modulus, example } => {
                write!(f, "All are multiples of {modulus}, and {}", no_move_keeps_multiples(*modulus))?;
                write_example(f, example.as_ref())
            }
            Self::MakesMultiples { modulus, effect } => {
                write!(f, "{effect}, and every column becomes a multiple of {modulus}:")
            }
            Self::MultiplesStayNot(modulus) => {
                write!(f, "From there {}", no_move_keeps_multiples(*modulus))
            }
            Self::LostPair { effect, pair: (a, b), number } => {
                match effect {
                    None => f.write_str("This is")?,
                    Some(effect) => write!(f, "{effect}:")?,
                }
                write!(
                    f,
                    " ({a},{b}), pair number {number}. No move leads from one lost pair to another, since no two of them have a \
                     number in common, and no two the same difference."
                )
            }
        }
    }
}

fn write_example(f: &mut Formatter, example: Option<&ExampleReply>) -> fmt::Result {
    match example {
        None => Ok(()),
        Some(ExampleReply { chosen, answer }) => {
            write!(f, " After {chosen}, for example, the answer is {answer}.")
        }
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
