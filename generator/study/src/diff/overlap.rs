//! The positions and moves that two rulesets of a family have in common, and the axes along which differences are counted.

use bouton_tables::{Game, Region, TooManyPositions};
use serde::Serialize;

/// A family whose rulesets can be compared.
pub(crate) trait Comparable: Game<Move: Send> + Sync {
    /// Returns the common positions and moves of two rulesets, A and B.
    fn overlap<'a>(a: &'a Self, b: &'a Self) -> Result<Overlap<'a, Self>, TooManyPositions>;

    /// Returns a compared position in the form of A and in the form of B: heaps padded to the number in each ruleset.
    fn sides(_rules: [&Self; 2], position: &Self::Position) -> [Self::Position; 2] {
        [position.clone(), position.clone()]
    }

    /// Returns the text of a compared position.
    fn show(rules: [&Self; 2], position: &Self::Position) -> String {
        rules[0].show_position(position)
    }

    /// Returns the stones of a compared position if it is a start. Called only if A and B have the same starts.
    fn stones_of_start(overlap: &Overlap<Self>, position: &Self::Position) -> Option<u64>;

    /// Returns the pairs of starts from index `from`: the stones, and the start of A and of B.
    fn walk_starts(overlap: &Overlap<Self>, from: u64) -> impl Iterator<Item = (u64, [Self::Position; 2])>;

    /// Returns the positions at which a witness may begin, in natural order.
    fn openings(overlap: &Overlap<Self>) -> impl Iterator<Item = Self::Position>;

    /// Returns the least number of moves from one position to another; `None` if no moves lead there. Used only if
    /// [`Overlap::knows_distances`] is true.
    fn distance(_rules: [&Self; 2], _from: &Self::Position, _to: &Self::Position) -> Option<u32> {
        None
    }
}

/// The positions and moves that two rulesets, A and B, have in common.
pub(crate) struct Overlap<'a, G: Comparable> {
    pub(crate) rules: [&'a G; 2],
    /// Index of the ruleset with fewer heaps. Each of its moves has heaps that the other ruleset has too.
    pub(crate) leader: usize,
    /// The compared positions.
    pub(crate) compared: G::Region,
    /// Further positions, whose differences are counted apart: player 2 to move, if these do not mirror the compared positions.
    pub(crate) further: Option<G::Region>,
    /// All positions that a line of play can reach; `None` if they are the compared positions.
    pub(crate) reachable: Option<G::Region>,
    pub(crate) axes: Vec<OverlapAxis<G::Position>>,
    /// Number of pairs of starts.
    pub(crate) pairs_of_starts: u64,
    /// Whether A and B have the same starts. Starts are then among the compared positions.
    pub(crate) same_starts: bool,
    /// The least and the greatest number of stones of a start.
    pub(crate) range_of_starts: [u64; 2],
    /// Descriptions of the compared starts and of their stones.
    pub(crate) starts_in_words: [&'static str; 2],
    /// Whether the family implements [`Comparable::distance`] for these rules.
    pub(crate) knows_distances: bool,
}

impl<G: Comparable> Overlap<'_, G> {
    /// Returns the compared position of an index.
    pub(super) fn position(&self, number: u64) -> G::Position {
        self.compared.walk(number).next().expect("it is one of them")
    }

    /// Returns all positions that a line of play can reach.
    pub(super) fn reachable(&self) -> &G::Region {
        self.reachable.as_ref().unwrap_or(&self.compared)
    }

    /// Returns the moves that both rulesets allow, in natural order, each with the position after it.
    pub(super) fn moves(&self, position: &G::Position) -> impl Iterator<Item = (G::Move, G::Position)> {
        let (rules, other) = (self.rules[self.leader], self.rules[1 - self.leader]);
        let theirs = G::sides(self.rules, position)[1 - self.leader].clone();
        let both = rules.moves(position).filter(move |&chosen| other.is_legal(&theirs, chosen));
        both.map(|chosen| (chosen, rules.after(position, chosen)))
    }
}

/// An axis, such as the number of stones, along which differences are counted in bins.
pub(crate) struct OverlapAxis<P> {
    pub(crate) name: &'static str,
    /// The bins, in order.
    pub(crate) bins: Vec<Bin>,
    /// Returns the index of a position's bin.
    pub(crate) part: Box<dyn Fn(&P) -> usize + Sync>,
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

/// The most ranges of an axis.
const MAX_RANGES: u64 = 20;

impl<P> OverlapAxis<P> {
    /// Makes an axis of ranges of equal length that cover all numbers from 0 to `most`.
    pub(crate) fn ranges(name: &'static str, most: u64, number: impl Fn(&P) -> u64 + Sync + 'static) -> Self {
        // The least of 1, 2, 5, 10, 20, 50 and so on that makes at most `MAX_RANGES` ranges.
        let mut lengths = (0..19).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_u64.pow(zeros)));
        let length = lengths.find(|length| most / length < MAX_RANGES).unwrap_or(most);
        let bin = |n: u64| Bin::Range { from: n * length, to: (n * length + length - 1).min(most) };
        let bins = (0..=most / length).map(bin).collect();
        Self { name, bins, part: Box::new(move |position| (number(position) / length) as usize) }
    }
}
