//! Reading verdict lines (FORMAT.md, section 4.4): depth and best move.

use std::hint::select_unpredictable;

use super::keys::MAX_STONES;
use super::outcomes::narrow;
use super::position::Move;
use crate::format::Packed;
use crate::format::low_bits;
use crate::format::{Body, Fault};

/// The arrays that hold verdict lines.
#[derive(Clone, Debug)]
pub(super) struct Verdicts {
    pub(super) lines: Packed<6>,
    pub(super) blocks: Packed<3>,
    pub(super) starts: Packed<1>,
    pub(super) values: Packed<1>,
    pub(super) steps: Packed<4>,
}

/// The most places that a block of a staircase spans (FORMAT.md, section 4.4), as a power of two: their numbers must fit 7 bits.
pub const MAX_SCALE: u32 = 7;
/// The most steps that begin within a block, besides the one at its beginning: two words have their places.
pub const MAX_STARTS: u64 = 16;

/// The most that each of the three parts of a depth can be: their sum, and one more, is a u32. No depth
/// exceeds the stones.
pub(super) const MAX_DEPTH: u64 = (1 << 30) - 1;
const _: () = assert!(MAX_STONES as u64 <= MAX_DEPTH && 3 * MAX_DEPTH < u32::MAX as u64);

/// One verdict line, ready to be asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct VerdictLine {
    /// The line's own staircase, and the one that tells from its end on.
    stairs: [Staircase; 2],
    shift: u32,
    deeper: u32,
}

/// Blocks that tell of the places from 0 to `end`.
#[derive(Clone, Copy, Debug)]
struct Staircase {
    block: u32,
    end: u32,
    scale: u8,
}

impl Verdicts {
    /// Line `class` of the row whose records, `classes` of them, begin at `row`.
    pub(super) fn line<D: AsRef<[u8]>>(
        &self,
        body: &Body<D>,
        row: u64,
        class: u64,
        classes: u64,
    ) -> Result<VerdictLine, Fault> {
        let [block, scale, own, other, shift, deeper] = self.lines.get(body, row + class)?;
        if other >= classes || deeper > MAX_DEPTH {
            return Err(Fault::Impossible);
        }
        let own = Staircase::new(block, scale, own)?;
        let [block, scale, end, ..] = self.lines.get(body, row + other)?;
        let other = Staircase::new(block, scale, end)?;
        Ok(VerdictLine { stairs: [own, other], shift: narrow(shift)?, deeper: narrow(deeper)? })
    }

    /// Depth and best move at `x` of a line.
    #[inline(always)]
    pub(super) fn get<D: AsRef<[u8]>>(
        &self,
        body: &Body<D>,
        line: &VerdictLine,
        x: u32,
    ) -> Result<(u32, Option<Move>), Fault> {
        // Without branches, since which staircase it is cannot be foreseen.
        let further = x >= line.stairs[0].end;
        let stairs = &line.stairs[usize::from(further)];
        let x = select_unpredictable(further, x.wrapping_sub(line.shift), x);
        let deeper = select_unpredictable(further, line.deeper, 0);
        if x >= stairs.end {
            return Err(Fault::Astray);
        }
        let block = u64::from(stairs.block) + u64::from(x >> stairs.scale);
        let [value, base, starts] = self.blocks.get(body, block)?;
        let place = u64::from(x & ((1 << stairs.scale) - 1));
        if value < block || starts > MAX_STARTS {
            return Err(Fault::Impossible);
        }
        // Every block begins one step that has no start, so that starts are fewer than values by one for each
        // block before.
        let at = self.starts.address(value - block, starts)? / 8;
        let starting = u128::from(body.word(at)?) | u128::from(body.word(at + 8)?) << 64;
        let begun = begun(starting, starts as u32, place);
        // The last start that has begun, or 0 if none has.
        let last = (starting >> (8 * begun.saturating_sub(1))) as u64 & if begun > 0 { 0x7F } else { 0 };
        let [step] = self.values.get(body, value + begun)?;
        let [depth, take, advance, reset] = self.steps.get(body, step)?;
        // Saturating, since a damaged block may have its starts in disorder.
        let take = take + advance * place.saturating_sub(last);
        let best = if take > 0 { Some(Move { take: narrow(take)?, reset: reset != 0 }) } else { None };
        Ok(((base + depth + u64::from(deeper)) as u32, best))
    }
}

impl Staircase {
    fn new(block: u64, scale: u64, end: u64) -> Result<Self, Fault> {
        if scale > u64::from(MAX_SCALE) {
            return Err(Fault::Impossible);
        }
        Ok(Self { block: narrow(block)?, end: narrow(end)?, scale: scale as u8 })
    }
}

/// How many of the lowest `n` bytes of `starts`, each below 128, are at most `place`, which is below 128 too.
///
/// A byte of `(place | 0x80) - start` keeps its top bit exactly if start <= place, and never borrows from its
/// neighbour.
#[inline(always)]
fn begun(starts: u128, n: u32, place: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let places = (place | 0x80) * ONES;
    let at_most = |word: u64, n: u32| ((places - (word & (0x7F * ONES))) >> 7) & ONES & low_bits(8 * n);
    let both = at_most(starts as u64, n.min(8)) + at_most((starts >> 64) as u64, n.saturating_sub(8));
    both.wrapping_mul(ONES) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begun_counts_the_starts_at_or_before_a_place() {
        let starts = [1, 2, 5, 30, 31, 64, 65, 66, 67, 80, 81, 99, 100, 125, 126, 127];
        let word = u128::from_le_bytes(starts);
        for n in 0..=16 {
            for place in 0..128 {
                let expected = starts[..n].iter().filter(|&&s| u64::from(s) <= place).count() as u64;
                assert_eq!(begun(word, n as u32, place), expected, "{n} {place}");
            }
        }
    }
}
