//! Lines that are others, shifted: what follows from the same lines in the same way is the same.
//!
//! A line follows from others, each moved up by some stones. If from some place on these are the same as those of a line that is
//! solved already, but all shifted by the same number of stones and deeper by the same number of plies, so is the line itself,
//! once it is where the other one was. Nothing is taken for granted about which lines these are.

use std::sync::Arc;

use super::stairs::{Other, Stairs};
use crate::GenerateError;
use crate::expanding::row::Run;
use crate::memory::Grow;

/// A line to which moves of some stones lead.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    pub(super) stairs: Arc<Stairs>,
    pub(super) by: u32,
    /// How many stones these moves take, if the line itself does not say.
    pub(super) take: Option<u32>,
}

impl Cover {
    /// The line itself.
    pub(super) fn itself(stairs: &Arc<Stairs>) -> Self {
        Self { stairs: stairs.clone(), by: 0, take: None }
    }

    /// Where moves of a number of stones lead.
    pub(super) fn just(stairs: &Arc<Stairs>, stones: u32) -> Self {
        Self { stairs: stairs.clone(), by: stones, take: Some(stones) }
    }
}

/// What a line follows from, seen from the first of these lines.
pub(super) struct Sources {
    lines: Vec<Option<Source>>,
    shift: i64,
    deeper: i64,
    /// From here on only what tells of the lines' tails matters.
    settled: u64,
}

struct Source {
    runs: Arc<Vec<Run>>,
    shift: i64,
    deeper: i64,
    take: Option<u32>,
}

impl Sources {
    /// These lines, each place of which matters for `reach` places after it.
    pub(super) fn new<'a>(
        covers: impl Iterator<Item = Option<&'a Cover>>,
        reach: u64,
    ) -> Result<Self, GenerateError> {
        let mut sources = Self { lines: Vec::new(), shift: 0, deeper: 0, settled: 0 };
        let mut first = None;
        for cover in covers {
            let Some(Cover { stairs, by, take }) = cover else {
                sources.lines.grow(None)?;
                continue;
            };
            let Other { runs, shift, deeper } = &stairs.other;
            let (shift, deeper) = (i64::from(*shift) + i64::from(*by), i64::from(*deeper));
            let (from_shift, from_deeper) = *first.get_or_insert((shift, deeper));
            sources.settled = sources.settled.max(u64::from(stairs.own) + u64::from(*by) + reach);
            let [shift, deeper] = [shift - from_shift, deeper - from_deeper];
            sources.lines.grow(Some(Source { runs: runs.clone(), shift, deeper, take: *take }))?;
        }
        (sources.shift, sources.deeper) = first.unwrap_or_default();
        Ok(sources)
    }

    fn are_those_of(&self, others: &Self) -> bool {
        let same = |(one, other): (&Option<Source>, &Option<Source>)| match (one, other) {
            (None, None) => true,
            (Some(one), Some(other)) => {
                Arc::ptr_eq(&one.runs, &other.runs)
                    && (one.shift, one.deeper, one.take) == (other.shift, other.deeper, other.take)
            }
            _ => false,
        };
        self.lines.len() == others.lines.len() && self.lines.iter().zip(&others.lines).all(same)
    }
}

/// Lines that are solved, by what they follow from: `N` that are solved together.
pub(super) struct Solved<const N: usize>(Vec<(Sources, [Arc<Stairs>; N])>);

/// What a line is from some place on.
pub(super) struct Twin<const N: usize> {
    pub(super) others: [Other; N],
    /// From here on both follow from the same.
    pub(super) settled: u64,
}

impl<const N: usize> Default for Solved<N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<const N: usize> Solved<N> {
    /// A line, or several, that follow from the same lines, less shifted.
    pub(super) fn twin(&self, sources: &Sources) -> Option<Twin<N>> {
        if sources.lines.iter().all(Option::is_none) {
            return None;
        }
        self.0.iter().filter(|(known, _)| known.are_those_of(sources)).find_map(|(known, lines)| {
            let shift = u32::try_from(sources.shift - known.shift).ok()?;
            let deeper = u32::try_from(sources.deeper - known.deeper).ok()?;
            // An odd number of plies makes a lost position of a won one.
            if !deeper.is_multiple_of(2) {
                return None;
            }
            let from = |line: &Arc<Stairs>| u64::from(line.own) + u64::from(shift);
            let settled = sources.settled.max(known.settled + u64::from(shift));
            let settled = lines.iter().map(from).fold(settled, u64::max);
            let other = |Other { runs, shift: further, deeper: more }: &Other| Other {
                runs: runs.clone(),
                shift: shift + further,
                deeper: deeper + more,
            };
            Some(Twin { others: std::array::from_fn(|i| other(&lines[i].other)), settled })
        })
    }

    /// Keeps lines that were solved to their ends.
    pub(super) fn put(&mut self, sources: Sources, lines: [&Arc<Stairs>; N]) -> Result<(), GenerateError> {
        self.0.grow((sources, lines.map(Arc::clone)))
    }
}

impl Solved<1> {
    /// The line of a length that follows from these lines, place by place, given how to find its runs up to a place.
    pub(super) fn line(
        &mut self,
        wholes: &mut Wholes,
        sources: Sources,
        length: u64,
        runs: impl FnOnce(u64) -> Result<Vec<Run>, GenerateError>,
    ) -> Result<Arc<Stairs>, GenerateError> {
        if let Some(Twin { others: [other], settled }) = self.twin(&sources)
            && settled < length
        {
            let head = runs(settled)?;
            return Ok(Arc::new(Stairs::with_head(head, settled as u32, other)));
        }
        let line = wholes.line(runs(length)?, length)?;
        self.put(sources, [&line])?;
        Ok(line)
    }
}

/// The lines of a row that have only runs of their own.
#[derive(Default)]
pub(super) struct Wholes(Vec<Arc<Stairs>>);

/// A line is seen as another one if no more than one of so many of its runs are left to a head of its own.
const SHORT: usize = 2;

impl Wholes {
    /// The line with these runs up to a length: as another one with a short head of its own, if it is one.
    pub(super) fn line(&mut self, runs: Vec<Run>, length: u64) -> Result<Arc<Stairs>, GenerateError> {
        let found = self.0.iter().filter_map(|whole| {
            let (left, other) = as_other(length, &runs, &whole.other.runs)?;
            (left <= runs.len() / SHORT).then_some((left, other))
        });
        if let Some((left, other)) = found.min_by_key(|(left, _)| *left) {
            let own = runs.get(left).map_or(0, |run| run.start);
            let mut head = runs;
            head.truncate(left);
            return Ok(Arc::new(Stairs::with_head(head, own, other)));
        }
        let whole = Arc::new(Stairs::whole(runs));
        self.0.grow(whole.clone())?;
        Ok(whole)
    }
}

/// So many runs of the other line are tried as the counterpart of a line's last one.
const LOOK_BACK: usize = 256;

/// A line seen as another one, shifted up along the stones and made deeper, but for its first runs: how many.
fn as_other(length: u64, line: &[Run], other: &Arc<Vec<Run>>) -> Option<(usize, Other)> {
    let last = line.last()?;
    let candidates = other.partition_point(|run| run.start <= last.start);
    (0..candidates)
        .rev()
        .take(LOOK_BACK)
        .filter_map(|j| {
            let shift = last.start - other[j].start;
            let deeper = last.depth.checked_sub(other[j].depth)?;
            let same = |a: &Run, b: &Run| {
                a.start == b.start + shift
                    && a.depth == b.depth + deeper
                    && a.take == b.take
                    && a.reset == b.reset
            };
            // The last run may be cut off by the line's end: of a single place, one cannot tell whether it advances.
            let alone = u64::from(last.start) + 1 == length;
            let ends = other.get(j + 1).is_none_or(|next| u64::from(next.start) + u64::from(shift) >= length);
            if !ends || !same(last, &other[j]) || !(alone || last.advance == other[j].advance) {
                return None;
            }
            let pairs = line.iter().rev().zip(other[..=j].iter().rev());
            let matched = 1 + pairs.skip(1).take_while(|(a, b)| same(a, b) && a.advance == b.advance).count();
            Some((line.len() - matched, Other { runs: other.clone(), shift, deeper }))
        })
        .min_by_key(|(left, _)| *left)
}
