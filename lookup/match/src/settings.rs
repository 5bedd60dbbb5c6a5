//! Rulesets in words, differences of rulesets as settings for `--set`, and the options of an empty command line.

use std::collections::BTreeMap;

use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tables::{KeyValue, Ruleset};
use clap::{Args, Command};

use crate::protocol::usual_rules;

/// Returns the settings `KEY=VALUE` that turn the ruleset `other` into `ruleset`, sorted by key.
pub fn differing_settings(ruleset: &Ruleset, other: &Ruleset) -> Vec<String> {
    let is_other_family = ruleset.family() != other.family();
    let game = is_other_family.then(|| format!("game={}", ruleset.family()));
    let (keys, other) = (ruleset.keys(), other.keys());
    let differs = |key: &(&str, &KeyValue)| is_other_family || other.iter().all(|same| same != *key);
    let differing: BTreeMap<_, _> = keys.iter().filter(differs).collect();
    let settings = differing.into_iter().map(|(key, value)| format!("{key}={}", word(value)));
    game.into_iter().chain(settings).collect()
}

/// Returns the settings in which `rules` differ from `other`, except stones and resets.
pub(crate) fn differing_game(rules: &Expanding, other: &Expanding) -> Vec<String> {
    let [rules, other] = [rules, other].map(|rules| {
        let keys = ExpandingKeys { stones: 1, resets: [0; 2], ..rules.keys().clone() };
        keys.rules().expect("one stone and no resets are allowed").into()
    });
    differing_settings(&rules, &other)
}

/// Returns the options that turn the preset `expanding` into these rules.
pub(crate) fn options_for(rules: &Expanding) -> String {
    let settings = differing_settings(&rules.clone().into(), &usual_rules().into());
    settings.iter().map(|setting| format!(" --set {setting}")).collect()
}

/// Returns the settings, except stones and resets, that differ from the rules of the tournaments, to append to a sentence.
pub(crate) fn variant_in_words(rules: &Expanding) -> String {
    let settings = differing_game(rules, &usual_rules());
    if settings.is_empty() { String::new() } else { format!(", with {}", settings.join(" and ")) }
}

/// Returns the stones and resets of a game, joined by `separator`: `1000 stones and 4 resets each`.
pub(crate) fn size_in_words(rules: &Expanding, separator: &str) -> String {
    let (stones, [first, second]) = (rules.stones(), rules.resets());
    let plural = |number| if number == 1 { "" } else { "s" };
    let resets = match first == second {
        true => format!("{first} reset{} each", plural(first.into())),
        false => format!("{first},{second} resets"),
    };
    format!("{stones} stone{}{separator}{resets}", plural(stones))
}

/// Returns the options of an empty command line. `T` must not have a required option.
pub(crate) fn default_options<T: Args>() -> T {
    let command = T::augment_args(Command::new("match"));
    let matches = command.try_get_matches_from(["match"]);
    matches.and_then(|matches| T::from_arg_matches(&matches)).expect("no option has to be given")
}

/// Returns a value as `--set` takes it: a word without its quotes, and a list without its brackets unless it has only
/// one element, since `take=[2]` is not `take=2`.
fn word(value: &KeyValue) -> String {
    match value {
        KeyValue::Word(text) => text.clone(),
        KeyValue::List(values) if values.len() > 1 => values.iter().map(word).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::rulesets::{PRESETS, change, find};

    #[test]
    fn differing_settings_turn_one_ruleset_into_the_other() {
        let usual = find("expanding", &[]).unwrap().ruleset;
        for settings in [
            &["growth=2"][..],
            &["base-limit=5", "reset-limit=2"],
            &["resets=1,2", "stones=7", "play=misere"],
            &[],
        ] {
            let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
            let changed = change(&usual, &settings).unwrap();
            let mut sorted = settings.clone();
            sorted.sort();
            assert_eq!(differing_settings(&changed, &usual), sorted);
        }
        for preset in PRESETS {
            let ruleset = find(preset.name, &[]).unwrap().ruleset;
            let settings = differing_settings(&ruleset, &usual);
            assert_eq!(change(&usual, &settings).unwrap(), ruleset, "{}: {settings:?}", preset.name);
        }
    }
}
