//! The reader of verdict lines: depth and best move (FORMAT.md, sections 4.4 and 4.5).
//!
//! Along a line, the depth is constant over long *steps*, and the best move takes the same number of stones, or one
//! more for each further stone. With takes of 1 to 3, the places 1, 2 and 3 are a step of depth 1, on which the best
//! move takes 1, 2 and 3. A *staircase* is the list of steps, in blocks. From some place on, most lines equal the
//! shifted staircase of another class, plus a constant depth.

mod block_stairs;
mod coded_stairs;
mod unpacked_verdicts;

use std::hint::select_unpredictable;

use self::block_stairs::BlockStairs;
use self::coded_stairs::CodedStairs;
use super::keys::MAX_STONES;
use super::outcomes::narrow;
use super::position::Move;
#[cfg(all(test, feature = "write"))]
use crate::format::forged;
use crate::format::{Body, Fault};
use crate::{Damage, Header};

pub use self::coded_stairs::{MAX_STAIR_CODE_BITS, MAX_STAIR_SCALE, max_starts_of_block};
pub(super) use self::unpacked_verdicts::UnpackedVerdicts;

/// Maximum value of each part of a depth: the sum of three, plus one, fits into u32.
pub(super) const MAX_DEPTH: u64 = (1 << 30) - 1;
const _: () = assert!(MAX_STONES as u64 <= MAX_DEPTH && 3 * MAX_DEPTH < u32::MAX as u64);

/// The arrays of verdict lines.
#[derive(Clone, Debug)]
pub(super) enum Verdicts {
    /// The present form, with codes.
    Coded(CodedStairs),
    /// The form of older programs, without codes.
    Blocks(BlockStairs),
}

/// The verdict lines of a row, decoded for queries.
#[derive(Debug)]
pub(super) enum RowVerdicts {
    Coded(VerdictRow<coded_stairs::CodedStaircase>),
    Blocks(VerdictRow<block_stairs::BlockStaircase>),
}

/// The verdict lines of a row, in one form of staircases.
#[derive(Debug)]
pub(super) struct VerdictRow<S> {
    /// The line of each class.
    lines: Box<[VerdictLine]>,
    /// The own staircase of each class.
    stairs: Box<[S]>,
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

/// The verdict at a place of a staircase: depth, stones of the best move (0 without a move), and its reset.
type StairEntry = (u64, u64, bool);

/// A storage form of staircases.
trait Stairs {
    type Staircase;

    /// Decodes record `record` of the verdict lines: the own staircase, and the fields own, class, shift and deeper.
    fn record(&self, body: &Body, record: u64) -> Result<(Self::Staircase, [u64; 4]), Fault>;

    /// Returns the verdict at place `x` of a staircase.
    fn at(&self, body: &Body, staircase: &Self::Staircase, x: u32) -> Result<StairEntry, Fault>;
}

impl Verdicts {
    /// Locates the arrays of a table with or without depths.
    pub(super) fn read(body: &Body, header: &Header) -> Result<Self, Damage> {
        Ok(if header.has_stairs {
            Self::Coded(CodedStairs::read(body)?)
        } else {
            Self::Blocks(BlockStairs::read(body)?)
        })
    }

    /// Returns the number of verdict lines: one for each row and class.
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Coded(coded) => coded.lines.count(),
            Self::Blocks(blocks) => blocks.lines.count(),
        }
    }

    /// Returns the lines of the row whose `classes` records begin at `first`.
    pub(super) fn row(&self, body: &Body, first: u64, classes: u64) -> Result<RowVerdicts, Fault> {
        Ok(match self {
            Self::Coded(coded) => RowVerdicts::Coded(VerdictRow::of(coded, body, first, classes)?),
            Self::Blocks(blocks) => RowVerdicts::Blocks(VerdictRow::of(blocks, body, first, classes)?),
        })
    }

    /// Unpacks the lines of all rows, of these lengths. `None` if they are too long or damaged.
    pub(super) fn unpack(
        &self,
        body: &Body,
        lengths: impl Iterator<Item = u32>,
        classes: u64,
    ) -> Option<UnpackedVerdicts> {
        let mut unpacked = UnpackedVerdicts::default();
        for (row, length) in (0..).zip(lengths) {
            let first = row * classes;
            match self {
                Self::Coded(arrays) => {
                    unpacked.add(&VerdictRow::of(arrays, body, first, classes).ok()?, arrays, body, length)
                }
                Self::Blocks(arrays) => {
                    unpacked.add(&VerdictRow::of(arrays, body, first, classes).ok()?, arrays, body, length)
                }
            }?;
        }
        Some(unpacked)
    }

    /// Returns depth and best move at `x`, on the line of a class. The row must have this place.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn get(
        &self,
        body: &Body,
        row: &RowVerdicts,
        class: u32,
        x: u32,
    ) -> Result<(u32, Option<Move>), Fault> {
        match (self, row) {
            (Self::Coded(coded), RowVerdicts::Coded(row)) => row.get(coded, body, class, x),
            (Self::Blocks(blocks), RowVerdicts::Blocks(row)) => row.get(blocks, body, class, x),
            // All rows of a table have the same form.
            _ => Err(Fault::Impossible),
        }
    }
}

impl<S> VerdictRow<S> {
    /// Decodes the row whose `classes` records begin at `first`.
    fn of(arrays: &impl Stairs<Staircase = S>, body: &Body, first: u64, classes: u64) -> Result<Self, Fault> {
        let (mut lines, mut stairs) = (Vec::new(), Vec::new());
        for class in 0..classes {
            let (staircase, [own, other, shift, deeper]) = arrays.record(body, first + class)?;
            if other >= classes || deeper > MAX_DEPTH {
                return Err(Fault::Impossible);
            }
            let [own, other, shift, deeper] = [narrow(own)?, narrow(other)?, narrow(shift)?, narrow(deeper)?];
            lines.push(VerdictLine { own, other, shift, deeper });
            stairs.push(staircase);
        }
        Ok(Self { lines: lines.into(), stairs: stairs.into() })
    }

    /// Returns depth and best move at `x`, on the line of a class.
    #[cfg_attr(feature = "fast", inline(always))]
    fn get(
        &self,
        arrays: &impl Stairs<Staircase = S>,
        body: &Body,
        class: u32,
        x: u32,
    ) -> Result<(u32, Option<Move>), Fault> {
        let line = &self.lines[class as usize];
        // Without branches, since the choice of the staircase is unpredictable.
        let uses_other = x >= line.own;
        let class = select_unpredictable(uses_other, line.other, class) as usize;
        let [shift, deeper] =
            [line.shift, line.deeper].map(|field| select_unpredictable(uses_other, field, 0));
        let (x, is_below) = x.overflowing_sub(shift);
        if is_below || x >= self.lines[class].own {
            return Err(Fault::OutOfRange);
        }
        let (depth, take, reset) = arrays.at(body, &self.stairs[class], x)?;
        let best = if take > 0 { Some(Move { take: narrow(take)?, reset }) } else { None };
        Ok(((depth + u64::from(deeper)) as u32, best))
    }
}

/// Forges a body with these arrays of verdicts, after four others.
#[cfg(all(test, feature = "write"))]
fn body_of(verdicts: impl IntoIterator<Item = forged::Records>) -> Body {
    let others = std::array::from_fn::<_, 4, _>(|_| forged::records([[0]]));
    forged::body(&others.into_iter().chain(verdicts).collect::<Vec<_>>())
}
