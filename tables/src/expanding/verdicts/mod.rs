//! Reading verdict lines (FORMAT.md, sections 4.4 and 4.5): depth and best move.

mod blocks;
mod stairs;
mod unpacked;

use std::hint::select_unpredictable;

use self::blocks::InBlocks;
use self::stairs::Coded;
use super::keys::MAX_STONES;
use super::outcomes::narrow;
use super::position::Move;
#[cfg(all(test, feature = "write"))]
use crate::format::forged;
use crate::format::{Body, Fault};
use crate::{Damage, Header};

pub use self::stairs::{MAX_CODE, MAX_SCALE, most_starts};
pub(super) use self::unpacked::Unpacked;

/// The most that each of the three parts of a depth can be: their sum, and one more, is a u32. No depth
/// exceeds the stones.
pub(super) const MAX_DEPTH: u64 = (1 << 30) - 1;
const _: () = assert!(MAX_STONES as u64 <= MAX_DEPTH && 3 * MAX_DEPTH < u32::MAX as u64);

/// The arrays that hold verdict lines.
#[derive(Clone, Debug)]
pub(super) enum Verdicts {
    Coded(Coded),
    /// As older programs wrote them.
    InBlocks(InBlocks),
}

/// The verdict lines of a row, ready to be asked.
#[derive(Debug)]
pub(super) enum RowVerdicts {
    Coded(Row<stairs::Staircase>),
    InBlocks(Row<blocks::Staircase>),
}

/// For each class of a row its line, and its own staircase.
#[derive(Debug)]
pub(super) struct Row<S> {
    lines: Box<[Line]>,
    stairs: Box<[S]>,
}

/// Where a line finds its verdicts.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Up to here on its own staircase.
    own: u32,
    /// From there on on the staircase of this class, so far down, and so much deeper.
    other: u32,
    shift: u32,
    deeper: u32,
}

/// What a staircase says of a place: the depth, and the stones and the reset of the best move; 0 stones where there is none.
type Found = (u64, u64, bool);

/// A way to store staircases.
trait Stairs {
    type Staircase;

    /// The staircase of a record of verdicts, which must not be asked beyond its end; and the record's own, class, shift and deeper.
    fn record(&self, body: &Body, record: u64) -> Result<(Self::Staircase, [u64; 4]), Fault>;

    /// What a staircase says of a place.
    fn at(&self, body: &Body, staircase: &Self::Staircase, x: u32) -> Result<Found, Fault>;
}

impl Verdicts {
    /// Locates the arrays of a table with or without depths.
    pub(super) fn read(body: &Body, header: &Header) -> Result<Self, Damage> {
        Ok(if header.stairs {
            Self::Coded(Coded::read(body)?)
        } else {
            Self::InBlocks(InBlocks::read(body)?)
        })
    }

    /// How many lines there are, of all rows and classes.
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Coded(coded) => coded.lines.count(),
            Self::InBlocks(blocks) => blocks.lines.count(),
        }
    }

    /// The lines of the row whose records, `classes` of them, begin at `first`.
    pub(super) fn row(&self, body: &Body, first: u64, classes: u64) -> Result<RowVerdicts, Fault> {
        Ok(match self {
            Self::Coded(coded) => RowVerdicts::Coded(Row::of(coded, body, first, classes)?),
            Self::InBlocks(blocks) => RowVerdicts::InBlocks(Row::of(blocks, body, first, classes)?),
        })
    }

    /// The lines of all rows, of so many places each. `None` if they take too much, or are damaged.
    pub(super) fn unpack(
        &self,
        body: &Body,
        lengths: impl Iterator<Item = u32>,
        classes: u64,
    ) -> Option<Unpacked> {
        let mut unpacked = Unpacked::default();
        for (row, length) in (0..).zip(lengths) {
            let first = row * classes;
            match self {
                Self::Coded(all) => {
                    unpacked.add(&Row::of(all, body, first, classes).ok()?, all, body, length)
                }
                Self::InBlocks(all) => {
                    unpacked.add(&Row::of(all, body, first, classes).ok()?, all, body, length)
                }
            }?;
        }
        Some(unpacked)
    }

    /// Depth and best move at `x` of the line of a class. The row has this place.
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
            (Self::InBlocks(blocks), RowVerdicts::InBlocks(row)) => row.get(blocks, body, class, x),
            // A table stores all its rows in one way.
            _ => Err(Fault::Impossible),
        }
    }
}

impl<S> Row<S> {
    fn of(arrays: &impl Stairs<Staircase = S>, body: &Body, first: u64, classes: u64) -> Result<Self, Fault> {
        let (mut lines, mut stairs) = (Vec::new(), Vec::new());
        for class in 0..classes {
            let (staircase, [own, other, shift, deeper]) = arrays.record(body, first + class)?;
            if other >= classes || deeper > MAX_DEPTH {
                return Err(Fault::Impossible);
            }
            let [own, other, shift, deeper] = [narrow(own)?, narrow(other)?, narrow(shift)?, narrow(deeper)?];
            lines.push(Line { own, other, shift, deeper });
            stairs.push(staircase);
        }
        Ok(Self { lines: lines.into(), stairs: stairs.into() })
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn get(
        &self,
        arrays: &impl Stairs<Staircase = S>,
        body: &Body,
        class: u32,
        x: u32,
    ) -> Result<(u32, Option<Move>), Fault> {
        let line = &self.lines[class as usize];
        // Without branches, since which staircase it is cannot be foreseen.
        let further = x >= line.own;
        let class = select_unpredictable(further, line.other, class) as usize;
        let [shift, deeper] =
            [line.shift, line.deeper].map(|of_other| select_unpredictable(further, of_other, 0));
        let (x, is_below) = x.overflowing_sub(shift);
        if is_below || x >= self.lines[class].own {
            return Err(Fault::Astray);
        }
        let (depth, take, reset) = arrays.at(body, &self.stairs[class], x)?;
        let best = if take > 0 { Some(Move { take: narrow(take)?, reset }) } else { None };
        Ok(((depth + u64::from(deeper)) as u32, best))
    }
}

/// A body of which the arrays of verdicts are these.
#[cfg(all(test, feature = "write"))]
fn body_of(verdicts: impl IntoIterator<Item = forged::Records>) -> Body {
    let others = std::array::from_fn::<_, 4, _>(|_| forged::records([[0]]));
    forged::body(&others.into_iter().chain(verdicts).collect::<Vec<_>>())
}
