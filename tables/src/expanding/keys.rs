//! The keys of a ruleset of Expanding Nim.

use crate::keys::{FamilyKeys, KeyValue, ReadKey, UncheckedKeys, WrittenKey, allowed_numbers, bad_value};
use crate::{Play, RulesetError};

/// Maximum number of stones of a game.
pub const MAX_STONES: u64 = 1_000_000_000_000;
/// Maximum number of stones of a table with depths. No depth exceeds the stones.
pub const MAX_STONES_WITH_DEPTHS: u64 = 1_000_000_000;
/// Maximum base limit, and maximum growth.
pub const MAX_BASE_LIMIT: u32 = 1_000_000_000;
/// Maximum number of resets of a player.
pub const MAX_RESETS: u8 = 15;

/// The keys of a ruleset of Expanding Nim, which [`rules`](Self::rules) checks. The default is the preset `expanding`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpandingKeys {
    /// Maximum number of stones of a game, 1 to [`MAX_STONES`].
    pub stones: u64,
    /// The least limit without a reset, 1 to [`MAX_BASE_LIMIT`].
    pub base_limit: u32,
    /// The limit is currentmax plus this number, 0 to [`MAX_BASE_LIMIT`], if that exceeds the base limit.
    pub growth: u32,
    /// The limit under a reset, 1 to `base_limit`.
    pub reset_limit: u32,
    /// The numbers of resets of players 1 and 2, each 0 to [`MAX_RESETS`].
    pub resets: [u8; 2],
    /// Normal or misère play.
    pub play: Play,
}

impl Default for ExpandingKeys {
    fn default() -> Self {
        Self { stones: 1000, base_limit: 3, growth: 1, reset_limit: 3, resets: [4, 4], play: Play::Normal }
    }
}

impl ExpandingKeys {
    /// Checks every value against its range and against the others.
    pub(super) fn check(&self) -> Result<(), RulesetError> {
        for (key, found, range, note) in [
            ("stones", self.stones, 1..=MAX_STONES, ""),
            ("base-limit", self.base_limit.into(), 1..=MAX_BASE_LIMIT.into(), ""),
            ("growth", self.growth.into(), 0..=MAX_BASE_LIMIT.into(), ""),
            ("reset-limit", self.reset_limit.into(), 1..=self.base_limit.into(), ", the base-limit"),
        ] {
            if !range.contains(&found) {
                return Err(bad_value(key, &found, allowed_numbers(&range) + note));
            }
        }
        if self.resets.iter().any(|&resets| resets > MAX_RESETS) {
            return Err(bad_value("resets", &KeyValue::list(&self.resets), resets_allowed()));
        }
        Ok(())
    }
}

fn resets_allowed() -> String {
    format!("two whole numbers from 0 to {MAX_RESETS}, such as [4, 4], or one for both players")
}

fn resets(key: ReadKey) -> Result<[u8; 2], RulesetError> {
    if let Some(both) = key.value.and_then(|found| found.number(&(0..=MAX_RESETS.into()))) {
        return Ok([both as u8; 2]);
    }
    let resets = key.list(0..=MAX_RESETS.into(), &resets_allowed())?;
    let [first, second] = resets[..] else { return Err(key.refusal(resets_allowed())) };
    Ok([first as u8, second as u8])
}

impl FamilyKeys for ExpandingKeys {
    const FAMILY: &'static str = "expanding";
    const COMMENT: &'static str = "one pile; the limit grows with the most that anyone took at once";
    const NAMES: &'static [&'static str] =
        &["stones", "base-limit", "growth", "reset-limit", "resets", "play"];
    const OPTIONAL: &'static [&'static str] = &[];

    fn from_known(keys: &UncheckedKeys) -> Result<Self, RulesetError> {
        let key = |name| ReadKey::of(keys, name);
        Ok(Self {
            stones: key("stones").number(1..=MAX_STONES)?,
            base_limit: key("base-limit").number(1..=MAX_BASE_LIMIT)?,
            growth: key("growth").number(0..=MAX_BASE_LIMIT)?,
            reset_limit: key("reset-limit").number(1..=MAX_BASE_LIMIT)?,
            resets: resets(key("resets"))?,
            play: key("play").play()?,
        })
    }

    fn entries(&self) -> Vec<WrittenKey> {
        let written = |name, value, comment| WrittenKey { name, value, comment };
        let number = |name, number: u32, comment| written(name, KeyValue::Number(number.into()), comment);
        let stones = KeyValue::Number(self.stones as i64);
        vec![
            written("stones", stones, "the most stones of a game; 1 and up"),
            number("base-limit", self.base_limit, "the limit is never less without a reset; 1 and up"),
            number("growth", self.growth, "limit = currentmax + growth, at least base-limit; 0 and up"),
            number("reset-limit", self.reset_limit, "the limit under a reset; 1 to base-limit"),
            written("resets", KeyValue::list(&self.resets), "how many each player may impose; 0 to 15"),
            written(
                "play",
                self.play.into(),
                "the player who takes the last stone: \"normal\" wins, \"misere\" loses",
            ),
        ]
    }
}
