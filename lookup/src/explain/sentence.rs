//! What follows from a theorem in a position.

use std::fmt::{self, Display, Formatter};

/// What follows in a position, or why no theorem is followed. Moves are in notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sentence {
    /// No theorem is known: the table's own argument follows.
    NoTheorem,
    /// The heaps are too large for the theorem: the table's own argument follows.
    TooLarge,
    /// The table contradicts the theorem.
    Contradicted,
    /// The nim-sum of a lost position is 0, and no move keeps it so.
    SumIsZero {
        /// Whether that is in misère play, where the end is another one.
        misere: bool,
        /// A move, and the answer to it.
        example: Option<Try>,
    },
    /// The best move makes the nim-sum 0.
    MakesSumZero {
        /// The move.
        deed: Deed,
        /// The value of its heap, before and after.
        values: [u32; 2],
        /// The nim-sum before.
        sum: u32,
    },
    /// No move keeps the nim-sum 0 in the position that the best move leads to.
    SumStaysNot,
    /// In misère play all heaps have one stone or none.
    Ones {
        /// How many have one.
        heaps: usize,
    },
    /// In misère play the best move leaves such heaps.
    LeavesOnes {
        /// The move.
        deed: Deed,
        /// How many have one.
        heaps: usize,
    },
    /// What remains of the heap on division is as in all lost positions, here or where the best move leads.
    Rest {
        /// The move, from a won position.
        deed: Option<Deed>,
        /// The heap of the lost position.
        heap: u32,
        /// The divisor.
        modulus: u32,
        /// What remains.
        rest: u32,
        /// A move of a lost position, and the answer to it.
        example: Option<Try>,
    },
    /// In each column of a lost position the number of ones is a multiple of the modulus, and no move keeps it so.
    AllMultiples {
        /// The modulus.
        modulus: u32,
        /// A move, and the answer to it.
        example: Option<Try>,
    },
    /// The best move makes all columns multiples of the modulus.
    MakesMultiples {
        /// The modulus.
        modulus: u32,
        /// The move.
        deed: Deed,
    },
    /// No move keeps them multiples in the position that the best move leads to.
    MultiplesStayNot {
        /// The modulus.
        modulus: u32,
    },
    /// The position is a lost pair, or the best move leads to one.
    LostPair {
        /// The move, from a won position.
        deed: Option<Deed>,
        /// The pair.
        pair: (u32, u32),
        /// Its number.
        number: usize,
    },
}

/// A move of a lost position, and an answer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Try {
    /// The move.
    pub chosen: String,
    /// The answer.
    pub answer: String,
}

/// What a move does to heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The move.
    pub chosen: String,
    /// Each heap that it takes from.
    pub made: Vec<Made>,
}

/// What a move makes of a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its row, from 1 on.
    pub row: usize,
    /// Its stones before the move.
    pub from: u32,
    /// Its stones after the move.
    pub to: u32,
}

impl Sentence {
    /// A name for programs.
    pub fn key(&self) -> &'static str {
        match self {
            Self::NoTheorem => "no-theorem",
            Self::TooLarge => "too-large",
            Self::Contradicted => "contradicted",
            Self::SumIsZero { .. } => "sum-is-zero",
            Self::MakesSumZero { .. } => "makes-sum-zero",
            Self::SumStaysNot => "sum-stays-not",
            Self::Ones { .. } => "ones",
            Self::LeavesOnes { .. } => "leaves-ones",
            Self::Rest { .. } => "rest",
            Self::AllMultiples { .. } => "all-multiples",
            Self::MakesMultiples { .. } => "makes-multiples",
            Self::MultiplesStayNot { .. } => "multiples-stay-not",
            Self::LostPair { .. } => "lost-pair",
        }
    }

    /// The move that it speaks of, and what that does.
    pub fn deed(&self) -> Option<&Deed> {
        match self {
            Self::MakesSumZero { deed, .. }
            | Self::LeavesOnes { deed, .. }
            | Self::MakesMultiples { deed, .. } => Some(deed),
            Self::LostPair { deed, .. } | Self::Rest { deed, .. } => deed.as_ref(),
            _ => None,
        }
    }

    /// A move of a lost position, and an answer to it, as an example.
    pub fn example(&self) -> Option<&Try> {
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
        "no move keeps them so: in the highest column that a move changes, it takes away between 1 and {} ones.",
        modulus - 1
    )
}

fn of_one_stone(heaps: usize) -> String {
    if heaps == 1 { "1 heap of one stone".to_owned() } else { format!("{heaps} heaps of one stone") }
}

impl Display for Sentence {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Self::NoTheorem => f.write_str("No theorem known here decides these rules; this is the table's own argument."),
            Self::TooLarge => f.write_str(
                "These heaps are too large to compute here what the theorem of the game says of them; this is the table's own \
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
                    "The nim-sum is 0, and no move keeps it so: {NO_MOVE_KEEPS_IT} The opponent's answer makes all columns even \
                     again{end}."
                )?;
                show_example(f, example.as_ref())
            }
            Self::MakesSumZero { deed, values: [from, to], sum } => write!(
                f,
                "The columns with a 1 in the nim-sum have to change, in one heap. {deed}: {from} xor {sum} is {to}, and the \
                 nim-sum becomes 0."
            ),
            Self::SumStaysNot => write!(f, "From there no move keeps the sum 0: {NO_MOVE_KEEPS_IT}"),
            Self::Ones { heaps } => {
                let (parity, last) = match heaps % 2 {
                    0 => ("even", "the opponent"),
                    _ => ("odd", "the player to move"),
                };
                let heaps = of_one_stone(*heaps);
                write!(f, "The position has {heaps}: the number is {parity}, so {last} has to take the last one.")
            }
            Self::LeavesOnes { deed, heaps } => write!(
                f,
                "Here misère play departs from normal play, as the move leaves no heap of two stones or more. {deed}, which \
                 leaves {}: an odd number, of which the opponent has to take the last one. In normal play one would leave an \
                 even number.",
                of_one_stone(*heaps)
            ),
            Self::Rest { deed, heap, modulus, rest, example } => {
                if let Some(deed) = deed {
                    write!(f, "{deed}: ")?;
                }
                match rest {
                    0 => write!(f, "{modulus} divides {heap}.")?,
                    rest => write!(f, "{heap} divided by {modulus} leaves {rest}.")?,
                }
                match (heap == rest, deed) {
                    (true, _) if *rest == 0 => Ok(()),
                    (true, Some(_)) => f.write_str(" The opponent has to take the last one."),
                    (true, None) => f.write_str(" The player to move has to take the last one."),
                    (false, Some(_)) => write!(
                        f,
                        " Whatever the opponent takes, take as much as is missing to {modulus} then, and it stays so."
                    ),
                    (false, None) => {
                        write!(
                            f,
                            " Whatever the player to move takes, the opponent can take as much as is missing to {modulus}, and it stays so."
                        )?;
                        show_example(f, example.as_ref())
                    }
                }
            }
            Self::AllMultiples { modulus, example } => {
                write!(f, "All are multiples of {modulus}, and {}", no_move_keeps_multiples(*modulus))?;
                show_example(f, example.as_ref())
            }
            Self::MakesMultiples { modulus, deed } => {
                write!(f, "{deed}, and every column becomes a multiple of {modulus}:")
            }
            Self::MultiplesStayNot { modulus } => {
                write!(f, "From there {}", no_move_keeps_multiples(*modulus))
            }
            Self::LostPair { deed, pair: (a, b), number } => {
                match deed {
                    None => f.write_str("This is")?,
                    Some(deed) => write!(f, "{deed}:")?,
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

fn show_example(f: &mut Formatter, example: Option<&Try>) -> fmt::Result {
    match example {
        None => Ok(()),
        Some(Try { chosen, answer }) => write!(f, " After {chosen}, for example, the answer is {answer}."),
    }
}

/// As "1:2 makes 5 of 7 in row 1".
impl Display for Deed {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{} makes ", self.chosen)?;
        for (number, Made { row, from, to }) in self.made.iter().enumerate() {
            write!(f, "{}{to} of {from} in row {row}", if number > 0 { " and " } else { "" })?;
        }
        Ok(())
    }
}
