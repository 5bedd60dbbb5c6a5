//! Depths and best moves, by where they change along lines.
//!
//! Hardly any position is lost, or hardly any is won, and between two lost positions depths and best moves change a few times
//! only: a line is solved by going from one change to the next. The best move is the one that leads to the best place; a window
//! of the places within the row keeps those that are better than all nearer ones.
//!
//! Most lines are others, shifted by some stones and deeper by some plies, as soon as both players have resets left that cancel
//! out: they are solved only until they are where the other ones were ([`twins`]).

mod above;
mod moves;
mod stairs;
mod twins;

use std::sync::Arc;

use bouton_tables::expanding::{Expanding, Layout};

pub(super) use self::stairs::{Other, Stairs, deepest};

use self::above::Above;
use self::moves::{Scores, Side, Within, arrivals, each_twin, solve};
use self::stairs::Cursor;
use self::twins::{Cover, Solved, Sources, Wholes};
use super::lists::ListSolver;
use super::pairs::Pairs;
use super::row::{Bytes, SolvedRow};
use super::{RowSolver, layout};
use crate::control::Patience;
use crate::memory::{Grow, filled};
use crate::{Control, GenerateError};

/// For each pair of resets a line, as far as they arise.
type ByResets = Vec<Option<Arc<Stairs>>>;

/// Solves rows for depths and best moves.
pub(super) struct DepthSolver {
    /// Finds the outcomes besides, from what decides them alone.
    outcomes: ListSolver,
    layout: Layout,
    scores: Scores,
    growth: u64,
    stones: u64,
    reset_limit: u64,
    pairs: Pairs,
    next: Option<usize>,
    above: Above,
}

/// A row about to be solved.
#[derive(Clone, Copy)]
struct Row {
    length: u64,
    currentmax: u64,
    /// What a move takes at most that stays in the row: without a reset in force, and under one.
    stay: [u64; 2],
}

/// The lines of a row that are solved.
#[derive(Default)]
struct Found {
    /// Those of players who have as many resets left, those of others, and those under a reset.
    alone: Solved<1>,
    both: Solved<2>,
    bound: Solved<1>,
    wholes: Wholes,
    /// Where it is good to arrive.
    good: Solved<1>,
    wholes_of_good: Wholes,
}

/// What the lines of players with some resets follow from.
struct Ahead {
    leaving: Vec<Cover>,
    /// The line to which a move with a reset leads.
    imposed: Option<Arc<Stairs>>,
}

impl Ahead {
    /// All lines: at most two rows are left to, or combinations of such.
    fn covers(&self) -> [Option<Cover>; 3] {
        let imposed = self.imposed.as_ref().map(Cover::itself);
        [self.leaving.first().cloned(), self.leaving.get(1).cloned(), imposed]
    }

    fn within(&self) -> Within<'_> {
        Within::Solved(self.imposed.as_ref().map(|line| Cursor::new(line, 0)))
    }
}

impl DepthSolver {
    /// The solver for a ruleset.
    pub(super) fn new(rules: &Expanding) -> Result<Self, GenerateError> {
        let layout = layout(rules)?;
        let scores = Scores::new(rules);
        let stones = rules.stones().into();
        // More stones than there are nobody takes.
        let growth = u64::from(rules.growth()).min(stones);
        let reset_limit = rules.reset_limit().into();
        Ok(Self {
            outcomes: ListSolver::new(rules)?,
            scores,
            growth,
            stones,
            reset_limit,
            pairs: Pairs::new(rules),
            next: layout.rows().checked_sub(1),
            layout,
            above: Above::new(scores, growth, reset_limit),
        })
    }

    /// The lines of players without a reset in force: of two who have as many left, or each what the other one has.
    fn free<const N: usize>(
        &self,
        Row { length, stay: [stay, _], .. }: Row,
        (known, wholes): (&mut Solved<N>, &mut Wholes),
        ahead: &[Ahead; N],
        patience: &mut Patience,
    ) -> Result<[Arc<Stairs>; N], GenerateError> {
        let covers = ahead.each_ref().map(Ahead::covers);
        let sources = Sources::new(covers.iter().flatten().map(Option::as_ref), 0)?;
        let twin = known.twin(&sources);
        let twins = each_twin(twin.as_ref());
        let mut sides = std::array::from_fn(|number| {
            let Ahead { leaving, .. } = &ahead[number];
            Side::new(stay, ahead[number].within(), leaving, twins[number].clone())
        });
        let met = solve(self.scores, &mut sides, length, patience)?;
        let found = sides.map(Side::finish);
        if let Some((place, twin)) = met.zip(twin) {
            let mut others = twin.others.into_iter();
            return Ok(found.map(|head| {
                let other = others.next().expect("a twin for each line");
                Arc::new(Stairs::with_head(head, place as u32, other))
            }));
        }
        let mut lines = Vec::new();
        for runs in found {
            lines.grow(wholes.line(runs, length)?)?;
        }
        let lines: [Arc<Stairs>; N] = lines.try_into().expect("as many lines");
        known.put(sources, lines.each_ref())?;
        Ok(lines)
    }

    /// Where it is good to arrive: on a line, or with a reset on another one.
    fn good(
        &self,
        row: Row,
        found: &mut Found,
        plain: &Arc<Stairs>,
        imposed: Option<&Arc<Stairs>>,
        patience: &mut Patience,
    ) -> Result<Arc<Stairs>, GenerateError> {
        let covers = [Some(Cover::itself(plain)), imposed.map(Cover::itself)];
        let sources = Sources::new(covers.iter().map(Option::as_ref), 0)?;
        found.good.line(&mut found.wholes_of_good, sources, row.length, |end| {
            arrivals(self.scores, plain, imposed.map(Arc::as_ref), end, patience)
        })
    }

    /// The line of positions under a reset.
    fn bound(
        &self,
        row: Row,
        found: &mut Found,
        good: &Arc<Stairs>,
        leaving: &[Cover],
        patience: &mut Patience,
    ) -> Result<Arc<Stairs>, GenerateError> {
        let stay = row.stay[1];
        let covers = [Cover::itself(good)];
        let sources = Sources::new(covers.iter().chain(leaving).map(Some), stay)?;
        found.bound.line(&mut found.wholes, sources, row.length, |end| {
            let within = Within::Known(Cursor::new(good, 0));
            let mut side = [Side::new(stay, within, leaving, None)];
            solve(self.scores, &mut side, end, patience)?;
            let [side] = side;
            Ok(side.finish())
        })
    }

    /// The lines of the next row by their numbers.
    fn lines(&mut self, patience: &mut Patience) -> Result<Option<Vec<Arc<Stairs>>>, GenerateError> {
        let Some(number) = self.next else { return Ok(None) };
        self.next = number.checked_sub(1);
        let stay = u64::from(self.layout.stay(number));
        let row = Row {
            length: self.layout.length(number).into(),
            currentmax: self.layout.currentmax(number).into(),
            stay: [stay, stay.min(self.reset_limit)],
        };
        let found = &mut Found::default();
        let each = || filled(self.pairs.places(), None);
        let (mut good, mut free, mut bound): (ByResets, ByResets, ByResets) = (each()?, each()?, each()?);
        for pair @ [own, others] in self.pairs.all()? {
            let sides = [pair, [others, own]];
            let ahead = sides.map(|side @ [own, others]| Ahead {
                leaving: self.above.leaving(self.pairs.place(side)),
                // Imposing a reset leads to where the other player is bound, with one reset less against him.
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

    /// Keeps a row for those that are solved after it.
    fn put(&mut self, number: usize, good: &ByResets, patience: &mut Patience) -> Result<(), GenerateError> {
        if self.next.is_none() {
            return Ok(());
        }
        let currentmax = self.layout.currentmax(number);
        // The open row is that of all greater currentmax too.
        let last = if self.layout.is_open(number) {
            (u64::from(currentmax) + self.growth - 1).min(self.stones) as u32
        } else {
            currentmax
        };
        for currentmax in (currentmax..=last).rev() {
            // From more stones no row has a move that takes so many.
            let least = u64::from(currentmax).saturating_sub(self.growth) as u32;
            let end = self.layout.length(self.layout.row(least));
            self.above.put(currentmax, end.into(), good, patience)?;
        }
        Ok(())
    }
}

impl RowSolver for DepthSolver {
    fn count(&self, bytes: &mut Bytes) {
        self.outcomes.count(bytes);
        self.above.covers().for_each(|cover| bytes.stairs(&cover.stairs));
    }

    fn next_row(&mut self, control: &dyn Control) -> Result<Option<SolvedRow>, GenerateError> {
        let Some(verdicts) = self.lines(&mut Patience::new(control))? else { return Ok(None) };
        let solved = self.outcomes.next_row(control)?;
        Ok(solved.map(|solved| SolvedRow { verdicts, ..solved }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::twin::{self, long_rules, random_rules, small_rules};
    use super::*;

    /// Rows are those of the solver that goes from position to position.
    fn agree(rules: &Expanding) {
        let mut stairs = DepthSolver::new(rules).unwrap();
        let mut positions = twin::depths::solver(rules).unwrap();
        let all = Layout::try_new(rules).unwrap();
        let rows = Layout::count_rows_of_table(rules) as usize;
        let mut beyond = Vec::new();
        let compare = |lines: &[Arc<Stairs>], (row, expected): &twin::depths::RunsOfRow| {
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
            let lines = stairs.lines(&mut Patience::new(&())).unwrap().unwrap();
            compare(&lines, &expected);
            // The last row of the table is that of all beyond.
            beyond.drain(..).for_each(|expected| compare(&lines, &expected));
            many += 1;
        }
        assert!(stairs.lines(&mut Patience::new(&())).unwrap().is_none() && many == rows);
    }

    #[test]
    fn lines_are_those_of_the_solver_of_positions() {
        small_rules(200, agree);
    }

    #[test]
    fn lines_of_any_rules_are_those_of_the_solver_of_positions() {
        random_rules(60, 500, agree);
    }

    /// The same for long games: minutes.
    #[test]
    #[ignore = "takes minutes: cargo test --release -p bouton-generator -- --ignored long_lines"]
    fn long_lines_are_those_of_the_solver_of_positions() {
        long_rules(30_000, agree);
        random_rules(300, 8_000, agree);
    }
}
