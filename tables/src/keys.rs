//! The keys of a ruleset by name: the one form in which people and programs read and write a ruleset.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::shorten;
use crate::heaps::MAX_AMOUNTS;
use crate::{Play, RulesetError};

/// What a key is set to. Any value is taken at first: whether it is allowed is for the key to say, by its name.
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
    /// A number that is not a whole one, or too great, as text: code that writes fractions would make the lookup program
    /// larger. No key takes it.
    #[cfg(feature = "rulesets")]
    #[serde(skip_serializing)]
    Fraction(#[serde(deserialize_with = "fraction")] String),
    /// No key takes it.
    #[serde(skip_serializing)]
    Other(IgnoredAny),
}

/// The most members of a list that is shown whole to people.
const SHOWN_WHOLE: usize = 16;

impl KeyValue {
    /// The value for people. Of a long list it has the first three members, the last one, and the number of all:
    /// `2, 3, 5 ... 99991 (9592 amounts)`.
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

    /// A list of whole numbers.
    pub(crate) fn list<T: Copy + Into<i64>>(numbers: &[T]) -> Self {
        Self::List(numbers.iter().map(|&number| Self::Number(number.into())).collect())
    }

    /// The number, if it is a whole one in a range.
    pub(crate) fn number(&self, range: &RangeInclusive<u32>) -> Option<u32> {
        let Self::Number(number) = self else { return None };
        u32::try_from(*number).ok().filter(|number| range.contains(number))
    }

    /// The numbers of a list, if all of them are whole ones in a range.
    pub(crate) fn numbers(&self, range: &RangeInclusive<u32>) -> Option<Vec<u32>> {
        let Self::List(values) = self else { return None };
        values.iter().map(|value| value.number(range)).collect()
    }
}

impl KeyValue {
    /// Replaces ranges of amounts, such as `2..4`, by their numbers, both ends included. A range from 1 is its greatest number, as in the
    /// key `take`. Ranges that are empty or have more than [`MAX_AMOUNTS`] numbers stay words.
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

/// The amounts of one number or one range.
fn amounts_of(text: &str) -> Option<Vec<KeyValue>> {
    let (first, last) = text.parse().map(|amount: u32| (amount, amount)).ok().or_else(|| ends(text))?;
    let few = (last - first) < MAX_AMOUNTS as u32;
    few.then(|| (first..=last).map(|amount| KeyValue::Number(amount.into())).collect())
}

/// The ends of a range that is not empty.
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

/// As in a ruleset file, on one line.
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

/// Keys as they are read, with whatever values. There are few: a map would only make the lookup program larger.
#[derive(Debug, Default)]
pub(crate) struct Keys(Vec<(String, KeyValue)>);

impl Keys {
    fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|(key, _)| key == name)
    }

    /// What a key is set to.
    pub(crate) fn get(&self, name: &str) -> Option<&KeyValue> {
        self.place(name).map(|place| &self.0[place].1)
    }

    /// Sets a key, and gives what it was set to before.
    pub(crate) fn insert(&mut self, name: String, value: KeyValue) -> Option<KeyValue> {
        let before = self.remove(&name);
        self.0.push((name, value));
        before
    }

    /// Takes a key out.
    pub(crate) fn remove(&mut self, name: &str) -> Option<KeyValue> {
        self.place(name).map(|place| self.0.remove(place).1)
    }

    /// Their number.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The names of all keys.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(BTreeMap::deserialize(deserializer)?.into_iter().collect()))
    }
}

/// A key as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeyEntry {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it is set to.
    pub(crate) value: KeyValue,
    /// What it means and what is allowed, for the comment in a ruleset file.
    pub(crate) comment: &'static str,
}

/// The keys of a ruleset with their values. Serialized it is a map, in the order of the ruleset files.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedKeys(pub(crate) Vec<KeyEntry>);

impl NamedKeys {
    /// Each key with its value. Of one family they are the same keys for every ruleset.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &KeyValue)> {
        self.0.iter().map(|key| (key.name, &key.value))
    }
}

impl Serialize for NamedKeys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// The keys of a family, all of them public fields of a struct.
#[cfg_attr(not(feature = "rulesets"), expect(dead_code, reason = "only ruleset files use all of it"))]
pub(crate) trait FamilyKeys: Default {
    /// The family's name.
    const FAMILY: &'static str;
    /// What the family is, for the comment in a ruleset file.
    const COMMENT: &'static str;
    /// The names of the keys that can be set.
    const NAMES: &'static [&'static str];
    /// The keys that may be left out: they then are what they are by default. A table's file leaves them out, so that
    /// their default never changes.
    const OPTIONAL: &'static [&'static str];

    /// Takes the values from keys of which all are known. A value is of the right type then, but not yet
    /// checked against the others.
    fn from_known(keys: &Keys) -> Result<Self, RulesetError>;

    /// Every key, in the order in which they are written.
    fn written(&self) -> Vec<KeyEntry>;

    /// The same in the shortest words, for a ruleset file.
    fn written_briefly(&self) -> Vec<KeyEntry> {
        self.written()
    }

    /// Keys that say in another way what a key says.
    fn other_ways(_key: &str) -> &'static [&'static str] {
        &[]
    }

    /// Takes the values from keys.
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

/// One key among those that are read.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    pub(crate) name: &'static str,
    pub(crate) value: Option<&'a KeyValue>,
}

impl<'a> Key<'a> {
    pub(crate) fn of(keys: &'a Keys, name: &'static str) -> Self {
        Self { name, value: keys.get(name) }
    }

    /// The error for a value that is missing or not allowed.
    pub(crate) fn refused(self, allowed: impl Into<String>) -> RulesetError {
        let (key, allowed) = (self.name, allowed.into());
        match self.value {
            None => RulesetError::MissingKey { key, allowed },
            Some(found) => bad_value(key, found, allowed),
        }
    }

    /// The text, if it is one.
    pub(crate) fn word(self) -> Option<&'a str> {
        match self.value {
            Some(KeyValue::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// A whole number in a range.
    pub(crate) fn number(self, range: RangeInclusive<u32>) -> Result<u32, RulesetError> {
        let number = self.value.and_then(|found| found.number(&range));
        number.ok_or_else(|| self.refused(whole_number(&range)))
    }

    /// The same, or what it is when it is left out.
    pub(crate) fn number_or(self, default: u32, range: RangeInclusive<u32>) -> Result<u32, RulesetError> {
        if self.value.is_none() { Ok(default) } else { self.number(range) }
    }

    /// A truth value; false if it is left out.
    pub(crate) fn truth(self) -> Result<bool, RulesetError> {
        match self.value {
            None => Ok(false),
            Some(KeyValue::Truth(truth)) => Ok(*truth),
            Some(_) => Err(self.refused("true or false")),
        }
    }

    /// A list of whole numbers in a range.
    pub(crate) fn list(self, range: RangeInclusive<u32>, allowed: &str) -> Result<Vec<u32>, RulesetError> {
        self.value.and_then(|found| found.numbers(&range)).ok_or_else(|| self.refused(allowed))
    }

    /// Who wins.
    pub(crate) fn play(self) -> Result<Play, RulesetError> {
        match self.word() {
            Some("normal") => Ok(Play::Normal),
            Some("misere") => Ok(Play::Misere),
            _ => Err(self.refused("\"normal\" or \"misere\"")),
        }
    }
}

/// The error for a value that is not allowed.
pub(crate) fn bad_value(
    key: &'static str,
    found: &dyn fmt::Display,
    allowed: impl Into<String>,
) -> RulesetError {
    RulesetError::BadValue { key, found: shorten(&found.to_string()), allowed: allowed.into() }
}

/// What is allowed for a whole number in a range.
pub(crate) fn whole_number(range: &RangeInclusive<u32>) -> String {
    format!("a whole number from {} to {}", range.start(), range.end())
}
