//! The rows to which moves of more than currentmax stones lead.
//!
//! From row m, a move of k stones, with k from m + 1 to m + growth, leads to row k with k stones fewer: to one place in
//! each of the `growth` rows solved last. Rows are solved downwards, so these rows form a window that slides along with
//! m. Rows are grouped into blocks of `growth`; a window consists of the beginning of the current block and the end of
//! the previous one, each combined beforehand (van Herk, 1992; Gil and Werman, 1993). A line thus combines two rows,
//! whatever the growth. For example, with growth 3 and the blocks 9 8 7 and 6 5 4, row 4 reaches the rows 5, 6 and 7:
//! the prefix 6, 5 of the current block, and the suffix 7 of the previous one.
//!
//! Rows are combined by the stones before the move: place x of row k belongs to x + k stones.

use std::sync::Arc;

use super::moves::{Scores, best_of};
use super::shifted_lines::{Dependencies, MoveTarget, SolvedLines, WholeLines};
use super::verdict_line::VerdictLine;
use crate::GenerateError;
use crate::control::CancelCheck;
use crate::memory::{Grow, room};

/// For each pair of resets the best arrivals, by the stones before the move.
type MoveTargets = Vec<Option<MoveTarget>>;

/// The solved rows that the next row can reach.
pub(super) struct RowsAbove {
    scores: Scores,
    growth: u64,
    reset_limit: u64,
    /// The rows of the current block, by descending currentmax, each with the most stones from which it is reached; and
    /// their combination.
    rows: Vec<(MoveTargets, u64)>,
    prefix: Option<MoveTargets>,
    /// For each row of the previous block, the combination of that row and all later ones.
    suffixes: Vec<MoveTargets>,
    /// The combination of all solved rows that a move under a reset may reach.
    under_reset: Option<MoveTargets>,
}

impl RowsAbove {
    /// Returns the state before the first row. No move reaches further than `growth` rows.
    pub(super) fn new(scores: Scores, growth: u64, reset_limit: u64) -> Self {
        Self {
            scores,
            growth,
            reset_limit,
            rows: Vec::new(),
            prefix: None,
            suffixes: Vec::new(),
            under_reset: None,
        }
    }

    /// Iterates over all lines in memory.
    pub(super) fn covers(&self) -> impl Iterator<Item = &MoveTarget> {
        let rows = self.rows.iter().map(|(covers, _)| covers);
        rows.chain(&self.prefix).chain(&self.suffixes).chain(&self.under_reset).flatten().flatten()
    }

    /// Returns the targets of moves that leave the row. The first of equally good targets is preferred.
    pub(super) fn leaving(&self, place: usize) -> Vec<MoveTarget> {
        // The window has left as many rows at the beginning of the previous block as the current block has.
        let suffix = self.suffixes.get(self.rows.len());
        self.prefix.iter().chain(suffix).filter_map(|covers| covers[place].clone()).collect()
    }

    /// Returns the targets of moves that leave the row of `currentmax` under a reset.
    pub(super) fn leaving_under_reset(&self, currentmax: u64, place: usize) -> Vec<MoveTarget> {
        let reached = self.under_reset.iter().filter(|_| currentmax < self.reset_limit);
        reached.filter_map(|covers| covers[place].clone()).collect()
    }

    /// Stores the row of `currentmax`: the best arrivals for each pair of resets. Moves reach it from at most `end`
    /// stones.
    pub(super) fn put(
        &mut self,
        currentmax: u32,
        end: u64,
        good: &[Option<Arc<VerdictLine>>],
        patience: &mut CancelCheck,
    ) -> Result<(), GenerateError> {
        let mut covers: MoveTargets = room(good.len() as u64)?;
        covers.extend(good.iter().map(|line| Some(MoveTarget::just(line.as_ref()?, currentmax))));
        if u64::from(currentmax) <= self.reset_limit {
            self.under_reset = Some(match &self.under_reset {
                None => covers.clone(),
                Some(before) => self.combined(&covers, before, end, patience)?,
            });
        }
        if self.rows.len() as u64 + 1 < self.growth {
            self.prefix = Some(match &self.prefix {
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

    /// Makes the current block the previous one.
    fn end_block(&mut self, patience: &mut CancelCheck) -> Result<(), GenerateError> {
        self.prefix = None;
        let mut suffixes: Vec<MoveTargets> = Vec::new();
        for (covers, end) in std::mem::take(&mut self.rows).into_iter().rev() {
            let suffix = match suffixes.last() {
                None => covers,
                Some(after) => self.combined(after, &covers, end, patience)?,
            };
            suffixes.grow(suffix)?;
        }
        suffixes.reverse();
        self.suffixes = suffixes;
        Ok(())
    }

    /// Combines two rows, or combinations of rows, up to `end` stones before the move. Moves to `first` take fewer
    /// stones.
    fn combined(
        &self,
        first: &MoveTargets,
        second: &MoveTargets,
        end: u64,
        patience: &mut CancelCheck,
    ) -> Result<MoveTargets, GenerateError> {
        let mut solved = SolvedLines::<1>::default();
        let mut wholes = WholeLines::default();
        let mut combined = room(first.len() as u64)?;
        for covers in first.iter().zip(second) {
            let (Some(first), Some(second)) = covers else {
                combined.push(None);
                continue;
            };
            // Count places from where the first one begins.
            let by = first.by;
            let covers = [first, second].map(|cover| MoveTarget { by: cover.by - by, ..cover.clone() });
            let [first, second] = &covers;
            let dependencies = Dependencies::new(covers.iter().map(Some), 0)?;
            let end = end.saturating_sub(by.into());
            let stairs = solved.line(&mut wholes, dependencies, end, |end| {
                best_of(self.scores, [first, second], end, patience)
            })?;
            combined.push(Some(MoveTarget { stairs, by, take: None }));
        }
        Ok(combined)
    }
}
