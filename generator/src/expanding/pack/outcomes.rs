//! Packing outcome lines (FORMAT.md, section 4.3): heads, tails, and lists of marks.

use std::collections::TryReserveError;

use bouton_tables::expanding::{MAX_BUCKET_WIDTH, MAX_BUCKETS, within_reach};
use bouton_tables::format::{BitWriter, low_bits, width_of};

use super::profile::Profile;
use crate::GenerateError;
use crate::memory::{Grow, filled};

/// How one line is stored.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub(super) head: Head,
    pub(super) own: u32,
    /// Number of the row's list, counted from 1; 0 for none.
    pub(super) list: u32,
    pub(super) shift: u32,
    pub(super) run: u32,
    pub(super) tail: bool,
}

/// The bits of a head, in words, and behind them their number, so that heads of different lengths differ.
#[derive(Clone, Debug, Default)]
pub(super) struct Head {
    pub(super) words: Vec<u64>,
}

impl Head {
    fn new(profile: &Profile, own: u32) -> Result<Self, GenerateError> {
        let mut words = filled(u64::from(own.div_ceil(64)) + 1, 0)?;
        for (start, end, lost) in profile.runs(own) {
            if lost {
                (start..end).for_each(|x| words[(x / 64) as usize] |= 1 << (x % 64));
            }
        }
        *words.last_mut().expect("at least one") = own.into();
        Ok(Self { words })
    }

    pub(super) fn write(&self, pool: &mut BitWriter) -> Result<(), TryReserveError> {
        let Some((&len, words)) = self.words.split_last() else { return Ok(()) };
        for (i, word) in (0..).zip(words) {
            for half in 0..2 {
                let left = len.saturating_sub(64 * i + 32 * half).min(32);
                pool.push(word >> (32 * half) & low_bits(left as u32), left as u32)?;
            }
        }
        Ok(())
    }
}

/// A list of marks.
#[derive(Clone, Debug)]
pub(super) struct List {
    marks: Vec<u32>,
    pub(super) bucket: u32,
    length: u32,
}

impl Record {
    /// Bytes that it takes, about.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + 8 * self.head.words.capacity()
    }
}

impl List {
    /// Bytes that it takes, about.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + 4 * self.marks.capacity()
    }

    fn new(marks: Vec<u32>, length: u32) -> Self {
        let gap = marks.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(length);
        let bucket = gap.min(low_bits(MAX_BUCKET_WIDTH) as u32);
        Self { marks, bucket, length }
    }

    /// Bits that it takes.
    fn cost(&self) -> u64 {
        u64::from(self.length / self.bucket + 1) * u64::from(width_of(self.bucket.into()))
    }

    pub(super) fn write(&self, pool: &mut BitWriter) -> Result<(), TryReserveError> {
        let width = width_of(self.bucket.into());
        let mut marks = self.marks.iter().copied().peekable();
        for bucket in 0..=self.length / self.bucket {
            let end = (bucket + 1) * self.bucket;
            let mark = marks.next_if(|&mark| mark < end);
            pool.push(mark.map_or(self.bucket, |mark| mark - bucket * self.bucket).into(), width)?;
        }
        Ok(())
    }
}

/// A line seen as a constant with marks of one length on it, from some place on.
struct Marked {
    marks: Vec<u32>,
    run: u32,
    tail: bool,
    /// From here on this holds.
    from: u32,
}

impl Marked {
    /// Marks that are at least `gap` apart.
    fn new(profile: &Profile, length: u32, gap: u32) -> Result<Option<Self>, GenerateError> {
        let mut runs = profile.runs(length).rev();
        // The last run may be cut off by the line's end; the two before it tell which outcome is the rarer
        // one.
        let (Some(last), Some(a), Some(b)) = (runs.next(), runs.next(), runs.next()) else { return Ok(None) };
        let rarer = if a.1 - a.0 <= b.1 - b.0 { a } else { b };
        let (run, rare) = (rarer.1 - rarer.0, rarer.2);
        if last.2 == rare && last.1 - last.0 > run {
            return Ok(None);
        }
        let (mut marks, mut from): (Vec<u32>, u32) = (Vec::new(), 0);
        for (start, end, _) in profile.runs(length).rev().filter(|&(.., lost)| lost == rare) {
            let other_run = end - start != run && end != length;
            if other_run || marks.last().is_some_and(|next| next - start < gap) {
                from = end;
                break;
            }
            marks.grow(start)?;
        }
        marks.reverse();
        Ok(Some(Self { marks, run, tail: !rare, from }))
    }

    /// The shift by which the marks of `list` become these, and from where on they do.
    fn fit(&self, list: &List) -> Option<(u32, u32)> {
        let &last = self.marks.last()?;
        let candidates = list.marks.partition_point(|&mark| mark <= last);
        let fits = (0..candidates).rev().take(LOOK_BACK).filter_map(|j| {
            let shift = last - list.marks[j];
            // A further mark of the list must not show.
            let next = list.marks.get(j + 1).is_none_or(|&next| next + shift >= list.length);
            next.then(|| (self.from.max(self.misfit(&list.marks[..=j], shift)), shift))
        });
        fits.min().map(|(from, shift)| (shift, from))
    }

    /// The place from which on these marks and those of a list are the same, `marks` being shifted.
    fn misfit(&self, marks: &[u32], shift: u32) -> u32 {
        let mut ours = self.marks.iter().rev();
        let mut theirs = marks.iter().rev().map(|mark| mark + shift);
        loop {
            match (ours.next(), theirs.next()) {
                (Some(&a), Some(b)) if a == b => {}
                (a, b) => {
                    return [a.copied(), b].into_iter().flatten().max().map_or(0, |mark| mark + self.run);
                }
            }
        }
    }
}

/// How many marks of a list are tried as the counterpart of a line's last one.
const LOOK_BACK: usize = 64;

/// Packs the distinct lines of a row.
pub(super) struct Encoder {
    length: u32,
    /// The most stones taken by a move that stays in the row.
    stay: u32,
    records: Vec<Record>,
    lists: Vec<List>,
}

impl Encoder {
    pub(super) fn new(length: u32, stay: u32) -> Self {
        Self { length, stay, records: Vec::new(), lists: Vec::new() }
    }

    /// Packs the next line.
    pub(super) fn put(&mut self, profile: &Profile) -> Result<(), GenerateError> {
        self.records.push(encode_line(self.length, self.stay, profile, &mut self.lists)?);
        Ok(())
    }

    /// The records of all lines, and the lists of the row.
    pub(super) fn finish(self) -> (Vec<Record>, Vec<List>) {
        (self.records, self.lists)
    }
}

fn encode_line(
    length: u32,
    stay: u32,
    profile: &Profile,
    lists: &mut Vec<List>,
) -> Result<Record, GenerateError> {
    // A constant tail after the last change is always possible. The rest must be cheaper.
    let (own, tail) = profile.last();
    let mut best = Record { own, tail, ..Record::default() };
    let mut cost = u64::from(own);
    let mut new_list = None;
    // Wide enough buckets for half of what an answer may look at; the run may take the other half.
    if let Some(marked) = Marked::new(profile, length, stay.div_ceil(MAX_BUCKETS / 2))? {
        let (run, tail) = (marked.run, marked.tail);
        for (number, list) in (1..).zip(lists.iter()).filter(|(_, list)| within_reach(stay, run, list.bucket))
        {
            if let Some((shift, own)) = marked.fit(list)
                && u64::from(own) < cost
            {
                best = Record { own, list: number, shift, run, tail, ..Record::default() };
                cost = own.into();
            }
        }
        let own = marked.from;
        let list = List::new(marked.marks, length);
        if within_reach(stay, run, list.bucket) && u64::from(own) + list.cost() + COST_OF_A_LIST < cost {
            let number = u32::try_from(lists.len() + 1).expect("at most one list a line");
            best = Record { own, list: number, shift: 0, run, tail, ..Record::default() };
            new_list = Some(list);
        }
    }
    lists.extend(new_list);
    best.head = Head::new(profile, best.own)?;
    Ok(best)
}

/// Bits that a list takes besides its marks.
const COST_OF_A_LIST: u64 = 32;
