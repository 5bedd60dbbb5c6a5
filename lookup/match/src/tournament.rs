//! Round robins: every pair of players meets from every start, each moving first as often as the other.

use std::time::Duration;

use bouton_tables::Game;
use rayon::prelude::*;
use serde::Serialize;

use crate::players::Maker;
use crate::{Ending, GameRecord, Playable, Reason, Referee, Side, play_out, stop};

/// A game to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 0. Number and seed decide every random choice.
    pub number: usize,
    /// The players' numbers, the one who moves first first.
    pub players: [usize; 2],
    /// The number of the start.
    pub start: usize,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The game.
    pub fixture: Fixture,
    /// How it ended.
    pub ending: Ending,
    /// Its transcript, if asked for.
    pub record: Option<GameRecord>,
}

/// A player's results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// The player's name.
    pub player: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games won when moving first.
    pub wins_as_first: u64,
    /// Games won when moving second.
    pub wins_as_second: u64,
    /// Games that they lost by the rules.
    pub losses_by_play: u64,
    /// Games that they lost by an illegal move.
    pub losses_by_illegal_move: u64,
    /// Games that they lost because their time ran out.
    pub losses_by_time: u64,
    /// Games that they lost because they crashed, disconnected, or answered something that is not a move.
    pub losses_by_failure: u64,
    /// Games given up.
    pub resigned: u64,
}

/// The games of a round robin: for each start and each pair of players, either player moves first `each` times.
pub fn fixtures(players: usize, starts: usize, each: usize) -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for start in 0..starts {
        for one in 0..players {
            for other in one + 1..players {
                for _ in 0..each {
                    for players in [[one, other], [other, one]] {
                        fixtures.push(Fixture { number: fixtures.len(), players, start });
                    }
                }
            }
        }
    }
    fixtures
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
}

impl<G: Playable> Conditions<'_, G> {
    /// The names of the players, the one who moves first first.
    pub fn names(&self, fixture: &Fixture) -> [&str; 2] {
        fixture.players.map(|player| self.names[player].as_str())
    }

    /// Plays one game; `watch` is called after every move.
    pub fn play(
        &self,
        makers: &[Maker<G>],
        fixture: Fixture,
        watch: &mut dyn FnMut(&Referee<G>),
    ) -> PlayedGame {
        let mut referee = Referee::new(self.rules.clone(), self.starts[fixture.start].clone(), self.clock);
        let [first, second] = fixture.players;
        let mut first = makers[first].player(seed(self.seed, fixture.number, Side::First));
        let mut second = makers[second].player(seed(self.seed, fixture.number, Side::Second));
        play_out(&mut referee, [&mut *first, &mut *second], watch);
        let ending = referee.ending().cloned().expect("a game that is played out is over");
        let record = if self.record { GameRecord::of(&referee, self.names(&fixture)) } else { None };
        PlayedGame { fixture, ending, record }
    }
}

/// Plays games in parallel and calls `progress` with 1 after each. The results are in the order of the fixtures. Once the
/// program is asked to end, no more games begin, and those in progress do not count.
pub fn play_fixtures<G: Playable>(
    conditions: &Conditions<G>,
    makers: &[Maker<G>],
    fixtures: &[Fixture],
    progress: &(dyn Fn(u64) + Sync),
) -> Vec<PlayedGame> {
    let games = fixtures.par_iter().filter_map(|fixture| {
        if stop::asked().is_some() {
            return None;
        }
        let played = conditions.play(makers, *fixture, &mut |_| {});
        progress(1);
        stop::asked().is_none().then_some(played)
    });
    games.collect()
}

/// The players' results, the one with the most wins first.
pub fn standings(names: &[String], played: &[PlayedGame]) -> Vec<Standing> {
    let mut standings: Vec<Standing> =
        names.iter().map(|name| Standing { player: name.clone(), ..Standing::default() }).collect();
    for game in played {
        let [winner, loser] =
            [game.ending.winner, game.ending.winner.other()].map(|side| game.fixture.players[side.index()]);
        let of_winner = &mut standings[winner];
        of_winner.games += 1;
        of_winner.wins += 1;
        match game.ending.winner {
            Side::First => of_winner.wins_as_first += 1,
            Side::Second => of_winner.wins_as_second += 1,
        }
        let of_loser = &mut standings[loser];
        of_loser.games += 1;
        match game.ending.reason {
            Reason::Played => of_loser.losses_by_play += 1,
            Reason::IllegalMove(_) => of_loser.losses_by_illegal_move += 1,
            Reason::Time => of_loser.losses_by_time += 1,
            Reason::Failed(_) => of_loser.losses_by_failure += 1,
            Reason::Resigned => of_loser.resigned += 1,
        }
    }
    standings.sort_by_key(|standing| std::cmp::Reverse(standing.wins));
    standings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_from_every_start_on_both_sides() {
        let all = fixtures(4, 3, 2);
        assert_eq!(all.len(), 4 * 3 * 3 * 2);
        for start in 0..3 {
            for one in 0..4 {
                for other in (0..4).filter(|&other| other != one) {
                    let same = |fixture: &&Fixture| (fixture.players, fixture.start) == ([one, other], start);
                    assert_eq!(all.iter().filter(same).count(), 2);
                }
            }
        }
    }

    #[test]
    fn seeds_differ() {
        let mut seeds: Vec<u64> =
            (0..1000).flat_map(|game| Side::BOTH.map(|side| seed(1, game, side))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 2000);
    }
}
