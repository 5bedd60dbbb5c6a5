//! The conditions of a tournament's games: rules, starts, clock, seeds and early decisions.

use std::collections::BTreeMap;
use std::time::Duration;

use bouton_tables::{Game, Solved};
use serde::{Deserialize, Serialize};

use super::schedule::Fixture;
use crate::players::PlayerFactory;
use crate::{
    Ending, GameRecord, Playable, Player, PlayerIdentities, Reason, Referee, Side, Solution, play_out,
};

/// A finished game. The fields have this order in files of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Number of the game, from 1: one more than in the [`Fixture`].
    pub game: usize,
    /// Number of moves.
    pub moves: usize,
    /// The ending.
    #[serde(flatten)]
    pub ending: Ending,
    /// The game's record, if the conditions ask for one. Files of results have none.
    #[serde(skip)]
    pub record: Option<GameRecord>,
}

/// Players that [stay for all games of a pairing](PlayerFactory::plays_whole_pairing), by player number.
pub type StayingPlayers<G> = BTreeMap<usize, Box<dyn Player<G>>>;

/// Conditions that all games of a tournament share.
#[derive(Clone, Debug)]
pub struct Conditions<'a, G: Game> {
    /// The rules.
    pub rules: &'a G,
    /// The starts.
    pub starts: &'a [G::Position],
    /// The players' names.
    pub names: &'a [String],
    /// Each player's time for a game; `None` without a clock.
    pub clock: Option<Duration>,
    /// The seed for every random choice.
    pub seed: u64,
    /// True to record the games.
    pub record: bool,
    /// Ends games early, if there is one.
    pub adjudicator: Option<Adjudicator<G>>,
}

impl<'a, G: Playable> Conditions<'a, G> {
    /// Returns conditions without clock, records and adjudicator, with seed 1.
    pub fn new(rules: &'a G, starts: &'a [G::Position], names: &'a [String]) -> Self {
        Self { rules, starts, names, clock: None, seed: 1, record: false, adjudicator: None }
    }

    /// Returns the players' names, the first side's first.
    pub fn names(&self, fixture: &Fixture) -> [&str; 2] {
        fixture.players.map(|player| self.names[player].as_str())
    }

    /// Plays one game, and calls `watch` after every move. `staying` keeps the players that stay for the pairing.
    pub fn play(
        &self,
        factories: &[PlayerFactory<G>],
        staying: &mut StayingPlayers<G>,
        fixture: Fixture,
        watch: &mut dyn FnMut(&Referee<G>),
    ) -> PlayedGame {
        let seeds = Side::BOTH.map(|side| seed(self.seed, fixture.number, side));
        let [mut first, mut second] = Side::BOTH.map(|side| {
            let player = fixture.players[side.index()];
            let make = || factories[player].player(seeds[side.index()]);
            staying.remove(&player).unwrap_or_else(make)
        });
        let mut referee = Referee::new(self.rules.clone(), self.starts[fixture.start].clone(), self.clock);
        let decide = |referee: &mut Referee<G>| {
            if let Some(adjudicator) = &self.adjudicator {
                adjudicator.decide(referee, fixture.players);
            }
        };
        decide(&mut referee);
        if referee.ending().is_none() {
            let identities = PlayerIdentities { names: self.names(&fixture), seeds };
            play_out(identities, &mut referee, [&mut *first, &mut *second], &mut |referee| {
                decide(referee);
                watch(referee);
            });
        }
        for (number, player) in fixture.players.into_iter().zip([first, second]) {
            if factories[number].plays_whole_pairing {
                staying.insert(number, player);
            }
        }
        let ending = referee.ending().cloned().expect("a game that is played out is over");
        let record = if self.record { GameRecord::of(&referee, self.names(&fixture)) } else { None };
        PlayedGame { game: fixture.number + 1, moves: referee.plies().len(), ending, record }
    }
}

/// Ends a game as soon as a player who *keeps wins* (never gives one away) has a won position.
#[derive(Clone, Debug)]
pub struct Adjudicator<G> {
    /// A table that covers all starts.
    pub solution: Solution<G>,
    /// For each player, true if that player keeps wins.
    pub keeps_wins: Vec<bool>,
}

impl<G: Playable> Adjudicator<G> {
    /// Ends the game if it is decided.
    fn decide(&self, referee: &mut Referee<G>, players: [usize; 2]) {
        if referee.ending().is_some() || !players.iter().any(|&player| self.keeps_wins[player]) {
            return;
        }
        // If the table is damaged, the game continues, and the player with the table reports it.
        let Ok(outcome) = self.solution.get().outcome(referee.position()) else { return };
        let winner = referee.to_move().winner(outcome);
        if self.keeps_wins[players[winner.index()]] {
            referee.forfeit(winner.other(), Reason::Decided);
        }
    }
}

/// Returns the seed of one player in one game. All seeds of a tournament differ, and depend only on the arguments.
fn seed(seed: u64, game: usize, side: Side) -> u64 {
    // The finalizer of SplitMix64 (Steele, Lea and Flood, 2014), which is a bijection.
    let mut mixed =
        seed.wrapping_add((2 * game as u64 + side.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_seeds_of_a_tournament_differ() {
        let mut seeds: Vec<u64> =
            (0..1000).flat_map(|game| Side::BOTH.map(|side| seed(1, game, side))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 2000);
    }
}
