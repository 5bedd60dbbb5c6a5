//! The theorems that decide games. Each function of [`Theorem`] states one of them.

use std::fmt::{self, Display, Formatter};

/// A theorem that decides a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theorem {
    /// Name of the theorem, for programs.
    pub key: &'static str,
    /// Author and year.
    pub name: &'static str,
    /// The statement in words.
    pub statement: String,
    /// The divisor of the lost heaps, or of the number of ones in each column of a lost position, if there is one.
    pub modulus: Option<u32>,
    /// The numbers that the statement lists, in their order.
    pub values: Vec<u32>,
    /// Whether `values` omits some.
    pub more: bool,
}

impl Theorem {
    fn new(key: &'static str, name: &'static str, statement: impl Into<String>) -> Self {
        Self { key, name, statement: statement.into(), modulus: None, values: Vec::new(), more: false }
    }

    /// Nim in normal play.
    pub(crate) fn nim() -> Self {
        let statement = "a position is lost if its nim-sum is 0, that is, if each column of the heaps in binary has an even \
                         number of ones.";
        Self { modulus: Some(2), ..Self::new("nim", "Bouton (1901)", statement) }
    }

    /// Nim in misère play.
    pub(crate) fn misere_nim() -> Self {
        let statement = "as long as some heap has two stones or more, a position is lost if its nim-sum is 0, as in normal \
                         play. When all heaps have at most one stone, each move takes one of them: then a position is lost \
                         if their number is odd.";
        Self { modulus: Some(2), ..Self::new("misere-nim", "Bouton (1901), misère play", statement) }
    }

    /// One heap, from which a move takes 1 stone up to `modulus` - 1. `lost` are the first lost heaps; there are more if
    /// `more`, up to the greatest heap of the game.
    pub(crate) fn bachet(modulus: u32, lost: Vec<u32>, more: bool) -> Self {
        let rest = match lost.first() {
            Some(0) => format!("{modulus} divides the heap"),
            _ => format!("the heap leaves remainder 1 when divided by {modulus}"),
        };
        let statement = format!(
            "a position is lost if {rest}: {}{}. Whatever one player takes, the other can bring the total taken to {modulus}.",
            join(&lost),
            if more { ", ..." } else { "" }
        );
        Self { modulus: Some(modulus), values: lost, more, ..Self::new("bachet", "Bachet (1612)", statement) }
    }

    /// Any heap game in normal play in which a move takes from one heap. `values` are the Grundy values of the smallest
    /// heaps, from 0 stones on; greater heaps have some too if `more`.
    pub(crate) fn grundy(values: Vec<u32>, more: bool) -> Self {
        let statement = format!(
            "the value of a heap is the least number that is not the value of a heap that a move can make from it. A position \
             is lost if the nim-sum of the values is 0: if each column has an even number of ones. The values of heaps of 0, \
             1, 2, ... stones: {}{}",
            join(&values),
            if more { ", ..." } else { "" }
        );
        Self { modulus: Some(2), values, more, ..Self::new("grundy", "Sprague and Grundy", statement) }
    }

    /// Moore's Nim, in which one move takes from at most this number of heaps.
    pub(crate) fn moore(heaps: u32) -> Self {
        let modulus = heaps + 1;
        let statement = format!(
            "with up to {heaps} heaps a move, a position is lost if the number of ones in each column of the heaps in binary is \
             a multiple of {modulus}."
        );
        Self { modulus: Some(modulus), ..Self::new("moore", "Moore (1910)", statement) }
    }

    /// Wythoff's game. `pairs` are the first lost pairs; there are more if `more`, up to the position.
    pub(crate) fn wythoff(pairs: &[(u32, u32)], more: bool) -> Self {
        let shown: Vec<String> = pairs.iter().map(|(a, b)| format!("({a},{b})")).collect();
        let statement = format!(
            "the lost pairs are (0,0) and then each time the least number that no earlier pair has, with the number of the pair \
             added to it for the other heap: {}{}",
            shown.join(" "),
            if more { " ..." } else { "" }
        );
        let values = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        Self { values, more, ..Self::new("wythoff", "Wythoff (1907)", statement) }
    }
}

fn join(numbers: &[u32]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Display for Theorem {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.statement)
    }
}
