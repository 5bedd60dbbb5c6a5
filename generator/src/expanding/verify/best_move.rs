//! Finds the best of many moves without a look at each.

use std::collections::VecDeque;

use bouton_tables::{Outcome, Verdict};

/// The score of a target: the greater, the better to move there. A lost position scores higher than a won one. A lost
/// one scores higher with less depth, a won one with more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MoveScore(u32);

impl MoveScore {
    /// Least score of a lost position.
    const WINS: u32 = 1 << 31;

    /// Returns the score of a target, whose depth must be below 2^31.
    pub(super) fn of(Verdict { outcome, depth }: Verdict) -> Self {
        let depth = depth.unwrap_or(0);
        Self(if outcome == Outcome::Loss { u32::MAX - depth } else { depth })
    }

    fn wins(self) -> bool {
        self.0 >= Self::WINS
    }

    /// Returns the verdict of a position whose best move leads to this target.
    pub(super) fn verdict_before(self) -> Verdict {
        let depth = if self.wins() { u32::MAX - self.0 } else { self.0 };
        Verdict { outcome: Outcome::from_won(self.wins()), depth: Some(depth + 1) }
    }
}

/// A move, or none. The greater, the better: first by score, then by fewer stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ScoredMove(u64);

impl ScoredMove {
    /// No move; any move is better.
    pub(super) const NONE: Self = Self(0);

    /// Returns a move of `take` stones, from 1 to 2^32 - 2.
    pub(super) fn new(score: MoveScore, take: u32) -> Self {
        Self(u64::from(score.0) << 32 | u64::from(!take))
    }

    /// Returns the score and the stones of the move.
    pub(super) fn get(self) -> Option<(MoveScore, u32)> {
        (self != Self::NONE).then_some((MoveScore((self.0 >> 32) as u32), !(self.0 as u32)))
    }
}

/// The targets on a line of moves of `by[0]` to `by[1]` stones. With each stone more, one place enters the window and
/// one leaves.
pub(super) struct SlidingMaximum<'a> {
    line: &'a [MoveScore],
    /// The fewest and the most stones of the moves.
    by: [u32; 2],
    /// The first place that has not entered the window yet.
    next: u32,
    /// The places that have entered the window and score higher than all later ones. The first one within the window is
    /// the best.
    best: VecDeque<(u32, MoveScore)>,
}

impl<'a> SlidingMaximum<'a> {
    /// Begins with positions of `stones` stones.
    pub(super) fn new(line: &'a [MoveScore], by: [u32; 2], stones: u32) -> Self {
        Self { line, by, next: stones.saturating_sub(by[1]), best: VecDeque::new() }
    }

    /// Returns the best move of a position. Stones must not decrease from call to call.
    #[inline]
    pub(super) fn best(&mut self, stones: u32) -> ScoredMove {
        let [least, most] = self.by;
        let Some(newest) = stones.checked_sub(least) else { return ScoredMove::NONE };
        for place in self.next..=newest {
            let score = self.line[place as usize];
            while self.best.back().is_some_and(|&(_, before)| before <= score) {
                self.best.pop_back();
            }
            self.best.push_back((place, score));
        }
        self.next = self.next.max(newest + 1);
        while self.best.front().is_some_and(|&(place, _)| place + most < stones) {
            self.best.pop_front();
        }
        self.best.front().map_or(ScoredMove::NONE, |&(place, score)| ScoredMove::new(score, stones - place))
    }
}
