//! Checks the strict and the lenient readers of positions and moves with any text.

use std::sync::OnceLock;

use bouton_tables::printable::shorten;
use bouton_tables::{PositionError, Ruleset, rulesets, with_rules};

use super::check_message;
use crate::games;
use crate::positions::{Dice, GameUnderTest};

/// The largest possible games, in addition to the small ones of [`games`].
const LARGEST_GAMES: [(&str, &[&str]); 3] = [
    ("expanding", &["stones=1000000000", "base-limit=1000000000", "growth=1000000000", "resets=15,15"]),
    ("nim", &["heaps=16", "size=1000000000", "passes=15"]),
    ("moore", &["heaps=16", "size=1", "heaps-per-move=16"]),
];

/// Returns the rules under which texts are parsed: the largest games, and small games of both families.
fn all_rules() -> &'static [Ruleset] {
    static RULES: OnceLock<Vec<Ruleset>> = OnceLock::new();
    RULES.get_or_init(|| {
        let greatest = LARGEST_GAMES.map(|(preset, settings)| {
            let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
            rulesets::find(preset, &settings).expect("allowed rules").ruleset
        });
        let expanding = games::expanding().into_iter().map(Ruleset::from);
        let heaps = games::heaps().into_iter().map(Ruleset::from);
        expanding.chain(heaps).chain(greatest).collect()
    })
}

/// Parses a text as a position and a move with a blank in between. The first byte selects the game.
///
/// # Panics
/// If either does not parse as the same value after printing, or a legal move leads out of the table.
pub fn check(bytes: &[u8]) {
    let Some((&game, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let rules = &all_rules()[usize::from(game) % all_rules().len()];
    with_rules!(rules, |rules| check_text(rules, text));
}

/// Parses a position and a move, and checks that each accepted value prints as notation of the same value.
fn check_text<G: GameUnderTest>(rules: &G, text: &str) {
    let (position, chosen) = text.split_once(' ').unwrap_or((text, ""));
    let seed = bytes_as_number(text.as_bytes());
    let position = match rules.parse_position(position) {
        Ok(position) => position,
        Err(error) => {
            check_message(text, &error);
            rules.random_position(&mut Dice::new(seed))
        }
    };
    let shown = rules.show_position(&position);
    assert_eq!(rules.parse_position(&shown).as_ref(), Ok(&position), "{text:?} is shown as {shown}");
    check_typed(rules, &position, text);
    let chosen = match rules.parse_move(chosen) {
        Ok(chosen) => chosen,
        Err(error) => return check_message(text, &error),
    };
    let shown = chosen.to_string();
    assert_eq!(rules.parse_move(&shown), Ok(chosen), "{text:?} is shown as {shown}");
    assert!(!rules.move_in_words(chosen).is_empty());
    if rules.is_legal(&position, chosen) {
        let next = rules.show_position(&rules.after(&position, chosen));
        assert!(rules.parse_position(&next).is_ok(), "{text:?} leads to {next}");
    }
}

/// Parses a text with the lenient readers: as a position, and as a move in a position.
fn check_typed<G: GameUnderTest>(rules: &G, position: &G::Position, text: &str) {
    let shown = rules.show_position(position);
    for typed in [shown.clone(), shown.replace(',', " , ").replace('/', "\t/ "), shown.to_uppercase()] {
        assert_eq!(rules.read_position(&typed).as_ref(), Ok(position), "{typed:?}");
    }
    // The lenient reader translates notation into itself.
    assert_eq!(G::notation_of_position(&shown).as_ref(), Some(&shown));
    match rules.read_position(text) {
        Ok(read) => {
            let shown = rules.show_position(&read);
            assert_eq!(rules.parse_position(&shown).as_ref(), Ok(&read), "{text:?} is read as {shown}");
        }
        Err(error) => check_shown(text, &error),
    }
    for chosen in rules.moves(position).take(20) {
        let shown = chosen.to_string();
        for typed in [&shown, &shown.to_uppercase(), &format!(" {shown}\t"), &rules.move_in_words(chosen)] {
            assert_eq!(rules.read_move(position, typed), Ok(chosen), "{typed:?}");
        }
        assert_eq!(rules.notation_of_move(&shown).as_ref(), Some(&shown));
    }
    match rules.read_move(position, text) {
        Ok(read) => assert!(rules.is_legal(position, read), "{text:?} is read as {read}"),
        Err(error) => check_shown(text, &error),
    }
}

/// Checks that an error shows the typed text, or a part of it.
fn check_shown(text: &str, error: &PositionError) {
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let is_part = |found: &str| plain(text).contains(&plain(found));
    let shown = shorten(text.trim(), 60);
    let named = match error {
        // Shortened texts and unprintable letters are shown with other letters.
        PositionError::Syntax { found, .. } => is_part(found) || found.contains(['\\', '.']),
        PositionError::ReadAs { typed, .. } => *typed == shown,
        PositionError::Illegal { why } => why.starts_with(&shown) || why.contains(&format!("('{shown}')")),
        // For these errors the text was valid notation.
        PositionError::Outside { .. } | PositionError::CannotArise { .. } => true,
    };
    assert!(named, "{text:?} is refused without being shown: {error}");
}

/// Returns a number that depends on all bytes.
fn bytes_as_number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number: u64, &byte| number.wrapping_mul(31).wrapping_add(byte.into()))
}
