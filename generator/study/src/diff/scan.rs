//! Looking at every position that two tables have.

use bouton_tables::{AskError, Game, Outcome, Solved};
use rayon::prelude::*;

use super::overlap::Overlap;
use super::tally::{Change, Measures, StartTally, Tally};
use super::{DiffError, Kind};
use crate::Progress;
use crate::groups::{CHUNK, in_chunks};

/// Two tables, and what they have in common.
pub(super) struct Pair<'a, O, A, B> {
    pub(super) overlap: O,
    pub(super) a: &'a A,
    pub(super) b: &'a B,
    pub(super) measures: Measures,
}

/// What was seen of some positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) whole: Tally,
    /// By axis and part.
    pub(super) parts: Vec<Vec<Tally>>,
    pub(super) starts: StartTally,
    /// The first that differ, in natural order.
    pub(super) first: Vec<u64>,
    /// Those of another outcome that are nearest to where lines of play begin, where distances are known.
    pub(super) nearest: Option<Nearest>,
}

/// Positions that are all as far from where lines of play begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nearest {
    pub(super) distance: u32,
    /// The first of them, at most [`KNOWN`].
    pub(super) numbers: Vec<u64>,
    /// Whether these are all.
    pub(super) all: bool,
}

/// So many of the nearest positions are kept, which bounds memory. More there are only where they are easily
/// found.
const KNOWN: usize = 1 << 16;

impl Seen {
    /// Adds what was seen of later positions.
    fn and_later(mut self, later: Self, limit: usize) -> Self {
        self.whole.merge(&later.whole);
        self.starts.merge(&later.starts);
        for (ours, theirs) in self.parts.iter_mut().flatten().zip(later.parts.iter().flatten()) {
            ours.merge(theirs);
        }
        if self.parts.is_empty() {
            self.parts = later.parts;
        }
        let room = limit - self.first.len();
        self.first.extend(later.first.into_iter().take(room));
        if let Some(nearest) = later.nearest {
            self.near(nearest);
        }
        self
    }

    fn near(&mut self, found: Nearest) {
        match &mut self.nearest {
            Some(nearest) if nearest.distance < found.distance => {}
            Some(nearest) if nearest.distance == found.distance => {
                let room = KNOWN - nearest.numbers.len();
                nearest.all &= found.all && found.numbers.len() <= room;
                nearest.numbers.extend(found.numbers.into_iter().take(room));
            }
            other => *other = Some(found),
        }
    }
}

impl<O, A, B> Pair<'_, O, A, B>
where
    O: Overlap,
    A: Solved<Game = O::Game> + Sync,
    B: Solved<Game = O::Game, Winning = A::Winning> + Sync,
{
    /// What changes at a position, and the outcomes in A and B.
    pub(super) fn change(
        &self,
        position: &<O::Game as Game>::Position,
    ) -> Result<(Change, [Outcome; 2]), DiffError> {
        let [in_a, in_b] = self.overlap.sides(position);
        let a = self.a.answer(&in_a).map_err(DiffError::in_a)?;
        let b = self.b.answer(&in_b).map_err(DiffError::in_b)?;
        Ok((Change::between(&a, &b, self.measures), [a.verdict.outcome, b.verdict.outcome]))
    }

    /// The outcomes in A and B.
    pub(super) fn outcomes(
        &self,
        [in_a, in_b]: &[<O::Game as Game>::Position; 2],
    ) -> Result<[Outcome; 2], DiffError> {
        let outcome = |found: Result<bouton_tables::Verdict, AskError>| found.map(|verdict| verdict.outcome);
        Ok([
            outcome(self.a.verdict(in_a)).map_err(DiffError::in_a)?,
            outcome(self.b.verdict(in_b)).map_err(DiffError::in_b)?,
        ])
    }

    /// Looks at every compared position. Lists up to `limit` of those that differ in what `only` says.
    pub(super) fn scan(&self, limit: usize, only: Kind, progress: &Progress) -> Result<Seen, DiffError> {
        let region = self.overlap.compared();
        let axes = self.overlap.axes();
        let fresh = || Seen {
            parts: axes.iter().map(|axis| vec![Tally::default(); axis.parts.len()]).collect(),
            ..Seen::default()
        };
        let opening = if self.overlap.knows_distances() { self.overlap.openings().next() } else { None };
        let look = |first: u64, positions: &mut dyn Iterator<Item = _>| -> Result<Seen, DiffError> {
            let mut seen = fresh();
            let mut parts = Vec::new();
            for (number, position) in (first..).zip(positions) {
                let (change, [a, b]) = self.change(&position)?;
                seen.whole.add(change);
                parts.clear();
                self.overlap.parts(&position, &mut parts);
                for (axis, &part) in seen.parts.iter_mut().zip(&parts) {
                    axis[part].add(change);
                }
                if let Some(stones) = self.overlap.stones_of_start(&position) {
                    seen.starts.add(stones, a, b);
                }
                if only.of(change) && seen.first.len() < limit {
                    seen.first.push(number);
                }
                if let Some(opening) = &opening
                    && change.outcome()
                    && let Some(distance) = self.overlap.distance(opening, &position)
                {
                    seen.near(Nearest { distance, numbers: vec![number], all: true });
                }
            }
            progress(seen.whole.compared);
            Ok(seen)
        };
        let mut seen = in_chunks(region, look, |earlier, later| earlier.and_later(later, limit))?;
        if let Some(starts) = self.starts()? {
            seen.starts = starts;
        }
        Ok(seen)
    }

    /// The starts compared, if each has its own.
    fn starts(&self) -> Result<Option<StartTally>, DiffError> {
        let Some(pairs) = self.overlap.pairs_of_starts() else { return Ok(None) };
        let look = |chunk: usize| -> Result<StartTally, DiffError> {
            let mut tally = StartTally::default();
            for (stones, sides) in self.overlap.walk_starts(chunk as u64 * CHUNK).take(CHUNK as usize) {
                let [a, b] = self.outcomes(&sides)?;
                tally.add(stones, a, b);
            }
            Ok(tally)
        };
        let chunks = pairs.div_ceil(CHUNK) as usize;
        let tally = (0..chunks).into_par_iter().map(look).try_reduce(StartTally::default, |mut a, b| {
            a.merge(&b);
            Ok(a)
        })?;
        Ok(Some(tally))
    }

    /// What changed in positions that are not counted, if there are such positions.
    pub(super) fn further(&self) -> Result<Option<Tally>, DiffError> {
        let Some(region) = self.overlap.further() else { return Ok(None) };
        let look = |_: u64, positions: &mut dyn Iterator<Item = _>| -> Result<Tally, DiffError> {
            let mut tally = Tally::default();
            for position in positions {
                tally.add(self.change(&position)?.0);
            }
            Ok(tally)
        };
        let join = |mut a: Tally, b: Tally| {
            a.merge(&b);
            a
        };
        in_chunks(region, look, join).map(Some)
    }
}
