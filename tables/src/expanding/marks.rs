//! The reader of lists of marks: ascending places of a line, most of them equally far apart (FORMAT.md, section 4.3,
//! which has an example).
//!
//! The marks of a list are stored as *progressions*, in which all gaps are equal: the marks 2, 5, 8, 12, 16 are 2, 5
//! and then 8, 12, 16, since the gap changes from 3 to 4 after two gaps. A list is cut into *blocks* of a few
//! progressions. A block has an *entry*, which gives its first mark, the first gap, and the address of its *changes* of
//! gap. A query finds the block of a place by binary search, and reads the progressions of this block one by one.

use std::num::NonZeroU32;

use super::keys::MAX_STONES;
use crate::format::{Body, Fault, low_bits, width_of};

/// Maximum number of progressions of a block. It bounds the time of an answer.
pub const MAX_PROGRESSIONS: u32 = 32;

/// Maximum value of `start` and of `order`: places and numbers of gaps fit into this many bits.
const MAX_FIELD: u64 = 40;

/// Maximum value of `begun`.
const MAX_BEGUN: u64 = 56;

/// Maximum number of bits of an entry: one read of the body returns a whole entry.
const MAX_ENTRY: u64 = 120;

/// A place beyond all lines.
const END: u64 = 1 << MAX_FIELD;
const _: () = assert!(MAX_STONES < END);

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
    /// Number of blocks.
    blocks: u32,
    /// The least gap.
    pub(super) least: NonZeroU32,
    /// Width of an entry's first field, the first mark.
    start: u8,
    /// Width of an entry's second field, the code of a gap.
    code: u8,
    /// Width of an entry's third field, which counts the bits of the changes in all blocks before.
    begun: u8,
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
pub(super) const LIST_FIELDS: usize = 7;

impl MarkList {
    /// A list without marks, which no query reads.
    pub(super) const NONE: Self = Self {
        entries: 0,
        changes: 0,
        blocks: 0,
        least: NonZeroU32::MIN,
        start: 0,
        code: 0,
        begun: 0,
        next_code: 0,
        order: 0,
    };

    /// Decodes a record. `entries` is the bit address of its first entry.
    pub(super) fn new(
        entries: u64,
        [_, blocks, start, begun, least, spread, order]: [u64; LIST_FIELDS],
    ) -> Result<Self, Fault> {
        let (blocks, spread) = (narrow(blocks)?, narrow(spread)?);
        let least = NonZeroU32::new(narrow(least)?).ok_or(Fault::Impossible)?;
        let code = width_of(spread.into()) as u8;
        let fits = start <= MAX_FIELD && order <= MAX_FIELD && begun <= MAX_BEGUN;
        // Gaps have at most 32 bits, so that a query may divide by them as u32.
        let greatest = u64::from(least.get()) + (1 << code);
        if !fits || blocks == 0 || greatest > u32::MAX.into() {
            return Err(Fault::Impossible);
        }
        let next_code = width_of(spread.saturating_sub(1).into()) as u8;
        let [start, begun, order] = [start, begun, order].map(|field| field as u8);
        let list = Self { entries, changes: 0, blocks, least, start, code, begun, next_code, order };
        let changes =
            entries.checked_add((u64::from(blocks) + 1) * list.stride()).ok_or(Fault::OutOfRange)?;
        // If entries had no bits, a short file could state billions of blocks.
        if list.stride() == 0 || list.stride() > MAX_ENTRY {
            return Err(Fault::Impossible);
        }
        Ok(Self { changes, ..list })
    }

    /// Returns the number of bits of an entry.
    #[cfg_attr(feature = "fast", inline(always))]
    fn stride(&self) -> u64 {
        u64::from(self.start + self.code + self.begun)
    }

    /// Returns the bit address of the entry with which a search begins.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn middle_entry(&self) -> u64 {
        self.entries + u64::from(self.blocks / 2) * self.stride()
    }

    /// Returns the last block whose first mark is not above a place; block 0 if there is none.
    #[cfg_attr(feature = "fast", inline(always))]
    fn block_at(&self, body: &Body, place: u64) -> Result<u32, Fault> {
        let (mut block, mut end) = (0, self.blocks);
        while end - block > 1 {
            let middle = block + (end - block) / 2;
            let entry = body.bits(self.entries + u64::from(middle) * self.stride())?;
            if entry & low_bits(self.start.into()) <= place { block = middle } else { end = middle }
        }
        Ok(block)
    }

    /// Returns the progressions from a block on.
    #[cfg_attr(feature = "fast", inline(always))]
    fn block(&self, body: &Body, number: u32) -> Result<Progressions, Fault> {
        let at = self.entries + u64::from(number) * self.stride();
        let (entry, next_entry) = (body.two_words(at)?, body.two_words(at + self.stride())?);
        let (start, begun) = (u32::from(self.start), u32::from(self.start + self.code));
        let field = |entry: u128, at: u32, width: u8| (entry >> at) as u64 & low_bits(width.into());
        let [first, next_first] = [entry, next_entry].map(|entry| field(entry, 0, self.start));
        let [changes, changes_end] = [entry, next_entry].map(|entry| field(entry, begun, self.begun));
        let is_last = number + 1 == self.blocks;
        // No gap is less than `least`. Otherwise an answer could visit any number of blocks.
        if !is_last && next_first < first + u64::from(self.least.get()) {
            return Err(Fault::Impossible);
        }
        Ok(Progressions {
            next_block: number + 1,
            at: self.changes + changes,
            bits: changes_end.checked_sub(changes).ok_or(Fault::Impossible)?,
            next: first,
            code: field(entry, start, self.code),
            end: if is_last { END } else { next_first },
            left: MAX_PROGRESSIONS,
        })
    }

    /// Returns the progressions from the block of a place on.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn progressions_at(&self, body: &Body, place: u64) -> Result<Progressions, Fault> {
        self.block(body, self.block_at(body, place)?)
    }

    /// Calls `visit` with each mark within `low..=high`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn each(
        &self,
        body: &Body,
        low: u64,
        high: u64,
        mut visit: impl FnMut(u64),
    ) -> Result<(), Fault> {
        let mut progressions = self.progressions_at(body, low)?;
        while let Some(Progression { first, gap, end }) = progressions.next(self, body)? {
            if first > high {
                return Ok(());
            }
            if end <= low {
                continue;
            }
            let distance = low.saturating_sub(first);
            // Divide as u32 if possible, which is faster.
            let skipped = match u32::try_from(distance) {
                Ok(distance) => distance.div_ceil(gap as u32).into(),
                Err(_) => distance.div_ceil(gap),
            };
            let mut mark = first + skipped * gap;
            while mark < end && mark <= high {
                visit(mark);
                mark += gap;
            }
        }
        Ok(())
    }
}

/// The progressions from a block on, in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Progressions {
    /// The block after the current one.
    next_block: u32,
    /// Bit address of the next change.
    at: u64,
    /// Bits of the changes that have not been read.
    bits: u64,
    /// First mark of the next progression.
    next: u64,
    /// Code of its gap.
    code: u64,
    /// First place after the block.
    end: u64,
    /// Number of progressions of the block that may follow.
    left: u32,
}

impl Progressions {
    /// Returns the next progression. Each has at least one mark.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn next(&mut self, list: &MarkList, body: &Body) -> Result<Option<Progression>, Fault> {
        if self.next >= self.end {
            if self.next_block == list.blocks {
                return Ok(None);
            }
            *self = list.block(body, self.next_block)?;
        }
        let (first, gap) = (self.next, u64::from(list.least.get()) + self.code);
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
        pub(in crate::expanding) marks: Vec<u64>,
        /// Number of progressions of a block.
        pub(in crate::expanding) block: usize,
        pub(in crate::expanding) order: u32,
    }

    impl PlainList {
        /// Returns the bits of the list for the places below `end`, and its record without the first bit.
        pub(in crate::expanding) fn pack(&self, end: u64) -> (Vec<bool>, [u64; 6]) {
            let Self { ref marks, block, order } = *self;
            // After the last mark, a gap leads beyond all places.
            let beyond = marks.last().map_or(1, |&last| end.saturating_sub(last).max(1));
            let mut gaps: Vec<u64> = marks.windows(2).map(|pair| pair[1] - pair[0]).collect();
            gaps.push(beyond.max(gaps.last().copied().unwrap_or(1)));
            let (least, greatest) = (*gaps.iter().min().unwrap(), *gaps.iter().max().unwrap());
            let spread = greatest - least;
            // The indexes of the marks after which the gap is new.
            let starts = (0..marks.len()).filter(|&i| i == 0 || gaps[i] != gaps[i - 1]);
            let starts: Vec<usize> = starts.collect();
            let (mut entries, mut changes) = (Vec::new(), Vec::new());
            for (number, &i) in starts.iter().enumerate() {
                if number % block == 0 {
                    entries.push([marks[i], gaps[i] - least, changes.len() as u64]);
                    continue;
                }
                let before = starts[number - 1];
                let more = (i - before - 1) as u64;
                let zeros = u64::ilog2((more >> order) + 1);
                changes.extend((0..zeros).map(|_| false));
                changes.push(true);
                push(&mut changes, more - (((1 << zeros) - 1) << order), zeros + order);
                let code = gaps[i] - least - u64::from(gaps[i] > gaps[before]);
                push(&mut changes, code, width_of(spread.saturating_sub(1)));
            }
            entries.push([0, 0, changes.len() as u64]);
            let widest = |field: usize| width_of(entries.iter().map(|entry| entry[field]).max().unwrap());
            let widths = [widest(0).max(1), width_of(spread), widest(2)];
            let mut bits = Vec::new();
            for entry in &entries {
                for (&field, width) in entry.iter().zip(widths) {
                    push(&mut bits, field, width);
                }
            }
            bits.extend(changes);
            let [start, _, begun] = widths.map(u64::from);
            let blocks = entries.len() as u64 - 1;
            (bits, [blocks, start, begun, least, spread, order.into()])
        }
    }

    /// Appends a field, its lowest bit first.
    fn push(bits: &mut Vec<bool>, field: u64, width: u32) {
        bits.extend((0..width).map(|bit| field >> bit & 1 == 1));
    }

    /// Returns a list and its body, from its bits and its record without the first bit.
    fn open(
        bits: &[bool],
        [blocks, start, begun, least, spread, order]: [u64; 6],
    ) -> (Result<MarkList, Fault>, Body) {
        let body = forged::body(&[forged::records(bits.iter().map(|&bit| [u64::from(bit)]))]);
        let first = Packed::<1>::read(&body, 0).unwrap().address(0, 1).unwrap();
        let list = MarkList::new(first, [0, blocks, start, begun, least, spread, order]);
        (list, body)
    }

    const LINE_END: u64 = 300;

    /// Returns lists of marks of many kinds below [`LINE_END`].
    pub(in crate::expanding) fn lists() -> Vec<Vec<u64>> {
        let mut lists =
            vec![vec![0], vec![299], vec![7], (0..LINE_END).collect(), (3..LINE_END).step_by(61).collect()];
        // The gaps between marks are from `least` to `least + spread`, and change after `hold` marks.
        for (least, spread, hold) in
            [(1, 1, 3), (2, 1, 9), (3, 1, 1), (3, 2, 5), (4, 3, 2), (2, 6, 1), (9, 30, 3), (40, 100, 1)]
        {
            for first in [0, 1, 30] {
                let gap = |number: u64| least + (number / hold * 7 + number / hold / 3) % (spread + 1);
                let mut marks = vec![first];
                for number in 0.. {
                    let next = marks[number as usize] + gap(number);
                    if next >= LINE_END {
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
            for (block, order) in [(1, 0), (2, 1), (3, 0), (7, 2), (32, 4), (50, 0)] {
                let list = PlainList { marks: marks.clone(), block, order };
                let (bits, fields) = list.pack(LINE_END);
                let (list, body) = open(&bits, fields);
                let list = list.unwrap();
                for from in 0..LINE_END {
                    for to in [from, from + 1, from + 17, from + 100, LINE_END - 1] {
                        let to = to.max(from).min(LINE_END - 1);
                        let mut found = Vec::new();
                        let read = list.each(&body, from, to, |mark| found.push(mark));
                        let expected: Vec<u64> =
                            marks.iter().copied().filter(|mark| (from..=to).contains(mark)).collect();
                        if block <= MAX_PROGRESSIONS as usize || read.is_ok() {
                            assert_eq!(
                                (read, &found),
                                (Ok(()), &expected),
                                "{marks:?} {block} {order} {from} {to}"
                            );
                        } else {
                            // Only a block with too many changes of gap is refused.
                            assert_eq!(read, Err(Fault::Impossible));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn marks_up_to_2_to_the_40th_and_numbers_of_gaps_beyond_32_bits_read_back() {
        let first = (1 << 32) - 15;
        let marks: Vec<u64> = (0..30).map(|number| first + 7 * number + number / 10).collect();
        let list = PlainList { marks: marks.clone(), block: 3, order: 40 };
        let (bits, fields) = list.pack(first + 300);
        let (list, body) = open(&bits, fields);
        let list = list.unwrap();
        for from in [0, first, first + 14, first + 15, first + 16, first + 100] {
            let mut found = Vec::new();
            list.each(&body, from, first + 299, |mark| found.push(mark)).unwrap();
            assert!(found.iter().eq(marks.iter().filter(|&&mark| mark >= from)), "{from}: {found:?}");
        }
        // One block: the first mark is 0, and the gap changes from 4 to 5 after 2^33 gaps.
        let mut bits = Vec::new();
        for (field, width) in [(0, 1), (0, 1), (0, 7), (0, 1), (0, 1), (41, 7), (1, 1), ((1 << 33) - 1, 40)] {
            push(&mut bits, field, width);
        }
        let (list, body) = open(&bits, [1, 1, 7, 4, 1, 40]);
        let mut found = Vec::new();
        let change = 1 << 35;
        list.unwrap().each(&body, change - 8, change + 10, |mark| found.push(mark)).unwrap();
        assert_eq!(found, [change - 8, change - 4, change, change + 5, change + 10]);
    }

    #[test]
    fn records_with_impossible_numbers_are_refused() {
        let with = |fields: [u64; 6]| open(&[true; 64], fields).0.map(|_| ());
        for fields in [
            [9, 1, 0, 1, 0, 0],
            [9, 40, 56, 1 << 30, 3, 40],
            [9, 40, 56, 1, (1 << 24) - 1, 0],
            [u32::MAX.into(), 3, 1, 1, u64::from(u32::MAX) >> 2, 0],
        ] {
            assert_eq!(with(fields), Ok(()), "{fields:?}");
        }
        for fields in [
            [1 << 32, 1, 0, 1, 0, 0],
            [9, 0, 0, 1, 0, 0],
            [0, 1, 0, 1, 0, 0],
            [9, 41, 0, 1, 0, 0],
            [9, 40, 56, 1, 1 << 24, 0],
            [9, 1, 0, 0, 0, 0],
            [9, 1, 0, 1 << 32, 0, 0],
            [9, 1, 0, 1, 1 << 32, 0],
            [9, 1, 0, 1, u64::from(u32::MAX), 0],
            [9, 1, 0, 1, 0, 41],
            [9, 1, 57, 1, 0, 0],
            [9, 1, 1 << 33, 1, 0, 0],
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
            let fields = [1 + seed % 3, 3 + seed % 5, 4, 1 + seed % 7, seed / 7 % 6, seed / 3 % 4];
            let (list, body) = open(&bits, fields);
            let list = list.unwrap();
            let end = 4 << fields[1];
            let mut found = Vec::new();
            match list.each(&body, 0, end, |mark| found.push(mark)) {
                Ok(()) => {}
                Err(Fault::Impossible) => refused += 1,
                Err(fault) => panic!("{fault:?}"),
            }
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{seed}: {found:?}");
            assert!(found.iter().all(|&mark| mark <= end), "{seed}: {found:?}");
        }
        assert!((100..2900).contains(&refused), "{refused}");
    }

    #[test]
    fn blocks_that_are_less_than_a_gap_apart_are_refused() {
        let list = PlainList { marks: vec![3, 9, 16, 22], block: 1, order: 0 };
        let (bits, fields) = list.pack(30);
        assert_eq!(fields[0], 4);
        let read = |bits: &[bool]| {
            let (list, body) = open(bits, fields);
            list.unwrap().each(&body, 0, 29, |_| {})
        };
        assert_eq!(read(&bits), Ok(()));
        // The first mark of the first block, 3, becomes 7, too near to 9; or 11, which is above it.
        for bit in [2, 3] {
            let mut other = bits.clone();
            other[bit] = true;
            assert_eq!(read(&other), Err(Fault::Impossible), "{bit}");
        }
    }
}
