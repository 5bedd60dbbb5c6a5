//! Kernel for any game: computes each position from the positions after each of its moves.
//!
//! Cost: one step for each move. Example: with amounts 1 and 3 from up to two heaps, {3,1} has the moves to {2,1}, {1,0},
//! {3,0}, {2,0} and {0,0}: three from one heap, two from both.

use bouton_tables::Game;
use bouton_tables::heaps::{Heap, HeapRules, Heaps, MAX_HEAPS, Position};

use super::cell::PositionCode;
use super::neighbourhood::{Neighbourhood, PositionWalk};
use super::task::{TaskKernel, TaskLayer, census};
use crate::census::Census;
use crate::heaps::frame::numbers::Number;
use crate::making::GenerateError;

pub(super) struct PlainMoves<'a, C> {
    rules: &'a HeapRules,
    code: PositionCode<C>,
}

impl<'a, C: Number> PlainMoves<'a, C> {
    pub(super) fn new(rules: &'a HeapRules) -> Self {
        Self { rules, code: PositionCode::new(rules) }
    }

    /// Returns the greatest candidate of the moves from some heaps, without the pass. `cell(slot, at)` returns the cell
    /// at index `at` of the block with that slot.
    fn best(&self, neighbourhood: &Neighbourhood, heaps: &[Heap], cell: impl Fn(usize, usize) -> C) -> C {
        let stand_ins = neighbourhood.layout.ranges.stand_ins;
        let position = Position { heaps: heaps[stand_ins..].iter().copied().collect(), passes: 0 };
        let mut best = self.code.no_move;
        let mut next = [0; MAX_HEAPS];
        next[..stand_ins].copy_from_slice(&heaps[..stand_ins]);
        for chosen in self.rules.moves(&position) {
            let after: Heaps = self.rules.after(&position, chosen).heaps.descending();
            next[stand_ins..heaps.len()].copy_from_slice(&after);
            let index = neighbourhood.locate(&next[..heaps.len()]);
            let stones = u32::try_from(chosen.stones()).expect("a move takes fewer than 2^32 stones");
            best = best.max(self.code.candidate(cell(index.slot, index.at), self.code.take_bits(stones)));
        }
        best
    }
}

impl<C: Number> TaskKernel<C> for PlainMoves<'_, C> {
    fn solve_layer(
        &self,
        neighbourhood: &Neighbourhood,
        TaskLayer { cells, passed, below, .. }: TaskLayer<C>,
    ) -> Result<Census, GenerateError> {
        let cells = &mut cells[..neighbourhood.positions()];
        let mut walk = PositionWalk::new(neighbourhood.layout, neighbourhood.own);
        for at in 0..cells.len() {
            let heaps = walk.heaps();
            let cell = |slot: usize, at: usize| match slot {
                0 => cells[at],
                _ => below[slot - 1][at],
            };
            let mut best = self.best(neighbourhood, heaps, cell);
            // Without a move there is no pass.
            let can_take = self.rules.can_take(&heaps[neighbourhood.layout.ranges.stand_ins..]);
            if let Some(passed) = passed.filter(|_| can_take) {
                best = best.max(self.code.candidate(passed[at], self.code.take_bits(0)));
            }
            cells[at] = self.code.cell_of(best);
            walk.advance();
        }
        Ok(census(cells, self.code))
    }
}
