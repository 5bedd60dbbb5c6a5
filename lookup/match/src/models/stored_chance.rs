//! The stored form of chances.
//!
//! A *chance* is the probability that the losing side still wins: the player who loses if both play perfectly. Each
//! position has one for each plan of that player (see [`responses`](super::responses)) against each kind of opponent.
//! The sign says who the losing side is: 0.25 in a lost position is a chance of the player to move, -0.25 in a won
//! position a chance of the waiting player.

use super::Model;

/// A type of number that stores a chance.
pub(super) trait StoredChance: Copy + Default + PartialOrd + Into<f64> + Send + Sync {
    fn from_f64(chance: f64) -> Self;
}

impl StoredChance for f64 {
    fn from_f64(chance: f64) -> Self {
        chance
    }
}

impl StoredChance for f32 {
    fn from_f64(chance: f64) -> Self {
        chance as f32
    }
}

/// Returns the chance of the player to move: 1 in a won position.
pub(super) fn chance_to_move(stored: impl StoredChance) -> f64 {
    let chance: f64 = stored.into();
    if chance.is_sign_negative() { 1.0 } else { chance }
}

/// Returns the chance of the waiting player: 1 in a lost position.
pub(super) fn chance_waiting(stored: impl StoredChance) -> f64 {
    let chance: f64 = stored.into();
    if chance.is_sign_negative() { -chance } else { 1.0 }
}

/// Writes chances in the form in which they are stored.
pub(super) fn store<T: StoredChance>(chances: &[f64], stored: &mut [T]) {
    stored.iter_mut().zip(chances).for_each(|(stored, &chance)| *stored = T::from_f64(chance));
}

/// Writes the waiting player's chances.
pub(super) fn write_waiting(stored: &[impl StoredChance], chances: &mut [f64]) {
    chances.iter_mut().zip(stored).for_each(|(chance, &stored)| *chance = chance_waiting(stored));
}

/// The kinds of opponents, and the weight of each kind for each plan. In every lost position a plan makes the move
/// after which the weighted sum of the chances is greatest. A plan whose weights are 0 for all kinds but one is the
/// best response to that kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opponents<'a> {
    pub(super) kinds: &'a [Model],
    /// By plan, then by kind.
    pub(super) weights: &'a [Vec<f64>],
}

impl Opponents<'_> {
    pub(super) fn chances_per_position(&self) -> usize {
        self.weights.len() * self.kinds.len()
    }

    /// Returns the value that a plan maximizes: the waiting player's chances against all kinds, weighted.
    /// `against_kinds` holds that plan's stored chances.
    pub(super) fn weighted<T: StoredChance>(&self, plan: usize, against_kinds: &[T]) -> T {
        let weights = &self.weights[plan];
        T::from_f64(
            against_kinds.iter().zip(weights).map(|(&stored, weight)| weight * chance_waiting(stored)).sum(),
        )
    }
}

/// Chances whose relative difference is at most this are equal; the difference is rounding.
const TIE_TOLERANCE: f64 = 1e-6;

/// Returns the least chance that counts as equal to `greatest`. Among the moves with at least this chance, a plan makes
/// the one with the greatest [`sum_waiting`], and among these the first.
pub(super) fn tie_threshold<T: StoredChance>(greatest: T) -> T {
    T::from_f64(greatest.into() * (1.0 - TIE_TOLERANCE))
}

/// Returns the sum of the waiting player's chances against all kinds.
pub(super) fn sum_waiting<T: StoredChance>(against_kinds: &[T]) -> T {
    T::from_f64(against_kinds.iter().map(|&stored| chance_waiting(stored)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_weighs_the_chances_against_each_kind() {
        let kinds = ["misread", "err:0.5"].map(|text| text.parse().expect("it is a model"));
        let weights = [vec![1.0, 0.0], vec![0.0, 1.0], vec![0.75, 0.25]];
        let opponents = Opponents { kinds: &kinds, weights: &weights };
        assert_eq!(opponents.chances_per_position(), 6);
        let weighted = |against: &[f64]| [0, 1, 2].map(|plan| opponents.weighted(plan, against));
        // First a won position, then a lost one.
        assert_eq!(weighted(&[-0.25, -0.5]), [0.25, 0.5, 0.3125]);
        assert_eq!(weighted(&[0.25, 0.5]), [1.0; 3]);
    }
}
