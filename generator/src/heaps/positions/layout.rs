//! The partition of positions into blocks, by their three greatest heaps.
//!
//! A block is all positions of a task (`heap_ranges`), in the order of ranks. Example: with ranges of 8 sizes, {20,9,3,1} is
//! in the block (2,1,0).
//!
//! A [`PositionIndexer`] finds the index of a position in its block. If the ranges of a block differ, every pair of
//! greatest heaps has the same number of positions, so the index is computed with products. If two ranges are equal,
//! one heap limits the next, and the indexer computes sums.

use bouton_tables::heaps::{Heap, HeapRules, Ranks};

use super::choice::{PositionKernel, choices};
use super::offer_plan;
use crate::heaps::frame::block::BlockShape;
use crate::heaps::frame::heap_ranges::{HeapRanges, TASK_HEAPS, TaskRanges};
use crate::heaps::frame::partition::{Partition, TaskBlocks};
use crate::heaps::sizes::{layers, multisets_without, reach};
use crate::making::GenerateError;
use crate::memory::{Grow, collected, filled};

const MAX_RANGES: usize = 64;
/// Minimum number of ranges, if there are that many sizes: fewer and wider ranges would make tasks too large.
pub(super) const MIN_RANGES: usize = 16;
/// Games with at most `SMALL_GAME` positions and several heaps in a move need only `MIN_RANGES_IF_SMALL` ranges.
const SMALL_GAME: u128 = 1 << 17;
const MIN_RANGES_IF_SMALL: usize = 4;
/// Maximum bytes of the blocks of a task, unless the narrowest ranges need more.
const MAX_TASK_BYTES: u64 = 128 << 20;

/// The partition of the positions of a game into blocks.
pub(super) struct PositionLayout {
    pub(super) ranges: HeapRanges,
    /// Maximum number of ranges by which a heap is lower in a block that a task reads.
    pub(super) max_down: usize,
    /// A task reads blocks in which several heaps are lower at once.
    pub(super) several_lower: bool,
    /// Number of offers of each position; 0 if the kernel is `Subtraction`.
    pub(super) offers: u64,
    /// Layers: one for each number of passes left.
    pub(super) layers: u64,
    /// Bytes of a cell.
    pub(super) cell_bytes: usize,
    /// Ranks of the game's own heaps.
    pub(super) all: Ranks,
    /// Ranks of the heaps after the three greatest.
    pub(super) rest: Ranks,
    /// For each block, the number of positions in a layer.
    positions: Vec<u64>,
}

impl PositionLayout {
    pub(super) fn new(rules: &HeapRules, cell_bytes: usize) -> Result<Self, GenerateError> {
        // If a move takes from several heaps, a task reads more blocks, and starting it takes longer than solving a few
        // positions.
        let is_small = PositionKernel::of(rules) != PositionKernel::Subtraction
            && multisets_without(rules.bounds(), 0) <= SMALL_GAME;
        Self::with_ranges(rules, cell_bytes, if is_small { MIN_RANGES_IF_SMALL } else { MIN_RANGES })
    }

    /// Returns the layout with the widest ranges, but at least `min_ranges` of them, if there are that many sizes.
    pub(super) fn with_ranges(
        rules: &HeapRules,
        cell_bytes: usize,
        min_ranges: usize,
    ) -> Result<Self, GenerateError> {
        let ranges = |shift: u32| (rules.greatest_bound() >> shift) as usize + 1;
        // If a move lowers several heaps by many stones, a task may read all blocks below: with more ranges, far too
        // many.
        let max_ranges = match PositionKernel::of(rules) {
            PositionKernel::HeapByHeap if rules.equal_take() => MIN_RANGES,
            _ => MAX_RANGES,
        };
        let first = HeapRanges::least_shift(rules, max_ranges);
        let mut layout = Self::with_shift(rules, cell_bytes, first)?;
        for shift in first + 1..Heap::BITS {
            if ranges(shift) < min_ranges {
                break;
            }
            let wider = Self::with_shift(rules, cell_bytes, shift)?;
            if wider.task_bytes()? > MAX_TASK_BYTES {
                break;
            }
            layout = wider;
        }
        Ok(layout)
    }

    /// Returns the layout with ranges of 2^`shift` sizes.
    pub(super) fn with_shift(
        rules: &HeapRules,
        cell_bytes: usize,
        shift: u32,
    ) -> Result<Self, GenerateError> {
        let (greatest, heaps) = (rules.greatest_bound(), rules.heaps());
        let width: u32 = 1 << shift;
        // `PrefixMinima` reads only the offers of positions one stone lower.
        let (reach, several_lower, offers) = match PositionKernel::of(rules) {
            PositionKernel::Subtraction => (reach(rules), false, 0),
            PositionKernel::PrefixMinima => (1, rules.equal_take(), choices(rules)),
            PositionKernel::HeapByHeap => (reach(rules), rules.equal_take(), offer_plan::offers(rules)),
        };
        let mut layout = Self {
            ranges: HeapRanges::new(rules, shift),
            max_down: reach.div_ceil(width).min(greatest >> shift).max(1) as usize,
            several_lower,
            offers,
            layers: layers(rules),
            cell_bytes,
            all: Ranks::try_new(rules.bounds())?,
            rest: Ranks::try_new(&rules.bounds()[..heaps.saturating_sub(TASK_HEAPS)])?,
            positions: Vec::new(),
        };
        let positions = (0..layout.cell_blocks()).map(|block| {
            let ranges = layout.ranges_of(block);
            if layout.ranges.exists(&ranges) { layout.indexer(ranges).positions } else { 0 }
        });
        layout.positions = collected(positions)?;
        Ok(layout)
    }

    /// Returns the maximum number of positions of a row within one block.
    pub(super) fn longest_row(&self) -> u64 {
        let all = u64::from(self.ranges.bound(self.ranges.heaps() - 1)) + 1;
        if self.ranges.heaps() == TASK_HEAPS { all.min(self.ranges.width()) } else { all }
    }

    /// Returns the part of a rank that a heap at a place contributes.
    #[inline(always)]
    pub(super) fn part(&self, place: usize, heap: Heap) -> u64 {
        match place.checked_sub(self.ranges.stand_ins) {
            Some(own) => self.all.part(own, heap),
            None => 0,
        }
    }

    /// Returns the number of blocks of cells, including empty ones.
    pub(super) fn cell_blocks(&self) -> usize {
        (self.ranges.count * (self.ranges.count + 1) * (self.ranges.count + 2)) / 6
    }

    /// Returns the number of the block of three ranges.
    #[inline]
    pub(super) fn block(&self, [one, two, three]: TaskRanges) -> usize {
        one * (one + 1) * (one + 2) / 6 + two * (two + 1) / 2 + three
    }

    /// Returns the ranges of a block, by number.
    pub(super) fn ranges_of(&self, block: usize) -> TaskRanges {
        let last = |below: &dyn Fn(usize) -> usize, block: usize| {
            let (mut least, mut end) = (0, self.ranges.count);
            while end - least > 1 {
                let middle = usize::midpoint(least, end);
                if below(middle) <= block { least = middle } else { end = middle }
            }
            (least, block - below(least))
        };
        let (one, rest) = last(&|n| n * (n + 1) * (n + 2) / 6, block);
        let (two, three) = last(&|n| n * (n + 1) / 2, rest);
        [one, two, three]
    }

    /// Returns the shape of a block with a number of items for each position.
    pub(super) fn shape_with(&self, block: usize, items: u64) -> BlockShape {
        let cells = self.positions[block].saturating_mul(items);
        BlockShape { cells, layers: self.layers, widths: [self.cell_bytes, 0] }
    }

    /// Returns the blocks that a task reads, except its own.
    pub(super) fn below(&self, task: TaskRanges) -> Result<Vec<TaskRanges>, GenerateError> {
        let mut below = Vec::new();
        let least = |place: usize| match place < self.ranges.stand_ins {
            true => task[place],
            false => task[place].saturating_sub(self.max_down),
        };
        if self.several_lower {
            for one in least(0)..=task[0] {
                for two in least(1)..=task[1].min(one) {
                    for three in least(2)..=task[2].min(two) {
                        below.grow([one, two, three])?;
                    }
                }
            }
        } else {
            for place in self.ranges.stand_ins..TASK_HEAPS {
                // One of several equal ranges is enough.
                if place + 1 < TASK_HEAPS && task[place] == task[place + 1] {
                    continue;
                }
                for range in least(place)..task[place] {
                    below.grow(with_range(task, place, range))?;
                }
            }
        }
        below.retain(|&ranges| ranges != task && self.positions[self.block(ranges)] > 0);
        Ok(below)
    }

    /// Returns the tasks that read a block, except its own task.
    pub(super) fn above(&self, block: TaskRanges) -> impl Iterator<Item = TaskRanges> {
        let one_higher = (!self.several_lower).then(|| {
            let at_place = move |place: usize| {
                (block[place] + 1..=block[place] + self.max_down)
                    .map(move |range| with_range(block, place, range))
            };
            (self.ranges.stand_ins..TASK_HEAPS).flat_map(at_place)
        });
        let several_higher = self.several_lower.then(|| {
            let up = move |place: usize| {
                block[place]..=block[place] + if place < self.ranges.stand_ins { 0 } else { self.max_down }
            };
            up(0).flat_map(move |one| up(1).flat_map(move |two| up(2).map(move |three| [one, two, three])))
        });
        let exists = move |task: &TaskRanges| {
            task[0] < self.ranges.count && task.is_sorted_by(|a, b| a >= b) && self.ranges.exists(task)
        };
        one_higher
            .into_iter()
            .flatten()
            .chain(several_higher.into_iter().flatten())
            .filter(exists)
            .filter(move |&task| task != block)
    }

    /// Returns the maximum bytes of the blocks that one task needs.
    pub(super) fn task_bytes(&self) -> Result<u64, GenerateError> {
        let mut most = 0;
        for block in (0..self.cell_blocks()).filter(|&block| self.positions[block] > 0) {
            let mut used = TaskBlocks::default();
            self.use_blocks(self.ranges_of(block), &mut used)?;
            most = used.all().map(|block| self.memory_bytes(block)).fold(0, u64::saturating_add).max(most);
        }
        Ok(most)
    }

    /// Returns the bytes of the cells of all blocks.
    pub(super) fn all_cells_bytes(&self) -> u64 {
        (0..self.cell_blocks()).map(|block| self.memory_bytes(block)).fold(0, u64::saturating_add)
    }

    /// Returns the maximum difference between the sum of ranges of a task and that of a block it reads.
    pub(super) fn sums_down(&self) -> usize {
        self.max_down * if self.several_lower { TASK_HEAPS - self.ranges.stand_ins } else { 1 }
    }

    /// Returns the maximum bytes of the offers that tasks with one sum of ranges need.
    pub(super) fn offers_bytes(&self) -> Result<u64, GenerateError> {
        if self.offers == 0 {
            return Ok(0);
        }
        let mut sum_bytes = filled(self.ranges.greatest_sum() as u64 + 1, 0_u64)?;
        for block in 0..self.cell_blocks() {
            let sum = &mut sum_bytes[self.ranges_of(block).iter().sum::<usize>()];
            *sum = sum.saturating_add(self.shape_with(block, self.offers).memory_bytes());
        }
        let needed_at_a_time = sum_bytes.windows((self.sums_down() + 1).min(sum_bytes.len()));
        Ok(needed_at_a_time.map(|sums| sums.iter().copied().fold(0, u64::saturating_add)).max().unwrap_or(0))
    }

    /// Returns the indexer of a block.
    #[inline]
    pub(super) fn indexer(&self, ranges: TaskRanges) -> PositionIndexer {
        let [firsts, seconds, thirds] = [0, 1, 2].map(|place| self.ranges.sizes(place, ranges[place]));
        let is_same = |place: usize| ranges[place] == ranges[place + 1] && place >= self.ranges.stand_ins;
        let mut indexer = PositionIndexer {
            first: firsts.start,
            second: seconds.start,
            end: seconds.end.max(seconds.start),
            first_limits_second: is_same(0),
            second_limits_third: is_same(1),
            per_second: self.part(2, thirds.end) - self.part(2, thirds.start),
            per_first: 0,
            third: self.part(2, thirds.start),
            seconds: self.part(1, seconds.start),
            positions: 0,
        };
        indexer.per_first = indexer.before_second(self, indexer.end);
        indexer.positions = indexer.before_first(self, firsts.end.max(firsts.start));
        indexer
    }
}

/// Replaces one of three ranges, and restores the descending order.
fn with_range(mut ranges: TaskRanges, place: usize, range: usize) -> TaskRanges {
    ranges[place] = range;
    ranges.sort_unstable_by(|a, b| b.cmp(a));
    ranges
}

/// Finds the indices of positions in a block, by their three greatest heaps, the *first*, *second* and *third*.
pub(super) struct PositionIndexer {
    /// Least size of the first heap.
    first: Heap,
    /// Least size of the second heap.
    second: Heap,
    /// One more than the greatest size of the second heap.
    end: Heap,
    /// The ranges of the first and the second heap are equal, so the first heap limits the second.
    first_limits_second: bool,
    /// The ranges of the second and the third heap are equal, so the second heap limits the third.
    second_limits_third: bool,
    /// Positions for each size of the second heap, unless the second heap limits the third.
    per_second: u64,
    /// Positions for each size of the first heap, unless the first heap limits the second.
    per_first: u64,
    /// Part of a rank that the least size of the third heap contributes.
    third: u64,
    /// Part of a rank that the least size of the second heap contributes.
    seconds: u64,
    /// Positions in the block.
    pub(super) positions: u64,
}

impl PositionIndexer {
    /// Returns the number of positions with a lesser first heap.
    #[inline]
    pub(super) fn before_first(&self, layout: &PositionLayout, first: Heap) -> u64 {
        let begin = self.first;
        if !self.first_limits_second {
            return u64::from(first - begin) * self.per_first;
        }
        // Both ranges begin with the same size, and up to `cut`, each size of the first heap allows one more size of
        // the second.
        let cut = first.min(self.end);
        let sizes = u64::from(cut - begin);
        let sum = sizes * (sizes + 1) / 2;
        let before = if self.second_limits_third {
            layout.part(0, cut) - layout.part(0, begin) - sizes * self.seconds - sum * self.third
        } else {
            sum * self.per_second
        };
        before + u64::from(first - cut) * self.per_first
    }

    /// Returns the number of positions with a given first heap, and a second heap less than `second`.
    #[inline(always)]
    fn before_second(&self, layout: &PositionLayout, second: Heap) -> u64 {
        let sizes = u64::from(second - self.second);
        if self.second_limits_third {
            layout.part(1, second) - self.seconds - sizes * self.third
        } else {
            sizes * self.per_second
        }
    }

    /// Returns the index of the first position with these two greatest heaps.
    #[inline(always)]
    pub(super) fn begin(&self, layout: &PositionLayout, first: Heap, second: Heap) -> usize {
        (self.before_first(layout, first) + self.before_second(layout, second)) as usize
    }

    /// Returns the base of an index: with the parts of the rank of all heaps after the second added, it is the index of
    /// the position. The base may wrap around below 0.
    #[inline(always)]
    pub(super) fn base(&self, layout: &PositionLayout, first: Heap, second: Heap) -> usize {
        self.begin(layout, first, second).wrapping_sub(self.third as usize)
    }
}
