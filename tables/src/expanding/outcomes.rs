//! The reader of outcome lines, which say which places of a line are lost (FORMAT.md, section 4.3).
//!
//! The *head* of a line has one bit for each of the first `own` places. In the *tail*, all outcomes are equal except in
//! runs of `run` places, which begin `shift` places after each *mark*: with the marks 7 and 15, shift 2 and run 3, the
//! places 9 to 11 and 17 to 19. The marks are in a list ([`MarkList`]), which lines of a row share.

use super::marks::{LIST_FIELDS, MarkList, narrow};
use super::mask::{SHORT, TakeMask};
use crate::format::{Body, Fault, Packed, low_bits};

/// The arrays of outcome lines.
#[derive(Clone, Debug)]
pub(super) struct OutcomeArrays {
    /// The lines: head, own, list, shift, run, tail.
    pub(super) lines: Packed<6>,
    /// The lists of marks: first, blocks, start, begun, least, spread, order.
    pub(super) lists: Packed<LIST_FIELDS>,
    /// The pool of bits, in which heads and lists are stored.
    pub(super) bits: Packed<1>,
}

/// Maximum number of gaps that an answer visits in a line.
const MAX_GAPS: u64 = 32;

/// Returns true if an answer visits at most 32 gaps, in a row in which moves of up to `stay` stones stay, with runs of
/// `run` places and marks at least `least` apart.
pub fn visits_few_gaps(stay: u32, run: u32, least: u64) -> bool {
    u64::from(stay) + u64::from(run) <= MAX_GAPS * least
}

/// One outcome line, decoded for queries. Kept small, since a long game has thousands of lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutcomeLine {
    /// Bit address of the head.
    head: u64,
    /// The first place of the tail.
    pub(super) own: u64,
    /// Distance from a mark to its run.
    pub(super) shift: u64,
    /// Number of places of a run; 0 if the line has no marks.
    pub(super) run: u32,
    pub(super) marks: MarkList,
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
        let run = narrow(run)?;
        let is_tail_lost = narrow(tail)? != 0;
        if list == 0 {
            return Ok(OutcomeLine { head, own, shift, run: 0, marks: MarkList::NONE, is_tail_lost });
        }
        let list = self.lists.get(body, list - 1)?;
        let marks = MarkList::new(self.bits.address(list[0], 1)?, list)?;
        if !visits_few_gaps(stay, run, marks.least.get().into()) {
            return Err(Fault::Impossible);
        }
        Ok(OutcomeLine { head, own, shift, run, marks, is_tail_lost })
    }
}

impl OutcomeLine {
    /// Returns true if the position at `x` is lost.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_lost(&self, body: &Body, x: u64) -> Result<bool, Fault> {
        let mut mask = 0_u64;
        self.lost_below(body, x + 1, 1, &mut mask)?;
        Ok(mask != 0)
    }

    /// Prefetches data that decides the outcomes of the tail.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn prefetch(&self, body: &Body) {
        // Most places lie in the tail; for a head, the prefetch is useless but harmless.
        body.prefetch(self.marks.middle_entry());
    }

    /// Sets bit `k - 1` of `mask` for each k from 1 to `reach` for which the place `x - k` is lost. `reach` is from 1
    /// to x, and the bits are clear before.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn lost_below<M: TakeMask>(
        &self,
        body: &Body,
        x: u64,
        reach: u32,
        mask: &mut M,
    ) -> Result<(), Fault> {
        let (low, own) = (x - u64::from(reach), self.own);
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
        x: u64,
        least: u32,
        greatest: u32,
        mask: &mut M,
    ) -> Result<(), Fault> {
        for first in (least..=greatest).step_by(SHORT as usize) {
            let mut word = 0_u64;
            self.lost_below(body, x + 1 - u64::from(first), SHORT.min(greatest + 1 - first), &mut word)?;
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
        let (shift, run) = (self.shift, u64::from(self.run));
        let Some(last_mark) = (x - 1).checked_sub(shift) else { return Ok(()) };
        let first_mark = (low + 1).saturating_sub(shift + run).min(last_mark);
        self.marks.each(body, first_mark, last_mark, |mark| {
            let first = (mark + shift).max(low);
            let end = (mark + shift + run).min(x);
            if first < end {
                mask.flip((x - end) as u32, (x - first) as u32);
            }
        })
    }

    /// Does the part of [`lost_below`](Self::lost_below) in the head: sets the bits of the places from `low` on.
    #[inline(never)]
    fn head_below<M: TakeMask>(&self, body: &Body, low: u64, x: u64, mask: &mut M) -> Result<(), Fault> {
        let high = x.min(self.own);
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

    /// Returns the least place such that the run of a mark there may reach into the tail.
    pub(super) fn first_mark(&self) -> u64 {
        (self.own + 1).saturating_sub(self.shift + u64::from(self.run))
    }
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::lost_runs::{LostRuns, LostTrain, LostTrains};
    use super::super::marks::tests::PlainList;
    use super::super::mask::{RunEnds, WinningMoves};
    use super::*;
    use crate::MoveSet;
    use crate::format::tests::forged;

    /// An outcome line, by the definition in FORMAT.md.
    #[derive(Clone)]
    struct PlainLine {
        /// The outcomes of the first places; true means lost.
        head: Vec<bool>,
        list: PlainList,
        shift: u64,
        run: u64,
        tail: bool,
    }

    impl PlainLine {
        fn is_lost(&self, x: u64) -> bool {
            let reaches = |mark: &u64| (mark + self.shift..mark + self.shift + self.run).contains(&x);
            match self.head.get(x as usize) {
                Some(&lost) => lost,
                None => self.tail ^ (self.run > 0 && self.list.marks.iter().any(reaches)),
            }
        }
    }

    /// The records of outcome lines.
    #[derive(Clone, Default)]
    struct TestArrays {
        lines: Vec<[u64; 6]>,
        lists: Vec<[u64; LIST_FIELDS]>,
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
        fn add(&mut self, line: &PlainLine, end: u64) {
            let head = self.bits(line.head.iter().copied());
            let mut list = 0;
            if line.run > 0 {
                let (bits, [blocks, start, begun, least, spread, order]) = line.list.pack(end);
                let first = self.bits(bits);
                self.lists.push([first, blocks, start, begun, least, spread, order]);
                list = self.lists.len() as u64;
            }
            let own = line.head.len() as u64;
            self.lines.push([head, own, list, line.shift, line.run, line.tail.into()]);
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

    const END: u64 = 200;

    fn head(length: u32) -> Vec<bool> {
        (0..length).map(|x| x * x % 7 < 3).collect()
    }

    /// Returns a line without marks.
    fn plain(head: Vec<bool>, tail: bool) -> PlainLine {
        let list = PlainList { marks: vec![], block: 1, order: 0 };
        PlainLine { head, list, shift: 0, run: 0, tail }
    }

    #[test]
    fn lines_read_back_at_every_place_and_for_every_reach() {
        let mut lines = vec![plain(head(150), true), plain(head(5), false), plain(vec![], true)];
        for (number, marks) in super::super::marks::tests::lists().into_iter().enumerate() {
            let marks: Vec<u64> = marks.into_iter().filter(|&mark| mark < END).collect();
            if marks.is_empty() {
                continue;
            }
            let least = marks.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(9);
            for run in [1, least] {
                for (shift, length, tail) in [(0, 0, false), (1, 3, true), (9, 130, false)] {
                    let list = PlainList { marks: marks.clone(), block: 1 + number % 3, order: 1 };
                    lines.push(PlainLine { head: head(length), list, shift, run, tail });
                }
            }
        }
        assert!(lines.len() > 150);
        check_reads(lines);
    }

    fn check_reads(mut lines: Vec<PlainLine>) {
        let mut arrays = TestArrays::default();
        // A line without a list has no marks, whatever its other fields say.
        arrays.lines.push([0, 0, 0, 3, 5, 1]);
        lines.insert(0, plain(vec![], true));
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
                let mut in_trains = vec![false; end as usize];
                for train in LostTrains::new(&body, &line, end) {
                    let LostTrain { start, width, gap, count } = train.unwrap();
                    assert!(0 < width && width <= gap && 0 < count);
                    for run in (0..count).map(|number| (start + number * gap) as usize) {
                        assert!(!in_trains[run..run + width as usize].contains(&true));
                        in_trains[run..run + width as usize].fill(true);
                    }
                }
                assert_eq!(in_trains, found, "line {number} to {end}");
            }
            for x in 0..END {
                assert_eq!(line.is_lost(&body, x), Ok(lost[x as usize]), "line {number} at {x}");
            }
            for x in 1..END {
                for reach in [1, 2, 7, 57, 63, 64, 65, 130, x].into_iter().filter(|&reach| reach <= x) {
                    let reach = reach as u32;
                    let expected: Vec<u32> =
                        (1..=reach).filter(|&take| lost[(x - u64::from(take)) as usize]).collect();
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

    /// Returns one line with a list of marks five places apart, and a pool of zeros.
    fn with_gaps_of_5(run: u64) -> TestArrays {
        let lists = vec![[0, 1, 2, 1, 5, 0, 0]];
        TestArrays { lines: vec![[0, 0, 1, 0, run, 0]], lists, bits: vec![[0]; 64] }
    }

    #[test]
    fn places_beyond_32_bits_are_found() {
        // The marks 1, 6, 11 and so on, in the runs from 2^32 + 1 on.
        let mut arrays = with_gaps_of_5(2);
        arrays.lists[0][0] = 3;
        arrays.bits[3] = [1];
        (arrays.lines[0][1], arrays.lines[0][3]) = (0, 1 << 32);
        let (outcomes, body) = arrays.open();
        let line = outcomes.line(&body, 0, 9).unwrap();
        for x in (1_u64 << 32) - 20..(1 << 32) + 60 {
            let is_lost = |x: u64| x.checked_sub((1 << 32) + 1).is_some_and(|past| past % 5 < 2);
            assert_eq!(line.is_lost(&body, x), Ok(is_lost(x)), "{x}");
            let mut word = 0_u64;
            line.lost_below(&body, x, 9, &mut word).unwrap();
            let expected =
                (1..=9).filter(|&take| is_lost(x - take)).fold(0, |bits, take| bits | 1 << (take - 1));
            assert_eq!(word, expected, "{x}");
        }
        let runs = LostRuns::new(&body, &line, (1 << 32) + 8).map(Result::unwrap);
        let first = (1_u64 << 32) + 1;
        assert_eq!(runs.collect::<Vec<_>>(), [first..first + 2, first + 5..first + 7]);
    }

    #[test]
    fn more_than_32_gaps_for_an_answer_are_refused() {
        let arrays = with_gaps_of_5(60);
        assert!(arrays.first(100).is_ok());
        assert_eq!(arrays.first(101).unwrap_err(), Fault::Impossible);
        assert!(
            visits_few_gaps(u32::MAX, u32::MAX, 1 << 28)
                && !visits_few_gaps(u32::MAX, u32::MAX, (1 << 28) - 1)
        );
    }

    #[test]
    fn missing_heads_lists_and_marks_are_refused() {
        let line = |[head, own, list]: [u64; 3], first: u64| {
            let mut arrays = with_gaps_of_5(1);
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
    fn runs_beyond_32_bits_are_refused() {
        // An implementation that kept only the lowest 32 bits would read the valid number.
        let mut arrays = with_gaps_of_5(1);
        arrays.lines[0][4] += 1 << 32;
        assert_eq!(arrays.first(0).unwrap_err(), Fault::Impossible);
    }
}
