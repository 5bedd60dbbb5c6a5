//! The header and the encoding of its values.

use std::collections::BTreeMap;

use super::expanding::rules::Rules as ExpandingRules;
use super::{Refusal, must, number, parts};
use crate::oracle::heaps;
use crate::oracle::heaps::Take;

/// The rules of a table's game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Expanding Nim.
    Expanding(ExpandingRules),
    /// A heap game.
    Heaps(heaps::Rules),
}

/// How to read the body of a heap table; an entry that the header omits is `None`, or `false`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The greatest size in lookups: larger heaps are looked up as this size.
    pub greatest: Option<u32>,
    /// The number of heaps in the stem, for each number of passes left.
    pub stems: Option<Vec<u32>>,
    /// The cut of each level.
    pub cuts: Option<Vec<u32>>,
    /// True if lookups need the heaps in descending order.
    pub descending: bool,
}

/// The contents of a table's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The rules.
    pub rules: Rules,
    /// How to read the body.
    pub layout: Layout,
    /// True if the table has depths and best moves.
    pub depths: bool,
    /// Number of positions; in Expanding Nim, only those with player 1 to move.
    pub positions: u64,
    /// Number of won positions among them.
    pub wins: u64,
    /// The greatest depth.
    pub deepest: u32,
}

impl Header {
    /// Reads a header.
    pub(super) fn read(mut bytes: &[u8]) -> Result<Self, Refusal> {
        let mut entries = next_entries(&mut bytes)?;
        must(bytes.is_empty(), "nothing follows the header's last value")?;
        let game = entries.word("game")?;
        let depths = entries.truth("depths")?;
        let (rules, layout) = match game.as_str() {
            "expanding" => {
                let rules = take_expanding(&mut entries)?;
                must(!depths || rules.stones <= 1_000_000_000, "with depths, stones are at most 10^9")?;
                (Rules::Expanding(rules), Layout::default())
            }
            "heaps" => {
                let rules = take_heaps(&mut entries)?;
                let layout = take_layout(&mut entries, &rules)?;
                (Rules::Heaps(rules), layout)
            }
            other => return Err(format!("no family has the name {other}")),
        };
        let header = Self {
            rules,
            layout,
            depths,
            positions: entries.number("positions")?,
            wins: entries.number("wins")?,
            deepest: entries.size("deepest")?,
        };
        must(entries.0.is_empty(), "every entry that matters is known")?;
        must(header.wins <= header.positions, "no more positions are won than there are")?;
        Ok(header)
    }
}

/// Checks the prefix and every checksum of a table file, and returns its header and its body.
pub(super) fn open(file: &[u8]) -> Result<(Header, &[u8]), Refusal> {
    let (header, body) = parts(file, b"\x89BTN\r\n\x1a\n")?;
    Ok((Header::read(header)?, body))
}

/// A value of an entry.
enum Value {
    Truth(bool),
    Number(u64),
    Word(String),
    Numbers(Vec<u64>),
}

/// The remaining entries of a header, without unknown entries that a reader may ignore.
struct Entries(BTreeMap<String, Value>);

const FACTS: [&str; 3] = ["positions", "wins", "deepest"];

/// Reads the entries of a header: pairs of a name and a value.
fn next_entries(bytes: &mut &[u8]) -> Result<Entries, Refusal> {
    let mut entries = BTreeMap::new();
    for _ in 0..next_varint(bytes)? {
        let name = next_text(bytes)?;
        let matters = next_bool(bytes)?;
        let value = match next_varint(bytes)? {
            0 => Value::Truth(next_bool(bytes)?),
            1 => Value::Number(next_varint(bytes)?),
            2 => Value::Word(next_text(bytes)?),
            3 => {
                let count = next_varint(bytes)?;
                Value::Numbers((0..count).map(|_| next_varint(bytes)).collect::<Result<_, _>>()?)
            }
            other => return Err(format!("no kind of value has the number {other}")),
        };
        if matters || FACTS.contains(&name.as_str()) {
            must(!(matters && FACTS.contains(&name.as_str())), "every entry that matters is known")?;
            must(entries.insert(name, value).is_none(), "no name appears twice")?;
        }
    }
    Ok(Entries(entries))
}

impl Entries {
    /// Takes an entry, which must be there.
    fn take(&mut self, name: &str) -> Result<Value, Refusal> {
        self.0.remove(name).ok_or_else(|| format!("there is no {name}"))
    }

    /// Takes an entry that is true or false.
    fn truth(&mut self, name: &str) -> Result<bool, Refusal> {
        match self.take(name)? {
            Value::Truth(truth) => Ok(truth),
            _ => Err(format!("{name} is a bool")),
        }
    }

    /// Takes an entry that is a number.
    fn number(&mut self, name: &str) -> Result<u64, Refusal> {
        match self.take(name)? {
            Value::Number(number) => Ok(number),
            _ => Err(format!("{name} is a number")),
        }
    }

    /// Takes an entry that is a number of 32 bits.
    fn size(&mut self, name: &str) -> Result<u32, Refusal> {
        u32::try_from(self.number(name)?).map_err(|error| error.to_string())
    }

    /// Takes an entry that is a word.
    fn word(&mut self, name: &str) -> Result<String, Refusal> {
        match self.take(name)? {
            Value::Word(word) => Ok(word),
            _ => Err(format!("{name} is a word")),
        }
    }

    /// Takes an entry that is a list of numbers of 32 bits.
    fn list(&mut self, name: &str) -> Result<Vec<u32>, Refusal> {
        match self.take(name)? {
            Value::Numbers(numbers) => sizes(&numbers),
            _ => Err(format!("{name} is a list")),
        }
    }

    /// Takes the entry `play`; true if it is misère.
    fn misere(&mut self) -> Result<bool, Refusal> {
        match self.word("play")?.as_str() {
            "normal" => Ok(false),
            "misere" => Ok(true),
            other => Err(format!("no play is {other}")),
        }
    }

    /// Reads an optional key. A writer must omit a key with its default value.
    fn or<T: PartialEq>(
        &mut self,
        name: &str,
        default: T,
        read: impl FnOnce(&mut Self, &str) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        if !self.0.contains_key(name) {
            return Ok(default);
        }
        let value = read(self, name)?;
        must(value != default, "a key with its default value is omitted")?;
        Ok(value)
    }
}

/// Converts numbers to 32 bits.
fn sizes(numbers: &[u64]) -> Result<Vec<u32>, Refusal> {
    numbers.iter().map(|&number| u32::try_from(number).map_err(|error| error.to_string())).collect()
}

/// Reads a text: its length, then its bytes.
fn next_text(bytes: &mut &[u8]) -> Result<String, Refusal> {
    let length = usize::try_from(next_varint(bytes)?).map_err(|error| error.to_string())?;
    String::from_utf8(next(bytes, length)?.to_vec()).map_err(|error| error.to_string())
}

/// Takes the rules of Expanding Nim out of the entries.
fn take_expanding(entries: &mut Entries) -> Result<ExpandingRules, Refusal> {
    let resets = entries.list("resets")?;
    must(
        resets.len() == 2 && resets.iter().all(|&resets| resets < 256),
        "there are two numbers of resets, below 256",
    )?;
    let rules = ExpandingRules {
        stones: entries.number("stones")?,
        base_limit: entries.size("base-limit")?,
        growth: entries.size("growth")?,
        reset_limit: entries.size("reset-limit")?,
        resets: [resets[0] as u8, resets[1] as u8],
        misere: entries.misere()?,
    };
    must([rules.base_limit, rules.reset_limit].into_iter().all(is_size), "limits are sizes")?;
    must(rules.growth == 0 || is_size(rules.growth), "growth is at most 1,000,000,000")?;
    must((1..=1_000_000_000_000).contains(&rules.stones), "stones are at most 10^12")?;
    must(!rules.exceeds_32_bits(), "no limit is 2^32 or more")?;
    must(rules.reset_limit <= rules.base_limit, "reset-limit is at most base-limit")?;
    must(rules.resets.iter().all(|&resets| resets <= 15), "resets are at most 15")?;
    Ok(rules)
}

/// Takes the rules of a heap game out of the entries.
fn take_heaps(entries: &mut Entries) -> Result<heaps::Rules, Refusal> {
    let bounds = entries.list("bounds")?;
    let take = entries.or("take", Take::Any, |entries, name| match entries.take(name)? {
        Value::Number(most) => Ok(Take::UpTo(u32::try_from(most).map_err(|error| error.to_string())?)),
        Value::Numbers(amounts) => Ok(Take::Exactly(sizes(&amounts)?)),
        Value::Word(word) if word == "any" => Ok(Take::Any),
        Value::Word(_) | Value::Truth(_) => Err("take is any, a number or a list".to_owned()),
    })?;
    let (counts, is_list) = entries.or("heaps-per-move", (vec![1], false), |entries, name| {
        Ok(match entries.take(name)? {
            Value::Number(most) => (vec![most as usize], false),
            Value::Numbers(counts) => (counts.iter().map(|&count| count as usize).collect(), true),
            Value::Word(_) | Value::Truth(_) => return Err("heaps-per-move is a number or a list".to_owned()),
        })
    })?;
    let rules = heaps::Rules {
        bounds,
        take,
        heaps_per_move: counts.iter().copied().max().unwrap_or(0),
        exactly: if is_list { counts } else { vec![] },
        equal_take: entries.or("equal-take", false, Entries::truth)?,
        passes: entries.or("passes", 0, Entries::size)?,
        misere: entries.misere()?,
    };
    must((1..=16).contains(&rules.bounds.len()), "there are 1 to 16 bounds")?;
    must(rules.bounds.iter().copied().all(is_size), "the bounds are sizes")?;
    must(rules.bounds.is_sorted(), "the bounds are ascending")?;
    match &rules.take {
        Take::Any => {}
        Take::UpTo(most) => must(is_size(*most), "the most that may be taken is a size")?,
        Take::Exactly(amounts) => {
            must((1..=100_000).contains(&amounts.len()), "there are 1 to 100,000 amounts")?;
            must(amounts.iter().copied().all(is_size), "the amounts are sizes")?;
            must(amounts.is_sorted_by(|one, next| one < next), "the amounts are strictly ascending")?;
        }
    }
    must((1..=rules.bounds.len()).contains(&rules.heaps_per_move), "a move takes from at most all heaps")?;
    must(
        rules.exactly.iter().all(|&count| count >= 1) && rules.exactly.is_sorted_by(|one, next| one < next),
        "the numbers of heaps are strictly ascending",
    )?;
    must(
        rules.exactly.is_empty() || rules.exactly.len() < rules.heaps_per_move,
        "a list of all numbers of heaps is written as a number",
    )?;
    must(!rules.equal_take || rules.heaps_per_move > 1, "equal-take needs moves from more than one heap")?;
    must(rules.passes <= 15, "passes are at most 15")?;
    Ok(rules)
}

/// Takes the layout of a table of a heap game out of the entries, and checks it.
fn take_layout(entries: &mut Entries, rules: &heaps::Rules) -> Result<Layout, Refusal> {
    let layout = Layout {
        greatest: entries.or("greatest", None, |entries, name| entries.size(name).map(Some))?,
        stems: entries.or("stems", None, |entries, name| entries.list(name).map(Some))?,
        cuts: entries.or("cuts", None, |entries, name| entries.list(name).map(Some))?,
        descending: entries.or("descending", false, Entries::truth)?,
    };
    let heaps = rules.bounds.len();
    let has_targets = rules.has_one_loss_per_line();
    if let Some(greatest) = layout.greatest {
        must(
            has_targets && rules.heaps_per_move == 1,
            "there is a greatest only if a move takes any number from one heap",
        )?;
        let least = if heaps == 1 { 1 } else { rules.bounds[heaps - 2] };
        must(
            (least..rules.bounds[heaps - 1]).contains(&greatest),
            "greatest is from the second greatest bound to below the greatest",
        )?;
    }
    if let Some(stems) = &layout.stems {
        let most = if has_targets { heaps - 1 } else { heaps };
        must(stems.len() == rules.passes as usize + 1, "there is a stem for each number of passes left")?;
        must(
            stems.iter().all(|&stem| stem as usize <= most),
            "a stem has at most as many heaps as the game",
        )?;
        must(stems.iter().any(|&stem| stem != stems[0]), "equal stems are omitted")?;
    }
    if let Some(cuts) = &layout.cuts {
        must(cuts.len() == heaps, "there is a cut for each heap")?;
        must(cuts.iter().all(|&cut| cut <= 30), "cuts are at most 30")?;
        must(cuts.iter().any(|&cut| cut > 0), "cuts that are all 0 are omitted")?;
    }
    must(!(layout.descending && has_targets), "descending is true only if take is not any")?;
    Ok(layout)
}

/// Returns whether a number is in the range of limits, bounds and amounts.
fn is_size(number: u32) -> bool {
    (1..=1_000_000_000).contains(&number)
}

/// Takes the next `count` bytes.
pub(super) fn next<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], Refusal> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or("the header ends too early")?;
    *bytes = rest;
    Ok(taken)
}

/// Reads a byte.
fn next_byte(bytes: &mut &[u8]) -> Result<u8, Refusal> {
    Ok(next(bytes, 1)?[0])
}

/// Reads a number of variable length: a byte up to 250, or 251, 252 or 253 before a number of 2, 4 or 8 bytes.
pub(super) fn next_varint(bytes: &mut &[u8]) -> Result<u64, Refusal> {
    match next_byte(bytes)? {
        251 => next(bytes, 2).map(number),
        252 => next(bytes, 4).map(number),
        253 => next(bytes, 8).map(number),
        254.. => Err("no number begins with 254 or 255".to_owned()),
        byte => Ok(u64::from(byte)),
    }
}

/// Reads a byte that must be 0 or 1.
fn next_bool(bytes: &mut &[u8]) -> Result<bool, Refusal> {
    let byte = next_byte(bytes)?;
    must(byte < 2, "a bool is 0 or 1")?;
    Ok(byte == 1)
}
