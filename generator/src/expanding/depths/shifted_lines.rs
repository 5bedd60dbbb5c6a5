//! Recognizes lines that are shifted copies of lines already solved.
//!
//! A line depends on its target lines only, each moved up by some stones. If all dependencies of a new line equal those
//! of a solved line, but lie s stones higher and are d plies deeper, then the new line is the solved one, s stones
//! higher and d plies deeper, as soon as the two agree over a whole window. The solver checks this agreement. With
//! reset-limit 3, one more reset for each player mostly gives s = 4 and d = 2: if the solved line has depth 9 at 257
//! stones, the copy has depth 11 at 261.

use std::sync::Arc;

use super::verdict_line::{ShiftedRuns, VerdictLine};
use crate::GenerateError;
use crate::expanding::row::Run;
use crate::memory::Grow;

/// A line to which moves lead, moved up by the stones of the moves.
#[derive(Clone, Debug)]
pub(super) struct MoveTarget {
    pub(super) stairs: Arc<VerdictLine>,
    pub(super) by: u32,
    /// Stones of these moves; `None` if the line's runs state them.
    pub(super) take: Option<u32>,
}

impl MoveTarget {
    /// The line at its own places.
    pub(super) fn itself(stairs: &Arc<VerdictLine>) -> Self {
        Self { stairs: stairs.clone(), by: 0, take: None }
    }

    /// The target of moves of `stones` stones.
    pub(super) fn just(stairs: &Arc<VerdictLine>, stones: u32) -> Self {
        Self { stairs: stairs.clone(), by: stones, take: Some(stones) }
    }
}

/// The lines on which a line depends, relative to the first of them.
pub(super) struct Dependencies {
    lines: Vec<Option<Dependency>>,
    shift: i64,
    deeper: i64,
    /// From this place on, only the tails of the target lines matter.
    settled: u64,
}

struct Dependency {
    runs: Arc<Vec<Run>>,
    shift: i64,
    deeper: i64,
    take: Option<u32>,
}

impl Dependencies {
    /// Collects the dependencies. Each place of a target matters for `reach` places after it.
    pub(super) fn new<'a>(
        covers: impl Iterator<Item = Option<&'a MoveTarget>>,
        reach: u64,
    ) -> Result<Self, GenerateError> {
        let mut dependencies = Self { lines: Vec::new(), shift: 0, deeper: 0, settled: 0 };
        let mut first = None;
        for cover in covers {
            let Some(MoveTarget { stairs, by, take }) = cover else {
                dependencies.lines.grow(None)?;
                continue;
            };
            let ShiftedRuns { runs, shift, deeper } = &stairs.other;
            let (shift, deeper) = (i64::from(*shift) + i64::from(*by), i64::from(*deeper));
            let (from_shift, from_deeper) = *first.get_or_insert((shift, deeper));
            dependencies.settled = dependencies.settled.max(u64::from(stairs.own) + u64::from(*by) + reach);
            let [shift, deeper] = [shift - from_shift, deeper - from_deeper];
            dependencies.lines.grow(Some(Dependency { runs: runs.clone(), shift, deeper, take: *take }))?;
        }
        (dependencies.shift, dependencies.deeper) = first.unwrap_or_default();
        Ok(dependencies)
    }

    fn equal(&self, others: &Self) -> bool {
        let same = |(one, other): (&Option<Dependency>, &Option<Dependency>)| match (one, other) {
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

/// Solved lines with their dependencies. Each entry has `N` lines that were solved together.
pub(super) struct SolvedLines<const N: usize>(Vec<(Dependencies, [Arc<VerdictLine>; N])>);

/// The lines that are expected from some place on: shifted copies of solved lines.
pub(super) struct ShiftedCopy<const N: usize> {
    pub(super) others: [ShiftedRuns; N],
    /// From this place on, copy and original have equal dependencies.
    pub(super) settled: u64,
}

impl<const N: usize> Default for SolvedLines<N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<const N: usize> SolvedLines<N> {
    /// Returns the expected copy for these dependencies, if solved lines with the same, less shifted dependencies
    /// exist.
    pub(super) fn twin(&self, dependencies: &Dependencies) -> Option<ShiftedCopy<N>> {
        if dependencies.lines.iter().all(Option::is_none) {
            return None;
        }
        self.0.iter().filter(|(known, _)| known.equal(dependencies)).find_map(|(known, lines)| {
            let shift = u32::try_from(dependencies.shift - known.shift).ok()?;
            let deeper = u32::try_from(dependencies.deeper - known.deeper).ok()?;
            // An odd difference of depth would exchange won and lost positions.
            if !deeper.is_multiple_of(2) {
                return None;
            }
            let from = |line: &Arc<VerdictLine>| u64::from(line.own) + u64::from(shift);
            let settled = dependencies.settled.max(known.settled + u64::from(shift));
            let settled = lines.iter().map(from).fold(settled, u64::max);
            let other = |ShiftedRuns { runs, shift: further, deeper: more }: &ShiftedRuns| ShiftedRuns {
                runs: runs.clone(),
                shift: shift + further,
                deeper: deeper + more,
            };
            Some(ShiftedCopy { others: std::array::from_fn(|i| other(&lines[i].other)), settled })
        })
    }

    /// Stores lines that were solved to their ends.
    pub(super) fn put(
        &mut self,
        dependencies: Dependencies,
        lines: [&Arc<VerdictLine>; N],
    ) -> Result<(), GenerateError> {
        self.0.grow((dependencies, lines.map(Arc::clone)))
    }
}

impl SolvedLines<1> {
    /// Returns the line with these dependencies. `runs` computes its runs up to a place.
    pub(super) fn line(
        &mut self,
        wholes: &mut WholeLines,
        dependencies: Dependencies,
        length: u64,
        runs: impl FnOnce(u64) -> Result<Vec<Run>, GenerateError>,
    ) -> Result<Arc<VerdictLine>, GenerateError> {
        if let Some(ShiftedCopy { others: [other], settled }) = self.twin(&dependencies)
            && settled < length
        {
            let head = runs(settled)?;
            return Ok(Arc::new(VerdictLine::with_head(head, settled as u32, other)));
        }
        let line = wholes.line(runs(length)?, length)?;
        self.put(dependencies, [&line])?;
        Ok(line)
    }
}

/// The lines of a row that consist of runs of their own only.
#[derive(Default)]
pub(super) struct WholeLines(Vec<Arc<VerdictLine>>);

/// A line counts as a copy if its own head has at most one of this many of its runs.
const SHORT: usize = 2;

impl WholeLines {
    /// Returns the line with these runs up to `length`: as a shifted copy with a short head, if possible.
    pub(super) fn line(&mut self, runs: Vec<Run>, length: u64) -> Result<Arc<VerdictLine>, GenerateError> {
        let found = self.0.iter().filter_map(|whole| {
            let (left, other) = as_other(length, &runs, &whole.other.runs)?;
            (left <= runs.len() / SHORT).then_some((left, other))
        });
        if let Some((left, other)) = found.min_by_key(|(left, _)| *left) {
            let own = runs.get(left).map_or(0, |run| run.start);
            let mut head = runs;
            head.truncate(left);
            return Ok(Arc::new(VerdictLine::with_head(head, own, other)));
        }
        let whole = Arc::new(VerdictLine::whole(runs));
        self.0.grow(whole.clone())?;
        Ok(whole)
    }
}

/// Number of runs of the other line that are tried as the counterpart of a line's last run.
const LOOK_BACK: usize = 256;

/// Matches a line with another one, shifted and deeper, from the last run backwards. Returns the number of unmatched
/// first runs.
fn as_other(length: u64, line: &[Run], other: &Arc<Vec<Run>>) -> Option<(usize, ShiftedRuns)> {
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
            // The end of the line may cut off the last run. If one place is left, it is unknown whether the run
            // advances.
            let alone = u64::from(last.start) + 1 == length;
            let ends = other.get(j + 1).is_none_or(|next| u64::from(next.start) + u64::from(shift) >= length);
            if !ends || !same(last, &other[j]) || !(alone || last.advance == other[j].advance) {
                return None;
            }
            let pairs = line.iter().rev().zip(other[..=j].iter().rev());
            let matched = 1 + pairs.skip(1).take_while(|(a, b)| same(a, b) && a.advance == b.advance).count();
            Some((line.len() - matched, ShiftedRuns { runs: other.clone(), shift, deeper }))
        })
        .min_by_key(|(left, _)| *left)
}
