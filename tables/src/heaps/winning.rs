//! The set of winning moves of a heap game's position.

use smallvec::SmallVec;

use super::position::{Heap, Move};
use crate::MoveSet;

/// The winning moves of a position, in the natural order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct WinningMoves {
    /// Row, counted from 0, and take of each move, if all moves change one heap. Up to eight need no allocation.
    ones: SmallVec<[(u8, Heap); 8]>,
    /// All moves except a pass, if one of them changes several heaps.
    several: Vec<Move>,
    pass: bool,
}

impl WinningMoves {
    /// Adds a move from one heap, after all moves in the set, each of which changes one heap.
    #[inline]
    pub(super) fn push_one(&mut self, row: usize, take: Heap) {
        self.ones.push((row as u8, take));
    }

    /// Returns true if each move in the set changes one heap.
    #[inline]
    pub(super) fn are_ones(&self) -> bool {
        self.several.is_empty() && !self.pass
    }

    /// Adds a move, which must come after the moves already in the set.
    pub(super) fn push(&mut self, chosen: Move) {
        if chosen.is_pass() {
            self.pass = true;
        } else {
            let ones = self.ones.drain(..).map(|(row, take)| Move::one(row.into(), take));
            self.several.extend(ones);
            self.several.push(chosen);
        }
    }

    /// Returns the move at an index.
    #[inline]
    pub(super) fn get(&self, number: usize) -> Option<Move> {
        match self.ones.get(number) {
            Some(&(row, take)) => Some(Move::one(row.into(), take)),
            None => self.iter().nth(number),
        }
    }
}

impl MoveSet<Move> for WinningMoves {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_kept_in_order_whatever_their_kind() {
        let (one, far) = (Move::one(0, 3), Move::one(2, 1));
        let mut both = Move::one(1, 1);
        both.set(2, 2);
        for (ones, several) in [
            (&[][..], &[][..]),
            (&[one, far], &[]),
            (&[one], &[both, far]),
            (&[], &[both]),
            (&[one, far], &[Move::PASS]),
            (&[], &[Move::PASS]),
            (&[one], &[both, Move::PASS]),
        ] {
            let mut winning = WinningMoves::default();
            for chosen in ones {
                let (row, take) = chosen.takes().next().unwrap();
                winning.push_one(row, take);
            }
            several.iter().for_each(|&chosen| winning.push(chosen));
            let all = [ones, several].concat();
            assert!(winning.iter().eq(all.iter().copied()), "{winning:?}");
            assert_eq!((winning.len(), winning.is_empty()), (all.len(), all.is_empty()), "{winning:?}");
            for number in 0..=all.len() {
                assert_eq!(winning.get(number), all.get(number).copied(), "{winning:?}");
            }
        }
    }
}
