//! Suggestions for a misspelled preset, key or value.

use crate::RulesetError;
use crate::expanding::ExpandingKeys;
use crate::heaps::HeapKeys;
use crate::keys::FamilyKeys;

/// A suggestion must have a Jaro similarity above this, as in clap's own suggestions.
const MIN_SIMILARITY: f64 = 0.7;

pub(crate) const KEYS: [(&str, &[&str]); 2] =
    [(ExpandingKeys::FAMILY, ExpandingKeys::NAMES), (HeapKeys::FAMILY, HeapKeys::NAMES)];

/// Returns the known word that is most similar to `found`; `None` if none is similar. Underscores count as hyphens.
fn most_similar<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = found.to_lowercase().replace('_', "-");
    let similar = known.into_iter().map(|word| (strsim::jaro(&found, word), word));
    let best = similar.max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.filter(|&(similarity, _)| similarity > MIN_SIMILARITY).map(|(_, word)| word)
}

pub(crate) fn with_advice(error: RulesetError) -> RulesetError {
    match advice(&error) {
        Some(advice) => RulesetError::WithAdvice { reason: Box::new(error), advice },
        None => error,
    }
}

/// Returns the suggestion for an error.
fn advice(error: &RulesetError) -> Option<String> {
    let meant = match error {
        RulesetError::UnknownPreset { name, presets } => most_similar(name, presets.split(", "))?,
        RulesetError::UnknownKey { key, known, .. } => {
            if let Some((game, _)) = KEYS.iter().find(|(_, names)| names.contains(&&**key)) {
                return Some(format!("'{key}' is a key of game \"{game}\""));
            }
            most_similar(key, known.split(", "))?
        }
        RulesetError::BadValue { found, allowed, .. } => {
            // In `allowed`, words are in quotes, and truth values are not.
            let quoted = allowed.split('"').skip(1).step_by(2);
            let truths = ["true", "false"].into_iter().filter(|_| allowed.starts_with("true or false"));
            most_similar(found.strip_prefix('"')?.trim_end_matches('"'), quoted.chain(truths))?
        }
        _ => return None,
    };
    Some(format!("did you mean '{meant}'?"))
}

#[cfg(test)]
mod tests {
    use crate::rulesets::find;

    fn error(preset: &str, setting: &str) -> String {
        let settings = Some(setting).filter(|setting| !setting.is_empty()).map(str::to_owned);
        find(preset, settings.as_slice()).unwrap_err().to_string()
    }

    #[test]
    fn an_error_names_the_preset_key_or_value_that_was_probably_meant() {
        for (preset, setting, expected) in [
            ("wythof", "", "did you mean 'wythoff'?"),
            ("Nim", "", "did you mean 'nim'?"),
            ("nim_misere", "", "did you mean 'nim-misere'?"),
            ("expanding", "stone=5", "did you mean 'stones'?"),
            ("expanding", "base_limit=5", "did you mean 'base-limit'?"),
            ("expanding", "Growth=5", "did you mean 'growth'?"),
            ("nim", "heap-per-move=2", "did you mean 'heaps-per-move'?"),
            ("nim", "stones=9", "'stones' is a key of game \"expanding\""),
            ("expanding", "take=3", "'take' is a key of game \"heaps\""),
            ("nim", "play=misère", "did you mean 'misere'?"),
            ("nim", "play=Normal", "did you mean 'normal'?"),
            ("nim", "equal-take=ture", "did you mean 'true'?"),
            ("expanding", "game=heap", "did you mean 'heaps'?"),
        ] {
            let found = error(preset, setting);
            assert!(found.ends_with(&format!("; {expected}")), "{preset} {setting}: {found}");
        }
    }

    #[test]
    fn without_a_similar_word_nothing_is_suggested() {
        for (preset, setting) in
            [("chess", ""), ("nim", "colour=red"), ("nim", "take=all"), ("nim", "passes=99")]
        {
            let found = error(preset, setting);
            assert!(!found.contains("did you mean"), "{preset} {setting}: {found}");
        }
    }
}
