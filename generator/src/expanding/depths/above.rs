//! The rows to which a move goes that takes more than currentmax.
//!
//! From row m, taking k stones, from m + 1 to m + growth, leads to row k with k stones fewer: to one place in each of the
//! `growth` rows solved last. As rows are solved downwards, these are a window that slides along with m, and the best of them
//! is kept for each place: rows are grouped into blocks of `growth`; a window is the beginning of the block solved now and the
//! end of the one before, each combined beforehand (van Herk, 1992; Gil and Werman, 1993).
//!
//! Rows are combined where moves from the same place meet: place x of row k is that of x + k stones before the move.

use std::sync::Arc;

use super::moves::{Scores, best_of};
use super::stairs::Stairs;
use super::twins::{Cover, Solved, Sources, Wholes};
use crate::GenerateError;
use crate::control::Patience;
use crate::memory::{Grow, room};

/// For each pair of resets where it is good to arrive, by the stones that there are before the move.
type Covers = Vec<Option<Cover>>;

/// The rows solved so far, as far as the next one can reach them.
pub(super) struct Above {
    scores: Scores,
    growth: u64,
    reset_limit: u64,
    /// The rows of the present block, by falling currentmax, and up to how many stones each is reached; and their combination.
    rows: Vec<(Covers, u64)>,
    beginning: Option<Covers>,
    /// For each row of the block before, the combination of it and all rows after it.
    endings: Vec<Covers>,
    /// The combination of all rows so far that a move under a reset may reach.
    under_reset: Option<Covers>,
}

impl Above {
    /// Nothing solved yet. No move reaches further than `growth` rows.
    pub(super) fn new(scores: Scores, growth: u64, reset_limit: u64) -> Self {
        Self {
            scores,
            growth,
            reset_limit,
            rows: Vec::new(),
            beginning: None,
            endings: Vec::new(),
            under_reset: None,
        }
    }

    /// All lines that are kept.
    pub(super) fn covers(&self) -> impl Iterator<Item = &Cover> {
        let rows = self.rows.iter().map(|(covers, _)| covers);
        rows.chain(&self.beginning).chain(&self.endings).chain(&self.under_reset).flatten().flatten()
    }

    /// Where moves lead that leave the row: of those that are as good, the first is better.
    pub(super) fn leaving(&self, place: usize) -> Vec<Cover> {
        // As many rows as the present block has, the block before has lost at its beginning.
        let ending = self.endings.get(self.rows.len());
        self.beginning.iter().chain(ending).filter_map(|covers| covers[place].clone()).collect()
    }

    /// The same under a reset, from a row of a currentmax.
    pub(super) fn leaving_under_reset(&self, currentmax: u64, place: usize) -> Vec<Cover> {
        let reached = self.under_reset.iter().filter(|_| currentmax < self.reset_limit);
        reached.filter_map(|covers| covers[place].clone()).collect()
    }

    /// Takes the row of a currentmax, which moves from up to `end` stones reach: for each pair of resets where it is good to
    /// arrive.
    pub(super) fn put(
        &mut self,
        currentmax: u32,
        end: u64,
        good: &[Option<Arc<Stairs>>],
        patience: &mut Patience,
    ) -> Result<(), GenerateError> {
        let mut covers: Covers = room(good.len() as u64)?;
        covers.extend(good.iter().map(|line| Some(Cover::just(line.as_ref()?, currentmax))));
        if u64::from(currentmax) <= self.reset_limit {
            self.under_reset = Some(match &self.under_reset {
                None => covers.clone(),
                Some(before) => self.combined(&covers, before, end, patience)?,
            });
        }
        if self.rows.len() as u64 + 1 < self.growth {
            self.beginning = Some(match &self.beginning {
                None => covers.clone(),
                Some(before) => self.combined(&covers, before, end, patience)?,
            });
        }
        self.rows.grow((covers, end))?;
        if self.rows.len() as u64 == self.growth {
            self.end_block(patience)?;
        }
        Ok(())
    }

    /// Makes the present block the one before.
    fn end_block(&mut self, patience: &mut Patience) -> Result<(), GenerateError> {
        self.beginning = None;
        let mut endings: Vec<Covers> = Vec::new();
        for (covers, end) in std::mem::take(&mut self.rows).into_iter().rev() {
            let ending = match endings.last() {
                None => covers,
                Some(after) => self.combined(after, &covers, end, patience)?,
            };
            endings.grow(ending)?;
        }
        endings.reverse();
        self.endings = endings;
        Ok(())
    }

    /// The better of two rows, or combinations of such, up to so many stones before the move: the first ones are those of which
    /// moves take fewer stones.
    fn combined(
        &self,
        first: &Covers,
        second: &Covers,
        end: u64,
        patience: &mut Patience,
    ) -> Result<Covers, GenerateError> {
        let mut solved = Solved::<1>::default();
        let mut wholes = Wholes::default();
        let mut combined = room(first.len() as u64)?;
        for covers in first.iter().zip(second) {
            let (Some(first), Some(second)) = covers else {
                combined.push(None);
                continue;
            };
            // From where the first one begins.
            let by = first.by;
            let covers = [first, second].map(|cover| Cover { by: cover.by - by, ..cover.clone() });
            let [first, second] = &covers;
            let sources = Sources::new(covers.iter().map(Some), 0)?;
            let end = end.saturating_sub(by.into());
            let stairs = solved.line(&mut wholes, sources, end, |end| {
                best_of(self.scores, [first, second], end, patience)
            })?;
            combined.push(Some(Cover { stairs, by, take: None }));
        }
        Ok(combined)
    }
}
