//! The reader of lists of marks: ascending places of a line, most of them equally far apart (FORMAT.md, section 4.3,
//! which has an example).
//!
//! The marks of a list are stored as *progressions*, in which all gaps are equal: the marks 2, 5, 8, 12, 16 are 2, 5
//! and then 8, 12, 16, since the gap changes from 3 to 4 after two gaps. A list is cut into *buckets* of equal length. A
//! bucket has an *entry*, which gives its first mark, the first gap, and the address of its *changes* of gap. A query
//! finds the bucket by a shift, and goes through the progressions of this bucket only.

use std::num::NonZeroU32;

use crate::format::{Body, Fault, low_bits, width_of};

/// Maximum number of progressions of a bucket. It bounds the time of an answer.
pub const MAX_PROGRESSIONS: u32 = 64;

/// Maximum number of bits of an entry together with the first field of the next one. One read of the body returns this
/// many bits.
pub const MAX_ENTRY_BITS: u32 = 120;

/// Maximum value of `scale`, of `base` and of `order`.
const MAX_FIELD: u64 = 32;

/// Converts a field that may have more than 32 bits, but whose valid values have at most 32.
pub(super) fn narrow(field: u64) -> Result<u32, Fault> {
    u32::try_from(field).map_err(|_| Fault::Impossible)
}

/// A list of marks, decoded for queries.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarkList {
    /// Bit address of the first entry.
    entries: u64,
    /// Bit address of the first change.
    changes: u64,
    /// Number of buckets.
    buckets: u32,
    /// The least gap.
    pub(super) least: NonZeroU32,
    /// Binary logarithm of the number of places of a bucket.
    scale: u8,
    /// Width of an entry's first field, which counts the bits of the changes in all buckets before.
    begun: u8,
    /// Width of an entry's second field, the first mark.
    base: u8,
    /// Width of an entry's third field, the code of a gap.
    code: u8,
    /// Width of the code of a gap that differs from the gap before.
    next_code: u8,
    /// Order of the exponential Golomb code of a number of gaps.
    order: u8,
}

/// The marks `first`, `first + gap` and so on, below `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progression {
    pub(super) first: u64,
    pub(super) gap: u64,
    pub(super) end: u64,
}

/// Number of fields in the record of a list.
pub(super) const LIST_FIELDS: usize = 8;

impl MarkList {
    /// A list without marks, which no query reads.
    pub(super) const NONE: Self = Self {
        entries: 0,
        changes: 0,
        buckets: 0,
        least: NonZeroU32::MIN,
        scale: 0,
        begun: 0,
        base: 0,
        code: 0,
        next_code: 0,
        order: 0,
    };

    /// Decodes a record. `entries` is the bit address of its first entry.
    pub(super) fn new(
        entries: u64,
        [_, buckets, scale, begun, base, least, spread, order]: [u64; 8],
    ) -> Result<Self, Fault> {
        let (buckets, spread) = (narrow(buckets)?, narrow(spread)?);
        let least = NonZeroU32::new(narrow(least)?).ok_or(Fault::Impossible)?;
        let code = width_of(spread.into()) as u8;
        let fits =
            scale <= MAX_FIELD && base <= MAX_FIELD && order <= MAX_FIELD && begun <= MAX_ENTRY_BITS.into();
        // Gaps have at most 32 bits, so that a query may divide by them as u32.
        let greatest = u64::from(least.get()) + (1 << code);
        if !fits
            || greatest > u32::MAX.into()
            || 2 * begun + base + u64::from(code) > MAX_ENTRY_BITS.into()
            || u64::from(least.get()) > 1 << scale
        {
            return Err(Fault::Impossible);
        }
        let next_code = width_of(spread.saturating_sub(1).into()) as u8;
        let [scale, begun, base, order] = [scale, begun, base, order].map(|field| field as u8);
        let list = Self { entries, changes: 0, buckets, least, scale, begun, base, code, next_code, order };
        // If entries had no bits, a short file could state billions of buckets.
        if list.stride() == 0 {
            return Err(Fault::Impossible);
        }
        let changes =
            entries.checked_add((u64::from(buckets) + 1) * list.stride()).ok_or(Fault::OutOfRange)?;
        Ok(Self { changes, ..list })
    }

    /// Returns the number of bits of an entry.
    #[cfg_attr(feature = "fast", inline(always))]
    fn stride(&self) -> u64 {
        u64::from(self.begun + self.base + self.code)
    }

    /// Returns the bit address of the entry of the bucket of a place.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn entry_at(&self, place: u32) -> u64 {
        self.entries + self.bucket_at(place.into()) * self.stride()
    }

    /// Returns the number of the bucket of a place.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn bucket_at(&self, place: u64) -> u64 {
        place >> self.scale
    }

    /// Returns the first place of a bucket.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn start_of(&self, bucket: u64) -> u64 {
        bucket << self.scale
    }

    /// Returns the progressions of a bucket.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn bucket(&self, body: &Body, number: u64) -> Result<Progressions, Fault> {
        if number >= u64::from(self.buckets) {
            return Err(Fault::OutOfRange);
        }
        let stride = self.stride();
        let bits = body.two_words(self.entries + number * stride)?;
        let (begun, base) = (u32::from(self.begun), u32::from(self.base));
        let field = |at: u32, width: u8| (bits >> at) as u64 & low_bits(width.into());
        let first_change = field(0, self.begun);
        let changes = field(stride as u32, self.begun).checked_sub(first_change).ok_or(Fault::Impossible)?;
        let start = self.start_of(number);
        Ok(Progressions {
            at: self.changes + first_change,
            bits: changes,
            next: start + field(begun, self.base),
            code: field(begun + base, self.code),
            end: start + (1 << self.scale),
            left: MAX_PROGRESSIONS,
        })
    }

    /// Calls `visit` with each mark within `from..=to`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn each(
        &self,
        body: &Body,
        from: u32,
        to: u32,
        mut visit: impl FnMut(u64),
    ) -> Result<(), Fault> {
        let (low, high) = (u64::from(from), u64::from(to));
        for number in self.bucket_at(low)..=self.bucket_at(high) {
            let mut progressions = self.bucket(body, number)?;
            while let Some(Progression { first, gap, end }) = progressions.next(self, body)? {
                if first > high {
                    return Ok(());
                }
                if end <= low {
                    continue;
                }
                // Divide as u32, which is faster.
                let skipped = from.saturating_sub(first as u32).div_ceil(gap as u32);
                let mut mark = first + u64::from(skipped) * gap;
                while mark < end && mark <= high {
                    visit(mark);
                    mark += gap;
                }
            }
        }
        Ok(())
    }
}

/// The progressions of a bucket, in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Progressions {
    /// Bit address of the next change.
    at: u64,
    /// Bits of the changes that have not been read.
    bits: u64,
    /// First mark of the next progression.
    next: u64,
    /// Code of its gap.
    code: u64,
    /// End of the bucket.
    end: u64,
    /// Number of progressions that may follow.
    left: u32,
}

impl Progressions {
    /// Returns the next progression. Each has at least one mark.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn next(&mut self, list: &MarkList, body: &Body) -> Result<Option<Progression>, Fault> {
        let (first, gap) = (self.next, u64::from(list.least.get()) + self.code);
        if first >= self.end {
            return Ok(None);
        }
        self.next = self.end;
        if self.bits > 0 {
            let (gaps, code) = self.read_change(list, body)?;
            self.next = gap.saturating_mul(gaps).saturating_add(first);
            self.code = code + u64::from(code >= self.code);
        }
        self.left = self.left.checked_sub(1).ok_or(Fault::Impossible)?;
        Ok(Some(Progression { first, gap, end: self.next.min(self.end) }))
    }

    /// Reads a change: after how many gaps it comes, and its code.
    #[cfg_attr(feature = "fast", inline(always))]
    fn read_change(&mut self, list: &MarkList, body: &Body) -> Result<(u64, u64), Fault> {
        let word = body.bits(self.at)?;
        let zeros = word.trailing_zeros();
        let width = zeros + u32::from(list.order);
        let mut used = zeros + 1;
        let mut read = |width: u32| {
            let field = if used + width <= 57 { word >> used } else { body.bits(self.at + u64::from(used))? };
            used += width;
            Ok(field & low_bits(width))
        };
        if width > MAX_FIELD as u32 {
            return Err(Fault::Impossible);
        }
        let gaps = (((1 << zeros) - 1) << list.order) + read(width)? + 1;
        let code = read(list.next_code.into())?;
        self.at += u64::from(used);
        self.bits = self.bits.checked_sub(used.into()).ok_or(Fault::Impossible)?;
        Ok((gaps, code))
    }
}

#[cfg(test)]
#[cfg(feature = "write")]
pub(super) mod tests {
    use super::*;
    use crate::format::tests::forged;
    use crate::format::{Packed, width_of};

    /// A list of marks, as FORMAT.md describes it, and its record.
    #[derive(Clone, Debug)]
    pub(in crate::expanding) struct PlainList {
        pub(in crate::expanding) marks: Vec<u32>,
        pub(in crate::expanding) scale: u32,
        pub(in crate::expanding) order: u32,
    }

    impl PlainList {
        /// Returns the bits of the list for the places below `end`, and its record without the first bit.
        pub(in crate::expanding) fn pack(&self, end: u32) -> (Vec<bool>, [u64; 7]) {
            let Self { ref marks, scale, order } = *self;
            let size = 1 << scale;
            // After the last mark, a gap leads beyond all places.
            let beyond = marks.last().map_or(1, |&last| end.saturating_sub(last).max(1));
            let mut gaps: Vec<u32> = marks.windows(2).map(|pair| pair[1] - pair[0]).collect();
            gaps.push(beyond.max(gaps.last().copied().unwrap_or(1)));
            let least = gaps.iter().copied().min().unwrap().min(size);
            let spread = gaps.iter().max().unwrap() - least;
            let mut changes = Vec::new();
            let mut entries = Vec::new();
            for start in (0..end).step_by(size as usize) {
                let within: Vec<usize> =
                    (0..marks.len()).filter(|&i| (start..start + size).contains(&marks[i])).collect();
                let first_gap = within.first().map_or(least, |&i| gaps[i]);
                let base = within.first().map_or(size, |&i| marks[i] - start);
                entries.push([changes.len() as u64, base.into(), u64::from(first_gap - least)]);
                let mut stated = within.first().copied().unwrap_or(0);
                for &i in within.iter().skip(1) {
                    if gaps[i] == gaps[stated] {
                        continue;
                    }
                    let number = (i - stated - 1) as u64;
                    let zeros = u64::ilog2((number >> order) + 1);
                    changes.extend((0..zeros).map(|_| false));
                    changes.push(true);
                    push(&mut changes, number - (((1 << zeros) - 1) << order), zeros + order);
                    let code = gaps[i] - least - u32::from(gaps[i] > gaps[stated]);
                    push(&mut changes, code.into(), width_of(u64::from(spread.saturating_sub(1))));
                    stated = i;
                }
            }
            entries.push([changes.len() as u64, 0, 0]);
            let widest = |field: usize| width_of(entries.iter().map(|entry| entry[field]).max().unwrap());
            let widths = [widest(0), widest(1).max(1), width_of(spread.into())];
            let mut bits = Vec::new();
            for entry in &entries {
                for (&field, width) in entry.iter().zip(widths) {
                    push(&mut bits, field, width);
                }
            }
            bits.extend(changes);
            let [begun, base, _] = widths.map(u64::from);
            let fields = [
                entries.len() as u64 - 1,
                scale.into(),
                begun,
                base,
                least.into(),
                spread.into(),
                order.into(),
            ];
            (bits, fields)
        }
    }

    /// Appends a field, its lowest bit first.
    fn push(bits: &mut Vec<bool>, field: u64, width: u32) {
        bits.extend((0..width).map(|bit| field >> bit & 1 == 1));
    }

    /// Returns a list and its body, from its bits and its record without the first bit.
    fn open(
        bits: &[bool],
        [buckets, scale, begun, base, least, spread, order]: [u64; 7],
    ) -> (Result<MarkList, Fault>, Body) {
        let body = forged::body(&[forged::records(bits.iter().map(|&bit| [u64::from(bit)]))]);
        let first = Packed::<1>::read(&body, 0).unwrap().address(0, 1).unwrap();
        let list = MarkList::new(first, [0, buckets, scale, begun, base, least, spread, order]);
        (list, body)
    }

    const END: u32 = 300;

    /// Returns lists of marks of many kinds below [`END`].
    pub(in crate::expanding) fn lists() -> Vec<Vec<u32>> {
        let mut lists = vec![vec![0], vec![299], vec![7], (0..END).collect(), (3..END).step_by(61).collect()];
        // The gaps between marks are from `least` to `least + spread`, and change after `hold` marks.
        for (least, spread, hold) in
            [(1, 1, 3), (2, 1, 9), (3, 1, 1), (3, 2, 5), (4, 3, 2), (2, 6, 1), (9, 30, 3), (40, 100, 1)]
        {
            for first in [0, 1, 30] {
                let gap = |number: u32| least + (number / hold * 7 + number / hold / 3) % (spread + 1);
                let mut marks = vec![first];
                for number in 0.. {
                    let next = marks[number as usize] + gap(number);
                    if next >= END {
                        break;
                    }
                    marks.push(next);
                }
                lists.push(marks);
            }
        }
        // Marks that end long before the line does.
        lists.push((0..20).map(|number| number * 2 + number / 7).collect());
        lists
    }

    #[test]
    fn lists_of_every_form_read_back_from_every_place_to_every_place() {
        for marks in lists() {
            for (scale, order) in [(0, 0), (2, 1), (3, 0), (5, 2), (7, 4), (9, 0)] {
                let list = PlainList { marks: marks.clone(), scale, order };
                let (bits, fields) = list.pack(END);
                let (list, body) = open(&bits, fields);
                let list = list.unwrap();
                for from in 0..END {
                    for to in [from, from + 1, from + 17, from + 100, END - 1] {
                        let to = to.max(from).min(END - 1);
                        let mut found = Vec::new();
                        let read = list.each(&body, from, to, |mark| found.push(mark as u32));
                        let expected: Vec<u32> =
                            marks.iter().copied().filter(|mark| (from..=to).contains(mark)).collect();
                        if read.is_ok() || scale < 7 {
                            assert_eq!(
                                (read, &found),
                                (Ok(()), &expected),
                                "{marks:?} {scale} {order} {from} {to}"
                            );
                        } else {
                            // Only a bucket with too many changes of gap is refused.
                            assert_eq!(read, Err(Fault::Impossible));
                            assert!(marks.len() > MAX_PROGRESSIONS as usize, "{marks:?} {scale}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn records_with_impossible_numbers_are_refused() {
        let with = |fields: [u64; 7]| open(&[true; 64], fields).0.map(|_| ());
        for fields in [
            [9, 0, 0, 1, 1, 0, 0],
            [9, 32, 44, 30, 1 << 30, 3, 32],
            [9, 32, 45, 30, 1, 0, 0],
            [9, 4, 3, 32, 16, 0, 0],
            [u32::MAX.into(), 4, 3, 1, 1, u64::from(u32::MAX) >> 2, 0],
        ] {
            assert_eq!(with(fields), Ok(()), "{fields:?}");
        }
        for fields in [
            [1 << 32, 0, 0, 1, 1, 0, 0],
            [9, 33, 0, 1, 1, 0, 0],
            [9, 4, 0, 33, 1, 0, 0],
            [9, 4, 0, 1, 0, 0, 0],
            [9, 4, 0, 0, 1, 0, 0],
            [9, 4, 0, 1, 17, 0, 0],
            [9, 4, 0, 1, 1 << 32, 0, 0],
            [9, 4, 0, 1, 1, 1 << 32, 0],
            [9, 4, 0, 1, 1, u64::from(u32::MAX), 0],
            [9, 4, 0, 1, 1, 0, 33],
            [9, 32, 46, 30, 1, 0, 0],
            [9, 4, 121, 1, 1, 0, 0],
            [9, 4, 1 << 33, 1, 1, 0, 0],
        ] {
            assert_eq!(with(fields), Err(Fault::Impossible), "{fields:?}");
        }
    }

    #[test]
    fn any_bits_are_read_as_ascending_marks_or_refused() {
        let mut refused = 0;
        for seed in 0..3000_u64 {
            let mut state = seed;
            let bits: Vec<bool> = (0..400)
                .map(|_| {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    state >> 61 < seed % 8
                })
                .collect();
            let fields = [4, 3 + seed % 5, 4, seed % 9, 1 + seed % 7, seed / 7 % 6, seed / 3 % 4];
            let (list, body) = open(&bits, fields);
            let list = list.unwrap();
            let end = (4 << fields[1]) - 1;
            let mut found = Vec::new();
            match list.each(&body, 0, end, |mark| found.push(mark)) {
                Ok(()) => {}
                Err(Fault::Impossible) => refused += 1,
                Err(fault) => panic!("{fault:?}"),
            }
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{seed}: {found:?}");
            assert!(found.iter().all(|&mark| mark <= end.into()), "{seed}: {found:?}");
        }
        assert!((100..2900).contains(&refused), "{refused}");
    }

    #[test]
    fn a_bucket_that_does_not_exist_is_refused() {
        let list = PlainList { marks: vec![3, 9, 15], scale: 3, order: 0 };
        let (bits, fields) = list.pack(20);
        let (list, body) = open(&bits, fields);
        let read = |to: u32| list.unwrap().each(&body, 0, to, |_| {});
        assert_eq!(read(23), Ok(()));
        assert_eq!(read(24), Err(Fault::OutOfRange));
    }
}
