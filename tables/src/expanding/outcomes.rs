//! The reader of outcome lines, which say which places of a line are lost (FORMAT.md, section 4.3).
//!
//! The *head* of a line has one bit for each of the first `own` places. In the *tail*, all outcomes are equal except in
//! runs of `run` places, which begin `shift` places after each *mark*: with the marks 7 and 15, shift 2 and run 3, the
//! places 9 to 11 and 17 to 19. The marks are in *buckets*, ranges of equal size, which store the first mark and the
//! gaps to further ones. A query visits the few buckets whose runs can reach its places.

use std::num::NonZeroU32;

use super::mask::{SHORT, TakeMask};
use crate::format::{Body, Fault, Packed, low_bits};

#[derive(Clone, Debug)]
pub(super) struct OutcomeArrays {
    /// The lines: head, own, list, shift, run, tail.
    pub(super) lines: Packed<6>,
    /// The lists of marks: first, bucket, width, least, gap, gaps.
    pub(super) lists: Packed<6>,
    /// The pool of bits, in which heads and buckets are stored.
    pub(super) bits: Packed<1>,
}

/// The form of the buckets of a list of marks.
#[derive(Clone, Copy, Debug)]
struct BucketForm {
    /// Number of places that a bucket spans.
    bucket: NonZeroU32,
    /// The least distance between marks.
    least: NonZeroU32,
    /// Number of gaps in a bucket.
    gaps: u32,
    /// Number of bits of a bucket.
    stride: u8,
    /// Number of bits of the first mark.
    width: u8,
    /// Number of bits of a gap.
    gap: u8,
}

/// Maximum number of bits of a bucket: two words hold this many from any bit of a byte.
pub const MAX_BUCKET_BITS: u32 = 120;

/// Maximum number of bits of a first mark, and of a gap.
const MAX_FIELD: u64 = 32;

/// Maximum number of gaps that an answer visits in a line.
const MAX_GAPS: u64 = 32;

/// Returns true if an answer visits at most 32 gaps, in a row in which moves of up to `stay` stones stay, with runs of
/// `run` places and marks at least `least` apart.
pub fn visits_few_gaps(stay: u32, run: u32, least: u64) -> bool {
    u64::from(stay) + u64::from(run) <= MAX_GAPS * least
}

impl BucketForm {
    /// Decodes the fields bucket, width, least, gap and gaps of a record.
    fn new([bucket, width, least, gap, gaps]: [u64; 5]) -> Result<Self, Fault> {
        let positive = |field: u64| NonZeroU32::new(narrow(field)?).ok_or(Fault::Impossible);
        let gaps = narrow(gaps)?;
        if width > MAX_FIELD || gap > MAX_FIELD || bucket < least {
            return Err(Fault::Impossible);
        }
        // Does not overflow: `gap` is at most 32.
        let stride = width + gap * u64::from(gaps);
        if stride > MAX_BUCKET_BITS.into() {
            return Err(Fault::Impossible);
        }
        Ok(Self {
            bucket: positive(bucket)?,
            least: positive(least)?,
            gaps,
            stride: stride as u8,
            width: width as u8,
            gap: gap as u8,
        })
    }
}

/// One outcome line, decoded for queries. Kept small, since a long game has thousands of lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutcomeLine {
    /// Bit address of the head.
    head: u64,
    /// Bit address of the first bucket. A line without marks has a `run` of 0.
    first: u64,
    /// The first place of the tail.
    pub(super) own: u32,
    /// Distance from a mark to its run.
    pub(super) shift: u32,
    /// Number of places of a run.
    pub(super) run: u32,
    buckets: BucketForm,
    /// True if the places of the tail outside runs are lost.
    pub(super) is_tail_lost: bool,
}

/// Number of bits of a head that are read at once.
const CHUNK: u64 = 56;

impl OutcomeArrays {
    /// Returns the line of record `index`, in a row in which moves of up to `stay` stones stay.
    pub(super) fn line(&self, body: &Body, index: u64, stay: u32) -> Result<OutcomeLine, Fault> {
        let [head, own, list, shift, run, tail] = self.lines.get(body, index)?;
        let head = if own == 0 { 0 } else { self.bits.address(head, own)? };
        let [own, shift, run] = [narrow(own)?, narrow(shift)?, narrow(run)?];
        let one = NonZeroU32::MIN;
        let buckets = BucketForm { bucket: one, least: one, gaps: 0, stride: 0, width: 0, gap: 0 };
        let line = OutcomeLine { head, first: 0, own, shift, run, buckets, is_tail_lost: tail != 0 };
        if list == 0 {
            return Ok(OutcomeLine { run: 0, ..line });
        }
        let [first, buckets @ ..] = self.lists.get(body, list - 1)?;
        let buckets = BucketForm::new(buckets)?;
        if !visits_few_gaps(stay, run, buckets.least.get().into()) {
            return Err(Fault::Impossible);
        }
        let first = self.bits.address(first, 1)?;
        Ok(OutcomeLine { first, buckets, ..line })
    }
}

/// Converts a field that may have more than 32 bits, but whose valid values have at most 32.
pub(super) fn narrow(field: u64) -> Result<u32, Fault> {
    u32::try_from(field).map_err(|_| Fault::Impossible)
}

impl OutcomeLine {
    /// Returns true if the position at `x` is lost.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_lost(&self, body: &Body, x: u32) -> Result<bool, Fault> {
        let mut mask = 0_u64;
        self.lost_below(body, x + 1, 1, &mut mask)?;
        Ok(mask != 0)
    }

    /// Prefetches the bucket that decides the place `x`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn prefetch(&self, body: &Body, x: u32) {
        // Most places lie in the tail; for a head, the prefetch is useless but harmless.
        let bucket = x.saturating_sub(self.shift) / self.buckets.bucket;
        body.prefetch(self.first + u64::from(bucket) * u64::from(self.buckets.stride));
    }

    /// Sets bit `k - 1` of `mask` for each k from 1 to `reach` for which the place `x - k` is lost. `reach` is from 1
    /// to x, and the bits are clear before.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn lost_below<M: TakeMask>(
        &self,
        body: &Body,
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

    /// Sets bit `k - 1` of `mask` for each k from `least` to `greatest` <= x for which the place `x - k` is lost.
    pub(super) fn lost_between<M: TakeMask>(
        &self,
        body: &Body,
        x: u32,
        least: u32,
        greatest: u32,
        mask: &mut M,
    ) -> Result<(), Fault> {
        for first in (least..=greatest).step_by(SHORT as usize) {
            let mut word = 0_u64;
            self.lost_below(body, x + 1 - first, SHORT.min(greatest + 1 - first), &mut word)?;
            mask.set(first - 1, word);
        }
        Ok(())
    }

    /// Does the part of [`lost_below`](Self::lost_below) in the tail: sets the bits of the places from `low` to
    /// `x - 1`.
    #[cfg_attr(feature = "fast", inline(always))]
    fn tail_below<M: TakeMask>(&self, body: &Body, low: u64, x: u64, mask: &mut M) -> Result<(), Fault> {
        mask.flip(0, if self.is_tail_lost { (x - low) as u32 } else { 0 });
        if self.run == 0 {
            return Ok(());
        }
        // The run of a mark y is [y + shift, y + shift + run). Visit the marks whose runs reach into the places.
        let (shift, run) = (u64::from(self.shift), u64::from(self.run));
        let Some(last_mark) = (x - 1).checked_sub(shift) else { return Ok(()) };
        let first_mark = (low + 1).saturating_sub(shift + run).min(last_mark);
        // Divide as u32, which is faster; the values are at most x.
        let size = self.buckets.bucket;
        for bucket in u64::from(first_mark as u32 / size)..=u64::from(last_mark as u32 / size) {
            let start = bucket * u64::from(size.get());
            let end = start + u64::from(size.get()) - 1;
            let at = self.first + bucket * u64::from(self.buckets.stride);
            let marks = BucketMarks::new(self.buckets, body.two_words(at)?);
            marks.each(first_mark.saturating_sub(start), last_mark.min(end) - start, |mark| {
                let first = (start + mark + shift).max(low);
                let end = (start + mark + shift + run).min(x);
                if first < end {
                    mask.flip((x - end) as u32, (x - first) as u32);
                }
            });
        }
        Ok(())
    }

    /// Does the part of [`lost_below`](Self::lost_below) in the head: sets the bits of the places from `low` on.
    #[inline(never)]
    fn head_below<M: TakeMask>(&self, body: &Body, low: u64, x: u64, mask: &mut M) -> Result<(), Fault> {
        let high = x.min(u64::from(self.own));
        let mut at = low;
        while at < high {
            let count = (high - at).min(CHUNK);
            let bits = body.bits(self.head + at)? & low_bits(count as u32);
            // Ascending places are descending takes, so reverse the bits.
            mask.set((x - at - count) as u32, bits.reverse_bits() >> (64 - count));
            at += count;
        }
        Ok(())
    }

    /// Returns the length, at most `max_len`, of the run of equal outcomes at `at` in the head, and true if it is lost.
    pub(super) fn head_run(&self, body: &Body, at: u64, max_len: u64) -> Result<(u64, bool), Fault> {
        let is_lost = body.bits(self.head + at)? & 1 == 1;
        let mut len = 0;
        while len < max_len {
            let bits = body.bits(self.head + at + len)?;
            let equal = u64::from((if is_lost { !bits } else { bits }).trailing_zeros()).min(CHUNK);
            len += equal;
            if equal < CHUNK {
                break;
            }
        }
        Ok((len.min(max_len), is_lost))
    }

    /// Returns the number of the first bucket with marks whose runs may reach into the tail.
    pub(super) fn first_bucket(&self) -> u64 {
        let mark = (u64::from(self.own) + 1).saturating_sub(u64::from(self.shift) + u64::from(self.run));
        mark / u64::from(self.buckets.bucket.get())
    }

    /// Returns the marks of a bucket, and its first place. `None` if all runs of the bucket begin at `end` or later.
    pub(super) fn bucket(
        &self,
        body: &Body,
        number: u64,
        end: u64,
    ) -> Result<Option<(BucketMarks, u64)>, Fault> {
        let start = number * u64::from(self.buckets.bucket.get());
        if self.run == 0 || start + u64::from(self.shift) >= end {
            return Ok(None);
        }
        let at = self.first + number * u64::from(self.buckets.stride);
        Ok(Some((BucketMarks::new(self.buckets, body.two_words(at)?), start)))
    }
}

/// The marks of a bucket, relative to its first place.
#[derive(Clone, Copy, Debug)]
pub(super) struct BucketMarks {
    form: BucketForm,
    /// The first mark; at least the size of the bucket if there is none.
    first: u64,
    /// The fields of the gaps: for each, its *excess* over the least distance.
    excess: u128,
    /// A mask of the lowest bit of each gap; 0 until needed.
    ones: u128,
}

impl BucketMarks {
    #[cfg_attr(feature = "fast", inline(always))]
    fn new(form: BucketForm, bits: u128) -> Self {
        Self { form, first: bits as u64 & low_bits(form.width.into()), excess: bits >> form.width, ones: 0 }
    }

    /// Returns the first mark and the number of gaps before it, 0, if the bucket has marks.
    pub(super) fn first(&self) -> Option<(u64, u32)> {
        (self.first < u64::from(self.form.bucket.get())).then_some((self.first, 0))
    }

    /// Returns the mark after `mark`, and the number of gaps before the new mark; `gaps` is the number before `mark`.
    #[inline]
    pub(super) fn after(&self, mark: u64, gaps: u32) -> Option<(u64, u32)> {
        if gaps >= self.form.gaps {
            return None;
        }
        let next = mark + u64::from(self.form.least.get()) + self.excess_of(gaps);
        (next < u64::from(self.form.bucket.get())).then_some((next, gaps + 1))
    }

    /// Calls `visit` with each mark of the bucket within `from..=to`, relative to the first place.
    #[cfg_attr(feature = "fast", inline(always))]
    fn each(mut self, from: u64, to: u64, mut visit: impl FnMut(u64)) {
        if self.first > to {
            return;
        }
        let mut next = Some(self.last_before(from));
        while let Some((mark, gaps)) = next
            && mark <= to
        {
            if mark >= from {
                visit(mark);
            }
            next = self.after(mark, gaps);
        }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn excess_of(&self, number: u32) -> u64 {
        // Below 120, since the gap lies within the bucket's bits.
        let shift = number * u32::from(self.form.gap);
        (self.excess >> shift) as u64 & low_bits(self.form.gap.into())
    }

    /// Returns the last mark before `from`, or the first mark if there is none, and the number of gaps before the mark.
    #[cfg_attr(feature = "fast", inline(always))]
    fn last_before(&mut self, from: u64) -> (u64, u32) {
        let Some(room) = from.checked_sub(self.first + 1) else { return (self.first, 0) };
        let least = u64::from(self.form.least.get());
        // Start with the number of gaps that fit if their excesses are 0, then reduce it until their sum fits.
        let mut number = (room / least).min(self.form.gaps.into()) as u32;
        loop {
            let distance = u64::from(number) * least + self.sum(number);
            if distance <= room || number == 0 {
                return (self.first + distance, number);
            }
            let max_excess = low_bits(self.form.gap.into());
            let too_many = (distance - room).div_ceil(least + max_excess).max(1);
            number -= too_many.min(number.into()) as u32;
        }
    }

    /// Returns the sum of the excesses of the first `gaps` gaps.
    #[cfg_attr(feature = "fast", inline(always))]
    fn sum(&mut self, gaps: u32) -> u64 {
        let gap = u32::from(self.form.gap);
        if gap == 0 {
            return 0;
        }
        let bits = gaps * gap;
        let excesses = if bits == 0 { 0 } else { self.excess & (u128::MAX >> (128 - bits)) };
        if gap == 1 {
            return excesses.count_ones().into();
        }
        if self.ones == 0 {
            self.ones = (0..self.form.gaps).fold(0, |ones, number| ones | 1 << (number * gap));
        }
        // Count the ones at each bit of the gaps, then weigh the counts.
        (0..gap).map(|bit| u64::from((excesses >> bit & self.ones).count_ones()) << bit).sum()
    }
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::lost_runs::LostRuns;
    use super::super::mask::{RunEnds, WinningMoves};
    use super::*;
    use crate::MoveSet;
    use crate::format::tests::forged;
    use crate::format::width_of;

    /// An outcome line, by the definition in FORMAT.md.
    #[derive(Clone)]
    struct PlainLine {
        /// The outcomes of the first places; true means lost.
        head: Vec<bool>,
        marks: Vec<u32>,
        bucket: u32,
        /// The least distance between marks, the bits of a gap, and the number of gaps in a bucket.
        gaps: [u32; 3],
        shift: u32,
        run: u32,
        tail: bool,
    }

    impl PlainLine {
        fn is_lost(&self, x: u32) -> bool {
            let reaches = |mark: &u32| (mark + self.shift..mark + self.shift + self.run).contains(&x);
            match self.head.get(x as usize) {
                Some(&lost) => lost,
                None => self.tail ^ self.marks.iter().any(reaches),
            }
        }
    }

    /// The records of outcome lines.
    #[derive(Clone, Default)]
    struct TestArrays {
        lines: Vec<[u64; 6]>,
        lists: Vec<[u64; 6]>,
        bits: Vec<[u64; 1]>,
    }

    impl TestArrays {
        /// Adds bits, and returns the index of the first.
        fn bits(&mut self, bits: impl IntoIterator<Item = bool>) -> u64 {
            let first = self.bits.len() as u64;
            self.bits.extend(bits.into_iter().map(|bit| [u64::from(bit)]));
            first
        }

        /// Adds a line for the places below `end`.
        fn add(&mut self, line: &PlainLine, end: u32) {
            let head = self.bits(line.head.iter().copied());
            let width = width_of(line.bucket.into());
            let [least, gap, gaps] = line.gaps;
            let field = |value: u32, width: u32| (0..width).map(move |bit| value >> bit & 1 == 1);
            let fields = |bucket: u32| {
                let begin = bucket * line.bucket;
                let within = |mark: &&u32| **mark >= begin && **mark - begin < line.bucket;
                let marks: Vec<u32> = line.marks.iter().filter(within).copied().collect();
                let first = marks.first().map_or(line.bucket, |mark| mark - begin);
                let gap_after = |number: usize| match marks.get(number..number + 2) {
                    Some(pair) => pair[1] - pair[0] - least,
                    // Beyond the bucket.
                    None => low_bits(gap) as u32,
                };
                let gaps = (0..gaps as usize).flat_map(|number| field(gap_after(number), gap));
                field(first, width).chain(gaps).collect::<Vec<bool>>()
            };
            let mut list = 0;
            if line.run > 0 {
                let first = self.bits((0..=end / line.bucket).flat_map(fields));
                let [bucket, width, least, gap, gaps] = [line.bucket, width, least, gap, gaps].map(u64::from);
                self.lists.push([first, bucket, width, least, gap, gaps]);
                list = self.lists.len() as u64;
            }
            let own = line.head.len() as u64;
            self.lines.push([head, own, list, line.shift.into(), line.run.into(), line.tail.into()]);
        }

        fn open(&self) -> (OutcomeArrays, Body) {
            let body = forged::body(&[
                forged::records(self.lines.clone()),
                forged::records(self.lists.clone()),
                forged::records(self.bits.clone()),
            ]);
            let outcomes = OutcomeArrays {
                lines: Packed::read(&body, 0).unwrap(),
                lists: Packed::read(&body, 1).unwrap(),
                bits: Packed::read(&body, 2).unwrap(),
            };
            (outcomes, body)
        }

        /// Returns the first line, in a row in which moves of up to `stay` stones stay.
        fn first(&self, stay: u32) -> Result<OutcomeLine, Fault> {
            let (outcomes, body) = self.open();
            outcomes.line(&body, 0, stay)
        }
    }

    const END: u32 = 200;

    fn head(length: u32) -> Vec<bool> {
        (0..length).map(|x| x * x % 7 < 3).collect()
    }

    fn plain(head: Vec<bool>, run: u32, tail: bool) -> PlainLine {
        PlainLine { head, marks: vec![], bucket: 1, gaps: [1, 0, 0], shift: 0, run, tail }
    }

    /// Returns lines with these marks, of several heads and shifts.
    fn with_marks(bucket: u32, gaps: [u32; 3], run: u32, marks: &[u32]) -> Vec<PlainLine> {
        let mut lines = Vec::new();
        for shift in [0, 1, 9] {
            for (length, tail) in [(0, false), (3, true), (130, false)] {
                let marks = marks.to_vec();
                lines.push(PlainLine { head: head(length), marks, bucket, gaps, shift, run, tail });
            }
        }
        lines
    }

    #[test]
    fn lines_with_one_mark_a_bucket_read_back_at_every_place_and_for_every_reach() {
        let mut lines = vec![plain(head(150), 0, true), plain(head(5), 0, false), plain(vec![], 0, true)];
        for (bucket, run, marks) in [
            (5, 1, vec![0, 7, 14, 16, 24, 33, 45, 99, 100, 163, 198]),
            (5, 12, vec![2, 17, 33, 70, 150, 163]),
            (1, 1, vec![0, 1, 3, 160, 161, 199]),
            (64, 40, vec![0, 64, 130]),
            (300, 7, vec![170]),
        ] {
            lines.extend(with_marks(bucket, [bucket, 0, 0], run, &marks));
        }
        check_reads(lines);
    }

    #[test]
    fn lines_with_gaps_read_back_at_every_place_and_for_every_reach() {
        let mut lines = Vec::new();
        // The distance between marks is from `least` to `least + spread`.
        let marks = |first: u32, least: u32, spread: u32| -> Vec<u32> {
            let gap = |mark: &u32| mark + least + (mark * 7 + mark / 3) % (spread + 1);
            std::iter::successors(Some(first), |mark| Some(gap(mark)))
                .take_while(|&mark| mark < END)
                .collect()
        };
        for (least, spread, gap) in
            [(1, 0, 0), (3, 1, 1), (3, 1, 2), (4, 3, 2), (2, 6, 3), (9, 30, 5), (61, 0, 0)]
        {
            for (gaps, first) in [(1, 0), (2, 5), (11, 1), (20, 40)] {
                if gap * gaps > 100 {
                    continue;
                }
                let bucket = (gaps + 1) * least;
                for run in [1, least] {
                    lines.extend(with_marks(bucket, [least, gap, gaps], run, &marks(first, least, spread)));
                }
            }
            // Use one bucket for all marks, if the fields allow it.
            let all = marks(2, least, spread);
            if gap as usize * (all.len() - 1) < 100 {
                lines.extend(with_marks(END + 1, [least, gap, all.len() as u32 - 1], 1, &all));
            }
        }
        assert!(lines.len() > 300);
        check_reads(lines);
    }

    fn check_reads(mut lines: Vec<PlainLine>) {
        let mut arrays = TestArrays::default();
        // A line without a list has no marks, whatever its other fields say.
        arrays.lines.push([0, 0, 0, 3, 5, 1]);
        lines.insert(0, plain(vec![], 0, true));
        // Padding, so that no line begins at bit 0.
        arrays.bits([true, false, true]);
        lines[1..].iter().for_each(|line| arrays.add(line, END));
        let (outcomes, body) = arrays.open();
        for (number, plain) in (0..).zip(&lines) {
            let line = outcomes.line(&body, number, 0).unwrap();
            let lost: Vec<bool> = (0..END).map(|x| plain.is_lost(x)).collect();
            for end in [0, 1, 2, 3, 64, 129, 131, END] {
                let mut found = vec![false; end as usize];
                let mut before = None;
                for run in LostRuns::new(&body, &line, end) {
                    let run = run.unwrap();
                    assert!(run.start < run.end && before.is_none_or(|before| before < run.start), "{run:?}");
                    before = Some(run.end);
                    found[run.start as usize..run.end as usize].fill(true);
                }
                assert_eq!(found, lost[..end as usize], "line {number} to {end}");
            }
            for x in 0..END {
                assert_eq!(line.is_lost(&body, x), Ok(lost[x as usize]), "line {number} at {x}");
            }
            for x in 1..END {
                for reach in [1, 2, 7, 57, 63, 64, 65, 130, x].into_iter().filter(|&reach| reach <= x) {
                    let expected: Vec<u32> = (1..=reach).filter(|take| lost[(x - take) as usize]).collect();
                    let takes = |mut ends| {
                        let moves = WinningMoves::runs_of(&mut ends, &mut RunEnds::new());
                        moves.iter().map(|chosen| chosen.take).collect::<Vec<_>>()
                    };
                    let mut below = RunEnds::new();
                    line.lost_below(&body, x, reach, &mut below).unwrap();
                    assert_eq!(takes(below), expected, "line {number} at {x}, {reach}");
                    let mut between = RunEnds::new();
                    for (least, most) in [(1, reach / 2), (reach / 2 + 1, reach)] {
                        line.lost_between(&body, x, least, most, &mut between).unwrap();
                    }
                    assert_eq!(takes(between), expected, "line {number} at {x}, {reach}");
                    if reach <= SHORT {
                        let mut word = 0_u64;
                        line.lost_below(&body, x, reach, &mut word).unwrap();
                        let bits = expected.iter().fold(0, |bits, take| bits | 1 << (take - 1));
                        assert_eq!(word, bits, "line {number} at {x}, {reach}");
                    }
                }
            }
        }
    }

    /// Returns one line with these fields of its list, and a pool of ones.
    fn with_list(buckets: [u64; 5], run: u64) -> TestArrays {
        let [bucket, width, least, gap, gaps] = buckets;
        let lists = vec![[0, bucket, width, least, gap, gaps]];
        TestArrays { lines: vec![[0, 0, 1, 0, run, 0]], lists, bits: vec![[1]; 64] }
    }

    /// Returns one line with a list of at most one mark in each bucket of five places.
    fn with_buckets_of_5(run: u64) -> TestArrays {
        with_list([5, 3, 5, 0, 0], run)
    }

    #[test]
    fn a_bucket_size_of_0_or_of_more_than_32_bits_is_refused() {
        let with_bucket = |bucket: u64| with_list([bucket, 32, bucket.min(1), 0, 0], 1).first(0);
        assert!(with_bucket(1).is_ok());
        assert!(with_bucket(u32::MAX.into()).is_ok());
        for bucket in [0, 1 << 32, 1 + (1 << 32)] {
            assert_eq!(with_bucket(bucket).unwrap_err(), Fault::Impossible, "{bucket}");
        }
    }

    #[test]
    fn more_than_32_gaps_for_an_answer_are_refused() {
        let arrays = with_buckets_of_5(60);
        assert!(arrays.first(100).is_ok());
        assert_eq!(arrays.first(101).unwrap_err(), Fault::Impossible);
        assert!(
            visits_few_gaps(u32::MAX, u32::MAX, 1 << 28)
                && !visits_few_gaps(u32::MAX, u32::MAX, (1 << 28) - 1)
        );
    }

    #[test]
    fn buckets_with_impossible_fields_are_refused() {
        let with = |fields: [u64; 5]| with_list(fields, 1).first(0).map(|_| ());
        for fields in [
            [9, 32, 9, 0, 0],
            [9, 0, 3, 1, 120],
            [9, 24, 1, 32, 3],
            [9, 20, 1, 0, 1 << 31],
            [9, 32, 9, 22, 4],
        ] {
            assert_eq!(with(fields), Ok(()), "{fields:?}");
        }
        for fields in [
            [9, 33, 9, 0, 0],
            [9, 0, 0, 1, 3],
            [8, 0, 9, 1, 3],
            [9, 1, 3, 1, 120],
            [9, 25, 1, 32, 3],
            [9, 20, 1, 33, 1],
            [9, 0, 9, 120, 1],
            [9, 0, 9, 33, 0],
            [9, 0, 1, 0, 1 << 32],
            [9, 0, 1, 1 << 39, 1 << 31],
            [1 << 32, 0, 1, 0, 0],
        ] {
            assert_eq!(with(fields), Err(Fault::Impossible), "{fields:?}");
        }
    }

    #[test]
    fn any_bits_of_a_bucket_are_read_as_ascending_marks_within_it() {
        // Any 120 bits, read as gaps of any width, give ascending marks within the bucket only.
        for seed in 0..200_u64 {
            let bits = [seed, seed + 1].map(|seed| (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let bits = u128::from(bits[0]) | u128::from(bits[1]) << 64;
            let (width, gap, least) = (seed % 9, seed % 7, 1 + seed % 5);
            let gaps = (120 - width).checked_div(gap).unwrap_or(1 << 20);
            let form = BucketForm::new([500, width, least, gap, gaps]).unwrap();
            let mut all = Vec::new();
            let mut mark = bits as u64 & low_bits(width as u32);
            for number in 0..=gaps {
                if mark >= 500 {
                    break;
                }
                all.push(mark);
                let excess = bits >> (width + number * gap).min(127);
                mark += least + (excess as u64 & low_bits(gap as u32));
            }
            for (from, to) in [(0, 499), (0, 0), (499, 499), (37, 120), (250, 251), (100, 499)] {
                let mut found = Vec::new();
                BucketMarks::new(form, bits).each(from, to, |mark| found.push(mark));
                let expected: Vec<u64> =
                    all.iter().copied().filter(|mark| (from..=to).contains(mark)).collect();
                assert_eq!(found, expected, "{seed}, {from} to {to}");
            }
        }
    }

    #[test]
    fn missing_heads_lists_and_marks_are_refused() {
        let line = |[head, own, list]: [u64; 3], first: u64| {
            let mut arrays = with_buckets_of_5(1);
            arrays.lines[0][..3].copy_from_slice(&[head, own, list]);
            arrays.lists[0][0] = first;
            arrays.first(0)
        };
        assert!(line([3, 61, 1], 63).is_ok());
        // An empty head may have any address.
        assert!(line([65, 0, 1], 63).is_ok());
        for (fields, first) in [([3, 62, 1], 0), ([65, 1, 0], 0), ([0, 0, 2], 0), ([0, 0, 1], 64)] {
            assert_eq!(line(fields, first).unwrap_err(), Fault::OutOfRange, "{fields:?} {first}");
        }
    }

    #[test]
    fn numbers_beyond_32_bits_are_refused() {
        // An implementation that kept only the lowest 32 bits would read the valid numbers.
        for field in [3, 4] {
            let mut arrays = with_buckets_of_5(1);
            arrays.lines[0][field] += 1 << 32;
            assert_eq!(arrays.first(0).unwrap_err(), Fault::Impossible, "{field}");
        }
    }
}
