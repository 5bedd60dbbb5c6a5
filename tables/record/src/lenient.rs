//! Illegal moves that a server accepts.

use bouton_tables::Game;
use bouton_tables::expanding::{Expanding, Move, Position};
use bouton_tables::heaps::HeapRules;

/// A game whose servers may accept illegal moves, as those of Expanding Nim in the tournament of 2016 did.
pub trait Lenient: Game {
    /// Returns the effect of an illegal move that a server accepted: the move that counts, and the position after it.
    /// `None` if the game cannot continue.
    fn accepted(
        &self,
        _position: &Self::Position,
        _claimed: Self::Move,
    ) -> Option<(Self::Move, Self::Position)> {
        None
    }

    /// Returns true if a move is illegal only because it takes more stones than remain, which some servers allow.
    fn takes_more_than_remain(&self, _position: &Self::Position, _claimed: Self::Move) -> bool {
        false
    }
}

impl Lenient for HeapRules {}

impl Lenient for Expanding {
    /// Counts a move in full, except that it takes at most the stones that remain.
    fn accepted(&self, position: &Position, claimed: Move) -> Option<(Move, Position)> {
        let counted = Move { take: position.at_most_left(claimed.take), ..claimed };
        if counted.take == 0 {
            return None;
        }
        let mut next = position.clone();
        next.stones -= u64::from(counted.take);
        next.currentmax = position.currentmax.max(counted.take);
        next.turn = position.turn.other();
        let left = &mut next.resets[position.turn.index()];
        *left = left.saturating_sub(u8::from(claimed.reset));
        next.imposed = claimed.reset;
        Some((counted, next))
    }

    fn takes_more_than_remain(&self, position: &Position, claimed: Move) -> bool {
        let counted = Move { take: position.at_most_left(claimed.take), ..claimed };
        u64::from(claimed.take) > position.stones
            && claimed.take <= self.limit(position.currentmax, position.imposed)
            && self.is_legal(position, counted)
    }
}
