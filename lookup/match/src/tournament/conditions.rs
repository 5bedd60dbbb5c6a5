//! How a game of a tournament is played.

use std::time::Duration;

use bouton_tables::{AskError, Game, Outcome, Solved};

use super::schedule::Fixture;
use crate::players::Maker;
use crate::{Ending, GameRecord, Playable, Player, Reason, Referee, Seats, Side, Solution, play_out_as};

/// A game that was played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The game.
    pub fixture: Fixture,
    /// How it ended.
    pub ending: Ending,
    /// How many moves were made.
    pub moves: usize,
    /// Its transcript, if asked for.
    pub record: Option<GameRecord>,
}

/// How games are played.
#[derive(Clone, Debug)]
pub struct Conditions<'a, G: Game> {
    /// The rules.
    pub rules: &'a G,
    /// Where they begin.
    pub starts: &'a [G::Position],
    /// The players' names.
    pub names: &'a [String],
    /// The time that each player has in a game; `None` without a clock.
    pub clock: Option<Duration>,
    /// The seed for every random choice.
    pub seed: u64,
    /// Whether to keep transcripts.
    pub record: bool,
    /// Ends games early that the table has decided.
    pub adjudicator: Option<Adjudicator<G>>,
}

impl<'a, G: Playable> Conditions<'a, G> {
    /// Without a clock, transcripts, and an adjudicator; the seed is 1.
    pub fn new(rules: &'a G, starts: &'a [G::Position], names: &'a [String]) -> Self {
        Self { rules, starts, names, clock: None, seed: 1, record: false, adjudicator: None }
    }

    /// The names of the players, the one who moves first first.
    pub fn names(&self, fixture: &Fixture) -> [&str; 2] {
        fixture.players.map(|player| self.names[player].as_str())
    }

    /// The seed of one player in one game.
    pub fn seed(&self, fixture: &Fixture, side: Side) -> u64 {
        seed(self.seed, fixture.number, side)
    }

    /// Plays one game; `watch` is called after every move.
    pub fn play(
        &self,
        makers: &[Maker<G>],
        fixture: Fixture,
        watch: &mut dyn FnMut(&Referee<G>),
    ) -> PlayedGame {
        let [first, second] = fixture.players;
        let mut first = makers[first].player(self.seed(&fixture, Side::First));
        let mut second = makers[second].player(self.seed(&fixture, Side::Second));
        self.play_with([&mut *first, &mut *second], fixture, watch)
    }

    /// The same with these players, the one who moves first first.
    pub fn play_with(
        &self,
        players: [&mut dyn Player<G>; 2],
        fixture: Fixture,
        watch: &mut dyn FnMut(&Referee<G>),
    ) -> PlayedGame {
        let mut referee = Referee::new(self.rules.clone(), self.starts[fixture.start].clone(), self.clock);
        let decide = |referee: &mut Referee<G>| {
            if let Some(adjudicator) = &self.adjudicator {
                adjudicator.decide(referee, fixture.players);
            }
        };
        decide(&mut referee);
        if referee.ending().is_none() {
            let seeds = Side::BOTH.map(|side| self.seed(&fixture, side));
            let seats = Seats { names: self.names(&fixture), seeds };
            play_out_as(seats, &mut referee, players, &mut |referee| {
                decide(referee);
                watch(referee);
            });
        }
        let ending = referee.ending().cloned().expect("a game that is played out is over");
        let record = if self.record { GameRecord::of(&referee, self.names(&fixture)) } else { None };
        PlayedGame { fixture, ending, moves: referee.plies().len(), record }
    }
}

/// Ends a game as soon as a player who never gives a win away has a won position.
#[derive(Clone, Debug)]
pub struct Adjudicator<G> {
    solution: Solution<G>,
    /// Of each player, whether they give no win away.
    perfect: Vec<bool>,
}

impl<G: Playable> Adjudicator<G> {
    /// By a table that covers all starts. `perfect` says of each player whether they give no win away.
    pub fn new(solution: Solution<G>, perfect: Vec<bool>) -> Self {
        Self { solution, perfect }
    }

    fn decide(&self, referee: &mut Referee<G>, players: [usize; 2]) {
        if referee.ending().is_some() || !players.iter().any(|&player| self.perfect[player]) {
            return;
        }
        // If the table is damaged, the game is played to its end, and the player with it says what is wrong.
        let Ok(winner) = self.winner(referee) else { return };
        if self.perfect[players[winner.index()]] {
            referee.forfeit(winner.other(), Reason::Decided);
        }
    }

    fn winner(&self, referee: &Referee<G>) -> Result<Side, AskError> {
        let to_move = referee.to_move();
        Ok(match self.solution.get().outcome(referee.position())? {
            Outcome::Win => to_move,
            Outcome::Loss => to_move.other(),
        })
    }
}

/// The seed of one player in one game. All of them differ, and depend on nothing but the arguments.
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
    fn seeds_differ() {
        let mut seeds: Vec<u64> =
            (0..1000).flat_map(|game| Side::BOTH.map(|side| seed(1, game, side))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 2000);
    }
}
