//! What results say of the players' strength: Elo with its error, the likelihood of superiority, and a sequential test.
//!
//! From most starts one side wins whoever plays it. So it is not single games that are independent, but the two games that
//! a pair of players plays from a start, one on each side: of these a player wins none, one or both, and scores 0, 1/2
//! or 1. The mean score is estimated with half an observation of each of these three added to those made (Jeffreys'
//! prior), by which a few results do not look certain; its distribution is taken to be normal.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How often a player won none, one and both of two games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubles(pub [u64; 3]);

/// Added to the number of each result.
const PRIOR: f64 = 0.5;
/// Of a normal distribution 95 % are within so many standard deviations of its mean.
const WITHIN_95: f64 = 1.959_964;

/// The mean of a score, and the variance of that mean.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mean {
    mean: f64,
    variance: f64,
}

impl Doubles {
    /// How many pairs of games.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same for the other player.
    #[must_use]
    pub fn for_other(self) -> Self {
        let [none, one, both] = self.0;
        Self([both, one, none])
    }

    /// Observations with the prior, their mean, and the variance of one.
    fn observed(&self) -> (f64, f64, f64) {
        let counts = self.0.map(|count| count as f64 + PRIOR);
        let all: f64 = counts.iter().sum();
        let [_, one, both] = counts.map(|count| count / all);
        let mean = 0.5 * one + both;
        (all, mean, 0.25 * one + both - mean * mean)
    }

    fn mean(&self) -> Mean {
        let (all, mean, variance) = self.observed();
        // The variance of the mean of a Dirichlet distribution.
        Mean { mean, variance: variance / (all + 1.0) }
    }
}

/// A player's strength against an opponent, or against all of them. In JSON an infinite number is `null`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The difference in Elo for which the score is to be expected; infinite if all games were won or lost.
    pub elo: f64,
    /// With a probability of 95 % the true difference is between this
    pub elo_from: f64,
    /// and this.
    pub elo_to: f64,
    /// The probability that the player is the stronger one, from 0 to 1.
    pub superior: f64,
}

/// The difference in Elo for which a score from 0 to 1 is to be expected.
fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score to be expected for a difference in Elo.
fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl Rating {
    /// From the results against each opponent. `None` if no two games from a start have been played.
    pub fn new(results: impl IntoIterator<Item = Doubles>) -> Option<Self> {
        let results: Vec<Doubles> = results.into_iter().filter(|doubles| doubles.count() > 0).collect();
        let all = results.iter().map(Doubles::count).sum::<u64>() as f64;
        if results.is_empty() {
            return None;
        }
        let (mut won, mut mean, mut variance) = (0.0, 0.0, 0.0);
        for doubles in results {
            let share = doubles.count() as f64 / all;
            let of_opponent = doubles.mean();
            won += (doubles.0[1] as f64 * 0.5 + doubles.0[2] as f64) / all;
            mean += share * of_opponent.mean;
            variance += share * share * of_opponent.variance;
        }
        let error = variance.sqrt();
        let at = |score: f64| elo(score.clamp(0.0, 1.0));
        Some(Self {
            elo: at(won),
            elo_from: at(mean - WITHIN_95 * error),
            elo_to: at(mean + WITHIN_95 * error),
            superior: normal((mean - 0.5) / error),
        })
    }
}

/// The probability that a normally distributed variable is at most so many standard deviations above its mean.
fn normal(deviations: f64) -> f64 {
    0.5 * libm::erfc(-deviations / std::f64::consts::SQRT_2)
}

/// A sequential test of two hypotheses on the difference in Elo between two players, each wrongly accepted with a
/// probability of 5 %.
///
/// The logarithm of the ratio of the hypotheses' likelihoods is that of normally distributed scores, of which the variance
/// is estimated (M. Van den Bergh, *A practical introduction to the GSPRT*).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt(pub [f64; 2]);

/// The logarithm of (1 - 0.05) / 0.05.
const DECIDED: f64 = 2.944_438_979;
/// The greatest difference in Elo that is tested for.
const GREATEST_ELO: f64 = 1000.0;

/// A text that is not a test.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "found '{0}', expected two differences in Elo from -{GREATEST_ELO} to {GREATEST_ELO}, the smaller first, such as 0,50"
)]
pub struct SprtError(String);

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let number = |text: &str| text.trim().parse().ok().filter(|elo: &f64| elo.abs() <= GREATEST_ELO);
        let both = text.split_once(',').and_then(|(low, high)| Some([number(low)?, number(high)?]));
        both.filter(|[low, high]| low < high)
            .map(Self)
            .ok_or_else(|| SprtError(bouton_tables::printable::shorten(text, 40)))
    }
}

/// Where a sequential test stands. The fields have this order in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The differences in Elo of the two hypotheses.
    pub elo: Sprt,
    /// The logarithm of the ratio of their likelihoods.
    pub llr: f64,
    /// The hypothesis that is accepted, 0 or 1; `None` while neither is.
    pub accepted: Option<usize>,
}

impl Sprt {
    /// Where the test stands after these results of the first player.
    pub fn state(self, results: Doubles) -> SprtState {
        let [low, high] = self.0.map(score);
        let (all, mean, variance) = results.observed();
        let llr = all * (high - low) * (2.0 * mean - low - high) / (2.0 * variance);
        let llr = if results.count() == 0 { 0.0 } else { llr };
        let accepted = if llr >= DECIDED { Some(1) } else { (llr <= -DECIDED).then_some(0) };
        SprtState { elo: self, llr, accepted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rating(counts: [u64; 3]) -> Rating {
        Rating::new([Doubles(counts)]).unwrap()
    }

    #[test]
    fn elo_is_that_of_the_score() {
        // From the definition: 400 more is ten wins for each loss.
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-9 && (score(-400.0) - 1.0 / 11.0).abs() < 1e-12);
        assert_eq!(rating([3, 5, 3]).elo, 0.0);
        assert_eq!((rating([0, 0, 4]).elo, rating([4, 0, 0]).elo), (f64::INFINITY, f64::NEG_INFINITY));
        assert_eq!(Rating::new([Doubles::default()]), None);
    }

    #[test]
    fn the_error_holds_the_elo_mirrors_and_shrinks() {
        for counts in [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 1000], [0, 1000, 0], [7, 0, 2], [30, 300, 40]]
        {
            let it = rating(counts);
            let other = Rating::new([Doubles(counts).for_other()]).unwrap();
            assert!(it.elo_from <= it.elo && it.elo <= it.elo_to, "{counts:?}: {it:?}");
            assert!((it.superior + other.superior - 1.0).abs() < 1e-6);
            let mirrored = |elo_of: f64, other: f64| (score(elo_of) + score(other) - 1.0).abs() < 1e-9;
            assert!(mirrored(it.elo, other.elo) && mirrored(it.elo_from, other.elo_to), "{it:?} {other:?}");
            let more = rating(counts.map(|count| 100 * count));
            assert!(more.elo_from > it.elo_from || more.elo_to < it.elo_to);
        }
    }

    /// Draws the true score from its distribution instead of computing with means and variances. That is not quite normal
    /// if there are few results.
    #[test]
    fn the_error_and_the_likelihood_are_those_of_sampled_scores() {
        let mut rng = fastrand::Rng::with_seed(1);
        // The square of a normal variable is one of the gamma distribution with shape 1/2; further ones add 1.
        let mut gamma = |halves: u64| {
            let normal: f64 = (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0;
            let whole: f64 = (0..halves / 2).map(|_| -(1.0 - rng.f64()).ln()).sum();
            whole + normal * normal / 2.0
        };
        for counts in [[20, 30, 30], [5, 60, 9], [2, 5, 18]] {
            let mut scores: Vec<f64> = (0..20_000)
                .map(|_| {
                    let [none, one, both] = counts.map(|count| gamma(2 * count + 1));
                    (one / 2.0 + both) / (none + one + both)
                })
                .collect();
            scores.sort_by(f64::total_cmp);
            let it = rating(counts);
            let quantile = |part: f64| elo(scores[(part * scores.len() as f64) as usize]);
            let wide = it.elo_to - it.elo_from;
            assert!((quantile(0.025) - it.elo_from).abs() < 0.15 * wide, "{it:?} {}", quantile(0.025));
            assert!((quantile(0.975) - it.elo_to).abs() < 0.15 * wide, "{it:?} {}", quantile(0.975));
            let superior = scores.iter().filter(|score| **score > 0.5).count() as f64 / scores.len() as f64;
            assert!((superior - it.superior).abs() < 0.01, "{it:?} {superior}");
        }
    }

    #[test]
    fn several_opponents_are_weighed_by_their_games() {
        let same = Rating::new([Doubles([5, 6, 7]), Doubles([50, 60, 70])]).unwrap();
        let one = rating([55, 66, 77]);
        assert!((same.elo - one.elo).abs() < 1e-9 && (same.elo_from - one.elo_from).abs() < 2.0);
        // Of an opponent against whom all is lost and one against whom all is won, nothing is uncertain but a little.
        let both = Rating::new([Doubles([100, 0, 0]), Doubles([0, 0, 100])]).unwrap();
        assert!(both.elo == 0.0 && both.elo_to < 8.0, "{both:?}");
    }

    /// Plays the test on players of known strength and counts how often it errs.
    #[test]
    fn the_sequential_test_seldom_accepts_what_is_false() {
        let mut rng = fastrand::Rng::with_seed(2);
        let test: Sprt = "0,100".parse().unwrap();
        for (true_elo, wrong) in [(0.0, 1), (100.0, 0)] {
            let chance = score(true_elo);
            let mut errors = 0;
            for _ in 0..1000 {
                let mut doubles = Doubles::default();
                let accepted = loop {
                    let wins = (0..2).filter(|_| rng.f64() < chance).count();
                    doubles.0[wins] += 1;
                    if let Some(accepted) = test.state(doubles).accepted {
                        break accepted;
                    }
                };
                errors += usize::from(accepted == wrong);
            }
            assert!(errors < 75, "{true_elo}: {errors} of 1000");
        }
    }

    #[test]
    fn equal_players_without_chance_are_found_equal() {
        let state = "0,50".parse::<Sprt>().unwrap().state(Doubles([0, 40, 0]));
        assert_eq!(state.accepted, Some(0));
        assert_eq!("0,50".parse::<Sprt>().unwrap().state(Doubles::default()).accepted, None);
    }

    #[test]
    fn a_test_is_two_numbers_the_smaller_first() {
        assert_eq!("-5, 12.5".parse(), Ok(Sprt([-5.0, 12.5])));
        for text in ["", "5", "5,5", "9,3", "a,b", "0,1e9", "0,NaN", "1,2,3"] {
            assert!(text.parse::<Sprt>().unwrap_err().to_string().starts_with("found '"), "{text}");
        }
    }
}
