//! The header: how it is encoded, and the rows and lines that follow from what it says.

use super::{Refusal, must, number};

/// What the header of a table says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Stones at the start of the longest games.
    pub stones: u32,
    /// The least that the limit can be without a reset.
    pub base_limit: u32,
    /// How much more than currentmax may be taken.
    pub growth: u32,
    /// The limit under a reset.
    pub reset_limit: u32,
    /// The allowances: player 1's, player 2's.
    pub resets: [u8; 2],
    /// Whether the taker of the last stone loses.
    pub misere: bool,
    /// Whether the table holds depths and best moves.
    pub depths: bool,
    /// Positions with player 1 to move.
    pub positions: u64,
    /// How many of these are won.
    pub wins: u64,
    /// The greatest depth.
    pub deepest: u32,
}

impl Header {
    pub(super) fn read(mut bytes: &[u8]) -> Result<Self, Refusal> {
        let bytes = &mut bytes;
        must(next_varint(bytes)? == 0, "the family is 0")?;
        // The fields of a struct expression are evaluated in the order in which they are written.
        let header = Self {
            stones: next_u32(bytes)?,
            base_limit: next_u32(bytes)?,
            growth: next_u32(bytes)?,
            reset_limit: next_u32(bytes)?,
            resets: [next_byte(bytes)?, next_byte(bytes)?],
            misere: match next_varint(bytes)? {
                0 => false,
                1 => true,
                other => return Err(format!("no kind of play has the number {other}")),
            },
            depths: next_bool(bytes)?,
            positions: next_varint(bytes)?,
            wins: next_varint(bytes)?,
            deepest: next_u32(bytes)?,
        };
        must(bytes.is_empty(), "nothing is behind the header")?;
        let sizes = [header.stones, header.base_limit, header.reset_limit];
        must(sizes.iter().all(|&size| size >= 1), "stones and limits are at least 1")?;
        must(sizes.iter().all(|&size| size <= 1_000_000_000), "stones and limits are at most 1,000,000,000")?;
        must(header.growth <= 1_000_000_000, "growth is at most 1,000,000,000")?;
        must(header.reset_limit <= header.base_limit, "reset-limit is at most base-limit")?;
        must(header.resets.iter().all(|&resets| resets <= 15), "resets are at most 15")?;
        must(header.wins <= header.positions, "no more positions are won than there are")?;
        Ok(header)
    }

    /// The greatest currentmax in row 0.
    fn floor(&self) -> u32 {
        self.base_limit.saturating_sub(self.growth)
    }

    /// The fewest stones that must have gone for `m` to be the most taken at once; `None` if it cannot be.
    #[must_use]
    pub fn least(&self, m: u32) -> Option<u64> {
        if m <= self.base_limit {
            return Some(m.into());
        }
        if self.growth == 0 {
            return None;
        }
        Some(u64::from(m) + self.least(m.saturating_sub(self.growth))?)
    }

    /// How many values the stones can have at a currentmax; 0 if it cannot arise.
    #[must_use]
    pub fn stones_at(&self, currentmax: u32) -> u64 {
        self.least(currentmax).map_or(0, |least| (u64::from(self.stones) + 1).saturating_sub(least))
    }

    /// The row of a currentmax.
    #[must_use]
    pub fn row(&self, currentmax: u32) -> u64 {
        u64::from(currentmax.saturating_sub(self.floor()))
    }

    pub(super) fn rows(&self) -> u64 {
        1 + (self.floor() + 1..).take_while(|&m| self.stones_at(m) > 0).count() as u64
    }

    pub(super) fn lines(&self) -> u64 {
        4 * (u64::from(self.resets[0]) + 1) * (u64::from(self.resets[1]) + 1)
    }

    /// The line of a turn (1 or 2), the resets left, and whether a reset binds this turn.
    #[must_use]
    pub fn line(&self, turn: u8, resets: [u8; 2], imposed: bool) -> u64 {
        let [first, second] = resets.map(u64::from);
        let [most1, most2] = self.resets.map(u64::from);
        let pair = (u64::from(turn - 1) * (most1 + 1) + first) * (most2 + 1) + second;
        pair * 2 + u64::from(imposed)
    }
}

/// The next `count` bytes.
fn next<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], Refusal> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or("the header ends too early")?;
    *bytes = rest;
    Ok(taken)
}

fn next_byte(bytes: &mut &[u8]) -> Result<u8, Refusal> {
    Ok(next(bytes, 1)?[0])
}

fn next_varint(bytes: &mut &[u8]) -> Result<u64, Refusal> {
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
