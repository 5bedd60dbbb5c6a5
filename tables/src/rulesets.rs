//! Ruleset files (TOML), the presets shipped with the program, and overrides of single keys.

use std::path::Path;

use toml::{Table as Keys, Value};

use crate::error::shorten;
use crate::expanding::{Expanding, MAX_RESETS, MAX_STONES};
use crate::{Play, Ruleset, RulesetError};

/// A preset: its name, and the text of its file.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name to give on the command line.
    pub name: &'static str,
    /// The TOML text, with comments.
    pub text: &'static str,
}

/// The presets, the default first.
pub const PRESETS: &[Preset] =
    &[Preset { name: "expanding", text: include_str!("../presets/expanding.toml") }];

/// The preset of a name.
#[must_use]
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

/// A ruleset with the name that its table gets: the preset's name, or the file's without its ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Name for files.
    pub name: String,
    /// The ruleset.
    pub ruleset: Ruleset,
}

/// The ruleset that a command line names: a preset or a TOML file, with settings `KEY=VALUE` applied.
///
/// # Errors
/// Names the key, what was found and what is allowed.
pub fn find(which: &str, settings: &[String]) -> Result<Named, RulesetError> {
    let (name, text) = match preset(which) {
        Some(preset) => (preset.name.to_owned(), preset.text.to_owned()),
        None => read_file(which)?,
    };
    let mut keys = parse(&text)?;
    for setting in settings {
        let (key, value) = parse_setting(setting)?;
        keys.insert(key, value);
    }
    Ok(Named { name, ruleset: from_keys(&keys)? })
}

/// The longest ruleset file that is read.
const LONGEST_FILE: u64 = 65_536;

fn read_file(which: &str) -> Result<(String, String), RulesetError> {
    let path = Path::new(which);
    let looks_like_a_file = path.extension().is_some() || path.components().count() > 1 || path.exists();
    if !looks_like_a_file {
        let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        return Err(RulesetError::UnknownPreset { name: shorten(which), presets: presets.join(", ") });
    }
    let unreadable = |reason: &dyn ToString| RulesetError::Unreadable {
        path: path.to_owned(),
        reason: reason.to_string(),
    };
    // Looked at before it is opened: a pipe would wait for ever, and a device never end.
    let kind = std::fs::metadata(path).map_err(|error| unreadable(&error))?;
    if !kind.is_file() || kind.len() > LONGEST_FILE {
        return Err(unreadable(&format!("it is no ordinary file of at most {LONGEST_FILE} bytes")));
    }
    let text = std::fs::read(path).map_err(|error| unreadable(&error))?;
    if text.starts_with(b"\x89BTN") {
        return Err(unreadable(&"it is a table; `bouton info` tells its ruleset"));
    }
    let text = String::from_utf8(text).map_err(|_| unreadable(&"it is not UTF-8 text"))?;
    Ok((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), text))
}

/// The ruleset of a TOML text.
///
/// # Errors
/// Names the key, what was found and what is allowed.
pub fn from_toml(text: &str) -> Result<Ruleset, RulesetError> {
    from_keys(&parse(text)?)
}

fn parse(text: &str) -> Result<Keys, RulesetError> {
    text.parse().map_err(|error: toml::de::Error| RulesetError::IllFormed {
        reason: error.to_string().trim().to_owned(),
    })
}

/// A setting `KEY=VALUE`; the value is TOML, or a word without its quotes, or a list without its brackets.
fn parse_setting(text: &str) -> Result<(String, Value), RulesetError> {
    let bad = || RulesetError::BadSetting { text: shorten(text) };
    let (key, value) = text.split_once('=').ok_or_else(bad)?;
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() || value.is_empty() {
        return Err(bad());
    }
    let toml = |value: &str| {
        let mut keys = format!("value = {value}").parse::<Keys>().ok().filter(|keys| keys.len() == 1)?;
        keys.remove("value")
    };
    let list = || value.contains(',').then(|| toml(&format!("[{value}]"))).flatten();
    let value = toml(value).or_else(list).unwrap_or_else(|| Value::String(value.to_owned()));
    Ok((key.to_owned(), value))
}

fn from_keys(keys: &Keys) -> Result<Ruleset, RulesetError> {
    let game = Key { name: "game", keys };
    match game.value() {
        Some(Value::String(family)) if family == "expanding" => expanding(keys).map(Ruleset::Expanding),
        found => Err(game.bad(found, "\"expanding\"")),
    }
}

const EXPANDING_KEYS: &[&str] = &["game", "stones", "base-limit", "growth", "reset-limit", "resets", "play"];

fn expanding(keys: &Keys) -> Result<Expanding, RulesetError> {
    known_keys_only(keys, "expanding", EXPANDING_KEYS)?;
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

fn known_keys_only(keys: &Keys, game: &'static str, known: &[&str]) -> Result<(), RulesetError> {
    match keys.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(RulesetError::UnknownKey { key: shorten(key), game, known: known.join(", ") }),
    }
}

/// A key of a ruleset file.
struct Key<'a> {
    name: &'static str,
    keys: &'a Keys,
}

impl Key<'_> {
    fn value(&self) -> Option<&Value> {
        self.keys.get(self.name)
    }

    /// The error for a value that is missing or not allowed.
    fn bad(&self, found: Option<&Value>, allowed: &str) -> RulesetError {
        let (key, allowed) = (self.name, allowed.to_owned());
        match found {
            None => RulesetError::MissingKey { key, allowed },
            Some(found) => RulesetError::BadValue { key, found: shorten(&show(found)), allowed },
        }
    }

    fn number(&self, least: u32, most: u32) -> Result<u32, RulesetError> {
        let found = self.value();
        let number = found.and_then(Value::as_integer).and_then(|number| u32::try_from(number).ok());
        number
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| self.bad(found, &format!("a whole number from {least} to {most}")))
    }

    fn pair(&self, most: u8) -> Result<[u8; 2], RulesetError> {
        let found = self.value();
        let numbers = found.and_then(Value::as_array).and_then(|array| {
            let number = |value: &Value| u8::try_from(value.as_integer()?).ok().filter(|&n| n <= most);
            array.iter().map(number).collect::<Option<Vec<u8>>>()
        });
        numbers
            .and_then(|numbers| <[u8; 2]>::try_from(numbers).ok())
            .ok_or_else(|| self.bad(found, &format!("two whole numbers from 0 to {most}, such as [4, 4]")))
    }

    fn play(&self) -> Result<Play, RulesetError> {
        match self.value() {
            Some(Value::String(play)) if play == "normal" => Ok(Play::Normal),
            Some(Value::String(play)) if play == "misere" => Ok(Play::Misere),
            found => Err(self.bad(found, "\"normal\" or \"misere\"")),
        }
    }
}

/// A value as it would stand in a file, on one line.
fn show(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{text}\""),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Boolean(truth) => truth.to_string(),
        Value::Datetime(when) => when.to_string(),
        Value::Array(values) => format!("[{}]", values.iter().map(show).collect::<Vec<_>>().join(", ")),
        Value::Table(_) => "a table".to_owned(),
    }
}

/// The text of a ruleset file, with a comment at each key. [`from_toml`] reads it back.
#[must_use]
pub fn to_toml(ruleset: &Ruleset) -> String {
    match ruleset {
        Ruleset::Expanding(rules) => {
            let [first, second] = rules.resets();
            let lines = [
                (
                    "game = \"expanding\"".to_owned(),
                    "one pile; the limit grows with the most that anyone took at once",
                ),
                (
                    format!("stones = {}", rules.stones()),
                    "the table covers games of at most so many; 1 and up",
                ),
                (
                    format!("base-limit = {}", rules.base_limit()),
                    "the limit is never less without a reset; 1 and up",
                ),
                (
                    format!("growth = {}", rules.growth()),
                    "limit = currentmax + growth, if that is more; 0 and up",
                ),
                (
                    format!("reset-limit = {}", rules.reset_limit()),
                    "the limit under a reset; 1 to base-limit",
                ),
                (format!("resets = [{first}, {second}]"), "how many each player may impose; 0 to 15"),
                (
                    format!("play = \"{}\"", rules.play()),
                    "who takes the last stone: \"normal\" wins, \"misere\" loses",
                ),
            ];
            lines.iter().map(|(key, comment)| format!("{key:<20} # {comment}\n")).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(settings: &[&str]) -> String {
        let settings: Vec<String> = settings.iter().map(|&s| s.to_owned()).collect();
        find("expanding", &settings).unwrap_err().to_string()
    }

    #[test]
    fn a_ruleset_reads_back_as_it_prints() {
        for preset in PRESETS {
            let ruleset = from_toml(preset.text).unwrap();
            assert_eq!(from_toml(&to_toml(&ruleset)).unwrap(), ruleset);
        }
    }

    #[test]
    fn settings_override_single_keys() {
        let settings = ["stones=50", "resets = 1,0", "play=misere"].map(str::to_owned);
        let Ruleset::Expanding(rules) = find("expanding", &settings).unwrap().ruleset;
        assert_eq!(
            (rules.stones(), rules.resets(), rules.play(), rules.growth()),
            (50, [1, 0], Play::Misere, 1)
        );
    }

    #[test]
    fn bad_settings_name_the_key_the_value_and_what_is_allowed() {
        let cases = [
            ("stones=0", "stones = 0: allowed is a whole number from 1 to 1000000000"),
            ("stones=-3", "stones = -3: allowed"),
            ("stones=99999999999999999999", "stones = \"99999999999999999999\": allowed"),
            ("stones=1.5", "stones = 1.5: allowed"),
            ("stones=1e3", "stones = 1000.0: allowed"),
            ("resets=1,2,3", "resets = [1, 2, 3]: allowed"),
            ("stones=ten", "stones = \"ten\": allowed"),
            ("base-limit=0", "base-limit = 0: allowed"),
            ("reset-limit=4", "reset-limit = 4: allowed is a whole number from 1 to 3, the base-limit"),
            ("resets=[16,4]", "resets = [16, 4]: allowed is two whole numbers from 0 to 15"),
            ("resets=[4]", "resets = [4]: allowed"),
            ("resets=4", "resets = 4: allowed"),
            ("play=reverse", "play = \"reverse\": allowed is \"normal\" or \"misere\""),
            ("game=chess", "game = \"chess\": allowed is \"expanding\""),
            ("stone=5", "unknown key 'stone'; the keys of game \"expanding\" are: game, stones,"),
            ("growth", "'growth' does not set a key; write KEY=VALUE"),
            ("=5", "'=5' does not set a key"),
        ];
        for (setting, expected) in cases {
            let found = error(&[setting]);
            assert!(found.starts_with(expected), "{setting}: {found}");
        }
    }

    #[test]
    fn files_that_cannot_be_read_or_parsed_say_so() {
        let unknown = find("chess", &[]).unwrap_err().to_string();
        assert!(unknown.contains("no preset 'chess'; presets are: expanding"), "{unknown}");
        assert!(
            find("no/such.toml", &[])
                .unwrap_err()
                .to_string()
                .contains("cannot read the ruleset no/such.toml")
        );
        assert!(from_toml("stones = = 3").unwrap_err().to_string().starts_with("not a TOML file:"));
        assert!(
            from_toml("game = \"expanding\"")
                .unwrap_err()
                .to_string()
                .starts_with("the key 'stones' is missing")
        );
    }
}
