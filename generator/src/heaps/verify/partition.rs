//! The partition of positions into blocks for the proof, and the order in which blocks are checked.
//!
//! A *block* is a run of positions with consecutive ranks and the same number of passes left. All blocks have the same
//! length, except the last one for each number of passes. As ranks are ordered by the greatest heap first, the
//! positions of a block share their greatest heaps, or nearly.
//!
//! A position (a, b, c, ...) leads to others that agree in all heaps except one. So positions that are near in the
//! first heaps need nearly the same verdicts. If a band of a's and a band of b's are checked together, one c after the
//! other, the verdicts for the other a's and b's are computed once for the whole band. Bands are as broad as memory
//! allows, as in `blocks::plan`.

use bouton_tables::heaps::{Heap, Heaps, Ranks};

use crate::GenerateError;
use crate::memory::room;

/// Maximum positions of a block: verdicts of some hundred KiB, and over a tenth of a second of work.
const MAX_LEN: u64 = 1 << 16;
/// Minimum: fewer positions are too little work to deal out.
const MIN_LEN: u64 = 1 << 10;
/// Moves tried for a block: games with many moves get shorter blocks.
const MOVES_PER_BLOCK: u64 = 1 << 25;
/// Maximum number of blocks; beyond this, blocks become longer.
const MAX_BLOCKS: u64 = 1 << 18;

/// How the positions of a game are cut into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofPartition {
    /// Positions for each number of passes left.
    count: u64,
    /// The length of a block is this power of two.
    power: u32,
    /// Blocks for each of these.
    of_layer: u64,
    /// Number of layers: one for each number of passes left.
    layers: u64,
}

impl ProofPartition {
    /// Returns the partition of a game with `count` positions in each of `layers` layers, and at most `moves` moves
    /// from a position.
    pub(super) fn new(count: u64, layers: u64, moves: u64) -> Self {
        let longest = (MOVES_PER_BLOCK / moves.max(1)).clamp(MIN_LEN, MAX_LEN);
        let mut partition = Self { count, power: 0, of_layer: count, layers }.with_power(longest.ilog2());
        while partition.all() > MAX_BLOCKS {
            partition = partition.with_power(partition.power + 1);
        }
        partition
    }

    /// The same with blocks of a given length, which is rounded up to a power of two.
    pub(super) fn with_len(self, len: u64) -> Self {
        let power = len.clamp(1, 1 << 30).next_power_of_two().ilog2();
        let partition = self.with_power(power);
        // Blocks are numbered in 32 bits.
        if partition.all() > u64::from(u32::MAX) { self } else { partition }
    }

    fn with_power(self, power: u32) -> Self {
        Self { power, of_layer: self.count.div_ceil(1 << power), ..self }
    }

    /// Positions of a block, except the last one of a layer.
    pub(super) fn len(&self) -> u64 {
        1 << self.power
    }

    /// Positions of the longest block.
    pub(super) fn longest(&self) -> u64 {
        self.len().min(self.count)
    }

    /// All blocks.
    pub(super) fn all(&self) -> u64 {
        self.of_layer.saturating_mul(self.layers)
    }

    /// Returns the number of blocks in two layers, which contain the successors of one layer.
    pub(super) fn of_two_layers(&self) -> u64 {
        self.of_layer.saturating_mul(self.layers.min(2))
    }

    /// The number of passes that positions of a block have left, and the least of their ranks.
    pub(super) fn first(&self, block: u32) -> (u8, u64) {
        let (layer, in_layer) = (u64::from(block) / self.of_layer, u64::from(block) % self.of_layer);
        (layer as u8, in_layer << self.power)
    }

    pub(super) fn positions(&self, block: u32) -> u64 {
        let (_, first) = self.first(block);
        self.len().min(self.count - first)
    }

    /// The block of a position, by its passes and its rank, and its place there.
    #[inline(always)]
    pub(super) fn place(&self, passes: u8, rank: u64) -> (usize, usize) {
        let block = u64::from(passes) * self.of_layer + (rank >> self.power);
        (block as usize, (rank & (self.len() - 1)) as usize)
    }

    /// Returns all blocks in the order for a cache of `held` blocks.
    pub(super) fn order(&self, ranks: &Ranks, cached: u64) -> Result<Vec<u32>, GenerateError> {
        let all = self.all();
        let mut order = room(all)?;
        order.extend(0..all as u32);
        if cached < self.of_two_layers() {
            let mut keys: Vec<[Heap; 4]> = room(self.of_layer)?;
            let first = |block| four_greatest(&ranks.unrank(self.first(block).1));
            keys.extend((0..self.of_layer as u32).map(first));
            let band = broadest(&keys, cached);
            let key = |&block: &u32| {
                let in_layer = u64::from(block) % self.of_layer;
                let [a, b, c, d] = keys[in_layer as usize];
                (u64::from(block) / self.of_layer, a / band, b / band, c, d, block)
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

/// Returns the greatest breadth of bands whose blocks take at most half of the `held` cached blocks. `keys` are the
/// greatest heaps of each block, in order.
fn broadest(keys: &[[Heap; 4]], cached: u64) -> Heap {
    let fits = |band: Heap| {
        // Blocks in the same band of a's are adjacent, but those in the same band of b's are not: count each.
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
    // Between two powers of two once more.
    if fits(band + band / 2) { band + band / 2 } else { band }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_position_has_a_place_of_its_own() {
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
    fn blocks_are_neither_too_many_nor_too_much_work() {
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
