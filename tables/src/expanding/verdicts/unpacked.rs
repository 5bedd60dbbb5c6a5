//! Verdicts of a small table, unpacked: a word for each place.
//!
//! On a staircase one word tells where the next one is, four times over. What unpacking takes is bounded by [`FITS`].

use std::hint::select_unpredictable;

use super::{Row, Stairs};
use crate::expanding::position::Move;
use crate::format::{Body, Fault};

/// Places of all staircases of a table, at the most.
const FITS: usize = 1 << 20;

/// A word has the reset, so many bits of the stones, and so many of the depth.
const TAKE: u32 = 16;
const DEPTH: u32 = 15;
const _: () = assert!(1 + TAKE + DEPTH == u32::BITS);

/// The verdict lines of all rows.
#[derive(Debug, Default)]
pub(in crate::expanding) struct Unpacked {
    lines: Vec<Line>,
    words: Vec<u32>,
}

/// Where a line has its words.
#[derive(Debug)]
struct Line {
    /// Up to here among its own.
    own: u32,
    /// What is to be added to a place there, and from there on; modulo 2^32.
    of_own: u32,
    of_other: u32,
    /// How much deeper it is from there on.
    deeper: u32,
}

impl Unpacked {
    /// Takes in the next row, of so many places. `None` if its words do not fit, or it is damaged: the table is then asked as it is,
    /// which tells of damage where it is met.
    pub(super) fn add<S>(
        &mut self,
        row: &Row<S>,
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
            // All further places lie on the other staircase.
            let is_there =
                line.own == length || line.own >= line.shift && length - line.shift <= row.lines[other].own;
            if !is_there {
                return None;
            }
            let of_other = firsts[other].wrapping_sub(line.shift);
            self.lines.push(Line { own: line.own, of_own: first, of_other, deeper: line.deeper });
        }
        Some(())
    }

    /// Depth and best move at a place of a line, by its number among those of all rows. The line has this place.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(in crate::expanding) fn get(&self, line: usize, x: u32) -> Result<(u32, Option<Move>), Fault> {
        let line = self.lines.get(line).ok_or(Fault::Astray)?;
        // Without branches, since whose words they are cannot be foreseen.
        let further = x >= line.own;
        let first = select_unpredictable(further, line.of_other, line.of_own);
        let deeper = select_unpredictable(further, line.deeper, 0);
        let word = *self.words.get(first.wrapping_add(x) as usize).ok_or(Fault::Astray)?;
        let (take, reset) = (word << DEPTH >> DEPTH >> 1, word & 1 == 1);
        let best = if take > 0 { Some(Move { take, reset }) } else { None };
        Ok(((word >> (TAKE + 1)) + deeper, best))
    }
}
