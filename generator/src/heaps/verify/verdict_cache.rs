//! Cache of verdicts, by block: computed from the table when needed, evicted when others need the memory.
//!
//! Which blocks a proof needs next is estimated by a sample of positions: for each move of these, [`count_use`] counts
//! the block it leads to, and [`most_used`] selects the blocks with most uses.
//!
//! [`count_use`]: VerdictCache::count_use
//! [`most_used`]: VerdictCache::most_used

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bouton_tables::Verdict;

use super::partition::ProofPartition;
use crate::making::GenerateError;
use crate::memory::{Grow, collected, filled, filled_with, room};
use crate::proof::CompactVerdict;

/// A block to compute, with a buffer for its verdicts.
pub(super) type MissingBlock = (u32, Vec<CompactVerdict>);

/// The cached blocks.
pub(super) struct VerdictCache {
    /// Verdicts of each block; empty if not cached.
    verdicts: Vec<Vec<CompactVerdict>>,
    /// For each block, the value of `clock` at its last use.
    last_use: Vec<u32>,
    /// Number of calls of [`VerdictCache::reserve`].
    clock: u32,
    /// Maximum number of cached blocks.
    max_blocks: u64,
    /// For each block, its uses by the sample.
    uses: Vec<AtomicU32>,
}

impl VerdictCache {
    /// Bytes for each block of the game, cached or not, including the order and its sort keys.
    pub(super) const BYTES: u64 = 64;

    /// Returns a cache for at most `max_blocks` blocks.
    pub(super) fn new(partition: &ProofPartition, max_blocks: u64) -> Result<Self, GenerateError> {
        Ok(Self {
            verdicts: filled_with(partition.all(), Vec::new)?,
            last_use: filled(partition.all(), 0)?,
            clock: 0,
            max_blocks,
            uses: filled_with(partition.all(), || AtomicU32::new(0))?,
        })
    }

    /// Returns the verdict at an index of a block; `None` if the block is not cached.
    #[inline(always)]
    pub(super) fn verdict(&self, (block, index): (usize, usize)) -> Option<Verdict> {
        Some(self.verdicts[block].get(index)?.verdict())
    }

    /// Returns the blocks `own` and the blocks that the sample used most, as many as fit. Resets the uses.
    pub(super) fn most_used(&mut self, own: &[u32]) -> Result<Vec<u32>, GenerateError> {
        own.iter().for_each(|&block| *self.uses[block as usize].get_mut() = u32::MAX);
        let mut used = Vec::new();
        for (block, uses) in self.uses.iter_mut().enumerate() {
            let uses = std::mem::take(uses.get_mut());
            if uses > 0 {
                used.grow((uses, block as u32))?;
            }
        }
        if used.len() as u64 > self.max_blocks {
            used.sort_unstable_by(|a, b| b.cmp(a));
            used.truncate(self.max_blocks as usize);
        }
        collected(used.into_iter().map(|(_, block)| block))
    }

    /// Marks blocks as in use; they must fit into memory. Evicts the least recently used others, and returns the missing
    /// blocks with buffers for their verdicts.
    pub(super) fn reserve(
        &mut self,
        blocks: &[u32],
        partition: &ProofPartition,
    ) -> Result<Vec<MissingBlock>, GenerateError> {
        self.clock += 1;
        let mut missing = room(blocks.len() as u64)?;
        for &block in blocks {
            self.last_use[block as usize] = self.clock;
            if self.verdicts[block as usize].is_empty() {
                missing.push((block, Vec::new()));
            }
        }
        let mut cached = Vec::new();
        let is_cached = |block: &usize| !self.verdicts[*block].is_empty();
        for block in (0..self.verdicts.len()).filter(is_cached) {
            cached.grow((self.last_use[block], block))?;
        }
        let excess = (cached.len() + missing.len()).saturating_sub(self.max_blocks as usize);
        if excess > 0 {
            cached.sort_unstable();
        }
        let mut evicted = cached.into_iter().take(excess);
        for (block, verdicts) in &mut missing {
            *verdicts = match evicted.next() {
                Some((_, evicted)) => std::mem::take(&mut self.verdicts[evicted]),
                None => room(partition.longest())?,
            };
            // Evicted buffers have room for the longest block.
            verdicts.resize(partition.positions(*block) as usize, CompactVerdict::default());
        }
        Ok(missing)
    }

    /// Inserts the computed blocks.
    pub(super) fn insert(&mut self, missing: Vec<MissingBlock>) {
        missing.into_iter().for_each(|(block, verdicts)| self.verdicts[block as usize] = verdicts);
    }

    /// Counts a use of a block by the sample.
    pub(super) fn count_use(&self, block: usize) {
        // Stop long before an overflow.
        let uses = &self.uses[block];
        if uses.load(Relaxed) < u32::MAX / 2 {
            uses.fetch_add(1, Relaxed);
        }
    }
}
