//! Checks the parsers of players, policies and models of opponents with any text.

use bouton_match::models::{Habit, Model};
use bouton_match::players::{LosingPolicy, PlayerSpec};

use super::{check_message, check_printing};

/// Parses a text as a player, a policy, a habit and a model.
///
/// # Panics
/// If a value prints as a text that names another value.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    check_printing::<Habit>(text);
    check_printing::<Model>(text);
    check_printing::<LosingPolicy>(text);
    if let Err(error) = text.parse::<PlayerSpec>() {
        check_message(text, &error);
    }
    if let Ok(model) = text.parse::<Model>() {
        let shares: f64 = model.terms().iter().map(|(share, _)| share).sum();
        assert!((shares - 1.0).abs() < 1e-6, "{text:?} has shares of {shares} in all");
    }
}
