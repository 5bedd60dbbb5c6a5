//! Rulesets and numbers in words.

use bouton_tables::{Game, Play, Ruleset, with_rules};

/// Formats a number with commas between thousands. `u64::MAX` stands for a number that does not fit.
pub fn grouped(number: u64) -> String {
    if number == u64::MAX {
        return "more than 10^19".to_owned();
    }
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).expect("digits"));
    groups.collect::<Vec<_>>().join(",")
}

/// Formats a number with a noun in the singular or plural: "1 stone", "2,000 stones".
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Lists the first `most` items, and the number of the others: "1, 2r and 5 more".
pub fn abridged<T: ToString>(items: impl IntoIterator<Item = T>, separator: &str, most: usize) -> String {
    let mut items = items.into_iter();
    let named: Vec<String> = items.by_ref().take(most).map(|item| item.to_string()).collect();
    let more = match items.count() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    named.join(separator) + &more
}

/// Formats the fraction `part / whole` in percent: "12.5 %".
pub fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Iterates over the round numbers: 1, 2, 5, 10, 20, 50 and so on.
pub fn round_numbers() -> impl Iterator<Item = u64> {
    (0..19).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_u64.pow(zeros)))
}

/// Returns "normal play" or "misère play".
pub(crate) fn play(play: Play) -> &'static str {
    match play {
        Play::Normal => "normal play",
        Play::Misere => "misère play",
    }
}

/// Descriptions of a family's rules in words.
pub trait InWords: Game {
    /// Describes the ruleset: the game's name, its sizes, keys without their usual value, and normal or misère play.
    fn in_words(&self) -> String;

    /// Describes the start with all stones: "1,000 stones", "3,5,7".
    fn start_in_words(&self) -> String;

    /// Describes the notation of positions: "stones/currentmax/turn/resets/imposed".
    fn parts_of_position(&self) -> &'static str;

    /// Lists the changes to a ruleset that make its table smaller: "fewer heaps or smaller ones".
    fn smaller(&self) -> &'static str;

    /// Returns a text to add after a number of positions, if a position counts twice, once for each player to move.
    fn counted_for(&self) -> &'static str {
        ""
    }
}

/// Describes a ruleset, as [`InWords::in_words`].
pub fn ruleset(ruleset: &Ruleset) -> String {
    with_rules!(ruleset, |rules| rules.in_words())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::rulesets::find;

    #[test]
    fn presets_are_described_in_words() {
        let described = |preset: &str, settings: &[&str]| {
            let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
            ruleset(&find(preset, &settings).unwrap().ruleset)
        };
        for (preset, expected) in [
            ("expanding", "Expanding Nim, 1,000 stones, growth 1, resets 4,4, normal play"),
            ("sticks", "Nim, heaps of up to 3, 5 and 7 stones, misère play"),
            ("subtraction", "Subtraction game, 3 heaps of up to 60 stones, take 1, 3 or 4, normal play"),
            ("moore", "Moore's Nim, 4 heaps of up to 15 stones, from up to 2 heaps, normal play"),
            ("wythoff", "Wythoff's game, 2 heaps of up to 200 stones, normal play"),
            ("nim-pass", "Nim, 3 heaps of up to 31 stones, 1 pass, normal play"),
        ] {
            assert_eq!(described(preset, &[]), expected);
        }
        assert_eq!(
            described("expanding", &["base-limit=5", "reset-limit=2", "play=misere"]),
            "Expanding Nim, 1,000 stones, base limit 5, growth 1, reset limit 2, resets 4,4, misère play"
        );
        assert_eq!(described("sticks", &["bounds=[1]"]), "Nim, a heap of up to 1 stone, misère play");
        for (settings, expected) in [
            (
                &["heaps-per-move=[2]"][..],
                "Exact Nim, heaps of up to 3, 5 and 7 stones, from exactly 2 heaps",
            ),
            (
                &["heaps-per-move=[2]", "take=1"],
                "Exact slow Nim, heaps of up to 3, 5 and 7 stones, take up to 1, from exactly 2 heaps",
            ),
            (
                &["heaps-per-move=[1,3]", "equal-take=true"],
                "Heap game, heaps of up to 3, 5 and 7 stones, from 1 or 3 heaps, the same from each",
            ),
        ] {
            assert_eq!(described("sticks", settings), format!("{expected}, misère play"));
        }
    }
}
