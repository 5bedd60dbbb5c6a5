//! What two rulesets of a family have in common.

use bouton_tables::Game;
use serde::Serialize;

use crate::Region;

type Position<G> = <<G as Ground>::Game as Game>::Position;
type Move<G> = <<G as Ground>::Game as Game>::Move;

/// The common ground of two rulesets, A and B.
pub(super) trait Ground: Sync {
    /// The game.
    type Game: Game<Position: Send + Sync, Move: Send>;

    /// The compared positions.
    fn compared(&self) -> &impl Region<Game = Self::Game>;

    /// Further positions to look at, which are not counted.
    fn further(&self) -> Option<&impl Region<Game = Self::Game>>;

    /// All positions that a line of play can meet.
    fn reached(&self) -> &impl Region<Game = Self::Game>;

    /// A compared position as A and as B have it.
    fn sides(&self, position: &Position<Self>) -> [Position<Self>; 2];

    /// The text of a compared position.
    fn show(&self, position: &Position<Self>) -> String;

    /// The axes of the breakdown.
    fn axes(&self) -> Vec<Axis>;

    /// For each axis the number of the part in which a position lies.
    fn parts(&self, position: &Position<Self>, parts: &mut Vec<usize>);

    /// The stones of a position that is a start of both, if each start of one is one of the other.
    fn stones_of_start(&self, position: &Position<Self>) -> Option<u64>;

    /// The pairs of starts where they are not the same for both: how many.
    fn pairs_of_starts(&self) -> Option<u64>;

    /// The pairs of starts from a number on: their stones, and as A and as B have them.
    fn walk_starts(&self, from: u64) -> impl Iterator<Item = (u64, [Position<Self>; 2])>;

    /// The least and the greatest number of stones of a start.
    fn range_of_starts(&self) -> (u64, u64);

    /// The positions at which a witness may begin, in natural order.
    fn openings(&self) -> impl Iterator<Item = Position<Self>>;

    /// The moves that both rulesets allow, in the natural order.
    fn moves(&self, position: &Position<Self>) -> impl Iterator<Item = Move<Self>>;

    /// The position after a move.
    fn after(&self, position: &Position<Self>, chosen: Move<Self>) -> Position<Self>;

    /// Whether [`distance`](Self::distance) is known.
    fn knows_distances(&self) -> bool {
        false
    }

    /// How many moves it takes from one position to another at the least; `None` if no moves lead there.
    fn distance(&self, _from: &Position<Self>, _to: &Position<Self>) -> Option<u32> {
        None
    }
}

/// An axis of the breakdown: which positions each of its parts counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) name: &'static str,
    pub(super) parts: Vec<Share>,
}

/// Which positions a part of the breakdown counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Share {
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
        /// Whether.
        imposed: bool,
    },
}

/// The most ranges of an axis.
const MOST_RANGES: u64 = 20;

/// Ranges of equal length that cover all numbers from 0 to `most`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranges {
    length: u64,
    most: u64,
}

impl Ranges {
    pub(super) fn up_to(most: u64) -> Self {
        // 1, 2, 5, 10, 20, 50 and so on: the least that makes few enough.
        let lengths = (0..19).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_u64.pow(zeros)));
        let few = |length: &u64| most / length < MOST_RANGES;
        Self { length: lengths.into_iter().find(few).unwrap_or(most), most }
    }

    pub(super) fn of(self, number: u64) -> usize {
        (number / self.length) as usize
    }

    pub(super) fn axis(self, name: &'static str) -> Axis {
        let range = |n| {
            let from = n * self.length;
            Share::Range { from, to: (from + self.length - 1).min(self.most) }
        };
        Axis { name, parts: (0..=self.most / self.length).map(range).collect() }
    }
}
