//! Solves depths and best moves by jumping along each line from one change to the next.
//!
//! Along a line, depth and best move change only a few times between two lost positions (`docs/expanding-nim.md` has an
//! example). The best move from a place leads to the best target: a lost position of least depth, otherwise a won
//! position of greatest depth. Three kinds of moves compete:
//!
//! - Moves within the row reach the `stay` places below. A sliding window ([`moves`]) keeps only the places that are
//!   better than all nearer ones, so the best target is always the first. For example, with stay = 3 and target scores
//!   5, 2, 4 at the places 7, 8, 9, the window for place 10 holds 7 and 9. At place 11 it drops 7, which is out of
//!   reach, and 9 is best.
//! - Moves out of the row reach one place in each of the `growth` rows above, which are combined beforehand
//!   ([`above`]).
//! - Moves with a reset lead to lines with fewer resets.
//!
//! Each change of one of these targets is a step of the solver. Most lines are shifted copies of others, deeper by a
//! constant, and are solved only until they agree with the other line ([`shifted_lines`]).

mod above;
mod moves;
mod shifted_lines;
mod verdict_line;

use std::sync::Arc;

use bouton_tables::expanding::{ArrayLayout, Expanding};

pub(super) use self::verdict_line::{ShiftedRuns, VerdictLine, deepest};

use self::above::RowsAbove;
use self::moves::{LineSolver, Scores, StayTarget, arrivals, each_twin, solve};
use self::shifted_lines::{Dependencies, MoveTarget, SolvedLines, WholeLines};
use self::verdict_line::Cursor;
use super::outcomes::OutcomeSolver;
use super::pairs::ResetPairs;
use super::row::{LineBytes, SolvedRow};
use super::{RowSolver, layout};
use crate::control::CancelCheck;
use crate::memory::{Grow, filled};
use crate::{Control, GenerateError};

/// A line for each pair of resets that arises.
type ByResets = Vec<Option<Arc<VerdictLine>>>;

/// Solves the depths and best moves of rows.
pub(super) struct DepthSolver {
    /// Solves the outcomes independently, without depths.
    outcomes: OutcomeSolver,
    layout: ArrayLayout,
    scores: Scores,
    growth: u64,
    stones: u64,
    reset_limit: u64,
    pairs: ResetPairs,
    next: Option<usize>,
    above: RowsAbove,
}

/// The measures of a row.
#[derive(Clone, Copy)]
struct RowSize {
    length: u64,
    currentmax: u64,
    /// The most stones of a move that stays in the row: without a reset in force, and under one.
    stay: [u64; 2],
}

/// The lines of a row solved so far.
#[derive(Default)]
struct RowLines {
    /// Lines without a reset in force, with equal resets and with unequal ones; and lines under a reset.
    alone: SolvedLines<1>,
    both: SolvedLines<2>,
    bound: SolvedLines<1>,
    wholes: WholeLines,
    /// The best arrivals at each place: with or without imposing a reset.
    good: SolvedLines<1>,
    wholes_of_good: WholeLines,
}

/// The targets of the moves from a line, except those of moves within the row without a reset.
struct Successors {
    leaving: Vec<MoveTarget>,
    /// The target line of moves with a reset.
    imposed: Option<Arc<VerdictLine>>,
}

impl Successors {
    /// All target lines: at most two combinations of rows above, and the line of moves with a reset.
    fn covers(&self) -> [Option<MoveTarget>; 3] {
        let imposed = self.imposed.as_ref().map(MoveTarget::itself);
        [self.leaving.first().cloned(), self.leaving.get(1).cloned(), imposed]
    }

    fn within(&self) -> StayTarget<'_> {
        StayTarget::Concurrent(self.imposed.as_ref().map(|line| Cursor::new(line, 0)))
    }
}

impl DepthSolver {
    /// Returns the solver for a ruleset.
    pub(super) fn new(rules: &Expanding) -> Result<Self, GenerateError> {
        let layout = layout(rules)?;
        let scores = Scores::new(rules);
        let stones = rules.stones().into();
        // No move takes more stones than there are.
        let growth = u64::from(rules.growth()).min(stones);
        let reset_limit = rules.reset_limit().into();
        Ok(Self {
            outcomes: OutcomeSolver::new(rules)?,
            scores,
            growth,
            stones,
            reset_limit,
            pairs: ResetPairs::new(rules),
            next: layout.rows().checked_sub(1),
            layout,
            above: RowsAbove::new(scores, growth, reset_limit),
        })
    }

    /// Solves lines without a reset in force: one for equal resets (N = 1), or two for unequal ones (N = 2), where each
    /// is the target of the other's moves.
    fn free<const N: usize>(
        &self,
        RowSize { length, stay: [stay, _], .. }: RowSize,
        (known, wholes): (&mut SolvedLines<N>, &mut WholeLines),
        ahead: &[Successors; N],
        patience: &mut CancelCheck,
    ) -> Result<[Arc<VerdictLine>; N], GenerateError> {
        let covers = ahead.each_ref().map(Successors::covers);
        let dependencies = Dependencies::new(covers.iter().flatten().map(Option::as_ref), 0)?;
        let twin = known.twin(&dependencies);
        let twins = each_twin(twin.as_ref());
        let mut sides = std::array::from_fn(|number| {
            let Successors { leaving, .. } = &ahead[number];
            LineSolver::new(stay, ahead[number].within(), leaving, twins[number].clone())
        });
        let met = solve(self.scores, &mut sides, length, patience)?;
        let found = sides.map(LineSolver::finish);
        if let Some((place, twin)) = met.zip(twin) {
            let mut others = twin.others.into_iter();
            return Ok(found.map(|head| {
                let other = others.next().expect("a twin for each line");
                Arc::new(VerdictLine::with_head(head, place as u32, other))
            }));
        }
        let mut lines = Vec::new();
        for runs in found {
            lines.grow(wholes.line(runs, length)?)?;
        }
        let lines: [Arc<VerdictLine>; N] = lines.try_into().expect("as many lines");
        known.put(dependencies, lines.each_ref())?;
        Ok(lines)
    }

    /// Returns the better arrival at each place: without a reset on `plain`, or with one on `imposed`.
    fn good(
        &self,
        row: RowSize,
        found: &mut RowLines,
        plain: &Arc<VerdictLine>,
        imposed: Option<&Arc<VerdictLine>>,
        patience: &mut CancelCheck,
    ) -> Result<Arc<VerdictLine>, GenerateError> {
        let covers = [Some(MoveTarget::itself(plain)), imposed.map(MoveTarget::itself)];
        let dependencies = Dependencies::new(covers.iter().map(Option::as_ref), 0)?;
        found.good.line(&mut found.wholes_of_good, dependencies, row.length, |end| {
            arrivals(self.scores, plain, imposed.map(Arc::as_ref), end, patience)
        })
    }

    /// Solves a line of positions under a reset.
    fn bound(
        &self,
        row: RowSize,
        found: &mut RowLines,
        good: &Arc<VerdictLine>,
        leaving: &[MoveTarget],
        patience: &mut CancelCheck,
    ) -> Result<Arc<VerdictLine>, GenerateError> {
        let stay = row.stay[1];
        let covers = [MoveTarget::itself(good)];
        let dependencies = Dependencies::new(covers.iter().chain(leaving).map(Some), stay)?;
        found.bound.line(&mut found.wholes, dependencies, row.length, |end| {
            let within = StayTarget::Solved(Cursor::new(good, 0));
            let mut side = [LineSolver::new(stay, within, leaving, None)];
            solve(self.scores, &mut side, end, patience)?;
            let [side] = side;
            Ok(side.finish())
        })
    }

    /// Returns the lines of the next row, indexed by their numbers.
    fn lines(&mut self, patience: &mut CancelCheck) -> Result<Option<Vec<Arc<VerdictLine>>>, GenerateError> {
        let Some(number) = self.next else { return Ok(None) };
        self.next = number.checked_sub(1);
        let stay = u64::from(self.layout.stay(number));
        let row = RowSize {
            length: self.layout.length(number).into(),
            currentmax: self.layout.currentmax(number).into(),
            stay: [stay, stay.min(self.reset_limit)],
        };
        let found = &mut RowLines::default();
        let each = || filled(self.pairs.places(), None);
        let (mut good, mut free, mut bound): (ByResets, ByResets, ByResets) = (each()?, each()?, each()?);
        for pair @ [own, others] in self.pairs.all()? {
            let sides = [pair, [others, own]];
            let ahead = sides.map(|side @ [own, others]| Successors {
                leaving: self.above.leaving(self.pairs.place(side)),
                // A move with a reset leads to the opponent's line under a reset, where this player has one reset less.
                imposed: own.checked_sub(1).and_then(|left| bound[self.pairs.place([others, left])].clone()),
            });
            let lines = if own == others {
                let [alone, _] = &ahead;
                let kept = (&mut found.alone, &mut found.wholes);
                let [line] = self.free(row, kept, std::array::from_ref(alone), patience)?;
                [line.clone(), line]
            } else {
                self.free(row, (&mut found.both, &mut found.wholes), &ahead, patience)?
            };
            for (side, line) in sides.into_iter().zip(&lines) {
                free[self.pairs.place(side)] = Some(line.clone());
            }
            for (number, side) in sides.into_iter().enumerate().take(if own == others { 1 } else { 2 }) {
                let place = self.pairs.place(side);
                let arrived =
                    self.good(row, found, &lines[1 - number], ahead[number].imposed.as_ref(), patience)?;
                let leaving = self.above.leaving_under_reset(row.currentmax, place);
                bound[place] = Some(if self.reset_limit == row.currentmax + self.growth {
                    lines[number].clone()
                } else {
                    self.bound(row, found, &arrived, &leaving, patience)?
                });
                good[place] = Some(arrived);
            }
        }
        self.put(number, &good, patience)?;
        let lines = self.pairs.by_lines(&free, &bound)?;
        Ok(Some(lines.into_iter().map(|line| line.expect("a line for each pair")).collect()))
    }

    /// Stores a row for the rows solved later.
    fn put(
        &mut self,
        number: usize,
        good: &ByResets,
        patience: &mut CancelCheck,
    ) -> Result<(), GenerateError> {
        if self.next.is_none() {
            return Ok(());
        }
        let currentmax = self.layout.currentmax(number);
        // The open row also stands for all greater currentmax.
        let last = if self.layout.is_open(number) {
            (u64::from(currentmax) + self.growth - 1).min(self.stones) as u32
        } else {
            currentmax
        };
        for currentmax in (currentmax..=last).rev() {
            // Rows below cannot reach this row with more stones than the longest of them has.
            let least = u64::from(currentmax).saturating_sub(self.growth) as u32;
            let end = self.layout.length(self.layout.row(least));
            self.above.put(currentmax, end.into(), good, patience)?;
        }
        Ok(())
    }
}

impl RowSolver for DepthSolver {
    fn count(&self, bytes: &mut LineBytes) {
        self.outcomes.count(bytes);
        self.above.covers().for_each(|cover| bytes.stairs(&cover.stairs));
    }

    fn next_row(&mut self, control: &dyn Control) -> Result<Option<SolvedRow>, GenerateError> {
        let Some(verdicts) = self.lines(&mut CancelCheck::new(control))? else { return Ok(None) };
        let solved = self.outcomes.next_row(control)?;
        Ok(solved.map(|solved| SolvedRow { verdicts, ..solved }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{self, long_rules, random_rules, small_rules};
    use super::*;

    /// Compares all rows with those of the oracle, which solves position by position.
    fn agree(rules: &Expanding) {
        let mut stairs = DepthSolver::new(rules).unwrap();
        let mut positions = oracle::depths::solver(rules).unwrap();
        let all = ArrayLayout::try_new(rules).unwrap();
        let rows = ArrayLayout::count_rows_of_table(rules) as usize;
        let mut beyond = Vec::new();
        let compare = |lines: &[Arc<VerdictLine>], (row, expected): &oracle::depths::RunsOfRow| {
            assert_eq!(lines.len(), expected.len());
            for (number, (line, expected)) in lines.iter().zip(expected).enumerate() {
                let found = line.expanded(all.length(*row));
                if &found != expected {
                    let at = found.iter().zip(expected).position(|(found, expected)| found != expected);
                    let at = at.unwrap_or(found.len().min(expected.len()));
                    let near = |runs: &[super::super::Run]| {
                        runs[at.saturating_sub(2)..(at + 3).min(runs.len())].to_vec()
                    };
                    panic!(
                        "{rules:?}, row {row}, line {number}, own to {}: {:?}, not {:?}",
                        line.own,
                        near(&found),
                        near(expected)
                    );
                }
            }
        };
        let mut many = 0;
        while let Some(expected) = positions.next_row(&()).unwrap() {
            if expected.0 >= rows {
                beyond.push(expected);
                continue;
            }
            let lines = stairs.lines(&mut CancelCheck::new(&())).unwrap().unwrap();
            compare(&lines, &expected);
            // The last row of the table stands for all rows beyond.
            beyond.drain(..).for_each(|expected| compare(&lines, &expected));
            many += 1;
        }
        assert!(stairs.lines(&mut CancelCheck::new(&())).unwrap().is_none() && many == rows);
    }

    #[test]
    fn lines_are_those_of_the_solver_of_positions() {
        small_rules(200, agree);
    }

    #[test]
    fn lines_of_any_rules_are_those_of_the_solver_of_positions() {
        random_rules(60, 500, agree);
    }

    /// Compares long games; takes minutes.
    #[test]
    #[ignore = "takes minutes: cargo test --release -p bouton-generator -- --ignored long_lines"]
    fn long_lines_are_those_of_the_solver_of_positions() {
        long_rules(30_000, agree);
        random_rules(300, 8_000, agree);
    }
}
