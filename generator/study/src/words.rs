//! Rulesets and numbers for people.

use bouton_tables::expanding::Expanding;
use bouton_tables::heaps::{Heap, HeapRules, Take};
use bouton_tables::{Play, Ruleset};

/// A number with its thousands set apart. What is counted is counted up to the greatest u64.
#[must_use]
pub fn grouped(number: u64) -> String {
    if number == u64::MAX {
        return "more than 10^19".to_owned();
    }
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things.
#[must_use]
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A share in percent.
#[must_use]
pub fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn play(play: Play) -> &'static str {
    match play {
        Play::Normal => "normal play",
        Play::Misere => "misère play",
    }
}

/// A ruleset in words: its game, what is particular to it, and who wins.
#[must_use]
pub fn ruleset(ruleset: &Ruleset) -> String {
    match ruleset {
        Ruleset::Expanding(rules) => expanding(rules),
        Ruleset::Heaps(rules) => heaps(rules),
    }
}

/// The limits with which Expanding Nim is usually played are not told.
const USUAL_LIMIT: u32 = 3;

fn expanding(rules: &Expanding) -> String {
    let mut parts = vec!["Expanding Nim".to_owned(), count(rules.stones().into(), "stone", "stones")];
    if rules.base_limit() != USUAL_LIMIT {
        parts.push(format!("base limit {}", grouped(rules.base_limit().into())));
    }
    parts.push(format!("growth {}", grouped(rules.growth().into())));
    if rules.reset_limit() != rules.base_limit().min(USUAL_LIMIT) {
        parts.push(format!("reset limit {}", grouped(rules.reset_limit().into())));
    }
    let [first, second] = rules.resets();
    parts.push(format!("resets {first},{second}"));
    parts.push(play(rules.play()).to_owned());
    parts.join(", ")
}

fn heaps(rules: &HeapRules) -> String {
    let (any, several) = (*rules.take() == Take::Any, rules.heaps_per_move() > 1);
    let name = match (any, several, rules.equal_take()) {
        (true, false, _) => "Nim",
        (true, true, false) => "Moore's Nim",
        (true, true, true) if rules.heaps() == 2 => "Wythoff's game",
        (false, false, _) => "Subtraction game",
        _ => "Heap game",
    };
    let mut parts = vec![name.to_owned(), bounds(rules.bounds())];
    match rules.take() {
        Take::Any => {}
        Take::UpTo(most) => parts.push(format!("take up to {}", grouped((*most).into()))),
        Take::Exactly(amounts) => parts.push(format!("take {}", listed(amounts, "or"))),
    }
    if several && name != "Wythoff's game" {
        let same = if rules.equal_take() { ", the same from each" } else { "" };
        parts.push(format!("from up to {} heaps{same}", rules.heaps_per_move()));
    }
    if rules.passes() > 0 {
        parts.push(count(rules.passes().into(), "pass", "passes"));
    }
    parts.push(play(rules.play()).to_owned());
    parts.join(", ")
}

fn bounds(bounds: &[Heap]) -> String {
    match bounds {
        [only] => format!("a heap of up to {}", count((*only).into(), "stone", "stones")),
        [first, rest @ ..] if rest.iter().all(|bound| bound == first) => {
            format!("{} heaps of up to {}", bounds.len(), count((*first).into(), "stone", "stones"))
        }
        _ => format!("heaps of up to {} stones", listed(bounds, "and")),
    }
}

/// So many numbers of a list are told, and the last one.
const TOLD: usize = 8;

fn listed(numbers: &[Heap], and: &str) -> String {
    let shown = |number: &Heap| grouped((*number).into());
    match numbers {
        [] => String::new(),
        [only] => shown(only),
        [some @ .., last] if some.len() <= TOLD => {
            format!("{} {and} {}", some.iter().map(shown).collect::<Vec<_>>().join(", "), shown(last))
        }
        [some @ .., last] => {
            let some: Vec<String> = some.iter().take(TOLD).map(shown).collect();
            format!("{}, … {and} {}", some.join(", "), shown(last))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::rulesets::find;

    #[test]
    fn presets_are_told_in_words() {
        let told = |preset: &str, settings: &[&str]| {
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
            assert_eq!(told(preset, &[]), expected);
        }
        assert_eq!(
            told("expanding", &["base-limit=5", "reset-limit=2", "play=misere"]),
            "Expanding Nim, 1,000 stones, base limit 5, growth 1, reset limit 2, resets 4,4, misère play"
        );
        assert_eq!(told("sticks", &["bounds=[1]"]), "Nim, a heap of up to 1 stone, misère play");
    }
}
