//! What is stored for each position: the chances of the losing side, with the sign changed if the player to move has won.
//! They are those of several plans against several kinds of opponents.

use super::Model;

/// A number that stores a chance.
pub(super) trait Stored: Copy + PartialOrd + Send + Sync {
    fn of(chance: f64) -> Self;
    fn chance(self) -> f64;
}

impl Stored for f64 {
    fn of(chance: f64) -> Self {
        chance
    }

    fn chance(self) -> f64 {
        self
    }
}

impl Stored for f32 {
    fn of(chance: f64) -> Self {
        chance as f32
    }

    fn chance(self) -> f64 {
        self.into()
    }
}

/// The chance of the player to move, from what is stored.
pub(super) fn to_move(stored: impl Stored) -> f64 {
    let chance = stored.chance();
    if chance.is_sign_negative() { 1.0 } else { chance }
}

/// Whether the player to move has lost.
pub(super) fn is_lost(stored: impl Stored) -> bool {
    !stored.chance().is_sign_negative()
}

/// The chance of the other player.
pub(super) fn waiting(stored: impl Stored) -> f64 {
    let chance = stored.chance();
    if chance.is_sign_negative() { -chance } else { 1.0 }
}

/// What plans are made against: kinds of opponents, and how much each of them counts for each plan. In every lost position a
/// plan makes the move with the greatest chance against all kinds together, each by its weight; so a plan with a single
/// weight is the best response to that kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opponents<'a> {
    pub(super) kinds: &'a [Model],
    /// By plan, then by kind.
    pub(super) weights: &'a [Vec<f64>],
}

impl Opponents<'_> {
    /// The number of chances of a position: of each plan against each kind.
    pub(super) fn each(&self) -> usize {
        self.weights.len() * self.kinds.len()
    }

    /// What a plan has the greatest of: the other player's chance against the kinds that count for it. Stored are that
    /// plan's chances against all kinds.
    pub(super) fn own<T: Stored>(&self, plan: usize, against_kinds: &[T]) -> T {
        let weights = &self.weights[plan];
        T::of(against_kinds.iter().zip(weights).map(|(&stored, weight)| weight * waiting(stored)).sum())
    }
}

/// Chances of which one is greater by no more than this part are equal, but for rounding.
const SAME: f64 = 1e-6;

/// The least chance that is equal to the greatest one but for rounding. Of all moves with at least this chance a plan makes
/// the one with the greatest [`sum_waiting`], and of several such moves the first.
pub(super) fn least_equal<T: Stored>(greatest: T) -> T {
    T::of(greatest.chance() * (1.0 - SAME))
}

/// The sum of the other player's chances against all kinds.
pub(super) fn sum_waiting<T: Stored>(against_kinds: &[T]) -> T {
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
        let own = |against: &[f64]| [0, 1, 2].map(|plan| opponents.own(plan, against));
        // The first is that of a won position, the second that of a lost one.
        assert_eq!(own(&[-0.25, -0.5]), [0.25, 0.5, 0.3125]);
        assert_eq!(own(&[0.25, 0.5]), [1.0; 3]);
    }
}
