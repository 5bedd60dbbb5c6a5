//! A row as a solver hands it over: each line by where it changes, so that it takes room for the changes alone,
//! however many stones there are.

use crate::GenerateError;
use crate::memory::Grow;

/// A solved row.
#[derive(Clone, Debug)]
pub struct SolvedRow {
    /// Number of the row.
    pub row: usize,
    /// Its lines, by their numbers.
    pub lines: Lines,
}

/// The lines of a row.
#[derive(Clone, Debug)]
pub enum Lines {
    /// Without depths: the outcomes along each line.
    Outcomes(Vec<Changes>),
    /// With depths, whose parity gives the outcomes: the runs along each line, from 0 stones up.
    Verdicts(Vec<Vec<Run>>),
}

impl Lines {
    /// Bytes that they take, about.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Outcomes(lines) => {
                lines.iter().map(|line| size_of::<Changes>() + line.gaps.capacity()).sum()
            }
            Self::Verdicts(lines) => {
                lines.iter().map(|line| size_of::<Vec<Run>>() + line.capacity() * size_of::<Run>()).sum()
            }
        }
    }
}

/// The numbers of stones along a line at which the outcome changes, ascending. Positions below the first one are
/// won.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Changes {
    /// How far each change is from the one before, in groups of seven bits, the lowest first; the top bit of a byte
    /// tells that more follow.
    gaps: Vec<u8>,
    last: u32,
}

impl Changes {
    /// Adds a change, which must be above those that are there.
    ///
    /// # Errors
    /// If there is not enough memory.
    #[inline]
    pub fn push(&mut self, stones: u32) -> Result<(), GenerateError> {
        let mut gap = stones - self.last;
        self.last = stones;
        while gap > 0x7F {
            self.gaps.grow(gap as u8 | 0x80)?;
            gap >>= 7;
        }
        self.gaps.grow(gap as u8)
    }

    /// The changes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let (mut stones, mut gap, mut shift) = (0, 0, 0);
        self.gaps.iter().filter_map(move |&byte| {
            gap |= u32::from(byte & 0x7F) << shift;
            shift += 7;
            (byte < 0x80).then(|| {
                stones += gap;
                (gap, shift) = (0, 0);
                stones
            })
        })
    }
}

/// Numbers of stones that follow each other on a line, with the same verdict but for the stones taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// The first one. The run ends where the next begins.
    pub start: u32,
    /// Plies to the end.
    pub depth: u32,
    /// Stones that the best move takes at the start; 0 if there is no move.
    pub take: u32,
    /// Whether the best move takes one more for each further stone, or as many from each.
    pub advance: bool,
    /// Whether it imposes a reset.
    pub reset: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_any_gap_are_kept() {
        for all in [
            &[][..],
            &[0],
            &[0, 1, 2],
            &[5, 132, 133, 261, 16_645, 16_646, 3_000_000],
            &[u32::MAX - 1, u32::MAX],
        ] {
            let mut changes = Changes::default();
            all.iter().for_each(|&stones| changes.push(stones).unwrap());
            assert_eq!(changes.iter().collect::<Vec<_>>(), all);
        }
    }
}
