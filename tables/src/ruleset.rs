//! The rules of a game of any family.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::expanding::{Expanding, ExpandingKeys};
use crate::heaps::{HeapKeys, HeapRules};
use crate::keys::{FamilyKeys, KeyValue, ReadKey, RulesetKeys, UncheckedKeys, WrittenKey};
use crate::{RulesetError, with_rules};

/// The complete rules of a game, with the bounds of its table.
///
/// Serializes as two fields: `game`, the name of the family, and `rules`, a map of all keys to their values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ruleset {
    /// Expanding Nim.
    Expanding(Expanding),
    /// A heap game.
    Heaps(HeapRules),
}

impl Ruleset {
    /// Builds the ruleset with these keys, of the family that `game` names.
    pub(crate) fn from_keys(game: ReadKey, keys: &UncheckedKeys) -> Result<Self, RulesetError> {
        match game.word() {
            Some(ExpandingKeys::FAMILY) => Ok(ExpandingKeys::from_keys(keys)?.rules()?.into()),
            Some(HeapKeys::FAMILY) => Ok(HeapKeys::from_keys(keys)?.rules()?.into()),
            _ => Err(game.refusal("\"expanding\" or \"heaps\"")),
        }
    }

    /// Returns the other keys that set the same thing, such as `heaps` and `size` for `bounds`.
    #[cfg(feature = "rulesets")]
    pub(crate) fn alternatives(key: &str) -> impl Iterator<Item = &'static str> {
        [ExpandingKeys::alternatives(key), HeapKeys::alternatives(key)].into_iter().flatten().copied()
    }

    /// Returns all keys except `game`, with their values.
    pub fn keys(&self) -> RulesetKeys {
        RulesetKeys(with_rules!(self, |rules| rules.keys().entries()))
    }

    /// Returns the keys that a table's header stores: all except optional keys that have their defaults.
    pub(crate) fn keys_to_store(&self) -> Vec<WrittenKey> {
        fn without_defaults<K: FamilyKeys>(keys: &K) -> Vec<WrittenKey> {
            let mut stored = keys.entries();
            let mut defaults = K::default().entries().into_iter();
            stored.retain(|key| {
                let default = defaults.next();
                !K::OPTIONAL.contains(&key.name) || default.is_none_or(|default| key.value != default.value)
            });
            stored
        }
        with_rules!(self, |rules| without_defaults(rules.keys()))
    }

    /// Returns the family's name, as in `game = "..."`.
    pub fn family(&self) -> &'static str {
        fn name<K: FamilyKeys>(_: &K) -> &'static str {
            K::FAMILY
        }
        with_rules!(self, |rules| name(rules.keys()))
    }

    /// Checks that a table of the ruleset can have depths.
    ///
    /// # Errors
    /// If a key has a value that only a table without depths can have.
    pub fn check_depths(&self) -> Result<(), RulesetError> {
        match self {
            Self::Expanding(rules) => rules.check_depths(),
            Self::Heaps(_) => Ok(()),
        }
    }

    /// Returns the number of positions that a table of this ruleset covers.
    pub fn positions(&self) -> u64 {
        with_rules!(self, |rules| rules.positions())
    }
}

impl From<Expanding> for Ruleset {
    fn from(rules: Expanding) -> Self {
        Self::Expanding(rules)
    }
}

impl From<HeapRules> for Ruleset {
    fn from(rules: HeapRules) -> Self {
        Self::Heaps(rules)
    }
}

impl Serialize for Ruleset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut ruleset = serializer.serialize_struct("Ruleset", 2)?;
        ruleset.serialize_field("game", self.family())?;
        ruleset.serialize_field("rules", &self.keys())?;
        ruleset.end()
    }
}

impl<'de> Deserialize<'de> for Ruleset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Fields {
            game: KeyValue,
            rules: UncheckedKeys,
        }
        let Fields { game, rules } = Fields::deserialize(deserializer)?;
        Self::from_keys(ReadKey { name: "game", value: Some(&game) }, &rules).map_err(de::Error::custom)
    }
}
