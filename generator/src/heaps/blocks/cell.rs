//! The state of a line as one signed number, its cell.
//!
//! - No position so far: 0.
//! - No lost position so far: positive. High bits: the greatest depth of its positions plus one. Low bits: the greatest
//!   size with this depth.
//! - With a lost position: negative. The minimum of the type, plus the depth (high bits) and the stones of the best try
//!   (low bits).
//!
//! So the minimum of the cells of all lines through a position says whether any line has a lost position, and which
//! depth is least. As this is a plain minimum, the loop over adjacent cells compiles to vector instructions.

use std::fmt::Debug;

use bouton_tables::heaps::HeapRules;
use bytemuck::Pod;

/// A number that files store in little-endian order.
pub(in super::super) trait FileNumber: Pod + Default {
    const BYTES: usize;

    fn put(numbers: &[Self], bytes: &mut [u8]);

    /// Reads all numbers in `bytes`.
    fn take(bytes: &[u8]) -> impl Iterator<Item = Self>;
}

macro_rules! stored {
    ($($number:ty)*) => {$(
        impl FileNumber for $number {
            const BYTES: usize = size_of::<Self>();

            fn put(numbers: &[Self], bytes: &mut [u8]) {
                for (bytes, number) in bytes.chunks_exact_mut(Self::BYTES).zip(numbers) {
                    bytes.copy_from_slice(&number.to_le_bytes());
                }
            }

            fn take(bytes: &[u8]) -> impl Iterator<Item = Self> {
                bytes.as_chunks().0.iter().map(|&bytes| Self::from_le_bytes(bytes))
            }
        }
    )*};
}

stored!(u8 u32 i16 i32 i64);

/// A signed number of some width.
pub(super) trait LineCell: FileNumber + Copy + Ord + Default + Debug + Send + Sync + 'static {
    /// More than any cell.
    const MAX: Self;
    /// Less than any cell, or the same.
    const MIN: Self;

    fn new(number: i64) -> Self;
    fn get(self) -> i64;

    /// Returns the contribution to its lines of a won position whose best move leads to a lost position with this cell:
    /// its depth plus one, above 0 stones.
    fn reply(self, code: LineCode<Self>) -> Self;

    /// Both numbers in one, which have no bits in common.
    fn with(self, other: Self) -> Self;

    /// The sum.
    fn plus(self, other: Self) -> Self;
}

/// The layout of a cell: a depth above a number of stones.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineCode<C> {
    /// Bits of the stones.
    bits: u32,
    /// All other bits.
    depth: C,
    /// Two plies.
    two: C,
}

impl<C: LineCell> LineCode<C> {
    pub(super) fn new(rules: &HeapRules) -> Self {
        let bits = stone_bits(rules);
        Self { bits, depth: C::new(-1 << bits), two: C::new(2 << bits) }
    }

    /// Returns the cell of a line whose lost position has this depth, and whose best try takes `stones` stones.
    pub(super) fn lost_cell(self, depth: u32, stones: u32) -> C {
        C::new(-C::MAX.get() - 1 + (i64::from(depth) << self.bits | i64::from(stones)))
    }

    /// Returns depth and stones of a negative cell.
    pub(super) fn read_lost(self, cell: C) -> (u32, u32) {
        self.split(cell.get() + C::MAX.get() + 1)
    }

    /// A depth plus one, above a size.
    pub(super) fn won_cell(self, depth: u32, size: u32) -> C {
        C::new((i64::from(depth) + 1) << self.bits | i64::from(size))
    }

    /// The depth plus one, and the size, of a cell that is not negative.
    pub(super) fn read_won(self, cell: C) -> (u32, u32) {
        self.split(cell.get())
    }

    fn split(self, number: i64) -> (u32, u32) {
        ((number >> self.bits) as u32, (number & ((1 << self.bits) - 1)) as u32)
    }
}

macro_rules! cell {
    ($number:ty) => {
        impl LineCell for $number {
            const MAX: Self = <$number>::MAX;
            const MIN: Self = <$number>::MIN;

            #[inline(always)]
            fn new(number: i64) -> Self {
                number as Self
            }

            #[inline(always)]
            fn get(self) -> i64 {
                self.into()
            }

            #[inline(always)]
            fn reply(self, code: LineCode<Self>) -> Self {
                ((self ^ <$number>::MIN) & code.depth).wrapping_add(code.two)
            }

            #[inline(always)]
            fn with(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
        }
    };
}

cell!(i16);
cell!(i32);
cell!(i64);

/// Bits of a number of stones.
fn stone_bits(rules: &HeapRules) -> u32 {
    u32::BITS - rules.greatest().leading_zeros()
}

/// How wide the numbers are that a line takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineWidth {
    /// Cells of two bytes, sizes of one.
    Small,
    /// Cells of four bytes, sizes of one.
    Long,
    /// Cells of eight bytes, sizes of four.
    Large,
}

impl LineWidth {
    /// The least that are enough.
    pub(super) fn of(rules: &HeapRules) -> Self {
        let stones: u64 = rules.bounds().iter().map(|&bound| u64::from(bound)).sum();
        // Each ply takes a stone or a pass. Two more are added on the way.
        let most = stones + u64::from(rules.passes()) + 2;
        let bits = 1 + (u64::BITS - most.leading_zeros()) + stone_bits(rules);
        match u8::try_from(rules.greatest()) {
            Ok(_) if bits <= i16::BITS => Self::Small,
            Ok(_) if bits <= i32::BITS => Self::Long,
            _ => Self::Large,
        }
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::{Heap, HeapKeys};

    use super::*;

    fn rules(bounds: &[Heap], passes: u32) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), passes, ..Default::default() }.rules().unwrap()
    }

    #[test]
    fn cells_are_as_narrow_as_the_game_allows() {
        let width = |bounds: &[Heap], passes| LineWidth::of(&rules(bounds, passes));
        assert_eq!(width(&[63; 8], 0), LineWidth::Small);
        // 509 stones, with nine bits for two plies more.
        assert_eq!(width(&[63, 63, 63, 63, 63, 63, 63, 63, 5], 0), LineWidth::Small);
        assert_eq!(width(&[63, 63, 63, 63, 63, 63, 63, 63, 6], 0), LineWidth::Long);
        assert_eq!(width(&[63, 63, 63, 63, 63, 63, 63, 63, 5], 1), LineWidth::Long);
        assert_eq!(width(&[127; 7], 0), LineWidth::Long);
        assert_eq!(width(&[255], 0), LineWidth::Long);
        assert_eq!(width(&[256], 0), LineWidth::Large);
        assert_eq!(width(&[1_000_000_000; 16], 15), LineWidth::Large);
    }

    /// All that a cell can hold, in the narrowest that must hold it.
    fn check_all_cells<C: LineCell>(bounds: &[Heap]) {
        let rules = rules(bounds, 0);
        let (code, stones): (LineCode<C>, u32) = (LineCode::new(&rules), bounds.iter().sum());
        let mut before = C::MIN;
        for depth in [0, 1, stones - 1, stones] {
            for size in [0, 1, rules.greatest()] {
                let lost = code.lost_cell(depth, size);
                assert!(lost < C::default() && lost >= before, "a greater depth is a greater cell");
                assert_eq!(code.read_lost(lost), (depth, size));
                before = lost;
                let reply = lost.reply(code);
                assert!(reply > C::default());
                assert_eq!(code.read_won(reply.with(C::new(size.into()))), (depth + 2, size));
            }
        }
    }

    #[test]
    fn cells_hold_every_depth_and_size() {
        check_all_cells::<i16>(&[63; 8]);
        check_all_cells::<i16>(&[63, 63, 63, 63, 63, 63, 63, 63, 5]);
        check_all_cells::<i32>(&[127; 7]);
        check_all_cells::<i64>(&[1_000_000; 3]);
    }
}
