//! The state of a line as one signed number, its cell, for tables with depths:
//!
//! - No position so far: 0.
//! - No lost position so far: positive. High bits: the greatest depth of the line's positions, plus one. Low bits: the
//!   greatest size with this depth.
//! - With a lost position: negative. The minimum of the type, plus the depth (high bits) and the stones of the best
//!   move (low bits).
//!
//! So the minimum of the cells of all lines through a position says whether any line has a lost position, and which
//! depth is least. As this is a plain minimum, the loop over adjacent cells compiles to vector instructions. Example
//! with 16 bits, 6 of them for stones: depth 2 and size 5 make the cell 3 * 64 + 5 = 197 without a lost position, and
//! -32768 + 2 * 64 + 5 with one whose best move takes 5 stones.

use bouton_tables::heaps::HeapRules;

use crate::heaps::frame::numbers::Number;

/// The layout of a cell: a depth above a number of stones.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineCode<C> {
    /// Number of low bits.
    bits: u32,
    /// Mask of the high bits.
    depth: C,
    /// Two plies, in the high bits.
    two: C,
}

impl<C: Number> LineCode<C> {
    pub(super) fn new(rules: &HeapRules) -> Self {
        let bits = stone_bits(rules);
        Self { bits, depth: C::new(-1 << bits), two: C::new(2 << bits) }
    }

    /// Returns the cell of a line whose lost position has this depth, and whose best move takes `stones` stones.
    pub(super) fn lost_cell(self, depth: u32, stones: u32) -> C {
        C::new(-C::MAX.get() - 1 + (i64::from(depth) << self.bits | i64::from(stones)))
    }

    /// Returns the depth and the stones in a negative cell.
    pub(super) fn read_lost(self, cell: C) -> (u32, u32) {
        self.split(cell.get() + C::MAX.get() + 1)
    }

    /// Returns the cell of a line whose positions are won, with this greatest depth at this size.
    pub(super) fn won_cell(self, depth: u32, size: u32) -> C {
        C::new((i64::from(depth) + 1) << self.bits | i64::from(size))
    }

    /// Returns the depth plus one, and the size, in a cell that is not negative.
    pub(super) fn read_won(self, cell: C) -> (u32, u32) {
        self.split(cell.get())
    }

    /// Returns the contribution of a won position to the cells of its lines, if its best move leads to the lost position
    /// with this cell: its depth plus one in the high bits, 0 in the low bits.
    #[inline(always)]
    pub(super) fn reply(self, cell: C) -> C {
        ((cell ^ C::MIN) & self.depth).plus(self.two)
    }

    fn split(self, number: i64) -> (u32, u32) {
        ((number >> self.bits) as u32, (number & ((1 << self.bits) - 1)) as u32)
    }
}

/// Returns the bits that a size of a heap needs.
fn stone_bits(rules: &HeapRules) -> u32 {
    u32::BITS - rules.greatest_bound().leading_zeros()
}

/// Returns the bytes of a cell, and of a size of a heap: the least that are enough for a game.
pub(super) fn widths(rules: &HeapRules, depths: bool) -> [usize; 2] {
    if !depths {
        // A cell is 0 or one more than a size. There are no separate sizes.
        return [if rules.greatest_bound() < u8::MAX.into() { 1 } else { 4 }, 0];
    }
    let is_small = rules.greatest_bound() <= u8::MAX.into();
    let stones: u64 = rules.bounds().iter().map(|&bound| u64::from(bound)).sum();
    // Each ply takes a stone or a pass. `reply` adds two.
    let max_depth = stones + u64::from(rules.passes()) + 2;
    let bits = 1 + (u64::BITS - max_depth.leading_zeros()) + stone_bits(rules);
    match bits {
        ..=16 if is_small => [2, 1],
        ..=32 if is_small => [4, 1],
        _ => [8, 4],
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
        let width = |bounds: &[Heap], passes| widths(&rules(bounds, passes), true);
        assert_eq!(width(&[63; 8], 0), [2, 1]);
        // 509 stones: with two more plies, depths need nine bits.
        assert_eq!(width(&[63, 63, 63, 63, 63, 63, 63, 63, 5], 0), [2, 1]);
        assert_eq!(width(&[63, 63, 63, 63, 63, 63, 63, 63, 6], 0), [4, 1]);
        assert_eq!(width(&[63, 63, 63, 63, 63, 63, 63, 63, 5], 1), [4, 1]);
        assert_eq!(width(&[127; 7], 0), [4, 1]);
        assert_eq!(width(&[255], 0), [4, 1]);
        assert_eq!(width(&[256], 0), [8, 4]);
        assert_eq!(width(&[1_000_000_000; 16], 15), [8, 4]);
    }

    /// Checks the least and greatest numbers that a cell of type `C` can hold, in a game with these bounds.
    fn check_all_cells<C: Number>(bounds: &[Heap]) {
        let rules = rules(bounds, 0);
        let (code, stones): (LineCode<C>, u32) = (LineCode::new(&rules), bounds.iter().sum());
        let mut before = C::MIN;
        for depth in [0, 1, stones - 1, stones] {
            for size in [0, 1, rules.greatest_bound()] {
                let lost = code.lost_cell(depth, size);
                assert!(lost < C::default() && lost >= before, "a greater depth is a greater cell");
                assert_eq!(code.read_lost(lost), (depth, size));
                before = lost;
                let reply = code.reply(lost);
                assert!(reply > C::default());
                assert_eq!(code.read_won(reply | C::new(size.into())), (depth + 2, size));
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
