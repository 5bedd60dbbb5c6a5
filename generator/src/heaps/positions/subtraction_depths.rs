//! Kernel for moves that take certain amounts from one heap (subtraction games), with depths.
//!
//! A *row* is all positions that differ in the least heap only; they are adjacent in memory. A move from another heap
//! leads from the row to another row, as long as that heap stays no less than the least one. Position by position, the
//! kernel takes the maximum of the cells of all these *source* rows ([`PositionCode`]), with vector instructions. Then
//! it adds, one position at a time, the moves that make another heap the least one, and the moves from the least heap.
//! Cost: one cell for each position, heap and amount.
//!
//! Example: taking 2 stones from the 9 leads from the row {9,5,0} to {9,5,5} to the row {7,5,0} to {7,5,5}. Taking 2
//! from the 5 leads from {9,5,0} to {9,5,3} to the row {9,3,0} to {9,3,3}; from {9,5,4} it leads to {9,4,3}, where
//! another heap is the least one.
//!
//! The rows with the same heaps except the two least make a *plane*. In games of five heaps or more, the source rows
//! are computed once for a plane, apart from the two least heaps.

use bouton_tables::heaps::{Heap, HeapRules, MAX_HEAPS};

use super::cell::PositionCode;
use super::layout::PositionLayout;
use super::neighbourhood::{BlockIndex, Neighbourhood, PositionWalk};
use super::task::{CellCounts, TaskKernel, TaskLayer};
use crate::census::Census;
use crate::heaps::frame::block::{LANES, LaneMasks, Lanes};
use crate::heaps::frame::heap_ranges::TASK_HEAPS;
use crate::heaps::frame::numbers::Number;
use crate::heaps::sizes::reach;
use crate::making::GenerateError;
use crate::memory::{Grow, filled, room};

/// The kernel.
pub(super) struct SubtractionDepths<'a, C> {
    layout: &'a PositionLayout,
    code: PositionCode<C>,
    /// The amounts, ascending, each with its [`PositionCode::take_bits`].
    amounts: Vec<(Heap, C)>,
    masks: LaneMasks<C>,
}

/// Returns the bytes of the kernel, and of the buffers of a thread.
pub(super) fn bytes<C: Number>(rules: &HeapRules, layout: &PositionLayout) -> [u128; 2] {
    let amounts = u128::from(rules.take().count(rules.greatest_bound()));
    let per_thread = 64 * amounts * layout.ranges.heaps() as u128
        + (u128::from(2 * layout.longest_row()) + u128::from(reach(rules))) * C::BYTES as u128;
    [16 * amounts, per_thread]
}

impl<'a, C: Number> SubtractionDepths<'a, C> {
    pub(super) fn new(rules: &HeapRules, layout: &'a PositionLayout) -> Result<Self, GenerateError> {
        let code = PositionCode::new(rules);
        let mut amounts = Vec::new();
        let all = rules.take().amounts(rules.greatest_bound());
        all.into_iter().try_for_each(|amount| amounts.grow((amount, code.take_bits(amount))))?;
        Ok(Self { layout, code, amounts, masks: LaneMasks::new() })
    }
}

impl<C: Number> TaskKernel<C> for SubtractionDepths<'_, C> {
    fn solve_layer(
        &self,
        neighbourhood: &Neighbourhood,
        TaskLayer { cells, passed, below, .. }: TaskLayer<C>,
    ) -> Result<Census, GenerateError> {
        let mut buffers = RowBuffers::new(self.layout, &self.amounts)?;
        let mut task = LayerTask { solver: self, neighbourhood, cells, below: &below, passed };
        Ok(task.solve(&mut buffers))
    }
}

/// A source row: a move leads to it.
#[derive(Clone, Copy)]
struct SourceRow {
    begin: BlockIndex,
    /// Number of positions of the row that the move reaches.
    len: usize,
}

/// A move from an outer heap of a plane: all its rows have a source row by this move.
#[derive(Clone, Copy)]
struct PlaneSource {
    /// Where the source rows begin. Add the part of the rank of the row's last heap.
    begin: BlockIndex,
    /// Index of the amount.
    amount: usize,
    /// Place of the heap from which the move takes.
    from: usize,
    /// Size of this heap after the move.
    left: Heap,
}

/// Buffers for the work on rows.
struct RowBuffers<C> {
    /// In games of five heaps or more, the index of the plane in the block.
    plane: Option<usize>,
    plane_sources: Vec<PlaneSource>,
    /// Source rows of the current row, by amount.
    sources: Vec<SourceRow>,
    /// For each amount, where its source rows end in `sources`.
    ends: Vec<usize>,
    /// For each position of the row, the greatest candidate of the moves from other heaps than the least.
    best: Vec<C>,
    /// Cells of the row, after those of the `reach` positions before it.
    row: Vec<C>,
    /// The greatest amount.
    reach: usize,
}

impl<C: Number> RowBuffers<C> {
    fn new(layout: &PositionLayout, amounts: &[(Heap, C)]) -> Result<Self, GenerateError> {
        let reach = amounts.last().map_or(0, |&(amount, _)| amount as usize);
        let longest = layout.longest_row();
        let moves = layout.ranges.heaps() as u64 * amounts.len() as u64;
        Ok(Self {
            plane: None,
            plane_sources: room(moves)?,
            sources: room(moves)?,
            ends: filled(amounts.len() as u64, 0)?,
            best: filled(longest + LANES as u64, C::default())?,
            row: filled(reach as u64 + longest, C::MIN)?,
            reach,
        })
    }
}

/// A layer of a task.
struct LayerTask<'a, C> {
    solver: &'a SubtractionDepths<'a, C>,
    neighbourhood: &'a Neighbourhood<'a>,
    /// Cells of the task's own block.
    cells: &'a mut [C],
    /// Cells of the blocks below.
    below: &'a [&'a [C]],
    /// Cells of the own block in the layer with one pass less.
    passed: Option<&'a [C]>,
}

impl<C: Number> LayerTask<'_, C> {
    fn solve(&mut self, buffers: &mut RowBuffers<C>) -> Census {
        let layout = self.solver.layout;
        let last = layout.ranges.heaps() - 2;
        let mut rows = PositionWalk::of_greatest(layout, self.neighbourhood.own, last + 1);
        let mut census = CellCounts::default();
        loop {
            let row = rows.heaps();
            // In games of five heaps or more, a plane begins where the row's last heap is empty.
            if last >= TASK_HEAPS && row[last] == 0 {
                self.enter_plane(&row[..last], buffers);
            }
            self.row(row, buffers, &mut census);
            if !rows.advance() {
                return census.census(self.solver.code);
            }
        }
    }

    /// Finds the index of a plane, and the source rows by moves from its outer heaps.
    fn enter_plane(&self, outer: &[Heap], buffers: &mut RowBuffers<C>) {
        buffers.plane = Some(self.neighbourhood.locate(outer).at);
        buffers.plane_sources.clear();
        for (amount, &(stones, _)) in self.solver.amounts.iter().enumerate() {
            for (from, &heap) in outer.iter().enumerate() {
                // One of several equal heaps is enough.
                if stones <= heap && outer.get(from + 1) != Some(&heap) {
                    let left = heap - stones;
                    let begin = self.locate_after(outer, from, left);
                    // `plane_sources` has the capacity for all.
                    buffers.plane_sources.push(PlaneSource { begin, amount, from, left });
                }
            }
        }
    }

    /// Returns where the position with these heaps is after the heap at `from` is lowered to `left`. `heaps` are its
    /// three or more greatest heaps; all others are empty.
    #[inline]
    fn locate_after(&self, heaps: &[Heap], from: usize, left: Heap) -> BlockIndex {
        let mut next = [0; MAX_HEAPS];
        let next = &mut next[..heaps.len()];
        next.copy_from_slice(heaps);
        let mut at = from;
        while at + 1 < next.len() && next[at + 1] > left {
            next[at] = next[at + 1];
            at += 1;
        }
        next[at] = left;
        self.neighbourhood.locate(next)
    }

    /// Returns the cells from an index on.
    #[inline(always)]
    fn cells_from(&self, BlockIndex { slot, at }: BlockIndex) -> &[C] {
        let cells = if slot == 0 { &*self.cells } else { self.below[slot - 1] };
        &cells[at..]
    }

    /// Solves the row with these heaps: all except the least.
    fn row(&mut self, row: &[Heap], buffers: &mut RowBuffers<C>, census: &mut CellCounts<C>) {
        let SubtractionDepths { layout, code, ref amounts, .. } = *self.solver;
        let heaps = row.len() + 1;
        let last = row[row.len() - 1];
        let sizes = layout.ranges.task_sizes(self.neighbourhood.own, row.len());
        let sizes = sizes.start..sizes.end.min(last + 1);
        if sizes.is_empty() {
            return;
        }
        let len = (sizes.end - sizes.start) as usize;
        let mut own = [0; MAX_HEAPS];
        own[..row.len()].copy_from_slice(row);
        own[row.len()] = sizes.start;
        let begin = match buffers.plane {
            // The whole plane is in this block.
            Some(plane) => plane.wrapping_add(layout.part(heaps - 2, last) as usize),
            None => self.neighbourhood.locate(&own[..heaps]).at,
        };

        self.sources(row, sizes.start, len, buffers);
        self.maximum_of_sources(len, buffers);
        self.add_moves_below_least(row, sizes.start, len, buffers);
        if let Some(passed) = self.passed {
            let take_nothing = code.stones;
            let passed = &passed[begin..][..len];
            // A pass is legal if the greatest heap allows a move. With one heap, that is the least heap.
            let least = amounts.first().map_or(Heap::MAX, |&(stones, _)| stones);
            let row_allows =
                row[layout.ranges.stand_ins..].first().is_some_and(|&greatest| greatest >= least);
            let len_without_pass = if row_allows { 0 } else { least.saturating_sub(sizes.start) as usize };
            for (best, &cell) in buffers.best.iter_mut().zip(passed).skip(len_without_pass) {
                *best = code.candidate(cell, take_nothing).max(*best);
            }
        }
        // Read the cells before the row: moves from the least heap lead there.
        let reach = buffers.reach;
        if sizes.start > 0 {
            for back in 1..=(reach.min(sizes.start as usize)) {
                own[row.len()] = sizes.start - back as Heap;
                buffers.row[reach - back] = self.cells_from(self.neighbourhood.locate(&own[..heaps]))[0];
            }
        }
        for (at, &best) in buffers.best[..len].iter().enumerate() {
            let (before, row) = buffers.row.split_at_mut(reach + at);
            let mut best = best;
            for &(stones, taking) in amounts {
                best = code.candidate(before[before.len() - stones as usize], taking).max(best);
            }
            row[0] = code.cell_of(best);
        }
        let solved = &buffers.row[reach..][..len];
        self.cells[begin..][..len].copy_from_slice(solved);
        census.add(solved);
    }

    /// Finds the source rows: the rows that moves from other heaps than the least reach.
    fn sources(&self, row: &[Heap], first: Heap, len: usize, buffers: &mut RowBuffers<C>) {
        let layout = self.solver.layout;
        let last = row[row.len() - 1];
        let (outer, heaps) = (row.len() - 1, row.len() + 1);
        let end = first + len as Heap;
        buffers.sources.clear();
        let mut plane_sources = buffers.plane_sources.iter().peekable();
        let part = layout.part(outer, last) as usize;
        for (amount, &(stones, _)) in self.solver.amounts.iter().enumerate() {
            let mut add = |begin: BlockIndex, left: Heap| {
                let len = (end.min(left + 1) - first) as usize;
                buffers.sources.push(SourceRow { begin, len });
            };
            let locate_source = |from: usize, left: Heap| {
                let mut all = [0; MAX_HEAPS];
                all[..row.len()].copy_from_slice(row);
                all[row.len()] = first;
                self.locate_after(&all[..heaps], from, left)
            };
            if buffers.plane.is_some() {
                while let Some(&&PlaneSource { begin, from, left, .. }) =
                    plane_sources.peek().filter(|entry| entry.amount == amount)
                {
                    plane_sources.next();
                    if last <= left {
                        add(BlockIndex { at: begin.at.wrapping_add(part), ..begin }, left);
                    } else if row[from] != last {
                        add(locate_source(from, left), left);
                    }
                }
            } else {
                for from in layout.ranges.stand_ins..outer {
                    if let Some(left) = row[from].checked_sub(stones).filter(|&left| left >= first)
                        && row[from] != row[from + 1]
                    {
                        add(locate_source(from, left), left);
                    }
                }
            }
            if let Some(left) = last.checked_sub(stones).filter(|&left| left >= first)
                && outer >= layout.ranges.stand_ins
            {
                let in_plane = |plane: usize| BlockIndex {
                    slot: 0,
                    at: plane.wrapping_add(layout.part(outer, left) as usize),
                };
                add(buffers.plane.map_or_else(|| locate_source(outer, left), in_plane), left);
            }
            buffers.ends[amount] = buffers.sources.len();
        }
    }

    /// Sets `best` to the greatest candidates of the moves to the source rows, for a row of `len` positions.
    fn maximum_of_sources(&self, row_len: usize, buffers: &mut RowBuffers<C>) {
        let SubtractionDepths { code, ref amounts, .. } = *self.solver;
        for first in (0..row_len).step_by(LANES) {
            let mut best: Lanes<C> = [code.no_move; LANES];
            let mut first_source = 0;
            for (&(_, taking), &end) in amounts.iter().zip(&buffers.ends) {
                let mut greatest: Lanes<C> = [C::MIN; LANES];
                for &SourceRow { begin, len } in &buffers.sources[first_source..end] {
                    // Lanes after the end of the row are ignored.
                    if len >= row_len.min(first + LANES) {
                        let cells: &Lanes<C> = lanes(&self.cells_from(begin)[first..]);
                        for lane in 0..LANES {
                            greatest[lane] = greatest[lane].max(cells[lane]);
                        }
                    } else if len > first {
                        let mask = self.solver.masks.first(len - first);
                        let cells: &Lanes<C> = lanes(&self.cells_from(begin)[first..]);
                        for lane in 0..LANES {
                            greatest[lane] = greatest[lane].max(cells[lane].min(mask[lane]));
                        }
                    }
                }
                first_source = end;
                for lane in 0..LANES {
                    best[lane] = best[lane].max(code.candidate(greatest[lane], taking));
                }
            }
            buffers.best[first..][..LANES].copy_from_slice(&best);
        }
    }

    /// Adds the moves that lower another heap below the least.
    fn add_moves_below_least(&self, row: &[Heap], first: Heap, len: usize, buffers: &mut RowBuffers<C>) {
        let SubtractionDepths { layout, code, ref amounts, .. } = *self.solver;
        let (outer, heaps) = (row.len() - 1, row.len() + 1);
        let last = row[outer];
        let end = first + len as Heap;
        for from in (layout.ranges.stand_ins..row.len()).rev() {
            let heap = row[from];
            if from < outer && heap == row[from + 1] {
                continue;
            }
            // If the least heap equals the last one, a move from the last heap is a move from the least one.
            let end = if from == outer { end.min(last) } else { end };
            for &(stones, taking) in amounts.iter().take_while(|&&(stones, _)| stones <= heap) {
                let left = heap - stones;
                if left + 1 >= end {
                    continue;
                }
                let begin = first.max(left + 1);
                let mut next = [0; MAX_HEAPS];
                let others = row[..from].iter().chain(&row[from + 1..]);
                next.iter_mut().zip(others).for_each(|(next, &heap)| *next = heap);
                next[heaps - 1] = left;
                // In a plane, the reached positions are in one block: `base` is the index without the old least heap.
                let base = buffers.plane.map(|plane| match from == outer {
                    true => BlockIndex { slot: 0, at: plane.wrapping_add(left as usize) },
                    false => self.neighbourhood.locate(&next[..heaps]),
                });
                for size in begin..end {
                    next[heaps - 2] = size;
                    let reached = match base {
                        Some(BlockIndex { slot, at }) => {
                            let part = layout.part(heaps - 2, size) as usize;
                            BlockIndex { slot, at: at.wrapping_add(part) }
                        }
                        None => self.neighbourhood.locate(&next[..heaps]),
                    };
                    let cell = self.cells_from(reached)[0];
                    let best = &mut buffers.best[(size - first) as usize];
                    *best = code.candidate(cell, taking).max(*best);
                }
            }
            // All earlier heaps are at least as great, so no move makes one of them less than the last heap.
            if heap - amounts.last().map_or(0, |&(stones, _)| stones.min(heap)) >= last && from < outer {
                break;
            }
        }
    }
}

#[inline(always)]
fn lanes<C>(cells: &[C]) -> &Lanes<C> {
    cells.first_chunk().expect("the cells are padded")
}
