//! The verdicts of a small table, unpacked to one word for each place of a staircase. A lookup then takes one read, not
//! about ten.

use std::hint::select_unpredictable;

use super::staircases::{Stair, StairRun, Staircases};
use super::{VerdictLine, VerdictRow, Verdicts};
use crate::expanding::position::Move;
use crate::format::{Body, Fault};

/// Maximum number of places of all staircases of a table.
const MAX_WORDS: usize = 1 << 20;

/// A word has, from the lowest bit: 1 bit for the reset, `TAKE_BITS` for the stones, and `DEPTH_BITS` for the depth.
const TAKE_BITS: u32 = 16;
const DEPTH_BITS: u32 = 15;
const _: () = assert!(1 + TAKE_BITS + DEPTH_BITS == u32::BITS);

/// The verdict lines of all rows.
#[derive(Debug, Default)]
pub(in crate::expanding) struct UnpackedVerdicts {
    /// The lines of each row, one row after the other.
    lines: Vec<WordLine>,
    words: Vec<u32>,
}

/// The location of a line's words: its own words before a place, and from there on the words of another line of the row.
#[derive(Debug)]
struct WordLine {
    /// The first place that uses the other line's words.
    own: u32,
    /// Before `own`, place x has word x + `own_offset`, modulo 2^32.
    own_offset: u32,
    /// From `own` on, place x has word x + `other_offset`, modulo 2^32.
    other_offset: u32,
    /// Added to the depth from `own` on.
    deeper: u32,
}

impl Verdicts {
    /// Unpacks the lines of all rows, of these lengths. `None` if they are damaged, or have too many places, or too great
    /// depths or takes for a word.
    pub(in crate::expanding) fn unpack(
        &self,
        body: &Body,
        lengths: impl Iterator<Item = u64>,
        classes: u64,
    ) -> Option<UnpackedVerdicts> {
        let mut unpacked = UnpackedVerdicts::default();
        for (row, length) in (0..).zip(lengths) {
            unpacked.add(&self.row(body, row * classes, classes).ok()?, &self.staircases, body, length)?;
        }
        Some(unpacked)
    }
}

impl UnpackedVerdicts {
    /// Adds the next row, of `length` places. `None` if there are too many words, or the row is damaged: the stored
    /// table then answers, and reports the damage.
    fn add(&mut self, row: &VerdictRow, staircases: &Staircases, body: &Body, length: u64) -> Option<()> {
        let length = u32::try_from(length).ok()?;
        let mut firsts = Vec::new();
        for line in row {
            firsts.push(self.words.len() as u32);
            if line.own > length || self.words.len() + line.own as usize > MAX_WORDS {
                return None;
            }
            staircases.check_order(body, line.staircase, line.own).ok()?;
            let mut x = 0;
            while x < line.own {
                let StairRun { stair, advance, end } = staircases.run_at(body, line.staircase, x).ok()?;
                let Stair { depth, take, reset } = stair;
                let end = end.min(line.own.into()) as u32;
                let last_take = take.saturating_add(if advance { end - 1 - x } else { 0 });
                if depth >> DEPTH_BITS != 0 || take >> TAKE_BITS != 0 || last_take >> TAKE_BITS != 0 {
                    return None;
                }
                for place in 0..end - x {
                    let take = take + if advance { place } else { 0 };
                    self.words.push((depth << TAKE_BITS | take) * 2 + u32::from(reset));
                }
                x = end;
            }
        }
        for (line, &first) in row.iter().zip(&firsts) {
            let other = line.other as usize;
            // The other line must have words for all later places.
            let has_words =
                line.own == length || line.own >= line.shift && length - line.shift <= row[other].own;
            if !has_words {
                return None;
            }
            let other_offset = firsts[other].wrapping_sub(line.shift);
            let VerdictLine { own, deeper, .. } = *line;
            self.lines.push(WordLine { own, own_offset: first, other_offset, deeper });
        }
        Some(())
    }

    /// Returns depth and best move at a place of a line, by the line's number among all rows.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(in crate::expanding) fn get(&self, line: usize, x: u32) -> Result<(u32, Option<Move>), Fault> {
        let line = self.lines.get(line).ok_or(Fault::OutOfRange)?;
        // Without branches, since the choice of the words is unpredictable.
        let uses_other = x >= line.own;
        let offset = select_unpredictable(uses_other, line.other_offset, line.own_offset);
        let deeper = select_unpredictable(uses_other, line.deeper, 0);
        let word = *self.words.get(offset.wrapping_add(x) as usize).ok_or(Fault::OutOfRange)?;
        let (take, reset) = (word << DEPTH_BITS >> DEPTH_BITS >> 1, word & 1 == 1);
        let best = if take > 0 { Some(Move { take, reset }) } else { None };
        Ok(((word >> (TAKE_BITS + 1)) + deeper, best))
    }
}
