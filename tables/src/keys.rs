//! The keys of a ruleset by name, the form in which people and programs read and write rulesets.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::shorten;
use crate::heaps::MAX_AMOUNTS;
use crate::{Play, RulesetError};

/// The value of a key. Reading accepts any value; each key then checks its own, so that errors name the key.
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
    /// A number that is no integer, or too great, as text: formatting of fractions would make the lookup program
    /// larger. No key allows it.
    #[cfg(feature = "rulesets")]
    #[serde(skip_serializing)]
    Fraction(#[serde(deserialize_with = "fraction")] String),
    /// Any other value. No key allows it.
    #[serde(skip_serializing)]
    Other(IgnoredAny),
}

/// The greatest length of a list that people are shown in full.
const SHOWN_WHOLE: usize = 16;

impl KeyValue {
    /// Returns the value for people. A long list is abridged to its first three members, the last one, and the
    /// length: `2, 3, 5 ... 99991 (9592 amounts)`.
    #[must_use]
    pub fn in_short(&self) -> String {
        match self {
            Self::List(values) if values.len() > SHOWN_WHOLE => {
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

    /// Returns the number, if it is a whole number in a range.
    pub(crate) fn number(&self, range: &RangeInclusive<u32>) -> Option<u32> {
        let Self::Number(number) = self else { return None };
        u32::try_from(*number).ok().filter(|number| range.contains(number))
    }

    /// Returns the numbers of a list, if all are whole numbers in a range.
    pub(crate) fn numbers(&self, range: &RangeInclusive<u32>) -> Option<Vec<u32>> {
        let Self::List(values) = self else { return None };
        values.iter().map(|value| value.number(range)).collect()
    }
}

impl KeyValue {
    /// Replaces ranges of amounts, such as `2..4`, by their numbers, both ends included. A single range from 1
    /// becomes its greatest number, however long it is. Other ranges that are empty or have more than [`MAX_AMOUNTS`]
    /// numbers remain words.
    pub(crate) fn with_ranges(self) -> Self {
        let listed = match &self {
            Self::Word(text) if text.contains("..") => {
                let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
                let parts = inner.unwrap_or(text).split(',').map(|part| amounts_of(part.trim()));
                if let Some((1, most)) = ends(text) {
                    return Self::Number(most.into());
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
        listed.map_or(self, |amounts: Vec<Vec<Self>>| Self::List(amounts.concat()))
    }
}

/// Returns the amounts of one number or one range.
fn amounts_of(text: &str) -> Option<Vec<KeyValue>> {
    let (first, last) = text.parse().map(|amount: u32| (amount, amount)).ok().or_else(|| ends(text))?;
    let few = (last - first) < MAX_AMOUNTS as u32;
    few.then(|| (first..=last).map(|amount| KeyValue::Number(amount.into())).collect())
}

/// Returns the ends of a range; `None` if it is empty.
fn ends(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once("..")?;
    let (first, last) = (first.trim_end().parse().ok()?, last.trim_start().parse().ok()?);
    (first <= last).then_some((first, last))
}

#[cfg(feature = "rulesets")]
fn fraction<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
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
            Self::Fraction(number) => f.write_str(number),
            Self::Other(_) => f.write_str("a value of another kind"),
        }
    }
}

/// Keys with unchecked values. Their number is small, and a map would only make the lookup program larger.
#[derive(Debug, Default)]
pub(crate) struct Keys(Vec<(String, KeyValue)>);

impl Keys {
    fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|(key, _)| key == name)
    }

    /// Returns the value of a key.
    pub(crate) fn get(&self, name: &str) -> Option<&KeyValue> {
        self.place(name).map(|place| &self.0[place].1)
    }

    /// Sets a key, and returns its previous value.
    pub(crate) fn insert(&mut self, name: String, value: KeyValue) -> Option<KeyValue> {
        let before = self.remove(&name);
        self.0.push((name, value));
        before
    }

    /// Removes a key, and returns its value.
    pub(crate) fn remove(&mut self, name: &str) -> Option<KeyValue> {
        self.place(name).map(|place| self.0.remove(place).1)
    }

    /// Returns the number of keys.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the names of all keys.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(BTreeMap::deserialize(deserializer)?.into_iter().collect()))
    }
}

/// A key with its value and comment, for writing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeyEntry {
    /// The name.
    pub(crate) name: &'static str,
    /// The value.
    pub(crate) value: KeyValue,
    /// Meaning and allowed values, for the comment in a ruleset file.
    pub(crate) comment: &'static str,
}

/// The keys of a ruleset with their values. Serializes as a map, in the order of ruleset files.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedKeys(pub(crate) Vec<KeyEntry>);

impl NamedKeys {
    /// Returns each key with its value. All rulesets of a family have the same keys.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &KeyValue)> {
        self.0.iter().map(|key| (key.name, &key.value))
    }
}

impl Serialize for NamedKeys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// The keys of a family, as the public fields of a struct.
#[cfg_attr(not(feature = "rulesets"), expect(dead_code, reason = "only ruleset files use all of it"))]
pub(crate) trait FamilyKeys: Default {
    /// The family's name.
    const FAMILY: &'static str;
    /// A description of the family, for the comment in a ruleset file.
    const COMMENT: &'static str;
    /// The names of the keys that can be set.
    const NAMES: &'static [&'static str];
    /// The keys that may be omitted, and then have their defaults. A table header omits each of them that has its default, so
    /// defaults must never change.
    const OPTIONAL: &'static [&'static str];

    /// Reads the values of known keys. Checks each value's type, but not its relation to other values.
    fn from_known(keys: &Keys) -> Result<Self, RulesetError>;

    /// Returns every key, in the order of ruleset files.
    fn written(&self) -> Vec<KeyEntry>;

    /// Returns every key in the shortest form, for a ruleset file.
    fn written_compactly(&self) -> Vec<KeyEntry> {
        self.written()
    }

    /// Returns the alternative keys for the meaning of a key.
    fn alternatives(_key: &str) -> &'static [&'static str] {
        &[]
    }

    /// Reads the values of keys, after checking their names.
    fn from_keys(keys: &Keys) -> Result<Self, RulesetError> {
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

/// A key of a ruleset, with its value if it is set.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    pub(crate) name: &'static str,
    pub(crate) value: Option<&'a KeyValue>,
}

impl<'a> Key<'a> {
    pub(crate) fn of(keys: &'a Keys, name: &'static str) -> Self {
        Self { name, value: keys.get(name) }
    }

    /// Returns the error for a value that is missing or not allowed.
    pub(crate) fn refused(self, allowed: impl Into<String>) -> RulesetError {
        let (key, allowed) = (self.name, allowed.into());
        match self.value {
            None => RulesetError::MissingKey { key, allowed },
            Some(found) => bad_value(key, found, allowed),
        }
    }

    /// Returns the value, if it is a word.
    pub(crate) fn word(self) -> Option<&'a str> {
        match self.value {
            Some(KeyValue::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// Reads a whole number in a range.
    pub(crate) fn number(self, range: RangeInclusive<u32>) -> Result<u32, RulesetError> {
        let number = self.value.and_then(|found| found.number(&range));
        number.ok_or_else(|| self.refused(whole_number(&range)))
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
            Some(_) => Err(self.refused("true or false")),
        }
    }

    /// Reads a list of whole numbers in a range.
    pub(crate) fn list(self, range: RangeInclusive<u32>, allowed: &str) -> Result<Vec<u32>, RulesetError> {
        self.value.and_then(|found| found.numbers(&range)).ok_or_else(|| self.refused(allowed))
    }

    /// Reads the kind of play.
    pub(crate) fn play(self) -> Result<Play, RulesetError> {
        match self.word() {
            Some("normal") => Ok(Play::Normal),
            Some("misere") => Ok(Play::Misere),
            _ => Err(self.refused("\"normal\" or \"misere\"")),
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

/// Describes the whole numbers of a range.
pub(crate) fn whole_number(range: &RangeInclusive<u32>) -> String {
    format!("a whole number from {} to {}", range.start(), range.end())
}
