//! The sequential probability ratio test (SPRT) on the difference in Elo between two players.
//!
//! Problem: play as few games as possible to decide between "the difference is E0" and "the difference is E1". Idea
//! (A. Wald, 1945): after each pair of games compute the logarithm of the likelihood ratio of the two hypotheses
//! (LLR), and stop when it leaves an interval. With errors of 5 % each, the bounds are ± ln(0.95 / 0.05) = ± 2.94.
//! Example: for 0 and 50 Elo the expected scores are 0.5 and 0.571, so scores that average 0.6 drive the LLR up, and
//! 0.5 drives it down. Cost: a few operations for each pair of games.

use std::str::FromStr;

use bouton_tables::printable::shorten;
use serde::{Deserialize, Serialize};

use super::doubles::{Doubles, ELO, expected_score};

/// A sequential test of two hypotheses on the difference in Elo, the smaller first. It accepts each of them wrongly
/// with a probability of 5 %.
///
/// Computes the likelihood ratio as if scores were normally distributed, with an estimated variance (M. Van den
/// Bergh, *A practical introduction to the GSPRT*).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt(pub [f64; 2]);

/// Added to the number of doubles with each score, so that the variance of a few doubles is not 0.
const PRIOR_COUNT: f64 = 0.5;
/// The logarithm of (1 - 0.05) / 0.05.
const LLR_BOUND: f64 = 2.944_438_979;
/// Maximum difference in Elo that a test allows.
const MAX_ELO: f64 = 1000.0;

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse().ok().filter(|elo: &f64| elo.abs() <= MAX_ELO);
        let elos = text.split_once(',').and_then(|(low, high)| Some([number(low)?, number(high)?]));
        elos.filter(|[low, high]| low < high).map(Self).ok_or_else(|| {
            let found = shorten(text, 40);
            format!(
                "found '{found}', expected two differences in Elo from -{MAX_ELO} to {MAX_ELO}, the smaller first, such as 0,50"
            )
        })
    }
}

/// State of a sequential test. The fields have this order in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The differences in Elo of the two hypotheses.
    pub elo: Sprt,
    /// The logarithm of the ratio of their likelihoods.
    pub llr: f64,
    /// The accepted hypothesis, 0 or 1; `None` while undecided.
    pub accepted: Option<usize>,
}

impl Sprt {
    /// Returns the state of the test after these results of the first player.
    pub fn state(self, results: Doubles) -> SprtState {
        let [low, high] = self.0.map(|elo| expected_score(elo / ELO));
        let counts = results.0.map(|count| count as f64 + PRIOR_COUNT);
        let total: f64 = counts.iter().sum();
        let [_, one, both] = counts.map(|count| count / total);
        let mean = 0.5 * one + both;
        let variance = 0.25 * one + both - mean * mean;
        let llr = total * (high - low) * (2.0 * mean - low - high) / (2.0 * variance);
        let llr = if results.count() == 0 { 0.0 } else { llr };
        let accepted = if llr >= LLR_BOUND { Some(1) } else { (llr <= -LLR_BOUND).then_some(0) };
        SprtState { elo: self, llr, accepted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the test on players of known strength and counts its errors.
    #[test]
    fn the_sequential_test_seldom_accepts_the_wrong_hypothesis() {
        let mut rng = fastrand::Rng::with_seed(2);
        let test: Sprt = "0,100".parse().unwrap();
        for (true_elo, wrong) in [(0.0, 1), (100.0, 0)] {
            let chance = 1.0 / (1.0 + 10_f64.powf(-true_elo / 400.0));
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
    fn players_who_split_every_double_are_found_equal() {
        let state = "0,50".parse::<Sprt>().unwrap().state(Doubles([0, 40, 0]));
        assert_eq!(state.accepted, Some(0));
        assert_eq!("0,50".parse::<Sprt>().unwrap().state(Doubles::default()).accepted, None);
    }

    #[test]
    fn only_two_numbers_the_smaller_first_are_a_test() {
        assert_eq!("-5, 12.5".parse(), Ok(Sprt([-5.0, 12.5])));
        for text in ["", "5", "5,5", "9,3", "a,b", "0,1e9", "0,NaN", "1,2,3"] {
            assert!(text.parse::<Sprt>().unwrap_err().to_string().starts_with("found '"), "{text}");
        }
    }
}
