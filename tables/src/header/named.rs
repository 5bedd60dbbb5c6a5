//! The header of format 2: what it says stands under names, so that it can say more one day.

use bincode::Decode;
#[cfg(feature = "write")]
use serde::Serialize;

use super::{Header, no_ruleset};
use crate::error::shorten;
use crate::keys::{Key, KeyValue, Keys};
use crate::{Damage, OpenError, Ruleset, RulesetError};

/// Names with values, in the order of FORMAT.md.
#[derive(Decode)]
#[cfg_attr(feature = "write", derive(Serialize))]
pub(super) struct Entries(Vec<Entry>);

#[derive(Decode)]
#[cfg_attr(feature = "write", derive(Serialize))]
struct Entry {
    name: String,
    /// Whether a reader that does not know the name cannot read the table.
    matters: bool,
    value: Value,
}

#[derive(Decode)]
#[cfg_attr(feature = "write", derive(Serialize))]
enum Value {
    Truth(bool),
    Number(u64),
    Word(String),
    Numbers(Vec<u64>),
}

/// The names that are no keys of the ruleset.
const GAME: &str = "game";
const DEPTHS: &str = "depths";
const FACTS: [&str; 3] = ["positions", "wins", "deepest"];

impl From<Value> for KeyValue {
    fn from(value: Value) -> Self {
        // No key takes a number beyond those of 64 bits with a sign, nor a word in its place.
        let number =
            |number: u64| i64::try_from(number).map_or_else(|_| Self::Word(number.to_string()), Self::Number);
        match value {
            Value::Truth(truth) => Self::Truth(truth),
            Value::Number(value) => number(value),
            Value::Word(word) => Self::Word(word),
            Value::Numbers(numbers) => Self::List(numbers.into_iter().map(number).collect()),
        }
    }
}

impl Entries {
    /// What it says, if all that matters is known.
    pub(super) fn header(self) -> Result<Header, OpenError> {
        let mut keys = Keys::default();
        let mut facts = [None; 3];
        let mut depths = None;
        for Entry { name, matters, value } in self.0 {
            let fact = FACTS.iter().position(|&fact| fact == name && !matters);
            let twice = match (fact, value) {
                (Some(fact), Value::Number(value)) => facts[fact].replace(value).is_some(),
                (None, _) if !matters => false,
                (None, Value::Truth(value)) if name == DEPTHS => depths.replace(value).is_some(),
                (None, value) if name != DEPTHS => keys.insert(name.clone(), value.into()).is_some(),
                _ => return Err(Damage::new(format!("its header has another value for {name}")).into()),
            };
            if twice {
                return Err(Damage::new(format!("its header has '{}' twice", shorten(&name))).into());
            }
        }
        let game = keys.remove(GAME);
        let ruleset = Ruleset::from_keys(Key { name: GAME, value: game.as_ref() }, &keys).map_err(
            |error| match error {
                RulesetError::UnknownKey { key, .. } => OpenError::Unknown { what: format!("key '{key}'") },
                RulesetError::BadValue { key: GAME, found, .. } => {
                    OpenError::Unknown { what: format!("game {found}") }
                }
                error => no_ruleset(&error).into(),
            },
        )?;
        // A ruleset is written in one way.
        let written = ruleset.keys_not_default();
        if keys.len() != written.len() || written.iter().any(|key| keys.get(key.name) != Some(&key.value)) {
            return Err(
                Damage::new("its header does not have the keys of its ruleset as a table has them").into()
            );
        }
        let ([Some(positions), Some(wins), Some(deepest)], Some(depths)) = (facts, depths) else {
            return Err(Damage::new(format!("its header lacks {DEPTHS} or {}", FACTS.join(", "))).into());
        };
        let deepest = u32::try_from(deepest).map_err(|_| Damage::new("its depths are too great"))?;
        Ok(Header { ruleset, depths, positions, wins, deepest })
    }
}

#[cfg(feature = "write")]
impl From<KeyValue> for Value {
    fn from(value: KeyValue) -> Self {
        let number = |value: &KeyValue| match value {
            KeyValue::Number(number) => u64::try_from(*number).ok(),
            _ => None,
        };
        match value {
            KeyValue::Truth(truth) => Self::Truth(truth),
            KeyValue::Word(word) => Self::Word(word),
            KeyValue::List(values) => Self::Numbers(values.iter().filter_map(number).collect()),
            value => Self::Number(number(&value).expect("the keys of rules are whole numbers from 0 on")),
        }
    }
}

#[cfg(feature = "write")]
impl From<Header> for Entries {
    fn from(header: Header) -> Self {
        let Header { ruleset, depths, positions, wins, deepest } = header;
        let entry = |name: &str, matters, value| Entry { name: name.to_owned(), matters, value };
        let mut entries = vec![entry(GAME, true, Value::Word(ruleset.family().to_owned()))];
        entries.extend(
            ruleset.keys_not_default().into_iter().map(|key| entry(key.name, true, key.value.into())),
        );
        entries.push(entry(DEPTHS, true, Value::Truth(depths)));
        let facts = FACTS.into_iter().zip([positions, wins, deepest.into()]);
        entries.extend(facts.map(|(name, fact)| entry(name, false, Value::Number(fact))));
        Self(entries)
    }
}
