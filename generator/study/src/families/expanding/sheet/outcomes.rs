//! The outcomes of all positions, by resets, limit and stones.
//!
//! A sheet does not need currentmax, as all values of currentmax with the same limit have the same outcomes. It does not need to know
//! who is player 1, only how many resets the player to move and the other one have left.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use bouton_tables::expanding::{Expanding, ExpandingTable, Position, Turn};
use bouton_tables::{Game, Outcome, Solved};
use rayon::prelude::*;

use crate::error::Result;
use crate::sheet::wrong_at;

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

/// The values of currentmax that have the same limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LimitRow {
    /// The greatest number of stones that a move takes if no reset binds it.
    pub(super) limit: u32,
    /// The least and the greatest currentmax.
    pub(super) currentmax: (u32, u32),
    /// The greatest number of stones that can be left; the least currentmax allows the most.
    pub(super) stones: u64,
}

/// The outcomes of a game, by case and limit.
pub(super) struct OutcomesByLimit<'a> {
    pub(super) rules: &'a Expanding,
    /// The rows, ascending by limit.
    pub(super) rows: Vec<LimitRow>,
    /// For each case that arises, row and number of stones from 0, whether the position is lost.
    pub(super) lost: BTreeMap<Case, Vec<Vec<bool>>>,
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
    /// Reads the outcomes from a table. It is an error if positions with the same limit have different outcomes.
    pub(super) fn of(table: &'a ExpandingTable) -> Result<Self> {
        let rules = table.game();
        let limit = |currentmax: &u32| rules.limit(*currentmax, false);
        let values: Vec<u32> = (0..=rules.greatest_currentmax()).collect();
        let rows = values.chunk_by(|one, next| limit(one) == limit(next)).map(|class| LimitRow {
            limit: limit(&class[0]),
            currentmax: (class[0], class[class.len() - 1]),
            stones: rules.max_stones(class[0]).unwrap_or(0),
        });
        let rows: Vec<LimitRow> = rows.collect();
        let read_case = |case: Case| {
            let lost = rows.iter().map(|row| case.lost_numbers(table, row)).collect::<Result<_>>()?;
            Ok((case, lost))
        };
        let lost = cases(rules).into_par_iter().map(read_case).collect::<Result<_>>()?;
        Ok(Self { rules, rows, lost })
    }
}

impl Case {
    /// Returns for each number of stones whether the position is lost; an error if values of currentmax with this limit disagree.
    fn lost_numbers(self, table: &ExpandingTable, row: &LimitRow) -> Result<Vec<bool>> {
        let (rules, (least, greatest)) = (table.game(), row.currentmax);
        let is_lost = |stones, currentmax| -> Result<bool> {
            Ok(table.outcome(&self.at(rules, stones, currentmax))? == Outcome::Loss)
        };
        let lost = (0..=row.stones).map(|stones| is_lost(stones, least)).collect::<Result<Vec<bool>, _>>()?;
        for currentmax in least + 1..=greatest {
            for stones in 0..=rules.max_stones(currentmax).unwrap_or(0) {
                if is_lost(stones, currentmax)? != lost[stones as usize] {
                    return Err(wrong_at(&rules.show_position(&self.at(rules, stones, currentmax))));
                }
            }
        }
        Ok(lost)
    }

    pub(super) fn at(self, rules: &Expanding, stones: u64, currentmax: u32) -> Position {
        let [first, second] = rules.resets();
        // Either player may be the one to move, if they start with enough resets.
        let as_first = self.own <= first && self.other <= second;
        let (turn, resets) = if as_first {
            (Turn::First, [self.own, self.other])
        } else {
            (Turn::Second, [self.other, self.own])
        };
        Position { stones, currentmax, turn, resets, imposed: self.imposed }
    }

    /// Returns whether the other player, who has just moved, has fewer, as many, or more resets left than the player to move.
    pub(super) fn lead(self) -> Ordering {
        self.other.cmp(&self.own)
    }
}

fn cases(rules: &Expanding) -> Vec<Case> {
    let [first, second] = rules.resets();
    let most = first.max(second);
    let imposed = if most == 0 { &[false][..] } else { &[false, true] };
    let pairs = (0..=most).flat_map(|own| (0..=most).map(move |other| (own, other)));
    let pairs = pairs.filter(|&(own, other)| own.min(other) <= first.min(second));
    imposed
        .iter()
        .flat_map(|&imposed| pairs.clone().map(move |(own, other)| Case { imposed, own, other }))
        .collect()
}
