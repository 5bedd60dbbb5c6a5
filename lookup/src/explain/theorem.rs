//! The theorems that decide games.

use std::fmt::{self, Display, Formatter};

/// A theorem that decides a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Theorem {
    /// Nim in normal play.
    Nim,
    /// Nim in misère play.
    MisereNim,
    /// One heap, from which a move takes 1 stone up to a fixed number.
    Bachet {
        /// One more than that number.
        modulus: u32,
        /// The first lost heaps.
        lost: Vec<u32>,
        /// Whether `lost` omits some, up to the greatest heap of the game.
        more: bool,
    },
    /// Any heap game in normal play in which a move takes from one heap.
    Grundy {
        /// The Grundy values of the smallest heaps, from 0 stones on.
        values: Vec<u32>,
        /// Whether `values` omits some greater heaps.
        more: bool,
    },
    /// Moore's Nim, in which one move takes from at most this number of heaps.
    Moore(u32),
    /// Wythoff's game.
    Wythoff {
        /// The first lost pairs.
        pairs: Vec<(u32, u32)>,
        /// Whether `pairs` omits some, up to the position.
        more: bool,
    },
}

impl Theorem {
    /// Returns the name of the theorem, for programs.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Nim => "nim",
            Self::MisereNim => "misere-nim",
            Self::Bachet { .. } => "bachet",
            Self::Grundy { .. } => "grundy",
            Self::Moore(_) => "moore",
            Self::Wythoff { .. } => "wythoff",
        }
    }

    /// Returns the author and year of the theorem.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Nim => "Bouton (1901)",
            Self::MisereNim => "Bouton (1901), misère play",
            Self::Bachet { .. } => "Bachet (1612)",
            Self::Grundy { .. } => "Sprague and Grundy",
            Self::Moore(_) => "Moore (1910)",
            Self::Wythoff { .. } => "Wythoff (1907)",
        }
    }

    /// Returns the statement of the theorem.
    pub fn statement(&self) -> String {
        let dots_if = |more: bool, dots: &'static str| if more { dots } else { "" };
        match self {
            Self::Nim => "a position is lost if its nim-sum is 0, that is, if each column of the heaps in binary has an even \
                          number of ones."
                .to_owned(),
            Self::MisereNim => "as long as some heap has two stones or more, a position is lost if its nim-sum is 0, as in \
                                normal play. When all heaps have at most one stone, each move takes one of them: then a \
                                position is lost if their number is odd."
                .to_owned(),
            Self::Bachet { modulus, lost, more } => {
                let rest = match lost.first() {
                    Some(0) => format!("{modulus} divides the heap"),
                    _ => format!("the heap leaves remainder 1 when divided by {modulus}"),
                };
                let lost: Vec<String> = lost.iter().map(ToString::to_string).collect();
                format!(
                    "a position is lost if {rest}: {}{}. Whatever one player takes, the other can bring the total taken to {modulus}.",
                    lost.join(", "),
                    dots_if(*more, ", ...")
                )
            }
            Self::Grundy { values, more } => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                format!(
                    "the value of a heap is the least number that is not the value of a heap that a move can make from it. A \
                     position is lost if the nim-sum of the values is 0: if each column has an even number of ones. The \
                     values of heaps of 0, 1, 2, ... stones: {}{}",
                    values.join(", "),
                    dots_if(*more, ", ...")
                )
            }
            Self::Moore(heaps) => format!(
                "with up to {heaps} heaps a move, a position is lost if the number of ones in each column of the heaps in \
                 binary is a multiple of {}.",
                heaps + 1
            ),
            Self::Wythoff { pairs, more } => {
                let pairs: Vec<String> = pairs.iter().map(|(a, b)| format!("({a},{b})")).collect();
                format!(
                    "the lost pairs are (0,0) and then each time the least number that no earlier pair has, with the number \
                     of the pair added to it for the other heap: {}{}",
                    pairs.join(" "),
                    dots_if(*more, " ...")
                )
            }
        }
    }
}

impl Display for Theorem {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.statement())
    }
}
