//! How a chance is stored: that of the losing side, with the sign changed if the player to move has won.

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

/// The chance of the other player.
pub(super) fn waiting(stored: impl Stored) -> f64 {
    let chance = stored.chance();
    if chance.is_sign_negative() { -chance } else { 1.0 }
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
