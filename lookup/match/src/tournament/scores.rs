//! Scores: adds up the results of players and of pairs of players.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::doubles::Doubles;
use super::schedule::{Fixture, Schedule};
use super::strengths::{Rating, Strengths};
use crate::{Ending, Reason, Side};

/// A player's results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Standing {
    /// The player's name.
    pub player: String,
    /// Games played.
    pub games: u64,
    /// Games won, which are the points.
    pub wins: u64,
    /// Games won when moving first.
    pub wins_as_first: u64,
    /// Games won when moving second.
    pub wins_as_second: u64,
    /// Games lost by the rules, or by an early decision.
    pub losses_by_play: u64,
    /// Games lost by an illegal move.
    pub losses_by_illegal_move: u64,
    /// Games lost on time.
    pub losses_by_time: u64,
    /// Games lost by a crash, a disconnection, or an answer that is not a move.
    pub losses_by_failure: u64,
    /// Games given up.
    pub resigned: u64,
    /// The player's strength above the mean of the field.
    #[serde(flatten)]
    pub rating: Option<Rating>,
}

/// The results of a pair of players, from one player's side.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PairScore {
    /// The player.
    pub player: String,
    /// The opponent.
    pub opponent: String,
    /// Games won when moving first.
    pub won_as_first: u64,
    /// Games lost when moving first.
    pub lost_as_first: u64,
    /// Games won when moving second.
    pub won_as_second: u64,
    /// Games lost when moving second.
    pub lost_as_second: u64,
    /// The player's strength above the opponent's.
    #[serde(flatten)]
    pub rating: Option<Rating>,
}

impl PairScore {
    /// Returns the number of games won.
    pub fn won(&self) -> u64 {
        self.won_as_first + self.won_as_second
    }

    /// Returns the number of games lost.
    pub fn lost(&self) -> u64 {
        self.lost_as_first + self.lost_as_second
    }
}

/// A running total of results, which may come in any order.
#[derive(Clone, Debug)]
pub struct Scores {
    standings: Vec<Standing>,
    /// The results of each pair of players, from the side of the one with the smaller number, which comes first.
    pairs: BTreeMap<[usize; 2], (PairScore, Doubles)>,
    /// Doubles with one game finished, by the number of the double: true if the player with the smaller number won it.
    unfinished_doubles: HashMap<usize, bool>,
}

impl Scores {
    /// Makes empty scores of players with these names.
    pub fn new(names: &[String]) -> Self {
        let standing = |name: &String| Standing { player: name.clone(), ..Standing::default() };
        let pair = |pair: &[usize; 2]| {
            let [player, opponent] = pair.map(|number| names[number].clone());
            (*pair, (PairScore { player, opponent, ..PairScore::default() }, Doubles::default()))
        };
        Self {
            standings: names.iter().map(standing).collect(),
            pairs: Schedule::new(names.len(), 1, 1).pairs().iter().map(pair).collect(),
            unfinished_doubles: HashMap::new(),
        }
    }

    /// Adds the result of a game.
    pub fn add(&mut self, fixture: &Fixture, ending: &Ending) {
        let winner = ending.winner;
        let winner_standing = &mut self.standings[fixture.players[winner.index()]];
        winner_standing.games += 1;
        winner_standing.wins += 1;
        match winner {
            Side::First => winner_standing.wins_as_first += 1,
            Side::Second => winner_standing.wins_as_second += 1,
        }
        let loser_standing = &mut self.standings[fixture.players[winner.other().index()]];
        loser_standing.games += 1;
        match ending.reason {
            Reason::Played | Reason::Decided => loser_standing.losses_by_play += 1,
            Reason::IllegalMove(_) => loser_standing.losses_by_illegal_move += 1,
            Reason::Time => loser_standing.losses_by_time += 1,
            Reason::Failed(_) => loser_standing.losses_by_failure += 1,
            Reason::Resigned => loser_standing.resigned += 1,
        }
        let [first, second] = fixture.players;
        let pair = self.pairs.get_mut(&[first.min(second), first.max(second)]);
        let (score, doubles) = pair.expect("a game has two different players");
        let side = if first < second { Side::First } else { Side::Second };
        let won = winner == side;
        let count = match (side, won) {
            (Side::First, true) => &mut score.won_as_first,
            (Side::First, false) => &mut score.lost_as_first,
            (Side::Second, true) => &mut score.won_as_second,
            (Side::Second, false) => &mut score.lost_as_second,
        };
        *count += 1;
        match self.unfinished_doubles.remove(&(fixture.number / 2)) {
            Some(won_before) => doubles.0[usize::from(won) + usize::from(won_before)] += 1,
            None => _ = self.unfinished_doubles.insert(fixture.number / 2, won),
        }
    }

    /// Returns the number of results added.
    pub fn games(&self) -> u64 {
        self.standings.iter().map(|standing| standing.wins).sum()
    }

    /// Returns the doubles of a player against an opponent with a greater number.
    pub fn doubles(&self, player: usize, opponent: usize) -> Doubles {
        self.pairs[&[player, opponent]].1
    }

    /// Estimates the strengths of the players, in their order.
    pub fn strengths(&self) -> Strengths {
        let results: Vec<_> = self.pairs.iter().map(|(&pair, &(_, doubles))| (pair, doubles)).collect();
        Strengths::new(self.standings.len(), &results)
    }

    /// Returns the players' results, with the most wins first.
    pub fn standings(&self, strengths: &Strengths) -> Vec<Standing> {
        let mut standings: Vec<Standing> = self
            .standings
            .iter()
            .enumerate()
            .map(|(player, standing)| Standing { rating: strengths.rating(player), ..standing.clone() })
            .collect();
        standings.sort_by_key(|standing| std::cmp::Reverse(standing.wins));
        standings
    }

    /// Returns the results of each pair of players, from the side of the one named first.
    pub fn pairs(&self, strengths: &Strengths) -> Vec<PairScore> {
        self.pairs
            .iter()
            .map(|(&[one, other], (score, _))| PairScore {
                rating: strengths.difference(one, other),
                ..score.clone()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scores_do_not_depend_on_the_order_of_games() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let schedule = Schedule::new(3, 5, 2);
        let all: Vec<Fixture> = (0..schedule.games()).map(|number| schedule.game(number)).collect();
        let mut rng = fastrand::Rng::with_seed(3);
        let reasons = [Reason::Played, Reason::Decided, Reason::Time, Reason::Failed("x".to_owned())];
        let endings: Vec<Ending> = all
            .iter()
            .map(|_| Ending { winner: Side::BOTH[rng.usize(..2)], reason: reasons[rng.usize(..4)].clone() })
            .collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        let scores = |order: &[usize]| {
            let mut scores = Scores::new(&names);
            order.iter().for_each(|&at| scores.add(&all[at], &endings[at]));
            scores
        };
        let forwards = scores(&order);
        rng.shuffle(&mut order);
        let shuffled = scores(&order);
        let strengths = forwards.strengths();
        let (standings, pairs) = (forwards.standings(&strengths), forwards.pairs(&strengths));
        let strengths = shuffled.strengths();
        assert_eq!(
            (standings.clone(), pairs.clone()),
            (shuffled.standings(&strengths), shuffled.pairs(&strengths))
        );
        // Count the games again, one by one.
        let won = |player: usize, opponent: usize, side: Side| {
            let of_pair = all.iter().zip(&endings).filter(|(fixture, ending)| {
                fixture.players[side.index()] == player
                    && fixture.players[side.other().index()] == opponent
                    && ending.winner == side
            });
            of_pair.count() as u64
        };
        for pair in &pairs {
            let [player, opponent] =
                [&pair.player, &pair.opponent].map(|name| names.iter().position(|n| n == name).unwrap());
            assert_eq!(pair.won_as_first, won(player, opponent, Side::First));
            assert_eq!(pair.won_as_second, won(player, opponent, Side::Second));
            assert_eq!(pair.lost_as_first, won(opponent, player, Side::Second));
            assert_eq!(pair.lost_as_second, won(opponent, player, Side::First));
            let doubles = forwards.doubles(player, opponent);
            assert_eq!((doubles.count(), doubles.0[1] + 2 * doubles.0[2]), (10, pair.won()));
        }
        for standing in &standings {
            let of = |pair: &PairScore| match &standing.player {
                player if *player == pair.player => pair.won(),
                player if *player == pair.opponent => pair.lost(),
                _ => 0,
            };
            assert_eq!(standing.wins, pairs.iter().map(of).sum::<u64>());
        }
        assert_eq!(forwards.games(), all.len() as u64);
    }

    #[test]
    fn a_single_game_counts_but_gives_no_rating() {
        let mut scores = Scores::new(&["a", "b"].map(str::to_owned));
        scores.add(&Schedule::new(2, 1, 1).game(0), &Ending { winner: Side::First, reason: Reason::Played });
        let [first, second] = &scores.standings(&scores.strengths())[..] else { panic!("there are two") };
        assert_eq!((first.wins, first.rating, second.wins, second.rating), (1, None, 0, None));
    }
}
