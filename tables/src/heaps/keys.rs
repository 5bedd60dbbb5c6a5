//! The keys of a ruleset of a heap game.

use super::heap_counts::HeapCounts;
use super::position::{Heap, MAX_HEAPS, MAX_SIZE};
use super::take::{MAX_AMOUNTS, Take};
use crate::keys::{FamilyKeys, KeyValue, ReadKey, UncheckedKeys, WrittenKey, allowed_numbers, bad_value};
use crate::{Play, RulesetError};

/// Maximum number of passes.
pub const MAX_PASSES: u8 = 15;

/// The keys of a ruleset of a heap game, which [`rules`](Self::rules) checks. The default is Nim without heaps, so the
/// bounds must be set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeapKeys {
    /// The largest size of each heap, 1 to [`MAX_SIZE`], in any order. There are 1 to [`MAX_HEAPS`] heaps.
    pub bounds: Vec<Heap>,
    /// The numbers of stones that a move may take from a heap.
    pub take: Take,
    /// The numbers of heaps that a move may take from, 1 to the number of heaps.
    pub heaps_per_move: HeapCounts,
    /// True if a move takes the same number from each heap; only with moves from several heaps.
    pub equal_take: bool,
    /// Number of passes in all, 0 to [`MAX_PASSES`].
    pub passes: u32,
    /// Normal or misère play.
    pub play: Play,
}

impl Default for HeapKeys {
    fn default() -> Self {
        Self {
            bounds: Vec::new(),
            take: Take::Any,
            heaps_per_move: HeapCounts::up_to(1),
            equal_take: false,
            passes: 0,
            play: Play::Normal,
        }
    }
}

impl HeapKeys {
    /// Checks every value against its range and against the others.
    pub(super) fn check(&self) -> Result<(), RulesetError> {
        let is_size = |bound: &Heap| (1..=MAX_SIZE).contains(bound);
        if !(1..=MAX_HEAPS).contains(&self.bounds.len()) || !self.bounds.iter().all(is_size) {
            return Err(bad_value("bounds", &KeyValue::list(&self.bounds), bounds_allowed()));
        }
        if !self.take.is_allowed() {
            return Err(bad_value("take", &self.take, take_allowed()));
        }
        let (heaps, most) = (self.bounds.len(), self.heaps_per_move.greatest());
        if !(1..=heaps).contains(&most) {
            let allowed = heaps_per_move_allowed(heaps);
            return Err(bad_value("heaps-per-move", &self.heaps_per_move, allowed));
        }
        if self.equal_take && most == 1 {
            let allowed = "false, since a move changes one heap; or set heaps-per-move to 2 or more";
            return Err(bad_value("equal-take", &self.equal_take, allowed));
        }
        let passes = 0..=MAX_PASSES.into();
        if !passes.contains(&self.passes) {
            return Err(bad_value("passes", &self.passes, allowed_numbers(&passes)));
        }
        Ok(())
    }
}

fn bounds_allowed() -> String {
    format!(
        "the largest size of each of 1 to {MAX_HEAPS} heaps, 1 to {MAX_SIZE}, in brackets, such as [3, 5, 7]; or one number for one heap; or heaps = H and \
         size = S in place of bounds"
    )
}

fn take_allowed() -> String {
    format!(
        "\"any\", a whole number from 1 to {MAX_SIZE}, a range such as 1..3 (the amounts 1, 2 and 3), or a list of 1 to {MAX_AMOUNTS} different \
         amounts such as [1, 3, 4]"
    )
}

fn heaps_per_move_allowed(heaps: usize) -> String {
    let list = if heaps > 1 { ", or a list of such numbers, such as [2] for exactly two" } else { "" };
    allowed_numbers(&(1..=heaps as u32)) + ", the number of heaps" + list
}

/// Reads the bounds, given one by one, or as a number of equal bounds.
fn bounds(keys: &UncheckedKeys) -> Result<Vec<Heap>, RulesetError> {
    let [bounds, heaps, size] = ["bounds", "heaps", "size"].map(|name| ReadKey::of(keys, name));
    if heaps.value.is_none() && size.value.is_none() {
        if let Some(bound) = bounds.value.and_then(|found| found.number(&(1..=MAX_SIZE))) {
            return Ok(vec![bound]);
        }
        return bounds.list(1..=MAX_SIZE, &bounds_allowed());
    }
    if bounds.value.is_some() {
        return Err(bounds.refusal("either bounds, or heaps with size, but not both"));
    }
    let heaps = heaps.number(1..=MAX_HEAPS as u32)?;
    Ok(vec![size.number(1..=MAX_SIZE)?; heaps as usize])
}

/// Reads the key `take`, which defaults to any number of stones.
fn take(key: ReadKey) -> Result<Take, RulesetError> {
    match key.value {
        None => Ok(Take::Any),
        Some(KeyValue::Word(any)) if any == "any" => Ok(Take::Any),
        Some(KeyValue::Number(most)) => match Heap::try_from(*most) {
            Ok(most) => Ok(Take::UpTo(most)),
            Err(_) => Err(key.refusal(take_allowed())),
        },
        Some(_) => key.list(1..=MAX_SIZE, &take_allowed()).map(Take::exactly),
    }
}

/// Reads the key `heaps-per-move`, which defaults to 1.
fn heaps_per_move(key: ReadKey) -> Result<HeapCounts, RulesetError> {
    let Some(value) = key.value else { return Ok(HeapCounts::up_to(1)) };
    let range = 1..=MAX_HEAPS as u32;
    let counts = value.number(&range).map(HeapCounts::up_to);
    let counts = counts.or_else(|| HeapCounts::exactly(&value.numbers(&range)?));
    counts.ok_or_else(|| {
        let number = allowed_numbers(&range);
        key.refusal(format!("{number}, or a list of different ones, such as [2] for exactly two"))
    })
}

impl FamilyKeys for HeapKeys {
    const FAMILY: &'static str = "heaps";
    const COMMENT: &'static str = "heaps of stones; heaps in another order are the same position";
    const NAMES: &'static [&'static str] =
        &["bounds", "heaps", "size", "take", "heaps-per-move", "equal-take", "passes", "play"];
    const OPTIONAL: &'static [&'static str] = &["take", "heaps-per-move", "equal-take", "passes"];

    fn from_known(keys: &UncheckedKeys) -> Result<Self, RulesetError> {
        let key = |name| ReadKey::of(keys, name);
        Ok(Self {
            bounds: bounds(keys)?,
            take: take(key("take"))?,
            heaps_per_move: heaps_per_move(key("heaps-per-move"))?,
            equal_take: key("equal-take").truth()?,
            passes: key("passes").number_or(0, 0..=MAX_PASSES.into())?,
            play: key("play").play()?,
        })
    }

    fn entries(&self) -> Vec<WrittenKey> {
        let written = |name, value, comment| WrittenKey { name, value, comment };
        let number = |name, number: u32, comment| written(name, KeyValue::Number(number.into()), comment);
        let take = match &self.take {
            Take::Any => KeyValue::Word("any".to_owned()),
            Take::UpTo(most) => KeyValue::Number((*most).into()),
            Take::Exactly(amounts) => KeyValue::list(amounts),
        };
        let heaps_per_move = match self.heaps_per_move {
            counts if counts.is_up_to() => KeyValue::Number(counts.greatest() as i64),
            counts => KeyValue::list(&counts.numbers().collect::<Vec<_>>()),
        };
        vec![
            written("bounds", KeyValue::list(&self.bounds), "the largest size of each heap; 1 and up"),
            written(
                "take",
                take,
                "from a heap: \"any\"; K for 1 to K stones; [1, 3, 4] for 1, 3 or 4 stones",
            ),
            written("heaps-per-move", heaps_per_move, "from how many heaps a move takes; [2] for exactly 2"),
            written(
                "equal-take",
                KeyValue::Truth(self.equal_take),
                "whether it must take the same from each of them",
            ),
            number("passes", self.passes, "how many passes there are in all, for either player; 0 to 15"),
            written("play", self.play.into(), "a player who cannot move: \"normal\" loses, \"misere\" wins"),
        ]
    }

    /// Writes equal bounds as `heaps` and `size`.
    fn compact_entries(&self) -> Vec<WrittenKey> {
        let mut keys = self.entries();
        if let [size, more @ ..] = &self.bounds[..]
            && !more.is_empty()
            && more.iter().all(|bound| bound == size)
        {
            let number = |number: usize| KeyValue::Number(number as i64);
            let (name, comment) = ("heaps", "number of heaps, all of the same size; 1 to 16");
            keys[0] = WrittenKey { name, value: number(self.bounds.len()), comment };
            let (name, comment) = ("size", "the largest size of a heap; 1 and up");
            keys.insert(1, WrittenKey { name, value: number(*size as usize), comment });
        }
        keys
    }

    fn alternatives(key: &str) -> &'static [&'static str] {
        match key {
            "bounds" => &["heaps", "size"],
            "heaps" | "size" => &["bounds"],
            _ => &[],
        }
    }
}
