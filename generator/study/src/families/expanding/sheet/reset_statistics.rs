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
    /// Counts a position.
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

/// Counts over all positions with stones left, once for each limit.
#[derive(Clone, Copy, Default)]
struct ResetStatistics {
    /// All positions: the player to move wins. Indices: 1 if a reset binds; 0, 1 or 2 for fewer, equal or more resets than the opponent.
    won: [[Frequency; 3]; 2],
    /// Won positions in which the player to move has resets: a move without a reset wins.
    won_without_reset: Frequency,
    /// The same positions, if a reset binds and the player to move has more resets: a move without a reset wins.
    won_without_reset_when_bound: Frequency,
    /// The same positions, if no reset binds and resets are equal: a move with a reset wins.
    won_with_reset: Frequency,
    /// All positions in which no reset binds and the player to move has more resets: taking 1 stone without a reset wins.
    won_by_taking_1: Frequency,
    /// The greatest number of stones of a position in which only moves with a reset win.
    greatest_needing_reset: u32,
}

impl ResetStatistics {
    /// Counts all positions of a case.
    fn of_case(outcomes: &OutcomesByLimit, case: Case) -> Self {
        let mut counts = Self::default();
        let lead = case.own.cmp(&case.other) as i8 + 1;
        for (row, lost) in outcomes.of_case(case).iter().enumerate() {
            for (stones, &lost) in (1..).zip(&lost[1..]) {
                counts.won[usize::from(case.imposed)][lead as usize].count(!lost);
                counts.count_by_moves(outcomes, case, row, (stones, lost));
            }
        }
        counts
    }

    /// Counts a position in the statistics that depend on its moves.
    fn count_by_moves(
        &mut self,
        outcomes: &OutcomesByLimit,
        case: Case,
        row: usize,
        (stones, lost): (u32, bool),
    ) {
        let is_free_with = |lead| !case.imposed && case.own.cmp(&case.other) == lead;
        let wins_by = |is_meant: &dyn Fn(u32, bool) -> bool| {
            outcomes.moves(case, row, stones).any(|(taken, reset, wins)| wins && is_meant(taken, reset))
        };
        if is_free_with(Ordering::Greater) {
            self.won_by_taking_1.count(wins_by(&|taken, reset| taken == 1 && !reset));
        }
        if lost || case.own == 0 {
            return;
        }
        let wins_without_reset = wins_by(&|_, reset| !reset);
        self.won_without_reset.count(wins_without_reset);
        if case.imposed && case.own > case.other {
            self.won_without_reset_when_bound.count(wins_without_reset);
        }
        if is_free_with(Ordering::Equal) {
            self.won_with_reset.count(wins_by(&|_, reset| reset));
        }
        if !wins_without_reset {
            self.greatest_needing_reset = self.greatest_needing_reset.max(stones);
        }
    }

    fn add(mut self, other: Self) -> Self {
        for (ours, theirs) in self.won.iter_mut().flatten().zip(other.won.into_iter().flatten()) {
            ours.add(theirs);
        }
        self.won_without_reset.add(other.won_without_reset);
        self.won_without_reset_when_bound.add(other.won_without_reset_when_bound);
        self.won_with_reset.add(other.won_with_reset);
        self.won_by_taking_1.add(other.won_by_taking_1);
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
    if counts.won_without_reset.positions > 0 {
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
    for (when, what, frequency) in [
        ("No reset binds you, and you have more of them", "taking 1 without a reset", counts.won_by_taking_1),
        (
            "A reset binds you, you have more of them, and can win",
            "some move without a reset",
            counts.won_without_reset_when_bound,
        ),
        (
            "No reset binds you, you have as many, and can win",
            "some move with a reset",
            counts.won_with_reset,
        ),
        ("You have a reset, and can win", "some move without one", counts.won_without_reset),
    ] {
        if frequency.positions > 0 {
            sentences.push(format!("{when}: {what} wins in {}.", frequency.in_words()));
        }
    }
    sentences
}
