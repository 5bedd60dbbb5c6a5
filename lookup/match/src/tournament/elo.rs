//! Differences in strength, in Elo and in log odds.

/// Elo for each unit of log odds: ten to one is 400.
pub(super) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Returns the expected score for a difference in log odds.
pub(super) fn expected_score(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}
