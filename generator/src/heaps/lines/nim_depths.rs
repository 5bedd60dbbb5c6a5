//! Kernel for depths where a move takes any number of stones from one heap.
//!
//! Each line has at most one lost position. A won position can move to lost positions on its lines, and its depth is
//! one more than the least depth among these. A lost position can move to the won positions below it on its lines, and
//! its depth is one more than the greatest depth among these. So each position reads the cells of its lines
//! ([`cell`](super::cell)), and then updates them: one step for each heap, whatever the sizes.
//!
//! As the positions of a row share a line, at most one of them is lost, and everything else is a loop over adjacent cells,
//! in *lanes* of a vector.

use std::array::from_fn;
use std::marker::PhantomData;
use std::ops::Range;

use bouton_tables::Outcome;
use bouton_tables::heaps::{Heap, HeapRules};

use super::cell::LineCode;
use super::line_numbers::LineNumbers;
use super::rows::{RowKernel, RowLine, advance};
use crate::census::Census;
use crate::heaps::classes::pack::LostTarget;
use crate::heaps::frame::block::{LANES, LaneMasks, Lanes};
use crate::heaps::frame::numbers::Number;
use crate::heaps::sizes::layers;

/// A part of a row.
struct RowPart<'a> {
    /// The lines along all heaps except the least.
    lines: &'a [RowLine],
    /// The line along the least heap.
    own: RowLine,
    /// The least size of the least heap.
    first: Heap,
    /// Number of positions.
    len: usize,
}

/// Results of a layer that the layer with one more pass needs.
struct PassReplies<C> {
    /// The replies of won positions ([`LineCode::reply`]).
    replies: Lanes<C>,
    /// The lane of the lost position, and the cell of its lines.
    lost: Option<(usize, C)>,
}

/// The kernel.
pub(super) struct NimDepths<C, S> {
    layers: usize,
    /// Outcome of the empty position.
    end: Outcome,
    code: LineCode<C>,
    masks: LaneMasks<C>,
    /// 0, 1, 2, ..., read from memory like `masks`.
    lane_numbers: Lanes<C>,
    sizes: PhantomData<fn() -> S>,
}

impl<C: Number, S: Number> RowKernel for NimDepths<C, S> {
    type Cell = C;
    type Size = S;

    fn new(rules: &HeapRules) -> Self {
        Self {
            layers: layers(rules) as usize,
            end: rules.play().outcome_without_moves(),
            code: LineCode::new(rules),
            masks: LaneMasks::new(),
            lane_numbers: from_fn(|lane| C::new(lane as i64)),
            sizes: PhantomData,
        }
    }

    /// Solves a row in parts of `LANES` positions.
    fn solve_row(
        &self,
        lines: &mut [RowLine],
        own: RowLine,
        sizes: Range<Heap>,
        blocks: &mut [LineNumbers<C, S>],
        census: &mut Census,
    ) {
        let mut first = sizes.start;
        if first == 0 && lines.iter().all(|line| line.size == 0) {
            self.solve_empty(lines, own, blocks, census);
            advance(lines, 1);
            first = 1;
        }
        while first < sizes.end {
            let len = ((sizes.end - first) as usize).min(LANES);
            self.part(&RowPart { lines, own, first, len }, blocks, census);
            advance(lines, len);
            first += len as Heap;
        }
    }

    #[inline(always)]
    fn target(&self, cell: C, size: Option<S>) -> Option<LostTarget> {
        let size = size.filter(|_| cell < C::default())?;
        let (deeper, best_take) = self.code.read_lost(cell);
        Some(LostTarget { size: size.get() as Heap, deeper, best_take })
    }
}

impl<C: Number, S: Number> NimDepths<C, S> {
    /// Solves the empty position, which has no moves, not even a pass.
    fn solve_empty(
        &self,
        lines: &[RowLine],
        own: RowLine,
        blocks: &mut [LineNumbers<C, S>],
        census: &mut Census,
    ) {
        let is_won = self.end == Outcome::Win;
        let cell = if is_won { self.code.won_cell(0, 0) } else { self.code.lost_cell(0, 0) };
        for line in lines.iter().chain([&own]) {
            (0..self.layers).for_each(|layer| blocks[line.block].set_lost(layer, line.index, cell, 0));
        }
        if is_won {
            census.wins += self.layers as u64;
        }
    }

    /// Solves a part of a row without the empty position.
    #[inline(always)]
    fn part(&self, row: &RowPart, blocks: &mut [LineNumbers<C, S>], census: &mut Census) {
        let none = C::default();
        // Lanes after the end of the row count as won, with the least number as their reply, so they contribute
        // nothing.
        let in_row = *self.masks.first(row.len);
        let sizes = self.lane_numbers.map(|number| number.plus(C::new(row.first.into())));
        let mut passed: Option<PassReplies<C>> = None;
        for layer in 0..self.layers {
            let mut own = blocks[row.own.block].cell(layer, row.own.index);
            let mut offers = if own < none { in_row.map(|lane| lane.min(own)) } else { in_row };
            for line in row.lines {
                let cells = blocks[line.block].lanes(layer, line.index);
                offers = from_fn(|lane| offers[lane].min(cells[lane]));
            }
            if let Some((lane, cell)) = passed.as_ref().and_then(|passed| passed.lost) {
                offers[lane] = offers[lane].min(cell);
            }
            let lost =
                if greatest(&offers) < none { None } else { offers.iter().position(|&offer| offer >= none) };
            let mut replies: Lanes<C> = from_fn(|lane| self.code.reply(offers[lane]).min(in_row[lane]));
            let mut deepest = match lost {
                None => greatest(&from_fn(|lane| replies[lane] | sizes[lane])),
                Some(lost) => (0..lost).map(|lane| replies[lane] | sizes[lane]).fold(none, C::max),
            };
            if own >= none {
                own = own.max(deepest);
            }
            let lost = lost.map(|lost| {
                let cell = self.lost_cell(row, layer, lost, own, passed.as_ref(), blocks);
                own = cell;
                for lane in lost + 1..row.len {
                    replies[lane] = self.code.reply(offers[lane].min(cell));
                    deepest = deepest.max(replies[lane]);
                }
                replies[lost] = none;
                census.deepest = census.deepest.max(self.code.read_lost(cell).0);
                (lost, cell)
            });
            census.deepest = census.deepest.max(self.code.read_won(deepest).0.saturating_sub(1));
            census.wins += (row.len - usize::from(lost.is_some())) as u64;
            for line in row.lines {
                let block = &mut blocks[line.block];
                let size = C::new(line.size.into());
                let cells = block.lanes_mut(layer, line.index);
                *cells = from_fn(|lane| {
                    let updated = (replies[lane] | size).max(cells[lane]);
                    if cells[lane] < none { cells[lane] } else { updated }
                });
                if let Some((lane, cell)) = lost {
                    block.set_lost(layer, line.index + lane, cell, line.size);
                }
            }
            let block = &mut blocks[row.own.block];
            match lost {
                Some((lane, _)) => block.set_lost(layer, row.own.index, own, row.first + lane as Heap),
                None => block.lanes_mut(layer, row.own.index)[0] = own,
            }
            passed = (self.layers > 1).then_some(PassReplies { replies, lost });
        }
    }

    /// Returns the cell of the lines of a lost position.
    fn lost_cell(
        &self,
        row: &RowPart,
        layer: usize,
        lane: usize,
        own: C,
        passed: Option<&PassReplies<C>>,
        blocks: &[LineNumbers<C, S>],
    ) -> C {
        // The greatest depth, and the fewest stones to get there.
        let mut best = (0, 0);
        let mut consider = |depth: u32, stones: u32| {
            if depth > best.0 || depth == best.0 && stones < best.1 {
                best = (depth, stones);
            }
        };
        let mut of_line = |cell: C, size: Heap| {
            if cell > C::default() {
                let (depth, reached) = self.code.read_won(cell);
                consider(depth, size - reached);
            }
        };
        for line in row.lines {
            of_line(blocks[line.block].cell(layer, line.index + lane), line.size);
        }
        of_line(own, row.first + lane as Heap);
        if let Some(passed) = passed {
            consider(self.code.read_won(passed.replies[lane]).0, 0);
        }
        let (depth, stones) = best;
        self.code.lost_cell(depth, stones)
    }
}

/// Returns the greatest of some numbers.
#[inline(always)]
fn greatest<C: Number>(lanes: &Lanes<C>) -> C {
    lanes.iter().copied().fold(C::MIN, C::max)
}
