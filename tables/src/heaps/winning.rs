//! The winning moves of a position of a heap game.

use smallvec::SmallVec;

use super::position::{Heap, Move};
use crate::MoveSet;

/// Takes from one heap each, by row; so many without memory of their own.
const FEW: usize = 16;

/// The winning moves of a position, in the natural order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Winning {
    /// Row, counted from 0, and take of moves that change one heap.
    ones: SmallVec<[(u8, Heap); FEW]>,
    /// Moves of a game in which a move may change several heaps: all but a pass.
    several: Vec<Move>,
    pass: bool,
}

impl Winning {
    /// Adds a move, which must come after those that are there already.
    #[inline]
    pub(super) fn push_one(&mut self, row: usize, take: Heap) {
        self.ones.push((row as u8, take));
    }

    /// Adds a move, which must come after those that are there already.
    #[inline]
    pub(super) fn push(&mut self, chosen: Move) {
        if chosen.is_pass() {
            self.pass = true;
        } else {
            self.several.push(chosen);
        }
    }
}

impl MoveSet<Move> for Winning {
    fn iter(&self) -> impl Iterator<Item = Move> {
        let ones = self.ones.iter().map(|&(row, take)| Move::one(row.into(), take));
        ones.chain(self.several.iter().copied()).chain(self.pass.then_some(Move::PASS))
    }

    fn len(&self) -> usize {
        self.ones.len() + self.several.len() + usize::from(self.pass)
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.ones.is_empty() && self.several.is_empty() && !self.pass
    }
}
