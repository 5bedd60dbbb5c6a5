//! Counting what differs.

use bouton_tables::{Answer, MoveSet, Outcome};
use serde::Serialize;

/// What was compared of two tables, besides outcomes and winning moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measures {
    /// Depths: if both hold them.
    pub(super) depth: bool,
    /// Best moves: unless only one holds depths, since then they choose by different measures.
    pub(super) best: bool,
}

impl Measures {
    /// Of two tables, each of which holds depths or does not.
    pub(super) fn of(depths_a: bool, depths_b: bool) -> Self {
        Self { depth: depths_a && depths_b, best: depths_a == depths_b }
    }
}

/// In what two answers differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    /// Won in A and lost in B.
    pub(super) win_to_loss: bool,
    /// Lost in A and won in B.
    pub(super) loss_to_win: bool,
    pub(super) depth: bool,
    pub(super) winning: bool,
    pub(super) best: bool,
}

impl Change {
    pub(super) fn between<M: PartialEq, W: MoveSet<M>>(
        a: &Answer<M, W>,
        b: &Answer<M, W>,
        measures: Measures,
    ) -> Self {
        let (of_a, of_b) = (a.verdict, b.verdict);
        Self {
            win_to_loss: of_a.outcome > of_b.outcome,
            loss_to_win: of_a.outcome < of_b.outcome,
            depth: measures.depth && of_a.depth != of_b.depth,
            // A lost position has none.
            winning: (of_a.outcome, of_b.outcome) != (Outcome::Loss, Outcome::Loss)
                && !a.winning.iter().eq(b.winning.iter()),
            best: measures.best && a.best != b.best,
        }
    }

    /// Whether the outcome is another.
    pub(super) fn outcome(self) -> bool {
        self.win_to_loss || self.loss_to_win
    }

    /// Whether anything is.
    pub(super) fn any(self) -> bool {
        self.outcome() || self.depth || self.winning || self.best
    }
}

/// Numbers of positions, by what differs in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) compared: u64,
    pub(super) different: u64,
    pub(super) win_to_loss: u64,
    pub(super) loss_to_win: u64,
    pub(super) depth: u64,
    pub(super) winning: u64,
    pub(super) best: u64,
}

impl Tally {
    pub(super) fn add(&mut self, change: Change) {
        self.compared += 1;
        if change.any() {
            self.different += 1;
            self.win_to_loss += u64::from(change.win_to_loss);
            self.loss_to_win += u64::from(change.loss_to_win);
            self.depth += u64::from(change.depth);
            self.winning += u64::from(change.winning);
            self.best += u64::from(change.best);
        }
    }

    /// How many outcomes changed.
    pub(super) fn outcomes(&self) -> u64 {
        self.win_to_loss + self.loss_to_win
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.compared += other.compared;
        self.different += other.different;
        self.win_to_loss += other.win_to_loss;
        self.loss_to_win += other.loss_to_win;
        self.depth += other.depth;
        self.winning += other.winning;
        self.best += other.best;
    }

    pub(super) fn changes(&self, measures: Measures) -> Changes {
        Changes {
            compared: self.compared,
            different: self.different,
            win_to_loss: self.win_to_loss,
            loss_to_win: self.loss_to_win,
            depth: measures.depth.then_some(self.depth),
            winning: self.winning,
            best: measures.best.then_some(self.best),
        }
    }
}

/// How many positions changed, and in what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// Positions that both have.
    pub compared: u64,
    /// How many of them differ in anything that was compared.
    pub different: u64,
    /// Won in A and lost in B.
    pub win_to_loss: u64,
    /// Lost in A and won in B.
    pub loss_to_win: u64,
    /// Of another depth; `None` unless both hold depths.
    pub depth: Option<u64>,
    /// With another set of winning moves.
    pub winning: u64,
    /// With another best move; `None` if only one holds depths, since then they choose by different measures.
    pub best: Option<u64>,
}

/// Pairs of starts, compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StartTally {
    pub(super) compared: u64,
    pub(super) losing: [u64; 2],
    pub(super) differ: u64,
    /// Least and greatest number of stones of a pair that differs.
    pub(super) between: Option<(u64, u64)>,
}

impl StartTally {
    pub(super) fn add(&mut self, stones: u64, a: Outcome, b: Outcome) {
        self.compared += 1;
        for (losing, outcome) in self.losing.iter_mut().zip([a, b]) {
            *losing += u64::from(outcome == Outcome::Loss);
        }
        if a != b {
            self.differ += 1;
            self.between = join(self.between, Some((stones, stones)));
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.compared += other.compared;
        self.differ += other.differ;
        for (losing, more) in self.losing.iter_mut().zip(other.losing) {
            *losing += more;
        }
        self.between = join(self.between, other.between);
    }
}

fn join(a: Option<(u64, u64)>, b: Option<(u64, u64)>) -> Option<(u64, u64)> {
    let (Some((first, last)), Some((other_first, other_last))) = (a, b) else { return a.or(b) };
    Some((first.min(other_first), last.max(other_last)))
}
