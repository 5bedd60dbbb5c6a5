//! Rulesets of Expanding Nim, as keys.

use toml::Table as Keys;

use super::key::Key;
use super::known_keys_only;
use crate::RulesetError;
use crate::expanding::{Expanding, MAX_RESETS, MAX_STONES};

const KEYS: &[&str] = &["game", "stones", "base-limit", "growth", "reset-limit", "resets", "play"];

pub(super) fn from_keys(keys: &Keys) -> Result<Expanding, RulesetError> {
    known_keys_only(keys, "expanding", KEYS)?;
    let key = |name| Key { name, keys };
    Expanding::new(
        key("stones").number(1, MAX_STONES)?,
        key("base-limit").number(1, MAX_STONES)?,
        key("growth").number(0, MAX_STONES)?,
        key("reset-limit").number(1, MAX_STONES)?,
        key("resets").pair(MAX_RESETS)?,
        key("play").play()?,
    )
}

/// Each key as a line of a file, with a comment.
pub(super) fn lines(rules: &Expanding) -> Vec<(String, &'static str)> {
    let [first, second] = rules.resets();
    vec![
        (
            "game = \"expanding\"".to_owned(),
            "one pile; the limit grows with the most that anyone took at once",
        ),
        (format!("stones = {}", rules.stones()), "the table covers games of at most so many; 1 and up"),
        (format!("base-limit = {}", rules.base_limit()), "the limit is never less without a reset; 1 and up"),
        (format!("growth = {}", rules.growth()), "limit = currentmax + growth, if that is more; 0 and up"),
        (format!("reset-limit = {}", rules.reset_limit()), "the limit under a reset; 1 to base-limit"),
        (format!("resets = [{first}, {second}]"), "how many each player may impose; 0 to 15"),
        (
            format!("play = \"{}\"", rules.play()),
            "who takes the last stone: \"normal\" wins, \"misere\" loses",
        ),
    ]
}
