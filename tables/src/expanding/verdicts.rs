//! Reading verdict lines (FORMAT.md, section 4.4): depth and best move.

use super::position::Move;
use crate::Damage;
use crate::bits::low_bits;
use crate::format::Body;
use crate::packed::Packed;

/// The arrays that hold verdict lines.
#[derive(Clone, Debug)]
pub(super) struct Verdicts {
    pub(super) lines: Packed<6>,
    pub(super) blocks: Packed<3>,
    pub(super) starts: Packed<1>,
    pub(super) values: Packed<4>,
}

/// The most places that a block of a staircase spans, as a power of two: their numbers must fit 7 bits.
pub(super) const MAX_SCALE: u32 = 7;
/// The most steps that begin within a block, besides the one at its beginning: one word has their places.
pub(super) const MAX_STARTS: u64 = 8;

impl Verdicts {
    /// Depth and best move at `x` of line `class` of the row whose records begin at `row`.
    #[inline]
    pub(super) fn get<D: AsRef<[u8]>>(
        &self,
        body: &Body<D>,
        row: u64,
        class: u64,
        x: u64,
    ) -> Result<(u32, Option<Move>), Damage> {
        let [block, scale, own, other, shift, deeper] = self.lines.get(body, row + class)?;
        if x < own {
            return self.step(body, block, scale, x, 0);
        }
        let [block, scale, own, ..] = self.lines.get(body, row + other)?;
        match x.checked_sub(shift) {
            Some(x) if x < own => self.step(body, block, scale, x, deeper),
            _ => Err(Damage::new("a line of depths refers to one that does not reach so far")),
        }
    }

    #[inline]
    fn step<D: AsRef<[u8]>>(
        &self,
        body: &Body<D>,
        block: u64,
        scale: u64,
        x: u64,
        deeper: u64,
    ) -> Result<(u32, Option<Move>), Damage> {
        if scale > u64::from(MAX_SCALE) {
            return Err(Damage::new("a block of depths is too long"));
        }
        let block = block + (x >> scale);
        let [value, base, starts] = self.blocks.get(body, block)?;
        let place = x & low_bits(scale as u32);
        let (Some(first), true) = (value.checked_sub(block), starts <= MAX_STARTS) else {
            return Err(Damage::new("a block of depths has impossible steps"));
        };
        let (mut step, mut since) = (value, place);
        if starts > 0 {
            let word = body.word(self.starts.address(first, starts)? / 8)?;
            let begun = begun(word, starts as u32, place);
            if begun > 0 {
                step += begun;
                // Saturating, since a damaged block may have its starts in disorder.
                since = place.saturating_sub(word >> (8 * (begun - 1)) & 0x7F);
            }
        }
        let [depth, take, advance, reset] = self.values.get(body, step)?;
        let take = take + advance * since;
        let best = (take > 0).then_some(Move { take: take as u32, reset: reset != 0 });
        Ok(((base + depth + deeper) as u32, best))
    }
}

/// How many of the lowest `n` bytes of `starts`, each below 128, are at most `place`, which is below 128 too.
///
/// A byte of `(place | 0x80) - start` keeps its top bit exactly if start <= place, and never borrows from its neighbour.
#[inline]
fn begun(starts: u64, n: u32, place: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let differences = ((place | 0x80) * ONES) - (starts & (0x7F * ONES));
    let at_most = (differences >> 7) & ONES & low_bits(8 * n);
    (at_most.wrapping_mul(ONES)) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begun_counts_the_starts_at_or_before_a_place() {
        let starts = [1, 2, 5, 30, 31, 64, 126, 127];
        let word = u64::from_le_bytes(starts);
        for n in 0..=8 {
            for place in 0..128 {
                let expected = starts[..n].iter().filter(|&&s| u64::from(s) <= place).count() as u64;
                assert_eq!(begun(word, n as u32, place), expected, "{n} {place}");
            }
        }
    }
}
