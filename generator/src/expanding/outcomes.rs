//! Solves outcomes, without depths, by jumping from one lost position to the next.
//!
//! A lost position *covers* the positions from which a move leads to it; a position that nothing covers is lost. The
//! rows above (those with a greater currentmax) and the lines with fewer resets are solved earlier, and cover some
//! places of a line. In addition, a lost place covers the next `stay` places of the line with both numbers of resets
//! exchanged, since the opponent moves there; with equal numbers this is the same line. For example, with stay = 3 and
//! place 0 lost, the next place to try is 4. If a row above covers place 4 and nothing covers place 5, then 5 is lost,
//! and the next place to try is 9. Where the gap from one lost place to the next stays the same, many are added at
//! once, so the cost is proportional to the number of changes of the gap.
//!
//! *Reset-line shift.* Most lines are shifted copies. A reset by each player costs a fixed number of stones, so one
//! more reset for both reproduces the line `reset-limit + 1` stones higher, after a short beginning. The solver does
//! not assume this. It compares the covers of a line with those of the row's solved lines ([`CoverKey`]). If the covers
//! are equal except for a shift, the solver continues until one lost place agrees with the shifted copy, and takes the
//! rest from the copy. For example, if one line has the lost places 9, 13, 18, and a line whose covers lie 4 stones
//! higher is lost at 13, then its next lost places are 17 and 22.

use std::collections::VecDeque;
use std::sync::Arc;

use bouton_tables::expanding::{Expanding, ExpandingLayout};
use bouton_tables::{Game, Outcome};

use super::covers::{Cover, CoverKey, Sweeps, covered_before, lost_places, settled_from, union_of_tails};
use super::marks::{EqualGaps, MarkCursor, Marks, NEVER};
use super::outcome_line::{OutcomeLine, OutcomeLineBuilder, ShiftedMarks, Tail};
use super::pairs::{ResetPairs, Resets};
use super::row::{LineBytes, RowShape, RowSolver, SolvedRow, layout};
use crate::control::{CancelCheck, Control};
use crate::making::GenerateError;
use crate::memory::{Grow, filled_with, room};

/// One line for each pair of resets.
type ByResets = Vec<Arc<OutcomeLine>>;

/// Solves the outcomes of rows.
pub(super) struct OutcomeSolver {
    pub(super) layout: ExpandingLayout,
    growth: u64,
    pub(super) reset_limit: u64,
    pub(super) pairs: ResetPairs,
    /// True in normal play: a player who has no stones to take has lost.
    end_is_lost: bool,
    /// The solved rows that moves can still reach, the nearest first. For each pair of resets, the places to which the
    /// player with these resets moves to win.
    above: VecDeque<ByResets>,
}

/// A line may end before a lost place has confirmed that it is a copy. With at most this many lost places it is stored as
/// a copy all the same, not with marks of its own.
const FEW_LOST: u64 = 8;

/// Maximum number of lost places that are added at once while a copy is expected: the lost places before its confirmation
/// stay in the line's head.
const MAX_REPEATS_OF_COPY: u64 = 64;

/// The row that is being solved.
struct RowState<'a> {
    number: usize,
    shape: RowShape,
    /// The solved lines of this row with equal resets. Later lines may be shifted copies of them.
    lines: Vec<RowLine>,
    /// The unions of covers. Later ones may be shifted copies of them.
    unions: Vec<RowLine>,
    cancel_check: CancelCheck<'a>,
}

/// A line of the row, with the key of its covers.
struct RowLine {
    key: CoverKey,
    /// Shift of the first cover that has marks.
    shift: Option<i64>,
    /// From this place on, only the tails of the covers matter.
    settled_from: u64,
    line: Arc<OutcomeLine>,
}

impl OutcomeSolver {
    /// Returns the solver for a ruleset.
    pub(super) fn new(rules: &Expanding) -> Result<Self, GenerateError> {
        Ok(Self {
            layout: layout(rules)?,
            growth: rules.growth().into(),
            reset_limit: rules.reset_limit().into(),
            pairs: ResetPairs::new(rules),
            end_is_lost: rules.outcome_without_moves() == Outcome::Loss,
            above: VecDeque::new(),
        })
    }

    /// Adds the covers by moves that leave the row and take at most `most` stones.
    fn add_leaving_covers(
        &self,
        row: &RowState,
        resets: Resets,
        most: u64,
        covers: &mut Vec<Cover>,
    ) -> Result<(), GenerateError> {
        let index = self.pairs.index(resets);
        let most = most.min(row.shape.length - 1);
        let mut take = row.shape.currentmax + 1;
        for (number, above) in self.above.iter().enumerate() {
            if take > most {
                break;
            }
            let line = &above[index];
            // The last row stands for all greater currentmax too.
            let is_last = row.number + 1 + number == self.layout.rows() - 1;
            let last_take = if is_last { most } else { take };
            if !line.is_empty() {
                covers.grow(Cover { line: line.clone(), takes: [take, last_take] })?;
            }
            take = last_take + 1;
        }
        Ok(())
    }

    /// Solves the free line where both players have equally many resets left.
    fn solve_equal_resets(
        &self,
        row: &mut RowState,
        covers: &[Cover],
    ) -> Result<Arc<OutcomeLine>, GenerateError> {
        let RowShape { length, stay: [stay, _], .. } = row.shape;
        if stay == 0 {
            return Ok(Arc::new(lost_places(&*row.union(covers)?, self.end_is_lost)?));
        }
        let (key, shift) = CoverKey::of(covers)?;
        let settled_from = settled_from(covers);
        let mut copy = row
            .lines
            .iter()
            .filter(|solved| solved.key == key)
            .find_map(|solved| ShiftedCopy::new(solved, settled_from, shift));
        let mut sweeps = Sweeps::new(covers)?;
        let mut lost = Marks::new(stay + 1);
        let mut is_steady = false;
        let mut from = 1;
        if self.end_is_lost {
            lost.push(0)?;
            from = 1 + stay;
        }
        let line = loop {
            row.cancel_check.spend(4)?;
            // A gap that has occurred twice is expected again. If it does occur, it repeats as long as the covers look
            // the same from each lost place.
            let gap = lost.last_gap();
            let repeats = if is_steady { sweeps.repeats(from, gap - stay, gap) } else { 0 };
            let place = sweeps.first_uncovered(from);
            if let Some(copy) = &mut copy
                && place != NEVER
                && let Some(tail) = copy.tail_from(place, length)
            {
                // If the line ends before the copy could be confirmed by a lost place, nothing contradicts the copy.
                if place < length || lost.count() <= FEW_LOST {
                    break OutcomeLine { head: changes(lost)?, from: place.min(length), tail };
                }
            }
            if place == NEVER || place >= length && lost.count() <= 1 {
                break OutcomeLine { head: changes(lost)?, from: length, tail: Tail::Constant(false) };
            }
            if place >= length {
                let tail =
                    Tail::Marks(ShiftedMarks { list: Arc::new(lost), shift: 0, run: 1, is_lost: true });
                break OutcomeLine { head: Vec::new(), from: 0, tail };
            }
            lost.push(place)?;
            from = place + 1 + stay;
            is_steady = gap > 0 && lost.last_gap() == gap;
            if is_steady && repeats > 0 {
                let max = if copy.is_some() { MAX_REPEATS_OF_COPY } else { NEVER };
                let (gaps, left) = (repeats.min(max), length - 1 - place);
                // Without a division, if the line is long enough.
                let is_short = gaps.saturating_mul(gap) > left;
                let gaps = if is_short { left / gap } else { gaps };
                lost.push_gaps(EqualGaps { gap, gaps })?;
                from += gap * gaps;
            }
        };
        let line = trimmed(line);
        row.lines.grow(RowLine { key, shift, settled_from, line: line.clone() })?;
        Ok(line)
    }

    /// Solves the free lines of a pair of unequal resets and of the exchanged pair. The moves of each lead to the other, so
    /// the two lines are solved together.
    fn solve_unequal_resets(
        &self,
        row: &mut RowState,
        covers: [&[Cover]; 2],
    ) -> Result<[Arc<OutcomeLine>; 2], GenerateError> {
        let RowShape { length, stay: [stay, _], .. } = row.shape;
        let mut sweeps = [Sweeps::new(covers[0])?, Sweeps::new(covers[1])?];
        let mut lines =
            [OutcomeLineBuilder::new(self.end_is_lost), OutcomeLineBuilder::new(self.end_is_lost)];
        // The first place of each line that the lost places found so far leave uncovered.
        let mut from = [if self.end_is_lost { 1 + stay } else { 1 }; 2];
        // Where a line becomes lost for good.
        let mut lost_from = [None; 2];
        loop {
            row.cancel_check.spend(8)?;
            // A sweep cannot go back, so its answer is stored in `from`.
            for side in 0..2 {
                from[side] = sweeps[side].first_uncovered(from[side]);
            }
            let start = from[0].min(from[1]);
            if start >= length {
                break;
            }
            if from[0] == from[1] && stay > 0 {
                // Both lines are lost here, and each covers the next places of the other one.
                for side in 0..2 {
                    lines[side].push(start, start + 1)?;
                    from[side] = start + 1 + stay;
                }
                continue;
            }
            for side in 0..2 {
                if from[side] != start {
                    continue;
                }
                // Each place of this run covers the next `stay` places of the other line.
                let end = sweeps[side].next_start();
                lines[side].push(start, end)?;
                from[side] = end;
                if end == NEVER {
                    lost_from[side] = Some(start);
                }
                if stay > 0 {
                    from[1 - side] = from[1 - side].max(end.saturating_add(stay));
                }
            }
        }
        let finish = |side: usize, line: OutcomeLineBuilder| match lost_from[side] {
            Some(start) => line.finish(start, Tail::Constant(true)),
            None if from[side] == NEVER => line.finish_won(),
            None => line.finish_all(length),
        };
        let [first, second] = lines;
        Ok([trimmed(finish(0, first)?), trimmed(finish(1, second)?)])
    }
}

impl RowState<'_> {
    /// Returns the places of the row that any cover covers.
    fn union(&mut self, covers: &[Cover]) -> Result<Arc<OutcomeLine>, GenerateError> {
        let length = self.shape.length;
        let settled_from = settled_from(covers);
        if let Some(tail) = union_of_tails(covers) {
            let from = settled_from.min(length);
            let tail = if from < length { tail } else { Tail::Constant(false) };
            return Ok(trimmed(covered_before(covers, from, &mut self.cancel_check)?.finish(from, tail)?));
        }
        let (key, shift) = CoverKey::of(covers)?;
        for earlier in self.unions.iter().filter(|earlier| earlier.key == key) {
            let Some(by) =
                shift.zip(earlier.shift).and_then(|(shift, earlier)| u64::try_from(shift - earlier).ok())
            else {
                continue;
            };
            let from = settled_from.max(by + earlier.settled_from).max(by + earlier.line.from);
            if from < length
                && let Some(tail) = shifted(&earlier.line.tail, by)
            {
                return Ok(trimmed(
                    covered_before(covers, from, &mut self.cancel_check)?.finish(from, tail)?,
                ));
            }
        }
        let line = trimmed(covered_before(covers, length, &mut self.cancel_check)?.finish_all(length)?);
        self.unions.grow(RowLine { key, shift, settled_from, line: line.clone() })?;
        Ok(line)
    }
}

fn trimmed(mut line: OutcomeLine) -> Arc<OutcomeLine> {
    line.trim();
    Arc::new(line)
}

/// Returns a tail moved up by `by` stones.
fn shifted(tail: &Tail, by: u64) -> Option<Tail> {
    Some(match tail {
        Tail::Constant(lost) => Tail::Constant(*lost),
        Tail::Marks(marks) => Tail::Marks(ShiftedMarks { shift: marks.shift + by, ..marks.clone() }),
    })
}

/// Returns the changes of a line on which these places are lost and no others.
fn changes(lost: Marks) -> Result<Vec<u64>, GenerateError> {
    let lost = Arc::new(lost);
    let mut changes = room(2 * lost.count())?;
    changes.extend(lost.iter().flat_map(|place| [place, place + 1]));
    Ok(changes)
}

/// A solved line, and the line being solved, which may be a shifted copy of it.
struct ShiftedCopy {
    /// Tail of the solved line.
    marks: ShiftedMarks,
    cursor: MarkCursor,
    /// Additional shift of the new line's covers; `None` if no cover has marks, so that any shift is
    /// possible.
    shift: Option<u64>,
    /// From this place of the new line on, only the tails of both lines' covers matter.
    settled_from: u64,
    /// From this place of the solved line on, only the tails of its covers and its own tail matter.
    solved_from: u64,
}

impl ShiftedCopy {
    /// Returns the copy to expect, given `settled_from` and `shift` of the new line's covers; `None` if the marks of
    /// the solved line do not each stand for one lost place.
    fn new(solved: &RowLine, settled_from: u64, shift: Option<i64>) -> Option<Self> {
        let Tail::Marks(marks @ ShiftedMarks { list, run: 1, is_lost: true, .. }) = &solved.line.tail else {
            return None;
        };
        let shift = match shift.zip(solved.shift) {
            None => None,
            Some((shift, of_solved)) => Some(u64::try_from(shift - of_solved).ok()?),
        };
        let solved_from = solved.settled_from.max(solved.line.from);
        let settled_from = settled_from.max(solved_from + shift.unwrap_or(0));
        Some(Self { marks: marks.clone(), cursor: list.iter(), shift, settled_from, solved_from })
    }

    /// Returns the new line's tail from `place` on if this lost place of the new line agrees with a lost place of the
    /// solved line, shifted. Either line may end before `place`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn tail_from(&mut self, place: u64, length: u64) -> Option<Tail> {
        if place < self.settled_from {
            return None;
        }
        let list_shift = self.marks.shift;
        let cursor = &mut self.cursor;
        let shift = if let Some(shift) = self.shift {
            let original = place - shift;
            while cursor.next != NEVER && cursor.next + list_shift < original {
                cursor.advance();
            }
            let agrees = match cursor.next {
                NEVER => original >= length,
                mark => mark + list_shift == original,
            };
            if !agrees {
                return None;
            }
            shift
        } else {
            // With an arbitrary shift, match the last lost place of the solved line that is not above `place`.
            let mut last = None;
            while cursor.next != NEVER && cursor.next + list_shift <= place {
                last = Some(cursor.next + list_shift).filter(|&lost| lost >= self.solved_from);
                cursor.advance();
            }
            place - last?
        };
        Some(Tail::Marks(ShiftedMarks { shift: list_shift + shift, ..self.marks.clone() }))
    }
}

impl RowSolver for OutcomeSolver {
    fn add_bytes(&self, bytes: &mut LineBytes) -> Result<(), GenerateError> {
        self.above.iter().flatten().try_for_each(|line| bytes.add_outcomes(line))
    }

    fn solve(&mut self, number: usize, control: &dyn Control) -> Result<SolvedRow, GenerateError> {
        let shape = RowShape::new(&self.layout, number, self.reset_limit);
        let RowShape { currentmax, stay: [stay, stay_bound], .. } = shape;
        let cancel_check = CancelCheck::new(control);
        let mut row = RowState { number, shape, lines: Vec::new(), unions: Vec::new(), cancel_check };
        let limit = currentmax + self.growth;
        let none = Arc::new(OutcomeLine::constant(false));
        let line_per_pair = || filled_with(self.pairs.len(), || none.clone());
        let (mut arrivals, mut free, mut bound) = (line_per_pair()?, line_per_pair()?, line_per_pair()?);
        // Without growth, a reset to the usual limit changes nothing: each pair of resets has the lines of no resets.
        let resets_are_idle = self.growth == 0 && self.reset_limit == limit;
        for pair @ [own, theirs] in self.pairs.in_solving_order()? {
            let sides = [pair, [theirs, own]];
            if resets_are_idle && pair != [0, 0] {
                let without = self.pairs.index([0, 0]);
                for index in sides.map(|side| self.pairs.index(side)) {
                    for lines in [&mut arrivals, &mut free, &mut bound] {
                        lines[index] = lines[without].clone();
                    }
                }
                continue;
            }
            // A move with a reset leads to the opponent's line under a reset, where this player has one reset less.
            let imposed = sides.map(|[own, theirs]| match own.checked_sub(1) {
                Some(left) => bound[self.pairs.index([theirs, left])].clone(),
                None => none.clone(),
            });
            let mut covers = [Vec::new(), Vec::new()];
            for side in 0..2 {
                if stay > 0 && !imposed[side].is_empty() {
                    let covered = row.union(&[Cover::up_to(&imposed[side], stay)])?;
                    covers[side].grow(Cover::exactly(&covered, 0))?;
                }
                self.add_leaving_covers(&row, sides[side], limit, &mut covers[side])?;
            }
            let lines = if own == theirs {
                let line = self.solve_equal_resets(&mut row, &covers[0])?;
                [line.clone(), line]
            } else {
                self.solve_unequal_resets(&mut row, [&covers[0], &covers[1]])?
            };
            for (side, line) in sides.into_iter().zip(&lines) {
                free[self.pairs.index(side)] = line.clone();
            }
            let sides = sides.into_iter().take(if own == theirs { 1 } else { 2 });
            for ((side, plain), imposed) in sides.zip(lines.iter().rev()).zip(&imposed) {
                let index = self.pairs.index(side);
                arrivals[index] = if imposed.is_empty() {
                    plain.clone()
                } else if plain.is_empty() {
                    imposed.clone()
                } else {
                    let both = [Cover::exactly(plain, 0), Cover::exactly(imposed, 0)];
                    row.union(&both)?
                };
                bound[index] = if self.reset_limit == limit {
                    // The limit under a reset is the usual one, so the lines are equal.
                    free[index].clone()
                } else {
                    let mut covers = Vec::new();
                    if stay_bound > 0 {
                        covers.grow(Cover::up_to(&arrivals[index], stay_bound))?;
                    }
                    self.add_leaving_covers(&row, side, self.reset_limit, &mut covers)?;
                    Arc::new(lost_places(&*row.union(&covers)?, self.end_is_lost)?)
                };
            }
        }
        let outcomes = self.pairs.by_line_number(&free, &bound)?;
        self.above.push_front(arrivals);
        // Drop the rows that no later move reaches.
        let reach = self.growth.max(self.reset_limit.saturating_sub(currentmax));
        let reach = usize::try_from(reach).unwrap_or(usize::MAX).saturating_add(1);
        self.above.truncate(reach);
        Ok(SolvedRow { row: number, outcomes, verdicts: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::oracle::{Oracle, OracleRow, long_rules, random_rules, small_rules};
    use super::*;

    /// Checks that the outcomes of all rows equal those of the oracle, which solves position by position.
    fn check(rules: &Expanding) {
        let (mut solver, mut oracle) = (OutcomeSolver::new(rules).unwrap(), Oracle::new(rules));
        let layout = ExpandingLayout::without_open_row(rules).unwrap();
        let rows = ExpandingLayout::count_rows(rules) as usize;
        // The oracle's rows after the last row of the table, which stands for all of them.
        let mut rows_after_last = Vec::new();
        let compare = |found: &SolvedRow, expected: &OracleRow| {
            let (row, length) = (expected.number, layout.length(expected.number));
            let expected: Vec<Vec<u64>> = expected.outcome_changes(rules.play());
            assert_eq!(found.outcomes.len(), expected.len());
            for (number, (found, expected)) in found.outcomes.iter().zip(&expected).enumerate() {
                let found = found.changes(length).unwrap();
                assert!(
                    &found == expected,
                    "{rules:?}, row {row}, line {number}: found {found:?}, expected {expected:?}"
                );
            }
        };
        let mut count = 0;
        while let Some(expected) = oracle.next_row() {
            if expected.number >= rows {
                rows_after_last.push(expected);
                continue;
            }
            let found = solver.solve(rows - 1 - count, &()).unwrap();
            assert_eq!(found.row, expected.number);
            compare(&found, &expected);
            rows_after_last.drain(..).for_each(|expected| compare(&found, &expected));
            count += 1;
        }
        assert_eq!(count, rows);
    }

    #[test]
    fn lines_agree_with_the_oracle() {
        small_rules(300, check);
    }

    #[test]
    fn lines_of_random_rules_agree_with_the_oracle() {
        random_rules(60, 700, check);
    }

    #[test]
    #[ignore = "takes minutes: cargo test --release -p bouton-generator -- --ignored long_lines"]
    fn long_lines_agree_with_the_oracle() {
        long_rules(100_000, check);
        random_rules(300, 20_000, check);
    }
}
