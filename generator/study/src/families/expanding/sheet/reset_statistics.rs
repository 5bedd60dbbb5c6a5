//! Statistics on resets: how often a player with more resets wins, and how often winning needs a reset.

use std::cmp::Ordering;

use bouton_tables::expanding::{ExpandingTable, Move};
use bouton_tables::{MoveSet, Outcome, Solved};
use rayon::prelude::*;

use super::outcomes::{Case, LimitRow, OutcomesByLimit};
use crate::error::Result;
use crate::words::{count, grouped};

/// Counts positions of one kind, and the positions among them that have a property.
#[derive(Clone, Copy, Debug, Default)]
struct Frequency {
    /// Number of positions of the kind.
    positions: u64,
    /// Number of positions of the kind that have the property.
    having: u64,
}

impl Frequency {
    fn count(&mut self, has_property: bool) {
        self.positions += 1;
        self.having += u64::from(has_property);
    }

    fn add(&mut self, other: Self) {
        self.positions += other.positions;
        self.having += other.having;
    }

    /// Writes the percentage: 0 % only if no position has the property, and 100 % only if all have it.
    fn in_words(self) -> String {
        let percent = match 100.0 * self.having as f64 / self.positions.max(1) as f64 {
            _ if self.having == 0 => "0 %".to_owned(),
            _ if self.having == self.positions => "100 %".to_owned(),
            percent if percent < 0.1 => "less than 0.1 %".to_owned(),
            percent if percent > 99.9 => "more than 99.9 %".to_owned(),
            percent => format!("{percent:.1} %"),
        };
        format!("{percent} ({} of {})", grouped(self.having), grouped(self.positions))
    }
}

/// Kinds of positions, each with a move that often wins there.
const KINDS: [[&str; 2]; 4] = [
    ["No reset binds you, and you have more of them", "taking 1 without a reset"],
    ["A reset binds you, you have more of them, and can win", "some move without a reset"],
    ["No reset binds you, you have as many, and can win", "some move with a reset"],
    ["You have a reset, and can win", "some move without one"],
];

/// Counts over all positions with stones left, once for each limit.
#[derive(Clone, Copy, Default)]
struct ResetStatistics {
    /// How often the player to move wins. Indices: 1 if a reset binds; 0, 1 or 2 for fewer, equal or more resets than the opponent.
    won: [[Frequency; 3]; 2],
    /// How often the move of each kind in [`KINDS`] wins.
    won_by_move: [Frequency; 4],
    /// The greatest number of stones of a position in which only moves with a reset win.
    greatest_needing_reset: u64,
}

impl ResetStatistics {
    /// Counts all positions of a case.
    fn of_case(table: &ExpandingTable, rows: &[LimitRow], case: Case) -> Result<Self> {
        let mut counts = Self::default();
        let order = case.own.cmp(&case.other);
        let won = &mut counts.won[usize::from(case.imposed)][(order as i8 + 1) as usize];
        let [free_with_more, bound_with_more, free_with_equal, any] = &mut counts.won_by_move;
        for LimitRow { currentmax: (currentmax, _), stones, .. } in rows {
            for stones in 1..=*stones {
                let answer = table.answer(&case.at(table.game(), stones, *currentmax))?;
                let wins_by =
                    |is_meant: fn(&Move) -> bool| answer.winning.iter().any(|chosen| is_meant(&chosen));
                let lost = answer.verdict.outcome == Outcome::Loss;
                won.count(!lost);
                if !case.imposed && order == Ordering::Greater {
                    free_with_more.count(wins_by(|chosen| chosen.take == 1 && !chosen.reset));
                }
                if lost || case.own == 0 {
                    continue;
                }
                let wins_without_reset = wins_by(|chosen| !chosen.reset);
                any.count(wins_without_reset);
                match order {
                    Ordering::Greater if case.imposed => bound_with_more.count(wins_without_reset),
                    Ordering::Equal if !case.imposed => free_with_equal.count(wins_by(|chosen| chosen.reset)),
                    _ => {}
                }
                if !wins_without_reset {
                    counts.greatest_needing_reset = counts.greatest_needing_reset.max(stones);
                }
            }
        }
        Ok(counts)
    }

    fn add(mut self, other: Self) -> Self {
        let ours = self.won.as_flattened_mut().iter_mut().chain(&mut self.won_by_move);
        let theirs = other.won.as_flattened().iter().chain(&other.won_by_move);
        ours.zip(theirs).for_each(|(ours, theirs)| ours.add(*theirs));
        self.greatest_needing_reset = self.greatest_needing_reset.max(other.greatest_needing_reset);
        self
    }
}

/// Writes a sentence for each statistic; none if the game has no resets.
pub(super) fn about_resets(table: &ExpandingTable, outcomes: &OutcomesByLimit) -> Result<Vec<String>> {
    if outcomes.rules.resets() == [0, 0] {
        return Ok(Vec::new());
    }
    let counts =
        outcomes.lost.par_iter().map(|(&case, _)| ResetStatistics::of_case(table, &outcomes.rows, case));
    let counts = counts.try_reduce(ResetStatistics::default, |one, other| Ok(one.add(other)))?;
    let [free, bound] = counts.won;
    let share_won = |when: &str, [fewer, equal, more]: [Frequency; 3]| {
        let kinds = [("more resets than your opponent", more), ("as many", equal), ("fewer", fewer)];
        let kinds = kinds.into_iter().filter(|(_, frequency)| frequency.positions > 0);
        let kinds = kinds.map(|(kind, frequency)| format!("with {kind} in {}", frequency.in_words()));
        format!("{when}: you win {}.", kinds.collect::<Vec<_>>().join(", "))
    };
    let mut sentences = Vec::new();
    if counts.won_by_move[3].positions > 0 {
        sentences.push(match counts.greatest_needing_reset {
            0 => "No reset is ever needed to win.".to_owned(),
            greatest => {
                let stones = count(greatest, "stone", "stones");
                format!("With more than {stones} left, no reset is needed to win.")
            }
        });
    }
    sentences.push(share_won("You are to move, and no reset binds you", free));
    sentences.push(share_won("You are to move, and a reset binds you", bound));
    for ([when, what], frequency) in KINDS.into_iter().zip(counts.won_by_move) {
        if frequency.positions > 0 {
            sentences.push(format!("{when}: {what} wins in {}.", frequency.in_words()));
        }
    }
    Ok(sentences)
}
