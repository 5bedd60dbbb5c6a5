//! Files of chances (FORMAT.md, section 8).

use super::body::Body;
use super::header::{next, next_varint};
use super::heaps::{groups, rank};
use super::{Refusal, expanding, must, parts};

const MARKS: usize = 0;
const CHANCES: usize = 1;
/// The number of fields in a record of each array.
const FIELDS: [usize; 2] = [2, 1];
/// The field's value for a chance of 1.
const CERTAIN: u64 = (1 << 24) - 1;

/// A decoded file of chances, valid as a whole.
#[derive(Clone, Debug)]
pub struct Twin {
    /// The digest of the table that the chances belong to.
    pub table: [u8; 32],
    /// The notation of the opponent's model.
    pub model: String,
    /// The exclusive upper bound of the positions' numbers.
    pub numbers: u64,
    /// The count of lost positions.
    pub lost: u64,
    body: Body,
}

impl Twin {
    /// Decodes a file.
    ///
    /// # Errors
    /// If the prefix, a checksum, the header or the body is invalid.
    pub fn read(file: &[u8]) -> Result<Self, Refusal> {
        let (header, body) = parts(file, b"\x89BTC\r\n\x1a\n")?;
        let mut rest = header;
        let mut table = [0; 32];
        table.copy_from_slice(next(&mut rest, 32)?);
        let length = usize::try_from(next_varint(&mut rest)?).map_err(|error| error.to_string())?;
        let model =
            String::from_utf8(next(&mut rest, length)?.to_vec()).map_err(|error| error.to_string())?;
        let (numbers, lost) = (next_varint(&mut rest)?, next_varint(&mut rest)?);
        must(rest.is_empty(), "nothing follows the header's last value")?;
        must(lost <= numbers, "no more numbers are lost than there are")?;
        let twin = Self { table, model, numbers, lost, body: Body::read(body, &FIELDS)? };
        twin.check_records()?;
        Ok(twin)
    }

    /// Checks that the masks and the chances agree with each other and with the number of positions.
    fn check_records(&self) -> Result<(), Refusal> {
        must(self.body.records(MARKS) == self.numbers.div_ceil(32), "there is a mask for each 32 numbers")?;
        must(self.body.records(CHANCES) == self.lost, "there is a chance for each lost number")?;
        let mut lost = 0;
        for record in 0..self.body.records(MARKS) {
            must(
                self.body.field(MARKS, record, 1) == lost,
                "`before` counts the lost numbers before these 32",
            )?;
            lost += u64::from(self.mask(record).count_ones());
        }
        must(lost == self.lost, "there are as many lost numbers as the header says")?;
        must(
            (self.numbers..).take_while(|n| n % 32 > 0).all(|n| !self.is_lost(n)),
            "no bit is set after the last number",
        )?;
        must((0..lost).all(|n| self.body.field(CHANCES, n, 0) <= CERTAIN), "no chance is above 1")
    }

    /// Returns the mask of 32 positions: bit `i` is set if position `32 * record + i` is lost.
    fn mask(&self, record: u64) -> u64 {
        self.body.field(MARKS, record, 0)
    }

    /// Returns whether the position with this number is lost.
    fn is_lost(&self, number: u64) -> bool {
        self.mask(number / 32) >> (number % 32) & 1 == 1
    }

    /// Returns the chance at a number; `None` if the position is won.
    #[must_use]
    pub fn get(&self, number: u64) -> Option<f64> {
        let lower = self.mask(number / 32) & ((1 << (number % 32)) - 1);
        let record = self.body.field(MARKS, number / 32, 1) + u64::from(lower.count_ones());
        self.is_lost(number).then(|| self.body.field(CHANCES, record, 0) as f64 / CERTAIN as f64)
    }
}

/// Returns the count of numbers for the positions of a table of the family expanding.
#[must_use]
pub fn expanding_numbers(rules: &expanding::Rules) -> u64 {
    rows(rules).map(|row| rules.length(row)).sum::<u64>() * lines(rules)
}

/// Returns the number of a position of the family expanding. Arguments: stones and currentmax, the turn (1 or 2), the
/// players' remaining resets, and whether a reset binds this turn.
#[must_use]
pub fn expanding_number(
    rules: &expanding::Rules,
    (stones, currentmax): (u64, u32),
    turn: u8,
    resets: [u8; 2],
    imposed: bool,
) -> u64 {
    let row = u64::from(currentmax.saturating_sub(rules.floor()));
    let before: u64 = (0..row).map(|row| rules.length(row)).sum();
    let line = match (has_equal_resets(rules), turn, resets) {
        (true, 2, [first, second]) => rules.line(1, [second, first], imposed),
        _ => rules.line(turn, resets, imposed),
    };
    before * lines(rules) + line * rules.length(row) + stones
}

/// Returns the rows that have numbers: one for each currentmax from the floor on.
fn rows(rules: &expanding::Rules) -> impl Iterator<Item = u64> {
    (0..).take_while(|&row| row == 0 || rules.length(row) > 0)
}

/// Returns whether both players start with the same number of resets.
fn has_equal_resets(rules: &expanding::Rules) -> bool {
    rules.resets[0] == rules.resets[1]
}

/// Returns the count of lines in a row that have numbers of their own.
fn lines(rules: &expanding::Rules) -> u64 {
    rules.lines() / if has_equal_resets(rules) { 2 } else { 1 }
}

/// Returns the count of numbers for the positions of a table of the family heaps. The bounds are in descending order.
#[must_use]
pub fn heaps_numbers(bounds: &[u32], passes: u32) -> u64 {
    (u64::from(passes) + 1) * groups(bounds)
}

/// Returns the number of a position of the family heaps. The bounds are in descending order, the heaps in any.
#[must_use]
pub fn heaps_number(bounds: &[u32], heaps: &[u32], passes: u32) -> u64 {
    let mut descending = heaps.to_vec();
    descending.sort_by(|one, other| other.cmp(one));
    u64::from(passes) * groups(bounds) + rank(bounds, &descending)
}
