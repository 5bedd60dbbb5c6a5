//! The rows above: those to which moves of more than currentmax stones lead.
//!
//! From currentmax m, a move of k stones, with k from m + 1 to m + growth, leads to currentmax k (called row k here) with
//! k stones fewer: to one place in each of the `growth` rows solved last. Rows are solved downwards, so these rows form a
//! window that slides along with m. Rows are grouped into blocks of `growth`; a window consists of the beginning of the
//! current block and the end of the previous one, each combined beforehand (van Herk, 1992; Gil and Werman, 1993). A
//! line thus reads two combined rows, whatever the growth. For example, with growth 3 and the blocks 9 8 7 and 6 5 4,
//! row 4 reaches the rows 5, 6 and 7: the prefix 6, 5 of the current block, and the suffix 7 of the previous one.
//!
//! Rows are combined by the stones before the move: place x of row k belongs to x + k stones.

use std::sync::Arc;

use super::moves::{Scores, best_of};
use super::shifted_lines::{Dependencies, MoveTarget, SolvedLines, WholeLines};
use super::verdict_line::VerdictLine;
use crate::control::CancelCheck;
use crate::making::GenerateError;
use crate::memory::{Grow, collected, room};

/// For each pair of resets the line of best arrivals in a row, moved up to the stones before the move.
type RowTargets = Vec<Option<MoveTarget>>;

/// The solved rows that the next row can reach.
pub(super) struct RowsAbove {
    scores: Scores,
    growth: u64,
    reset_limit: u64,
    /// The rows of the current block, by descending currentmax, each with a limit: moves reach the row from fewer stones
    /// only.
    rows: Vec<(RowTargets, u64)>,
    /// The combination of the current block's rows.
    prefix: Option<RowTargets>,
    /// For each row of the previous block, the combination of that row and all rows of the block solved after it.
    suffixes: Vec<RowTargets>,
    /// The combination of all solved rows that a move under a reset may reach.
    under_reset: Option<RowTargets>,
}

impl RowsAbove {
    /// Returns the state before the first row. Moves reach the next `growth` rows.
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
    pub(super) fn targets(&self) -> impl Iterator<Item = &MoveTarget> {
        let rows = self.rows.iter().map(|(targets, _)| targets);
        rows.chain(&self.prefix).chain(&self.suffixes).chain(&self.under_reset).flatten().flatten()
    }

    /// Returns the targets of moves that leave the row, for a pair of resets given by its index. The solver
    /// prefers the first of equally good targets.
    pub(super) fn leaving(&self, pair: usize) -> Vec<MoveTarget> {
        // The window has dropped one row of the previous block for each row of the current block.
        let suffix = self.suffixes.get(self.rows.len());
        self.prefix.iter().chain(suffix).filter_map(|targets| targets[pair].clone()).collect()
    }

    /// Returns the targets of moves that leave the row of `currentmax` under a reset.
    pub(super) fn leaving_under_reset(&self, currentmax: u64, pair: usize) -> Vec<MoveTarget> {
        let reached = self.under_reset.iter().filter(|_| currentmax < self.reset_limit);
        reached.filter_map(|targets| targets[pair].clone()).collect()
    }

    /// Stores the row of `currentmax`, with the best arrivals for each pair of resets. Moves reach it from fewer than `end`
    /// stones.
    pub(super) fn put(
        &mut self,
        currentmax: u32,
        end: u64,
        arrivals: &[Option<Arc<VerdictLine>>],
        cancel_check: &mut CancelCheck,
    ) -> Result<(), GenerateError> {
        let exactly = |line: &Option<_>| Some(MoveTarget::exactly(line.as_ref()?, currentmax));
        let targets: RowTargets = collected(arrivals.iter().map(exactly))?;
        if u64::from(currentmax) <= self.reset_limit {
            self.under_reset = Some(match &self.under_reset {
                None => targets.clone(),
                Some(before) => self.combine(&targets, before, end, cancel_check)?,
            });
        }
        if self.rows.len() as u64 + 1 < self.growth {
            self.prefix = Some(match &self.prefix {
                None => targets.clone(),
                Some(before) => self.combine(&targets, before, end, cancel_check)?,
            });
        }
        self.rows.grow((targets, end))?;
        if self.rows.len() as u64 == self.growth {
            self.end_block(cancel_check)?;
        }
        Ok(())
    }

    /// Makes the current block the previous one.
    fn end_block(&mut self, cancel_check: &mut CancelCheck) -> Result<(), GenerateError> {
        self.prefix = None;
        let mut suffixes: Vec<RowTargets> = Vec::new();
        for (targets, end) in std::mem::take(&mut self.rows).into_iter().rev() {
            let suffix = match suffixes.last() {
                None => targets,
                Some(after) => self.combine(after, &targets, end, cancel_check)?,
            };
            suffixes.grow(suffix)?;
        }
        suffixes.reverse();
        self.suffixes = suffixes;
        Ok(())
    }

    /// Combines two rows, or combinations of rows, for fewer than `end` stones before the move. Moves to `first` take fewer
    /// stones.
    fn combine(
        &self,
        first: &RowTargets,
        second: &RowTargets,
        end: u64,
        cancel_check: &mut CancelCheck,
    ) -> Result<RowTargets, GenerateError> {
        let mut solved = SolvedLines::<1>::default();
        let mut whole = WholeLines::default();
        let mut combined = room(first.len() as u64)?;
        for targets in first.iter().zip(second) {
            let (Some(first), Some(second)) = targets else {
                combined.push(None);
                continue;
            };
            // Count places from the beginning of the first target.
            let shift = first.shift;
            let targets =
                [first, second].map(|target| MoveTarget { shift: target.shift - shift, ..target.clone() });
            let dependencies = Dependencies::new(targets.iter().map(Some), 0)?;
            let end = end.saturating_sub(shift.into());
            let line = solved.line(&mut whole, dependencies, end, |end| {
                best_of(self.scores, targets.each_ref(), end, cancel_check)
            })?;
            combined.push(Some(MoveTarget { line, shift, take: None }));
        }
        Ok(combined)
    }
}
