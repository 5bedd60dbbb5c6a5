//! The reader of verdict lines: depth and best move (FORMAT.md, section 4.4).
//!
//! Along a line, the depth is constant over long *steps*, and the best move takes the same number of stones, or one
//! more for each further stone. With takes of 1 to 3, the places 1, 2 and 3 are a step of depth 1, on which the best
//! move takes 1, 2 and 3. A *staircase* is the list of steps, in blocks. From some place on, most lines equal the
//! shifted staircase of another class, plus a constant depth.

mod staircases;
#[cfg(all(test, feature = "write"))]
mod tests;
mod unpacked_verdicts;

use std::hint::select_unpredictable;
use std::ops::Range;

use self::staircases::{Staircase, Staircases};
use super::marks::narrow;
use super::position::Move;
use crate::Damage;
use crate::format::{Body, Fault, Packed};

pub(super) use self::staircases::MAX_DEPTH;
pub use self::staircases::{MAX_STAIR_CODE_BITS, MAX_STAIR_SCALE, max_starts_of_block};
pub(super) use self::unpacked_verdicts::UnpackedVerdicts;

/// Numbers of the arrays that have no records in a table without depths.
const EMPTY_WITHOUT_DEPTHS: Range<usize> = 4..9;

/// The arrays of verdict lines.
#[derive(Clone, Debug)]
pub(super) struct Verdicts {
    /// The lines: stairs, own, class, shift, deeper.
    lines: Packed<5>,
    staircases: Staircases,
}

/// The verdict lines of a row, decoded for queries.
#[derive(Debug)]
pub(super) struct VerdictRow {
    /// The line of each class.
    lines: Box<[VerdictLine]>,
    /// The own staircase of each class.
    staircases: Box<[Staircase]>,
}

/// The location of a line's verdicts: its own staircase up to a place, and from there on the staircase of another class.
#[derive(Clone, Copy, Debug)]
struct VerdictLine {
    /// The first place that uses the other staircase.
    own: u32,
    /// The class of the other staircase.
    other: u32,
    /// The other staircase is read this many places lower.
    shift: u32,
    /// Added to the depth on the other staircase.
    deeper: u32,
}

impl Verdicts {
    /// Locates the arrays; `None` if the table has no depths.
    pub(super) fn read(body: &Body, has_depths: bool) -> Result<Option<Self>, Damage> {
        if has_depths {
            return Ok(Some(Self { lines: Packed::read(body, 4)?, staircases: Staircases::read(body)? }));
        }
        for array in EMPTY_WITHOUT_DEPTHS {
            if Packed::<8>::read(body, array)?.count() > 0 {
                return Err(Damage::new("it has lines of depths, but no depths in its header"));
            }
        }
        Ok(None)
    }

    /// Returns the number of verdict lines: one for each row and class.
    pub(super) fn count(&self) -> u64 {
        self.lines.count()
    }

    /// Decodes the lines of the row whose `classes` records begin at `first`.
    pub(super) fn row(&self, body: &Body, first: u64, classes: u64) -> Result<VerdictRow, Fault> {
        let (mut lines, mut staircases) = (Vec::new(), Vec::new());
        for record in first..first + classes {
            let [stairs, own, other, shift, deeper] = self.lines.get(body, record)?;
            if other >= classes || deeper > MAX_DEPTH {
                return Err(Fault::Impossible);
            }
            let [own, other, shift, deeper] = [narrow(own)?, narrow(other)?, narrow(shift)?, narrow(deeper)?];
            lines.push(VerdictLine { own, other, shift, deeper });
            staircases.push(self.staircases.decode(body, stairs, own)?);
        }
        Ok(VerdictRow { lines: lines.into(), staircases: staircases.into() })
    }

    /// Returns depth and best move at `x`, on the line of a class. The row must have this place.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn get(
        &self,
        body: &Body,
        row: &VerdictRow,
        class: u32,
        x: u32,
    ) -> Result<(u32, Option<Move>), Fault> {
        let line = &row.lines[class as usize];
        // Without branches, since the choice of the staircase is unpredictable.
        let uses_other = x >= line.own;
        let class = select_unpredictable(uses_other, line.other, class) as usize;
        let [shift, deeper] =
            [line.shift, line.deeper].map(|field| select_unpredictable(uses_other, field, 0));
        let (x, is_below) = x.overflowing_sub(shift);
        if is_below || x >= row.lines[class].own {
            return Err(Fault::OutOfRange);
        }
        let (depth, take, reset) = self.staircases.at(body, &row.staircases[class], x)?;
        let best = if take > 0 { Some(Move { take: narrow(take)?, reset }) } else { None };
        Ok(((depth + u64::from(deeper)) as u32, best))
    }
}
