//! Packing outcome lines (FORMAT.md, section 4.3): heads, tails, and lists of marks.

use std::collections::TryReserveError;

use bouton_tables::expanding::{Layout, MAX_BUCKET_WIDTH, MAX_BUCKETS, within_reach};
use bouton_tables::format::{BitWriter, low_bits, width_of};

use super::SolvedRow;

/// The outcomes along a line: the first one, and the places at which they change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Profile {
    first_lost: bool,
    changes: Vec<u32>,
}

/// The profiles of all lines of a row.
pub(super) fn profiles(layout: &Layout, solved: &SolvedRow) -> Vec<Profile> {
    let words = layout.cells().div_ceil(64);
    let mut profiles = vec![Profile::default(); layout.lines()];
    let mut before = vec![0; 4 * words];
    for (x, now) in (0..).zip(solved.lost.chunks_exact(4 * words)) {
        for (i, (&now, before)) in now.iter().zip(&mut before).enumerate() {
            let mut changed = now ^ *before;
            *before = now;
            while changed != 0 {
                let (group, cell) = (i / words, i % words * 64 + changed.trailing_zeros() as usize);
                changed &= changed - 1;
                let profile = &mut profiles[(group / 2 * layout.cells() + cell) * 2 + group % 2];
                if x == 0 {
                    profile.first_lost = true;
                } else {
                    profile.changes.push(x);
                }
            }
        }
    }
    profiles
}

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
    fn new(profile: &Profile, own: u32) -> Self {
        let mut words = vec![0; own.div_ceil(64) as usize + 1];
        for (start, end, lost) in profile.runs(own) {
            if lost {
                (start..end).for_each(|x| words[(x / 64) as usize] |= 1 << (x % 64));
            }
        }
        *words.last_mut().expect("at least one") = own.into();
        Self { words }
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

impl Profile {
    /// The runs of equal outcomes before `end`: start, end, whether lost.
    fn runs(&self, end: u32) -> impl DoubleEndedIterator<Item = (u32, u32, bool)> {
        let n = self.changes.partition_point(|&change| change < end);
        (0..=n).filter(move |_| end > 0).map(move |i| {
            let start = if i == 0 { 0 } else { self.changes[i - 1] };
            let stop = if i == n { end } else { self.changes[i] };
            (start, stop, self.first_lost ^ (i % 2 == 1))
        })
    }
}

/// A list of marks.
#[derive(Clone, Debug)]
pub(super) struct List {
    marks: Vec<u32>,
    pub(super) bucket: u32,
    length: u32,
}

impl List {
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
    fn new(profile: &Profile, length: u32, gap: u32) -> Option<Self> {
        let mut runs = profile.runs(length).rev();
        // The last run may be cut off by the line's end; the two before it tell which outcome is the rarer
        // one.
        let last = runs.next()?;
        let (a, b) = (runs.next()?, runs.next()?);
        let rarer = if a.1 - a.0 <= b.1 - b.0 { a } else { b };
        let (run, rare) = (rarer.1 - rarer.0, rarer.2);
        if last.2 == rare && last.1 - last.0 > run {
            return None;
        }
        let (mut marks, mut from): (Vec<u32>, u32) = (Vec::new(), 0);
        for (start, end, _) in profile.runs(length).rev().filter(|&(.., lost)| lost == rare) {
            let other_run = end - start != run && end != length;
            if other_run || marks.last().is_some_and(|next| next - start < gap) {
                from = end;
                break;
            }
            marks.push(start);
        }
        marks.reverse();
        Some(Self { marks, run, tail: !rare, from })
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

/// Packs the distinct lines of a row of this length, in which moves of up to `stay` stones stay.
pub(super) fn encode(length: u32, stay: u32, profiles: &[Profile]) -> (Vec<Record>, Vec<List>) {
    let mut lists: Vec<List> = Vec::new();
    let records = profiles.iter().map(|profile| encode_line(length, stay, profile, &mut lists)).collect();
    (records, lists)
}

fn encode_line(length: u32, stay: u32, profile: &Profile, lists: &mut Vec<List>) -> Record {
    // A constant tail after the last change is always possible. The rest must be cheaper.
    let own = profile.changes.last().copied().unwrap_or(0);
    let tail = profile.first_lost ^ (profile.changes.len() % 2 == 1);
    let mut best = Record { own, tail, ..Record::default() };
    let mut cost = u64::from(own);
    let mut new_list = None;
    // Wide enough buckets for half of what an answer may look at; the run may take the other half.
    if let Some(marked) = Marked::new(profile, length, stay.div_ceil(MAX_BUCKETS / 2)) {
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
    best.head = Head::new(profile, best.own);
    best
}

/// Bits that a list takes besides its marks.
const COST_OF_A_LIST: u64 = 32;
