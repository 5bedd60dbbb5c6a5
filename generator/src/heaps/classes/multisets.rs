//! Multisets of heaps with a number of passes left, and values that belong to them.
//!
//! The search for classes goes from whole positions to multisets with ever fewer heaps. A multiset is numbered by its
//! *layer* (the passes left) and its rank. A [`MultisetSource`] gives the values of all multisets with a certain number
//! of heaps: the lost position of each line ([`LostTarget`](super::pack::LostTarget)), or an edge to the class of each
//! multiset ([`ClassEdge`]). Solvers provide sources in memory or in a work folder. As a folder may be larger than
//! memory, the multisets with one heap less are cut into *sections*: a [`SectionView`] has all values that arise from
//! the multisets of one section by adding a heap. Example: adding a heap to {4,1} gives the values of {4,1,0}, {4,1,1},
//! {4,2,1}, {4,3,1}, and so on. Sources hand over many values at a time, so they can be used through `dyn`: the search
//! for classes is compiled only once.

use std::ops::{BitOr, Range};

use bouton_tables::heaps::{Heap, HeapRules, Ranks};

use super::edges::{ClassEdge, EdgeList, VOID};
use crate::control::{Control, check_cancelled};
use crate::heaps::line::HeapLine;
use crate::making::GenerateError;
use crate::memory::{filled, room};
use crate::parallel;

/// Chunks of a batch, for each thread.
const CHUNKS_PER_THREAD: usize = 8;

/// The classes of all multisets with a given number of heaps.
pub(crate) struct ClassLevel {
    pub(crate) ranks: Ranks,
    /// For each multiset, by layer and rank: its class, and the depth beyond that of the class; [`VOID`] if it leads
    /// only to won positions.
    pub(crate) edges: EdgeList,
    /// For each class, the edge after adding a heap of each size.
    pub(crate) steps: Vec<ClassEdge>,
}

/// All multisets with a given number of heaps, in the order of layers and ranks.
#[derive(Clone, Copy)]
pub(crate) struct Multisets {
    layers: u64,
    per_layer: u64,
}

impl Multisets {
    pub(crate) fn new(rules: &HeapRules, ranks: &Ranks) -> Self {
        Self { layers: u64::from(rules.passes()) + 1, per_layer: ranks.count() }
    }

    /// Returns the number of multisets, saturating.
    pub(crate) fn count(self) -> u64 {
        self.layers.saturating_mul(self.per_layer)
    }

    /// Returns the number of chunks of at most `len` multisets. A chunk lies within one layer.
    pub(crate) fn chunks(self, len: u64) -> usize {
        (self.layers * self.per_layer.div_ceil(len)) as usize
    }

    /// Returns the layer and the ranks of a chunk.
    pub(crate) fn chunk(self, number: usize, len: u64) -> (u64, Range<u64>) {
        let per_layer = self.per_layer.div_ceil(len);
        let (layer, first) = (number as u64 / per_layer, number as u64 % per_layer * len);
        (layer, first..(first + len).min(self.per_layer))
    }

    /// Returns the values of all multisets.
    pub(crate) fn collect<T: Copy + Default + Send>(
        self,
        source: &dyn MultisetSource<T>,
    ) -> Result<Vec<T>, GenerateError> {
        let mut values = filled(self.count(), T::default())?;
        for (layer, values) in (0..).zip(values.chunks_exact_mut(self.per_layer as usize)) {
            parallel::chunks(values, CHUNK_LEN as usize, |chunk, values| {
                let first = chunk as u64 * CHUNK_LEN;
                let mut done = 0;
                source.each(layer, first..first + values.len() as u64, &mut |found| {
                    values[done..][..found.len()].copy_from_slice(found);
                    done += found.len();
                })
            })?;
        }
        Ok(values)
    }

    /// Returns the bits in use by the source's edges.
    pub(crate) fn used(
        self,
        source: &dyn MultisetSource<ClassEdge>,
        control: &dyn Control,
    ) -> Result<UsedBits, GenerateError> {
        let parts = source.parts();
        let used_in_part = |number| {
            check_cancelled(control)?;
            let (layer, part) = ((number / parts) as u64, number % parts);
            let mut used = UsedBits::default();
            source.part(layer, part, &mut |edges| used = used | UsedBits::of_all(edges.iter().copied()))?;
            Ok(used)
        };
        parallel::reduce(self.layers as usize * parts, used_in_part, |a, b| Ok(a | b))
    }
}

/// A function from multisets, by layer and rank, to values.
pub(crate) trait MultisetSource<T>: Sync {
    fn ranks(&self) -> &Ranks;

    /// Visits the values of a range of ranks, in order, many at a time.
    fn each(&self, layer: u64, ranks: Range<u64>, visit: &mut dyn FnMut(&[T])) -> Result<(), GenerateError>;

    /// Returns the number of parts of a layer. Parts need not be in the order of ranks.
    fn parts(&self) -> usize {
        self.ranks().count().div_ceil(CHUNK_LEN) as usize
    }

    /// Visits the values of a part, many at a time.
    fn part(&self, layer: u64, part: usize, visit: &mut dyn FnMut(&[T])) -> Result<(), GenerateError> {
        let first = part as u64 * CHUNK_LEN;
        self.each(layer, first..(first + CHUNK_LEN).min(self.ranks().count()), visit)
    }

    /// Cuts `below`, the multisets with one heap less, into sections that are viewed one at a time. By default there is
    /// one section, for sources in memory.
    fn sections(&self, below: &Ranks) -> Result<Vec<Range<u64>>, GenerateError> {
        let mut sections = room(1)?;
        sections.push(0..below.count());
        Ok(sections)
    }

    /// Returns the values after adding a heap to the multisets of a section.
    fn view(&self, layer: u64, section: &Range<u64>) -> Result<Box<dyn SectionView<T> + '_>, GenerateError>;
}

/// The values after adding one heap to the multisets of a section.
pub(crate) trait SectionView<T>: Sync {
    fn bytes(&self) -> u64 {
        0
    }

    /// Returns a lookup function for one thread.
    fn query(&self) -> Result<Box<SectionQuery<'_, T>>, GenerateError>;
}

/// Appends the values after adding a heap to the given heaps, which are in descending order: a value for each size from
/// 0 to the greatest that fits. With `FurtherSizes::Least`, may omit sizes above the least of the given heaps.
pub(crate) type SectionQuery<'a, T> = dyn FnMut(&[Heap], FurtherSizes, &mut Vec<T>) + 'a;

/// Sizes of a further heap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FurtherSizes {
    /// All sizes that fit.
    All,
    /// Sizes up to the least of the other heaps.
    Least,
}

/// Maximum number of values that a source hands over at a time.
pub(crate) const VALUES_AT_A_TIME: usize = 1 << 10;

/// Collects values, and hands over many at a time.
pub(crate) struct ValueBuffer<'a, T> {
    values: Vec<T>,
    visit: &'a mut dyn FnMut(&[T]),
}

impl<'a, T> ValueBuffer<'a, T> {
    pub(crate) fn new(visit: &'a mut dyn FnMut(&[T])) -> Result<Self, GenerateError> {
        Ok(Self { values: room(VALUES_AT_A_TIME as u64)?, visit })
    }

    /// Adds values; hands them over as soon as there are enough.
    #[inline]
    pub(crate) fn add(&mut self, mut values: impl Iterator<Item = T>) {
        loop {
            self.values.extend(values.by_ref().take(VALUES_AT_A_TIME - self.values.len()));
            if self.values.len() < VALUES_AT_A_TIME {
                return;
            }
            self.hand_over();
        }
    }

    /// Hands over the remaining values.
    pub(crate) fn hand_over(&mut self) {
        (self.visit)(&self.values);
        self.values.clear();
    }
}

/// One layer of a source, as the source of a game without passes.
pub(crate) struct SingleLayer<'a> {
    pub(crate) source: &'a dyn MultisetSource<ClassEdge>,
    pub(crate) layer: u64,
}

impl MultisetSource<ClassEdge> for SingleLayer<'_> {
    fn ranks(&self) -> &Ranks {
        self.source.ranks()
    }

    fn each(
        &self,
        _: u64,
        ranks: Range<u64>,
        visit: &mut dyn FnMut(&[ClassEdge]),
    ) -> Result<(), GenerateError> {
        self.source.each(self.layer, ranks, visit)
    }

    fn parts(&self) -> usize {
        self.source.parts()
    }

    fn part(&self, _: u64, part: usize, visit: &mut dyn FnMut(&[ClassEdge])) -> Result<(), GenerateError> {
        self.source.part(self.layer, part, visit)
    }

    fn sections(&self, below: &Ranks) -> Result<Vec<Range<u64>>, GenerateError> {
        self.source.sections(below)
    }

    fn view(
        &self,
        _: u64,
        section: &Range<u64>,
    ) -> Result<Box<dyn SectionView<ClassEdge> + '_>, GenerateError> {
        self.source.view(self.layer, section)
    }
}

/// A source that is a function of layer and rank.
pub(crate) struct RankFunction<'a, F> {
    pub(crate) ranks: &'a Ranks,
    pub(crate) at: F,
}

impl<T, F: Fn(u64, u64) -> T + Sync> MultisetSource<T> for RankFunction<'_, F> {
    fn ranks(&self) -> &Ranks {
        self.ranks
    }

    fn each(&self, layer: u64, ranks: Range<u64>, visit: &mut dyn FnMut(&[T])) -> Result<(), GenerateError> {
        let mut buffer = ValueBuffer::new(visit)?;
        buffer.add(ranks.map(|rank| (self.at)(layer, rank)));
        buffer.hand_over();
        Ok(())
    }

    fn view(&self, layer: u64, _: &Range<u64>) -> Result<Box<dyn SectionView<T> + '_>, GenerateError> {
        Ok(Box::new(FunctionView { source: self, layer }))
    }
}

/// A layer of a [`RankFunction`].
struct FunctionView<'a, F> {
    source: &'a RankFunction<'a, F>,
    layer: u64,
}

impl<T, F: Fn(u64, u64) -> T + Sync> SectionView<T> for FunctionView<'_, F> {
    fn query(&self) -> Result<Box<SectionQuery<'_, T>>, GenerateError> {
        let Self { source: RankFunction { ranks, at }, layer } = *self;
        Ok(Box::new(move |others, sizes, values| {
            let line = HeapLine::new(ranks, others);
            match sizes {
                FurtherSizes::All => values.extend(line.ranks().map(|rank| at(layer, rank))),
                FurtherSizes::Least => values.extend(line.ranks_as_least().map(|rank| at(layer, rank))),
            }
        }))
    }
}

/// Number of multisets in a chunk of a thread, if a multiset is little work.
pub(crate) const CHUNK_LEN: u64 = 1 << 16;

/// For each field of a record, the OR of its values in all records: shows how wide the field must be.
#[derive(Clone, Copy, Default)]
pub(crate) struct UsedBits(pub(crate) [u32; Self::FIELDS]);

impl BitOr for UsedBits {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl UsedBits {
    pub(crate) const FIELDS: usize = 3;

    pub(crate) fn from_words(words: &[u64]) -> Self {
        Self(std::array::from_fn(|field| words.get(field).map_or(0, |&used| used as u32)))
    }

    pub(crate) fn of(edge: ClassEdge) -> Self {
        let ClassEdge { class, deeper } = stored(edge);
        Self([class, deeper, 0])
    }

    pub(crate) fn of_all(edges: impl Iterator<Item = ClassEdge>) -> Self {
        edges.map(Self::of).fold(Self::default(), Self::bitor)
    }

    /// Returns the bits of `records` records with fields that are just wide enough.
    pub(crate) fn bits(self, records: u64) -> u64 {
        let width: u32 = self.0.iter().map(|used| u32::BITS - used.leading_zeros()).sum();
        u64::from(width.max(1)) * records
    }
}

/// Returns an edge as the table stores it: with depth 0 in place of [`VOID`].
pub(crate) fn stored(edge: ClassEdge) -> ClassEdge {
    ClassEdge { deeper: if edge.deeper == VOID { 0 } else { edge.deeper }, ..edge }
}

/// Cuts `chunks` chunks into batches. After each batch, the dictionaries of its chunks are merged.
pub(crate) fn batches(chunks: usize) -> impl Iterator<Item = Range<usize>> {
    let batch = CHUNKS_PER_THREAD * parallel::threads();
    (0..chunks).step_by(batch).map(move |first| first..(first + batch).min(chunks))
}

impl ClassLevel {
    /// Returns the edges as a source.
    pub(crate) fn source(&self) -> impl MultisetSource<ClassEdge> {
        let at = |layer: u64, rank: u64| self.edges.get(layer * self.ranks.count() + rank);
        RankFunction { ranks: &self.ranks, at }
    }
}
