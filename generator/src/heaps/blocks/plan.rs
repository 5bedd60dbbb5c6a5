//! The order of tasks if not all blocks fit into memory.
//!
//! Adjacent ranges are put into groups. The tasks with their three ranges in three given groups make a *batch*; its
//! blocks are all in memory while it is solved. A batch of g x g x h tasks (the third group has h ranges) needs g x g +
//! 2 g h blocks, and the g x g blocks stay if the next batch has the same two first groups. With room for m blocks,
//! each task thus costs about 2 / sqrt(m) blocks of reading and writing: 0.2 blocks for m = 100. No order does much
//! better (Hong and Kung 1981, for matrix products, which have the same shape).

use std::convert::Infallible;

use super::layout::{KEYS, LineLayout, TaskRanges};
use crate::GenerateError;
use crate::memory::Grow;

/// A batch: for each place of a task the ranges.
pub(super) type Batch = [RangeGroup; KEYS];

/// Ranges that follow each other.
type RangeGroup = (usize, usize);

/// How ranges are cut into groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    ranges: usize,
    /// Ranges of a group, for the first two places.
    group: usize,
    /// The same for the third.
    third: usize,
}

impl Plan {
    /// Returns the plan with the greatest groups whose batches take at most `most` bytes, if there is one. `bytes`
    /// returns the bytes of a block.
    pub(super) fn within(layout: &LineLayout, most: u64, bytes: impl Fn([usize; 2]) -> u64) -> Option<Self> {
        let ranges = layout.ranges;
        let mut plans = (1..=ranges).rev().map(|group| Self {
            ranges,
            group,
            // Several ranges, so that there are tasks for all threads; all of them if everything fits.
            third: if group == ranges { ranges } else { (group / 4).max(1) },
        });
        plans.find(|plan| plan.batches().all(|batch| Self::bytes(batch, &bytes) <= most))
    }

    /// The least bytes that any plan takes.
    pub(super) fn least(layout: &LineLayout, bytes: impl Fn([usize; 2]) -> u64) -> u64 {
        let plan = Self { ranges: layout.ranges, group: 1, third: 1 };
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

    /// The batches, in an order in which those to which moves lead come first.
    pub(super) fn batches(&self) -> impl Iterator<Item = Batch> {
        let Self { ranges, group, third } = *self;
        let groups = move |most: usize, len: usize| {
            (0..most).step_by(len).map(move |first| (first, (first + len).min(ranges)))
        };
        groups(ranges, group).flat_map(move |one| {
            groups(one.1, group).flat_map(move |two| groups(two.1, third).map(move |three| [one, two, three]))
        })
    }
}

/// Calls `visit` with each block of a batch, once.
fn each_block<E>(
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

/// The blocks of a batch, each once.
pub(super) fn blocks(batch: Batch) -> Result<Vec<[usize; 2]>, GenerateError> {
    let mut blocks = Vec::new();
    each_block(batch, |block| blocks.grow(block))?;
    Ok(blocks)
}

/// Reports whether a task belongs to a batch.
pub(super) fn belongs(task: TaskRanges, batch: Batch) -> bool {
    task.iter().zip(batch).all(|(&range, (first, end))| (first..end).contains(&range))
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::HeapKeys;

    use super::*;

    #[test]
    fn each_task_belongs_to_one_batch_which_comes_after_those_that_it_needs() {
        let rules = HeapKeys { bounds: vec![9; 4], ..Default::default() }.rules().unwrap();
        let layout = LineLayout::new(&rules).unwrap();
        for group in 1..=layout.ranges {
            for third in 1..=group {
                let plan = Plan { ranges: layout.ranges, group, third };
                let batches: Vec<Batch> = plan.batches().collect();
                let all = (0..=layout.greatest_sum()).flat_map(|sum| layout.tasks(sum).collect::<Vec<_>>());
                let of: Vec<(TaskRanges, usize)> = all
                    .map(|task| {
                        let mut of = (0..batches.len()).filter(|&at| belongs(task, batches[at]));
                        let found = of.next().expect("a batch");
                        assert_eq!(of.next(), None);
                        let [one, two, three] = task;
                        let blocks = blocks(batches[found]).unwrap();
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
                for &(task, batch) in &of {
                    let below =
                        |&&(other, _): &&(TaskRanges, usize)| other.iter().zip(task).all(|(&a, b)| a <= b);
                    assert!(of.iter().filter(below).all(|&(_, other)| other <= batch));
                }
            }
        }
    }

    #[test]
    fn a_plan_keeps_within_its_bytes_and_uses_them() {
        let rules = HeapKeys { bounds: vec![63; 6], ..Default::default() }.rules().unwrap();
        let layout = LineLayout::new(&rules).unwrap();
        let bytes = |block| 3 * layout.block_lines(block);
        let all: u64 = layout.all_blocks().map(bytes).sum();
        let least = Plan::least(&layout, bytes);
        assert!(least < all / 50);
        assert_eq!(Plan::within(&layout, least - 1, bytes), None);
        assert_eq!(Plan::within(&layout, least, bytes).unwrap().group, 1);
        assert!(Plan::within(&layout, all, bytes).unwrap().group == layout.ranges);
        let half = Plan::within(&layout, all / 2, bytes).unwrap();
        assert!((20..layout.ranges).contains(&half.group), "{half:?}");
    }
}
