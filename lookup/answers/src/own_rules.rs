//! Rules that a user spells in the name of a table, such as `own:bounds=3,5,7;take=1,2`.

use bouton_study::words::grouped;
use bouton_tables::Ruleset;
use bouton_tables::expanding::MAX_RESETS;
use bouton_tables::heaps::{Heap, MAX_HEAPS, MAX_PASSES, MAX_SIZE};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{Board, Refusal};

/// Prefix of table names that spell a ruleset.
const OWN_PREFIX: &str = "own:";

/// Maximum number of characters of a name that an error shows.
const MAX_SHOWN_CHARS: usize = 60;

/// The limits of own rules. A form can check its input by them before it asks.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct OwnLimits {
    /// Maximum number of heaps.
    pub heaps: usize,
    /// Maximum number of stones in any key: the size of a heap or of the pile, the amount of a move, a limit, the growth.
    pub stones: Heap,
    /// Maximum number of passes.
    pub passes: u8,
    /// Maximum number of resets of each player.
    pub resets: u8,
    /// Maximum number of bytes after `own:`.
    pub spelling: usize,
}

impl OwnLimits {
    /// The limits of every ruleset.
    pub const ALL: Self = Self {
        heaps: MAX_HEAPS,
        stones: MAX_SIZE,
        passes: MAX_PASSES,
        resets: MAX_RESETS,
        spelling: Ruleset::MAX_SPELLING_LEN,
    };
}

/// A ruleset that is spelled in the name of its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnRules {
    /// The canonical spelling; answers use it for every spelling of the ruleset.
    pub name: String,
    /// The ruleset.
    pub ruleset: Ruleset,
}

impl OwnRules {
    /// Returns whether a name spells a ruleset.
    pub fn is_spelled(name: &str) -> bool {
        name.starts_with(OWN_PREFIX)
    }

    /// Reads the ruleset that a name spells.
    ///
    /// # Errors
    /// [`Refusal::Rules`] names the key, the value found and the values allowed.
    pub fn read(name: &str) -> Result<Self, Refusal> {
        let spelled = name.strip_prefix(OWN_PREFIX).ok_or_else(|| {
            let shown: String = name.chars().take(MAX_SHOWN_CHARS).collect();
            Refusal::Rules(format!("found '{shown}'; the name of own rules begins with {OWN_PREFIX}"))
        })?;
        let ruleset = Ruleset::from_spelling(spelled).map_err(|error| Refusal::Rules(error.to_string()))?;
        // Own rules are solved with depths.
        ruleset.check_depths().map_err(|error| Refusal::Rules(error.to_string()))?;
        Ok(Self { name: format!("{OWN_PREFIX}{}", ruleset.spelling()), ruleset })
    }

    /// Checks that the game has at most `limit` positions.
    ///
    /// # Errors
    /// [`Refusal::TooMuch`] if it has more.
    pub fn check_positions(&self, limit: u64) -> Result<(), Refusal> {
        let positions = self.ruleset.positions();
        if positions <= limit {
            return Ok(());
        }
        let found = match positions {
            u64::MAX => "countless positions".to_owned(),
            _ => format!("{} positions", grouped(positions)),
        };
        Err(Refusal::TooMuch(format!(
            "the game has {found}, and games of up to {} are solved here; choose fewer stones, heaps, passes or resets",
            grouped(limit)
        )))
    }

    /// Checks that solving examines at most `limit` moves: the number of positions times the moves from the start. A game of
    /// few positions can have many moves, if a move may take any of thousands of amounts. If a move takes any number of
    /// stones from one heap, all moves from the same heap count as one.
    ///
    /// # Errors
    /// [`Refusal::TooMuch`] if it examines more.
    pub fn check_moves(&self, limit: u64) -> Result<(), Refusal> {
        // Expanding Nim is solved by lines, and not move by move.
        let Ruleset::Heaps(rules) = &self.ruleset else { return Ok(()) };
        let moves = rules.cost().answer;
        let positions = self.ruleset.positions();
        if positions.saturating_mul(moves) <= limit {
            return Ok(());
        }
        Err(Refusal::TooMuch(format!(
            "the game has {} positions with up to {} moves each, and games of up to {} moves in all are solved here; choose fewer \
             stones, or moves that take fewer",
            grouped(positions),
            grouped(moves),
            grouped(limit)
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_spells_rules_or_is_refused_with_a_reason() {
        let read = |name: &str| OwnRules::read(name).map(|own| own.name);
        assert!(OwnRules::is_spelled("own:") && !OwnRules::is_spelled("sticks"));
        assert_eq!(read("own:play=misere;bounds=7,3").as_deref(), Ok("own:bounds=3,7;play=misere"));
        for (name, expected) in [
            ("own:", "found neither the key 'bounds' nor the key 'stones'; a ruleset is spelled"),
            ("own:bounds=0", "bounds = [0]: expected"),
            ("sticks", "found 'sticks'; the name of own rules begins with own:"),
        ] {
            let refusal = read(name).unwrap_err();
            assert!(
                matches!(&refusal, Refusal::Rules(why) if why.starts_with(expected)),
                "{name}: {refusal}"
            );
        }
    }

    #[test]
    fn each_limit_can_be_reached_and_not_exceeded() {
        let OwnLimits { heaps, stones, passes, resets, spelling } = OwnLimits::ALL;
        let rows = |heaps| format!("own:bounds={}", vec!["1"; heaps].join(","));
        let long = |bytes| format!("own:bounds=1{}", ";".repeat(bytes - "bounds=1".len()));
        let (more, most) = (stones + 1, |key: &str, most: u32| format!("own:{key}={most}"));
        for (allowed, refused) in [
            (rows(heaps), rows(heaps + 1)),
            (most("bounds", stones), most("bounds", more)),
            (most("stones", stones), most("stones", more)),
            (most("bounds=1;take", stones), most("bounds=1;take", more)),
            (most("stones=1;growth", stones), most("stones=1;growth", more)),
            (most("bounds=1;passes", passes.into()), most("bounds=1;passes", u32::from(passes) + 1)),
            (format!("own:stones=1;resets={resets},0"), format!("own:stones=1;resets={},0", resets + 1)),
            (long(spelling), long(spelling + 1)),
        ] {
            assert!(OwnRules::read(&allowed).is_ok(), "{allowed}");
            assert!(OwnRules::read(&refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn games_beyond_a_limit_are_refused() {
        let within = |name: &str, limit| {
            OwnRules::read(name).unwrap().check_positions(limit).map_err(|why| why.to_string())
        };
        assert_eq!(within("own:bounds=9", 10), Ok(()));
        let expected = "the game has 10 positions, and games of up to 9 are solved here";
        assert!(within("own:bounds=9", 9).unwrap_err().starts_with(expected));
        let most = format!("own:bounds={}", vec!["1000000000"; 16].join(","));
        assert!(within(&most, u64::MAX - 1).unwrap_err().starts_with("the game has countless positions"));
    }

    #[test]
    fn games_of_few_positions_and_many_moves_are_refused() {
        let within =
            |name: &str| OwnRules::read(name).unwrap().check_moves(20_000).map_err(|why| why.to_string());
        assert_eq!(within("own:bounds=999;take=20"), Ok(()));
        let expected =
            "the game has 1,000 positions with up to 21 moves each, and games of up to 20,000 moves in all";
        assert!(within("own:bounds=999;take=21").unwrap_err().starts_with(expected));
        // If a move may take any number of stones, the solver does not examine moves one by one.
        assert_eq!(within("own:bounds=9999"), Ok(()));
        assert_eq!(within("own:stones=100;growth=3"), Ok(()));
    }
}
