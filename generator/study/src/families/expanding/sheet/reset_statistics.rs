//! Statistics on resets: how often a player with more resets wins, and how often winning needs a reset.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::outcomes::{Case, OutcomesByLimit};
use crate::words::{count, grouped};

/// The number of positions of a kind, and how many of them have a property.
#[derive(Clone, Copy, Debug, Default)]
struct Frequency {
    positions: u64,
    having: u64,
}

impl Frequency {
    fn count(&mut self, is: bool) {
        self.positions += 1;
        self.having += u64::from(is);
    }

    fn add(&mut self, other: Self) {
        self.positions += other.positions;
        self.having += other.having;
    }

    /// Writes the percentage. It is 0 % only for no position, and 100 % only for all.
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
    /// Won positions: index 0 if no reset binds, 1 if one does; then 0, 1 or 2 if the player to move has fewer, equal or more resets.
    won: [[Frequency; 3]; 2],
    /// Among won positions of a player with resets: a move without a reset wins.
    plain: Frequency,
    /// Among those of `plain` in which a reset binds and the player has more resets: a move without a reset wins.
    answer: Frequency,
    /// Among those of `plain` with equal resets, none binding: a move with a reset wins.
    reset: Frequency,
    /// Among all positions with more resets, none binding: taking 1 stone without a reset wins.
    one: Frequency,
    /// The most stones of a position in which only moves with a reset win.
    needed: u32,
}

impl ResetStatistics {
    fn of_case(of: &OutcomesByLimit, case: Case) -> Self {
        let mut found = Self::default();
        let resets = case.own.cmp(&case.other) as i8 + 1;
        for (row, lost) in of.of_case(case).iter().enumerate() {
            for (stones, &lost) in (1..).zip(&lost[1..]) {
                found.won[usize::from(case.imposed)][resets as usize].count(!lost);
                found.look_at_moves(of, case, row, (stones, lost));
            }
        }
        found
    }

    fn look_at_moves(&mut self, of: &OutcomesByLimit, case: Case, row: usize, (stones, lost): (u32, bool)) {
        let is_free = |than| !case.imposed && case.own.cmp(&case.other) == than;
        if is_free(Ordering::Greater) {
            let one = of.moves(case, row, stones).any(|(taken, reset, wins)| wins && taken == 1 && !reset);
            self.one.count(one);
        }
        if lost || case.own == 0 {
            return;
        }
        let wins =
            |with: bool| of.moves(case, row, stones).filter(move |&(_, reset, wins)| wins && reset == with);
        let is_plain = wins(false).next().is_some();
        self.plain.count(is_plain);
        if case.imposed && case.own > case.other {
            self.answer.count(is_plain);
        }
        if is_free(Ordering::Equal) {
            self.reset.count(wins(true).next().is_some());
        }
        if !is_plain {
            self.needed = self.needed.max(stones);
        }
    }

    fn add(mut self, other: Self) -> Self {
        for (own, theirs) in self.won.iter_mut().flatten().zip(other.won.into_iter().flatten()) {
            own.add(theirs);
        }
        self.plain.add(other.plain);
        self.answer.add(other.answer);
        self.reset.add(other.reset);
        self.one.add(other.one);
        self.needed = self.needed.max(other.needed);
        self
    }
}

/// Writes a sentence for each statistic; none if the game has no resets.
pub(super) fn about_resets(of: &OutcomesByLimit) -> Vec<String> {
    if of.rules.resets() == [0, 0] {
        return Vec::new();
    }
    let found = of.cases.par_iter().map(|&case| ResetStatistics::of_case(of, case));
    let found = found.reduce(ResetStatistics::default, ResetStatistics::add);
    let [free, bound] = found.won;
    let outcomes = |when: &str, [fewer, equal, more]: [Frequency; 3]| {
        let kinds = [("more resets than your opponent", more), ("as many", equal), ("fewer", fewer)];
        let kinds = kinds.into_iter().filter(|(_, frequency)| frequency.positions > 0);
        let kinds = kinds.map(|(kind, frequency)| format!("with {kind} in {}", frequency.in_words()));
        format!("{when}: you win {}.", kinds.collect::<Vec<_>>().join(", "))
    };
    let mut said = Vec::new();
    if found.plain.positions > 0 {
        said.push(match found.needed {
            0 => "No reset is ever needed to win.".to_owned(),
            needed => format!(
                "With more than {} left, no reset is needed to win.",
                count(needed.into(), "stone", "stones")
            ),
        });
    }
    said.push(outcomes("You are to move, and no reset binds you", free));
    said.push(outcomes("You are to move, and a reset binds you", bound));
    let mut wins = |when: &str, what: &str, frequency: Frequency| {
        if frequency.positions > 0 {
            said.push(format!("{when}: {what} wins in {}.", frequency.in_words()));
        }
    };
    wins("No reset binds you, and you have more of them", "taking 1 without a reset", found.one);
    wins("A reset binds you, you have more of them, and can win", "some move without a reset", found.answer);
    wins("No reset binds you, you have as many, and can win", "some move with a reset", found.reset);
    wins("You have a reset, and can win", "some move without one", found.plain);
    said
}
