//! The stored form of chances. Each position has a chance of the losing side, for each plan against each kind of
//! opponent. A positive sign means that the player to move is the losing side, a negative sign that the other player
//! is.

use super::Model;

/// A number in which a chance is stored.
pub(super) trait StoredChance: Copy + PartialOrd + Send + Sync {
    fn of(chance: f64) -> Self;
    fn chance(self) -> f64;
}

impl StoredChance for f64 {
    fn of(chance: f64) -> Self {
        chance
    }

    fn chance(self) -> f64 {
        self
    }
}

impl StoredChance for f32 {
    fn of(chance: f64) -> Self {
        chance as f32
    }

    fn chance(self) -> f64 {
        self.into()
    }
}

/// Returns the chance of the player to move: 1 in a won position.
pub(super) fn to_move(stored: impl StoredChance) -> f64 {
    let chance = stored.chance();
    if chance.is_sign_negative() { 1.0 } else { chance }
}

/// Returns true if the player to move has lost.
pub(super) fn is_lost(stored: impl StoredChance) -> bool {
    !stored.chance().is_sign_negative()
}

/// Returns the chance of the waiting player: 1 in a lost position.
pub(super) fn waiting(stored: impl StoredChance) -> f64 {
    let chance = stored.chance();
    if chance.is_sign_negative() { -chance } else { 1.0 }
}

/// The kinds of opponents, and the weight of each kind for each plan. In every lost position a plan makes the move
/// with the greatest weighted sum of chances. A plan with a single weight is the best response to that kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opponents<'a> {
    pub(super) kinds: &'a [Model],
    /// By plan, then by kind.
    pub(super) weights: &'a [Vec<f64>],
}

impl Opponents<'_> {
    pub(super) fn each(&self) -> usize {
        self.weights.len() * self.kinds.len()
    }

    /// Returns the value that a plan maximizes: the waiting player's chances against all kinds, weighted.
    /// `against_kinds` holds that plan's stored chances.
    pub(super) fn weighted<T: StoredChance>(&self, plan: usize, against_kinds: &[T]) -> T {
        let weights = &self.weights[plan];
        T::of(against_kinds.iter().zip(weights).map(|(&stored, weight)| weight * waiting(stored)).sum())
    }
}

/// Chances whose relative difference is at most this are equal; the difference is rounding.
const TIE_TOLERANCE: f64 = 1e-6;

/// Returns the least chance that equals the greatest one up to rounding. Among the moves with at least this chance, a
/// plan makes the one with the greatest [`sum_waiting`], and among these the first.
pub(super) fn tie_threshold<T: StoredChance>(greatest: T) -> T {
    T::of(greatest.chance() * (1.0 - TIE_TOLERANCE))
}

/// Returns the sum of the waiting player's chances against all kinds.
pub(super) fn sum_waiting<T: StoredChance>(against_kinds: &[T]) -> T {
    T::of(against_kinds.iter().map(|&stored| waiting(stored)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_plan_has_the_greatest_of_counts_each_kind_by_its_weight() {
        let kinds = ["misread", "err:0.5"].map(|text| text.parse().expect("it is a model"));
        let weights = [vec![1.0, 0.0], vec![0.0, 1.0], vec![0.75, 0.25]];
        let opponents = Opponents { kinds: &kinds, weights: &weights };
        assert_eq!(opponents.each(), 6);
        let own = |against: &[f64]| [0, 1, 2].map(|plan| opponents.weighted(plan, against));
        // First a won position, then a lost one.
        assert_eq!(own(&[-0.25, -0.5]), [0.25, 0.5, 0.3125]);
        assert_eq!(own(&[0.25, 0.5]), [1.0; 3]);
    }
}
