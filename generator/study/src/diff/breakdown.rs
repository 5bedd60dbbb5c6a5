//! The breakdown of a comparison: where along each axis positions differ.

use serde::Serialize;

/// An axis of the breakdown: a name, and which positions each of its parts counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) name: &'static str,
    pub(crate) parts: Vec<Bin>,
}

/// Which positions a part of the breakdown counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Bin {
    /// Those with a number in a range.
    Range {
        /// The least.
        from: u64,
        /// The greatest.
        to: u64,
    },
    /// Those with these resets left.
    Resets {
        /// Of players 1 and 2.
        resets: [u8; 2],
    },
    /// Those with a reset imposed, or without.
    Imposed {
        /// Whether a reset is imposed.
        imposed: bool,
    },
}

/// The most ranges of an axis.
const MOST_RANGES: u64 = 20;

/// Ranges of equal length that cover all numbers from 0 to `most`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranges {
    length: u64,
    most: u64,
}

impl Ranges {
    pub(crate) fn up_to(most: u64) -> Self {
        // 1, 2, 5, 10, 20, 50 and so on: the least that makes few enough.
        let lengths = (0..19).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_u64.pow(zeros)));
        let few = |length: &u64| most / length < MOST_RANGES;
        Self { length: lengths.into_iter().find(few).unwrap_or(most), most }
    }

    pub(crate) fn of(self, number: u64) -> usize {
        (number / self.length) as usize
    }

    pub(crate) fn axis(self, name: &'static str) -> Axis {
        let range = |n| {
            let from = n * self.length;
            Bin::Range { from, to: (from + self.length - 1).min(self.most) }
        };
        Axis { name, parts: (0..=self.most / self.length).map(range).collect() }
    }
}
