//! Which games are played.

use std::collections::HashMap;

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

impl Fixture {
    /// The players' numbers, the smaller one first.
    pub fn pair(&self) -> [usize; 2] {
        let [first, second] = self.players;
        [first.min(second), first.max(second)]
    }
}

/// The games of a round robin: `each` times over, each pair of players plays two games from each start, in which either
/// moves first. These two games follow each other, and the first of them has an even number.
pub fn fixtures(players: usize, starts: usize, each: usize) -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for _ in 0..each {
        for start in 0..starts {
            for one in 0..players {
                for other in one + 1..players {
                    for players in [[one, other], [other, one]] {
                        fixtures.push(Fixture { number: fixtures.len(), players, start });
                    }
                }
            }
        }
    }
    fixtures
}

/// Parts of a tournament that can be played at the same time: single games, but all games of a pair of players are one part,
/// to be played in their order, if either of the two says so.
pub(super) fn parts(fixtures: &[Fixture], in_order: impl Fn(usize) -> bool) -> Vec<Vec<Fixture>> {
    let mut parts: Vec<Vec<Fixture>> = Vec::new();
    let mut of_pair = HashMap::new();
    for fixture in fixtures {
        if fixture.players.iter().any(|&player| in_order(player)) {
            let part = *of_pair.entry(fixture.pair()).or_insert_with(|| {
                parts.push(Vec::new());
                parts.len() - 1
            });
            parts[part].push(*fixture);
        } else {
            parts.push(vec![*fixture]);
        }
    }
    parts
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
        for both in all.chunks(2) {
            let [first, second] = both else { panic!("there are two of each") };
            assert_eq!((first.number % 2, second.number), (0, first.number + 1));
            assert_eq!((first.pair(), first.start), (second.pair(), second.start));
            assert_ne!(first.players, second.players);
        }
    }

    #[test]
    fn games_of_a_player_who_plays_in_order_are_one_part_for_each_opponent() {
        let all = fixtures(3, 4, 1);
        let alone = parts(&all, |_| false);
        assert_eq!((alone.len(), alone.concat()), (all.len(), all.clone()));
        let parts = parts(&all, |player| player == 1);
        // Players 0 and 2 meet in eight games, which can be played at the same time.
        assert_eq!(parts.len(), 2 + 8);
        for part in &parts {
            assert!(part.is_sorted_by_key(|fixture| fixture.number));
            assert!(part.iter().all(|fixture| fixture.pair() == part[0].pair()));
            assert_eq!(part.len(), if part[0].pair().contains(&1) { 8 } else { 1 });
        }
    }
}
