//! The partition of positions into blocks for the proof, and the order in which blocks are checked.
//!
//! A *block* is a run of positions with consecutive ranks and the same number of passes left. All blocks have the same
//! length, except the last one for each number of passes. As ranks are ordered by the greatest heap first, the
//! positions of a block share their greatest heaps, or nearly.
//!
//! The moves of a position (a, b, c, ...) lead to positions that agree with it in all heaps except one. So positions
//! with similar greatest heaps need nearly the same verdicts. The sizes of a and of b are cut into *bands* of adjacent
//! sizes. The blocks with a in a given band and b in a given band are checked together, one c after the other. Then the
//! verdicts of the positions to which a move from a or b leads are looked up once for all these blocks. Bands are as
//! broad as half of the cache allows; `lines::plan` chooses its groups of ranges in a similar way.

use bouton_tables::heaps::{Heap, Heaps, Ranks};

use crate::making::GenerateError;
use crate::memory::collected;

/// Usual maximum of positions of a block: verdicts of 256 KiB, and over a tenth of a second of work.
const MAX_LEN: u64 = 1 << 16;
/// Minimum positions of a block: fewer are too little work for a thread.
const MIN_LEN: u64 = 1 << 10;
/// Usual maximum of moves of a block's positions: games with many moves get shorter blocks, down to [`MIN_LEN`].
const MOVES_PER_BLOCK: u64 = 1 << 25;
/// Maximum number of blocks: large games get longer blocks.
const MAX_BLOCKS: u64 = 1 << 18;

/// The positions of a game, cut into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofPartition {
    /// Positions of a layer.
    count: u64,
    /// Binary logarithm of the length of a block.
    power: u32,
    /// Blocks of a layer.
    per_layer: u64,
    /// Number of layers: one for each number of passes left.
    layers: u64,
}

impl ProofPartition {
    /// Returns the partition of a game with `count` positions in each of `layers` layers, and at most `moves` moves
    /// from a position.
    pub(super) fn new(count: u64, layers: u64, moves: u64) -> Self {
        let longest = (MOVES_PER_BLOCK / moves.max(1)).clamp(MIN_LEN, MAX_LEN);
        let mut partition = Self { count, power: 0, per_layer: count, layers }.with_power(longest.ilog2());
        while partition.all() > MAX_BLOCKS {
            partition = partition.with_power(partition.power + 1);
        }
        partition
    }

    /// Returns the partition with blocks of another length, which is rounded up to a power of two.
    pub(super) fn with_len(self, len: u64) -> Self {
        let power = len.clamp(1, 1 << 30).next_power_of_two().ilog2();
        let partition = self.with_power(power);
        // Blocks are numbered in 32 bits.
        if partition.all() > u64::from(u32::MAX) { self } else { partition }
    }

    fn with_power(self, power: u32) -> Self {
        Self { power, per_layer: self.count.div_ceil(1 << power), ..self }
    }

    /// Returns the number of positions in each block, except the last block of a layer, which may have fewer.
    pub(super) fn len(&self) -> u64 {
        1 << self.power
    }

    /// Returns the number of positions in the longest block.
    pub(super) fn longest(&self) -> u64 {
        self.len().min(self.count)
    }

    /// Returns the number of blocks.
    pub(super) fn all(&self) -> u64 {
        self.per_layer.saturating_mul(self.layers)
    }

    /// Returns the number of blocks in two layers, which contain the successors of one layer.
    pub(super) fn of_two_layers(&self) -> u64 {
        self.per_layer.saturating_mul(self.layers.min(2))
    }

    /// Returns the passes left in a block, and the rank of its first position.
    pub(super) fn first(&self, block: u32) -> (u8, u64) {
        let (layer, in_layer) = (u64::from(block) / self.per_layer, u64::from(block) % self.per_layer);
        (layer as u8, in_layer << self.power)
    }

    pub(super) fn positions(&self, block: u32) -> u64 {
        let (_, first) = self.first(block);
        self.len().min(self.count - first)
    }

    /// Returns the block of a position, given by passes left and rank, and the index in this block.
    #[inline(always)]
    pub(super) fn place(&self, passes: u8, rank: u64) -> (usize, usize) {
        let block = u64::from(passes) * self.per_layer + (rank >> self.power);
        (block as usize, (rank & (self.len() - 1)) as usize)
    }

    /// Returns all blocks in the order for a cache of `cached` blocks.
    pub(super) fn order(&self, ranks: &Ranks, cached: u64) -> Result<Vec<u32>, GenerateError> {
        let mut order = collected(0..self.all() as u32)?;
        if cached < self.of_two_layers() {
            let first = |block| four_greatest(&ranks.unrank(self.first(block).1));
            let keys = collected((0..self.per_layer as u32).map(first))?;
            let band = broadest_band(&keys, cached);
            let key = |&block: &u32| {
                let in_layer = u64::from(block) % self.per_layer;
                let [a, b, c, d] = keys[in_layer as usize];
                (u64::from(block) / self.per_layer, a / band, b / band, c, d, block)
            };
            order.sort_unstable_by_key(key);
        }
        Ok(order)
    }
}

/// Returns the four greatest heaps; missing heaps count as empty.
fn four_greatest(heaps: &Heaps) -> [Heap; 4] {
    std::array::from_fn(|place| heaps.get(place).copied().unwrap_or(0))
}

/// Returns a breadth of bands: of 1, 2, 3, 4, 6, 8, 12 and so on about the greatest with which the blocks of a band of
/// a's and a band of b's take at most half of the cache of `cached` blocks; at least 1. `keys` are the greatest heaps
/// of each block, in order.
fn broadest_band(keys: &[[Heap; 4]], cached: u64) -> Heap {
    let fits = |band: Heap| {
        // The blocks of a pair of bands are not adjacent in `keys`, since b rises and falls again with each a. So count
        // the blocks of each pair.
        let mut counts = std::collections::BTreeMap::new();
        for [a, b, ..] in keys {
            *counts.entry((a / band, b / band)).or_insert(0_u64) += 1;
        }
        counts.values().all(|&blocks| blocks <= cached / 2)
    };
    let mut band = 1;
    while band < Heap::MAX / 2 && fits(2 * band) {
        band *= 2;
    }
    // Try the middle between this power of two and the next.
    if fits(band + band / 2) { band + band / 2 } else { band }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_position_is_in_one_block_at_an_index_of_its_own() {
        for (count, layers, len) in [(1, 1, 1), (100, 3, 8), (64, 2, 64), (65, 1, 64), (7, 4, 1 << 20)] {
            let partition = ProofPartition::new(count, layers, 5).with_len(len);
            let mut next = 0;
            for block in 0..partition.all() as u32 {
                let (passes, first) = partition.first(block);
                for place in 0..partition.positions(block) {
                    assert_eq!((u64::from(passes), first + place), (next / count, next % count));
                    assert_eq!(partition.place(passes, first + place), (block as usize, place as usize));
                    next += 1;
                }
            }
            assert_eq!(next, count * layers);
        }
    }

    #[test]
    fn the_number_and_the_lengths_of_blocks_are_limited() {
        assert_eq!(ProofPartition::new(10_639_125_640, 1, 504).all(), 162_341);
        assert_eq!(ProofPartition::new(10_639_125_640, 1, 504).len(), 1 << 16);
        assert_eq!(ProofPartition::new(1 << 40, 1, 504).all(), MAX_BLOCKS);
        assert_eq!(ProofPartition::new(1 << 20, 1, 1_000_000).len(), MIN_LEN);
        assert_eq!(ProofPartition::new(100, 1, 10).all(), 1);
    }

    #[test]
    fn every_order_has_each_block_once() {
        let ranks = Ranks::try_new(&[9; 5]).unwrap();
        let partition = ProofPartition::new(ranks.count(), 2, 45).with_len(16);
        for cached in [0, 5, 20, 100, 10_000] {
            let mut order = partition.order(&ranks, cached).unwrap();
            order.sort_unstable();
            assert!(order.into_iter().eq(0..partition.all() as u32));
        }
    }
}
