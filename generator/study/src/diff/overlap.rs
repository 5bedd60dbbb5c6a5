//! What two rulesets of a family have in common, and the axes along which their positions are counted.

use bouton_tables::{Game, Region, TooManyPositions};
use serde::Serialize;

/// A family whose rulesets can be compared.
pub(crate) trait Compared: Game<Move: Send> + Sync {
    /// What two rulesets, A and B, have in common.
    fn overlap<'a>(a: &'a Self, b: &'a Self) -> Result<Overlap<'a, Self>, TooManyPositions>;

    /// A compared position as A and as B have it.
    fn sides(_rules: [&Self; 2], position: &Self::Position) -> [Self::Position; 2] {
        [position.clone(), position.clone()]
    }

    /// The text of a compared position.
    fn show(rules: [&Self; 2], position: &Self::Position) -> String {
        rules[0].show_position(position)
    }

    /// The stones of a position that is a start of both, where each start of one is one of the other.
    fn stones_of_start(overlap: &Overlap<Self>, position: &Self::Position) -> Option<u64>;

    /// The pairs of starts from a number on: their stones, and as A and as B have them.
    fn walk_starts(overlap: &Overlap<Self>, from: u64) -> impl Iterator<Item = (u64, [Self::Position; 2])>;

    /// The positions at which a witness may begin, in natural order.
    fn openings(overlap: &Overlap<Self>) -> impl Iterator<Item = Self::Position>;

    /// How many moves it takes from one position to another at the least, where that is known; `None` if no moves
    /// lead there.
    fn distance(_rules: [&Self; 2], _from: &Self::Position, _to: &Self::Position) -> Option<u32> {
        None
    }
}

/// The positions and moves that two rulesets, A and B, have in common.
pub(crate) struct Overlap<'a, G: Compared> {
    pub(crate) rules: [&'a G; 2],
    /// Which of the two has no move that the other lacks a heap for.
    pub(crate) leader: usize,
    /// The compared positions.
    pub(crate) compared: G::Region,
    /// Further positions to look at, which are not counted.
    pub(crate) further: Option<G::Region>,
    /// All positions that a line of play can meet, if it meets others than the compared ones.
    pub(crate) reachable: Option<G::Region>,
    pub(crate) axes: Vec<Axis<G::Position>>,
    /// How many pairs of starts there are.
    pub(crate) pairs_of_starts: u64,
    /// Whether the starts of A are those of B, and so among the compared positions.
    pub(crate) same_starts: bool,
    /// The least and the greatest number of stones of a start.
    pub(crate) range_of_starts: [u64; 2],
    /// Which starts are compared, and what their stones are, in words.
    pub(crate) starts_in_words: [&'static str; 2],
    /// Whether [`Compared::distance`] is known.
    pub(crate) knows_distances: bool,
}

impl<G: Compared> Overlap<'_, G> {
    /// The compared position of a number.
    pub(super) fn position(&self, number: u64) -> G::Position {
        self.compared.walk(number).next().expect("it is one of them")
    }

    /// All positions that a line of play can meet.
    pub(super) fn reachable(&self) -> &G::Region {
        self.reachable.as_ref().unwrap_or(&self.compared)
    }

    /// The moves that both rulesets allow, in the natural order, each with the position after it.
    pub(super) fn moves(&self, position: &G::Position) -> impl Iterator<Item = (G::Move, G::Position)> {
        let (rules, other) = (self.rules[self.leader], self.rules[1 - self.leader]);
        let theirs = G::sides(self.rules, position)[1 - self.leader].clone();
        let both = rules.moves(position).filter(move |&chosen| other.is_legal(&theirs, chosen));
        both.map(|chosen| (chosen, rules.after(position, chosen)))
    }
}

/// An axis of the breakdown.
pub(crate) struct Axis<P> {
    pub(crate) name: &'static str,
    /// Which positions each of its parts counts.
    pub(crate) bins: Vec<Bin>,
    /// The part in which a position lies.
    pub(crate) part: Box<dyn Fn(&P) -> usize + Sync>,
}

/// Which positions a part of the breakdown counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Bin {
    /// Those with a number in a range.
    Range {
        /// The least.
        from: u64,
        /// The greatest.
        to: u64,
    },
    /// Those with these resets left.
    Resets {
        /// Of players 1 and 2.
        resets: [u8; 2],
    },
    /// Those with a reset imposed, or without.
    Imposed {
        /// Whether a reset is imposed.
        imposed: bool,
    },
}

/// The most ranges of an axis.
const MAX_RANGES: u64 = 20;

impl<P> Axis<P> {
    /// Ranges of equal length that cover all numbers from 0 to `most`.
    pub(crate) fn ranges(name: &'static str, most: u64, number: impl Fn(&P) -> u64 + Sync + 'static) -> Self {
        // 1, 2, 5, 10, 20, 50 and so on: the least that makes few enough.
        let mut lengths = (0..19).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_u64.pow(zeros)));
        let length = lengths.find(|length| most / length < MAX_RANGES).unwrap_or(most);
        let bin = |n: u64| Bin::Range { from: n * length, to: (n * length + length - 1).min(most) };
        let bins = (0..=most / length).map(bin).collect();
        Self { name, bins, part: Box::new(move |position| (number(position) / length) as usize) }
    }
}
