//! The value of a position as one signed number, its cell: the greater, the better it is to move there.
//!
//! High bits: for a lost position the maximum minus its depth, for a won one the minimum plus its depth plus one. Low
//! bits: the stones of the best move for a lost position, 0 for a won one. So the best move leads to the greatest cell.
//! The *candidate* of a move is the cell it leads to, with low bits that are greater the fewer stones the move takes:
//! so the greatest candidate also breaks ties by fewest stones. The cell of a lost position is its greatest candidate
//! with all bits inverted.
//!
//! Example with 16 bits, 4 of them for stones. The end is lost at depth 0: 0x7FF0. A move of 2 stones to it is the
//! candidate 0x7FFD. The position before the move is won at depth 1: 0x8020.

use bouton_tables::Outcome;
use bouton_tables::heaps::{HeapRules, Take};

use super::choice::PositionKernel;
use crate::heaps::frame::numbers::Number;
use crate::heaps::sizes::reach;
use crate::heaps::solved::Solved;

/// The layout of cells for a game.
#[derive(Clone, Copy, Debug)]
pub(in crate::heaps) struct PositionCode<C> {
    /// Number of low bits.
    bits: u32,
    /// Mask of the low bits.
    pub(super) stones: C,
    /// One ply, in the high bits.
    one: C,
    /// Less than any candidate: stands for no move.
    pub(in crate::heaps) no_move: C,
    /// Cell of a position without moves.
    ended: C,
}

impl<C: Number> PositionCode<C> {
    pub(in crate::heaps) fn new(rules: &HeapRules) -> Self {
        let bits = stone_bits(rules);
        let stones = C::new((1 << bits) - 1);
        let no_move = C::MIN | stones;
        let ended = match rules.play().outcome_without_moves() {
            Outcome::Loss => !no_move,
            Outcome::Win => C::new(C::MIN.get() + (1 << bits)),
        };
        Self { bits, stones, one: C::new(1 << bits), no_move, ended }
    }

    /// Returns the low bits for a move of `stones` stones: the fewer stones, the greater.
    #[inline(always)]
    pub(in crate::heaps) fn take_bits(self, stones: u32) -> C {
        self.stones - C::new(stones.into())
    }

    /// Returns the candidate for a move to a position with this cell; `low` comes from [`PositionCode::take_bits`].
    #[inline(always)]
    pub(in crate::heaps) fn candidate(self, cell: C, low: C) -> C {
        cell & !self.stones | low
    }

    /// Returns the cell of a position, given its greatest candidate, or `no_move`.
    #[inline(always)]
    pub(in crate::heaps) fn cell_of(self, best: C) -> C {
        if best >= C::default() {
            self.won_cell(best)
        } else if best == self.no_move {
            self.ended
        } else {
            !best
        }
    }

    /// Returns the cell of a won position, given its greatest candidate, which is at least 0.
    #[inline(always)]
    pub(in crate::heaps) fn won_cell(self, best: C) -> C {
        self.one - (best & !self.stones)
    }

    /// Returns the greatest depth for which there are cells.
    pub(in crate::heaps) fn max_depth(self) -> u64 {
        ((C::MAX.get() >> self.bits) - 1).max(0) as u64
    }

    /// Returns the cell of a position with `stones` stones in all, given its greatest offer, or `no_move`. An offer is a
    /// candidate with all stones of the position after the move in the low bits.
    #[inline(always)]
    pub(in crate::heaps) fn cell_of_offer(self, best: C, stones: C) -> C {
        if best == self.no_move {
            return self.cell_of(best);
        }
        let taken = stones - (best & self.stones);
        self.cell_of(self.candidate(best, self.stones - taken))
    }

    /// Returns the solved position of a cell, and whether it is lost.
    #[inline]
    pub(in crate::heaps) fn read(self, cell: C) -> (Solved, bool) {
        let number = cell.get();
        let (high, stones) = (number >> self.bits, number & self.stones.get());
        let is_lost = number >= 0;
        let depth =
            if is_lost { (C::MAX.get() >> self.bits) - high } else { high - (C::MIN.get() >> self.bits) - 1 };
        (Solved { depth: depth as u32, stones: if is_lost { stones as u32 } else { 0 } }, is_lost)
    }
}

/// Returns the bits for the stones that a move takes; with offers, for all stones of a position.
fn stone_bits(rules: &HeapRules) -> u32 {
    let all: u64 = rules.bounds().iter().copied().map(u64::from).sum();
    let max_stones = match PositionKernel::of(rules) {
        PositionKernel::Subtraction => reach(rules).into(),
        PositionKernel::PrefixMinima => all,
        PositionKernel::HeapByHeap => all.min(rules.heaps_per_move() as u64 * u64::from(reach(rules))),
    };
    u64::BITS - max_stones.leading_zeros()
}

/// Returns an upper bound on depths: each move takes at least the least amount, or is a pass.
fn max_depth(rules: &HeapRules) -> u64 {
    let least = match rules.take() {
        Take::Exactly(amounts) => amounts.first().copied().unwrap_or(1),
        Take::Any | Take::UpTo(_) => 1,
    };
    let moves: u64 = rules.bounds().iter().map(|&bound| u64::from(bound / least)).sum();
    moves + u64::from(rules.passes())
}

/// Returns the bytes of a cell: the least number that is enough for a game.
pub(in crate::heaps) fn cell_bytes(rules: &HeapRules) -> usize {
    // Lost and won positions of each depth and of one ply more, and `no_move`.
    let numbers = 2 * (max_depth(rules) + 2) + 1;
    match stone_bits(rules) + u64::BITS - numbers.leading_zeros() {
        ..=16 => 2,
        17..=32 => 4,
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::Play;
    use bouton_tables::heaps::{Heap, HeapKeys};

    use super::*;

    fn rules(bounds: &[Heap], take: Take, play: Play) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), take, play, ..Default::default() }.rules().unwrap()
    }

    #[test]
    fn cells_are_as_narrow_as_the_game_allows() {
        let bytes = |bounds: &[Heap], take| cell_bytes(&rules(bounds, take, Play::Normal));
        assert_eq!(bytes(&[63; 8], Take::UpTo(5)), 2);
        assert_eq!(bytes(&[63; 7], Take::UpTo(31)), 2);
        assert_eq!(bytes(&[63; 8], Take::UpTo(63)), 2);
        assert_eq!(bytes(&[63; 9], Take::UpTo(63)), 4);
        assert_eq!(bytes(&[1_000_000; 3], Take::UpTo(5)), 4);
        assert_eq!(bytes(&[1_000_000_000; 16], Take::UpTo(1_000_000_000)), 8);
    }

    #[test]
    fn the_best_move_has_the_greatest_candidate_which_gives_the_next_cell() {
        for play in [Play::Normal, Play::Misere] {
            let rules = rules(&[63; 8], Take::UpTo(5), play);
            let code: PositionCode<i16> = PositionCode::new(&rules);
            let (ended, is_lost) = code.read(code.cell_of(code.no_move));
            assert_eq!((ended.depth, ended.stones, is_lost), (0, 0, play == Play::Normal));
            // The cells of lost and won positions of each depth, each computed from the one before.
            let mut cells = vec![code.cell_of(code.no_move)];
            for depth in 1..=504 {
                let before = cells[cells.len() - 1];
                let best = [5, 2, 3]
                    .map(|stones| code.candidate(before, code.take_bits(stones)))
                    .into_iter()
                    .max()
                    .unwrap();
                let (found, is_lost) = code.read(code.cell_of(best));
                assert_eq!((found.depth, is_lost), (depth, play.outcome_at_depth(depth) == Outcome::Loss));
                assert_eq!(found.stones, if is_lost { 2 } else { 0 });
                cells.push(code.cell_of(best));
            }
            let candidate = |depth: &usize| code.candidate(cells[*depth], code.take_bits(5));
            let lost = (0..505).filter(|&depth| play.outcome_at_depth(depth as u32) == Outcome::Loss);
            let won = (0..505).rev().filter(|&depth| play.outcome_at_depth(depth as u32) == Outcome::Win);
            let order: Vec<usize> = lost.chain(won).collect();
            assert!(order.is_sorted_by(|one, other| candidate(one) > candidate(other)));
            assert!(order.iter().all(|depth| candidate(depth) > code.no_move));
        }
    }
}
