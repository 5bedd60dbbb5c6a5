//! Which of many moves is the best one, without a look at each.

use std::collections::VecDeque;

use bouton_tables::{Outcome, Verdict};

/// What it is worth to move to a position: more, the better. To a lost one more than to a won one; of lost ones, the sooner the game
/// ends the more; of won ones, the later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Worth(u32);

impl Worth {
    /// To a lost position, if the game ended later than any does.
    const WINS: u32 = 1 << 31;

    /// The depth must be below 2^31.
    pub(super) fn of(Verdict { outcome, depth }: Verdict) -> Self {
        let depth = depth.unwrap_or(0);
        Self(if outcome == Outcome::Loss { u32::MAX - depth } else { depth })
    }

    fn wins(self) -> bool {
        self.0 >= Self::WINS
    }

    /// The verdict of a position from which it is best to move to this one.
    pub(super) fn verdict_before(self) -> Verdict {
        let depth = if self.wins() { u32::MAX - self.0 } else { self.0 };
        Verdict { outcome: Outcome::from_won(self.wins()), depth: Some(depth + 1) }
    }
}

/// A move of a number of stones, or none. More is better: what it is worth, and then fewer stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Choice(u64);

impl Choice {
    /// Any move is better.
    pub(super) const NONE: Self = Self(0);

    /// The stones must be from 1 to 2^32 - 2.
    pub(super) fn new(worth: Worth, take: u32) -> Self {
        Self(u64::from(worth.0) << 32 | u64::from(!take))
    }

    /// What it is worth, and its stones.
    pub(super) fn get(self) -> Option<(Worth, u32)> {
        (self != Self::NONE).then_some((Worth((self.0 >> 32) as u32), !(self.0 as u32)))
    }
}

/// The places of a line that moves of some numbers of stones lead to, for ever more stones: with each stone more one such place comes
/// in, and one goes out.
pub(super) struct Window<'a> {
    line: &'a [Worth],
    /// The fewest and the most stones of the moves.
    by: [u32; 2],
    /// From here on places have not come in yet.
    next: u32,
    /// Of those that came in, the places that are worth more than all that came in later: the best one is the first that is still in.
    best: VecDeque<(u32, Worth)>,
}

impl<'a> Window<'a> {
    /// For positions of so many stones and more.
    pub(super) fn new(line: &'a [Worth], by: [u32; 2], stones: u32) -> Self {
        Self { line, by, next: stones.saturating_sub(by[1]), best: VecDeque::new() }
    }

    /// The best move of a position. Stones must not become fewer from call to call.
    #[inline]
    pub(super) fn best(&mut self, stones: u32) -> Choice {
        let [least, most] = self.by;
        let Some(newest) = stones.checked_sub(least) else { return Choice::NONE };
        for place in self.next..=newest {
            let worth = self.line[place as usize];
            while self.best.back().is_some_and(|&(_, before)| before <= worth) {
                self.best.pop_back();
            }
            self.best.push_back((place, worth));
        }
        self.next = self.next.max(newest + 1);
        while self.best.front().is_some_and(|&(place, _)| place + most < stones) {
            self.best.pop_front();
        }
        self.best.front().map_or(Choice::NONE, |&(place, worth)| Choice::new(worth, stones - place))
    }
}
