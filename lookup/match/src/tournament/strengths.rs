//! Ratings: the players' strengths, estimated from all results of a tournament together.
//!
//! Problem: a player's points depend on the opponents, and a few games say little. Idea (Bradley and Terry): each
//! player has a strength, and the difference `d` of two strengths (in log odds) gives the expected score 1 / (1 +
//! exp(-d)). The estimate is the set of strengths that makes the results most likely, given a prior. Example: a
//! player 400 Elo above another (odds of ten to one) wins 10 of 11 games. Cost: one inverse of an n × n matrix for
//! each Newton step, for n players.
//!
//! The module `doubles` has the likelihood. The prior: strengths are independent and normally distributed with a
//! standard deviation of 400 Elo. The estimate is the mode of the posterior distribution, as in R. Coulom's BayesElo.
//! Its strengths have the mean 0.
//!
//! A range is between the 2.5 % and 97.5 % quantiles of the posterior distribution of one quantity: a player's
//! strength above the mean of the field, or the difference between two players. For two players the distribution is
//! exact. For more, Laplace's method integrates the other strengths out (L. Tierney and J. Kadane, *Journal of the
//! American Statistical Association* 81, 1986): for each value of the quantity, one Newton step from the regression
//! line finds the most likely strengths, and the curvature of each likelihood gives the volume around them.
//!
//! The dispersion of a pair of players is estimated from its doubles. Its prior is midway between 1 (independent
//! games) and the dispersion over all pairs.

use serde::Serialize;

use super::doubles::{Derivatives, Deviations, Doubles, ELO, LogLikelihood, dispersion, expected_score};
use super::posterior::{Density, inverse, scalar_product};

/// Precision of a strength before the first game: the standard deviation is 400 Elo.
const PRIOR_PRECISION: f64 = (ELO / 400.0) * (ELO / 400.0);
/// Newton's method stops when all changes of strength are below this.
const CONVERGED: f64 = 1e-9;

/// An estimate in Elo, with its range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The most likely value.
    pub elo: f64,
    /// The true value is below this with a probability of 2.5 %.
    pub elo_from: f64,
    /// The true value is above this with a probability of 2.5 %.
    pub elo_to: f64,
    /// The probability that the true value is above 0, from 0 to 1.
    pub superior: f64,
}

#[derive(Clone, Copy, Debug)]
struct Pairing {
    players: [usize; 2],
    likelihood: LogLikelihood,
}

/// Posterior distribution of the players' strengths, in log odds.
#[derive(Debug)]
pub struct Strengths {
    pairings: Vec<Pairing>,
    /// The most likely strengths.
    mode: Vec<f64>,
    at_mode: Posterior,
    covariance: Vec<Vec<f64>>,
    has_results: Vec<bool>,
}

/// The posterior density at given strengths, with derivatives.
#[derive(Debug)]
struct Posterior {
    log_density: f64,
    slopes: Vec<f64>,
    /// Derivatives of the likelihood of each pairing.
    likelihoods: Vec<Derivatives>,
}

impl Strengths {
    /// Estimates the strengths of this many players. Each result belongs to two players, from the side of the first.
    pub fn new(players: usize, results: &[([usize; 2], Doubles)]) -> Self {
        let results: Vec<_> = results.iter().copied().filter(|(_, doubles)| doubles.count() > 0).collect();
        let independent = Self::with_dispersion(players, &results, 1.0);
        let mut total = Deviations::default();
        for ([one, other], doubles) in &results {
            let mean = expected_score(independent.mode[*one] - independent.mode[*other]);
            let deviations = doubles.deviations(mean);
            total.sum += deviations.sum;
            total.expected += deviations.expected;
        }
        let count: u64 = results.iter().map(|(_, doubles)| doubles.count()).sum();
        let parameters = players.saturating_sub(1) as f64;
        let dispersion_of_all = dispersion(total, total.expected * parameters / count.max(1) as f64, 1.0);
        Self::with_dispersion(players, &results, f64::midpoint(1.0, dispersion_of_all))
    }

    fn with_dispersion(players: usize, results: &[([usize; 2], Doubles)], prior: f64) -> Self {
        let mut has_results = vec![false; players];
        let pairings = results.iter().map(|&(players, doubles)| {
            players.into_iter().for_each(|player| has_results[player] = true);
            Pairing { players, likelihood: LogLikelihood::new(doubles, prior) }
        });
        let pairings: Vec<Pairing> = pairings.collect();
        let mode = vec![0.0; players];
        let at_mode = posterior(&pairings, &mode);
        let mut strengths = Self { pairings, mode, at_mode, covariance: Vec::new(), has_results };
        strengths.find_mode();
        strengths
    }

    /// Finds the mode by Newton's method. The density is log-concave and has one mode.
    fn find_mode(&mut self) {
        loop {
            self.covariance = self.covariance_at_mode();
            let mut step: Vec<f64> =
                self.covariance.iter().map(|row| scalar_product(row, &self.at_mode.slopes)).collect();
            // Halve a step that overshoots.
            loop {
                if step.iter().all(|change| change.abs() < CONVERGED) {
                    return;
                }
                let next: Vec<f64> = self.mode.iter().zip(&step).map(|(at, change)| at + change).collect();
                let reached = posterior(&self.pairings, &next);
                if reached.log_density > self.at_mode.log_density {
                    (self.mode, self.at_mode) = (next, reached);
                    break;
                }
                step.iter_mut().for_each(|change| *change /= 2.0);
            }
        }
    }

    fn covariance_at_mode(&self) -> Vec<Vec<f64>> {
        let players = self.mode.len();
        let mut precision = vec![vec![0.0; players]; players];
        for (player, row) in precision.iter_mut().enumerate() {
            row[player] = PRIOR_PRECISION;
        }
        for (pairing, likelihood) in self.pairings.iter().zip(&self.at_mode.likelihoods) {
            let [one, other] = pairing.players;
            precision[one][one] -= likelihood.curvature;
            precision[other][other] -= likelihood.curvature;
            precision[one][other] += likelihood.curvature;
            precision[other][one] += likelihood.curvature;
        }
        inverse(precision)
    }

    /// Returns a player's strength above the mean of the players with results; `None` without results.
    pub fn rating(&self, player: usize) -> Option<Rating> {
        let count = self.has_results.iter().filter(|&&has_results| has_results).count() as f64;
        let mut weights: Vec<f64> = self
            .has_results
            .iter()
            .map(|&has_results| if has_results { -1.0 / count } else { 0.0 })
            .collect();
        weights[player] += 1.0;
        self.has_results[player].then(|| self.rating_of_sum(&weights))
    }

    /// Returns the difference in strength between two players; `None` if one of them has no results.
    pub fn difference(&self, player: usize, opponent: usize) -> Option<Rating> {
        let mut weights = vec![0.0; self.mode.len()];
        weights[player] = 1.0;
        weights[opponent] = -1.0;
        (self.has_results[player] && self.has_results[opponent]).then(|| self.rating_of_sum(&weights))
    }

    fn rating_of_sum(&self, weights: &[f64]) -> Rating {
        let line = RegressionLine::new(self, weights);
        let estimate = scalar_product(&self.mode, weights);
        let density = Density::new(estimate, line.variance.sqrt(), |distance| line.log_density(distance));
        Rating {
            elo: ELO * estimate,
            elo_from: ELO * density.quantile(0.025),
            elo_to: ELO * density.quantile(0.975),
            superior: 1.0 - density.probability_below(0.0),
        }
    }
}

/// Linear regression of all strengths on a weighted sum of them.
struct RegressionLine<'a> {
    strengths: &'a Strengths,
    variance: f64,
    /// Covariance of each strength with the sum.
    covariances: Vec<f64>,
    /// Variance of each pairing's difference, given the sum.
    remaining: Vec<f64>,
}

impl<'a> RegressionLine<'a> {
    fn new(strengths: &'a Strengths, weights: &[f64]) -> Self {
        let covariances: Vec<f64> =
            strengths.covariance.iter().map(|row| scalar_product(row, weights)).collect();
        let variance = scalar_product(&covariances, weights);
        let remaining = strengths.pairings.iter().map(|pairing| {
            let [one, other] = pairing.players;
            let difference = |row: &[f64]| row[one] - row[other];
            let covariance = difference(&covariances);
            difference(&strengths.covariance[one])
                - difference(&strengths.covariance[other])
                - covariance * covariance / variance
        });
        Self { strengths, variance, remaining: remaining.collect(), covariances }
    }

    /// Returns the logarithm of the density at a distance from the estimate, relative to the one at the estimate.
    fn log_density(&self, distance: f64) -> f64 {
        let Strengths { pairings, mode, at_mode, covariance, .. } = self.strengths;
        let on_line: Vec<f64> = mode
            .iter()
            .zip(&self.covariances)
            .map(|(at, with_sum)| at + with_sum * distance / self.variance)
            .collect();
        let first = posterior(pairings, &on_line);
        // One Newton step that does not change the sum.
        let along = scalar_product(&first.slopes, &self.covariances) / self.variance;
        let improved: Vec<f64> = on_line
            .iter()
            .zip(covariance.iter().zip(&self.covariances))
            .map(|(at, (row, with_sum))| at + scalar_product(row, &first.slopes) - with_sum * along)
            .collect();
        let second = posterior(pairings, &improved);
        let highest = if second.log_density > first.log_density { second } else { first };
        // The volume around the highest point, pairing by pairing.
        let curvatures = highest.likelihoods.iter().zip(&at_mode.likelihoods);
        let volume = curvatures.zip(&self.remaining).map(|((likelihood, at_mode), remaining)| {
            ((at_mode.curvature - likelihood.curvature) * remaining).ln_1p()
        });
        highest.log_density - at_mode.log_density - 0.5 * volume.sum::<f64>()
    }
}

fn posterior(pairings: &[Pairing], strengths: &[f64]) -> Posterior {
    let mut log_density = -0.5 * PRIOR_PRECISION * scalar_product(strengths, strengths);
    let mut slopes: Vec<f64> = strengths.iter().map(|at| -PRIOR_PRECISION * at).collect();
    let mut likelihoods = Vec::with_capacity(pairings.len());
    for Pairing { players: [one, other], likelihood } in pairings {
        let likelihood = likelihood.at(strengths[*one] - strengths[*other]);
        log_density += likelihood.value;
        slopes[*one] += likelihood.slope;
        slopes[*other] -= likelihood.slope;
        likelihoods.push(likelihood);
    }
    Posterior { log_density, slopes, likelihoods }
}

#[cfg(test)]
mod tests;
