//! Counts of differences.

use std::ops::AddAssign;

use bouton_tables::{Answer, MoveSet, Outcome};
use serde::Serialize;

/// Numbers of positions whose answers differ, by the part of the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// Positions in both tables.
    pub compared: u64,
    /// Positions with a difference in any compared part.
    pub different: u64,
    /// Positions won in A and lost in B.
    pub win_to_loss: u64,
    /// Positions lost in A and won in B.
    pub loss_to_win: u64,
    /// Positions with different depths; `None` unless both tables have depths.
    pub depth: Option<u64>,
    /// Positions with different sets of winning moves.
    pub winning: u64,
    /// Positions with different best moves; `None` if only one table has depths: the other does not rank its winning moves by depth.
    pub best: Option<u64>,
}

impl Changes {
    /// Compares the two answers of one position.
    pub(super) fn between<M: PartialEq, W: MoveSet<M>>(a: &Answer<M, W>, b: &Answer<M, W>) -> Self {
        let (in_a, in_b) = (a.verdict, b.verdict);
        // A lost position has no winning moves.
        let both_lost = in_a.outcome == Outcome::Loss && in_b.outcome == Outcome::Loss;
        let winning = !both_lost && !a.winning.iter().eq(b.winning.iter());
        let depth = in_a.depth.zip(in_b.depth).map(|(a, b)| a != b);
        let best = (in_a.depth.is_some() == in_b.depth.is_some()).then(|| a.best != b.best);
        let different = in_a.outcome != in_b.outcome || depth == Some(true) || winning || best == Some(true);
        Self {
            compared: 1,
            different: different.into(),
            win_to_loss: (in_a.outcome > in_b.outcome).into(),
            loss_to_win: (in_a.outcome < in_b.outcome).into(),
            depth: depth.map(u64::from),
            winning: winning.into(),
            best: best.map(u64::from),
        }
    }

    /// Number of positions with different outcomes.
    pub(super) fn outcomes(&self) -> u64 {
        self.win_to_loss + self.loss_to_win
    }
}

impl AddAssign for Changes {
    fn add_assign(&mut self, other: Self) {
        let sum = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a + b).or(a).or(b);
        self.compared += other.compared;
        self.different += other.different;
        self.win_to_loss += other.win_to_loss;
        self.loss_to_win += other.loss_to_win;
        self.depth = sum(self.depth, other.depth);
        self.winning += other.winning;
        self.best = sum(self.best, other.best);
    }
}

/// A part of an answer that can differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DifferenceKind {
    /// Any part.
    #[default]
    Any,
    /// The outcome.
    Outcome,
    /// The depth.
    Depth,
    /// The set of winning moves.
    Winning,
    /// The best move.
    Best,
}

impl DifferenceKind {
    /// Returns whether this part differs in any of the counted positions.
    pub(super) fn differs(self, changes: Changes) -> bool {
        let number = match self {
            Self::Any => changes.different,
            Self::Outcome => changes.outcomes(),
            Self::Depth => changes.depth.unwrap_or(0),
            Self::Winning => changes.winning,
            Self::Best => changes.best.unwrap_or(0),
        };
        number > 0
    }
}

/// The comparison of pairs of starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Starts {
    /// Number of pairs.
    pub compared: u64,
    /// Number of starts lost in A.
    pub losing_a: u64,
    /// Number of starts lost in B.
    pub losing_b: u64,
    /// Number of pairs with different outcomes.
    pub differ: u64,
    /// The least number of stones of a pair that differs.
    pub first: Option<u64>,
    /// The greatest number of stones of a pair that differs.
    pub last: Option<u64>,
    /// All pairs with at most this many stones agree.
    pub agree_up_to: Option<u64>,
    /// All pairs with at least this many stones agree.
    pub agree_from: Option<u64>,
    /// Two descriptions: of the starts, and of their numbers of stones.
    #[serde(skip)]
    pub in_words: [&'static str; 2],
}

impl Starts {
    /// Counts one pair of starts, given by its stones and its outcomes in A and B.
    pub(super) fn of_pair(stones: u64, [a, b]: [Outcome; 2]) -> Self {
        let differs = (a != b).then_some(stones);
        Self {
            compared: 1,
            losing_a: (a == Outcome::Loss).into(),
            losing_b: (b == Outcome::Loss).into(),
            differ: (a != b).into(),
            first: differs,
            last: differs,
            ..Self::default()
        }
    }

    /// Completes the sum over all pairs, whose starts have `least` to `most` stones: adds the ranges in which all pairs agree.
    pub(super) fn complete(self, [least, most]: [u64; 2], in_words: [&'static str; 2]) -> Self {
        Self {
            agree_up_to: self.first.map_or(Some(most), |first| (first > least).then(|| first - 1)),
            agree_from: self.last.map_or(Some(least), |last| (last < most).then(|| last + 1)),
            in_words,
            ..self
        }
    }
}

impl AddAssign for Starts {
    fn add_assign(&mut self, other: Self) {
        self.compared += other.compared;
        self.losing_a += other.losing_a;
        self.losing_b += other.losing_b;
        self.differ += other.differ;
        self.first = self.first.into_iter().chain(other.first).min();
        self.last = self.last.max(other.last);
    }
}
