//! The header of format 2: a list of named entries, so that later versions can add names.

use std::mem;

use bincode::Decode;
#[cfg(feature = "write")]
use serde::Serialize;

use super::{Header, no_ruleset};
use crate::error::shorten;
use crate::heaps::{ArrayLayout, Heap, MAX_SIZE};
use crate::keys::{KeyValue, ReadKey, UncheckedKeys};
use crate::{Damage, OpenError, Ruleset, RulesetError};

/// Names with values, in the order of FORMAT.md.
#[derive(Decode)]
#[cfg_attr(feature = "write", derive(Serialize))]
pub(super) struct Entries(Vec<HeaderEntry>);

#[derive(Decode)]
#[cfg_attr(feature = "write", derive(Serialize))]
struct HeaderEntry {
    name: String,
    /// True if a reader that does not know the name must reject the table.
    matters: bool,
    value: Datum,
}

#[derive(Decode)]
#[cfg_attr(feature = "write", derive(Serialize))]
enum Datum {
    Truth(bool),
    Number(u64),
    Word(String),
    Numbers(Vec<u64>),
}

/// The names of entries that are not keys of the ruleset.
const GAME: &str = "game";
const DEPTHS: &str = "depths";
const FACTS: [&str; 3] = ["positions", "wins", "deepest"];
/// Flags for the form of the body of a table of Expanding Nim. False is omitted.
const FORMS: [&str; 2] = ["gaps", "stairs"];
const LAYOUT: [&str; 4] = ["greatest", "stems", "cuts", "descending"];

impl From<Datum> for KeyValue {
    fn from(value: Datum) -> Self {
        // No key allows numbers beyond i64, nor a word instead; so the error names the key.
        let number =
            |number: u64| i64::try_from(number).map_or_else(|_| Self::Word(number.to_string()), Self::Number);
        match value {
            Datum::Truth(truth) => Self::Truth(truth),
            Datum::Number(value) => number(value),
            Datum::Word(word) => Self::Word(word),
            Datum::Numbers(numbers) => Self::List(numbers.into_iter().map(number).collect()),
        }
    }
}

impl Entries {
    /// Decodes the header, if all mandatory names are known.
    pub(super) fn header(self) -> Result<Header, OpenError> {
        let mut keys = UncheckedKeys::default();
        let mut facts = [None; 3];
        let mut depths = None;
        let mut forms = [false; FORMS.len()];
        let mut layout = UncheckedKeys::default();
        for HeaderEntry { name, matters, value } in self.0 {
            let fact = FACTS.iter().position(|&fact| fact == name && !matters);
            let form = FORMS.iter().position(|&form| form == name);
            let twice = match (fact, form, value) {
                (Some(fact), _, Datum::Number(value)) => facts[fact].replace(value).is_some(),
                (None, ..) if !matters => false,
                (None, Some(form), Datum::Truth(true)) => mem::replace(&mut forms[form], true),
                (None, None, Datum::Truth(value)) if name == DEPTHS => depths.replace(value).is_some(),
                (None, None, value) if LAYOUT.contains(&name.as_str()) => {
                    layout.insert(name.clone(), value.into()).is_some()
                }
                (None, None, value) if name != DEPTHS => keys.insert(name.clone(), value.into()).is_some(),
                _ => return Err(Damage::new(format!("its header has another value for {name}")).into()),
            };
            if twice {
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
                    error => no_ruleset(&error).into(),
                }
            })?;
        // Each ruleset has exactly one encoding.
        let written = ruleset.keys_to_store();
        if keys.len() != written.len() || written.iter().any(|key| keys.get(key.name) != Some(&key.value)) {
            return Err(
                Damage::new("its header does not have the keys of its ruleset as a table has them").into()
            );
        }
        let ([Some(positions), Some(wins), Some(deepest)], Some(depths)) = (facts, depths) else {
            return Err(Damage::new(format!("its header lacks {DEPTHS} or {}", FACTS.join(", "))).into());
        };
        let deepest = u32::try_from(deepest).map_err(|_| Damage::new("its depths are too great"))?;
        let layout = layout_of(&ruleset, &layout)?;
        if matches!(ruleset, Ruleset::Heaps(_))
            && let Some((form, _)) = FORMS.iter().zip(forms).find(|&(_, holds)| holds)
        {
            return Err(OpenError::Unknown { what: format!("key '{form}'") });
        }
        let [gaps, stairs] = forms;
        if stairs && !depths {
            return Err(Damage::new("its header tells of staircases, and of no depths").into());
        }
        Ok(Header { ruleset, layout, gaps, stairs, depths, positions, wins, deepest })
    }
}

/// Decodes the layout.
fn layout_of(ruleset: &Ruleset, entries: &UncheckedKeys) -> Result<ArrayLayout, OpenError> {
    let Ruleset::Heaps(rules) = ruleset else {
        // Other families have no layout.
        let unknown = entries.names().next();
        return unknown.map_or_else(
            || Ok(ArrayLayout::default()),
            |name| Err(OpenError::Unknown { what: format!("key '{name}'") }),
        );
    };
    let bad = |name: &str| Damage::new(format!("its header has a value for {name} that none can have"));
    let [of_greatest, of_stems, of_cuts, of_descending] = LAYOUT;
    let number = |value: &KeyValue| value.number(&(0..=MAX_SIZE)).ok_or_else(|| bad(of_greatest));
    let greatest: Option<Heap> = entries.get(of_greatest).map(number).transpose()?;
    let list = |name| {
        let Some(value) = entries.get(name) else { return Ok(Vec::new()) };
        // An empty list is omitted.
        let numbers = value.numbers(&(0..=u8::MAX.into())).filter(|numbers| !numbers.is_empty());
        Ok::<Vec<u8>, Damage>(
            numbers.ok_or_else(|| bad(name))?.into_iter().map(|number| number as u8).collect(),
        )
    };
    let descending = match entries.get(of_descending) {
        None => false,
        Some(KeyValue::Truth(true)) => true,
        // False is omitted.
        Some(_) => return Err(bad(of_descending).into()),
    };
    let layout = ArrayLayout { greatest, stems: list(of_stems)?, cuts: list(of_cuts)?, descending };
    layout.check(rules)?;
    Ok(layout)
}

#[cfg(feature = "write")]
impl From<KeyValue> for Datum {
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
impl From<Header> for Entries {
    fn from(header: Header) -> Self {
        let Header { ruleset, layout, gaps, stairs, depths, positions, wins, deepest } = header;
        let entry = |name: &str, matters, value| HeaderEntry { name: name.to_owned(), matters, value };
        let mut entries = vec![entry(GAME, true, Datum::Word(ruleset.family().to_owned()))];
        entries
            .extend(ruleset.keys_to_store().into_iter().map(|key| entry(key.name, true, key.value.into())));
        entries.push(entry(DEPTHS, true, Datum::Truth(depths)));
        let facts = FACTS.into_iter().zip([positions, wins, deepest.into()]);
        entries.extend(facts.map(|(name, fact)| entry(name, false, Datum::Number(fact))));
        let forms = FORMS.into_iter().zip([gaps, stairs]).filter(|&(_, holds)| holds);
        entries.extend(forms.map(|(name, _)| entry(name, true, Datum::Truth(true))));
        let ArrayLayout { greatest, stems, cuts, descending } = layout;
        let list = |numbers: Vec<u8>| Datum::Numbers(numbers.into_iter().map(u64::from).collect());
        let [of_greatest, of_stems, of_cuts, of_descending] = LAYOUT;
        entries.extend(greatest.map(|greatest| entry(of_greatest, true, Datum::Number(greatest.into()))));
        let lists =
            [(of_stems, stems), (of_cuts, cuts)].into_iter().filter(|(_, numbers)| !numbers.is_empty());
        entries.extend(lists.map(|(name, numbers)| entry(name, true, list(numbers))));
        entries.extend(descending.then(|| entry(of_descending, true, Datum::Truth(true))));
        Self(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, matters: bool, value: Datum) -> HeaderEntry {
        HeaderEntry { name: name.to_owned(), matters, value }
    }

    fn truth(name: &str, value: bool) -> HeaderEntry {
        entry(name, true, Datum::Truth(value))
    }

    fn fact(name: &str, value: u64) -> HeaderEntry {
        entry(name, false, Datum::Number(value))
    }

    fn good() -> Vec<HeaderEntry> {
        vec![
            entry(GAME, true, Datum::Word("heaps".to_owned())),
            entry("bounds", true, Datum::Numbers(vec![3, 5, 7])),
            entry("passes", true, Datum::Number(2)),
            entry("play", true, Datum::Word("misere".to_owned())),
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
        Entries(entries).header().map_err(|error| error.to_string())
    }

    #[test]
    fn entries_have_any_order_and_unknown_optional_ones_are_skipped() {
        let header = changed(|_| {}).unwrap();
        assert_eq!((header.depths, header.positions, header.wins, header.deepest), (true, 264, 200, 11));
        let keys = crate::heaps::HeapKeys { bounds: vec![3, 5, 7], passes: 2, ..Default::default() };
        let keys = crate::heaps::HeapKeys { play: crate::Play::Misere, ..keys };
        assert_eq!(header.ruleset, keys.rules().unwrap().into());
        assert_eq!(changed(|entries| entries.reverse()), Ok(header.clone()));
        for name in ["made-on", "game", "depths", "bounds"] {
            for value in [Datum::Number(3), Datum::Truth(false), Datum::Word("x".to_owned())] {
                let unknown = entry(name, false, value);
                assert_eq!(changed(|entries| entries.insert(0, unknown)), Ok(header.clone()), "{name}");
            }
        }
    }

    #[test]
    fn a_key_that_is_true_or_false_is_not_taken_for_the_depths() {
        let header = changed(|entries| {
            entries.extend([entry("heaps-per-move", true, Datum::Number(2)), truth("equal-take", true)]);
            entries[4] = truth(DEPTHS, false);
        });
        let header = header.unwrap();
        assert!(!header.depths);
        let keys = crate::heaps::HeapKeys { bounds: vec![3, 5, 7], passes: 2, ..Default::default() };
        let keys = crate::heaps::HeapKeys { play: crate::Play::Misere, heaps_per_move: 2, ..keys };
        let keys = crate::heaps::HeapKeys { equal_take: true, ..keys };
        assert_eq!(header.ruleset, keys.rules().unwrap().into());
    }

    #[test]
    fn an_entry_that_is_wrong_or_missing_or_there_twice_is_refused_by_its_name() {
        let refused = |expected: &str, change: &dyn Fn(&mut Vec<HeaderEntry>)| {
            let found = changed(change).unwrap_err();
            assert!(found.contains(expected), "{expected}: {found}");
        };
        refused("the key 'pass-limit', which", &|entries| {
            entries.push(entry("pass-limit", true, Datum::Number(3)));
        });
        // A mandatory entry of this name is a different entry.
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
        refused("another value for depths", &|entries| entries[4].value = Datum::Number(1));
        for number in 5..8 {
            let expected = format!("another value for {}", good()[number].name);
            refused(&expected, &|entries| entries[number].value = Datum::Truth(true));
        }
        refused("its depths are too great", &|entries| entries[7].value = Datum::Number(1 << 32));
        refused("passes = \"18446744073709551615\"", &|entries| entries[2].value = Datum::Number(u64::MAX));
        // A different encoding of the same value.
        refused("does not have the keys of its ruleset as", &|entries| entries[2].value = Datum::Number(0));
        refused("does not have the keys", &|entries| entries[1].value = Datum::Numbers(vec![3, 7, 5]));
    }
}
