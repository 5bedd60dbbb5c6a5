//! The verdicts of a small table, unpacked to one word for each place.
//!
//! A staircase takes four dependent reads, this form one. [`FITS`] bounds its size.

use std::hint::select_unpredictable;

use super::{Stairs, VerdictRow};
use crate::expanding::position::Move;
use crate::format::{Body, Fault};

/// The most places of all staircases of a table.
const FITS: usize = 1 << 20;

/// A word has 1 bit for the reset, then the stones, then the depth, of these widths.
const TAKE: u32 = 16;
const DEPTH: u32 = 15;
const _: () = assert!(1 + TAKE + DEPTH == u32::BITS);

/// The verdict lines of all rows.
#[derive(Debug, Default)]
pub(in crate::expanding) struct UnpackedVerdicts {
    lines: Vec<WordLine>,
    words: Vec<u32>,
}

/// The location of a line's words.
#[derive(Debug)]
struct WordLine {
    /// End of the places with words of their own.
    own: u32,
    /// Offset from a place to its word, before and from `own`; modulo 2^32.
    of_own: u32,
    of_other: u32,
    /// Added to the depth from `own` on.
    deeper: u32,
}

impl UnpackedVerdicts {
    /// Adds the next row, of `length` places. `None` if its words do not fit, or it is damaged: the stored table then
    /// answers, and reports the damage.
    pub(super) fn add<S>(
        &mut self,
        row: &VerdictRow<S>,
        arrays: &impl Stairs<Staircase = S>,
        body: &Body,
        length: u32,
    ) -> Option<()> {
        let mut firsts = Vec::new();
        for (line, staircase) in row.lines.iter().zip(&row.stairs) {
            firsts.push(self.words.len() as u32);
            if line.own > length || self.words.len() + line.own as usize > FITS {
                return None;
            }
            for x in 0..line.own {
                let (depth, take, reset) = arrays.at(body, staircase, x).ok()?;
                if depth >> DEPTH != 0 || take >> TAKE != 0 {
                    return None;
                }
                self.words.push((depth << TAKE | take) as u32 * 2 + u32::from(reset));
            }
        }
        for (line, &first) in row.lines.iter().zip(&firsts) {
            let other = line.other as usize;
            // The other staircase covers all later places.
            let is_there =
                line.own == length || line.own >= line.shift && length - line.shift <= row.lines[other].own;
            if !is_there {
                return None;
            }
            let of_other = firsts[other].wrapping_sub(line.shift);
            self.lines.push(WordLine { own: line.own, of_own: first, of_other, deeper: line.deeper });
        }
        Some(())
    }

    /// Returns depth and best move at a place of a line, by the line's number among all rows.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(in crate::expanding) fn get(&self, line: usize, x: u32) -> Result<(u32, Option<Move>), Fault> {
        let line = self.lines.get(line).ok_or(Fault::OutOfRange)?;
        // Without branches, since the choice of the words is unpredictable.
        let further = x >= line.own;
        let first = select_unpredictable(further, line.of_other, line.of_own);
        let deeper = select_unpredictable(further, line.deeper, 0);
        let word = *self.words.get(first.wrapping_add(x) as usize).ok_or(Fault::OutOfRange)?;
        let (take, reset) = (word << DEPTH >> DEPTH >> 1, word & 1 == 1);
        let best = if take > 0 { Some(Move { take, reset }) } else { None };
        Ok(((word >> (TAKE + 1)) + deeper, best))
    }
}
