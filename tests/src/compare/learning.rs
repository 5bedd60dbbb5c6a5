//! Computes the exact winning chance of a player who learns its opponent's kind, to compare it with the optimum.

use std::time::Duration;

use bouton_match::{Choice, GameInfo, MoveRequest, Player, Ply, Side};
use bouton_tables::Game;

use super::models::PlayableOracle;
use crate::oracle::expectimax::{Habit, likelihoods};

/// A game between a player with a table and an opponent of one of several kinds, explored completely.
pub struct GameTree<'a, T: PlayableOracle> {
    oracle: &'a T,
    rules: T::Game,
    /// The possible kinds of opponents.
    kinds: &'a [Habit],
}

impl<'a, T: PlayableOracle> GameTree<'a, T> {
    /// Returns a game against opponents of these kinds.
    pub fn new(oracle: &'a T, kinds: &'a [Habit]) -> Self {
        Self { rules: oracle.rules(), oracle, kinds }
    }

    /// Returns the player's chance against each kind. The player has the losing side of the start, and makes no
    /// random choice. The method does not sample games: it follows every reply with its probability. A game counts as
    /// won once the opponent gives the win away, because a player with a table keeps a win.
    ///
    /// # Panics
    /// If the player fails or makes an illegal move.
    pub fn chances<P: Player<T::Game> + Clone>(&self, player: &P, start: &T::Position) -> Vec<f64> {
        let moves_first = self.oracle.winning(start).is_empty();
        let side = if moves_first { Side::First } else { Side::Second };
        let mut player = player.clone();
        let position = self.oracle.position(start);
        player.begin(&GameInfo::new(&self.rules, side, &position)).expect("the table covers the start");
        let mut sum = vec![0.0; self.kinds.len()];
        let likely = vec![1.0; self.kinds.len()];
        if moves_first {
            self.move_from(player, start, side, &likely, &mut sum);
        } else {
            self.reply_from(&player, start, side, &likely, &mut sum);
        }
        sum
    }

    /// Adds the chances if the player is to move in a lost position. `likely` holds each kind's probability of reaching
    /// the position.
    fn move_from<P: Player<T::Game> + Clone>(
        &self,
        mut player: P,
        p: &T::Position,
        side: Side,
        likely: &[f64],
        sum: &mut [f64],
    ) {
        let moves = self.oracle.moves(p);
        if moves.is_empty() {
            return;
        }
        let position = self.oracle.position(p);
        let request =
            MoveRequest { game: &self.rules, position: &position, plies: &[], deadline: None, clocks: None };
        let Ok(Choice::Move(chosen)) = player.choose(&request) else { panic!("no move in {p:?}") };
        let next = moves.into_iter().find(|(legal, _)| self.oracle.chosen(legal) == chosen);
        let (_, next) = next.unwrap_or_else(|| panic!("{chosen} is not legal in {p:?}"));
        player.observe(&ply::<T>(&position, chosen), side);
        self.reply_from(&player, &next, side, likely, sum);
    }

    /// Adds the chances if the opponent is to move in a won position.
    fn reply_from<P: Player<T::Game> + Clone>(
        &self,
        player: &P,
        p: &T::Position,
        side: Side,
        likely: &[f64],
        sum: &mut [f64],
    ) {
        let position = self.oracle.position(p);
        let shares: Vec<Vec<f64>> = self.kinds.iter().map(|kind| likelihoods(self.oracle, kind, p)).collect();
        let winning = self.oracle.winning(p);
        for (number, (chosen, next)) in self.oracle.moves(p).into_iter().enumerate() {
            let likely: Vec<f64> =
                likely.iter().zip(&shares).map(|(likely, shares)| likely * shares[number]).collect();
            if likely.iter().all(|&likely| likely == 0.0) {
                continue;
            }
            if winning.contains(&chosen) {
                let mut player = player.clone();
                player.observe(&ply::<T>(&position, self.oracle.chosen(&chosen)), side.other());
                self.move_from(player, &next, side, &likely, sum);
            } else {
                sum.iter_mut().zip(likely).for_each(|(sum, likely)| *sum += likely);
            }
        }
    }
}

/// Returns a ply that took no time.
fn ply<T: PlayableOracle>(
    before: &<T::Game as Game>::Position,
    chosen: <T::Game as Game>::Move,
) -> Ply<T::Game> {
    Ply::new(before.clone(), chosen, Duration::ZERO)
}
