//! Goes through the rows of a task.
//!
//! A *row* is all positions that differ in the least heap only. They share one line, the line along the least heap. On
//! the lines along another heap, adjacent positions have adjacent cells. Example: the row {7,5,0} to {7,5,5} reads the
//! line of {7,5}, the six adjacent cells of the lines {5,0} to {5,5} along the greatest heap, and those of {7,0} to {7,5}.
//! As the positions of a row share a line, at most one of them is lost.

use std::ops::Range;

use bouton_tables::heaps::{Heap, HeapRules, MAX_HEAPS};

use super::layout::LineLayout;
use super::line_numbers::LineNumbers;
use crate::census::Census;
use crate::heaps::classes::pack::LostTarget;
use crate::heaps::frame::block_cache::BlockCache;
use crate::heaps::frame::heap_ranges::{TASK_HEAPS, TaskRanges};
use crate::heaps::frame::numbers::Number;
use crate::heaps::frame::partition::{Partition, TaskBlocks};
use crate::making::GenerateError;

/// The lines through the positions of a row along one heap.
#[derive(Clone, Copy, Default)]
pub(super) struct RowLine {
    /// Index among the blocks of the task.
    pub(super) block: usize,
    /// Index in the block of the line through the first position. The lines of the next positions follow.
    pub(super) index: usize,
    /// The size of the heap; 0 for the line along the least heap, whose size varies.
    pub(super) size: Heap,
}

/// A kernel that solves a row.
pub(super) trait RowKernel: Sync + 'static {
    type Cell: Number;
    /// The type of sizes, for kernels whose cells do not contain the size of the lost position.
    type Size: Number;

    fn new(rules: &HeapRules) -> Self;

    /// Solves a row, and adds its positions to `census`. `lines` are the lines along all heaps except the least,
    /// through the first position; the kernel may advance them. `own` is the line along the least heap, which has the
    /// given sizes.
    fn solve_row(
        &self,
        lines: &mut [RowLine],
        own: RowLine,
        sizes: Range<Heap>,
        blocks: &mut [LineNumbers<Self::Cell, Self::Size>],
        census: &mut Census,
    );

    /// Returns the lost position of a line with this cell and size, if it has one.
    fn target(&self, cell: Self::Cell, size: Option<Self::Size>) -> Option<LostTarget>;
}

/// Solves a task, whose blocks are in memory, row by row. Returns the census of its positions.
pub(super) fn solve_task<K: RowKernel>(
    kernel: &K,
    layout: &LineLayout,
    task: TaskRanges,
    cache: &BlockCache,
) -> Result<Census, GenerateError> {
    let mut used = TaskBlocks::default();
    layout.use_blocks(task, &mut used)?;
    let mut slots: Vec<_> = used.written.iter().map(|&block| cache.write_lock(block)).collect();
    let mut blocks: Vec<_> = slots.iter_mut().map(|slot| LineNumbers::new(slot.block_mut())).collect();
    // `use_blocks` returns each block once, in ascending order.
    let index = |block| used.written.partition_point(|&other| other < block);
    let indices = layout.blocks_of_task(task).map(index);
    Ok(TaskRows { kernel, layout, blocks: &mut blocks, census: Census::default() }.solve(task, indices))
}

/// The rows of a task.
struct TaskRows<'a, 'b, K: RowKernel> {
    kernel: &'a K,
    layout: &'a LineLayout,
    blocks: &'a mut [LineNumbers<'b, K::Cell, K::Size>],
    /// Census of the positions solved so far.
    census: Census,
}

impl<K: RowKernel> TaskRows<'_, '_, K> {
    /// Solves a task, and returns the census of its positions. `indices` are the indices in `blocks` of the blocks of
    /// the first and second range, of the first and third, and of the second and third; some may be equal.
    fn solve(mut self, task: TaskRanges, indices: [usize; TASK_HEAPS]) -> Census {
        let layout = self.layout;
        let [one, two, three] = task;
        let [first_two, first_last, last_two] = indices;
        for a in layout.ranges.sizes(0, one) {
            for b in layout.ranges.sizes(1, two).take_while(|&b| b <= a) {
                let thirds = layout.ranges.sizes(2, three);
                let thirds = thirds.start..thirds.end.min(b + 1);
                let own = RowLine { block: first_two, index: layout.offset([one, two], [a, b]), size: 0 };
                // The lines along the first heap, and along the second. Nobody takes from stand-ins.
                let base_lines = |c: Heap| {
                    let first = (layout.ranges.stand_ins < 1).then(|| layout.offset([two, three], [b, c]));
                    let second = (layout.ranges.stand_ins < 2).then(|| layout.offset([one, three], [a, c]));
                    let first = first.map(|index| RowLine { block: last_two, index, size: a });
                    let second = second.map(|index| RowLine { block: first_last, index, size: b });
                    (first, second)
                };
                if layout.ranges.heaps() == TASK_HEAPS {
                    if thirds.is_empty() {
                        continue;
                    }
                    let (first, second) = base_lines(thirds.start);
                    let mut lines = [RowLine::default(); TASK_HEAPS];
                    let mut count = 0;
                    for line in first.into_iter().chain(second) {
                        lines[count] = line;
                        count += 1;
                    }
                    self.row(&mut lines[..count], own, thirds);
                    continue;
                }
                for c in thirds {
                    let (first, second) = base_lines(c);
                    let third = RowLine { size: c, ..own };
                    let base = [first.unwrap_or_default(), second.unwrap_or_default(), third];
                    self.rows(c, base);
                }
            }
        }
        self.census
    }

    /// Solves all rows with the same three greatest heaps, in a game of four heaps or more. `base` are the lines along
    /// these three heaps where all other heaps are empty.
    fn rows(&mut self, third: Heap, base: [RowLine; TASK_HEAPS]) {
        let layout = self.layout;
        let rest = &layout.rest;
        // The heaps between the three greatest and the least.
        let between = layout.ranges.heaps() - TASK_HEAPS - 1;
        let bound = |place: usize| layout.ranges.bound(TASK_HEAPS + place);
        let mut heaps = [0; MAX_HEAPS];
        let heaps = &mut heaps[..between];
        let mut lines = [RowLine::default(); MAX_HEAPS];
        let of_third = rest.part(0, third) as usize;
        loop {
            // The rest of a line along one of the three greatest heaps is `heaps`. The rest of a line along one of
            // `heaps` begins with the third heap, and the heaps before the missing one come one place later.
            let part_of = |place: usize| rest.part(place, heaps[place]) as usize;
            let mut sum: usize = (0..between).map(part_of).sum();
            for (line, base) in lines.iter_mut().zip(base) {
                *line = RowLine { index: base.index + sum, ..base };
            }
            let mut before = base[2].index + of_third;
            for place in 0..between {
                sum -= part_of(place);
                lines[TASK_HEAPS + place] = RowLine { index: before + sum, size: heaps[place], ..base[2] };
                before += rest.part(place + 1, heaps[place]) as usize;
            }
            let last = heaps.last().copied().unwrap_or(third).min(bound(between));
            let own = RowLine { index: before, size: 0, ..base[2] };
            self.row(&mut lines[..TASK_HEAPS + between], own, 0..last + 1);
            // Advance to the next heaps.
            let grows = |&place: &usize| {
                heaps[place] < bound(place).min(if place == 0 { third } else { heaps[place - 1] })
            };
            let Some(place) = (0..between).rev().find(grows) else { return };
            heaps[place] += 1;
            heaps[place + 1..].fill(0);
        }
    }

    #[inline(always)]
    fn row(&mut self, lines: &mut [RowLine], own: RowLine, sizes: Range<Heap>) {
        self.kernel.solve_row(lines, own, sizes, self.blocks, &mut self.census);
    }
}

/// Advances lines along their row by some positions.
#[inline(always)]
pub(super) fn advance(lines: &mut [RowLine], by: usize) {
    lines.iter_mut().for_each(|line| line.index += by);
}
