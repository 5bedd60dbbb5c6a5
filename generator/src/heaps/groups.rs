//! Groups of heaps: all of a number of heaps with each number of passes left, and what was found out of each.

use std::ops::{BitOr, Range};

use bouton_tables::heaps::{HeapRules, Ranks};

use super::pack::Edge;
use crate::control::check;
use crate::memory::filled;
use crate::{Control, GenerateError, parallel};

/// Chunks for each thread whose dictionaries wait to be put together.
const WAITING: usize = 8;

/// A group from which no position is lost, whatever is added: it has no depth.
pub(super) const VOID: u32 = u32::MAX;

/// The edges to the groups of so many heaps, for each number of passes left, by rank. The depth of an edge is
/// [`VOID`] where no position is lost.
pub(super) struct Level {
    pub(super) ranks: Ranks,
    pub(super) edges: Vec<Edge>,
    /// For each class and each size of a further heap where it leads.
    pub(super) steps: Vec<Edge>,
}

/// All groups of so many heaps, with each number of passes left: a layer for each, by rank, one after the other.
#[derive(Clone, Copy)]
pub(super) struct Groups {
    layers: u64,
    of_layer: u64,
}

impl Groups {
    pub(super) fn new(rules: &HeapRules, ranks: &Ranks) -> Self {
        Self { layers: u64::from(rules.passes()) + 1, of_layer: ranks.count() }
    }

    /// Their number; the greatest number if there are more.
    pub(super) fn count(self) -> u64 {
        self.layers.saturating_mul(self.of_layer)
    }

    /// Into how many chunks of up to so many groups of a layer they are cut.
    pub(super) fn chunks(self, len: u64) -> usize {
        (self.layers * self.of_layer.div_ceil(len)) as usize
    }

    /// The passes left and the ranks of a chunk.
    pub(super) fn chunk(self, number: usize, len: u64) -> (u64, Range<u64>) {
        let of_layer = self.of_layer.div_ceil(len);
        let (layer, first) = (number as u64 / of_layer, number as u64 % of_layer * len);
        (layer, first..(first + len).min(self.of_layer))
    }

    /// A value for each.
    pub(super) fn collect<T: Clone + Default + Send>(
        self,
        at: &(impl Fn(u64, u64) -> T + Sync + Send),
    ) -> Result<Vec<T>, GenerateError> {
        let mut values = filled(self.count(), T::default())?;
        for (layer, values) in (0..).zip(values.chunks_exact_mut(self.of_layer as usize)) {
            parallel::chunks(values, MANY as usize, |chunk, values| {
                let first = chunk as u64 * MANY;
                (first..).zip(values).for_each(|(rank, value)| *value = at(layer, rank));
                Ok::<_, GenerateError>(())
            })?;
        }
        Ok(values)
    }

    /// The bits used by what there is at any of them.
    pub(super) fn used(
        self,
        control: &dyn Control,
        by: impl Fn(u64, u64) -> Used + Sync + Send,
    ) -> Result<Used, GenerateError> {
        let of_chunk = |chunk| {
            check(control)?;
            let (layer, chunk) = self.chunk(chunk, MANY);
            Ok(chunk.map(|rank| by(layer, rank)).fold(Used::default(), Used::bitor))
        };
        parallel::reduce(self.chunks(MANY), of_chunk, |a, b| Ok(a | b))
    }
}

/// So many groups one thread looks at in one go, if that is quickly done.
pub(super) const MANY: u64 = 1 << 16;

/// The bits that are set in any of some numbers, of several fields side by side.
#[derive(Clone, Copy, Default)]
pub(super) struct Used(pub(super) [u32; 3]);

impl BitOr for Used {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl Used {
    pub(super) fn by(edge: Edge) -> Self {
        let Edge { class, deeper } = stored(edge);
        Self([class, deeper, 0])
    }

    pub(super) fn by_all(edges: &[Edge]) -> Self {
        edges.iter().map(|&edge| Self::by(edge)).fold(Self::default(), Self::bitor)
    }

    /// The bits of so many records.
    pub(super) fn bits(self, records: u64) -> u64 {
        let width: u32 = self.0.iter().map(|used| u32::BITS - used.leading_zeros()).sum();
        u64::from(width.max(1)) * records
    }
}

/// An edge as the table stores it.
pub(super) fn stored(edge: Edge) -> Edge {
    Edge { deeper: if edge.deeper == VOID { 0 } else { edge.deeper }, ..edge }
}

/// The numbers of so many chunks, as many together as are looked at before their dictionaries are put together.
pub(super) fn in_batches(chunks: usize) -> impl Iterator<Item = Range<usize>> {
    let batch = WAITING * parallel::threads();
    (0..chunks).step_by(batch).map(move |first| first..(first + batch).min(chunks))
}
