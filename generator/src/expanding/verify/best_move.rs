//! Finds the best of the moves to a line, at constant cost on average for each position.

use std::collections::VecDeque;

use bouton_tables::{Outcome, Verdict};

/// The score of a target; moving to a higher score is better. A lost position scores higher than a won one. A lost
/// position scores higher with less depth, a won one with more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MoveScore(u32);

impl MoveScore {
    /// Least score of a lost position.
    const LEAST_LOST: u32 = 1 << 31;

    /// Returns the score of a target, whose depth must be below 2^31.
    pub(super) fn of(Verdict { outcome, depth }: Verdict) -> Self {
        let depth = depth.unwrap_or(0);
        Self(if outcome == Outcome::Loss { u32::MAX - depth } else { depth })
    }

    /// Returns whether a move to this target wins.
    fn wins(self) -> bool {
        self.0 >= Self::LEAST_LOST
    }

    /// Returns the verdict of a position whose best move leads to this target.
    pub(super) fn verdict_before(self) -> Verdict {
        let depth = if self.wins() { u32::MAX - self.0 } else { self.0 };
        Verdict { outcome: Outcome::from_won(self.wins()), depth: Some(depth + 1) }
    }
}

/// A move, or none. A better move is greater: the higher score counts first, then fewer stones.
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
    pub(super) fn score_and_take(self) -> Option<(MoveScore, u32)> {
        (self != Self::NONE).then_some((MoveScore((self.0 >> 32) as u32), !(self.0 as u32)))
    }
}

/// The window of places to which the moves from a position lead. With each stone more, one place enters the window and
/// one leaves.
pub(super) struct SlidingMaximum<'a> {
    line: &'a [MoveScore],
    /// The fewest and the most stones of the moves.
    takes: [u32; 2],
    /// The first place that has not entered the window yet.
    next_place: u32,
    /// Places that have entered the window and score higher than all later ones, ascending. The first one that has not left
    /// the window is the best.
    candidates: VecDeque<(u32, MoveScore)>,
}

impl<'a> SlidingMaximum<'a> {
    /// Begins with positions of `stones` stones.
    pub(super) fn new(line: &'a [MoveScore], takes: [u32; 2], stones: u32) -> Self {
        Self { line, takes, next_place: stones.saturating_sub(takes[1]), candidates: VecDeque::new() }
    }

    /// Returns the best move of a position. Stones must not decrease from call to call.
    #[inline]
    pub(super) fn best(&mut self, stones: u32) -> ScoredMove {
        let [least, most] = self.takes;
        let Some(newest) = stones.checked_sub(least) else { return ScoredMove::NONE };
        for place in self.next_place..=newest {
            let score = self.line[place as usize];
            while self.candidates.back().is_some_and(|&(_, before)| before <= score) {
                self.candidates.pop_back();
            }
            self.candidates.push_back((place, score));
        }
        self.next_place = self.next_place.max(newest + 1);
        while self.candidates.front().is_some_and(|&(place, _)| place + most < stones) {
            self.candidates.pop_front();
        }
        self.candidates
            .front()
            .map_or(ScoredMove::NONE, |&(place, score)| ScoredMove::new(score, stones - place))
    }
}
