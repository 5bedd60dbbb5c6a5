//! Outcomes alone, by lists of where lines are lost.
//!
//! Hardly any position is lost, or hardly any is won: a line is solved by going from one lost position to the next. A lost
//! position to which a move leads *covers* the positions from which it can be reached: what nothing covers is lost. Lost positions
//! of the same row and the same resets, of the other player, are found on the way; all others are known before, as lines.
//!
//! From some place on, most lines follow from others: what covers them is the same as for a line that is solved already,
//! but shifted. Such a line is solved only until it is where the other one was, shifted; from there on it is the other one.
//! Nothing is taken for granted about which lines these are.

use std::collections::VecDeque;
use std::sync::Arc;

use bouton_tables::expanding::{Expanding, Layout};
use bouton_tables::{Game, Outcome};

use super::covers::{Cover, Key, Points, Sweeps, bare, settled, union};
use super::line::{Builder, Line, Marked, Tail};
use super::marks::{Marks, MarksFrom, NEVER};
use super::pairs::{Pairs, Resets};
use super::row::{Bytes, SolvedRow};
use super::{RowSolver, layout};
use crate::control::Patience;
use crate::memory::{Grow, filled_with, room};
use crate::{Control, GenerateError};

/// For each number of resets of both players a line.
type ByResets = Vec<Arc<Line>>;

/// Solves rows for outcomes.
pub(super) struct ListSolver {
    layout: Layout,
    growth: u64,
    reset_limit: u64,
    pairs: Pairs,
    /// Whether a player without stones to take has lost.
    end_is_lost: bool,
    next: Option<usize>,
    /// The rows that moves can lead to, the last one first: where it is good to arrive, for a player with some resets left
    /// before the move.
    above: VecDeque<ByResets>,
}

/// So few lost places are told one by one where a line is another one from then on.
const FEW: u32 = 8;

/// A row as it is solved.
struct Row {
    number: usize,
    length: u64,
    /// The currentmax that stands for it.
    currentmax: u64,
    /// What a move takes at most that stays in the row: without a reset in force, and under one.
    stay: [u64; 2],
    /// Lines that others may be: by what covers them.
    known: Vec<Known>,
}

/// A line by what covers it.
struct Known {
    key: Key,
    shift: Option<i64>,
    /// Whether it is one of positions under a reset.
    is_bound: bool,
    settled: u64,
    line: Arc<Line>,
}

impl ListSolver {
    /// The solver for a ruleset.
    pub(super) fn new(rules: &Expanding) -> Result<Self, GenerateError> {
        let layout = layout(rules)?;
        Ok(Self {
            growth: rules.growth().into(),
            reset_limit: rules.reset_limit().into(),
            pairs: Pairs::new(rules),
            end_is_lost: rules.outcome_without_moves() == Outcome::Loss,
            next: layout.rows().checked_sub(1),
            layout,
            above: VecDeque::new(),
        })
    }

    /// The row that is solved next.
    fn row(&mut self) -> Option<Row> {
        let number = self.next?;
        self.next = number.checked_sub(1);
        let stay = u64::from(self.layout.stay(number));
        Some(Row {
            number,
            length: self.layout.length(number).into(),
            currentmax: self.layout.currentmax(number).into(),
            stay: [stay, stay.min(self.reset_limit)],
            known: Vec::new(),
        })
    }

    /// Covers by moves that leave a row and take up to so many stones.
    fn leaving(
        &self,
        row: &Row,
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
            // The last row of all is also that of all greater currentmax.
            let is_last = row.number + 1 + number == self.layout.rows() - 1;
            let end = if is_last { most } else { stones };
            if !line.is_empty() {
                covers.grow(Cover { line: line.clone(), by: [stones, end] })?;
            }
            stones = end + 1;
        }
        Ok(())
    }

    /// The line of players who have as many resets left, without a reset in force.
    fn alone(
        &self,
        row: &mut Row,
        covers: &[Cover],
        patience: &mut Patience,
    ) -> Result<Arc<Line>, GenerateError> {
        let Row { length, stay: [stay, _], .. } = *row;
        if stay == 0 {
            let covered = union(covers, length, patience)?;
            return Ok(Arc::new(bare(&covered, self.end_is_lost)?));
        }
        let (key, shift) = Key::of(covers)?;
        let settled = settled(covers);
        let mut twin = row
            .known
            .iter()
            .filter(|known| !known.is_bound && known.key == key)
            .find_map(|known| Twin::new(known, settled, shift));
        let mut sweeps = Sweeps::new(covers)?;
        let mut points = if twin.is_none() { Points::new(covers)? } else { None };
        let mut lost = Marks::new(stay as u32 + 1);
        let mut from = 1;
        if self.end_is_lost {
            lost.push(0)?;
            from = 1 + stay;
        }
        let line = loop {
            patience.spend(4)?;
            let place = match &mut points {
                Some(points) => points.first_bare(from),
                None => sweeps.first_bare(from),
            };
            if let Some(twin) = &mut twin
                && place != NEVER
                && let Some(tail) = twin.meets(place, length)
            {
                // Where the line ends before, all that is left to say is that nothing speaks against it.
                if place < length || lost.count() <= FEW {
                    break Line { head: changes(lost)?, from: place.min(length) as u32, tail };
                }
            }
            if place == NEVER {
                let last = lost.last();
                let head = changes(lost)?;
                break Line {
                    from: if head.is_empty() { 0 } else { last + 1 },
                    head,
                    tail: Tail::All(false),
                };
            }
            if place >= length && lost.count() <= 1 {
                break Line { head: changes(lost)?, from: length as u32, tail: Tail::All(false) };
            }
            if place >= length {
                let tail = Tail::Marked(Marked { list: Arc::new(lost), shift: 0, run: 1, lost: true });
                break Line { head: Vec::new(), from: 0, tail };
            }
            lost.push(place as u32)?;
            from = place + 1 + stay;
        };
        let line = trimmed(line);
        row.known.grow(Known { key, shift, is_bound: false, settled, line: line.clone() })?;
        Ok(line)
    }

    /// The lines of two players who have these resets left, the one as the other to move, without a reset in force.
    fn both(
        &self,
        row: &Row,
        covers: [&[Cover]; 2],
        patience: &mut Patience,
    ) -> Result<[Arc<Line>; 2], GenerateError> {
        let Row { length, stay: [stay, _], .. } = *row;
        let mut sweeps = [Sweeps::new(covers[0])?, Sweeps::new(covers[1])?];
        let mut lines = [Builder::new(self.end_is_lost), Builder::new(self.end_is_lost)];
        // Up to where what was found covers a line.
        let mut from = [if self.end_is_lost { 1 + stay } else { 1 }; 2];
        let mut ends = [None; 2];
        loop {
            patience.spend(8)?;
            // Sweeps only go on, so that what they told is kept.
            for side in 0..2 {
                from[side] = sweeps[side].first_bare(from[side]);
            }
            let start = from[0].min(from[1]);
            if start >= length {
                break;
            }
            if from[0] == from[1] && stay > 0 {
                // Each covers what follows, for the other.
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
                // The other one is covered as long, as it can move to each of these.
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
                Some((start, lost)) => line.finish(start, Tail::All(lost))?,
                None if from[side] == NEVER => line.finish_won()?,
                None => line.finish_all(length)?,
            };
            done.grow(trimmed(line))?;
        }
        let [one, other] = done.try_into().expect("two lines");
        Ok([one, other])
    }

    /// The line of positions under a reset.
    fn bound(
        &self,
        row: &mut Row,
        covers: &[Cover],
        patience: &mut Patience,
    ) -> Result<Arc<Line>, GenerateError> {
        let (key, shift) = Key::of(covers)?;
        let settled = settled(covers);
        if covers.len() > 1 {
            let twin =
                row.known.iter().find(|known| known.is_bound && known.key == key && shift >= known.shift);
            if let Some(Known { shift: of_twin, settled: of_its, line, .. }) = twin
                && let Some(by) = shift
                    .zip(*of_twin)
                    .map_or(Some(0), |(shift, of_twin)| u64::try_from(shift - of_twin).ok())
            {
                let from = settled.max(by + of_its).max(by + u64::from(line.from));
                if from < row.length
                    && let Some(tail) = shifted(&line.tail, by)
                {
                    let mut first = Builder::new(self.end_is_lost);
                    let mut sweeps = Sweeps::new(covers)?;
                    let mut place = 1;
                    loop {
                        place = sweeps.first_bare(place);
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
        let line = bare(&union(covers, row.length, patience)?, self.end_is_lost)?;
        let line = Arc::new(line);
        if covers.len() > 1 {
            row.known.grow(Known { key, shift, is_bound: true, settled, line: line.clone() })?;
        }
        Ok(line)
    }
}

fn trimmed(mut line: Line) -> Arc<Line> {
    line.trim();
    Arc::new(line)
}

/// A tail further up.
fn shifted(tail: &Tail, by: u64) -> Option<Tail> {
    Some(match tail {
        Tail::All(lost) => Tail::All(*lost),
        Tail::Marked(marked) => Tail::Marked(Marked {
            shift: u32::try_from(u64::from(marked.shift) + by).ok()?,
            ..marked.clone()
        }),
    })
}

/// Lost places as changes.
fn changes(lost: Marks) -> Result<Vec<u32>, GenerateError> {
    let lost = Arc::new(lost);
    let mut changes = room(2 * u64::from(lost.count()))?;
    changes.extend(lost.iter().flat_map(|place| [place, place + 1]));
    Ok(changes)
}

/// A line that another one may become, shifted.
struct Twin {
    marked: Marked,
    marks: MarksFrom,
    /// How much further the other one's covers are shifted. `None` if that may be anything.
    shift: Option<u64>,
    /// From here on, in the other line, only tails matter in both.
    from: u64,
    /// The same in this one.
    own_from: u64,
}

impl Twin {
    /// `settled` and `shift` are those of the other line's covers.
    fn new(known: &Known, settled: u64, shift: Option<i64>) -> Option<Self> {
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

    /// The tail that the other line has from a lost place of it on, if it is this one, shifted. Either may end before that place.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn meets(&mut self, place: u64, length: u64) -> Option<Tail> {
        if place < self.from {
            return None;
        }
        let of_list = u64::from(self.marked.shift);
        let shift = match self.shift {
            Some(shift) => shift,
            None => {
                // Any of its places will do: the last one that is no further.
                let mut last = None;
                while self.marks.next != NEVER && self.marks.next + of_list <= place {
                    last = (self.marks.next + of_list >= self.own_from).then_some(self.marks.next + of_list);
                    self.marks.go_on();
                }
                place - last?
            }
        };
        let own = place - shift;
        if self.shift.is_some() {
            while self.marks.next != NEVER && self.marks.next + of_list < own {
                self.marks.go_on();
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

impl RowSolver for ListSolver {
    fn count(&self, bytes: &mut Bytes) {
        self.above.iter().flatten().for_each(|line| bytes.line(line));
    }

    fn next_row(&mut self, control: &dyn Control) -> Result<Option<SolvedRow>, GenerateError> {
        let Some(mut row) = self.row() else { return Ok(None) };
        let patience = &mut Patience::new(control);
        let limit = row.currentmax + self.growth;
        let [stay, stay_bound] = row.stay;
        let none = Arc::new(Line::all(false));
        let each = || filled_with(self.pairs.places(), || none.clone());
        let (mut good, mut free, mut bound) = (each()?, each()?, each()?);
        for pair @ [own, others] in self.pairs.all()? {
            let sides = [pair, [others, own]];
            // Imposing a reset leads to where the other player is bound, with one reset less against him.
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
                let line = self.alone(&mut row, &covers[0], patience)?;
                [line.clone(), line]
            } else {
                self.both(&row, [&covers[0], &covers[1]], patience)?
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
                    self.bound(&mut row, &covers, patience)?
                };
            }
        }
        let outcomes = self.pairs.by_lines(&free, &bound)?;
        self.above.push_front(good);
        // Rows that no move reaches any more.
        let reach = self.growth.max(self.reset_limit.saturating_sub(row.currentmax));
        let reach = usize::try_from(reach).unwrap_or(usize::MAX).saturating_add(1);
        self.above.truncate(reach);
        Ok(Some(SolvedRow { row: row.number, outcomes, verdicts: Vec::new() }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::twin::{long_rules, outcomes, random_rules, small_rules};
    use super::*;

    /// Where a line changes within so many places.
    fn changes_of(line: &Line, length: u32) -> Vec<u32> {
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

    /// Rows are those of the solver that goes from position to position.
    fn agree(rules: &Expanding) {
        let (mut lists, mut positions) = (ListSolver::new(rules).unwrap(), outcomes::solver(rules).unwrap());
        let all = Layout::try_new(rules).unwrap();
        let rows = Layout::count_rows_of_table(rules) as usize;
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
                // The last row of the table is that of all beyond.
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

    /// The same for long games: minutes.
    #[test]
    #[ignore = "takes minutes: cargo test --release -p bouton-generator -- --ignored long_lines"]
    fn long_lines_are_those_of_the_solver_of_positions() {
        long_rules(100_000, agree);
        random_rules(300, 20_000, agree);
    }
}
