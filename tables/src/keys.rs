//! The keys of a ruleset by name and value, the form in which people and programs read and write rulesets.
//!
//! To read a ruleset, a parser fills [`UncheckedKeys`] with any values, and the family's [`FamilyKeys`] checks each
//! with a [`ReadKey`], so that an error names the key. To write one, `FamilyKeys` returns [`WrittenKey`]s.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::shorten;
use crate::heaps::MAX_AMOUNTS;
use crate::{Play, RulesetError};

/// The value of a key, not yet checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum KeyValue {
    /// True or false.
    Truth(bool),
    /// A whole number.
    Number(i64),
    /// A text.
    Word(String),
    /// A list.
    List(Vec<KeyValue>),
    /// A number that is no `i64`, such as 0.5 or 1e30, as text. No key allows it. Only with `rulesets`: the code that
    /// formats such numbers would make the lookup program larger.
    #[cfg(feature = "rulesets")]
    #[serde(skip_serializing)]
    OtherNumber(#[serde(deserialize_with = "other_number")] String),
    /// Any other value. No key allows it.
    #[serde(skip_serializing)]
    Other(IgnoredAny),
}

/// Maximum length of a list that people are shown in full.
const MAX_SHOWN: usize = 16;

impl KeyValue {
    /// Returns the value for people. A long list is abridged to its first three members, the last one, and the
    /// length: `2, 3, 5 ... 99991 (9592 amounts)`.
    pub fn in_short(&self) -> String {
        match self {
            Self::List(values) if values.len() > MAX_SHOWN => {
                let [first, second, third, .., last] = &values[..] else { return self.to_string() };
                format!("{first}, {second}, {third} ... {last} ({} amounts)", values.len())
            }
            value => value.to_string(),
        }
    }

    /// Returns a list of whole numbers.
    pub(crate) fn list<T: Copy + Into<i64>>(numbers: &[T]) -> Self {
        Self::List(numbers.iter().map(|&number| Self::Number(number.into())).collect())
    }

    /// Returns the value as a number, if it is a whole number in the range.
    pub(crate) fn number<T: TryFrom<i64> + PartialOrd>(&self, range: &RangeInclusive<T>) -> Option<T> {
        let Self::Number(number) = self else { return None };
        T::try_from(*number).ok().filter(|number| range.contains(number))
    }

    /// Returns the value as a list of numbers, if it is a list of whole numbers in the range.
    pub(crate) fn numbers(&self, range: &RangeInclusive<u32>) -> Option<Vec<u32>> {
        let Self::List(values) = self else { return None };
        values.iter().map(|value| value.number(range)).collect()
    }

    /// Replaces ranges of amounts, such as `2..4`, by their numbers, both ends included. A value that is just `1..K`
    /// becomes K, which means the same for `take`, however large. Any other value stays unchanged if it has a part
    /// between commas that is neither a number nor a range, or a range that is empty or has more than [`MAX_AMOUNTS`]
    /// numbers.
    pub(crate) fn with_ranges(self) -> Self {
        let lists = match &self {
            Self::Word(text) if text.contains("..") => {
                let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
                let parts = inner.unwrap_or(text).split(',').map(|part| amounts_of(part.trim()));
                if let Some((1, last)) = ends(text) {
                    return Self::Number(last.into());
                }
                parts.collect::<Option<Vec<_>>>()
            }
            Self::List(values) => {
                let amounts = values.iter().map(|value| match value {
                    Self::Word(text) if text.contains("..") => amounts_of(text),
                    value => Some(vec![value.clone()]),
                });
                amounts.collect()
            }
            _ => None,
        };
        lists.map_or(self, |lists: Vec<Vec<Self>>| Self::List(lists.concat()))
    }
}

/// Returns the amounts of a number or a range; `None` for any other text, and for more than [`MAX_AMOUNTS`].
fn amounts_of(text: &str) -> Option<Vec<KeyValue>> {
    let (first, last) = text.parse().map(|amount: u32| (amount, amount)).ok().or_else(|| ends(text))?;
    let is_within_limit = (last - first) < MAX_AMOUNTS as u32;
    is_within_limit.then(|| (first..=last).map(|amount| KeyValue::Number(amount.into())).collect())
}

/// Returns the ends of a range such as `2..4`; `None` if the text is no range, or an empty one.
fn ends(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once("..")?;
    let (first, last) = (first.trim_end().parse().ok()?, last.trim_start().parse().ok()?);
    (first <= last).then_some((first, last))
}

/// Reads a number that is no `i64`, as text.
#[cfg(feature = "rulesets")]
fn other_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    f64::deserialize(deserializer).map(|number| format!("{number:?}"))
}

impl From<Play> for KeyValue {
    fn from(play: Play) -> Self {
        Self::Word(play.to_string())
    }
}

/// Writes the value as in a ruleset file, on one line.
impl fmt::Display for KeyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => write!(f, "\"{word}\""),
            Self::List(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", values.join(", "))
            }
            #[cfg(feature = "rulesets")]
            Self::OtherNumber(number) => f.write_str(number),
            Self::Other(_) => f.write_str("a value of another kind"),
        }
    }
}

/// Keys with unchecked values, in a list: the code of a map would make the lookup program larger.
#[derive(Debug, Default)]
pub(crate) struct UncheckedKeys(Vec<(String, KeyValue)>);

impl UncheckedKeys {
    fn index_of(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|(key, _)| key == name)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&KeyValue> {
        self.index_of(name).map(|index| &self.0[index].1)
    }

    /// Sets a key, and returns its previous value.
    pub(crate) fn insert(&mut self, name: String, value: KeyValue) -> Option<KeyValue> {
        let previous = self.remove(&name);
        self.0.push((name, value));
        previous
    }

    pub(crate) fn remove(&mut self, name: &str) -> Option<KeyValue> {
        self.index_of(name).map(|index| self.0.remove(index).1)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

// Only ruleset files are deserialized, so the map is not in the lookup program.
impl<'de> Deserialize<'de> for UncheckedKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(BTreeMap::deserialize(deserializer)?.into_iter().collect()))
    }
}

/// A key to write, with its value and comment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrittenKey {
    pub(crate) name: &'static str,
    pub(crate) value: KeyValue,
    /// Meaning and allowed values, for the comment in a ruleset file.
    pub(crate) comment: &'static str,
}

/// All keys of a ruleset with their values. Serializes as a map, in the order of ruleset files.
#[derive(Clone, Debug, PartialEq)]
pub struct RulesetKeys(pub(crate) Vec<WrittenKey>);

impl RulesetKeys {
    /// Returns each key with its value. All rulesets of a family have the same keys.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &KeyValue)> {
        self.0.iter().map(|key| (key.name, &key.value))
    }
}

impl Serialize for RulesetKeys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// A struct with a public field for each key of a family.
#[cfg_attr(not(feature = "rulesets"), expect(dead_code, reason = "only ruleset files use all of it"))]
pub(crate) trait FamilyKeys: Default {
    const FAMILY: &'static str;
    /// A description of the family, for the comment in a ruleset file.
    const COMMENT: &'static str;
    /// The names of all keys except `game`, alternatives among them.
    const NAMES: &'static [&'static str];
    /// The keys that may be omitted; an omitted key has its default. A table's header also omits such a key if it has
    /// its default, so the defaults must never change.
    const OPTIONAL: &'static [&'static str];

    /// Reads the values of keys whose names are known. Checks the type and range of each value; the conversion into
    /// rules checks the values against each other.
    fn from_known(keys: &UncheckedKeys) -> Result<Self, RulesetError>;

    /// Returns every key except the alternatives, in the order of ruleset files.
    fn entries(&self) -> Vec<WrittenKey>;

    /// Returns the keys for a ruleset file: the [`entries`](Self::entries), with shorter alternatives where there are
    /// any, such as `heaps` and `size` for equal `bounds`.
    fn compact_entries(&self) -> Vec<WrittenKey> {
        self.entries()
    }

    /// Returns the other keys that set the same thing: `heaps` and `size` for `bounds`, and `bounds` for each of them.
    fn alternatives(_key: &str) -> &'static [&'static str] {
        &[]
    }

    /// Reads the values of keys, after checking their names.
    fn from_keys(keys: &UncheckedKeys) -> Result<Self, RulesetError> {
        match keys.names().find(|key| !Self::NAMES.contains(key)) {
            None => Self::from_known(keys),
            Some(key) => Err(RulesetError::UnknownKey {
                key: shorten(key),
                game: Self::FAMILY,
                known: ["game"].iter().chain(Self::NAMES).copied().collect::<Vec<_>>().join(", "),
            }),
        }
    }
}

/// A key as read, with its value if it is set.
#[derive(Clone, Copy)]
pub(crate) struct ReadKey<'a> {
    pub(crate) name: &'static str,
    pub(crate) value: Option<&'a KeyValue>,
}

impl<'a> ReadKey<'a> {
    pub(crate) fn of(keys: &'a UncheckedKeys, name: &'static str) -> Self {
        Self { name, value: keys.get(name) }
    }

    /// Returns the error for a value that is missing or not allowed.
    pub(crate) fn refusal(self, allowed: impl Into<String>) -> RulesetError {
        let (key, allowed) = (self.name, allowed.into());
        match self.value {
            None => RulesetError::MissingKey { key, allowed },
            Some(found) => bad_value(key, found, allowed),
        }
    }

    pub(crate) fn word(self) -> Option<&'a str> {
        match self.value {
            Some(KeyValue::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// Reads a whole number in a range.
    pub(crate) fn number<T: TryFrom<i64> + PartialOrd + fmt::Display>(
        self,
        range: RangeInclusive<T>,
    ) -> Result<T, RulesetError> {
        let number = self.value.and_then(|found| found.number(&range));
        number.ok_or_else(|| self.refusal(allowed_numbers(&range)))
    }

    /// Reads a whole number in a range; `default` if the key is omitted.
    pub(crate) fn number_or(self, default: u32, range: RangeInclusive<u32>) -> Result<u32, RulesetError> {
        if self.value.is_none() { Ok(default) } else { self.number(range) }
    }

    /// Reads a truth value; false if the key is omitted.
    pub(crate) fn truth(self) -> Result<bool, RulesetError> {
        match self.value {
            None => Ok(false),
            Some(KeyValue::Truth(truth)) => Ok(*truth),
            Some(_) => Err(self.refusal("true or false")),
        }
    }

    /// Reads a list of whole numbers in a range.
    pub(crate) fn list(self, range: RangeInclusive<u32>, allowed: &str) -> Result<Vec<u32>, RulesetError> {
        self.value.and_then(|found| found.numbers(&range)).ok_or_else(|| self.refusal(allowed))
    }

    /// Reads the kind of play.
    pub(crate) fn play(self) -> Result<Play, RulesetError> {
        match self.word() {
            Some("normal") => Ok(Play::Normal),
            Some("misere") => Ok(Play::Misere),
            _ => Err(self.refusal("\"normal\" or \"misere\"")),
        }
    }
}

/// Returns the error for a value that is not allowed.
pub(crate) fn bad_value(
    key: &'static str,
    found: &dyn fmt::Display,
    allowed: impl Into<String>,
) -> RulesetError {
    RulesetError::BadValue { key, found: shorten(&found.to_string()), allowed: allowed.into() }
}

/// Describes the whole numbers of a range in words.
pub(crate) fn allowed_numbers<T: fmt::Display>(range: &RangeInclusive<T>) -> String {
    format!("a whole number from {} to {}", range.start(), range.end())
}
