//! The positions and moves that two rulesets of a family have in common, and the axes along which differences are counted.

use bouton_tables::{Game, Region, TooManyPositions};
use serde::Serialize;

use crate::words::round_numbers;

/// A family whose rulesets can be compared.
pub(crate) trait Comparable: Game<Move: Send> + Sync {
    /// Returns the common positions and moves of two rulesets, A and B.
    fn overlap<'a>(a: &'a Self, b: &'a Self) -> Result<Overlap<'a, Self>, TooManyPositions>;

    /// Returns a compared position as a position of A and as one of B. They differ if one game has more heaps: further heaps are empty.
    fn sides(_rules: [&Self; 2], position: &Self::Position) -> [Self::Position; 2] {
        [position.clone(), position.clone()]
    }

    /// Returns the notation of a compared position.
    fn show(rules: [&Self; 2], position: &Self::Position) -> String {
        rules[0].show_position(position)
    }

    /// Returns the pairs of starts, from index `from` on: their stones, the start in A, and the start in B.
    fn walk_starts(overlap: &Overlap<Self>, from: u64) -> impl Iterator<Item = (u64, [Self::Position; 2])>;

    /// Returns the openings, in natural order: the positions at which a witness may begin.
    fn openings(overlap: &Overlap<Self>) -> impl Iterator<Item = Self::Position>;

    /// Returns the least number of moves between two positions, if there is one. Called only if [`Overlap::knows_distances`].
    fn distance(_rules: [&Self; 2], _from: &Self::Position, _to: &Self::Position) -> Option<u32> {
        None
    }
}

/// The positions and moves that two rulesets, A and B, have in common.
pub(crate) struct Overlap<'a, G: Comparable> {
    pub(crate) rules: [&'a G; 2],
    /// Index of the ruleset with fewer heaps. Its moves name rows that the other game has, too.
    pub(crate) fewer_heaps: usize,
    /// The compared positions; in Expanding Nim, those with player 1 to move.
    pub(crate) compared: G::Region,
    /// The positions with player 2 to move, whose differences are counted apart; `None` if they mirror the compared ones.
    pub(crate) turn_2: Option<G::Region>,
    /// All positions that a line of play can reach.
    pub(crate) reachable: G::Region,
    pub(crate) axes: Vec<OverlapAxis<G::Position>>,
    pub(crate) pairs_of_starts: u64,
    /// The least and the greatest number of stones of a start.
    pub(crate) range_of_starts: [u64; 2],
    /// Two descriptions: of the compared starts, and of their numbers of stones.
    pub(crate) starts_in_words: [&'static str; 2],
    /// Whether the family implements [`Comparable::distance`] for these rules.
    pub(crate) knows_distances: bool,
}

impl<G: Comparable> Overlap<'_, G> {
    /// Returns the compared position with this index.
    pub(super) fn position(&self, index: u64) -> G::Position {
        self.compared.walk(index).next().expect("the index of a compared position")
    }

    /// Returns the moves that both rulesets allow, in natural order, each with the position after it.
    pub(super) fn moves(&self, position: &G::Position) -> impl Iterator<Item = (G::Move, G::Position)> {
        let (rules, other) = (self.rules[self.fewer_heaps], self.rules[1 - self.fewer_heaps]);
        let in_other = G::sides(self.rules, position)[1 - self.fewer_heaps].clone();
        let common = rules.moves(position).filter(move |&chosen| other.is_legal(&in_other, chosen));
        common.map(|chosen| (chosen, rules.after(position, chosen)))
    }
}

/// An axis, such as the number of stones, along which differences are counted in bins.
pub(crate) struct OverlapAxis<P> {
    pub(crate) name: &'static str,
    pub(crate) bins: Vec<Bin>,
    /// Returns the index of a position's bin.
    pub(crate) bin_index: Box<dyn Fn(&P) -> usize + Sync>,
}

/// The positions that one bin of an axis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Bin {
    /// Positions whose number lies in a range.
    Range {
        /// The least number.
        from: u64,
        /// The greatest number.
        to: u64,
    },
    /// Positions with these resets left.
    Resets {
        /// The resets of players 1 and 2.
        resets: [u8; 2],
    },
    /// Positions with or without an imposed reset.
    Imposed {
        /// Whether a reset is imposed.
        imposed: bool,
    },
}

/// Maximum number of ranges of an axis.
const MAX_RANGES: u64 = 20;

impl<P> OverlapAxis<P> {
    /// Makes an axis whose bins are ranges of equal length; together they cover the numbers from 0 to `most`. The last range may be
    /// shorter. `number` returns a position's number.
    pub(crate) fn ranges(name: &'static str, most: u64, number: impl Fn(&P) -> u64 + Sync + 'static) -> Self {
        let length = round_numbers().find(|length| most / length < MAX_RANGES).unwrap_or(most);
        let bin = |n: u64| Bin::Range { from: n * length, to: (n * length + length - 1).min(most) };
        let bins = (0..=most / length).map(bin).collect();
        Self { name, bins, bin_index: Box::new(move |position| (number(position) / length) as usize) }
    }
}
