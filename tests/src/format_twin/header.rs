//! The header, and how its values are encoded.

use super::{Refusal, expanding, must, number};
use crate::oracle::heaps;
use crate::oracle::heaps::Take;

/// The rules of a table's game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Family 0.
    Expanding(expanding::Rules),
    /// Family 1.
    Heaps(heaps::Rules),
}

/// What the header of a table says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The rules.
    pub rules: Rules,
    /// Whether the table holds depths and best moves.
    pub depths: bool,
    /// Positions; of family 0 those with player 1 to move.
    pub positions: u64,
    /// How many of these are won.
    pub wins: u64,
    /// The greatest depth.
    pub deepest: u32,
}

impl Header {
    pub(super) fn read(mut bytes: &[u8]) -> Result<Self, Refusal> {
        let bytes = &mut bytes;
        // The fields of a struct expression are evaluated in the order in which they are written.
        let header = Self {
            rules: match next_varint(bytes)? {
                0 => Rules::Expanding(next_expanding(bytes)?),
                1 => Rules::Heaps(next_heaps(bytes)?),
                other => return Err(format!("no family has the number {other}")),
            },
            depths: next_bool(bytes)?,
            positions: next_varint(bytes)?,
            wins: next_varint(bytes)?,
            deepest: next_u32(bytes)?,
        };
        must(bytes.is_empty(), "nothing is behind the header")?;
        must(header.wins <= header.positions, "no more positions are won than there are")?;
        Ok(header)
    }
}

fn next_expanding(bytes: &mut &[u8]) -> Result<expanding::Rules, Refusal> {
    let rules = expanding::Rules {
        stones: next_u32(bytes)?,
        base_limit: next_u32(bytes)?,
        growth: next_u32(bytes)?,
        reset_limit: next_u32(bytes)?,
        resets: [next_byte(bytes)?, next_byte(bytes)?],
        misere: next_misere(bytes)?,
    };
    must([rules.stones, rules.base_limit, rules.reset_limit].into_iter().all(is_size), "sizes are sizes")?;
    must(rules.growth == 0 || is_size(rules.growth), "growth is at most 1,000,000,000")?;
    must(rules.reset_limit <= rules.base_limit, "reset-limit is at most base-limit")?;
    must(rules.resets.iter().all(|&resets| resets <= 15), "resets are at most 15")?;
    Ok(rules)
}

fn next_heaps(bytes: &mut &[u8]) -> Result<heaps::Rules, Refusal> {
    let rules = heaps::Rules {
        bounds: next_list(bytes, 16)?,
        take: match next_varint(bytes)? {
            0 => Take::Any,
            1 => Take::UpTo(next_u32(bytes)?),
            2 => Take::Exactly(next_list(bytes, 1000)?),
            other => return Err(format!("no kind of take has the number {other}")),
        },
        heaps_per_move: next_byte(bytes)?.into(),
        equal_take: next_bool(bytes)?,
        passes: next_byte(bytes)?.into(),
        misere: next_misere(bytes)?,
    };
    must(rules.bounds.is_sorted(), "the bounds are ascending")?;
    match &rules.take {
        Take::Any => {}
        Take::UpTo(most) => must(is_size(*most), "the most that may be taken is a size")?,
        Take::Exactly(amounts) => {
            must(amounts.is_sorted_by(|one, next| one < next), "the amounts are strictly ascending")?;
        }
    }
    must((1..=rules.bounds.len()).contains(&rules.heaps_per_move), "a move takes from heaps that there are")?;
    must(!rules.equal_take || rules.heaps_per_move > 1, "to take equally takes more than one heap")?;
    must(rules.passes <= 15, "passes are at most 15")?;
    Ok(rules)
}

/// Whether a number is in the range of stones, limits, bounds and amounts.
fn is_size(number: u32) -> bool {
    (1..=1_000_000_000).contains(&number)
}

/// The next `count` bytes.
pub(super) fn next<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], Refusal> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or("the header ends too early")?;
    *bytes = rest;
    Ok(taken)
}

fn next_byte(bytes: &mut &[u8]) -> Result<u8, Refusal> {
    Ok(next(bytes, 1)?[0])
}

pub(super) fn next_varint(bytes: &mut &[u8]) -> Result<u64, Refusal> {
    match next_byte(bytes)? {
        251 => next(bytes, 2).map(number),
        252 => next(bytes, 4).map(number),
        253 => next(bytes, 8).map(number),
        254.. => Err("no number begins with 254 or 255".to_owned()),
        byte => Ok(u64::from(byte)),
    }
}

fn next_u32(bytes: &mut &[u8]) -> Result<u32, Refusal> {
    u32::try_from(next_varint(bytes)?).map_err(|error| error.to_string())
}

fn next_bool(bytes: &mut &[u8]) -> Result<bool, Refusal> {
    let byte = next_byte(bytes)?;
    must(byte < 2, "a bool is 0 or 1")?;
    Ok(byte == 1)
}

/// Whether the play is misère.
fn next_misere(bytes: &mut &[u8]) -> Result<bool, Refusal> {
    match next_varint(bytes)? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(format!("no kind of play has the number {other}")),
    }
}

/// A list of 1 to `most` sizes.
fn next_list(bytes: &mut &[u8], most: u64) -> Result<Vec<u32>, Refusal> {
    let count = next_varint(bytes)?;
    must((1..=most).contains(&count), "a list has as many members as are allowed")?;
    let list = (0..count).map(|_| next_u32(bytes)).collect::<Result<Vec<_>, _>>()?;
    must(list.iter().copied().all(is_size), "the members of a list are sizes")?;
    Ok(list)
}
