//! The names of players, as clients send them.

use bouton_tables::printable::is_printable;

use crate::protocol::LONGEST_NAME;

/// The name of a player without a printable name.
const NAMELESS: &str = "nameless";

/// A name without characters that are not printable, cut if it is too long.
pub(super) fn clean(name: &str) -> String {
    let mut clean = String::new();
    for letter in name.trim().chars().filter(|&letter| is_printable(letter)) {
        if clean.len() + letter.len_utf8() > LONGEST_NAME {
            break;
        }
        clean.push(letter);
    }
    if clean.trim().is_empty() { NAMELESS.to_owned() } else { clean }
}

/// Makes two names differ, because the winner is announced by name.
pub(super) fn tell_apart([first, second]: [String; 2]) -> [String; 2] {
    let second = if first == second { format!("{second} (2)") } else { second };
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_show_what_they_are() {
        assert_eq!(clean("Team 7"), "Team 7");
        assert_eq!(clean(" A\n\u{1b}[31mB\r\u{7}\u{9b}\u{202e}C\u{0} "), "A[31mBC");
        assert_eq!((clean(""), clean("\n\t ")), (NAMELESS.to_owned(), NAMELESS.to_owned()));
        assert_eq!(clean(&"x".repeat(10_000)), "x".repeat(LONGEST_NAME));
        assert_eq!(clean(&"\u{1f3b2}".repeat(99)), "\u{1f3b2}".repeat(LONGEST_NAME / 4));
    }

    #[test]
    fn equal_names_are_told_apart() {
        let pair = |first: &str, second: &str| tell_apart([first.to_owned(), second.to_owned()]);
        assert_eq!(pair("A", "A"), ["A", "A (2)"]);
        assert_eq!(pair("A", "B"), ["A", "B"]);
    }
}
