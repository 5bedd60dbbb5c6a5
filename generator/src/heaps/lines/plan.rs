//! Orders tasks so that few blocks are read and written if not all fit into memory.
//!
//! A task has three ranges and needs three blocks, one for each pair of them (`layout`). We put adjacent ranges into
//! groups. The tasks with their three ranges in three given groups are a *batch*; its blocks are all in memory while it
//! is solved. A batch of g x g x h tasks (the third group has h ranges) needs g x g + 2 g h blocks, and the g x g
//! blocks stay if the next batch has the same two first groups. With room for m blocks, each task thus reads about
//! 2 / sqrt(m) blocks, and writes as many: 0.2 blocks for m = 100. No order does much better (Hong and Kung 1981, for
//! matrix products, which have the same shape).

use std::convert::Infallible;

use crate::heaps::frame::heap_ranges::HeapRanges;
use crate::heaps::frame::partition::{Batch, RangeGroup};

/// Lengths of the groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BatchPlan {
    /// Number of ranges of the game.
    ranges: usize,
    /// Ranges in a first or second group.
    group_len: usize,
    /// Ranges in a third group.
    third_len: usize,
}

impl BatchPlan {
    /// Returns the plan with the greatest groups whose batches take at most `max_bytes` bytes; `None` if even the
    /// smallest take more. `bytes` returns the bytes of a block.
    pub(super) fn within(
        ranges: &HeapRanges,
        max_bytes: u64,
        bytes: impl Fn([usize; 2]) -> u64,
    ) -> Option<Self> {
        let ranges = ranges.count;
        let mut plans = (1..=ranges).rev().map(|group_len| Self {
            ranges,
            group_len,
            // A quarter: few enough that the first two groups get most of the memory, and enough that all threads have
            // tasks.
            third_len: if group_len == ranges { ranges } else { (group_len / 4).max(1) },
        });
        plans.find(|plan| plan.batches().all(|batch| Self::bytes(batch, &bytes) <= max_bytes))
    }

    /// Returns the bytes of the largest batch of the smallest plan.
    pub(super) fn least(ranges: &HeapRanges, bytes: impl Fn([usize; 2]) -> u64) -> u64 {
        let plan = Self { ranges: ranges.count, group_len: 1, third_len: 1 };
        plan.batches().map(|batch| Self::bytes(batch, &bytes)).max().unwrap_or(0)
    }

    fn bytes(batch: Batch, bytes: &impl Fn([usize; 2]) -> u64) -> u64 {
        let mut sum: u64 = 0;
        let add = |block| {
            sum = sum.saturating_add(bytes(block));
            Ok::<_, Infallible>(())
        };
        let Ok(()) = each_block(batch, add);
        sum
    }

    /// Returns the batches in an order in which moves lead only to the same batch or to earlier ones.
    pub(super) fn batches(self) -> impl Iterator<Item = Batch> {
        let Self { ranges, group_len, third_len } = self;
        let groups = move |end: usize, len: usize| {
            (0..end).step_by(len).map(move |first| (first, (first + len).min(ranges)))
        };
        groups(ranges, group_len).flat_map(move |one| {
            groups(one.1, group_len)
                .flat_map(move |two| groups(two.1, third_len).map(move |three| [one, two, three]))
        })
    }
}

/// Visits the ranges of each block of a batch once.
pub(super) fn each_block<E>(
    [one, two, three]: Batch,
    mut visit: impl FnMut([usize; 2]) -> Result<(), E>,
) -> Result<(), E> {
    // A pair of groups may contain blocks of an earlier pair: visit these only once.
    let pairs = [(one, two), (one, three), (two, three)];
    for (number, &(first, second)) in pairs.iter().enumerate() {
        for a in first.0..first.1 {
            for b in second.0..second.1.min(a + 1) {
                let within = |(first, second): &(RangeGroup, RangeGroup)| {
                    (first.0..first.1).contains(&a) && (second.0..second.1).contains(&b)
                };
                if !pairs[..number].iter().any(within) {
                    visit([a, b])?;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::HeapKeys;

    use super::super::layout::LineLayout;
    use super::*;
    use crate::heaps::frame::heap_ranges::TaskRanges;
    use crate::heaps::frame::partition::Partition;
    use crate::heaps::frame::run::is_in_batch;

    #[test]
    fn each_task_is_in_one_batch_which_comes_after_the_batches_it_reads() {
        let rules = HeapKeys { bounds: vec![9; 4], ..Default::default() }.rules().unwrap();
        let layout = LineLayout::new(&rules, [2, 1]).unwrap();
        for group_len in 1..=layout.ranges.count {
            for third_len in 1..=group_len {
                let plan = BatchPlan { ranges: layout.ranges.count, group_len, third_len };
                let batches: Vec<Batch> = plan.batches().collect();
                let batch_of_task: Vec<(TaskRanges, usize)> = layout
                    .ranges
                    .all_tasks()
                    .map(|task| {
                        let mut numbers = (0..batches.len()).filter(|&at| is_in_batch(task, batches[at]));
                        let found = numbers.next().expect("each task is in a batch");
                        assert_eq!(numbers.next(), None);
                        let [one, two, three] = task;
                        let mut blocks = Vec::new();
                        let Ok(()) = each_block(batches[found], |block| {
                            blocks.push(block);
                            Ok::<_, Infallible>(())
                        });
                        assert!(
                            blocks
                                .iter()
                                .all(|block| blocks.iter().filter(|other| *other == block).count() == 1)
                        );
                        assert!(
                            [[one, two], [one, three], [two, three]].iter().all(|pair| blocks.contains(pair))
                        );
                        (task, found)
                    })
                    .collect();
                for &(task, batch) in &batch_of_task {
                    let below =
                        |&&(other, _): &&(TaskRanges, usize)| other.iter().zip(task).all(|(&a, b)| a <= b);
                    assert!(batch_of_task.iter().filter(below).all(|&(_, other)| other <= batch));
                }
            }
        }
    }

    #[test]
    fn a_plan_uses_the_memory_and_stays_within_it() {
        let rules = HeapKeys { bounds: vec![63; 6], ..Default::default() }.rules().unwrap();
        let layout = LineLayout::new(&rules, [2, 1]).unwrap();
        let bytes = |block| 3 * layout.block_lines(block);
        let all: u64 = (0..layout.blocks()).map(|block| bytes(layout.ranges_of(block))).sum();
        let least = BatchPlan::least(&layout.ranges, bytes);
        assert!(least < all / 50);
        assert_eq!(BatchPlan::within(&layout.ranges, least - 1, bytes), None);
        assert_eq!(BatchPlan::within(&layout.ranges, least, bytes).unwrap().group_len, 1);
        assert!(BatchPlan::within(&layout.ranges, all, bytes).unwrap().group_len == layout.ranges.count);
        let half = BatchPlan::within(&layout.ranges, all / 2, bytes).unwrap();
        assert!((20..layout.ranges.count).contains(&half.group_len), "{half:?}");
    }
}
