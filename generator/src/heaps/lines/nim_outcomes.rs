//! Kernel for outcomes where a move takes any number of stones from one heap.
//!
//! From a position, moves lead to all smaller positions on its lines. So a position is lost if no line through it has a lost
//! position so far. The cell of a line says whether it has one. In a row, the first position without such a line is lost,
//! and all others are won. Example: if the cells across the row are -1 -1 0 -1 0, size 2 of the least heap loses.

use std::array::from_fn;
use std::ops::Range;

use bouton_tables::Outcome;
use bouton_tables::heaps::{Heap, HeapRules};

use super::line_numbers::LineNumbers;
use super::rows::{RowKernel, RowLine};
use crate::census::Census;
use crate::heaps::frame::block::{LANES, Lanes};
use crate::heaps::frame::numbers::Number;
use crate::heaps::sizes::layers;

/// The kernel.
pub(super) struct NimOutcomes {
    layers: usize,
    /// Outcome of the empty position.
    end: Outcome,
}

/// The cell of a line with a lost position: negative, as [`cell`](super::cell) says.
const HAS_LOST: i8 = -1;

impl RowKernel for NimOutcomes {
    type Cell = i8;

    fn new(rules: &HeapRules) -> Self {
        Self { layers: layers(rules) as usize, end: rules.play().outcome_without_moves() }
    }

    fn solve_row<S: Number>(
        &self,
        lines: &mut [RowLine],
        own: RowLine,
        sizes: Range<Heap>,
        blocks: &mut [LineNumbers<i8, S>],
        census: &mut Census,
    ) {
        let is_end_won = self.end == Outcome::Win && lines.iter().all(|line| line.size == 0);
        let mut passed = None;
        for layer in 0..self.layers {
            census.wins += u64::from(sizes.end - sizes.start);
            if blocks[own.block].cell(layer, own.index) == HAS_LOST {
                passed = None;
                continue;
            }
            // Sizes that are won by a pass, or as the empty position.
            let exceptions = [passed, is_end_won.then_some(0)];
            let lost = lost_in_row(lines, layer, &sizes, exceptions, blocks);
            if let Some(size) = lost {
                census.wins -= 1;
                let at = (size - sizes.start) as usize;
                for line in &*lines {
                    blocks[line.block].set_lost(layer, line.index + at, HAS_LOST, line.size);
                }
                blocks[own.block].set_lost(layer, own.index, HAS_LOST, size);
            }
            // There is no pass from the empty position.
            passed = lost.filter(|&size| size > 0 || lines.iter().any(|line| line.size > 0));
        }
    }
}

/// Returns the first size in a row that is lost: no line through the position has a lost position so far, and the size is no
/// exception.
#[inline(always)]
fn lost_in_row<S: Number>(
    lines: &[RowLine],
    layer: usize,
    sizes: &Range<Heap>,
    exceptions: [Option<Heap>; 2],
    blocks: &[LineNumbers<i8, S>],
) -> Option<Heap> {
    let len = (sizes.end - sizes.start) as usize;
    for first in (0..len).step_by(LANES) {
        let mut has_lost: Lanes<i8> = [0; LANES];
        for line in lines {
            let cells = blocks[line.block].lanes(layer, line.index + first);
            has_lost = from_fn(|lane| has_lost[lane] | cells[lane]);
        }
        for size in exceptions.into_iter().flatten() {
            let lane = size.checked_sub(sizes.start + first as Heap).map(|lane| lane as usize);
            if let Some(lane) = lane.filter(|&lane| lane < LANES) {
                has_lost[lane] = HAS_LOST;
            }
        }
        // All bits of a lane are equal.
        let bits = u128::from_le_bytes(has_lost.map(|cell| cell as u8));
        let lane = bits.trailing_ones() as usize / 8;
        if lane < LANES {
            return (first + lane < len).then(|| sizes.start + (first + lane) as Heap);
        }
    }
    None
}
