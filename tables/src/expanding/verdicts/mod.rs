//! The reader of verdict lines: depth and best move (FORMAT.md, section 4.4).
//!
//! Along a line, the depth is constant over long *steps*, and the best move takes the same number of stones, or one
//! more for each further stone. With takes of 1 to 3, the places 1, 2 and 3 are a step of depth 1, on which the best
//! move takes 1, 2 and 3. A *staircase* is the list of steps, in flights that repeat. From some place on, most
//! lines copy another class: its staircase moved up, with a constant added to each depth.

mod staircases;
#[cfg(all(test, feature = "write"))]
mod tests;
mod unpacked_verdicts;

use std::hint::select_unpredictable;
use std::ops::Range;

use self::staircases::{Stair, StairRun, Staircase, Staircases};
use super::marks::narrow;
use super::position::Move;
use crate::Damage;
use crate::format::{Body, Fault, Packed};

pub(super) use self::staircases::MAX_DEPTH;
pub use self::staircases::{MAX_DRIFT, MAX_RISE, MAX_STEPS_OF_FLIGHT};
pub(super) use self::unpacked_verdicts::UnpackedVerdicts;

/// Numbers of the arrays that have no records in a table without depths.
const ARRAYS: Range<usize> = 4..7;

/// The arrays of verdict lines.
#[derive(Clone, Debug)]
pub(super) struct Verdicts {
    /// The lines: first, flights, own, class, shift, deeper.
    lines: Packed<6>,
    staircases: Staircases,
}

/// The verdict lines of a row, decoded for queries: one for each class.
pub(super) type VerdictRow = Box<[VerdictLine]>;

/// The location of a line's verdicts: its own staircase up to a place, and from there on the staircase of another class.
#[derive(Clone, Copy, Debug)]
pub(super) struct VerdictLine {
    staircase: Staircase,
    /// Number of places on the line's own staircase.
    own: u32,
    /// The class of the other staircase.
    other: u32,
    /// The other staircase is read this many places lower.
    shift: u32,
    /// Added to the depth on the other staircase.
    deeper: u32,
}

/// Adjacent places with equal depth and the same kind of best move: one that takes a fixed number of stones, or one stone
/// more at each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictRun {
    /// The first place.
    pub start: u32,
    /// The place after the last one.
    pub end: u32,
    /// Plies to the end of the game.
    pub depth: u32,
    /// The best move at `start`; `None` if there is no move.
    pub best: Option<Move>,
    /// The best move takes one stone more at each further place. If not, it takes the same number everywhere.
    pub advance: bool,
}

impl Verdicts {
    /// Locates the arrays; `None` if the table has no depths.
    pub(super) fn read(body: &Body, has_depths: bool) -> Result<Option<Self>, Damage> {
        if has_depths {
            return Ok(Some(Self { lines: Packed::read(body, 4)?, staircases: Staircases::read(body)? }));
        }
        for array in ARRAYS {
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
        let line = |record| {
            let [first, flights, own, other, shift, deeper] = self.lines.get(body, record)?;
            if other >= classes || deeper > MAX_DEPTH {
                return Err(Fault::Impossible);
            }
            // A line without places of its own has no staircase: its fields `first` and `flights` have no meaning.
            let flights = if own == 0 { 0 } else { flights };
            let staircase = self.staircases.staircase(first, flights)?;
            let [own, other, shift, deeper] = [narrow(own)?, narrow(other)?, narrow(shift)?, narrow(deeper)?];
            Ok(VerdictLine { staircase, own, other, shift, deeper })
        };
        (first..first + classes).map(line).collect()
    }

    /// Checks the order of the flights to which the line of a class refers.
    pub(super) fn check_order(&self, body: &Body, row: &VerdictRow, class: u32) -> Result<(), Fault> {
        let line = &row[class as usize];
        let other = &row[line.other as usize];
        self.staircases.check_order(body, line.staircase, line.own)?;
        self.staircases.check_order(body, other.staircase, other.own)
    }

    /// Finds the staircase that answers place `x` of a class: returns the line that owns it, the place on it, and the depth to
    /// add. The row must have this place.
    #[cfg_attr(feature = "fast", inline(always))]
    fn own_line(row: &VerdictRow, class: u32, x: u32) -> Result<(&VerdictLine, u32, u32), Fault> {
        let line = &row[class as usize];
        // Without branches, since the choice of the staircase is unpredictable.
        let uses_other = x >= line.own;
        let class = select_unpredictable(uses_other, line.other, class) as usize;
        let [shift, deeper] =
            [line.shift, line.deeper].map(|field| select_unpredictable(uses_other, field, 0));
        let (x, is_below) = x.overflowing_sub(shift);
        if is_below || x >= row[class].own {
            return Err(Fault::OutOfRange);
        }
        Ok((&row[class], x, deeper))
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
        let (line, place, deeper) = Self::own_line(row, class, x)?;
        let stair = self.staircases.at(body, line.staircase, place)?;
        Ok((stair.depth + deeper, stair.best()))
    }

    /// Returns the run of places from `x` on, on the line of a class. The row must have this place. The run may end beyond
    /// the row.
    pub(super) fn run(&self, body: &Body, row: &VerdictRow, class: u32, x: u32) -> Result<VerdictRun, Fault> {
        let (line, place, deeper) = Self::own_line(row, class, x)?;
        let StairRun { stair, advance, end } = self.staircases.run_at(body, line.staircase, place)?;
        // A line continues with the other staircase after its own.
        let end = end.min(line.own.into()) + u64::from(x - place);
        let end = u32::try_from(end).unwrap_or(u32::MAX);
        Ok(VerdictRun { start: x, end, depth: stair.depth + deeper, best: stair.best(), advance })
    }
}

impl Stair {
    /// Returns the best move.
    #[cfg_attr(feature = "fast", inline(always))]
    fn best(self) -> Option<Move> {
        (self.take > 0).then_some(Move { take: self.take, reset: self.reset })
    }
}
