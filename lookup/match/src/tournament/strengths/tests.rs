use fastrand::Rng;

use super::*;

/// Standard deviation of strengths in the prior, in Elo.
const SPREAD: f64 = 400.0;

/// A normally distributed number, by the method of Box and Muller.
fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * (1.0 - rng.f64()).ln()).sqrt() * (std::f64::consts::TAU * rng.f64()).cos()
}

fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Results of a round robin between players of known strength. Each start helps one side: with `bias` 0 the sides are
/// equal, and with 1 the stronger player never loses from the better side.
fn play(elos: &[f64], starts: usize, bias: f64, rng: &mut Rng) -> Vec<([usize; 2], Doubles)> {
    let mut results = Vec::new();
    for one in 0..elos.len() {
        for other in one + 1..elos.len() {
            let expected = score(elos[one] - elos[other]);
            let help = bias * expected.min(1.0 - expected);
            let mut doubles = Doubles::default();
            for _ in 0..starts {
                let games = [expected + help, expected - help].map(|chance| rng.f64() < chance);
                doubles.0[games.into_iter().filter(|&won| won).count()] += 1;
            }
            results.push(([one, other], doubles));
        }
    }
    results
}

/// Results of two players.
fn pair(counts: [u64; 3]) -> Strengths {
    Strengths::new(2, &[([0, 1], Doubles(counts))])
}

fn random_results(rng: &mut Rng) -> (usize, Vec<([usize; 2], Doubles)>) {
    let players = rng.usize(2..8);
    let elos: Vec<f64> = (0..players).map(|_| 2.0 * SPREAD * normal(rng)).collect();
    let (starts, bias) = (rng.usize(1..40), rng.f64());
    let mut results = play(&elos, starts, bias, rng);
    // Some players have not met.
    results.retain(|_| rng.u8(..5) > 0);
    (players, results)
}

#[test]
fn about_95_percent_of_ranges_contain_the_true_strength() {
    let mut rng = Rng::with_seed(1);
    for (players, tournaments) in [(2, 4000), (3, 4000), (12, 1000)] {
        for starts in [1, 10, 100] {
            // With bias 1, a single double tells little of the dispersion, so ranges are a little too wide.
            for (bias, most) in [(0.0, 97.0), (0.5, 97.0), (0.8, 97.0), (1.0, 98.0)] {
                let (mut ratings, mut differences) = (0, 0_u32);
                for _ in 0..tournaments {
                    let elos: Vec<f64> = (0..players).map(|_| SPREAD * normal(&mut rng)).collect();
                    let strengths = Strengths::new(players, &play(&elos, starts, bias, &mut rng));
                    let contains =
                        |rating: Rating, truth: f64| rating.elo_from <= truth && truth <= rating.elo_to;
                    let player = rng.usize(..players);
                    let opponent = (player + 1 + rng.usize(..players - 1)) % players;
                    let mean = elos.iter().sum::<f64>() / players as f64;
                    let rating = strengths.rating(player).unwrap();
                    ratings += u32::from(contains(rating, elos[player] - mean));
                    let difference = strengths.difference(player, opponent).unwrap();
                    differences += u32::from(contains(difference, elos[player] - elos[opponent]));
                }
                for found in [ratings, differences] {
                    let percent = 100.0 * f64::from(found) / f64::from(tournaments);
                    assert!(
                        (93.0..=most).contains(&percent),
                        "{players} players, {starts} starts, bias {bias}: {percent} %"
                    );
                }
            }
        }
    }
}

#[test]
fn estimates_lie_in_their_ranges_and_differences_agree_with_ratings() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..300 {
        let (players, results) = random_results(&mut rng);
        let strengths = Strengths::new(players, &results);
        let ratings: Vec<Option<Rating>> = (0..players).map(|player| strengths.rating(player)).collect();
        let inside = |it: &Rating| it.elo_from < it.elo && it.elo < it.elo_to && it.elo.is_finite();
        assert!(ratings.iter().flatten().all(inside), "{ratings:?}");
        let sum: f64 = ratings.iter().flatten().map(|rating| rating.elo).sum();
        assert!(sum.abs() < 1e-6, "the ratings have the sum {sum}");
        for (player, rating) in ratings.iter().enumerate() {
            for opponent in (0..players).filter(|&opponent| opponent != player) {
                let (Some(rating), Some(other)) = (rating, &ratings[opponent]) else {
                    assert_eq!(strengths.difference(player, opponent), None);
                    continue;
                };
                let difference = strengths.difference(player, opponent).unwrap();
                assert!(inside(&difference), "{difference:?} of {results:?}");
                assert!((difference.elo - (rating.elo - other.elo)).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn exchanging_two_players_mirrors_their_range() {
    let mut rng = Rng::with_seed(3);
    for _ in 0..100 {
        let (players, results) = random_results(&mut rng);
        let mirrored: Vec<_> = results
            .iter()
            .map(|&([one, other], Doubles([lost, split, won]))| ([other, one], Doubles([won, split, lost])))
            .collect();
        let (strengths, again) = (Strengths::new(players, &results), Strengths::new(players, &mirrored));
        let Some(ahead) = strengths.difference(0, 1) else { continue };
        for behind in [strengths.difference(1, 0).unwrap(), again.difference(1, 0).unwrap()] {
            for (found, expected) in
                [(behind.elo, -ahead.elo), (behind.elo_from, -ahead.elo_to), (behind.elo_to, -ahead.elo_from)]
            {
                assert!((found - expected).abs() < 1e-3, "{ahead:?} {behind:?}");
            }
            assert!((ahead.superior + behind.superior - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn more_games_narrow_the_range() {
    let mut rng = Rng::with_seed(4);
    for _ in 0..100 {
        let (players, results) = random_results(&mut rng);
        let width = |times: u64, player: usize| {
            let repeated: Vec<_> = results
                .iter()
                .map(|&(players, doubles)| (players, Doubles(doubles.0.map(|count| times * count))))
                .collect();
            let rating = Strengths::new(players, &repeated).rating(player);
            rating.map(|rating| rating.elo_to - rating.elo_from)
        };
        let player = rng.usize(..players);
        let widths = [1, 4, 16].map(|times| width(times, player));
        assert!(
            widths[0].is_none() || (widths[2] < widths[1] && widths[1] < widths[0]),
            "{widths:?} of {results:?}"
        );
    }
}

#[test]
fn a_player_without_results_has_no_rating() {
    let strengths = Strengths::new(3, &[([0, 1], Doubles([0, 0, 2])), ([0, 2], Doubles::default())]);
    assert!(strengths.rating(0).is_some() && strengths.rating(2).is_none());
    assert!(strengths.difference(0, 1).is_some() && strengths.difference(1, 2).is_none());
    // A player without results is not a part of the field.
    let [first, second] = [0, 1].map(|player| strengths.rating(player).unwrap().elo);
    assert!(first > 0.0 && (first + second).abs() < 1e-9);
}

#[test]
fn a_player_who_wins_every_game_has_a_finite_rating_that_grows_with_the_games() {
    let ratings = [1, 10, 100, 1000].map(|count| pair([0, 0, count]).difference(0, 1).unwrap());
    assert!(ratings.windows(2).all(|two| two[0].elo < two[1].elo && two[0].elo_from < two[1].elo_from));
    assert!(ratings[3].elo < 2000.0 && ratings[3].superior > 0.999);
}

/// These results scatter like those of independent games, so their dispersion is about 1. At the estimate, the
/// logarithm of the posterior density has the slope 0: the points, minus the expected points and the pull of the prior.
#[test]
fn the_estimate_balances_the_points_and_the_prior() {
    for (none, one, both) in [(1, 2, 1), (1, 6, 9), (100, 600, 900)] {
        let elo = pair([none, one, both]).difference(0, 1).unwrap().elo;
        let (points, games) = ((2 * both + one) as f64, 2.0 * (none + one + both) as f64);
        let log_odds = elo * std::f64::consts::LN_10 / 400.0;
        let prior_variance = 2.0 * std::f64::consts::LN_10 * std::f64::consts::LN_10;
        let balance = points - games * score(elo) - log_odds / prior_variance;
        assert!(balance.abs() < 0.02 * games, "{elo}: {balance}");
    }
}

/// Draws strengths from the prior and weighs them by the likelihood of independent games: these results scatter like
/// such games. Shares no numerical method with [`Strengths`].
#[test]
fn ranges_agree_with_weighted_samples() {
    let cases: [&[([usize; 2], Doubles)]; 3] = [
        &[([0, 1], Doubles([1, 6, 9]))],
        &[([0, 1], Doubles([1, 6, 9])), ([1, 2], Doubles([1, 2, 1])), ([0, 2], Doubles([0, 0, 2]))],
        &[([0, 1], Doubles([0, 0, 3])), ([1, 2], Doubles([0, 0, 1]))],
    ];
    let mut rng = Rng::with_seed(5);
    for results in cases {
        let players = results.iter().flat_map(|(players, _)| players).max().unwrap() + 1;
        let strengths = Strengths::new(players, results);
        let mut samples: Vec<[f64; 3]> = (0..400_000)
            .map(|_| {
                let elos: Vec<f64> = (0..players).map(|_| SPREAD * normal(&mut rng)).collect();
                let likelihood: f64 = results
                    .iter()
                    .map(|([one, other], Doubles([none, split, both]))| {
                        let chance = score(elos[*one] - elos[*other]);
                        chance.powi((2 * both + split) as i32)
                            * (1.0 - chance).powi((2 * none + split) as i32)
                    })
                    .product();
                let mean = elos.iter().sum::<f64>() / players as f64;
                [elos[0] - mean, elos[0] - elos[1], likelihood]
            })
            .collect();
        let all: f64 = samples.iter().map(|sample| sample[2]).sum();
        let found = [strengths.rating(0).unwrap(), strengths.difference(0, 1).unwrap()];
        for (at, Rating { elo_from, elo_to, superior, .. }) in found.into_iter().enumerate() {
            samples.sort_by(|one, other| one[at].total_cmp(&other[at]));
            let mut sum = 0.0;
            let cumulative: Vec<f64> = samples
                .iter()
                .map(|sample| {
                    sum += sample[2] / all;
                    sum
                })
                .collect();
            let quantile = |part: f64| samples[cumulative.partition_point(|&below| below < part)][at];
            let near = 0.04 * (elo_to - elo_from);
            let expected = [quantile(0.025), quantile(0.975)];
            assert!((expected[0] - elo_from).abs() < near, "{elo_from}, not {} of {results:?}", expected[0]);
            assert!((expected[1] - elo_to).abs() < near, "{elo_to}, not {} of {results:?}", expected[1]);
            let negative = samples.partition_point(|sample| sample[at] < 0.0);
            let above = 1.0 - cumulative[negative.max(1) - 1];
            assert!((above - superior).abs() < 0.01, "{superior}, not {above} of {results:?}");
        }
    }
}
