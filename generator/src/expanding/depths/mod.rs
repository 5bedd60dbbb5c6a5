//! Solves depths and best moves by jumping along each line from one change to the next.
//!
//! Along a line, depth and best move change only a few times between two lost positions (`docs/expanding-nim.md` has an
//! example). The best move from a place leads to the best *target*: a lost position of least depth, otherwise a won
//! position of greatest depth. Two kinds of moves compete:
//!
//! - Moves within the row reach the `stay` places below. A sliding window ([`moves`]) keeps only the places that are
//!   better than all nearer ones, so the best target is always the first. For example, with stay = 3 and the scores (higher
//!   is better) 5, 2, 4, 1 at the places 7 to 10, the window for place 10 holds 7 and 9: 8 is worse than the nearer 9. For
//!   place 11 it drops 7, which is out of reach, and adds 10; now 9 is best.
//! - Moves out of the row reach one place in each of the `growth` rows with the next greater currentmax, which are
//!   solved already and combined beforehand ([`above`]).
//!
//! Each of these moves may impose a reset. It then leads to a line under a reset, where the player has one reset less.
//! The better of the two ways to get to a place is the best *arrival* there.
//!
//! Each change of a target is a step of the solver. Most lines are shifted copies of others, deeper by a constant, and are
//! solved only until they agree with the other line ([`shifted_lines`]).

mod above;
mod moves;
mod shifted_lines;
pub(super) mod verdict_line;

use std::sync::Arc;

use bouton_tables::expanding::Expanding;

use self::above::RowsAbove;
use self::moves::{LineSolver, Scores, StayTarget, best_arrivals, solve};
use self::shifted_lines::{Dependencies, MoveTarget, SolvedLines, WholeLines};
use self::verdict_line::{Cursor, VerdictLine};
use super::outcomes::OutcomeSolver;
use super::row::{LineBytes, RowShape, RowSolver, SolvedRow};
use crate::control::{CancelCheck, Control};
use crate::making::GenerateError;
use crate::memory::{Grow, filled};

/// A line for each pair of resets that arises.
type ByResets = Vec<Option<Arc<VerdictLine>>>;

/// Solves the depths and best moves of rows.
pub(super) struct DepthSolver {
    /// Solves the outcomes independently, without depths.
    outcomes: OutcomeSolver,
    scores: Scores,
    growth: u64,
    stones: u64,
    above: RowsAbove,
}

/// The solved lines of a row.
#[derive(Default)]
struct RowLines {
    /// Free lines of equal resets.
    equal: SolvedLines<1>,
    /// Pairs of free lines with exchanged, unequal resets, which are solved together.
    unequal: SolvedLines<2>,
    /// Lines under a reset.
    bound: SolvedLines<1>,
    /// The free and bound lines without a shifted tail.
    whole: WholeLines,
    /// Lines of best arrivals.
    arrivals: SolvedLines<1>,
    whole_arrivals: WholeLines,
}

/// The targets of a free line's moves, except plain moves within the row, whose target is solved at the same time.
struct SolvedTargets {
    leaving: Vec<MoveTarget>,
    /// The target of moves within the row that impose a reset; `None` if the player has no reset left.
    imposed: Option<Arc<VerdictLine>>,
}

impl SolvedTargets {
    /// Returns the targets: at most two combinations of rows above, and the line of moves with a reset.
    fn all(&self) -> [Option<MoveTarget>; 3] {
        let imposed = self.imposed.as_ref().map(MoveTarget::itself);
        [self.leaving.first().cloned(), self.leaving.get(1).cloned(), imposed]
    }

    fn stay_target(&self) -> StayTarget<'_> {
        StayTarget::Concurrent(self.imposed.as_ref().map(|line| Cursor::new(line, 0)))
    }
}

impl DepthSolver {
    /// Returns the solver for a ruleset.
    pub(super) fn new(rules: &Expanding) -> Result<Self, GenerateError> {
        let outcomes = OutcomeSolver::new(rules)?;
        let scores = Scores::new(rules);
        let stones = rules.stones();
        // No move takes more stones than there are.
        let growth = u64::from(rules.growth()).min(stones);
        let above = RowsAbove::new(scores, growth, outcomes.reset_limit);
        Ok(Self { outcomes, scores, growth, stones, above })
    }

    /// Solves one free line of equal resets (N = 1), whose plain moves within the row lead to itself, or two of unequal
    /// resets (N = 2), whose plain moves within the row lead to each other.
    fn solve_free<const N: usize>(
        &self,
        RowShape { length, stay: [stay, _], .. }: RowShape,
        (solved, whole): (&mut SolvedLines<N>, &mut WholeLines),
        targets: &[SolvedTargets; N],
        cancel_check: &mut CancelCheck,
    ) -> Result<[Arc<VerdictLine>; N], GenerateError> {
        let all = targets.each_ref().map(SolvedTargets::all);
        let dependencies = Dependencies::new(all.iter().flatten().map(Option::as_ref), 0)?;
        let copy = solved.copy(&dependencies);
        let mut sides = std::array::from_fn(|side| {
            let copy = copy.as_ref().map(|copy| (copy.tails[side].clone(), copy.settled_from));
            LineSolver::new(stay, targets[side].stay_target(), &targets[side].leaving, copy)
        });
        let copied_from = solve(self.scores, &mut sides, length, cancel_check)?;
        let runs = sides.map(LineSolver::finish);
        if let Some((place, copy)) = copied_from.zip(copy) {
            let mut tails = copy.tails.into_iter();
            return Ok(runs.map(|head| {
                let tail = tails.next().expect("a tail for each line");
                Arc::new(VerdictLine::with_head(head, place as u32, tail))
            }));
        }
        let mut lines = Vec::new();
        for runs in runs {
            lines.grow(whole.line(runs, length)?)?;
        }
        let lines: [Arc<VerdictLine>; N] = lines.try_into().expect("a line for each side");
        solved.put(dependencies, lines.clone())?;
        Ok(lines)
    }

    /// Returns the better arrival at each place: with a plain move on `plain`, or with a reset on `imposed`.
    fn solve_arrivals(
        &self,
        row: RowShape,
        lines: &mut RowLines,
        plain: &Arc<VerdictLine>,
        imposed: Option<&Arc<VerdictLine>>,
        cancel_check: &mut CancelCheck,
    ) -> Result<Arc<VerdictLine>, GenerateError> {
        let targets = [Some(MoveTarget::itself(plain)), imposed.map(MoveTarget::itself)];
        let dependencies = Dependencies::new(targets.iter().map(Option::as_ref), 0)?;
        lines.arrivals.line(&mut lines.whole_arrivals, dependencies, row.length, |end| {
            best_arrivals(self.scores, plain, imposed.map(Arc::as_ref), end, cancel_check)
        })
    }

    /// Solves a line under a reset. Moves within the row lead to `arrivals`.
    fn solve_bound(
        &self,
        row: RowShape,
        lines: &mut RowLines,
        arrivals: &Arc<VerdictLine>,
        leaving: &[MoveTarget],
        cancel_check: &mut CancelCheck,
    ) -> Result<Arc<VerdictLine>, GenerateError> {
        let stay = row.stay[1];
        let arrivals_target = [MoveTarget::itself(arrivals)];
        let dependencies = Dependencies::new(arrivals_target.iter().chain(leaving).map(Some), stay)?;
        lines.bound.line(&mut lines.whole, dependencies, row.length, |end| {
            let stay_target = StayTarget::Solved(Cursor::new(arrivals, 0));
            let mut side = [LineSolver::new(stay, stay_target, leaving, None)];
            solve(self.scores, &mut side, end, cancel_check)?;
            let [side] = side;
            Ok(side.finish())
        })
    }

    /// Returns the lines of a row, indexed by their numbers.
    fn solve_lines(
        &mut self,
        number: usize,
        cancel_check: &mut CancelCheck,
    ) -> Result<Vec<Arc<VerdictLine>>, GenerateError> {
        let OutcomeSolver { pairs, reset_limit, .. } = self.outcomes;
        let row = RowShape::new(&self.outcomes.layout, number, reset_limit);
        let solved = &mut RowLines::default();
        let line_per_pair = || filled(pairs.len(), None);
        let (mut arrivals, mut free, mut bound): (ByResets, ByResets, ByResets) =
            (line_per_pair()?, line_per_pair()?, line_per_pair()?);
        for pair @ [own, theirs] in pairs.in_solving_order()? {
            let sides = [pair, [theirs, own]];
            let targets = sides.map(|side @ [own, theirs]| SolvedTargets {
                leaving: self.above.leaving(pairs.index(side)),
                // A move with a reset leads to the opponent's line under a reset, where this player has one reset less.
                imposed: own.checked_sub(1).and_then(|left| bound[pairs.index([theirs, left])].clone()),
            });
            let lines = if own == theirs {
                let stores = (&mut solved.equal, &mut solved.whole);
                let [line] = self.solve_free(row, stores, std::array::from_ref(&targets[0]), cancel_check)?;
                [line.clone(), line]
            } else {
                self.solve_free(row, (&mut solved.unequal, &mut solved.whole), &targets, cancel_check)?
            };
            for (side, line) in sides.into_iter().zip(&lines) {
                free[pairs.index(side)] = Some(line.clone());
            }
            for (number, side) in sides.into_iter().enumerate().take(if own == theirs { 1 } else { 2 }) {
                let index = pairs.index(side);
                let imposed = targets[number].imposed.as_ref();
                let arrival = self.solve_arrivals(row, solved, &lines[1 - number], imposed, cancel_check)?;
                bound[index] = Some(if reset_limit == row.currentmax + self.growth {
                    // The limit under a reset is the usual one, so the lines are equal.
                    lines[number].clone()
                } else {
                    let leaving = self.above.leaving_under_reset(row.currentmax, index);
                    self.solve_bound(row, solved, &arrival, &leaving, cancel_check)?
                });
                arrivals[index] = Some(arrival);
            }
        }
        if number > 0 {
            self.put(number, &arrivals, cancel_check)?;
        }
        let lines = pairs.by_line_number(&free, &bound)?;
        Ok(lines.into_iter().map(|line| line.expect("a line for each pair")).collect())
    }

    /// Stores the best arrivals of a row for the rows solved later.
    fn put(
        &mut self,
        number: usize,
        arrivals: &ByResets,
        cancel_check: &mut CancelCheck,
    ) -> Result<(), GenerateError> {
        let layout = &self.outcomes.layout;
        let currentmax = layout.currentmax(number);
        // The open row also stands for all greater currentmax.
        let last = if layout.is_open(number) {
            (u64::from(currentmax) + self.growth - 1).min(self.stones) as u32
        } else {
            currentmax
        };
        for currentmax in (currentmax..=last).rev() {
            // The longest row from which moves lead here is the one of the least currentmax.
            let least = u64::from(currentmax).saturating_sub(self.growth) as u32;
            let end = layout.length(layout.row(least));
            self.above.put(currentmax, end, arrivals, cancel_check)?;
        }
        Ok(())
    }
}

impl RowSolver for DepthSolver {
    fn add_bytes(&self, bytes: &mut LineBytes) -> Result<(), GenerateError> {
        self.outcomes.add_bytes(bytes)?;
        self.above.targets().try_for_each(|target| bytes.add_verdicts(&target.line))
    }

    fn solve(&mut self, number: usize, control: &dyn Control) -> Result<SolvedRow, GenerateError> {
        let verdicts = self.solve_lines(number, &mut CancelCheck::new(control))?;
        Ok(SolvedRow { verdicts, ..self.outcomes.solve(number, control)? })
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::expanding::ExpandingLayout;

    use super::super::run::Run;
    use super::super::tests::oracle::{Oracle, OracleRow, long_rules, random_rules, small_rules};
    use super::*;

    /// Checks that all rows equal those of the oracle, which solves position by position.
    fn check(rules: &Expanding) {
        let (mut solver, mut oracle) = (DepthSolver::new(rules).unwrap(), Oracle::new(rules));
        let layout = ExpandingLayout::without_open_row(rules).unwrap();
        let rows = ExpandingLayout::count_rows(rules) as usize;
        // The oracle's rows after the last row of the table, which stands for all of them.
        let mut rows_after_last = Vec::new();
        let compare = |lines: &[Arc<VerdictLine>], OracleRow { number: row, lines: expected }: &OracleRow| {
            assert_eq!(lines.len(), expected.len());
            for (number, (line, expected)) in lines.iter().zip(expected).enumerate() {
                let found = line.expanded(layout.length(*row) as u32);
                if &found != expected {
                    let index = found.iter().zip(expected).position(|(found, expected)| found != expected);
                    let index = index.unwrap_or(found.len().min(expected.len()));
                    let around =
                        |runs: &[Run]| runs[index.saturating_sub(2)..(index + 3).min(runs.len())].to_vec();
                    panic!(
                        "{rules:?}, row {row}, line {number}, tail from place {}: found {:?}, expected {:?}",
                        line.tail_from,
                        around(&found),
                        around(expected)
                    );
                }
            }
        };
        let mut count = 0;
        while let Some(expected) = oracle.next_row() {
            if expected.number >= rows {
                rows_after_last.push(expected);
                continue;
            }
            let lines = solver.solve_lines(rows - 1 - count, &mut CancelCheck::new(&())).unwrap();
            compare(&lines, &expected);
            rows_after_last.drain(..).for_each(|expected| compare(&lines, &expected));
            count += 1;
        }
        assert_eq!(count, rows);
    }

    #[test]
    fn lines_agree_with_the_oracle() {
        small_rules(200, check);
    }

    #[test]
    fn lines_of_random_rules_agree_with_the_oracle() {
        random_rules(60, 500, check);
    }

    #[test]
    #[ignore = "takes minutes: cargo test --release -p bouton-generator -- --ignored long_lines"]
    fn long_lines_agree_with_the_oracle() {
        long_rules(30_000, check);
        random_rules(300, 8_000, check);
    }
}
