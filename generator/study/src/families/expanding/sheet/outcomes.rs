//! The outcomes of all positions, by resets, limit and stones.
//!
//! A sheet needs the limit, not currentmax: all values of currentmax with the same limit share their outcomes. Neither does it need
//! to know which player is to move, only what both have left.

use bouton_tables::expanding::{Expanding, Position, Turn};
use bouton_tables::{Game, Outcome, Solved};
use rayon::prelude::*;

use crate::sheet::SheetError;

/// The resets of a position, from the view of the player to move. With stones and limit, they decide the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Case {
    /// Whether a reset binds the player to move.
    pub(super) imposed: bool,
    /// Resets that the player to move has left.
    pub(super) own: u8,
    /// Resets that the other player has left.
    pub(super) other: u8,
}

/// The values of currentmax with one limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LimitRow {
    /// The most stones of a move without a binding reset.
    pub(super) limit: u32,
    /// The least and the greatest currentmax.
    pub(super) currentmax: (u32, u32),
    /// The most stones that can be left: those with the least currentmax.
    pub(super) stones: u32,
}

/// The outcomes of a game, by case and limit.
pub(super) struct OutcomesByLimit<'a> {
    pub(super) rules: &'a Expanding,
    /// The limits, ascending.
    pub(super) rows: Vec<LimitRow>,
    /// The cases that arise, ascending.
    pub(super) cases: Vec<Case>,
    /// For each case, row and number of stones from 0, whether the position is lost.
    lost: Vec<Vec<Vec<bool>>>,
}

impl LimitRow {
    /// Names the limit, with its values of currentmax in brackets.
    pub(super) fn label(&self) -> String {
        match self.currentmax {
            (from, to) if from == to => format!("limit {} ({from})", self.limit),
            (from, to) => format!("limit {} ({from} to {to})", self.limit),
        }
    }
}

impl<'a> OutcomesByLimit<'a> {
    /// Reads the outcomes from a table.
    ///
    /// # Errors
    /// If the table is damaged, or positions with the same limit have different outcomes in it.
    pub(super) fn of<S: Solved<Game = Expanding> + Sync>(table: &'a S) -> Result<Self, SheetError> {
        let rules = table.game();
        let values: Vec<u32> = (0..=rules.greatest_currentmax()).collect();
        let classes: Vec<&[u32]> =
            values.chunk_by(|one, next| rules.limit(*one, false) == rules.limit(*next, false)).collect();
        let stones = |currentmax: u32| rules.most_stones(currentmax).unwrap_or(0);
        let rows = classes.iter().map(|class| LimitRow {
            limit: rules.limit(class[0], false),
            currentmax: (class[0], class[class.len() - 1]),
            stones: stones(class[0]),
        });
        let cases = cases(rules);
        let of_case = |case: &Case| -> Result<Vec<Vec<bool>>, SheetError> {
            let of_class = |class: &&[u32]| {
                let lost = |currentmax: u32, stones: u32| -> Result<bool, SheetError> {
                    Ok(table.outcome(&case.at(rules, stones, currentmax))? == Outcome::Loss)
                };
                let row = (0..=stones(class[0]))
                    .map(|number| lost(class[0], number))
                    .collect::<Result<Vec<bool>, _>>()?;
                for &currentmax in &class[1..] {
                    for number in 0..=stones(currentmax) {
                        if lost(currentmax, number)? != row[number as usize] {
                            return Err(SheetError::Wrong(
                                rules.show_position(&case.at(rules, number, currentmax)),
                            ));
                        }
                    }
                }
                Ok(row)
            };
            classes.iter().map(of_class).collect()
        };
        let lost = cases.par_iter().map(of_case).collect::<Result<_, SheetError>>()?;
        Ok(Self { rules, rows: rows.collect(), cases, lost })
    }

    /// Returns, for each row and number of stones, whether the position is lost in a case.
    pub(super) fn of_case(&self, case: Case) -> &[Vec<bool>] {
        let place = self.cases.binary_search(&case).expect("a case that arises");
        &self.lost[place]
    }

    /// Returns the row after a move that takes `taken` stones.
    pub(super) fn row_after(&self, row: usize, taken: u32) -> usize {
        let limit = self.rows[row].limit.max(taken.saturating_add(self.rules.growth()));
        // Without growth there is only one row.
        self.rows.partition_point(|row| row.limit < limit).min(self.rows.len() - 1)
    }

    /// Returns the moves of a position: stones taken, whether it imposes a reset, and whether it wins.
    pub(super) fn moves(
        &self,
        case: Case,
        row: usize,
        stones: u32,
    ) -> impl Iterator<Item = (u32, bool, bool)> + '_ {
        let limit = if case.imposed { self.rules.reset_limit() } else { self.rows[row].limit };
        let replies = [Some(case.after(false)), (case.own > 0).then(|| case.after(true))];
        let replies = replies.map(|reply| reply.map(|reply| (reply.imposed, self.of_case(reply))));
        (1..=limit.min(stones)).flat_map(move |taken| {
            let (after, left) = (self.row_after(row, taken), (stones - taken) as usize);
            replies.into_iter().flatten().map(move |(reset, lost)| (taken, reset, lost[after][left]))
        })
    }
}

impl Case {
    fn at(self, rules: &Expanding, stones: u32, currentmax: u32) -> Position {
        let [first, second] = rules.resets();
        // Any player will do whose allowance of resets permits the case.
        let as_first = self.own <= first && self.other <= second;
        let (turn, resets) = if as_first {
            (Turn::First, [self.own, self.other])
        } else {
            (Turn::Second, [self.other, self.own])
        };
        Position { stones, currentmax, turn, resets, imposed: self.imposed }
    }

    /// Returns the case of the opponent after a move with or without a reset.
    pub(super) fn after(self, reset: bool) -> Self {
        Self { imposed: reset, own: self.other, other: self.own - u8::from(reset) }
    }
}

/// Returns all cases of a game, ascending.
fn cases(rules: &Expanding) -> Vec<Case> {
    let [first, second] = rules.resets();
    let most = first.max(second);
    let arises = |own: u8, other: u8| own.max(other) <= most && own.min(other) <= first.min(second);
    let imposed = if most == 0 { &[false][..] } else { &[false, true] };
    let all = imposed.iter().flat_map(|&imposed| {
        let pairs = (0..=most).flat_map(|own| (0..=most).map(move |other| (own, other)));
        pairs.filter(move |&(own, other)| arises(own, other)).map(move |(own, other)| Case {
            imposed,
            own,
            other,
        })
    });
    all.collect()
}
