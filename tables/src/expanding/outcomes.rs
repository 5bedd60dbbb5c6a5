//! Reading outcome lines (FORMAT.md, section 4.3): which positions of a line are lost.

use std::num::NonZeroU32;

use super::mask::TakeMask;
use crate::format::{Body, Fault, Packed, low_bits, width_of};

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

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::*;
    use crate::format::forged;

    /// An outcome line as FORMAT.md describes it.
    #[derive(Clone)]
    struct Plain {
        /// Which of the first places are lost.
        head: Vec<bool>,
        marks: Vec<u32>,
        bucket: u32,
        shift: u32,
        run: u32,
        tail: bool,
    }

    impl Plain {
        fn is_lost(&self, x: u32) -> bool {
            let covers = |mark: &u32| (mark + self.shift..mark + self.shift + self.run).contains(&x);
            match self.head.get(x as usize) {
                Some(&lost) => lost,
                None => self.tail ^ self.marks.iter().any(covers),
            }
        }
    }

    /// The records of outcome lines.
    #[derive(Clone, Default)]
    struct Arrays {
        lines: Vec<[u64; 6]>,
        lists: Vec<[u64; 2]>,
        bits: Vec<[u64; 1]>,
    }

    impl Arrays {
        /// Adds bits, and gives the number of the first.
        fn bits(&mut self, bits: impl IntoIterator<Item = bool>) -> u64 {
            let first = self.bits.len() as u64;
            self.bits.extend(bits.into_iter().map(|bit| [u64::from(bit)]));
            first
        }

        /// Adds a line for the places below `end`.
        fn add(&mut self, line: &Plain, end: u32) {
            let head = self.bits(line.head.iter().copied());
            let width = width_of(line.bucket.into());
            let mark = |bucket: u32| {
                let begin = bucket * line.bucket;
                let mark = line.marks.iter().find(|&&mark| mark >= begin && mark - begin < line.bucket);
                let field = mark.map_or(line.bucket, |mark| mark - begin);
                (0..width).map(move |bit| field >> bit & 1 == 1)
            };
            let mut list = 0;
            if line.run > 0 {
                let first = self.bits((0..=end / line.bucket).flat_map(mark));
                self.lists.push([first, line.bucket.into()]);
                list = self.lists.len() as u64;
            }
            let own = line.head.len() as u64;
            self.lines.push([head, own, list, line.shift.into(), line.run.into(), line.tail.into()]);
        }

        fn open(&self) -> (Outcomes, Body<Vec<u8>>) {
            let body = forged::body(&[
                forged::records(self.lines.clone()),
                forged::records(self.lists.clone()),
                forged::records(self.bits.clone()),
            ]);
            let outcomes = Outcomes {
                lines: Packed::read(&body, 0).unwrap(),
                lists: Packed::read(&body, 1).unwrap(),
                bits: Packed::read(&body, 2).unwrap(),
            };
            (outcomes, body)
        }

        /// The first line, in a row in which moves of up to `stay` stones stay.
        fn first(&self, stay: u32) -> Result<OutcomeLine, Fault> {
            let (outcomes, body) = self.open();
            outcomes.line(&body, 0, stay)
        }
    }

    #[test]
    fn lines_read_back_place_by_place_and_move_by_move() {
        const END: u32 = 200;
        let head = |length: u32| (0..length).map(|x| x * x % 7 < 3).collect::<Vec<_>>();
        let plain = |head, run, tail| Plain { head, marks: vec![], bucket: 1, shift: 0, run, tail };
        let mut lines = vec![plain(head(150), 0, true), plain(head(5), 0, false), plain(vec![], 0, true)];
        for (bucket, run, marks) in [
            (5, 1, vec![0, 7, 14, 16, 24, 33, 45, 99, 100, 163, 198]),
            (5, 12, vec![2, 17, 33, 70, 150, 163]),
            (1, 1, vec![0, 1, 3, 160, 161, 199]),
            (64, 40, vec![0, 64, 130]),
            (300, 7, vec![170]),
        ] {
            for shift in [0, 1, 9] {
                for (length, tail) in [(0, false), (3, true), (130, false)] {
                    let marks = marks.clone();
                    lines.push(Plain { head: head(length), marks, bucket, shift, run, tail });
                }
            }
        }
        let mut arrays = Arrays::default();
        // A line without a list has no marks, whatever else it says of them.
        arrays.lines.push([0, 0, 0, 3, 5, 1]);
        lines.insert(0, plain(vec![], 0, true));
        // So that no line begins at the first bit.
        arrays.bits([true, false, true]);
        lines[1..].iter().for_each(|line| arrays.add(line, END));
        let (outcomes, body) = arrays.open();
        for (number, plain) in (0..).zip(&lines) {
            let line = outcomes.line(&body, number, 0).unwrap();
            let lost: Vec<bool> = (0..END).map(|x| plain.is_lost(x)).collect();
            for x in 0..END {
                assert_eq!(line.is_lost(&body, x), Ok(lost[x as usize]), "line {number} at {x}");
            }
            for x in 1..END {
                for reach in [1, 2, 7, 57, 63, 64, 65, 130, x].into_iter().filter(|&reach| reach <= x) {
                    let mut expected = [0_u64; 4];
                    for bit in (0..reach).filter(|bit| lost[(x - 1 - bit) as usize]) {
                        expected[bit as usize / 64] |= 1 << (bit % 64);
                    }
                    let mut mask = [0_u64; 4];
                    line.lost_below(&body, x, reach, &mut mask[..]).unwrap();
                    assert_eq!(mask, expected, "line {number} at {x}, {reach}");
                    let mut word = 0_u64;
                    if reach < 64 {
                        line.lost_below(&body, x, reach, &mut word).unwrap();
                        assert_eq!(word, mask[0], "line {number} at {x}, {reach}");
                    }
                }
            }
        }
    }

    /// One line with marks in buckets of this size, of which there are none.
    fn marked(bucket: u64, run: u64) -> Arrays {
        Arrays { lines: vec![[0, 0, 1, 0, run, 0]], lists: vec![[0, bucket]], bits: vec![[1]; 64] }
    }

    #[test]
    fn buckets_of_nothing_or_of_more_than_28_bits_are_refused() {
        assert!(marked(1, 1).first(0).is_ok());
        assert!(marked((1 << 28) - 1, 1).first(0).is_ok());
        for bucket in [0, 1 << 28, 1 << 32, 1 + (1 << 32)] {
            assert_eq!(marked(bucket, 1).first(0).unwrap_err(), Fault::Impossible, "{bucket}");
        }
    }

    #[test]
    fn more_than_32_buckets_for_an_answer_are_refused() {
        let arrays = marked(5, 60);
        assert!(arrays.first(100).is_ok());
        assert_eq!(arrays.first(101).unwrap_err(), Fault::Impossible);
        assert!(
            within_reach(u32::MAX, u32::MAX, 1 << 28) && !within_reach(u32::MAX, u32::MAX, (1 << 28) - 1)
        );
    }

    #[test]
    fn heads_lists_and_marks_that_are_not_there_are_refused() {
        let line = |[head, own, list]: [u64; 3], first: u64| {
            let mut arrays = marked(5, 1);
            arrays.lines[0][..3].copy_from_slice(&[head, own, list]);
            arrays.lists[0][0] = first;
            arrays.first(0)
        };
        assert!(line([3, 61, 1], 63).is_ok());
        // A head without places may be anywhere.
        assert!(line([65, 0, 1], 63).is_ok());
        for (fields, first) in [([3, 62, 1], 0), ([65, 1, 0], 0), ([0, 0, 2], 0), ([0, 0, 1], 64)] {
            assert_eq!(line(fields, first).unwrap_err(), Fault::Astray, "{fields:?} {first}");
        }
    }

    #[test]
    fn numbers_beyond_32_bits_are_refused() {
        // Each passed for 0 or 1 if its lowest bits were taken.
        for field in [3, 4] {
            let mut arrays = marked(5, 1);
            arrays.lines[0][field] += 1 << 32;
            assert_eq!(arrays.first(0).unwrap_err(), Fault::Impossible, "{field}");
        }
    }
}
