//! The schedule of a round robin.

/// A scheduled game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Number of the game, from 0. Number and seed decide every random choice.
    pub number: usize,
    /// The players' numbers, the first side's first.
    pub players: [usize; 2],
    /// Number of the start.
    pub start: usize,
}

/// The games of a round robin. Each pair of players plays two games from each start, one on each side, and repeats
/// these games a number of times. The two games follow each other, and the first has an even number.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The pairs of players, the smaller number first.
    pairs: Vec<[usize; 2]>,
    starts: usize,
    /// Number of times that a pair plays each start.
    times: usize,
}

impl Schedule {
    /// Makes the schedule of this many players and starts, with each start played this many `times`.
    pub fn new(players: usize, starts: usize, times: usize) -> Self {
        let pairs = (0..players).flat_map(|one| (one + 1..players).map(move |other| [one, other])).collect();
        Self { pairs, starts, times }
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        2 * self.pairs.len() * self.starts * self.times
    }

    /// Returns the pairs of players, the smaller number first.
    pub fn pairs(&self) -> &[[usize; 2]] {
        &self.pairs
    }

    /// Returns the game with a number below [`games`](Self::games).
    pub fn game(&self, number: usize) -> Fixture {
        let double = number / 2;
        let [one, other] = self.pairs[double % self.pairs.len()];
        let start = double / self.pairs.len() % self.starts;
        let players = if number.is_multiple_of(2) { [one, other] } else { [other, one] };
        Fixture { number, players, start }
    }

    /// Returns the index of a game's pair of players in [`pairs`](Self::pairs).
    pub fn pair_of(&self, number: usize) -> usize {
        number / 2 % self.pairs.len()
    }

    /// Returns the numbers of the games of a pair, given its index.
    pub fn games_of_pair(&self, pair: usize) -> impl Iterator<Item = usize> {
        let pairs = self.pairs.len();
        (0..self.starts * self.times)
            .flat_map(move |time| [0, 1].map(|side| 2 * (time * pairs + pair) + side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_meets_from_every_start_on_both_sides() {
        let schedule = Schedule::new(4, 3, 2);
        let games: Vec<Fixture> = (0..schedule.games()).map(|number| schedule.game(number)).collect();
        assert_eq!(games.len(), 4 * 3 * 3 * 2);
        for start in 0..3 {
            for one in 0..4 {
                for other in (0..4).filter(|&other| other != one) {
                    let same = |fixture: &&Fixture| (fixture.players, fixture.start) == ([one, other], start);
                    assert_eq!(games.iter().filter(same).count(), 2);
                }
            }
        }
        for both in games.chunks(2) {
            let [first, second] = both else { panic!("there are two of each") };
            assert_eq!((first.number % 2, second.number), (0, first.number + 1));
            assert_eq!(
                [first.start, first.players[0], first.players[1]],
                [second.start, second.players[1], second.players[0]]
            );
        }
    }

    #[test]
    fn the_games_of_all_pairs_are_all_games() {
        let schedule = Schedule::new(3, 4, 2);
        let mut games = Vec::new();
        for (pair, players) in schedule.pairs().iter().enumerate() {
            let numbers: Vec<usize> = schedule.games_of_pair(pair).collect();
            assert!(numbers.is_sorted());
            for &number in &numbers {
                let mut sorted = schedule.game(number).players;
                sorted.sort_unstable();
                assert_eq!((sorted, schedule.pair_of(number)), (*players, pair));
            }
            games.extend(numbers);
        }
        games.sort_unstable();
        assert_eq!(games, (0..schedule.games()).collect::<Vec<_>>());
    }
}
