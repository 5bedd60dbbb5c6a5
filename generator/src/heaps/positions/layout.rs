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

/// The heaps whose ranges make a block.
pub(super) const KEYS: usize = 3;

/// The ranges of a block, descending.
pub(super) type Ranges = [usize; KEYS];

/// The most ranges.
const MOST: usize = 64;
/// So many ranges are enough, if a task takes no more than so many bytes.
pub(super) const ENOUGH: usize = 16;
/// In a game of so few positions with several heaps a move so many are enough.
const FEW: u128 = 1 << 17;
const ENOUGH_FOR_FEW: usize = 4;
const TASK: u64 = 128 << 20;

/// How the positions of a game are cut into blocks.
pub(super) struct PositionLayout {
    /// The bounds from the greatest heap to the least, after those of stand-ins.
    bounds: Vec<Heap>,
    pub(super) stand_ins: usize,
    /// The logarithm to base 2 of the sizes of a range.
    shift: u32,
    /// How many ranges there are.
    pub(super) ranges: usize,
    /// How many ranges down a task looks in each heap.
    pub(super) down: usize,
    /// Whether it looks down in several heaps together.
    pub(super) together: bool,
    /// How many offers a position has; 0 if tasks are not solved from offers.
    pub(super) offers: u64,
    pub(super) layers: u64,
    /// Ranks of the game's own heaps.
    pub(super) all: Ranks,
    /// Ranks of those behind the three greatest.
    pub(super) rest: Ranks,
    /// Of each block how many positions it has with the same number of passes left.
    positions: Vec<u64>,
}

impl PositionLayout {
    /// The layout of a game with cells `C`.
    pub(super) fn new<C: PositionCell>(rules: &HeapRules) -> Result<Self, GenerateError> {
        // Where a move takes from several heaps, a task looks at more blocks: to begin it takes longer than to solve a
        // few positions.
        let is_small = PositionKernel::of(rules) != PositionKernel::Subtraction
            && multisets_without(rules.bounds(), 0) <= FEW;
        Self::with_ranges::<C>(rules, if is_small { ENOUGH_FOR_FEW } else { ENOUGH })
    }

    /// The same with so many ranges or more, if there are as many sizes.
    pub(super) fn with_ranges<C: PositionCell>(
        rules: &HeapRules,
        enough: usize,
    ) -> Result<Self, GenerateError> {
        let ranges = |shift: u32| (rules.greatest() >> shift) as usize + 1;
        // Where moves may lead to all blocks, each task looks at all below: with more ranges these would be ever so many.
        let most = if PositionKernel::of(rules) == PositionKernel::Plain { ENOUGH } else { MOST };
        let first = (0..Heap::BITS).find(|&shift| ranges(shift) <= most).unwrap_or(0);
        let mut layout = Self::with_shift(rules, first)?;
        for shift in first + 1..Heap::BITS {
            if ranges(shift) < enough {
                break;
            }
            let wider = Self::with_shift(rules, shift)?;
            if wider.least::<C>()? > TASK {
                break;
            }
            layout = wider;
        }
        Ok(layout)
    }

    /// The layout with ranges of two to the power of `shift` sizes.
    pub(super) fn with_shift(rules: &HeapRules, shift: u32) -> Result<Self, GenerateError> {
        let (greatest, heaps) = (rules.greatest(), rules.heaps());
        let stand_ins = KEYS.saturating_sub(heaps);
        let own = rules.bounds().iter().rev().copied();
        let width: u32 = 1 << shift;
        // Offers are those of neighbours.
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

    /// The bound of a place, the greatest heap's being place 0.
    pub(super) fn bound(&self, place: usize) -> Heap {
        self.bounds[place]
    }

    /// The bounds of the game's own heaps, ascending.
    pub(super) fn own_bounds(&self) -> Vec<Heap> {
        self.bounds[self.stand_ins..].iter().rev().copied().collect()
    }

    /// How many heaps positions have, with stand-ins.
    pub(super) fn heaps(&self) -> usize {
        self.bounds.len()
    }

    /// The range of a size.
    #[inline(always)]
    pub(super) fn range(&self, size: Heap) -> usize {
        (size >> self.shift) as usize
    }

    /// How many sizes a range has.
    pub(super) fn range_len(&self) -> u64 {
        1 << self.shift
    }

    /// The most positions that differ in their least heap only, and lie in one block.
    pub(super) fn longest_row(&self) -> u64 {
        let all = u64::from(self.bound(self.heaps() - 1)) + 1;
        if self.heaps() == KEYS { all.min(self.range_len()) } else { all }
    }

    /// What a heap at a place adds to the rank of a position.
    #[inline(always)]
    pub(super) fn part(&self, place: usize, heap: Heap) -> u64 {
        match place.checked_sub(self.stand_ins) {
            Some(own) => self.all.part(own, heap),
            None => 0,
        }
    }

    /// The sizes that a heap at a place can have in a range.
    pub(super) fn sizes(&self, place: usize, range: usize) -> Range<Heap> {
        let bound = self.bounds[place];
        if place < self.stand_ins {
            return bound..bound + 1;
        }
        let first = (range as Heap) << self.shift;
        first..first.saturating_add(1 << self.shift).min(bound + 1)
    }

    /// Whether there are positions with the three greatest heaps in these ranges, which are descending.
    pub(super) fn exists(&self, ranges: Ranges) -> bool {
        ranges.iter().enumerate().all(|(place, &range)| {
            !self.sizes(place, range).is_empty() && (place >= self.stand_ins || range == self.ranges - 1)
        })
    }

    /// How many numbers blocks have, of which not all may exist.
    pub(super) fn blocks(&self) -> usize {
        self.ranges * (self.ranges + 1) * (self.ranges + 2) / 6
    }

    /// The number of the block of three ranges.
    #[inline]
    pub(super) fn block(&self, [one, two, three]: Ranges) -> usize {
        one * (one + 1) * (one + 2) / 6 + two * (two + 1) / 2 + three
    }

    /// The ranges of the block of a number.
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

    /// How many cells a block has: one for each position.
    pub(super) fn shape(&self, block: usize) -> PositionShape {
        PositionShape { items: self.positions[block], layers: self.layers }
    }

    /// How many offers a block has.
    pub(super) fn offers_shape(&self, block: usize) -> PositionShape {
        PositionShape { items: self.positions[block].saturating_mul(self.offers), layers: self.layers }
    }

    /// Of what size is what tasks above a block look at.
    fn shape_to_read(&self, block: usize) -> PositionShape {
        if self.offers > 0 { self.offers_shape(block) } else { self.shape(block) }
    }

    /// The blocks of which the ranges add up to a sum, in the order of their tasks.
    pub(super) fn tasks(&self, sum: usize) -> impl Iterator<Item = Ranges> {
        (0..self.ranges.min(sum + 1)).flat_map(move |first| {
            (0..=first.min(sum - first)).filter_map(move |second| {
                let task = [first, second, sum - first - second];
                (task[2] <= second && self.exists(task)).then_some(task)
            })
        })
    }

    /// The greatest sum of ranges that a task can have.
    pub(super) fn greatest_sum(&self) -> usize {
        KEYS * (self.ranges - 1)
    }

    /// What the progress of a task counts.
    pub(super) fn steps(&self, task: Ranges) -> u64 {
        self.positions[self.block(task)].saturating_mul(self.layers).max(1)
    }

    /// The same for all tasks.
    pub(super) fn all_steps(&self) -> u64 {
        let of_sum = |sum| self.tasks(sum).map(|task| self.steps(task)).fold(0, u64::saturating_add);
        (0..=self.greatest_sum()).map(of_sum).fold(0, u64::saturating_add)
    }

    /// The blocks at which the task of a block looks, but for itself.
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

    /// The blocks of which the tasks look at a block, but for itself.
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

    /// The most bytes that what a task needs takes.
    pub(super) fn least<C: PositionCell>(&self) -> Result<u64, GenerateError> {
        let mut most = 0;
        for block in (0..self.blocks()).filter(|&block| self.positions[block] > 0) {
            let told = |ranges: Ranges| self.shape_to_read(self.block(ranges)).bytes::<C>();
            let own = self.shape(block).bytes::<C>();
            let own = if self.offers > 0 { own.saturating_add(told(self.ranges_of(block))) } else { own };
            let below = self.below(self.ranges_of(block))?;
            most = below.into_iter().map(told).fold(own, u64::saturating_add).max(most);
        }
        Ok(most)
    }

    /// Bytes of the cells of all blocks.
    pub(super) fn bytes<C: PositionCell>(&self) -> u64 {
        (0..self.blocks()).map(|block| self.shape(block).bytes::<C>()).fold(0, u64::saturating_add)
    }

    /// By how much the sum of the ranges of a task is more than that of a block at which it looks, at the most.
    pub(super) fn sums_down(&self) -> usize {
        self.down * if self.together { KEYS - self.stand_ins } else { 1 }
    }

    /// The most bytes of offers that are needed at a time.
    pub(super) fn offers_bytes<C: PositionCell>(&self) -> Result<u64, GenerateError> {
        if self.offers == 0 {
            return Ok(0);
        }
        let mut of_sum = filled(self.greatest_sum() as u64 + 1, 0_u64)?;
        for block in 0..self.blocks() {
            let sum = &mut of_sum[self.ranges_of(block).iter().sum::<usize>()];
            *sum = sum.saturating_add(self.offers_shape(block).bytes::<C>());
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

    /// The same without what is summed up over the sizes of the greatest heap.
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

    /// What [`Frame::base`] is, without a frame.
    #[inline]
    pub(super) fn base(&self, ranges: Ranges, first: Heap, second: Heap) -> usize {
        let frame = self.bare_frame(ranges);
        let before = frame.before(self, first);
        ((before + frame.within(self, second)) as usize).wrapping_sub(frame.third as usize)
    }
}

/// Three ranges of which one is another, in descending order.
fn with(mut ranges: Ranges, place: usize, range: usize) -> Ranges {
    ranges[place] = range;
    ranges.sort_unstable_by(|a, b| b.cmp(a));
    ranges
}

/// Where in a block positions lie.
pub(super) struct Frame {
    /// The least sizes of the two greatest heaps.
    first: Heap,
    second: Heap,
    /// One more than the greatest size of the second heap.
    end: Heap,
    /// For each size of the greatest heap, and one more, how many positions are before it.
    pub(super) before: Vec<u64>,
    /// Whether the second heap can be greater than the first in these ranges.
    is_first_cut: bool,
    /// Whether the third heap can be greater than the second.
    is_cut: bool,
    /// How many positions a size of the second heap has, if not.
    of_second: u64,
    /// What the least size of the third heap adds to a rank.
    third: u64,
    /// What the least size of the second heap adds to a rank.
    seconds: u64,
    /// All positions.
    pub(super) positions: u64,
}

impl Frame {
    /// How many positions have a certain greatest heap.
    fn with_first(&self, layout: &PositionLayout, first: Heap) -> u64 {
        let end = if self.is_first_cut { self.end.min(first + 1) } else { self.end };
        self.within(layout, end.max(self.second))
    }

    /// How many positions have a lesser greatest heap: the sum of [`Frame::with_first`].
    #[inline]
    fn before(&self, layout: &PositionLayout, first: Heap) -> u64 {
        let (begin, end) = (self.first, self.end.max(self.second));
        if !self.is_first_cut {
            return u64::from(first - begin) * self.within(layout, end);
        }
        // Up to here the second heap has a size more for each of the first. Both begin with the same.
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

    /// How many positions have a certain greatest heap, and the second less than a size.
    #[inline(always)]
    fn within(&self, layout: &PositionLayout, second: Heap) -> u64 {
        let sizes = u64::from(second - self.second);
        if self.is_cut {
            layout.part(1, second) - self.seconds - sizes * self.third
        } else {
            sizes * self.of_second
        }
    }

    /// Where the positions with these two greatest heaps begin.
    #[inline(always)]
    pub(super) fn begin(&self, layout: &PositionLayout, first: Heap, second: Heap) -> usize {
        (self.before[(first - self.first) as usize] + self.within(layout, second)) as usize
    }

    /// The same, less what the least third heap adds to a rank: what all heaps but the two greatest add is to be added.
    #[inline(always)]
    pub(super) fn base(&self, layout: &PositionLayout, first: Heap, second: Heap) -> usize {
        self.begin(layout, first, second).wrapping_sub(self.third as usize)
    }
}
