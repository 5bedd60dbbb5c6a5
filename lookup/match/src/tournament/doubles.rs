//! Likelihood of the results between two players.
//!
//! Most starts are won for one side, so the two games from a start are not independent. The unit of observation is a
//! *double*: two games of the same players from the same start, one on each side. A player wins none, one or both of
//! them, and scores 0, 1/2 or 1.
//!
//! With a difference in strength of `d` (in log odds) the expected score is `1 / (1 + exp(-d))`, as in the model of
//! Bradley and Terry. The variance of a score is the variance that two independent games would give it, multiplied by a
//! *dispersion*: near 0 if starts decide the games, because doubles are then split; 1 if games are independent; 2 if
//! the same player wins both games of each double. A double therefore counts as `2 / dispersion` independent games.
//! This is the quasi-likelihood of R. W. M. Wedderburn (*Biometrika* 61, 1974).

/// Elo for each unit of log odds: ten to one is 400.
pub(super) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Returns the expected score for a difference in log odds.
pub(super) fn expected_score(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Numbers of doubles with no, one and two games won by a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubles(pub [u64; 3]);

/// A sum of squared deviations of scores, and its expectation if all games are independent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deviations {
    pub(super) sum: f64,
    pub(super) expected: f64,
}

impl Doubles {
    /// Returns the number of doubles.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the sum of the scores.
    fn score(self) -> f64 {
        let [_, one, both] = self.0.map(|count| count as f64);
        one / 2.0 + both
    }

    pub(super) fn deviations(self, mean: f64) -> Deviations {
        let counts = self.0.map(|count| count as f64);
        let squares = [0.0, 0.5, 1.0].map(|score| (score - mean) * (score - mean));
        Deviations {
            sum: counts.iter().zip(squares).map(|(count, square)| count * square).sum(),
            expected: self.count() as f64 * mean * (1.0 - mean) / 2.0,
        }
    }
}

/// Weight of the prior dispersion: the expected deviations of two doubles between equal players.
const PRIOR_DEVIATIONS: f64 = 0.25;
/// The dispersion if the same player wins both games of each double.
const MAX_DISPERSION: f64 = 2.0;

/// Returns the estimated dispersion: the ratio of deviations to their expectation, drawn towards `prior`, the dispersion
/// expected beforehand. Deviations from a mean that was fitted to the same scores are too small: their sum lacks the part
/// `fitted` of `deviations.expected`. The estimate adds the value that `prior` predicts for this part.
pub(super) fn dispersion(deviations: Deviations, fitted: f64, prior: f64) -> f64 {
    let sum = deviations.sum + prior * (fitted + PRIOR_DEVIATIONS);
    (sum / (deviations.expected + PRIOR_DEVIATIONS)).min(MAX_DISPERSION)
}

/// Logarithm of the likelihood of doubles, as a function of the difference in strength.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogLikelihood {
    /// Effective numbers of games.
    won: f64,
    lost: f64,
}

/// A function's value and its first two derivatives.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Derivatives {
    pub(super) value: f64,
    pub(super) slope: f64,
    pub(super) curvature: f64,
}

impl LogLikelihood {
    /// Makes the likelihood of one double or more. `prior` is the dispersion expected beforehand.
    pub(super) fn new(doubles: Doubles, prior: f64) -> Self {
        let (count, score) = (doubles.count() as f64, doubles.score());
        let deviations = doubles.deviations(score / count);
        let games = 2.0 / dispersion(deviations, deviations.expected / count, prior);
        Self { won: games * score, lost: games * (count - score) }
    }

    /// Returns the logarithm and its derivatives at a difference in strength.
    pub(super) fn at(self, difference: f64) -> Derivatives {
        let Self { won, lost } = self;
        let log_term = (-difference.abs()).exp().ln_1p();
        let mean = expected_score(difference);
        Derivatives {
            value: -won * (log_term + (-difference).max(0.0)) - lost * (log_term + difference.max(0.0)),
            slope: won - (won + lost) * mean,
            curvature: -(won + lost) * mean * (1.0 - mean),
        }
    }
}
