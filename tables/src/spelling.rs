//! The spelling of a ruleset: a short text for names and web addresses, such as `bounds=3,5,7;take=1,2;play=misere`.
//! Settings of command lines need a TOML parser, which programs for browsers omit; see `rulesets.rs`.

use crate::expanding::ExpandingKeys;
use crate::heaps::HeapKeys;
use crate::keys::{FamilyKeys, KeyValue, ReadKey, UncheckedKeys, WrittenKey, bad_value};
use crate::notation::normalized_blanks;
use crate::{Ruleset, RulesetError, with_rules};

impl Ruleset {
    /// Maximum length of a spelling, in bytes.
    pub const MAX_SPELLING_LEN: usize = 500;

    /// Reads a spelling: settings `KEY=VALUE` separated by semicolons, with the keys of ruleset files. `bounds`, or
    /// `heaps` and `size`, make it a heap game, `stones` Expanding Nim; omitted keys have their defaults. A list is
    /// numbers separated by commas; a list of one number needs brackets if a single number has another meaning. Blanks
    /// between two words of a value count as a comma; those around keys, values and commas are ignored.
    pub fn from_spelling(text: &str) -> Result<Self, RulesetError> {
        let refusal = |found: String| Err(RulesetError::IllSpelled { found });
        if text.len() > Self::MAX_SPELLING_LEN {
            return refusal(format!(
                "{} bytes, and at most {} are allowed",
                text.len(),
                Self::MAX_SPELLING_LEN
            ));
        }
        let mut keys = UncheckedKeys::default();
        for setting in text.split(';').map(str::trim).filter(|setting| !setting.is_empty()) {
            let parts = setting.split_once('=').map(|(key, value)| (key.trim_end(), value));
            let Some((key, value)) = parts.filter(|(key, _)| !key.is_empty()) else {
                return refusal(format!("'{}', which sets no key", crate::error::shorten(setting)));
            };
            let value = normalized_blanks(value, &[',', '['], &[',', ']'], ",");
            if keys.insert(key.to_owned(), parse_value(key, &value)).is_some() {
                return refusal(format!("the key '{}' twice", crate::error::shorten(key)));
            }
        }
        // `game` is redundant: the other keys determine the family.
        let game = keys.remove("game");
        let has = |name| keys.get(name).is_some();
        let (family, defaulted) = if ["bounds", "heaps", "size"].into_iter().any(has) {
            add_defaults::<HeapKeys>(&mut keys)
        } else if has("stones") {
            add_defaults::<ExpandingKeys>(&mut keys)
        } else {
            return refusal("neither the key 'bounds' nor the key 'stones'".to_owned());
        };
        let family = KeyValue::Word(family.to_owned());
        if let Some(found) = game.filter(|found| *found != family) {
            return Err(bad_value("game", &found, format!("{family}, whose keys the others are")));
        }
        Self::from_keys(ReadKey { name: "game", value: Some(&family) }, &keys).map_err(|error| match error {
            RulesetError::BadValue { key, found, allowed } if defaulted.contains(&key) => {
                RulesetError::BadDefault { key, found, allowed }
            }
            error => error,
        })
    }

    /// Returns the spelling of the ruleset without default values, with the keys in the order of ruleset files.
    /// [`from_spelling`](Self::from_spelling) reads it back.
    pub fn spelling(&self) -> String {
        fn spelled<K: FamilyKeys>(keys: &K) -> String {
            // The first key identifies the family; the others are omitted if they have their defaults.
            let keys = keys.entries().into_iter().zip(K::default().entries()).enumerate();
            let settings = keys
                .filter(|(index, (key, default))| *index == 0 || key.value != default.value)
                .map(|(_, (key, _))| format!("{}={}", key.name, shown(key.name, &key.value)));
            settings.collect::<Vec<_>>().join(";")
        }
        with_rules!(self, |rules| spelled(rules.keys()))
    }
}

/// Sets omitted keys, except the first, to their defaults. Returns the family's name, and the names of these keys.
fn add_defaults<K: FamilyKeys>(keys: &mut UncheckedKeys) -> (&'static str, Vec<&'static str>) {
    let mut defaulted = Vec::new();
    for WrittenKey { name, value, .. } in K::default().entries().into_iter().skip(1) {
        if keys.get(name).is_none() {
            keys.insert(name.to_owned(), value);
            defaulted.push(name);
        }
    }
    (K::FAMILY, defaulted)
}

fn parse_value(key: &str, text: &str) -> KeyValue {
    if key == "take" && text.contains("..") {
        return KeyValue::Word(text.to_owned()).with_ranges();
    }
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    // Bounds are always a list.
    if inner.is_some() || text.contains(',') || key == "bounds" {
        return KeyValue::List(inner.unwrap_or(text).split(',').map(parse_single).collect());
    }
    parse_single(text)
}

/// Reads a value that is no list.
fn parse_single(text: &str) -> KeyValue {
    match (text, text.parse()) {
        (_, Ok(number)) => KeyValue::Number(number),
        ("true", _) => KeyValue::Truth(true),
        ("false", _) => KeyValue::Truth(false),
        _ => KeyValue::Word(text.to_owned()),
    }
}

/// Returns a value as it is spelled.
fn shown(key: &str, value: &KeyValue) -> String {
    match value {
        KeyValue::List(values) => {
            let list = values.iter().map(|value| shown(key, value)).collect::<Vec<_>>().join(",");
            if values.len() == 1 && key != "bounds" { format!("[{list}]") } else { list }
        }
        KeyValue::Word(word) => word.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruleset_has_one_spelling_that_reads_back() {
        for (text, spelling) in [
            ("bounds=3,5,7", "bounds=3,5,7"),
            ("play=misere;bounds=7,5,3;", "bounds=3,5,7;play=misere"),
            (
                "bounds=[3,5,7];take=any;heaps-per-move=1;equal-take=false;passes=0;play=normal",
                "bounds=3,5,7",
            ),
            ("bounds=3,5,7;take=1,2,4;play=misere;passes=1", "bounds=3,5,7;take=1,2,4;passes=1;play=misere"),
            ("bounds=21;take=3", "bounds=21;take=3"),
            ("bounds=[21];take=[3]", "bounds=21;take=[3]"),
            ("heaps=3;size=4", "bounds=4,4,4"),
            ("bounds=4,4;heaps-per-move=2;equal-take=true", "bounds=4,4;heaps-per-move=2;equal-take=true"),
            ("stones=100", "stones=100"),
            ("growth=1;stones=1000;resets=4,4;play=normal", "stones=1000"),
            ("stones=50;growth=2;resets=1,0", "stones=50;growth=2;resets=1,0"),
            ("game=heaps;bounds=3,5", "bounds=3,5"),
            ("stones=9;game=expanding", "stones=9"),
            (" bounds = 3, 5 ;\ttake=1 ,2 ; ", "bounds=3,5;take=1,2"),
            ("bounds=3 5 7; take=[ 2 ]; play= misere", "bounds=3,5,7;take=[2];play=misere"),
            ("stones= 50; resets=[1 0]", "stones=50;resets=1,0"),
        ] {
            let ruleset = Ruleset::from_spelling(text).unwrap();
            assert_eq!(ruleset.spelling(), spelling, "{text}");
            assert_eq!(Ruleset::from_spelling(spelling).unwrap(), ruleset, "{text}");
        }
    }

    #[test]
    fn omitted_keys_have_their_defaults() {
        let read = |text| Ruleset::from_spelling(text).unwrap();
        let Ruleset::Heaps(heaps) = read("bounds=3,5") else { panic!() };
        assert_eq!(heaps.keys(), &HeapKeys { bounds: vec![3, 5], ..HeapKeys::default() });
        let Ruleset::Expanding(pile) = read("stones=9") else { panic!() };
        assert_eq!(pile.keys(), &ExpandingKeys { stones: 9, ..ExpandingKeys::default() });
    }

    #[test]
    fn an_invalid_spelling_is_explained() {
        let long = format!("bounds={}", "1,".repeat(500_000));
        let amounts = format!("bounds=9;take={}", "1,".repeat(200));
        for (text, expected) in [
            ("", "found neither the key 'bounds' nor the key 'stones'"),
            ("play=misere", "found neither"),
            ("=3", "found '=3', which sets no key"),
            ("bounds=3;bounds=3", "found the key 'bounds' twice"),
            ("bounds=3;colour=red", "unknown key 'colour'; the keys of game \"heaps\" are: game, bounds,"),
            ("bounds=3;stones=3", "unknown key 'stones'"),
            ("stones=3;take=3", "unknown key 'take'; the keys of game \"expanding\" are:"),
            (
                "bounds=3;game=expanding",
                "game = \"expanding\": expected \"heaps\", whose keys the others are",
            ),
            ("stones=3;game=heaps", "game = \"heaps\": expected \"expanding\", whose keys the others are"),
            ("stones=3;game=3", "game = 3: expected \"expanding\""),
            ("game=heaps", "found neither the key 'bounds' nor the key 'stones'"),
            ("game=heaps;game=heaps;bounds=3", "found the key 'game' twice"),
            (" ; ", "found neither"),
            ("bounds", "found 'bounds', which sets no key"),
            (" = 3", "found '= 3', which sets no key"),
            ("bounds=3, ,5", "bounds = [3, \"\", 5]: expected"),
            ("heaps-per move=1;bounds=3", "unknown key 'heaps-per move'"),
            (
                "stones=100;base-limit=1",
                "reset-limit is missing, and its default 3 is not allowed here: expected a whole number from \
                 1 to 1, the base-limit; set reset-limit",
            ),
            ("stones=100;base-limit=1;reset-limit=3", "reset-limit = 3: expected a whole number from 1 to 1"),
            ("bounds=0", "bounds = [0]: expected the largest size"),
            ("bounds=-3", "bounds = [-3]: expected"),
            ("bounds=", "bounds = [\"\"]: expected"),
            ("bounds=3,,5", "bounds = [3, \"\", 5]: expected"),
            ("bounds=1e9", "bounds = [\"1e9\"]: expected"),
            ("bounds=99999999999999999999", "bounds = [\"99999999999999999999\"]: expected"),
            ("bounds=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "bounds = [1, 1, 1"),
            ("heaps=1000000;size=1", "heaps = 1000000: expected a whole number from 1 to 16"),
            ("heaps=3", "the key 'size' is missing"),
            ("bounds=3;take=0", "take = 0: expected"),
            ("bounds=3;play=reverse", "play = \"reverse\": expected \"normal\" or \"misere\""),
            ("stones=0", "stones = 0: expected a whole number from 1 to 1000000000"),
            ("stones=9;resets=16,0", "resets = [16, 0]: expected"),
            (&amounts, "take = [1, 1,"),
            (&long, "found 1000007 bytes, and at most 500 are allowed"),
        ] {
            let found = Ruleset::from_spelling(text).unwrap_err().to_string();
            assert!(found.starts_with(expected), "{}: {found}", &text[..text.len().min(60)]);
            assert!(found.len() < 400, "{found}");
        }
    }
}
