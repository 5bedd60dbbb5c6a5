//! Which positions are lost, by resets and by limit.

use bouton_tables::expanding::{Expanding, Position, Turn};
use bouton_tables::{Game, Outcome, Solved};
use rayon::prelude::*;

use crate::sheet::SheetError;

/// What a position has besides its stones and the limit, seen by the player lead is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Case {
    /// Whether a reset binds the player to move.
    pub(super) imposed: bool,
    /// Resets that the player to move has left.
    pub(super) own: u8,
    /// Resets that the other player has left.
    pub(super) other: u8,
}

/// All values of currentmax with the same limit: what follows is the same for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LimitRow {
    /// The most that may be taken if no reset binds.
    pub(super) limit: u32,
    /// The least and the greatest currentmax.
    pub(super) currentmax: (u32, u32),
    /// The most stones that can be left, which is with the least currentmax.
    pub(super) stones: u32,
}

/// The outcomes of a game.
pub(super) struct OutcomesByLimit<'a> {
    pub(super) rules: &'a Expanding,
    /// By limit, ascending.
    pub(super) rows: Vec<LimitRow>,
    /// All that arise, in order.
    pub(super) cases: Vec<Case>,
    /// For each case and row, which numbers of stones are lost for the player to move, from 0 on.
    lost: Vec<Vec<Vec<bool>>>,
}

impl LimitRow {
    /// The limit, and in brackets the most taken at once with which it is so.
    pub(super) fn label(&self) -> String {
        match self.currentmax {
            (from, to) if from == to => format!("limit {} ({from})", self.limit),
            (from, to) => format!("limit {} ({from} to {to})", self.limit),
        }
    }
}

impl<'a> OutcomesByLimit<'a> {
    /// Reads them from a table.
    ///
    /// # Errors
    /// If the table is damaged, or says something else of positions that are the same but for a currentmax that has no effect.
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

    /// For each row, which numbers of stones are lost in a case.
    pub(super) fn of_case(&self, case: Case) -> &[Vec<bool>] {
        let place = self.cases.binary_search(&case).expect("a case that arises");
        &self.lost[place]
    }

    /// The row of a limit after so many stones were taken.
    pub(super) fn row_after(&self, row: usize, taken: u32) -> usize {
        let limit = self.rows[row].limit.max(taken.saturating_add(self.rules.growth()));
        // Without growth there is but one row.
        self.rows.partition_point(|row| row.limit < limit).min(self.rows.len() - 1)
    }

    /// The moves of a position: stones taken, whether with a reset, and whether that wins.
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
        // The players are alike but for the resets that each may have.
        let as_first = self.own <= first && self.other <= second;
        let (turn, resets) = if as_first {
            (Turn::First, [self.own, self.other])
        } else {
            (Turn::Second, [self.other, self.own])
        };
        Position { stones, currentmax, turn, resets, imposed: self.imposed }
    }

    /// What the opponent has before them after a move.
    pub(super) fn after(self, reset: bool) -> Self {
        Self { imposed: reset, own: self.other, other: self.own - u8::from(reset) }
    }
}

/// All cases of a game, in order.
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
