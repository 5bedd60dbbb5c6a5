//! Kernel for outcomes where a move takes any number of stones from one heap.
//!
//! From a position, moves lead to all smaller positions on its lines. So a position is lost if no line through it has a
//! lost position so far. The cell of a line is 0 until the line has a lost position, and then 1 plus the size of the
//! line's own heap in that position. In a row, the first position whose cells are all 0 is lost, and all others are
//! won. Example: if the OR of the cells across the row is 3 5 0 1 0, size 2 of the least heap loses.

use std::array::from_fn;
use std::marker::PhantomData;
use std::ops::Range;

use bouton_tables::Outcome;
use bouton_tables::heaps::{Heap, HeapRules};

use super::line_numbers::LineNumbers;
use super::rows::{RowKernel, RowLine};
use crate::census::Census;
use crate::heaps::classes::pack::LostTarget;
use crate::heaps::frame::block::{LANES, Lanes};
use crate::heaps::frame::numbers::Number;
use crate::heaps::sizes::layers;

/// The kernel.
pub(super) struct NimOutcomes<C> {
    layers: usize,
    /// Outcome of the empty position.
    end: Outcome,
    cells: PhantomData<fn() -> C>,
}

impl<C: Number> RowKernel for NimOutcomes<C> {
    type Cell = C;
    type Size = u8;

    fn new(rules: &HeapRules) -> Self {
        Self { layers: layers(rules) as usize, end: rules.play().outcome_without_moves(), cells: PhantomData }
    }

    fn solve_row(
        &self,
        lines: &mut [RowLine],
        own: RowLine,
        sizes: Range<Heap>,
        blocks: &mut [LineNumbers<C, u8>],
        census: &mut Census,
    ) {
        let is_end_won = self.end == Outcome::Win && lines.iter().all(|line| line.size == 0);
        let mut passed = None;
        for layer in 0..self.layers {
            census.wins += u64::from(sizes.end - sizes.start);
            if blocks[own.block].cell(layer, own.index) != C::default() {
                passed = None;
                continue;
            }
            // Sizes that are won although no line has a lost position: by a pass, or because the empty position is won.
            let exceptions = [passed, is_end_won.then_some(0)];
            let lost = lost_in_row(lines, layer, &sizes, exceptions, blocks);
            if let Some(size) = lost {
                census.wins -= 1;
                let at = (size - sizes.start) as usize;
                let cell_of = |size: Heap| C::new(i64::from(size) + 1);
                for line in &*lines {
                    blocks[line.block].set_cell(layer, line.index + at, cell_of(line.size));
                }
                blocks[own.block].set_cell(layer, own.index, cell_of(size));
            }
            // There is no pass from the empty position.
            passed = lost.filter(|&size| size > 0 || lines.iter().any(|line| line.size > 0));
        }
    }

    #[inline(always)]
    fn target(&self, cell: C, _: Option<u8>) -> Option<LostTarget> {
        let target = || LostTarget { size: (cell.get() - 1) as Heap, deeper: 0, best_take: 0 };
        (cell != C::default()).then(target)
    }
}

/// Returns the first size in a row that is lost: no line through the position has a lost position so far, and the size
/// is not among `exceptions`.
#[inline(always)]
fn lost_in_row<C: Number>(
    lines: &[RowLine],
    layer: usize,
    sizes: &Range<Heap>,
    exceptions: [Option<Heap>; 2],
    blocks: &[LineNumbers<C, u8>],
) -> Option<Heap> {
    let len = (sizes.end - sizes.start) as usize;
    for first in (0..len).step_by(LANES) {
        let mut won: Lanes<C> = [C::default(); LANES];
        for line in lines {
            let cells = blocks[line.block].lanes(layer, line.index + first);
            won = from_fn(|lane| won[lane] | cells[lane]);
        }
        for (number, word) in bytemuck::cast_slice(&won).as_chunks().0.iter().enumerate() {
            let mut word = u128::from_le_bytes(*word);
            while let Some(lane) = first_zero::<C>(word) {
                let size = sizes.start + (first + number * LANES / C::BYTES + lane) as Heap;
                if !exceptions.contains(&Some(size)) {
                    return sizes.contains(&size).then_some(size);
                }
                word |= 1 << (lane * 8 * C::BYTES);
            }
        }
    }
    None
}

/// Returns the first of the numbers in `word` that is 0 (Warren, Hacker's Delight, section 6-1).
#[inline(always)]
fn first_zero<C: Number>(word: u128) -> Option<usize> {
    let bits = 8 * C::BYTES;
    let ones = u128::MAX / ((1 << bits) - 1);
    let zeros = word.wrapping_sub(ones) & !word & ones << (bits - 1);
    (zeros != 0).then(|| zeros.trailing_zeros() as usize / bits)
}
