//! The parallel scan of all positions that two tables have in common.

use std::ops::{AddAssign, Range};

use bouton_tables::{AnswerOf, Outcome, PositionOf, Region, Solved};

use super::overlap::{Comparable, Overlap};
use super::tally::{Changes, Starts};
use super::{DiffError, DifferenceKind};
use crate::Progress;
use crate::groups::map_reduce_chunks;

/// Two tables, with their common positions.
pub(super) struct TablePair<'a, A: Solved<Game: Comparable>, B> {
    pub(super) overlap: Overlap<'a, A::Game>,
    pub(super) a: &'a A,
    pub(super) b: &'a B,
    /// Called with the number of compared positions; with 0 elsewhere, only for the chance to stop.
    pub(super) progress: &'a Progress<'a>,
}

/// Differences in some positions.
#[derive(Default)]
pub(super) struct ScanResult {
    pub(super) whole: Changes,
    /// By axis and bin.
    pub(super) parts: Vec<Vec<Changes>>,
    pub(super) starts: Starts,
    /// Indices of the first different positions, ascending.
    pub(super) first: Vec<u64>,
    /// The positions with a different outcome that are nearest to the opening, if distances are known.
    pub(super) nearest: Option<NearestPositions>,
}

/// Positions at one distance from the opening.
pub(super) struct NearestPositions {
    pub(super) distance: u32,
    /// Indices of the first of these positions, at most [`MAX_NEAREST`].
    pub(super) numbers: Vec<u64>,
    /// Whether `numbers` is complete.
    pub(super) all: bool,
}

/// Bounds the memory of [`NearestPositions`]. If there are more, a search without a complete list finds one quickly.
const MAX_NEAREST: usize = 1 << 16;

impl ScanResult {
    /// Adds the differences in later positions.
    fn and_later(mut self, later: Self, limit: usize) -> Self {
        self.whole += later.whole;
        self.starts += later.starts;
        for (ours, theirs) in self.parts.iter_mut().flatten().zip(later.parts.iter().flatten()) {
            *ours += *theirs;
        }
        if self.parts.is_empty() {
            self.parts = later.parts;
        }
        let room = limit - self.first.len();
        self.first.extend(later.first.into_iter().take(room));
        if let Some(nearest) = later.nearest {
            self.add_nearest(nearest);
        }
        self
    }

    fn add_nearest(&mut self, found: NearestPositions) {
        match &mut self.nearest {
            Some(nearest) if nearest.distance < found.distance => {}
            Some(nearest) if nearest.distance == found.distance => {
                let room = MAX_NEAREST - nearest.numbers.len();
                nearest.all &= found.all && found.numbers.len() <= room;
                nearest.numbers.extend(found.numbers.into_iter().take(room));
            }
            other => *other = Some(found),
        }
    }
}

impl<A, B> TablePair<'_, A, B>
where
    A: Solved<Game: Comparable> + Sync,
    B: Solved<Game = A::Game, WinningMoves = A::WinningMoves> + Sync,
{
    pub(super) fn answers(&self, position: &PositionOf<A>) -> Result<[AnswerOf<A>; 2], DiffError> {
        let [in_a, in_b] = A::Game::sides(self.overlap.rules, position);
        Ok([self.a.answer(&in_a).map_err(DiffError::A)?, self.b.answer(&in_b).map_err(DiffError::B)?])
    }

    pub(super) fn outcomes(&self, [in_a, in_b]: &[PositionOf<A>; 2]) -> Result<[Outcome; 2], DiffError> {
        let a = self.a.outcome(in_a).map_err(DiffError::A)?;
        let b = self.b.outcome(in_b).map_err(DiffError::B)?;
        Ok([a, b])
    }

    /// Compares the two answers of every common position. Lists up to `limit` positions that differ in `only`.
    pub(super) fn scan(&self, limit: usize, only: DifferenceKind) -> Result<ScanResult, DiffError> {
        let overlap = &self.overlap;
        let opening = if overlap.knows_distances { A::Game::openings(overlap).next() } else { None };
        let look = |numbers: Range<u64>| -> Result<ScanResult, DiffError> {
            let parts = overlap.axes.iter().map(|axis| vec![Changes::default(); axis.bins.len()]).collect();
            let mut seen = ScanResult { parts, ..ScanResult::default() };
            let positions = overlap.compared.walk(numbers.start);
            for (number, position) in numbers.zip(positions) {
                let [a, b] = self.answers(&position)?;
                let change = Changes::between(&a, &b);
                seen.whole += change;
                for (axis, parts) in overlap.axes.iter().zip(&mut seen.parts) {
                    parts[(axis.part)(&position)] += change;
                }
                if overlap.same_starts
                    && let Some(stones) = A::Game::stones_of_start(overlap, &position)
                {
                    seen.starts += Starts::pair(stones, [a.verdict.outcome, b.verdict.outcome]);
                }
                if only.of(change) && seen.first.len() < limit {
                    seen.first.push(number);
                }
                if let Some(opening) = &opening
                    && change.outcomes() > 0
                    && let Some(distance) = A::Game::distance(overlap.rules, opening, &position)
                {
                    seen.add_nearest(NearestPositions { distance, numbers: vec![number], all: true });
                }
            }
            (self.progress)(seen.whole.compared)?;
            Ok(seen)
        };
        let count = overlap.compared.count();
        let mut seen = map_reduce_chunks(count, look, |earlier, later| earlier.and_later(later, limit))?;
        if !overlap.same_starts {
            seen.starts = self.starts(&|_| (self.progress)(0))?;
        }
        Ok(seen)
    }

    /// Compares all pairs of starts.
    pub(super) fn starts(&self, progress: &Progress) -> Result<Starts, DiffError> {
        let look = |numbers: Range<u64>| -> Result<Starts, DiffError> {
            let mut starts = Starts::default();
            let pairs = A::Game::walk_starts(&self.overlap, numbers.start);
            for (_, (stones, sides)) in numbers.zip(pairs) {
                starts += Starts::pair(stones, self.outcomes(&sides)?);
            }
            progress(starts.compared)?;
            Ok(starts)
        };
        map_reduce_chunks(self.overlap.pairs_of_starts, look, sum)
    }

    /// Compares the positions of [`Overlap::further`].
    pub(super) fn further(&self) -> Result<Option<Changes>, DiffError> {
        let Some(region) = &self.overlap.further else { return Ok(None) };
        let look = |numbers: Range<u64>| -> Result<Changes, DiffError> {
            let mut changes = Changes::default();
            let positions = region.walk(numbers.start);
            for (_, position) in numbers.zip(positions) {
                let [a, b] = self.answers(&position)?;
                changes += Changes::between(&a, &b);
            }
            (self.progress)(0)?;
            Ok(changes)
        };
        map_reduce_chunks(region.count(), look, sum).map(Some)
    }
}

fn sum<T: AddAssign>(mut a: T, b: T) -> T {
    a += b;
    a
}
