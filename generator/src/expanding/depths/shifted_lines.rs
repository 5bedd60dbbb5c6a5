//! Recognizes lines that are shifted copies of lines already solved.
//!
//! A line depends on its target lines only, each moved up by some stones. Suppose that all dependencies of a new line
//! equal those of a solved line, except that they lie s stones higher and are d plies deeper. Once the new line equals
//! the solved one over a whole window, s stones higher and d plies deeper, it does so from there on. The solver waits
//! for this agreement. With reset-limit 3, one more reset for each player mostly gives s = 4 and d = 2: if the solved
//! line has depth 9 at 257 stones, the copy has depth 11 at 261.

use std::sync::Arc;

use super::verdict_line::{Cursor, ShiftedRuns, VerdictLine};
use crate::expanding::run::Run;
use crate::making::GenerateError;
use crate::memory::Grow;

/// A line to which moves lead, moved up by the stones of the moves.
#[derive(Clone, Debug)]
pub(super) struct MoveTarget {
    pub(super) line: Arc<VerdictLine>,
    /// Stones by which the line is moved up.
    pub(super) shift: u32,
    /// Stones of these moves; `None` if the line's runs state them.
    pub(super) take: Option<u32>,
}

impl MoveTarget {
    /// The line at its own places.
    pub(super) fn itself(line: &Arc<VerdictLine>) -> Self {
        Self { line: line.clone(), shift: 0, take: None }
    }

    /// The target of moves of exactly `take` stones.
    pub(super) fn exactly(line: &Arc<VerdictLine>, take: u32) -> Self {
        Self { line: line.clone(), shift: take, take: Some(take) }
    }

    /// Returns a cursor on the moved line, and the stones of the moves.
    pub(super) fn cursor(&self) -> (Cursor<'_>, Option<u32>) {
        (Cursor::new(&self.line, self.shift), self.take)
    }
}

/// The tails of the target lines on which a line depends, relative to the first of them.
pub(super) struct Dependencies {
    lines: Vec<Option<Dependency>>,
    /// Shift of the first tail.
    shift: i64,
    /// Plies by which the first tail is deeper.
    deeper: i64,
    /// From this place on, only the tails of the target lines matter.
    settled_from: u64,
}

/// The tail of a target line. The shift and the additional plies are relative to the first tail.
struct Dependency {
    runs: Arc<Vec<Run>>,
    shift: i64,
    deeper: i64,
    take: Option<u32>,
}

impl Dependencies {
    /// Collects the dependencies. Each place of a target matters for `reach` places after it.
    pub(super) fn new<'a>(
        targets: impl Iterator<Item = Option<&'a MoveTarget>>,
        reach: u64,
    ) -> Result<Self, GenerateError> {
        let mut dependencies = Self { lines: Vec::new(), shift: 0, deeper: 0, settled_from: 0 };
        let mut first = None;
        for target in targets {
            let Some(MoveTarget { line, shift: target_shift, take }) = target else {
                dependencies.lines.grow(None)?;
                continue;
            };
            let ShiftedRuns { runs, shift, deeper } = &line.tail;
            let (shift, deeper) = (i64::from(*shift) + i64::from(*target_shift), i64::from(*deeper));
            let (first_shift, first_deeper) = *first.get_or_insert((shift, deeper));
            let settled_from = u64::from(line.tail_from) + u64::from(*target_shift) + reach;
            dependencies.settled_from = dependencies.settled_from.max(settled_from);
            let [shift, deeper] = [shift - first_shift, deeper - first_deeper];
            dependencies.lines.grow(Some(Dependency { runs: runs.clone(), shift, deeper, take: *take }))?;
        }
        (dependencies.shift, dependencies.deeper) = first.unwrap_or_default();
        Ok(dependencies)
    }

    /// Returns whether the tails are the same, apart from a common shift and common additional plies.
    fn matches(&self, other: &Self) -> bool {
        let key = |line: &Option<Dependency>| {
            line.as_ref().map(|line| (Arc::as_ptr(&line.runs), line.shift, line.deeper, line.take))
        };
        self.lines.iter().map(key).eq(other.lines.iter().map(key))
    }
}

/// Solved lines with their dependencies. Each entry has `N` lines that were solved together.
pub(super) struct SolvedLines<const N: usize>(Vec<(Dependencies, [Arc<VerdictLine>; N])>);

/// The tails that lines are expected to have if they are shifted copies of solved lines.
pub(super) struct ShiftedCopy<const N: usize> {
    pub(super) tails: [ShiftedRuns; N],
    /// From this place on, copy and original have equal dependencies.
    pub(super) settled_from: u64,
}

impl<const N: usize> Default for SolvedLines<N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<const N: usize> SolvedLines<N> {
    /// Returns the expected copy if some solved lines have the same dependencies, and have them neither higher nor
    /// deeper.
    pub(super) fn copy(&self, dependencies: &Dependencies) -> Option<ShiftedCopy<N>> {
        if dependencies.lines.iter().all(Option::is_none) {
            return None;
        }
        self.0.iter().filter(|(solved, _)| solved.matches(dependencies)).find_map(|(solved, lines)| {
            let more_shift = u32::try_from(dependencies.shift - solved.shift).ok()?;
            let more_depth = u32::try_from(dependencies.deeper - solved.deeper).ok()?;
            // An odd difference of depth would exchange won and lost positions.
            if !more_depth.is_multiple_of(2) {
                return None;
            }
            let solved_from =
                lines.iter().map(|line| line.tail_from.into()).fold(solved.settled_from, u64::max);
            let settled_from = dependencies.settled_from.max(solved_from + u64::from(more_shift));
            let tails = lines.each_ref().map(|line| {
                let ShiftedRuns { runs, shift, deeper } = &line.tail;
                ShiftedRuns { runs: runs.clone(), shift: more_shift + shift, deeper: more_depth + deeper }
            });
            Some(ShiftedCopy { tails, settled_from })
        })
    }

    /// Stores lines that were solved to their ends.
    pub(super) fn put(
        &mut self,
        dependencies: Dependencies,
        lines: [Arc<VerdictLine>; N],
    ) -> Result<(), GenerateError> {
        self.0.grow((dependencies, lines))
    }
}

impl SolvedLines<1> {
    /// Returns the line with these dependencies. `runs` computes the line's runs up to a place.
    pub(super) fn line(
        &mut self,
        whole: &mut WholeLines,
        dependencies: Dependencies,
        length: u64,
        runs: impl FnOnce(u64) -> Result<Vec<Run>, GenerateError>,
    ) -> Result<Arc<VerdictLine>, GenerateError> {
        if let Some(ShiftedCopy { tails: [tail], settled_from }) = self.copy(&dependencies)
            && settled_from < length
        {
            let head = runs(settled_from)?;
            return Ok(Arc::new(VerdictLine::with_head(head, settled_from as u32, tail)));
        }
        let line = whole.line(runs(length)?, length)?;
        self.put(dependencies, [line.clone()])?;
        Ok(line)
    }
}

/// The whole lines of a row.
#[derive(Default)]
pub(super) struct WholeLines(Vec<Arc<VerdictLine>>);

/// A line is stored as a copy if its own head has at most one `MAX_HEAD_DIVISOR`-th of its runs.
const MAX_HEAD_DIVISOR: usize = 2;

impl WholeLines {
    /// Returns the line with these runs up to `length`: a shifted copy with a short head, if possible, otherwise a new whole
    /// line.
    pub(super) fn line(&mut self, runs: Vec<Run>, length: u64) -> Result<Arc<VerdictLine>, GenerateError> {
        let copies = self.0.iter().filter_map(|whole| match_from_end(length, &runs, &whole.tail.runs));
        let copy = copies.min_by_key(|(unmatched, _)| *unmatched);
        if let Some((unmatched, tail)) =
            copy.filter(|(unmatched, _)| *unmatched <= runs.len() / MAX_HEAD_DIVISOR)
        {
            let tail_from = runs.get(unmatched).map_or(0, |run| run.start);
            let mut head = runs;
            head.truncate(unmatched);
            return Ok(Arc::new(VerdictLine::with_head(head, tail_from, tail)));
        }
        let whole = Arc::new(VerdictLine::whole(runs));
        self.0.grow(whole.clone())?;
        Ok(whole)
    }
}

/// Maximum number of runs of the other line that are tried as the counterpart of a line's last run.
const MAX_TRIES: usize = 256;

/// Matches the last runs of a line with runs of another line, shifted and deeper, from the end backwards. Returns the
/// number of unmatched runs, which come first, and the tail that replaces the others.
fn match_from_end(length: u64, line: &[Run], other: &Arc<Vec<Run>>) -> Option<(usize, ShiftedRuns)> {
    let last = line.last()?;
    let end = other.partition_point(|run| run.start <= last.start);
    let match_at = |index: usize| {
        let shift = last.start - other[index].start;
        let deeper = last.depth.checked_sub(other[index].depth)?;
        let is_same = |a: &Run, b: &Run| {
            a.start == b.start + shift
                && a.depth == b.depth + deeper
                && a.take == b.take
                && a.reset == b.reset
        };
        // The end of the line may cut off the last run. If only one place remains of it, both values of `advance` fit.
        let has_one_place = u64::from(last.start) + 1 == length;
        let reaches_end =
            other.get(index + 1).is_none_or(|next| u64::from(next.start) + u64::from(shift) >= length);
        let advance_fits = has_one_place || last.advance == other[index].advance;
        if !reaches_end || !is_same(last, &other[index]) || !advance_fits {
            return None;
        }
        let pairs = line.iter().rev().zip(other[..=index].iter().rev());
        let matched = 1 + pairs.skip(1).take_while(|(a, b)| is_same(a, b) && a.advance == b.advance).count();
        Some((line.len() - matched, ShiftedRuns { runs: other.clone(), shift, deeper }))
    };
    (0..end).rev().take(MAX_TRIES).filter_map(match_at).min_by_key(|(unmatched, _)| *unmatched)
}
