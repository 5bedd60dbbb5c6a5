//! The proof of a table line by line: visits all positions by rank, and compares the stored answer of each with the best
//! of its successors, which [`Lines`] keep.
//!
//! A table stores outcomes, and of each lost position the depth and the stones that the best move takes; all other
//! answers follow from these by FORMAT.md, section 5.5. So the proof compares these. The depth of a won position is one
//! more than the least depth of its lost successors, by definition; lost predecessors depend on it. In addition, the
//! proof asks the table for the whole answer of some won positions, and tries all their moves.
//!
//! Example: in Nim with two heaps of up to 2, the positions by rank are 0,0 (lost in 0), 1,0 (won in 1), 1,1, and so on.
//! The line of 1,1 has 1,0 so far, which is won. So 1,1 must be stored as lost in 2, by a move that takes 1 stone.

use std::fmt;

use bouton_tables::heaps::{HeapRegion, HeapTable, Heaps, Position, Ranks};
use bouton_tables::{Game, Outcome, Play, Region, Solved, Verdict};

use super::lines::{Best, Lines};
use crate::control::{CancelCheck, Control};
use crate::making::GenerateError;
use crate::memory::room;
use crate::proof::{Counts, VerifyError, check_position, compare};

/// Positions whose outcomes are read together.
const CHUNK: u64 = 1 << 12;
/// Positions between two whole answers that are checked, for each move of a position: so whole answers take a fraction
/// of the time.
const SAMPLE: u64 = 4;

/// Checks and counts all positions. A step of progress is a position.
///
/// # Errors
/// Names the first wrong position by rank. Also if the table contradicts itself, an allocation fails, or `control`
/// cancels.
pub(super) fn check(table: &HeapTable, control: &dyn Control) -> Result<Counts, VerifyError> {
    let rules = table.game();
    let ranks = Ranks::try_new(rules.bounds()).map_err(GenerateError::from)?;
    let region = rules.region().map_err(GenerateError::from)?;
    let mut lines = Lines::new(rules)?;
    let mut lost = LostIndexes { table, region, indexes: room(CHUNK)?, next: 0, end: 0 };
    let mut cancel_check = CancelCheck::new(control);
    let mut counts = Counts::default();
    let sample_interval = rules.max_moves().saturating_mul(SAMPLE);
    let mut next_sample = 0;
    let (mut heaps, mut changed) = (Heaps::new().padded(rules.heaps()), 0);
    loop {
        lines.visit(&heaps, changed);
        let stones = heaps.iter().map(|&heap| u64::from(heap)).sum();
        // The position with one pass less.
        let mut after_pass = Best::NONE;
        for passes in 0..=rules.passes() {
            cancel_check.spend(lines.steps())?;
            let position = Position { heaps, passes };
            let mut successors = lines.best(passes);
            // A pass needs a move that it replaces.
            if successors != Best::NONE {
                successors = successors.and(after_pass);
            }
            let is_stored = lost.contains(counts.positions, control)?;
            let stored = if is_stored { table.lost(&position)? } else { None };
            let verdict = check_stored(table, &position, stored, stones, successors)?;
            let is_lost = verdict.outcome == Outcome::Loss;
            if !is_lost && counts.positions >= next_sample {
                check_answer(table, &position, verdict)?;
                next_sample = counts.positions.saturating_add(sample_interval);
            }
            counts.add(&verdict, 1);
            after_pass = Best::of(is_lost, verdict.depth.unwrap_or(0), stones);
            lines.add(passes, after_pass);
        }
        match ranks.advance(&mut heaps) {
            Some(first) => changed = first,
            None => return Ok(counts),
        }
    }
}

/// The indexes of the lost positions in a chunk of the region, in which a position's rank is followed by its passes.
struct LostIndexes<'a> {
    table: &'a HeapTable,
    region: HeapRegion,
    indexes: Vec<u64>,
    /// The first of `indexes` that has not been passed yet.
    next: usize,
    /// The index after the chunk.
    end: u64,
}

impl LostIndexes<'_> {
    /// Reports whether the position of an index is lost. Each question is about the next index.
    fn contains(&mut self, index: u64, control: &dyn Control) -> Result<bool, VerifyError> {
        if index == self.end {
            self.end = self.region.count().min(index + CHUNK);
            self.indexes.clear();
            self.table.each_lost(&self.region, index..self.end, &mut |index, _| self.indexes.push(index))?;
            self.next = 0;
            control.advance(self.end - index);
        }
        let is_lost = self.indexes.get(self.next) == Some(&index);
        self.next += usize::from(is_lost);
        Ok(is_lost)
    }
}

/// A best move, known by the number of its stones.
#[derive(PartialEq)]
struct BestTake(u64);

impl fmt::Display for BestTake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one that takes {} stones", self.0)
    }
}

/// Checks the stored answer for a position, the depth and the stones of the best move if the position is lost. Returns
/// the position's verdict.
fn check_stored(
    table: &HeapTable,
    position: &Position,
    stored: Option<(u32, u64)>,
    stones: u64,
    successors: Best,
) -> Result<Verdict, VerifyError> {
    let rules = table.game();
    let (outcome, depth) = match (successors.greatest(), successors.least_lost) {
        // A player without a move has lost in normal play, and has won in misère play.
        (None, _) => (Outcome::from_won(rules.play() == Play::Misere), 0),
        (Some((deepest, _)), u32::MAX) => (Outcome::Loss, deepest + 1),
        (Some(_), least) => (Outcome::Win, least + 1),
    };
    let verdict = Verdict { outcome, depth: table.has_depths().then_some(depth) };
    let found = match stored {
        Some((depth, _)) => Verdict { outcome: Outcome::Loss, depth: verdict.depth.and(Some(depth)) },
        // The depth of a won position is not stored.
        None => Verdict { outcome: Outcome::Win, ..verdict },
    };
    let takes = match (stored, successors.greatest()) {
        (Some((_, take)), Some((_, left))) if table.has_depths() => Some([take, stones - left]),
        _ => None,
    };
    let [found_best, best] = [0, 1].map(|at: usize| takes.map(|takes| BestTake(takes[at])));
    compare(rules, position, (found, found_best), (verdict, best))?;
    Ok(verdict)
}

/// Checks the whole answer for a won position of this verdict against its moves.
fn check_answer(table: &HeapTable, position: &Position, verdict: Verdict) -> Result<(), VerifyError> {
    check_position(table, position, &table.answer(position)?, verdict, |next| match table.outcome(next)? {
        // The depths of won successors make no difference, and would take long.
        Outcome::Win => Ok(Verdict { outcome: Outcome::Win, depth: None }),
        Outcome::Loss => table.verdict(next),
    })
}
