//! The parallel scan of all positions that two tables have in common.

use std::ops::Range;

use bouton_tables::{AnswerOf, AskError, Game, Outcome, PositionOf, Region, Solved};

use super::overlap::{Comparable, Overlap};
use super::tally::{Changes, DifferenceKind, Starts};
use crate::Progress;
use crate::error::{Result, StudyError};
use crate::groups::map_reduce_chunks;

/// Two tables, with their common positions.
pub(super) struct TablePair<'a, S: Solved<Game: Comparable>> {
    pub(super) overlap: Overlap<'a, S::Game>,
    pub(super) a: &'a S,
    pub(super) b: &'a S,
    /// Called with 0 during the search for a witness, only to let it stop the search.
    pub(super) progress: &'a Progress<'a>,
}

/// Differences in some positions.
#[derive(Default)]
pub(super) struct ScanResult {
    pub(super) changes: Changes,
    /// The changes by axis and bin.
    pub(super) by_axis: Vec<Vec<Changes>>,
    /// Indices of the first positions that differ in the requested part, ascending.
    pub(super) listed: Vec<u64>,
    /// The positions with a different outcome that are nearest to the opening, if distances are known.
    pub(super) nearest: Option<NearestPositions>,
}

/// Positions with a different outcome, all at one distance from the opening.
pub(super) struct NearestPositions {
    /// Number of moves from the opening.
    pub(super) distance: u32,
    /// Indices of the first of these positions, at most [`MAX_NEAREST`].
    pub(super) indices: Vec<u64>,
    /// True if `indices` has all of these positions.
    pub(super) is_complete: bool,
}

/// Maximum length of [`NearestPositions::indices`]. If there are more positions, a search by all moves soon finds one.
const MAX_NEAREST: usize = 1 << 16;

impl ScanResult {
    /// Adds the differences in later positions.
    fn and_later(mut self, later: Self, limit: usize) -> Self {
        self.changes += later.changes;
        for (ours, theirs) in self.by_axis.iter_mut().flatten().zip(later.by_axis.iter().flatten()) {
            *ours += *theirs;
        }
        if self.by_axis.is_empty() {
            self.by_axis = later.by_axis;
        }
        let room = limit - self.listed.len();
        self.listed.extend(later.listed.into_iter().take(room));
        if let Some(nearest) = later.nearest {
            self.add_nearest(nearest);
        }
        self
    }

    fn add_nearest(&mut self, found: NearestPositions) {
        match &mut self.nearest {
            Some(nearest) if nearest.distance < found.distance => {}
            Some(nearest) if nearest.distance == found.distance => {
                let room = MAX_NEAREST - nearest.indices.len();
                nearest.is_complete &= found.is_complete && found.indices.len() <= room;
                nearest.indices.extend(found.indices.into_iter().take(room));
            }
            other => *other = Some(found),
        }
    }
}

impl<S: Solved<Game: Comparable>> TablePair<'_, S> {
    pub(super) fn answers(&self, position: &PositionOf<S>) -> Result<[AnswerOf<S>; 2]> {
        let [in_a, in_b] = S::Game::sides(self.overlap.rules, position);
        Ok([self.a.answer(&in_a).map_err(damaged('A'))?, self.b.answer(&in_b).map_err(damaged('B'))?])
    }

    pub(super) fn outcomes(&self, [in_a, in_b]: &[PositionOf<S>; 2]) -> Result<[Outcome; 2]> {
        Ok([self.a.outcome(in_a).map_err(damaged('A'))?, self.b.outcome(in_b).map_err(damaged('B'))?])
    }

    /// Compares the two answers of every position of a region. Lists up to `limit` positions that differ in `only`.
    pub(super) fn scan(
        &self,
        region: &<S::Game as Game>::Region,
        limit: usize,
        only: DifferenceKind,
        progress: &Progress,
    ) -> Result<ScanResult> {
        let overlap = &self.overlap;
        let opening = if overlap.knows_distances { S::Game::openings(overlap).next() } else { None };
        let scan_range = |indices: Range<u64>| -> Result<ScanResult> {
            let by_axis = overlap.axes.iter().map(|axis| vec![Changes::default(); axis.bins.len()]).collect();
            let mut found = ScanResult { by_axis, ..ScanResult::default() };
            for (index, position) in indices.clone().zip(region.walk(indices.start)) {
                let [a, b] = self.answers(&position)?;
                let changes = Changes::between(&a, &b);
                found.changes += changes;
                for (axis, by_bin) in overlap.axes.iter().zip(&mut found.by_axis) {
                    by_bin[(axis.bin_index)(&position)] += changes;
                }
                if only.differs(changes) && found.listed.len() < limit {
                    found.listed.push(index);
                }
                if let Some(opening) = &opening
                    && changes.outcomes() > 0
                    && let Some(distance) = S::Game::distance(overlap.rules, opening, &position)
                {
                    let indices = vec![index];
                    found.add_nearest(NearestPositions { distance, indices, is_complete: true });
                }
            }
            progress(found.changes.compared)?;
            Ok(found)
        };
        map_reduce_chunks(region.count(), scan_range, |earlier, later| earlier.and_later(later, limit))
    }

    pub(super) fn starts(&self, progress: &Progress) -> Result<Starts> {
        let compare_range = |indices: Range<u64>| -> Result<Starts> {
            let mut starts = Starts::default();
            let pairs = S::Game::walk_starts(&self.overlap, indices.start);
            for (_, (stones, sides)) in indices.zip(pairs) {
                starts += Starts::of_pair(stones, self.outcomes(&sides)?);
            }
            progress(starts.compared)?;
            Ok(starts)
        };
        let sum = |mut earlier: Starts, later| {
            earlier += later;
            earlier
        };
        let starts = map_reduce_chunks(self.overlap.pairs_of_starts, compare_range, sum)?;
        Ok(starts.complete(self.overlap.range_of_starts, self.overlap.starts_in_words))
    }
}

/// Returns a function from the damage of a table to the error.
fn damaged(table: char) -> impl Fn(AskError) -> StudyError {
    move |why| StudyError::DamagedOf { table, why }
}
