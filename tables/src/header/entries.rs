//! The entries of a header: names with values, so that later versions can add names (FORMAT.md, section 2).

use bincode::Decode;
#[cfg(feature = "write")]
use serde::{Serialize, Serializer};

use super::Header;
use crate::error::shorten;
use crate::format::decode;
use crate::heaps::{ArrayLayout, Heap, MAX_SIZE};
use crate::keys::{KeyValue, ReadKey, UncheckedKeys};
use crate::{Damage, OpenError, Ruleset, RulesetError};

/// The entries of a header, in the order of FORMAT.md.
#[derive(Decode)]
#[cfg_attr(feature = "write", derive(Serialize))]
struct Entries(Vec<HeaderEntry>);

#[derive(Decode)]
#[cfg_attr(feature = "write", derive(Serialize))]
struct HeaderEntry {
    name: String,
    /// True if a reader that does not know the name must refuse the table.
    matters: bool,
    value: EntryValue,
}

#[derive(Decode)]
#[cfg_attr(feature = "write", derive(Serialize))]
enum EntryValue {
    Truth(bool),
    Number(u64),
    Word(String),
    Numbers(Vec<u64>),
}

// The names of entries that are not keys of the ruleset.
const GAME: &str = "game";
const DEPTHS: &str = "depths";
/// The entries that do not matter: numbers that describe the table.
const FACTS: [&str; 3] = ["positions", "wins", "deepest"];
/// The fields of [`ArrayLayout`].
const LAYOUT: [&str; 4] = ["greatest", "stems", "cuts", "descending"];

impl From<EntryValue> for KeyValue {
    fn from(value: EntryValue) -> Self {
        // No key allows a number beyond i64. A word in its place is refused by the key's check, which names the key.
        let number =
            |number: u64| i64::try_from(number).map_or_else(|_| Self::Word(number.to_string()), Self::Number);
        match value {
            EntryValue::Truth(truth) => Self::Truth(truth),
            EntryValue::Number(value) => number(value),
            EntryValue::Word(word) => Self::Word(word),
            EntryValue::Numbers(numbers) => Self::List(numbers.into_iter().map(number).collect()),
        }
    }
}

impl Header {
    /// Decodes a header, and checks its ruleset.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, OpenError> {
        decode::<Entries>(bytes)?.into_header()
    }
}

impl Entries {
    /// Decodes the entries. One that matters and whose name is unknown is an error.
    fn into_header(self) -> Result<Header, OpenError> {
        let mut keys = UncheckedKeys::default();
        let mut facts = [None; 3];
        let mut depths = None;
        let mut layout = UncheckedKeys::default();
        for HeaderEntry { name, matters, value } in self.0 {
            let fact = FACTS.iter().position(|&fact| fact == name && !matters);
            let is_duplicate = match (fact, value) {
                (Some(fact), EntryValue::Number(value)) => facts[fact].replace(value).is_some(),
                (None, _) if !matters => false,
                (None, EntryValue::Truth(value)) if name == DEPTHS => depths.replace(value).is_some(),
                (None, value) if LAYOUT.contains(&name.as_str()) => {
                    layout.insert(name.clone(), value.into()).is_some()
                }
                (None, value) if name != DEPTHS => keys.insert(name.clone(), value.into()).is_some(),
                _ => return Err(Damage::new(format!("its header has another value for {name}")).into()),
            };
            if is_duplicate {
                return Err(Damage::new(format!("its header has '{}' twice", shorten(&name))).into());
            }
        }
        let game = keys.remove(GAME);
        let ruleset =
            Ruleset::from_keys(ReadKey { name: GAME, value: game.as_ref() }, &keys).map_err(|error| {
                match error {
                    RulesetError::UnknownKey { key, .. } => {
                        OpenError::Unknown { what: format!("key '{key}'") }
                    }
                    RulesetError::BadValue { key: GAME, found, .. } => {
                        OpenError::Unknown { what: format!("game {found}") }
                    }
                    error => Damage::new(format!("its header has no ruleset: {error}")).into(),
                }
            })?;
        // Each ruleset has exactly one encoding.
        let stored = ruleset.keys_to_store();
        if keys.len() != stored.len() || stored.iter().any(|key| keys.get(key.name) != Some(&key.value)) {
            return Err(
                Damage::new("its header does not have the keys of its ruleset as a table has them").into()
            );
        }
        let ([Some(positions), Some(wins), Some(deepest)], Some(depths)) = (facts, depths) else {
            return Err(Damage::new(format!("its header lacks {DEPTHS} or {}", FACTS.join(", "))).into());
        };
        let deepest = u32::try_from(deepest).map_err(|_| Damage::new("its depths are too great"))?;
        let layout = decode_layout(&ruleset, &layout)?;
        if wins > positions {
            return Err(Damage::new(format!("it has {wins} wins in {positions} positions")).into());
        }
        Ok(Header { ruleset, layout, has_depths: depths, positions, wins, deepest })
    }
}

/// Decodes the layout of a heap table's body.
fn decode_layout(ruleset: &Ruleset, entries: &UncheckedKeys) -> Result<ArrayLayout, OpenError> {
    let Ruleset::Heaps(rules) = ruleset else {
        // Other families have no layout.
        let unknown = entries.names().next();
        return unknown.map_or_else(
            || Ok(ArrayLayout::default()),
            |name| Err(OpenError::Unknown { what: format!("key '{name}'") }),
        );
    };
    let bad = |name: &str| Damage::new(format!("its header has an impossible value for {name}"));
    let [greatest_name, stems_name, cuts_name, descending_name] = LAYOUT;
    let number = |value: &KeyValue| value.number(&(0..=MAX_SIZE)).ok_or_else(|| bad(greatest_name));
    let greatest: Option<Heap> = entries.get(greatest_name).map(number).transpose()?;
    let list = |name| {
        let Some(value) = entries.get(name) else { return Ok(Vec::new()) };
        // An empty list is omitted.
        let numbers = value.numbers(&(0..=u8::MAX.into())).filter(|numbers| !numbers.is_empty());
        Ok::<Vec<u8>, Damage>(
            numbers.ok_or_else(|| bad(name))?.into_iter().map(|number| number as u8).collect(),
        )
    };
    let descending = match entries.get(descending_name) {
        None => false,
        Some(KeyValue::Truth(true)) => true,
        // False is omitted.
        Some(_) => return Err(bad(descending_name).into()),
    };
    let layout =
        ArrayLayout { greatest, stems: list(stems_name)?, cuts: list(cuts_name)?, is_descending: descending };
    layout.check(rules)?;
    Ok(layout)
}

#[cfg(feature = "write")]
impl From<KeyValue> for EntryValue {
    fn from(value: KeyValue) -> Self {
        let number = |value: &KeyValue| match value {
            KeyValue::Number(number) => u64::try_from(*number).ok(),
            _ => None,
        };
        let number = |value| number(value).expect("the keys of rules are whole numbers from 0 on");
        match value {
            KeyValue::Truth(truth) => Self::Truth(truth),
            KeyValue::Word(word) => Self::Word(word),
            KeyValue::List(values) => Self::Numbers(values.iter().map(number).collect()),
            value => Self::Number(number(&value)),
        }
    }
}

#[cfg(feature = "write")]
impl Serialize for Header {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Entries::from(self.clone()).serialize(serializer)
    }
}

#[cfg(feature = "write")]
impl From<Header> for Entries {
    fn from(header: Header) -> Self {
        let Header { ruleset, layout, has_depths: depths, positions, wins, deepest } = header;
        let entry = |name: &str, matters, value| HeaderEntry { name: name.to_owned(), matters, value };
        let mut entries = vec![entry(GAME, true, EntryValue::Word(ruleset.family().to_owned()))];
        entries
            .extend(ruleset.keys_to_store().into_iter().map(|key| entry(key.name, true, key.value.into())));
        entries.push(entry(DEPTHS, true, EntryValue::Truth(depths)));
        let facts = FACTS.into_iter().zip([positions, wins, deepest.into()]);
        entries.extend(facts.map(|(name, fact)| entry(name, false, EntryValue::Number(fact))));
        let ArrayLayout { greatest, stems, cuts, is_descending: descending } = layout;
        let list = |numbers: Vec<u8>| EntryValue::Numbers(numbers.into_iter().map(u64::from).collect());
        let [greatest_name, stems_name, cuts_name, descending_name] = LAYOUT;
        entries
            .extend(greatest.map(|greatest| entry(greatest_name, true, EntryValue::Number(greatest.into()))));
        let lists =
            [(stems_name, stems), (cuts_name, cuts)].into_iter().filter(|(_, numbers)| !numbers.is_empty());
        entries.extend(lists.map(|(name, numbers)| entry(name, true, list(numbers))));
        entries.extend(descending.then(|| entry(descending_name, true, EntryValue::Truth(true))));
        Self(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, matters: bool, value: EntryValue) -> HeaderEntry {
        HeaderEntry { name: name.to_owned(), matters, value }
    }

    fn truth(name: &str, value: bool) -> HeaderEntry {
        entry(name, true, EntryValue::Truth(value))
    }

    fn fact(name: &str, value: u64) -> HeaderEntry {
        entry(name, false, EntryValue::Number(value))
    }

    fn good() -> Vec<HeaderEntry> {
        vec![
            entry(GAME, true, EntryValue::Word("heaps".to_owned())),
            entry("bounds", true, EntryValue::Numbers(vec![3, 5, 7])),
            entry("passes", true, EntryValue::Number(2)),
            entry("play", true, EntryValue::Word("misere".to_owned())),
            truth(DEPTHS, true),
            fact("positions", 264),
            fact("wins", 200),
            fact("deepest", 11),
        ]
    }

    /// Decodes the entries after a change to them.
    fn changed(change: impl FnOnce(&mut Vec<HeaderEntry>)) -> Result<Header, String> {
        let mut entries = good();
        change(&mut entries);
        Entries(entries).into_header().map_err(|error| error.to_string())
    }

    #[test]
    fn entries_may_have_any_order_and_unknown_ones_that_do_not_matter_are_skipped() {
        let header = changed(|_| {}).unwrap();
        assert_eq!((header.has_depths, header.positions, header.wins, header.deepest), (true, 264, 200, 11));
        let keys = crate::heaps::HeapKeys { bounds: vec![3, 5, 7], passes: 2, ..Default::default() };
        let keys = crate::heaps::HeapKeys { play: crate::Play::Misere, ..keys };
        assert_eq!(header.ruleset, keys.rules().unwrap().into());
        assert_eq!(changed(|entries| entries.reverse()), Ok(header.clone()));
        for name in ["made-on", "game", "depths", "bounds"] {
            for value in [EntryValue::Number(3), EntryValue::Truth(false), EntryValue::Word("x".to_owned())] {
                let unknown = entry(name, false, value);
                assert_eq!(changed(|entries| entries.insert(0, unknown)), Ok(header.clone()), "{name}");
            }
        }
    }

    #[test]
    fn a_key_of_the_ruleset_that_is_true_or_false_is_not_mistaken_for_depths() {
        let header = changed(|entries| {
            entries.extend([entry("heaps-per-move", true, EntryValue::Number(2)), truth("equal-take", true)]);
            entries[4] = truth(DEPTHS, false);
        });
        let header = header.unwrap();
        assert!(!header.has_depths);
        let keys = crate::heaps::HeapKeys { bounds: vec![3, 5, 7], passes: 2, ..Default::default() };
        let keys = crate::heaps::HeapKeys { play: crate::Play::Misere, heaps_per_move: 2.into(), ..keys };
        let keys = crate::heaps::HeapKeys { equal_take: true, ..keys };
        assert_eq!(header.ruleset, keys.rules().unwrap().into());
    }

    #[test]
    fn a_wrong_missing_or_duplicate_entry_is_refused_by_name() {
        let refused = |expected: &str, change: &dyn Fn(&mut Vec<HeaderEntry>)| {
            let found = changed(change).unwrap_err();
            assert!(found.contains(expected), "{expected}: {found}");
        };
        refused("the key 'pass-limit', which", &|entries| {
            entries.push(entry("pass-limit", true, EntryValue::Number(3)));
        });
        // An entry of this name that matters is another entry.
        refused("the key 'wins', which", &|entries| entries[6].matters = true);
        refused("lacks depths or positions, wins, deepest", &|entries| entries[4].matters = false);
        for number in 0..8 {
            let expected =
                ["'game'", "bounds", "passes", "'play'", "lacks", "lacks", "lacks", "lacks"][number];
            if number != 2 {
                refused(expected, &|entries| drop(entries.remove(number)));
            }
            let name = good()[number].name.clone();
            refused(&format!("'{name}' twice"), &|entries| {
                entries.push(good().swap_remove(number));
            });
        }
        refused("another value for depths", &|entries| entries[4].value = EntryValue::Number(1));
        for number in 5..8 {
            let expected = format!("another value for {}", good()[number].name);
            refused(&expected, &|entries| entries[number].value = EntryValue::Truth(true));
        }
        refused("its depths are too great", &|entries| entries[7].value = EntryValue::Number(1 << 32));
        refused("passes = \"18446744073709551615\"", &|entries| {
            entries[2].value = EntryValue::Number(u64::MAX);
        });
        // A different encoding of the same value.
        refused("does not have the keys of its ruleset as", &|entries| {
            entries[2].value = EntryValue::Number(0);
        });
        refused("does not have the keys", &|entries| entries[1].value = EntryValue::Numbers(vec![3, 7, 5]));
    }
}
