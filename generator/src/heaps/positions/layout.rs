//! The partition of positions into blocks, by their three greatest heaps.
//!
//! Sizes are cut into *ranges* of the same width. A block is all positions with the three greatest heaps in three
//! ranges, in the order of ranks. A game with fewer than three heaps gets *stand-ins* before its own heaps: heaps of
//! the greatest size from which nobody takes.

use std::ops::Range;

use bouton_tables::heaps::{Heap, HeapRules, Ranks};

use super::block::PositionShape;
use super::cell::PositionCell;
use super::prefix_minima::choices;
use super::task::PositionKernel;
use crate::GenerateError;
use crate::heaps::{multisets_without, reach};
use crate::memory::{Grow, filled, room};

/// Number of heaps whose ranges define a block.
pub(super) const KEYS: usize = 3;

/// Ranges of a block, in descending order.
pub(super) type Ranges = [usize; KEYS];

const MAX_RANGES: usize = 64;
/// Minimum number of ranges; fewer and wider ranges would make tasks too large.
pub(super) const MIN_RANGES: usize = 16;
/// Games with at most `SMALL_GAME` positions and several heaps in a move need only `MIN_RANGES_IF_SMALL` ranges.
/// `MAX_TASK_BYTES` is the maximum bytes of a task.
const SMALL_GAME: u128 = 1 << 17;
const MIN_RANGES_IF_SMALL: usize = 4;
const MAX_TASK_BYTES: u64 = 128 << 20;

/// The partition of the positions of a game into blocks.
pub(super) struct PositionLayout {
    /// Bounds in descending order, after those of the stand-ins.
    bounds: Vec<Heap>,
    pub(super) stand_ins: usize,
    /// Binary logarithm of the sizes in a range.
    shift: u32,
    pub(super) ranges: usize,
    /// Number of ranges by which a heap can be lower in blocks that a task reads.
    pub(super) down: usize,
    /// A task reads blocks in which several heaps are lower at once.
    pub(super) together: bool,
    /// Offers of each position; 0 unless the kernel is `PrefixMinima`.
    pub(super) offers: u64,
    pub(super) layers: u64,
    /// Ranks of the game's own heaps.
    pub(super) all: Ranks,
    /// Ranks of the heaps after the three greatest.
    pub(super) rest: Ranks,
    /// Positions of each block with the same number of passes left.
    positions: Vec<u64>,
}

impl PositionLayout {
    /// Returns the layout of a game with cells of type `C`.
    pub(super) fn new<C: PositionCell>(rules: &HeapRules) -> Result<Self, GenerateError> {
        // If a move takes from several heaps, a task reads more blocks, and starting it takes longer than solving a few
        // positions.
        let is_small = PositionKernel::of(rules) != PositionKernel::Subtraction
            && multisets_without(rules.bounds(), 0) <= SMALL_GAME;
        Self::with_ranges::<C>(rules, if is_small { MIN_RANGES_IF_SMALL } else { MIN_RANGES })
    }

    /// Returns the layout with at least `enough` ranges, if there are that many sizes.
    pub(super) fn with_ranges<C: PositionCell>(
        rules: &HeapRules,
        enough: usize,
    ) -> Result<Self, GenerateError> {
        let ranges = |shift: u32| (rules.greatest() >> shift) as usize + 1;
        // If moves can lead to all blocks, each task reads all blocks below, so more ranges would be far too many.
        let most = if PositionKernel::of(rules) == PositionKernel::Plain { MIN_RANGES } else { MAX_RANGES };
        let first = (0..Heap::BITS).find(|&shift| ranges(shift) <= most).unwrap_or(0);
        let mut layout = Self::with_shift(rules, first)?;
        for shift in first + 1..Heap::BITS {
            if ranges(shift) < enough {
                break;
            }
            let wider = Self::with_shift(rules, shift)?;
            if wider.least::<C>()? > MAX_TASK_BYTES {
                break;
            }
            layout = wider;
        }
        Ok(layout)
    }

    /// Returns the layout with ranges of 2^`shift` sizes.
    pub(super) fn with_shift(rules: &HeapRules, shift: u32) -> Result<Self, GenerateError> {
        let (greatest, heaps) = (rules.greatest(), rules.heaps());
        let stand_ins = KEYS.saturating_sub(heaps);
        let own = rules.bounds().iter().rev().copied();
        let width: u32 = 1 << shift;
        // Prefix minima are read one stone lower only.
        let (reach, together, offers) = match PositionKernel::of(rules) {
            PositionKernel::Subtraction => (reach(rules), false, 0),
            PositionKernel::PrefixMinima => (1, rules.equal_take(), choices(rules)),
            PositionKernel::Plain => (reach(rules), true, 0),
        };
        let mut layout = Self {
            bounds: std::iter::repeat_n(greatest, stand_ins).chain(own).collect(),
            stand_ins,
            shift,
            ranges: (greatest >> shift) as usize + 1,
            down: reach.div_ceil(width).min(greatest >> shift).max(1) as usize,
            together,
            offers,
            layers: u64::from(rules.passes()) + 1,
            all: Ranks::try_new(rules.bounds())?,
            rest: Ranks::try_new(&rules.bounds()[..heaps.saturating_sub(KEYS)])?,
            positions: Vec::new(),
        };
        let mut positions = room(layout.blocks() as u64)?;
        for block in 0..layout.blocks() {
            let ranges = layout.ranges_of(block);
            positions.push(if layout.exists(ranges) { layout.frame(ranges)?.positions } else { 0 });
        }
        layout.positions = positions;
        Ok(layout)
    }

    /// Returns the bound of a place; place 0 is the greatest heap.
    pub(super) fn bound(&self, place: usize) -> Heap {
        self.bounds[place]
    }

    /// Returns the bounds of the game's own heaps, ascending.
    pub(super) fn own_bounds(&self) -> Vec<Heap> {
        self.bounds[self.stand_ins..].iter().rev().copied().collect()
    }

    /// Returns the number of heaps, with stand-ins.
    pub(super) fn heaps(&self) -> usize {
        self.bounds.len()
    }

    #[inline(always)]
    pub(super) fn range(&self, size: Heap) -> usize {
        (size >> self.shift) as usize
    }

    pub(super) fn range_len(&self) -> u64 {
        1 << self.shift
    }

    /// Returns the maximum number of positions of a row within one block.
    pub(super) fn longest_row(&self) -> u64 {
        let all = u64::from(self.bound(self.heaps() - 1)) + 1;
        if self.heaps() == KEYS { all.min(self.range_len()) } else { all }
    }

    /// Returns the part of a rank that a heap at a place contributes.
    #[inline(always)]
    pub(super) fn part(&self, place: usize, heap: Heap) -> u64 {
        match place.checked_sub(self.stand_ins) {
            Some(own) => self.all.part(own, heap),
            None => 0,
        }
    }

    /// Returns the sizes that a heap at a place can have in a range.
    pub(super) fn sizes(&self, place: usize, range: usize) -> Range<Heap> {
        let bound = self.bounds[place];
        if place < self.stand_ins {
            return bound..bound + 1;
        }
        let first = (range as Heap) << self.shift;
        first..first.saturating_add(1 << self.shift).min(bound + 1)
    }

    /// Reports whether the three greatest heaps can lie in these ranges, which are descending.
    pub(super) fn exists(&self, ranges: Ranges) -> bool {
        ranges.iter().enumerate().all(|(place, &range)| {
            !self.sizes(place, range).is_empty() && (place >= self.stand_ins || range == self.ranges - 1)
        })
    }

    /// Returns the number of blocks, including empty ones.
    pub(super) fn blocks(&self) -> usize {
        self.ranges * (self.ranges + 1) * (self.ranges + 2) / 6
    }

    /// Returns the number of the block of three ranges.
    #[inline]
    pub(super) fn block(&self, [one, two, three]: Ranges) -> usize {
        one * (one + 1) * (one + 2) / 6 + two * (two + 1) / 2 + three
    }

    /// Returns the ranges of the block of a number.
    pub(super) fn ranges_of(&self, block: usize) -> Ranges {
        let last = |below: &dyn Fn(usize) -> usize, block: usize| {
            let (mut least, mut end) = (0, self.ranges);
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

    /// Returns the shape of a block of cells: one for each position.
    pub(super) fn shape(&self, block: usize) -> PositionShape {
        PositionShape { items: self.positions[block], layers: self.layers }
    }

    /// Returns the shape of a block of offers.
    pub(super) fn offers_shape(&self, block: usize) -> PositionShape {
        PositionShape { items: self.positions[block].saturating_mul(self.offers), layers: self.layers }
    }

    /// Returns the shape of the block that later tasks read.
    fn shape_to_read(&self, block: usize) -> PositionShape {
        if self.offers > 0 { self.offers_shape(block) } else { self.shape(block) }
    }

    /// Returns the blocks with a given sum of ranges, in the order of their tasks.
    pub(super) fn tasks(&self, sum: usize) -> impl Iterator<Item = Ranges> {
        (0..self.ranges.min(sum + 1)).flat_map(move |first| {
            (0..=first.min(sum - first)).filter_map(move |second| {
                let task = [first, second, sum - first - second];
                (task[2] <= second && self.exists(task)).then_some(task)
            })
        })
    }

    pub(super) fn greatest_sum(&self) -> usize {
        KEYS * (self.ranges - 1)
    }

    pub(super) fn steps(&self, task: Ranges) -> u64 {
        self.positions[self.block(task)].saturating_mul(self.layers).max(1)
    }

    /// Returns the steps of progress of all tasks.
    pub(super) fn all_steps(&self) -> u64 {
        let of_sum = |sum| self.tasks(sum).map(|task| self.steps(task)).fold(0, u64::saturating_add);
        (0..=self.greatest_sum()).map(of_sum).fold(0, u64::saturating_add)
    }

    /// Returns the blocks that the task of a block reads, except its own.
    pub(super) fn below(&self, task: Ranges) -> Result<Vec<Ranges>, GenerateError> {
        let mut below = Vec::new();
        let least = |place: usize| match place < self.stand_ins {
            true => task[place],
            false => task[place].saturating_sub(self.down),
        };
        if self.together {
            for one in least(0)..=task[0] {
                for two in least(1)..=task[1].min(one) {
                    for three in least(2)..=task[2].min(two) {
                        below.grow([one, two, three])?;
                    }
                }
            }
        } else {
            for place in self.stand_ins..KEYS {
                // Of equal ranges one is enough.
                if place + 1 < KEYS && task[place] == task[place + 1] {
                    continue;
                }
                for range in least(place)..task[place] {
                    below.grow(with(task, place, range))?;
                }
            }
        }
        below.retain(|&ranges| ranges != task && self.positions[self.block(ranges)] > 0);
        Ok(below)
    }

    /// Returns the blocks whose tasks read a block, except itself.
    pub(super) fn above(&self, block: Ranges) -> impl Iterator<Item = Ranges> {
        let apart = (!self.together).then(|| {
            let of_place = move |place: usize| {
                (block[place] + 1..=block[place] + self.down).map(move |range| with(block, place, range))
            };
            (self.stand_ins..KEYS).flat_map(of_place)
        });
        let together = self.together.then(|| {
            let up = move |place: usize| {
                block[place]..=block[place] + if place < self.stand_ins { 0 } else { self.down }
            };
            up(0).flat_map(move |one| up(1).flat_map(move |two| up(2).map(move |three| [one, two, three])))
        });
        let exists = move |task: &Ranges| {
            task[0] < self.ranges && task.is_sorted_by(|a, b| a >= b) && self.exists(*task)
        };
        apart
            .into_iter()
            .flatten()
            .chain(together.into_iter().flatten())
            .filter(exists)
            .filter(move |&task| task != block)
    }

    /// Returns the maximum bytes of the blocks that one task needs.
    pub(super) fn least<C: PositionCell>(&self) -> Result<u64, GenerateError> {
        let mut most = 0;
        for block in (0..self.blocks()).filter(|&block| self.positions[block] > 0) {
            let bytes_to_read = |ranges: Ranges| self.shape_to_read(self.block(ranges)).memory_bytes::<C>();
            let own = self.shape(block).memory_bytes::<C>();
            let own =
                if self.offers > 0 { own.saturating_add(bytes_to_read(self.ranges_of(block))) } else { own };
            let below = self.below(self.ranges_of(block))?;
            most = below.into_iter().map(bytes_to_read).fold(own, u64::saturating_add).max(most);
        }
        Ok(most)
    }

    /// Returns the bytes of the cells of all blocks.
    pub(super) fn memory_bytes<C: PositionCell>(&self) -> u64 {
        (0..self.blocks()).map(|block| self.shape(block).memory_bytes::<C>()).fold(0, u64::saturating_add)
    }

    /// Returns the maximum difference between the sum of ranges of a task and that of a block it reads.
    pub(super) fn sums_down(&self) -> usize {
        self.down * if self.together { KEYS - self.stand_ins } else { 1 }
    }

    /// Returns the maximum bytes of offers that are needed at a time.
    pub(super) fn offers_bytes<C: PositionCell>(&self) -> Result<u64, GenerateError> {
        if self.offers == 0 {
            return Ok(0);
        }
        let mut of_sum = filled(self.greatest_sum() as u64 + 1, 0_u64)?;
        for block in 0..self.blocks() {
            let sum = &mut of_sum[self.ranges_of(block).iter().sum::<usize>()];
            *sum = sum.saturating_add(self.offers_shape(block).memory_bytes::<C>());
        }
        let together = of_sum.windows((self.sums_down() + 1).min(of_sum.len()));
        Ok(together.map(|sums| sums.iter().copied().fold(0, u64::saturating_add)).max().unwrap_or(0))
    }

    /// Where in a block positions lie.
    pub(super) fn frame(&self, ranges: Ranges) -> Result<Frame, GenerateError> {
        let mut frame = self.bare_frame(ranges);
        let firsts = self.sizes(0, ranges[0]);
        let mut before = room(firsts.len() as u64 + 1)?;
        let mut sum = 0;
        before.push(sum);
        for first in firsts {
            sum += frame.with_first(self, first);
            before.push(sum);
        }
        (frame.before, frame.positions) = (before, sum);
        Ok(frame)
    }

    /// Returns the frame without the sums over sizes of the greatest heap.
    fn bare_frame(&self, ranges: Ranges) -> Frame {
        let [firsts, seconds, thirds] = [0, 1, 2].map(|place| self.sizes(place, ranges[place]));
        let is_same = |place: usize| ranges[place] == ranges[place + 1] && place >= self.stand_ins;
        Frame {
            first: firsts.start,
            second: seconds.start,
            end: seconds.end,
            before: Vec::new(),
            is_first_cut: is_same(0),
            is_cut: is_same(1),
            of_second: self.part(2, thirds.end) - self.part(2, thirds.start),
            third: self.part(2, thirds.start),
            seconds: self.part(1, seconds.start),
            positions: 0,
        }
    }

    /// Computes [`Frame::base`] without a frame.
    #[inline]
    pub(super) fn base(&self, ranges: Ranges, first: Heap, second: Heap) -> usize {
        let frame = self.bare_frame(ranges);
        let before = frame.before(self, first);
        ((before + frame.within(self, second)) as usize).wrapping_sub(frame.third as usize)
    }
}

/// Replaces one of three ranges, and restores the descending order.
fn with(mut ranges: Ranges, place: usize, range: usize) -> Ranges {
    ranges[place] = range;
    ranges.sort_unstable_by(|a, b| b.cmp(a));
    ranges
}

/// Where in a block positions lie.
pub(super) struct Frame {
    /// Least sizes of the two greatest heaps.
    first: Heap,
    second: Heap,
    /// One more than the greatest size of the second heap.
    end: Heap,
    /// Number of positions before each size of the greatest heap; one more entry at the end.
    pub(super) before: Vec<u64>,
    /// The ranges of the first and the second heap are equal, so the first heap limits the second.
    is_first_cut: bool,
    /// The ranges of the second and the third heap are equal, so the second heap limits the third.
    is_cut: bool,
    /// Positions for each size of the second heap, if `is_cut` is false.
    of_second: u64,
    /// Part of a rank that the least size of the third heap contributes.
    third: u64,
    /// Part of a rank that the least size of the second heap contributes.
    seconds: u64,
    pub(super) positions: u64,
}

impl Frame {
    /// Returns the number of positions with a given greatest heap.
    fn with_first(&self, layout: &PositionLayout, first: Heap) -> u64 {
        let end = if self.is_first_cut { self.end.min(first + 1) } else { self.end };
        self.within(layout, end.max(self.second))
    }

    /// Returns the number of positions with a lesser greatest heap: the sum of [`Frame::with_first`].
    #[inline]
    fn before(&self, layout: &PositionLayout, first: Heap) -> u64 {
        let (begin, end) = (self.first, self.end.max(self.second));
        if !self.is_first_cut {
            return u64::from(first - begin) * self.within(layout, end);
        }
        // Up to this size, each size of the first heap adds one size of the second. Both ranges begin with the same
        // size.
        let cut = first.min(end);
        let sizes = u64::from(cut - begin);
        let sum = sizes * (sizes + 1) / 2;
        let before = if self.is_cut {
            layout.part(0, cut) - layout.part(0, begin) - sizes * self.seconds - sum * self.third
        } else {
            sum * self.of_second
        };
        before + u64::from(first - cut) * self.within(layout, end)
    }

    /// Returns the number of positions with a given greatest heap, and a second heap less than `second`.
    #[inline(always)]
    fn within(&self, layout: &PositionLayout, second: Heap) -> u64 {
        let sizes = u64::from(second - self.second);
        if self.is_cut {
            layout.part(1, second) - self.seconds - sizes * self.third
        } else {
            sizes * self.of_second
        }
    }

    /// Returns the place of the first position with these two greatest heaps.
    #[inline(always)]
    pub(super) fn begin(&self, layout: &PositionLayout, first: Heap, second: Heap) -> usize {
        (self.before[(first - self.first) as usize] + self.within(layout, second)) as usize
    }

    /// Returns this place minus the part of the least third heap: add the parts of all heaps after the two greatest.
    #[inline(always)]
    pub(super) fn base(&self, layout: &PositionLayout, first: Heap, second: Heap) -> usize {
        self.begin(layout, first, second).wrapping_sub(self.third as usize)
    }
}
