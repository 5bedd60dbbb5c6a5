//! Solves outcomes, without depths, by jumping from one lost position to the next.
//!
//! A lost position *covers* the positions from which a move leads to it; a position that nothing covers is lost. The
//! rows above and the lines with fewer resets are already solved, and cover places from outside. On the line itself, a
//! lost place covers the next `stay` places for the opponent, who moves on the line with both numbers of resets
//! exchanged. With equal numbers these are the same line. Example: with stay = 3 and place 0 lost, the next candidate
//! is place 4. If a row above covers place 4 and nothing covers place 5, then 5 is lost, and the next candidate is 9.
//! The cost follows the number of lost positions.
//!
//! *Reset-line shift.* Most lines are shifted copies. A reset by each player costs a fixed number of stones, so one
//! more reset for both reproduces the line `reset-limit + 1` stones higher, after a short beginning. The solver does
//! not assume this. It compares the covers of a line with those of lines already solved in the row ([`CoverKey`]). If
//! they are equal except for a shift, it solves the line only until one lost place agrees with the shifted copy, and
//! takes the rest from there. For example, if one line has the lost places 9, 13, 18, and a line whose covers lie 4
//! stones higher is lost at 13, then its next lost places are 17 and 22.

use std::collections::VecDeque;
use std::sync::Arc;

use bouton_tables::expanding::{ArrayLayout, Expanding};
use bouton_tables::{Game, Outcome};

use super::covers::{Cover, CoverKey, PointSweeps, Sweeps, settled, uncovered, union};
use super::marks::{MarkCursor, Marks, NEVER};
use super::outcome_line::{Marked, OutcomeLine, OutcomeLineBuilder, Tail};
use super::pairs::{ResetPairs, Resets};
use super::row::{LineBytes, SolvedRow};
use super::{RowSolver, layout};
use crate::control::CancelCheck;
use crate::memory::{Grow, filled_with, room};
use crate::{Control, GenerateError};

/// One line for each pair of resets.
type ByResets = Vec<Arc<OutcomeLine>>;

/// Solves the outcomes of rows.
pub(super) struct OutcomeSolver {
    layout: ArrayLayout,
    growth: u64,
    reset_limit: u64,
    pairs: ResetPairs,
    /// Whether a player who has no stones to take has lost.
    end_is_lost: bool,
    next: Option<usize>,
    /// The solved rows that moves can still reach, the nearest first. For each pair of resets, the places where a move
    /// of the player with these resets wins if it arrives there.
    above: VecDeque<ByResets>,
}

/// With at most this many lost places, a line that may equal another one is stored as a head, not as marks of its own.
const FEW_LOST: u32 = 8;

/// The row that is being solved.
struct RowState {
    number: usize,
    length: u64,
    /// Least currentmax of the row.
    currentmax: u64,
    /// The most stones of a move that stays in the row: without a reset in force, and under one.
    stay: [u64; 2],
    /// Lines of this row that are solved, and may recur shifted.
    known: Vec<SolvedLine>,
}

/// A solved line, with the key of its covers.
struct SolvedLine {
    key: CoverKey,
    shift: Option<i64>,
    /// Whether its positions are under a reset.
    is_bound: bool,
    settled: u64,
    line: Arc<OutcomeLine>,
}

impl OutcomeSolver {
    /// Returns the solver for a ruleset.
    pub(super) fn new(rules: &Expanding) -> Result<Self, GenerateError> {
        let layout = layout(rules)?;
        Ok(Self {
            growth: rules.growth().into(),
            reset_limit: rules.reset_limit().into(),
            pairs: ResetPairs::new(rules),
            end_is_lost: rules.outcome_without_moves() == Outcome::Loss,
            next: layout.rows().checked_sub(1),
            layout,
            above: VecDeque::new(),
        })
    }

    /// Begins the next row.
    fn row(&mut self) -> Option<RowState> {
        let number = self.next?;
        self.next = number.checked_sub(1);
        let stay = u64::from(self.layout.stay(number));
        Some(RowState {
            number,
            length: self.layout.length(number).into(),
            currentmax: self.layout.currentmax(number).into(),
            stay: [stay, stay.min(self.reset_limit)],
            known: Vec::new(),
        })
    }

    /// Adds the covers by moves that leave the row and take at most `most` stones.
    fn leaving(
        &self,
        row: &RowState,
        resets: Resets,
        most: u64,
        covers: &mut Vec<Cover>,
    ) -> Result<(), GenerateError> {
        let place = self.pairs.place(resets);
        let most = most.min(row.length - 1);
        let mut stones = row.currentmax + 1;
        for (number, above) in self.above.iter().enumerate() {
            if stones > most {
                break;
            }
            let line = &above[place];
            // The last row stands for all greater currentmax too.
            let is_last = row.number + 1 + number == self.layout.rows() - 1;
            let end = if is_last { most } else { stones };
            if !line.is_empty() {
                covers.grow(Cover { line: line.clone(), by: [stones, end] })?;
            }
            stones = end + 1;
        }
        Ok(())
    }

    /// Solves the line without a reset in force where both players have equally many resets left.
    fn equal_resets(
        &self,
        row: &mut RowState,
        covers: &[Cover],
        patience: &mut CancelCheck,
    ) -> Result<Arc<OutcomeLine>, GenerateError> {
        let RowState { length, stay: [stay, _], .. } = *row;
        if stay == 0 {
            let covered = union(covers, length, patience)?;
            return Ok(Arc::new(uncovered(&covered, self.end_is_lost)?));
        }
        let (key, shift) = CoverKey::of(covers)?;
        let settled = settled(covers);
        let mut copy = row
            .known
            .iter()
            .filter(|known| !known.is_bound && known.key == key)
            .find_map(|known| ShiftedCopy::new(known, settled, shift));
        let mut sweeps = Sweeps::new(covers)?;
        let mut points = if copy.is_none() { PointSweeps::new(covers)? } else { None };
        let mut lost = Marks::new(stay as u32 + 1);
        let mut from = 1;
        if self.end_is_lost {
            lost.push(0)?;
            from = 1 + stay;
        }
        let line = loop {
            patience.spend(4)?;
            let place = match &mut points {
                Some(points) => points.first_uncovered(from),
                None => sweeps.first_uncovered(from),
            };
            if let Some(copy) = &mut copy
                && place != NEVER
                && let Some(tail) = copy.meets(place, length)
            {
                // If the line ends before the copy could be confirmed by a lost place, nothing contradicts the copy.
                if place < length || lost.count() <= FEW_LOST {
                    break OutcomeLine { head: changes(lost)?, from: place.min(length) as u32, tail };
                }
            }
            if place == NEVER {
                let last = lost.last();
                let head = changes(lost)?;
                break OutcomeLine {
                    from: if head.is_empty() { 0 } else { last + 1 },
                    head,
                    tail: Tail::Constant(false),
                };
            }
            if place >= length && lost.count() <= 1 {
                break OutcomeLine { head: changes(lost)?, from: length as u32, tail: Tail::Constant(false) };
            }
            if place >= length {
                let tail = Tail::Marked(Marked { list: Arc::new(lost), shift: 0, run: 1, lost: true });
                break OutcomeLine { head: Vec::new(), from: 0, tail };
            }
            lost.push(place as u32)?;
            from = place + 1 + stay;
        };
        let line = trimmed(line);
        row.known.grow(SolvedLine { key, shift, is_bound: false, settled, line: line.clone() })?;
        Ok(line)
    }

    /// Solves the two lines without a reset in force for a pair of unequal resets and for the exchanged pair. Each is
    /// where the other's moves lead, so they are solved together.
    fn unequal_resets(
        &self,
        row: &RowState,
        covers: [&[Cover]; 2],
        patience: &mut CancelCheck,
    ) -> Result<[Arc<OutcomeLine>; 2], GenerateError> {
        let RowState { length, stay: [stay, _], .. } = *row;
        let mut sweeps = [Sweeps::new(covers[0])?, Sweeps::new(covers[1])?];
        let mut lines =
            [OutcomeLineBuilder::new(self.end_is_lost), OutcomeLineBuilder::new(self.end_is_lost)];
        // The first place of each line that the lost places found so far leave uncovered.
        let mut from = [if self.end_is_lost { 1 + stay } else { 1 }; 2];
        let mut ends = [None; 2];
        loop {
            patience.spend(8)?;
            // A sweep cannot go back, so its answer is stored in `from`.
            for side in 0..2 {
                from[side] = sweeps[side].first_uncovered(from[side]);
            }
            let start = from[0].min(from[1]);
            if start >= length {
                break;
            }
            if from[0] == from[1] && stay > 0 {
                // Each lost place covers the next places of the other line.
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
                // The other line is covered for as long, as a move leads from there to each place of this run.
                let end = sweeps[side].next_start();
                lines[side].push(start, end)?;
                from[side] = end;
                if end == NEVER {
                    ends[side] = Some((start, true));
                }
                if stay > 0 {
                    from[1 - side] = from[1 - side].max(end.saturating_add(stay));
                }
            }
        }
        let mut done = Vec::new();
        for (side, line) in lines.into_iter().enumerate() {
            let line = match ends[side] {
                Some((start, lost)) => line.finish(start, Tail::Constant(lost))?,
                None if from[side] == NEVER => line.finish_won()?,
                None => line.finish_all(length)?,
            };
            done.grow(trimmed(line))?;
        }
        let [one, other] = done.try_into().expect("two lines");
        Ok([one, other])
    }

    /// Solves the line of positions under a reset.
    fn under_reset(
        &self,
        row: &mut RowState,
        covers: &[Cover],
        patience: &mut CancelCheck,
    ) -> Result<Arc<OutcomeLine>, GenerateError> {
        let (key, shift) = CoverKey::of(covers)?;
        let settled = settled(covers);
        if covers.len() > 1 {
            let copy =
                row.known.iter().find(|known| known.is_bound && known.key == key && shift >= known.shift);
            if let Some(SolvedLine { shift: of_twin, settled: of_its, line, .. }) = copy
                && let Some(by) = shift
                    .zip(*of_twin)
                    .map_or(Some(0), |(shift, of_twin)| u64::try_from(shift - of_twin).ok())
            {
                let from = settled.max(by + of_its).max(by + u64::from(line.from));
                if from < row.length
                    && let Some(tail) = shifted(&line.tail, by)
                {
                    let mut first = OutcomeLineBuilder::new(self.end_is_lost);
                    let mut sweeps = Sweeps::new(covers)?;
                    let mut place = 1;
                    loop {
                        place = sweeps.first_uncovered(place);
                        if place >= from {
                            break;
                        }
                        let end = sweeps.next_start();
                        first.push(place, end)?;
                        place = end;
                    }
                    return Ok(trimmed(first.finish(from, tail)?));
                }
            }
        }
        let line = uncovered(&union(covers, row.length, patience)?, self.end_is_lost)?;
        let line = Arc::new(line);
        if covers.len() > 1 {
            row.known.grow(SolvedLine { key, shift, is_bound: true, settled, line: line.clone() })?;
        }
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
        Tail::Marked(marked) => Tail::Marked(Marked {
            shift: u32::try_from(u64::from(marked.shift) + by).ok()?,
            ..marked.clone()
        }),
    })
}

/// Returns the changes of a line on which exactly these places are lost.
fn changes(lost: Marks) -> Result<Vec<u32>, GenerateError> {
    let lost = Arc::new(lost);
    let mut changes = room(2 * u64::from(lost.count()))?;
    changes.extend(lost.iter().flat_map(|place| [place, place + 1]));
    Ok(changes)
}

/// A solved line that may recur, shifted, as the line being solved.
struct ShiftedCopy {
    marked: Marked,
    marks: MarkCursor,
    /// How much further the covers of the new line are shifted; `None` if no cover has marks, so that any shift is
    /// possible.
    shift: Option<u64>,
    /// From this place of the new line on, only the tails of both lines' covers matter.
    from: u64,
    /// From this place of the solved line on, only tails matter in it.
    own_from: u64,
}

impl ShiftedCopy {
    /// Returns the candidate, given `settled` and `shift` of the new line's covers. Only lines whose lost places are
    /// single marks qualify.
    fn new(known: &SolvedLine, settled: u64, shift: Option<i64>) -> Option<Self> {
        let Tail::Marked(marked @ Marked { list, run: 1, lost: true, .. }) = &known.line.tail else {
            return None;
        };
        let shift = match shift.zip(known.shift) {
            None => None,
            Some((shift, of_known)) => Some(u64::try_from(shift - of_known).ok()?),
        };
        let own_from = known.settled.max(known.line.from.into());
        let from = settled.max(own_from + shift.unwrap_or(0));
        Some(Self { marked: marked.clone(), marks: list.iter(), shift, from, own_from })
    }

    /// Given a lost place of the new line, returns the new line's tail from there on if the place agrees with a lost
    /// place of the solved line, shifted. Either line may end before that place.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn meets(&mut self, place: u64, length: u64) -> Option<Tail> {
        if place < self.from {
            return None;
        }
        let of_list = u64::from(self.marked.shift);
        let shift = match self.shift {
            Some(shift) => shift,
            None => {
                // With an arbitrary shift, match the last lost place of the solved line that is not above `place`.
                let mut last = None;
                while self.marks.next != NEVER && self.marks.next + of_list <= place {
                    last = (self.marks.next + of_list >= self.own_from).then_some(self.marks.next + of_list);
                    self.marks.advance();
                }
                place - last?
            }
        };
        let own = place - shift;
        if self.shift.is_some() {
            while self.marks.next != NEVER && self.marks.next + of_list < own {
                self.marks.advance();
            }
            let is_there = match self.marks.next {
                NEVER => own >= length,
                mark => mark + of_list == own,
            };
            if !is_there {
                return None;
            }
        }
        let shift = u32::try_from(of_list + shift).ok()?;
        Some(Tail::Marked(Marked { shift, ..self.marked.clone() }))
    }
}

impl RowSolver for OutcomeSolver {
    fn count(&self, bytes: &mut LineBytes) {
        self.above.iter().flatten().for_each(|line| bytes.line(line));
    }

    fn next_row(&mut self, control: &dyn Control) -> Result<Option<SolvedRow>, GenerateError> {
        let Some(mut row) = self.row() else { return Ok(None) };
        let patience = &mut CancelCheck::new(control);
        let limit = row.currentmax + self.growth;
        let [stay, stay_bound] = row.stay;
        let none = Arc::new(OutcomeLine::all(false));
        let each = || filled_with(self.pairs.places(), || none.clone());
        let (mut good, mut free, mut bound) = (each()?, each()?, each()?);
        for pair @ [own, others] in self.pairs.all()? {
            let sides = [pair, [others, own]];
            // A move with a reset leads to the opponent's line under a reset, where this player has one reset less.
            let imposed = sides.map(|[own, others]| match own.checked_sub(1) {
                Some(left) => bound[self.pairs.place([others, left])].clone(),
                None => none.clone(),
            });
            let mut covers = [Vec::new(), Vec::new()];
            for side in 0..2 {
                if stay > 0 && !imposed[side].is_empty() {
                    let covered = union(&[Cover::up_to(&imposed[side], stay)], row.length, patience)?;
                    covers[side].grow(Cover::just(&Arc::new(covered), 0))?;
                }
                self.leaving(&row, sides[side], limit, &mut covers[side])?;
            }
            let [one, other] = if own == others {
                let line = self.equal_resets(&mut row, &covers[0], patience)?;
                [line.clone(), line]
            } else {
                self.unequal_resets(&row, [&covers[0], &covers[1]], patience)?
            };
            free[self.pairs.place(pair)] = one;
            free[self.pairs.place([others, own])] = other;
            for (side @ [own, others], imposed) in sides.into_iter().zip(&imposed) {
                let of_other = &free[self.pairs.place([others, own])];
                good[self.pairs.place(side)] = if imposed.is_empty() {
                    of_other.clone()
                } else if of_other.is_empty() {
                    imposed.clone()
                } else {
                    let both = [Cover::just(of_other, 0), Cover::just(imposed, 0)];
                    Arc::new(union(&both, row.length, patience)?)
                };
            }
            for side in sides.into_iter().take(if own == others { 1 } else { 2 }) {
                let place = self.pairs.place(side);
                bound[place] = if self.reset_limit == limit {
                    free[place].clone()
                } else {
                    let mut covers = Vec::new();
                    if stay_bound > 0 {
                        covers.grow(Cover::up_to(&good[place], stay_bound))?;
                    }
                    self.leaving(&row, side, self.reset_limit, &mut covers)?;
                    self.under_reset(&mut row, &covers, patience)?
                };
            }
        }
        let outcomes = self.pairs.by_lines(&free, &bound)?;
        self.above.push_front(good);
        // Drop the rows that no later move reaches.
        let reach = self.growth.max(self.reset_limit.saturating_sub(row.currentmax));
        let reach = usize::try_from(reach).unwrap_or(usize::MAX).saturating_add(1);
        self.above.truncate(reach);
        Ok(Some(SolvedRow { row: row.number, outcomes, verdicts: Vec::new() }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{long_rules, outcomes, random_rules, small_rules};
    use super::*;

    /// Returns the changes of a line below `length`.
    fn changes_of(line: &OutcomeLine, length: u32) -> Vec<u32> {
        let (mut runs, mut all) = (line.runs(), Vec::new());
        loop {
            let [start, end] = runs.next_run();
            if start >= length.into() {
                return all;
            }
            let start = start as u32;
            if all.last() == Some(&start) {
                all.pop();
            } else {
                all.push(start);
            }
            if end < length.into() {
                all.push(end as u32);
            }
        }
    }

    /// Compares all rows with those of the oracle, which solves position by position.
    fn agree(rules: &Expanding) {
        let (mut lists, mut positions) =
            (OutcomeSolver::new(rules).unwrap(), outcomes::solver(rules).unwrap());
        let all = ArrayLayout::try_new(rules).unwrap();
        let rows = ArrayLayout::count_rows_of_table(rules) as usize;
        let mut found: Option<SolvedRow> = None;
        let mut beyond = Vec::new();
        let compare = |found: &SolvedRow, expected: &outcomes::PlainRow| {
            let length = all.length(expected.row);
            assert_eq!(found.outcomes.len(), expected.lines.len());
            for (number, (found, expected_line)) in found.outcomes.iter().zip(&expected.lines).enumerate() {
                let found = changes_of(found, length);
                assert!(
                    &found == expected_line,
                    "{rules:?}, row {}, line {number}: {found:?}, not {expected_line:?}",
                    expected.row
                );
            }
        };
        while let Some(expected) = positions.next_row(&()).unwrap() {
            if expected.row >= rows {
                beyond.push(expected);
                continue;
            }
            let next = lists.next_row(&()).unwrap().unwrap();
            assert_eq!(next.row, expected.row);
            compare(&next, &expected);
            if found.is_none() {
                // The last row of the table stands for all rows beyond.
                beyond.iter().for_each(|expected| compare(&next, expected));
            }
            found = Some(next);
        }
        assert!(lists.next_row(&()).unwrap().is_none() && found.is_some());
    }

    #[test]
    fn lines_are_those_of_the_solver_of_positions() {
        small_rules(300, agree);
    }

    #[test]
    fn lines_of_any_rules_are_those_of_the_solver_of_positions() {
        random_rules(60, 700, agree);
    }

    /// Compares long games; takes minutes.
    #[test]
    #[ignore = "takes minutes: cargo test --release -p bouton-generator -- --ignored long_lines"]
    fn long_lines_are_those_of_the_solver_of_positions() {
        long_rules(100_000, agree);
        random_rules(300, 20_000, agree);
    }
}
