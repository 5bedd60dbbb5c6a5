//! Proves each position from the best of its moves, with depths, in a few steps a position.
//!
//! The moves of a position lead to consecutive places of its own row, to one place in each later row within the limit,
//! and to consecutive places of the open row. The best of consecutive places comes from a window of these places, which
//! slides along the line ([`SlidingMaximum`](super::best_move::SlidingMaximum)); the best of the others from maxima
//! along the diagonals ([`score_rows`](super::score_rows)). The cost of a position does not grow with the number of its
//! moves, except for a binary search over rows of equal score. The verdict and best move so computed must equal the
//! stored ones.
//!
//! The set of winning moves in an answer is not stored: it follows from the outcomes, which are all checked. So only
//! one complete answer a group is checked.

use std::ops::Range;

use bouton_tables::expanding::{Expanding, ExpandingTable, Move, Position, VerdictRun};
use bouton_tables::{AskError, Outcome, Play, Solved, Table, Verdict};

use super::answers::{check_answer, check_one_answer};
use super::best_move::{MoveScore, ScoredMove};
use super::groups::{
    CurrentmaxGroup, CurrentmaxGroups, LineKind, distinct_kinds, kinds, line_number, position, target_kinds,
};
use super::line_array::LineArray;
use super::score_rows::ScoreRows;
use crate::control::{CancelCheck, Control, advance_by_part, check_cancelled};
use crate::estimate;
use crate::memory::{Grow, capped};
use crate::parallel;
use crate::proof::{Counts, Flaw, VerifyError, VerifyOptions};

/// A place as stored: the score of a move to it, and its best move.
#[derive(Clone, Copy, Default)]
struct StoredPlace {
    score: MoveScore,
    best: u32,
}

/// Packs a best move into 32 bits: twice the stones, plus one with a reset; 0 if there is no move.
fn packed_move(best: Option<Move>) -> u32 {
    best.map_or(0, |best| best.take.saturating_mul(2) | u32::from(best.reset))
}

/// A task checks a piece of a line that has at least this many places, unless the line ends.
pub(super) const MIN_PIECE: u32 = 1 << 14;

/// Checks every position. A step of progress is a pair of stones and currentmax.
pub(super) fn verify(
    expanding: &ExpandingTable,
    table: &Table,
    options: &VerifyOptions,
    control: &dyn Control,
) -> Result<Counts, VerifyError> {
    let rules = expanding.game();
    let groups = CurrentmaxGroups::new(rules)?;
    let distinct = distinct_kinds(expanding, rules)?;
    // For each number of a stored line, one of the line kinds that share the line.
    let mut lines: Vec<LineKind> = Vec::new();
    for kind in kinds(rules) {
        let number = line_number(expanding, kind);
        while lines.len() <= number {
            lines.grow(kind)?;
        }
        lines[number] = kind;
    }
    let all_lines = lines.len() as u128;
    let bytes_in_use = ScoreRows::bytes_in_use(&groups, all_lines) + bytes_without_rows(rules, all_lines);
    let least = estimate::proof_memory(bytes_in_use, table.file_len() as u64);
    if least > options.memory {
        return Err(VerifyError::TooLittle { least, limit: options.memory });
    }
    let mut rows = ScoreRows::new(rules, &groups, lines.len())?;
    let mut counts = Counts::default();
    // From the last group down: moves lead to the same one or a later one.
    for group in groups.as_slice().iter().rev() {
        rows.step_back()?;
        let places = read(expanding, group, &lines, control)?;
        rows.push(places.map(|place| place.score)?);
        let proof = GroupProof { table: expanding, rules, group, rows: &rows, places: &places };
        // A task also reads the places of one window below its first place: at most a quarter of its own places, as a
        // piece has at least four windows.
        let window = group.limit.min(group.most) as u32;
        let piece = MIN_PIECE.max(window.saturating_mul(4));
        // A table with depths has fewer than 2^32 stones.
        let length = group.most as u32 + 1;
        let pieces = length.div_ceil(piece) as usize;
        let tasks = distinct.len() * pieces;
        let pairs = capped(group.pairs_below(rules, group.most + 1));
        let check = |task: usize| -> Result<Counts, VerifyError> {
            check_cancelled(control)?;
            let from = (task % pieces) as u32 * piece;
            let range = from..length.min(from.saturating_add(piece));
            let counts = proof.check(distinct[task / pieces], range)?;
            advance_by_part(control, pairs, task, tasks);
            Ok(counts)
        };
        counts = counts.and(parallel::reduce(tasks, check, |a, b| Ok(a.and(b)))?);
        check_one_answer(expanding, group, distinct[0].0)?;
    }
    Ok(counts)
}

/// Returns the maximum bytes in use at a time, apart from the rows of scores, for `lines` lines.
fn bytes_without_rows(rules: &Expanding, lines: u128) -> u128 {
    let bytes_per_place = size_of::<StoredPlace>() + ScoreRows::BEST_MOVE_BYTES;
    (u128::from(rules.stones()) + 1) * lines * bytes_per_place as u128
}

/// Reads the lines of a group, one for each of `kinds`.
fn read(
    table: &ExpandingTable,
    group: &CurrentmaxGroup,
    kinds: &[LineKind],
    control: &dyn Control,
) -> Result<LineArray<StoredPlace>, VerifyError> {
    let length = group.most as usize + 1;
    let mut places = LineArray::filled(length, kinds.len(), StoredPlace::default())?;
    places.each_line(|kind, places| {
        let mut cancel_check = CancelCheck::new(control);
        let at = |stones: u32| position(kinds[kind], stones.into(), group.first);
        let runs = table.verdict_runs(&position(kinds[kind], group.most, group.first))?;
        for run in runs.expect("a table with depths") {
            let VerdictRun { start, end, depth, best, advance } = run.map_err(AskError::from)?;
            cancel_check.spend((end - start) as usize)?;
            let verdict =
                Verdict { outcome: table.game().play().outcome_at_depth(depth), depth: Some(depth) };
            // The first place of a run has the fewest stones.
            if depth > start {
                return Err(too_deep(&at(start), verdict));
            }
            let (score, best) = (MoveScore::of(verdict), packed_move(best));
            for (place, offset) in places[start as usize..end as usize].iter_mut().zip(0..) {
                // Only takes that no move has can saturate.
                let best = best.saturating_add(if advance { 2 * offset } else { 0 });
                *place = StoredPlace { score, best };
            }
        }
        Ok::<_, VerifyError>(())
    })?;
    Ok(places)
}

/// Returns the error for a depth above the number of stones. As every move takes a stone, no depth exceeds them.
#[cold]
fn too_deep(position: &Position, verdict: Verdict) -> VerifyError {
    VerifyError::Wrong(Flaw {
        position: position.to_string(),
        what: "depth",
        found: verdict.depth.unwrap_or(0).to_string(),
        follows: format!("at most {}", position.stones),
    })
}

/// The proof of the positions of a group.
struct GroupProof<'a> {
    table: &'a ExpandingTable,
    rules: &'a Expanding,
    group: &'a CurrentmaxGroup,
    rows: &'a ScoreRows<'a>,
    /// The stored places of the group.
    places: &'a LineArray<StoredPlace>,
}

impl GroupProof<'_> {
    /// Checks the places of a line in a range.
    fn check(&self, (kind, equal_kinds): (LineKind, u64), range: Range<u32>) -> Result<Counts, VerifyError> {
        let stored_line = self.places.line(line_number(self.table, kind));
        let (plain, reset) = target_kinds(kind);
        let moves = |target| self.rows.moves(kind, line_number(self.table, target), range.start);
        let (mut plain, mut reset) = (moves(plain), reset.map(moves));
        let outcome = Outcome::from_won(self.rules.play() == Play::Misere);
        let verdict_without_moves = (Verdict { outcome, depth: Some(0) }, None);
        let mut counts = Counts::default();
        for stones in range {
            let plain_move = plain.best(stones);
            let reset_move = reset.as_mut().map_or(ScoredMove::NONE, |moves| moves.best(stones));
            // The move without a reset is best if both are equally good and take the same number of stones.
            let is_reset = reset_move > plain_move;
            let best = plain_move.max(reset_move).score_and_take();
            let (verdict, best) = best.map_or(verdict_without_moves, |(score, take)| {
                (score.verdict_before(), Some(Move { take, reset: is_reset }))
            });
            let StoredPlace { score, best: stored } = stored_line[stones as usize];
            if score != MoveScore::of(verdict) || stored != packed_move(best) {
                return Err(self.flaw(&position(kind, stones.into(), self.group.first)));
            }
            counts.add(&verdict, equal_kinds * self.group.pairs_at(self.rules, stones.into()));
        }
        Ok(counts)
    }

    /// Returns the error at a position.
    #[cold]
    fn flaw(&self, position: &Position) -> VerifyError {
        match check_answer(self.table, position) {
            Err(error) => error,
            Ok(()) => VerifyError::Contradictory(format!("two ways to check {position} do not agree")),
        }
    }
}
