//! The set of winning moves of a heap game's position.

use smallvec::SmallVec;

use super::position::{Heap, Move};
use crate::MoveSet;

/// The winning moves of a position, in the natural order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct WinningMoves {
    /// Row, from 0, and take of each move, if all except a pass change one heap. Up to eight need no allocation.
    single_takes: SmallVec<[(u8, Heap); 8]>,
    /// All moves except a pass, if one of them changes several heaps.
    several: Vec<Move>,
    has_pass: bool,
}

impl WinningMoves {
    /// Adds a move from one heap, after all moves in the set, each of which changes one heap.
    #[inline]
    pub(super) fn push_take(&mut self, row: usize, take: Heap) {
        self.single_takes.push((row as u8, take));
    }

    /// Returns true if each move in the set changes one heap.
    #[inline]
    pub(super) fn are_single_takes(&self) -> bool {
        self.several.is_empty() && !self.has_pass
    }

    /// Adds a move, which must come after the moves already in the set.
    pub(super) fn push(&mut self, chosen: Move) {
        if chosen.is_pass() {
            self.has_pass = true;
        } else {
            let takes = self.single_takes.drain(..);
            self.several.extend(takes.map(|(row, take)| Move::single(row.into(), take)));
            self.several.push(chosen);
        }
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<Move> {
        match self.single_takes.get(index) {
            Some(&(row, take)) => Some(Move::single(row.into(), take)),
            None => self.iter().nth(index),
        }
    }
}

impl MoveSet<Move> for WinningMoves {
    fn iter(&self) -> impl Iterator<Item = Move> {
        let takes = self.single_takes.iter().map(|&(row, take)| Move::single(row.into(), take));
        takes.chain(self.several.iter().copied()).chain(self.has_pass.then_some(Move::PASS))
    }

    fn len(&self) -> usize {
        self.single_takes.len() + self.several.len() + usize::from(self.has_pass)
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.single_takes.is_empty() && self.several.is_empty() && !self.has_pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_from_one_heap_or_several_and_passes_keep_their_order() {
        let (one, far) = (Move::single(0, 3), Move::single(2, 1));
        let mut both = Move::single(1, 1);
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
                winning.push_take(row, take);
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
