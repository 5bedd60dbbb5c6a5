//! Numbers that any thread writes, in as few bytes as a game needs: for each line there are some, and nothing else takes so
//! much memory.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use bouton_tables::heaps::HeapRules;

/// A number of some width.
pub(super) trait Cell: Send + Sync {
    /// The greatest number.
    const MOST: u64;

    fn new(number: u64) -> Self;
    fn load(&self) -> u64;
    fn store(&self, number: u64);
}

macro_rules! cell {
    ($atomic:ty, $plain:ty) => {
        impl Cell for $atomic {
            const MOST: u64 = <$plain>::MAX as u64;

            #[inline(always)]
            fn new(number: u64) -> Self {
                Self::new(number as $plain)
            }

            #[inline(always)]
            fn load(&self) -> u64 {
                u64::from(self.load(Relaxed))
            }

            #[inline(always)]
            fn store(&self, number: u64) {
                self.store(number as $plain, Relaxed);
            }
        }
    };
}

cell!(AtomicU8, u8);
cell!(AtomicU16, u16);
cell!(AtomicU32, u32);
cell!(AtomicU64, u64);

/// How a depth and a number of stones stand in one cell: the depth above the stones, so that cells compare as depths do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// Bits of the stones.
    bits: u32,
}

impl Pair {
    #[inline(always)]
    pub(super) fn pack(self, depth: u32, stones: u32) -> u64 {
        u64::from(depth) << self.bits | u64::from(stones)
    }

    #[inline(always)]
    pub(super) fn depth(self, packed: u64) -> u32 {
        (packed >> self.bits) as u32
    }

    #[inline(always)]
    pub(super) fn stones(self, packed: u64) -> u32 {
        (packed & ((1 << self.bits) - 1)) as u32
    }
}

/// What the cells of a game must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Widths {
    /// Sizes in a byte, and pairs in two.
    Small,
    /// Sizes in a byte, and pairs in four.
    Long,
    /// Sizes in four bytes, and pairs in eight.
    Large,
}

impl Widths {
    pub(super) fn of(rules: &HeapRules) -> Self {
        let bits = Self::depth_bits(rules) + Self::pair(rules).bits;
        // The greatest number of a cell means that there is none.
        match u64::from(rules.greatest()) + 1 < AtomicU8::MOST {
            true if bits < u16::BITS => Self::Small,
            true if bits < u32::BITS => Self::Long,
            _ => Self::Large,
        }
    }

    /// Bytes of a size, and of a pair.
    pub(super) fn bytes(self) -> (u128, u128) {
        match self {
            Self::Small => (1, 2),
            Self::Long => (1, 4),
            Self::Large => (4, 8),
        }
    }

    pub(super) fn pair(rules: &HeapRules) -> Pair {
        Pair { bits: u32::BITS - rules.greatest().leading_zeros() }
    }

    /// Bits of a depth plus one. Each ply takes a stone or a pass.
    fn depth_bits(rules: &HeapRules) -> u32 {
        let stones: u64 = rules.bounds().iter().map(|&bound| u64::from(bound)).sum();
        let most = stones + u64::from(rules.passes()) + 1;
        u64::BITS - most.leading_zeros()
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::{Heap, HeapKeys};

    use super::*;

    #[test]
    fn cells_are_as_narrow_as_the_game_allows() {
        let widths = |bounds: &[Heap], passes| {
            let keys = HeapKeys { bounds: bounds.to_vec(), passes, ..Default::default() };
            Widths::of(&keys.rules().unwrap())
        };
        assert_eq!(widths(&[63; 8], 0), Widths::Small);
        // 510 stones, with 9 bits for each depth plus one: 7 plies fewer than that would need 10.
        assert_eq!(widths(&[63, 63, 63, 63, 63, 63, 63, 63, 6], 0), Widths::Small);
        assert_eq!(widths(&[63, 63, 63, 63, 63, 63, 63, 63, 7], 0), Widths::Long);
        assert_eq!(widths(&[63, 63, 63, 63, 63, 63, 63, 63, 6], 1), Widths::Long);
        assert_eq!(widths(&[127; 7], 0), Widths::Long);
        assert_eq!(widths(&[253], 0), Widths::Long);
        assert_eq!(widths(&[254], 0), Widths::Large);
        assert_eq!(widths(&[1_000_000_000; 16], 15), Widths::Large);
    }

    #[test]
    fn pairs_compare_by_depth_first() {
        let keys = HeapKeys { bounds: vec![63; 8], ..Default::default() };
        let pair = Widths::pair(&keys.rules().unwrap());
        let packed = pair.pack(505, 63);
        assert!(packed < AtomicU16::MOST);
        assert_eq!((pair.depth(packed), pair.stones(packed)), (505, 63));
        assert!(pair.pack(2, 63) < pair.pack(3, 0));
    }
}
