//! Multisets of heaps with a number of passes left, and values that belong to them.
//!
//! The search for classes goes from whole positions to multisets with ever fewer heaps. A multiset is numbered by its
//! *layer* (the passes left) and its rank. A [`MultisetSource`] gives the values of all multisets with a certain number
//! of heaps: the lost position of each line ([`LostTarget`](super::pack::LostTarget)), or an edge to the class of each
//! multiset ([`ClassEdge`]). Solvers provide sources in memory or in a work folder. As a folder may be larger than
//! memory, the multisets with one heap less are cut into *sections*: a [`SectionView`] has all values that arise from
//! the multisets of one section by adding a heap. Example: adding a heap to {4,1} gives the values of {4,1,0}, {4,1,1},
//! {4,2,1}, {4,3,1}, and so on.

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

    /// Applies `by` to the source's values, from layer `first` of the source on.
    pub(crate) fn collect<T, U: Clone + Default + Send>(
        self,
        source: &impl MultisetSource<T>,
        first: u64,
        by: impl Fn(T) -> U + Sync + Send,
    ) -> Result<Vec<U>, GenerateError> {
        let mut values = filled(self.count(), U::default())?;
        for (layer, values) in (first..).zip(values.chunks_exact_mut(self.per_layer as usize)) {
            parallel::chunks(values, CHUNK_LEN as usize, |chunk, values| {
                let rank = chunk as u64 * CHUNK_LEN;
                let ranks = rank..rank + values.len() as u64;
                let mut values = values.iter_mut();
                source.each(layer, ranks, &mut |value| *values.next().expect("one for each rank") = by(value))
            })?;
        }
        Ok(values)
    }

    /// Returns the bits in use by the source's edges, from layer `first` of the source on.
    fn used(
        self,
        control: &dyn Control,
        source: &impl MultisetSource<ClassEdge>,
        first: u64,
    ) -> Result<UsedBits, GenerateError> {
        let parts = source.parts();
        let used_in_part = |number| {
            check_cancelled(control)?;
            let (layer, part) = (first + (number / parts) as u64, number % parts);
            let mut used = UsedBits::default();
            source.part(layer, part, &mut |edge| used = used | UsedBits::of(edge))?;
            Ok(used)
        };
        parallel::reduce(self.layers as usize * parts, used_in_part, |a, b| Ok(a | b))
    }
}

/// A function from multisets, by layer and rank, to values.
pub(crate) trait MultisetSource<T>: Sync + Send {
    /// A section of a layer, ready for lookups.
    type View<'a>: SectionView<T>
    where
        Self: 'a;

    fn ranks(&self) -> &Ranks;

    /// Visits the values of a range of ranks, in order.
    fn each(&self, layer: u64, ranks: Range<u64>, visit: &mut impl FnMut(T)) -> Result<(), GenerateError>;

    /// Returns the number of parts of a layer. Parts need not be in the order of ranks.
    fn parts(&self) -> usize {
        self.ranks().count().div_ceil(CHUNK_LEN) as usize
    }

    /// Visits the values of a part.
    fn part(&self, layer: u64, part: usize, visit: &mut impl FnMut(T)) -> Result<(), GenerateError> {
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
    fn view(&self, layer: u64, section: &Range<u64>) -> Result<Self::View<'_>, GenerateError>;
}

/// The values after adding one heap to the multisets of a section.
pub(crate) trait SectionView<T>: Sync {
    /// Buffers that lookups reuse.
    type Scratch: Default;

    /// Visits the values after adding a heap to `others`, for sizes from 0 to the greatest that fits. `others` are in
    /// descending order.
    fn with_each_size(&self, others: &[Heap], scratch: &mut Self::Scratch, visit: &mut impl FnMut(T));

    fn bytes(&self) -> u64 {
        0
    }

    /// Visits the values after adding a heap to `others`, for sizes from 0 to the least of the others.
    fn with_least_sizes(&self, others: &[Heap], scratch: &mut Self::Scratch, visit: &mut impl FnMut(T)) {
        visit_up_to_least(self, others, scratch, visit);
    }
}

/// Does the work of [`SectionView::with_least_sizes`] by omitting the greater sizes.
pub(crate) fn visit_up_to_least<T, V: SectionView<T> + ?Sized>(
    view: &V,
    others: &[Heap],
    scratch: &mut V::Scratch,
    visit: &mut impl FnMut(T),
) {
    let sizes = others.last().map_or(usize::MAX, |&least| least as usize + 1);
    let mut visited = 0;
    view.with_each_size(others, scratch, &mut |found| {
        if visited < sizes {
            visit(found);
        }
        visited += 1;
    });
}

/// Object-safe version of [`MultisetSource`] for edges, so that the search for classes is compiled only once.
pub(crate) trait EdgeSource: Sync {
    fn ranks(&self) -> &Ranks;

    /// [`MultisetSource::sections`].
    fn sections(&self, below: &Ranks) -> Result<Vec<Range<u64>>, GenerateError>;

    /// [`MultisetSource::view`].
    fn view(&self, layer: u64, section: &Range<u64>) -> Result<Box<dyn EdgeView + '_>, GenerateError>;

    /// Returns the edges of multisets as the table stores them, from layer `first` on.
    fn stored(&self, multisets: Multisets, first: u64) -> Result<Vec<ClassEdge>, GenerateError>;

    /// Returns the bits in use by the edges, from layer `first` on.
    fn used(
        &self,
        multisets: Multisets,
        first: u64,
        control: &dyn Control,
    ) -> Result<UsedBits, GenerateError>;
}

/// Object-safe version of [`SectionView`] for edges.
pub(crate) trait EdgeView: Sync {
    /// [`SectionView::bytes`].
    fn bytes(&self) -> u64;

    /// Returns a lookup function for one thread.
    fn query(&self) -> Box<EdgeQuery<'_>>;
}

/// Appends the edges after adding a heap of these sizes to the given heaps.
pub(crate) type EdgeQuery<'a> = dyn FnMut(&[Heap], FurtherSizes, &mut Vec<ClassEdge>) + 'a;

/// Sizes of a further heap.
#[derive(Clone, Copy)]
pub(crate) enum FurtherSizes {
    /// All sizes that fit: [`SectionView::with_each_size`].
    All,
    /// Sizes up to the least of the other heaps: [`SectionView::with_least_sizes`].
    Least,
}

impl<S: MultisetSource<ClassEdge>> EdgeSource for S {
    fn ranks(&self) -> &Ranks {
        MultisetSource::ranks(self)
    }

    fn sections(&self, below: &Ranks) -> Result<Vec<Range<u64>>, GenerateError> {
        MultisetSource::sections(self, below)
    }

    fn view(&self, layer: u64, section: &Range<u64>) -> Result<Box<dyn EdgeView + '_>, GenerateError> {
        Ok(Box::new(DynView(MultisetSource::view(self, layer, section)?)))
    }

    fn stored(&self, multisets: Multisets, first: u64) -> Result<Vec<ClassEdge>, GenerateError> {
        multisets.collect(self, first, stored)
    }

    fn used(
        &self,
        multisets: Multisets,
        first: u64,
        control: &dyn Control,
    ) -> Result<UsedBits, GenerateError> {
        multisets.used(control, self, first)
    }
}

struct DynView<V>(V);

impl<V: SectionView<ClassEdge>> EdgeView for DynView<V> {
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn query(&self) -> Box<EdgeQuery<'_>> {
        let mut scratch = V::Scratch::default();
        Box::new(move |others, sizes, edges| match sizes {
            FurtherSizes::All => self.0.with_each_size(others, &mut scratch, &mut |edge| edges.push(edge)),
            FurtherSizes::Least => {
                self.0.with_least_sizes(others, &mut scratch, &mut |edge| edges.push(edge));
            }
        })
    }
}

/// One layer of a source, as the source of a game without passes.
pub(crate) struct SingleLayer<'a> {
    pub(crate) source: &'a dyn EdgeSource,
    pub(crate) layer: u64,
}

impl EdgeSource for SingleLayer<'_> {
    fn ranks(&self) -> &Ranks {
        self.source.ranks()
    }

    fn sections(&self, below: &Ranks) -> Result<Vec<Range<u64>>, GenerateError> {
        self.source.sections(below)
    }

    fn view(&self, _: u64, section: &Range<u64>) -> Result<Box<dyn EdgeView + '_>, GenerateError> {
        self.source.view(self.layer, section)
    }

    fn stored(&self, multisets: Multisets, _: u64) -> Result<Vec<ClassEdge>, GenerateError> {
        self.source.stored(multisets, self.layer)
    }

    fn used(&self, multisets: Multisets, _: u64, control: &dyn Control) -> Result<UsedBits, GenerateError> {
        self.source.used(multisets, self.layer, control)
    }
}

/// A source that is a function of layer and rank.
pub(crate) struct RankFunction<'a, F> {
    pub(crate) ranks: &'a Ranks,
    pub(crate) at: F,
}

impl<T, F: Fn(u64, u64) -> T + Sync + Send> MultisetSource<T> for RankFunction<'_, F> {
    type View<'a>
        = LayerView<'a, Self>
    where
        Self: 'a;

    fn ranks(&self) -> &Ranks {
        self.ranks
    }

    #[inline]
    fn each(&self, layer: u64, ranks: Range<u64>, visit: &mut impl FnMut(T)) -> Result<(), GenerateError> {
        ranks.for_each(|rank| visit((self.at)(layer, rank)));
        Ok(())
    }

    fn view(&self, layer: u64, _: &Range<u64>) -> Result<LayerView<'_, Self>, GenerateError> {
        Ok(LayerView { source: self, layer })
    }
}

/// A view of a source in memory: it needs no preparation.
pub(crate) struct LayerView<'a, S> {
    pub(crate) source: &'a S,
    pub(crate) layer: u64,
}

impl<T, F: Fn(u64, u64) -> T + Sync> SectionView<T> for LayerView<'_, RankFunction<'_, F>> {
    type Scratch = ();

    #[inline]
    fn with_each_size(&self, others: &[Heap], (): &mut (), visit: &mut impl FnMut(T)) {
        let Self { source: RankFunction { ranks, at }, layer } = self;
        HeapLine::new(ranks, others).ranks().for_each(|rank| visit(at(*layer, rank)));
    }

    #[inline]
    fn with_least_sizes(&self, others: &[Heap], (): &mut (), visit: &mut impl FnMut(T)) {
        let Self { source: RankFunction { ranks, at }, layer } = self;
        HeapLine::new(ranks, others).ranks_as_least().for_each(|rank| visit(at(*layer, rank)));
    }
}

/// Number of multisets in a chunk of a thread, if each is little work.
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

/// Cuts `chunks` chunks into batches, after each of which their dictionaries are merged.
pub(crate) fn batches(chunks: usize) -> impl Iterator<Item = Range<usize>> {
    let batch = CHUNKS_PER_THREAD * parallel::threads();
    (0..chunks).step_by(batch).map(move |first| first..(first + batch).min(chunks))
}

impl MultisetSource<ClassEdge> for ClassLevel {
    type View<'a> = LayerView<'a, Self>;

    fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    #[inline]
    fn each(
        &self,
        layer: u64,
        ranks: Range<u64>,
        visit: &mut impl FnMut(ClassEdge),
    ) -> Result<(), GenerateError> {
        let first = layer * self.ranks.count();
        ranks.for_each(|rank| visit(self.edges.get(first + rank)));
        Ok(())
    }

    fn view(&self, layer: u64, _: &Range<u64>) -> Result<LayerView<'_, Self>, GenerateError> {
        Ok(LayerView { source: self, layer })
    }
}

impl SectionView<ClassEdge> for LayerView<'_, ClassLevel> {
    type Scratch = ();

    #[inline]
    fn with_each_size(&self, others: &[Heap], (): &mut (), visit: &mut impl FnMut(ClassEdge)) {
        let ClassLevel { ranks, edges, .. } = self.source;
        let first = self.layer * ranks.count();
        HeapLine::new(ranks, others).ranks().for_each(|rank| visit(edges.get(first + rank)));
    }

    #[inline]
    fn with_least_sizes(&self, others: &[Heap], (): &mut (), visit: &mut impl FnMut(ClassEdge)) {
        let ClassLevel { ranks, edges, .. } = self.source;
        let first = self.layer * ranks.count();
        HeapLine::new(ranks, others).ranks_as_least().for_each(|rank| visit(edges.get(first + rank)));
    }
}
