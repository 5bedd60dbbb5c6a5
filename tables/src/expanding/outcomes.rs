//! Reading outcome lines (FORMAT.md, section 4.3): which positions of a line are lost.

use super::mask::TakeMask;
use crate::Damage;
use crate::bits::{low_bits, width_of};
use crate::format::Body;
use crate::packed::Packed;

/// The arrays that hold outcome lines.
#[derive(Clone, Debug)]
pub(super) struct Outcomes {
    pub(super) lines: Packed<6>,
    pub(super) lists: Packed<2>,
    pub(super) bits: Packed<1>,
}

/// One outcome line, ready to be asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutcomeLine {
    head: u64,
    /// From here on `tail` and the marks tell.
    own: u64,
    tail: bool,
    marks: Option<Marks>,
}

#[derive(Clone, Copy, Debug)]
struct Marks {
    /// Bit address of the first bucket.
    first: u64,
    bucket: u64,
    width: u32,
    shift: u64,
    run: u64,
}

/// The number of bits fetched from a head at once.
const CHUNK: u64 = 56;

impl Outcomes {
    /// The line of record `index`.
    #[inline]
    pub(super) fn line<D: AsRef<[u8]>>(&self, body: &Body<D>, index: u64) -> Result<OutcomeLine, Damage> {
        let [head, own, list, shift, run, tail] = self.lines.get(body, index)?;
        let marks = if list == 0 {
            None
        } else {
            let [first, bucket] = self.lists.get(body, list - 1)?;
            if bucket == 0 {
                return Err(Damage::new("a list of marks has buckets of no size"));
            }
            // The sum cannot overflow: both are below 2^33 bits times the body's length.
            Some(Marks { first: self.bits.address(first, 1)?, bucket, width: width_of(bucket), shift, run })
        };
        Ok(OutcomeLine { head, own, tail: tail != 0, marks })
    }

    /// Whether the position at `x` of a line is lost.
    #[inline]
    pub(super) fn is_lost<D: AsRef<[u8]>>(&self, body: &Body<D>, line: &OutcomeLine, x: u64) -> Result<bool, Damage> {
        let mut mask = 0_u64;
        self.lost_below(body, line, x + 1, 1, &mut mask)?;
        Ok(mask != 0)
    }

    /// Sets bit `k - 1` of `mask` for each k from 1 to `reach` for which the position at `x - k` is lost.
    /// `reach` is at most x, and the bits are clear before.
    #[inline]
    pub(super) fn lost_below<D: AsRef<[u8]>, M: TakeMask + ?Sized>(
        &self,
        body: &Body<D>,
        line: &OutcomeLine,
        x: u64,
        reach: u64,
        mask: &mut M,
    ) -> Result<(), Damage> {
        let low = x - reach;
        if x > line.own {
            // The tail: the places from `from` to x - 1.
            let from = low.max(line.own);
            if line.tail {
                mask.fill(0, narrow(x - from), true);
            }
            if let Some(marks) = &line.marks {
                marks.paint(body, from, x, !line.tail, mask)?;
            }
        }
        if low < line.own {
            self.head_below(body, line, low, x, mask)?;
        }
        Ok(())
    }

    /// The part of [`lost_below`](Self::lost_below) that the head tells: the places from `low` to the line's own end.
    fn head_below<D: AsRef<[u8]>, M: TakeMask + ?Sized>(
        &self,
        body: &Body<D>,
        line: &OutcomeLine,
        low: u64,
        x: u64,
        mask: &mut M,
    ) -> Result<(), Damage> {
        let high = x.min(line.own);
        let first = self.bits.address(line.head.saturating_add(low), high - low)?;
        let mut at = low;
        while at < high {
            let n = (high - at).min(CHUNK);
            let address = first + (at - low);
            let bits = (body.word(address / 8)? >> (address % 8)) & low_bits(narrow(n));
            // Upwards along the line is downwards in stones taken.
            mask.set(narrow(x - at - n), bits.reverse_bits() >> (64 - n));
            at += n;
        }
        Ok(())
    }
}

impl Marks {
    /// Gives the places in `[from, x)` that a mark covers the value `value`.
    #[inline]
    fn paint<D: AsRef<[u8]>, M: TakeMask + ?Sized>(
        &self,
        body: &Body<D>,
        from: u64,
        x: u64,
        value: bool,
        mask: &mut M,
    ) -> Result<(), Damage> {
        // A mark y covers [y + shift, y + shift + run): of interest are those from `least` to `most`.
        let Some(most) = (x - 1).checked_sub(self.shift) else { return Ok(()) };
        let least = (from + 1).saturating_sub(self.shift + self.run);
        for bucket in least / self.bucket..=most / self.bucket {
            let address = self.first + bucket * u64::from(self.width);
            let mark = (body.word(address / 8)? >> (address % 8)) & low_bits(self.width);
            if mark < self.bucket {
                let start = (bucket * self.bucket + mark + self.shift).max(from);
                let end = (bucket * self.bucket + mark + self.shift + self.run).min(x);
                if start < end {
                    mask.fill(narrow(x - end), narrow(x - start), value);
                }
            }
        }
        Ok(())
    }
}

/// A distance along a line, which is at most the number of stones.
#[inline]
fn narrow(distance: u64) -> u32 {
    distance as u32
}
