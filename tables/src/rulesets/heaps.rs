//! Rulesets of heap games, as keys.

use toml::{Table as Keys, Value};

use super::key::Key;
use super::known_keys_only;
use crate::RulesetError;
use crate::heaps::{Heap, HeapRules, MAX_AMOUNTS, MAX_HEAPS, MAX_PASSES, MAX_SIZE, Take};

const KEYS: &[&str] =
    &["game", "bounds", "heaps", "size", "take", "heaps-per-move", "equal-take", "passes", "play"];

/// The keys that say in another way what a key says.
pub(super) fn other_ways(key: &str) -> &'static [&'static str] {
    match key {
        "bounds" => &["heaps", "size"],
        "heaps" | "size" => &["bounds"],
        _ => &[],
    }
}

pub(super) fn from_keys(keys: &Keys) -> Result<HeapRules, RulesetError> {
    known_keys_only(keys, "heaps", KEYS)?;
    let key = |name| Key { name, keys };
    let bounds = bounds(keys)?;
    let heaps = bounds.len() as u32;
    HeapRules::new(
        bounds,
        take(&key("take"))?,
        key("heaps-per-move").number_or(1, 1, heaps)?,
        key("equal-take").truth()?,
        key("passes").number_or(0, 0, MAX_PASSES.into())?,
        key("play").play()?,
    )
}

/// The bounds, which are given either one by one or as a number of equal ones.
fn bounds(keys: &Keys) -> Result<Vec<Heap>, RulesetError> {
    let key = |name| Key { name, keys };
    let (bounds, heaps, size) = (key("bounds"), key("heaps"), key("size"));
    let allowed = format!(
        "the largest size of each of 1 to {MAX_HEAPS} heaps, 1 to {MAX_SIZE}, such as [3, 5, 7], or instead of it \
         heaps = H with size = S"
    );
    if !heaps.is_set() && !size.is_set() {
        let list = bounds.list(MAX_SIZE, &allowed)?;
        let enough = (1..=MAX_HEAPS).contains(&list.len());
        return if enough { Ok(list) } else { Err(bounds.bad(bounds.value(), &allowed)) };
    }
    if bounds.is_set() {
        return Err(bounds.bad(bounds.value(), "either bounds, or heaps with size, but not both"));
    }
    let number = heaps.number(1, MAX_HEAPS as u32)?;
    Ok(vec![size.number(1, MAX_SIZE)?; number as usize])
}

/// What may be taken; anything if the key is left out.
fn take(key: &Key) -> Result<Take, RulesetError> {
    let allowed = format!(
        "\"any\", a whole number from 1 to {MAX_SIZE}, or a list of 1 to {MAX_AMOUNTS} different amounts such as [1, 3, 4]"
    );
    match key.value() {
        None => Ok(Take::Any),
        Some(Value::String(any)) if any == "any" => Ok(Take::Any),
        Some(&Value::Integer(most)) => match u32::try_from(most) {
            Ok(most) if (1..=MAX_SIZE).contains(&most) => Ok(Take::UpTo(most)),
            _ => Err(key.bad(key.value(), &allowed)),
        },
        Some(Value::Array(_)) => key.list(MAX_SIZE, &allowed).map(Take::exactly),
        found => Err(key.bad(found, &allowed)),
    }
}

/// Each key as a line of a file, with a comment.
pub(super) fn lines(rules: &HeapRules) -> Vec<(String, &'static str)> {
    let equal = rules.bounds().iter().all(|&bound| bound == rules.greatest());
    let mut lines = vec![(
        "game = \"heaps\"".to_owned(),
        "heaps of stones; heaps in another order are the same position",
    )];
    if equal && rules.heaps() > 1 {
        lines.push((format!("heaps = {}", rules.heaps()), "number of heaps, all of the same size; 1 to 16"));
        lines.push((format!("size = {}", rules.greatest()), "the largest size of a heap; 1 and up"));
    } else {
        lines.push((format!("bounds = {:?}", rules.bounds()), "the largest size of each heap; 1 and up"));
    }
    lines.extend([
        (
            format!("take = {}", rules.take()),
            "from a heap: \"any\"; K for 1 to K stones; [1, 3, 4] for exactly so many",
        ),
        (format!("heaps-per-move = {}", rules.heaps_per_move()), "from how many heaps a move may take"),
        (format!("equal-take = {}", rules.equal_take()), "whether it must take the same from each of them"),
        (
            format!("passes = {}", rules.passes()),
            "how many passes there are in all, for either player; 0 to 15",
        ),
        (
            format!("play = \"{}\"", rules.play()),
            "who takes the last stone: \"normal\" wins, \"misere\" loses",
        ),
    ]);
    lines
}
