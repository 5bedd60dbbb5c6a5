//! Statistics on resets: how often a player with more resets wins, and how often winning needs a reset.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::outcomes::{Case, OutcomesByLimit};
use crate::words::{count, grouped};

/// How many positions of some kind have a property.
#[derive(Clone, Copy, Debug, Default)]
struct Frequency {
    /// Number of positions of the kind.
    positions: u64,
    /// Number of those that have the property.
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
    /// All positions: the player to move wins. Indices: 1 if a reset binds; 0, 1 or 2 for fewer, equal or more resets than the opponent.
    won: [[Frequency; 3]; 2],
    /// The positions of each kind in [`KINDS`]: the move wins.
    won_by_move: [Frequency; 4],
    /// The greatest number of stones of a position in which only moves with a reset win.
    greatest_needing_reset: u32,
}

impl ResetStatistics {
    /// Counts all positions of a case.
    fn of_case(outcomes: &OutcomesByLimit, case: Case) -> Self {
        let mut counts = Self::default();
        let order = case.own.cmp(&case.other);
        let won = &mut counts.won[usize::from(case.imposed)][(order as i8 + 1) as usize];
        let [free_with_more, bound_with_more, free_with_equal, any] = &mut counts.won_by_move;
        for (row, lost) in outcomes.of_case(case).iter().enumerate() {
            for (stones, &lost) in (1..).zip(&lost[1..]) {
                let wins_by = |is_meant: &dyn Fn(u32, bool) -> bool| {
                    let mut moves = outcomes.moves(case, row, stones);
                    moves.any(|(taken, reset, wins)| wins && is_meant(taken, reset))
                };
                won.count(!lost);
                if !case.imposed && order == Ordering::Greater {
                    free_with_more.count(wins_by(&|taken, reset| taken == 1 && !reset));
                }
                if lost || case.own == 0 {
                    continue;
                }
                let wins_without_reset = wins_by(&|_, reset| !reset);
                any.count(wins_without_reset);
                match order {
                    Ordering::Greater if case.imposed => bound_with_more.count(wins_without_reset),
                    Ordering::Equal if !case.imposed => free_with_equal.count(wins_by(&|_, reset| reset)),
                    _ => {}
                }
                if !wins_without_reset {
                    counts.greatest_needing_reset = counts.greatest_needing_reset.max(stones);
                }
            }
        }
        counts
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
pub(super) fn about_resets(outcomes: &OutcomesByLimit) -> Vec<String> {
    if outcomes.rules.resets() == [0, 0] {
        return Vec::new();
    }
    let counts = outcomes.cases.par_iter().map(|&case| ResetStatistics::of_case(outcomes, case));
    let counts = counts.reduce(ResetStatistics::default, ResetStatistics::add);
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
                let stones = count(greatest.into(), "stone", "stones");
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
    sentences
}
