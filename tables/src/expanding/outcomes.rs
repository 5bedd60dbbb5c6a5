//! Reading outcome lines (FORMAT.md, section 4.3): which positions of a line are lost.

use std::num::NonZeroU32;

use super::mask::TakeMask;
use crate::format::Packed;
use crate::format::{Body, Fault};
use crate::format::{low_bits, width_of};

/// The arrays that hold outcome lines.
#[derive(Clone, Debug)]
pub(super) struct Outcomes {
    pub(super) lines: Packed<6>,
    pub(super) lists: Packed<2>,
    pub(super) bits: Packed<1>,
}

/// One outcome line, ready to be asked. Kept small, since a long game has thousands of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutcomeLine {
    /// Bit address of the head.
    head: u64,
    /// Bit address of the first bucket of the list of marks. A line without marks has a run of 0.
    first: u64,
    /// From here on the tail and its marks tell.
    own: u32,
    shift: u32,
    run: u32,
    bucket: NonZeroU32,
    /// Width of a bucket's field.
    width: u8,
    tail: bool,
}

/// The widest field of a bucket (FORMAT.md, section 4.3): two of them fit what is fetched at once.
pub const MAX_BUCKET_WIDTH: u32 = 28;

/// The most buckets that an answer looks at in a line.
pub const MAX_BUCKETS: u32 = 32;

/// Whether an answer looks at no more than [`MAX_BUCKETS`] buckets, in a row in which moves of up to `stay` stones
/// stay, for marks of this run in buckets of this size.
#[must_use]
pub fn within_reach(stay: u32, run: u32, bucket: u32) -> bool {
    u64::from(stay) + u64::from(run) <= u64::from(MAX_BUCKETS) * u64::from(bucket)
}

/// The number of bits fetched from a head at once.
const CHUNK: u64 = 56;

impl Outcomes {
    /// The line of record `index`, in a row in which moves of up to `stay` stones stay.
    pub(super) fn line<D: AsRef<[u8]>>(
        &self,
        body: &Body<D>,
        index: u64,
        stay: u32,
    ) -> Result<OutcomeLine, Fault> {
        let [head, own, list, shift, run, tail] = self.lines.get(body, index)?;
        let head = if own == 0 { 0 } else { self.bits.address(head, own)? };
        let [own, shift, run] = [narrow(own)?, narrow(shift)?, narrow(run)?];
        let line = OutcomeLine {
            head,
            first: 0,
            own,
            shift,
            run,
            bucket: NonZeroU32::MAX,
            width: 0,
            tail: tail != 0,
        };
        if list == 0 {
            return Ok(OutcomeLine { run: 0, ..line });
        }
        let [first, bucket] = self.lists.get(body, list - 1)?;
        let width = width_of(bucket);
        let fits = |bucket: &NonZeroU32| width <= MAX_BUCKET_WIDTH && within_reach(stay, run, bucket.get());
        let bucket = NonZeroU32::new(bucket as u32).filter(fits).ok_or(Fault::Impossible)?;
        let first = self.bits.address(first, 1)?;
        Ok(OutcomeLine { first, bucket, width: width as u8, ..line })
    }
}

/// A field that cannot be as great as it has room for.
pub(super) fn narrow(field: u64) -> Result<u32, Fault> {
    u32::try_from(field).map_err(|_| Fault::Impossible)
}

impl OutcomeLine {
    /// Whether the position at `x` is lost.
    #[inline(always)]
    pub(super) fn is_lost<D: AsRef<[u8]>>(&self, body: &Body<D>, x: u32) -> Result<bool, Fault> {
        let mut mask = 0_u64;
        self.lost_below(body, x + 1, 1, &mut mask)?;
        Ok(mask != 0)
    }

    /// Sets bit `k - 1` of `mask` for each k from 1 to `reach` for which the position at `x - k` is lost.
    /// `reach` is from 1 to x, and the bits are clear before.
    #[inline(always)]
    pub(super) fn lost_below<D: AsRef<[u8]>, M: TakeMask + ?Sized>(
        &self,
        body: &Body<D>,
        x: u32,
        reach: u32,
        mask: &mut M,
    ) -> Result<(), Fault> {
        let (low, x, own) = (u64::from(x - reach), u64::from(x), u64::from(self.own));
        if low >= own {
            return self.tail_below(body, low, x, mask);
        }
        if x > own {
            self.tail_below(body, own, x, mask)?;
        }
        self.head_below(body, low, x, mask)
    }

    /// The part of [`lost_below`](Self::lost_below) that the tail tells: the places from `low` to `x - 1`.
    #[inline(always)]
    fn tail_below<D: AsRef<[u8]>, M: TakeMask + ?Sized>(
        &self,
        body: &Body<D>,
        low: u64,
        x: u64,
        mask: &mut M,
    ) -> Result<(), Fault> {
        mask.flip(0, if self.tail { (x - low) as u32 } else { 0 });
        if self.run == 0 {
            return Ok(());
        }
        // A mark y covers [y + shift, y + shift + run): those from `least` to `most` reach into the places.
        let (shift, run) = (u64::from(self.shift), u64::from(self.run));
        let Some(most) = (x - 1).checked_sub(shift) else { return Ok(()) };
        let least = (low + 1).saturating_sub(shift + run).min(most);
        // In u32, whose division is fast: it is at most x.
        let mut bucket = u64::from(least as u32 / self.bucket);
        loop {
            // Marks are mostly as far apart as a move reaches: two buckets, fetched at once, are nearly
            // always all.
            let bits = body.bits(self.first + bucket * u64::from(self.width))?;
            self.flip_mark(bucket, bits, low, x, mask);
            self.flip_mark(bucket + 1, bits >> self.width, low, x, mask);
            bucket += 2;
            if bucket * u64::from(self.bucket.get()) > most {
                return Ok(());
            }
        }
    }

    /// Turns over the places in `[low, x)` that the mark in a bucket covers, if there is one.
    #[inline(always)]
    fn flip_mark<M: TakeMask + ?Sized>(&self, bucket: u64, bits: u64, low: u64, x: u64, mask: &mut M) {
        let size = u64::from(self.bucket.get());
        let mark = bits & ((1 << self.width) - 1);
        let run = if mark < size { u64::from(self.run) } else { 0 };
        let start = bucket * size + mark + u64::from(self.shift);
        let end = (start + run).max(low).min(x);
        mask.flip((x - end) as u32, (x - start.max(low).min(x)) as u32);
    }

    /// The part of [`lost_below`](Self::lost_below) that the head tells: the places from `low` to the line's
    /// own end.
    #[inline(never)]
    fn head_below<D: AsRef<[u8]>, M: TakeMask + ?Sized>(
        &self,
        body: &Body<D>,
        low: u64,
        x: u64,
        mask: &mut M,
    ) -> Result<(), Fault> {
        let high = x.min(u64::from(self.own));
        let mut at = low;
        while at < high {
            let n = (high - at).min(CHUNK);
            let bits = body.bits(self.head + at)? & low_bits(n as u32);
            // Upwards along the line is downwards in stones taken.
            mask.set((x - at - n) as u32, bits.reverse_bits() >> (64 - n));
            at += n;
        }
        Ok(())
    }
}
