//! Ruleset files (TOML), presets, and settings that override single keys.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::shorten;
use crate::input::{display_name, is_dash, open};
use crate::keys::{FamilyKeys, KeyValue, ReadKey, UncheckedKeys, WrittenKey};
use crate::suggestions::{KEYS, with_advice};
use crate::{Ruleset, RulesetError, with_rules};

/// A preset: its name, and the text of its file.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name on the command line.
    pub name: &'static str,
    /// The TOML text, with comments.
    pub text: &'static str,
}

/// The presets, the default first.
pub const PRESETS: &[Preset] = &[
    Preset { name: "expanding", text: include_str!("../presets/expanding.toml") },
    Preset { name: "sticks", text: include_str!("../presets/sticks.toml") },
    Preset { name: "marienbad", text: include_str!("../presets/marienbad.toml") },
    Preset { name: "nim", text: include_str!("../presets/nim.toml") },
    Preset { name: "nim-misere", text: include_str!("../presets/nim-misere.toml") },
    Preset { name: "subtraction", text: include_str!("../presets/subtraction.toml") },
    Preset { name: "moore", text: include_str!("../presets/moore.toml") },
    Preset { name: "wythoff", text: include_str!("../presets/wythoff.toml") },
    Preset { name: "nim-pass", text: include_str!("../presets/nim-pass.toml") },
];

/// Returns the preset with a name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

/// A ruleset, and the name for its table: the preset's name, or the file's name without its extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRuleset {
    /// The name for files.
    pub name: String,
    /// The ruleset.
    pub ruleset: Ruleset,
}

/// Reads a ruleset that a command line names (a preset, a TOML file, or `-` for standard input), and applies settings.
pub fn find(which: impl AsRef<OsStr>, settings: &[String]) -> Result<NamedRuleset, RulesetError> {
    let which = which.as_ref();
    if let Some(Preset { name, text }) = which.to_str().and_then(preset) {
        return Ok(NamedRuleset {
            name: (*name).to_owned(),
            ruleset: from_text(text, settings, Path::new(name))?,
        });
    }
    let path = Path::new(which);
    let looks_like_a_file =
        path.extension().is_some() || path.components().count() > 1 || path.exists() || is_dash(path);
    if !looks_like_a_file {
        let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let name = shorten(&which.to_string_lossy());
        return Err(with_advice(RulesetError::UnknownPreset { name, presets: presets.join(", ") }));
    }
    let file = open(path).map_err(|error| unreadable(path, &error))?;
    read(path, file, settings)
}

/// Reads the ruleset of an open TOML file, and applies settings. Messages name the file by `path`.
pub fn read(path: &Path, file: impl Read, settings: &[String]) -> Result<NamedRuleset, RulesetError> {
    let mut text = Vec::new();
    // The stream may be endless.
    file.take(MAX_FILE_LEN + 1).read_to_end(&mut text).map_err(|error| unreadable(path, &error))?;
    if text.starts_with(COMMON_MAGIC) {
        return Err(unreadable(
            path,
            &"it is a Bouton file, not a ruleset; `bouton info` prints the ruleset of a table",
        ));
    }
    if text.len() as u64 > MAX_FILE_LEN {
        return Err(unreadable(path, &format!("it has more than {MAX_FILE_LEN} bytes")));
    }
    let text = String::from_utf8(text).map_err(|_| unreadable(path, &"it is not UTF-8 text"))?;
    let name =
        if is_dash(path) { "stdin".into() } else { path.file_stem().unwrap_or_default().to_string_lossy() };
    Ok(NamedRuleset {
        name: name.into_owned(),
        ruleset: from_text(&text, settings, display_name(path).as_ref())?,
    })
}

/// Reads the ruleset of a file's text, and applies settings. An error in the file names `path`.
fn from_text(text: &str, settings: &[String], path: &Path) -> Result<Ruleset, RulesetError> {
    with_settings(text, settings).map_err(|error| match from_toml(text) {
        // An error that occurs without the settings too is in the file.
        Err(file_error) if file_error == error => {
            RulesetError::InFile { path: path.to_owned(), reason: Box::new(error) }
        }
        _ => error,
    })
}

fn unreadable(path: &Path, reason: &dyn ToString) -> RulesetError {
    RulesetError::Unreadable { path: display_name(path).into(), reason: reason.to_string() }
}

/// Applies settings `KEY=VALUE` to a ruleset.
pub fn change(ruleset: &Ruleset, settings: &[String]) -> Result<Ruleset, RulesetError> {
    with_settings(&to_toml(ruleset), settings)
}

/// Reads the ruleset of a text, and applies settings. No error names a file.
fn with_settings(text: &str, settings: &[String]) -> Result<Ruleset, RulesetError> {
    let mut keys = parse(text)?;
    let settings = settings.iter().map(|setting| parse_setting(setting)).collect::<Result<Vec<_>, _>>()?;
    // A setting of `bounds` also replaces `heaps` and `size` of the file, and the reverse.
    for alternative in settings.iter().flat_map(|(key, _)| Ruleset::alternatives(key)) {
        keys.remove(alternative);
    }
    // A setting of `game` to another game discards all keys of the file.
    let new_game = settings.iter().find(|(key, value)| key == "game" && keys.get("game") != Some(value));
    let new_game = new_game.map(|(_, game)| game.to_string());
    if new_game.is_some() {
        keys = UncheckedKeys::default();
    }
    for (key, value) in settings {
        keys.insert(key, value);
    }
    from_keys(keys).map_err(|error| match (new_game, error) {
        (Some(game), reason @ RulesetError::MissingKey { .. }) => {
            RulesetError::OtherGame { game, reason: Box::new(reason) }
        }
        (_, error) => error,
    })
}

/// The first bytes of all Bouton files, tables among them. No ruleset begins with them.
pub const COMMON_MAGIC: &[u8] = b"\x89BT";

/// Returns true if a path names a table, not a ruleset: the path ends in `.bouton`, or the file begins like a Bouton
/// file.
pub fn names_a_table(path: &Path) -> bool {
    if path.extension().is_some_and(|ending| ending == "bouton") {
        return true;
    }
    let mut start = [0; COMMON_MAGIC.len()];
    // Check the type before opening: opening a pipe might wait forever.
    path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == COMMON_MAGIC
}

/// Maximum length of a ruleset file in bytes: the longest list of amounts (12 bytes each), and comments.
const MAX_FILE_LEN: u64 = 2 << 20;

/// Reads the ruleset of a TOML text.
pub fn from_toml(text: &str) -> Result<Ruleset, RulesetError> {
    from_keys(parse(text)?)
}

fn parse(text: &str) -> Result<UncheckedKeys, RulesetError> {
    toml::from_str(text)
        .map_err(|error| RulesetError::IllFormed { reason: error.to_string().trim().to_owned() })
}

/// Parses a setting `KEY=VALUE`; the value is TOML, a word without quotes, or a list without brackets.
fn parse_setting(text: &str) -> Result<(String, KeyValue), RulesetError> {
    let bad = || RulesetError::BadSetting { text: shorten(text) };
    let (key, value) = text.split_once('=').ok_or_else(bad)?;
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() || value.is_empty() {
        return Err(bad());
    }
    let toml = |value: &str| {
        let mut keys = parse(&format!("value = {value}")).ok().filter(|keys| keys.len() == 1)?;
        keys.remove("value")
    };
    let list = || value.contains(',').then(|| toml(&format!("[{value}]"))).flatten();
    let value = toml(value).or_else(list).unwrap_or_else(|| KeyValue::Word(value.to_owned()));
    Ok((key.to_owned(), value))
}

fn from_keys(mut keys: UncheckedKeys) -> Result<Ruleset, RulesetError> {
    let game = keys.remove("game");
    if let Some(take) = keys.remove("take") {
        keys.insert("take".to_owned(), take.with_ranges());
    }
    Ruleset::from_keys(ReadKey { name: "game", value: game.as_ref() }, &keys).map_err(with_advice)
}

/// Returns true if a name is a key of any family.
pub fn is_key(name: &str) -> bool {
    name == "game" || KEYS.iter().any(|(_, names)| names.contains(&name))
}

/// Returns the text of a ruleset file, with a comment on each key. [`from_toml`] reads it back.
pub fn to_toml(ruleset: &Ruleset) -> String {
    with_comments(ruleset, ToString::to_string)
}

/// Returns the text of a ruleset file, with long lists abridged for people. [`from_toml`] does not read those back.
pub fn in_short(ruleset: &Ruleset) -> String {
    with_comments(ruleset, KeyValue::in_short)
}

fn with_comments(ruleset: &Ruleset, show: fn(&KeyValue) -> String) -> String {
    fn with_game<K: FamilyKeys>(keys: &K) -> Vec<WrittenKey> {
        let game =
            WrittenKey { name: "game", value: KeyValue::Word(K::FAMILY.to_owned()), comment: K::COMMENT };
        [game].into_iter().chain(keys.compact_entries()).collect()
    }
    let line = |WrittenKey { name, value, comment }| {
        format!("{:<20} # {comment}\n", format!("{name} = {}", show(&value)))
    };
    with_rules!(ruleset, |rules| with_game(rules.keys())).into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Play;

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
    fn preset_names_are_those_of_the_presets_in_order() {
        assert!(PRESETS.iter().map(|preset| preset.name).eq(crate::input::PRESET_NAMES));
    }

    #[test]
    fn keys_are_listed_in_the_order_of_the_file() {
        let keys = find("sticks", &[]).unwrap().ruleset.keys();
        let listed: Vec<String> = keys.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let expected = [
            "bounds = [3, 5, 7]",
            "take = \"any\"",
            "heaps-per-move = 1",
            "equal-take = false",
            "passes = 0",
            "play = \"misere\"",
        ];
        assert_eq!(listed, expected);
    }

    #[test]
    fn settings_override_single_keys() {
        let settings = ["stones=50", "resets = 1,0", "play=misere"].map(str::to_owned);
        let ruleset = find("expanding", &settings).unwrap().ruleset;
        let Ruleset::Expanding(rules) = ruleset else { panic!("{ruleset:?}") };
        assert_eq!(
            (rules.stones(), rules.resets(), rules.play(), rules.growth()),
            (50, [1, 0], Play::Misere, 1)
        );
    }

    #[test]
    fn a_single_number_sets_one_heap_or_the_resets_of_both_players() {
        let ruleset = |preset, setting: &str| find(preset, &[setting.to_owned()]).unwrap().ruleset;
        assert_eq!(ruleset("sticks", "bounds=10"), ruleset("sticks", "bounds=[10]"));
        assert_eq!(ruleset("expanding", "resets=2"), ruleset("expanding", "resets=[2, 2]"));
        assert_eq!(from_toml("game = \"heaps\"\nbounds = 9\nplay = \"normal\"").unwrap().positions(), 10);
    }

    #[test]
    fn a_range_of_amounts_includes_both_ends() {
        let take = |take: &str| find("sticks", &[format!("take={take}")]).unwrap().ruleset;
        for (range, list) in [
            ("1..3", "3"),
            ("2..5", "[2,3,4,5]"),
            ("\"2..4\"", "[2,3,4]"),
            ("2..3,7", "[2,3,7]"),
            ("[2..3, 7]", "[2,3,7]"),
            ("[1, \"3..4\"]", "[1,3,4]"),
            ("5..5", "[5]"),
            ("1..1000000", "1000000"),
        ] {
            assert_eq!(take(range), take(list), "{range}");
        }
        let spelled = |text| Ruleset::from_spelling(text).unwrap();
        assert_eq!(spelled("bounds=9;take=1..3"), spelled("bounds=9;take=3"));
        assert_eq!(spelled("bounds=9;take=2..3,7"), spelled("bounds=9;take=2,3,7"));
    }

    #[test]
    fn a_setting_replaces_alternative_keys_of_a_file() {
        let bounds = |preset, settings: &[&str]| {
            let settings: Vec<String> = settings.iter().map(|&s| s.to_owned()).collect();
            let ruleset = find(preset, &settings).unwrap().ruleset;
            let Ruleset::Heaps(rules) = ruleset else { panic!("{ruleset:?}") };
            rules.bounds().to_vec()
        };
        assert_eq!(bounds("nim", &["bounds=[9,3]"]), [3, 9]);
        assert_eq!(bounds("sticks", &["heaps=2", "size=4"]), [4, 4]);
        assert_eq!(bounds("nim", &["size=4"]), [4; 5]);
        assert_eq!(bounds("expanding", &["game=heaps", "heaps=2", "size=4", "play=misere"]), [4, 4]);
    }

    #[test]
    fn an_invalid_heap_ruleset_is_refused_with_key_value_and_allowed_values() {
        let error = |preset, settings: &[&str]| {
            let settings: Vec<String> = settings.iter().map(|&s| s.to_owned()).collect();
            find(preset, &settings).unwrap_err().to_string()
        };
        for (preset, settings, expected) in [
            (
                "sticks",
                &["take=[]"][..],
                "take = []: expected \"any\", a whole number from 1 to 1000000000, a range such as 1..3",
            ),
            ("sticks", &["take=0"], "take = 0: expected \"any\", a whole number"),
            ("sticks", &["take=[1,0]"], "take = [1, 0]: expected \"any\", a whole number"),
            ("sticks", &["take=[2,2]"], "take = [2, 2]: expected \"any\","),
            (
                "sticks",
                &["take=1..=3"],
                "take = \"1..=3\": expected \"any\", a whole number from 1 to 1000000000, a range",
            ),
            ("sticks", &["take=3..1"], "take = \"3..1\": expected"),
            ("sticks", &["take=2..200000"], "take = \"2..200000\": expected"),
            ("sticks", &["take=1..3,2"], "take = [1, 2, 2, 3]: expected"),
            ("sticks", &["take=all"], "take = \"all\": expected \"any\","),
            ("sticks", &["heaps-per-move=4"], "heaps-per-move = 4: expected a whole number from 1 to 3"),
            ("sticks", &["heaps-per-move=0"], "heaps-per-move = 0: expected"),
            (
                "sticks",
                &["heaps-per-move=[2,2]"],
                "heaps-per-move = [2, 2]: expected a whole number from 1 to 16, or a list of different ones",
            ),
            ("sticks", &["equal-take=true"], "equal-take = true: expected false"),
            ("sticks", &["equal-take=1"], "equal-take = 1: expected true or false"),
            ("sticks", &["passes=16"], "passes = 16: expected a whole number from 0 to 15"),
            ("sticks", &["bounds=[]"], "bounds = []: expected the largest size of each"),
            ("sticks", &["bounds=[3,0]"], "bounds = [3, 0]: expected"),
            ("sticks", &["bounds=0"], "bounds = 0: expected the largest size of each"),
            ("sticks", &["heaps=2"], "the key 'size' is missing"),
            ("sticks", &["heaps=2", "size=3", "bounds=[3]"], "bounds = [3]: expected either bounds, or"),
            ("nim", &["heaps=17"], "heaps = 17: expected a whole number from 1 to 16"),
            ("nim", &["heaps=0"], "heaps = 0: expected"),
            ("nim", &["stones=9"], "unknown key 'stones'; the keys of game \"heaps\" are: game, bounds,"),
        ] {
            let found = error(preset, settings);
            assert!(found.starts_with(expected), "{settings:?}: {found}");
        }
        assert!(
            from_toml("game = \"heaps\"").unwrap_err().to_string().starts_with("the key 'bounds' is missing")
        );
        let short = from_toml("game = \"heaps\"\nbounds = [5]\nplay = \"normal\"").unwrap();
        assert!(matches!(short, Ruleset::Heaps(rules) if rules.heaps_per_move() == 1 && rules.passes() == 0));
    }

    #[test]
    fn an_invalid_setting_is_refused_with_key_value_and_allowed_values() {
        let cases = [
            ("stones=0", "stones = 0: expected a whole number from 1 to 1000000000"),
            ("stones=-3", "stones = -3: expected"),
            ("stones=99999999999999999999", "stones = \"99999999999999999999\": expected"),
            ("stones=1.5", "stones = 1.5: expected"),
            ("stones=1e3", "stones = 1000.0: expected"),
            ("resets=1,2,3", "resets = [1, 2, 3]: expected"),
            ("stones=ten", "stones = \"ten\": expected"),
            ("base-limit=0", "base-limit = 0: expected"),
            ("reset-limit=4", "reset-limit = 4: expected a whole number from 1 to 3, the base-limit"),
            ("resets=[16,4]", "resets = [16, 4]: expected two whole numbers from 0 to 15"),
            ("resets=[4]", "resets = [4]: expected"),
            (
                "resets=16",
                "resets = 16: expected two whole numbers from 0 to 15, such as [4, 4], or one for both \
                players",
            ),
            ("play=reverse", "play = \"reverse\": expected \"normal\" or \"misere\""),
            ("game=heaps", "game = \"heaps\" makes this another game"),
            ("game=chess", "game = \"chess\": expected \"expanding\" or \"heaps\""),
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
    fn names_of_files_and_of_presets_are_distinguished() {
        let error = |which: &str| find(which, &[]).unwrap_err().to_string();
        // These name files: one has an extension, one a folder, and a folder of the third name exists here.
        for file in ["missing.toml", "no/such", "src"] {
            assert!(error(file).contains(&format!("cannot read the ruleset {file}")), "{}", error(file));
        }
        assert!(error("chess").contains("no preset 'chess'"));
    }

    #[test]
    fn an_error_in_a_file_names_the_file_and_an_error_in_a_setting_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.toml");
        let path = path.to_str().unwrap();
        let error = |text: &str, setting: &str| {
            std::fs::write(path, text).unwrap();
            find(path, &[setting.to_owned()]).unwrap_err().to_string()
        };
        let bad = error("game = \"heaps\"\nbounds = [0]\nplay = \"normal\"", "passes=1");
        assert!(bad.contains("own.toml") && bad.contains("bounds = [0]"), "{bad}");
        let bad = error("game = \"heaps\"\nbounds = [5]\nplay = \"normal\"", "passes=16");
        assert!(!bad.contains("own.toml") && bad.starts_with("passes = 16"), "{bad}");
        // Wrong in the file, and wrong in another way with the setting.
        let bad = error("game = \"heaps\"\nbounds = [0]\nplay = \"normal\"", "bounds=[5, 0]");
        assert!(!bad.contains("own.toml") && bad.contains("bounds = [5, 0]"), "{bad}");
    }

    #[test]
    fn a_file_of_two_mebibytes_is_read_and_none_that_is_longer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.toml");
        for (len, fits) in [(2_097_152, true), (2_097_153, false)] {
            let text = "game = \"heaps\"\nbounds = [5]\nplay = \"normal\"\n";
            std::fs::write(&path, format!("{text}{}", "#".repeat(len - text.len()))).unwrap();
            let found = find(path.to_str().unwrap(), &[]);
            assert_eq!(found.is_ok(), fits, "{len}");
            assert!(found.err().is_none_or(|error| error.to_string().contains("more than 2097152 bytes")));
        }
    }

    #[test]
    fn long_lists_of_amounts_read_back_and_are_shortened_for_people() {
        let amounts =
            |count: u32| (0..count).map(|number| 1_000_000_000 - 2 * number).rev().collect::<Vec<_>>();
        let keys = |count| crate::heaps::HeapKeys {
            bounds: vec![9],
            take: crate::heaps::Take::Exactly(amounts(count)),
            ..Default::default()
        };
        let ruleset: Ruleset = keys(100_000).rules().unwrap().into();
        let text = to_toml(&ruleset);
        assert!(text.len() as u64 <= MAX_FILE_LEN, "{}", text.len());
        assert_eq!(from_toml(&text).unwrap(), ruleset);
        let short = in_short(&ruleset);
        assert!(
            short.contains("take = 999800002, 999800004, 999800006 ... 1000000000 (100000 amounts) # "),
            "{short}"
        );
        assert_eq!(
            in_short(&from_toml(PRESETS[1].text).unwrap()),
            to_toml(&from_toml(PRESETS[1].text).unwrap())
        );
        // An error abridges the list too.
        let error = keys(100_001).rules().unwrap_err().to_string();
        assert!(error.len() < 300 && error.contains("1 to 100000 different amounts"), "{error}");
    }

    #[test]
    fn equal_bounds_are_written_by_their_number_and_size() {
        let text =
            |preset, bounds: &str| to_toml(&find(preset, &[format!("bounds={bounds}")]).unwrap().ruleset);
        assert!(
            text("nim", "[4, 4]").contains("\nheaps = 2") && text("nim", "[4, 4]").contains("\nsize = 4")
        );
        assert!(text("nim", "[3, 5, 7]").contains("\nbounds = [3, 5, 7]"));
    }

    #[test]
    fn presets_have_the_known_numbers_of_positions() {
        // Multisets of five heaps of at most 31: choose 5 of 36.
        assert_eq!(find("nim", &[]).unwrap().ruleset.positions(), 376_992);
        assert_eq!(find("expanding", &[]).unwrap().ruleset.positions(), 1_499_600);
    }

    #[test]
    fn an_unreadable_or_ill_formed_file_is_refused_with_the_reason() {
        let unknown = find("chess", &[]).unwrap_err().to_string();
        assert!(unknown.contains("no preset 'chess'; presets are: expanding, sticks,"), "{unknown}");
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
