//! The initial classes of lines, in games where a line has at most one lost position.
//!
//! The class of a line is the size of the heap in its lost position (its *target*) together with the stones of the best
//! move. The depth is not a part of the class: the edge to the class has it. Example: two lines with targets of size 3
//! and depths 4 and 6 have the same class. Lines without a lost position have the size `none`, and the depth [`VOID`].

use std::ops::Range;

use bouton_tables::heaps::{Heap, Ranks};
use rustc_hash::FxHashSet;

use super::edges::{ClassEdge, VOID};
use super::multisets::{
    CHUNK_LEN, MultisetSource, Multisets, SectionQuery, SectionView, UsedBits, VALUES_AT_A_TIME,
};
use super::pack::LostTarget;
use crate::control::{Control, check_cancelled};
use crate::making::GenerateError;
use crate::memory::{collected, room};
use crate::parallel;

/// Returns the bits in use by a target.
pub(crate) fn used(target: LostTarget) -> UsedBits {
    UsedBits([target.size, target.deeper, target.best_take])
}

/// Turns a source of targets into a source of edges to the classes of the targets.
pub(crate) struct TargetsAsEdges<'a> {
    pub(crate) lines: &'a dyn MultisetSource<LostTarget>,
    pub(crate) edges: TargetEdges<'a>,
}

/// Converts targets to edges.
#[derive(Clone, Copy)]
pub(crate) struct TargetEdges<'a> {
    pub(crate) classes: &'a TargetClasses,
    /// The size that stands for no lost position.
    pub(crate) none: Heap,
}

impl TargetEdges<'_> {
    #[inline]
    fn edge(self, target: LostTarget) -> ClassEdge {
        let deeper = if target.size == self.none { VOID } else { target.deeper };
        ClassEdge { class: self.classes.class(target), deeper }
    }
}

impl MultisetSource<ClassEdge> for TargetsAsEdges<'_> {
    fn ranks(&self) -> &Ranks {
        self.lines.ranks()
    }

    fn each(
        &self,
        layer: u64,
        ranks: Range<u64>,
        visit: &mut dyn FnMut(&[ClassEdge]),
    ) -> Result<(), GenerateError> {
        let mut edges = room(VALUES_AT_A_TIME as u64)?;
        self.lines.each(layer, ranks, &mut |targets| {
            edges.clear();
            edges.extend(targets.iter().map(|&target| self.edges.edge(target)));
            visit(&edges);
        })
    }

    fn sections(&self, below: &Ranks) -> Result<Vec<Range<u64>>, GenerateError> {
        self.lines.sections(below)
    }

    fn view(
        &self,
        layer: u64,
        section: &Range<u64>,
    ) -> Result<Box<dyn SectionView<ClassEdge> + '_>, GenerateError> {
        Ok(Box::new(EdgeView { lines: self.lines.view(layer, section)?, edges: self.edges }))
    }
}

/// A section of lines, as edges.
struct EdgeView<'a> {
    lines: Box<dyn SectionView<LostTarget> + 'a>,
    edges: TargetEdges<'a>,
}

impl SectionView<ClassEdge> for EdgeView<'_> {
    fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    fn query(&self) -> Result<Box<SectionQuery<'_, ClassEdge>>, GenerateError> {
        // There are `none` sizes.
        let (mut query, mut targets) = (self.lines.query()?, room(self.edges.none.into())?);
        Ok(Box::new(move |others, sizes, edges| {
            targets.clear();
            query(others, sizes, &mut targets);
            edges.extend(targets.iter().map(|&target| self.edges.edge(target)));
        }))
    }
}

/// The classes of lines.
pub(crate) struct TargetClasses {
    /// Size and best take of each class, ascending.
    all: Vec<(u32, u32)>,
    /// For each size, the first class with this size or a greater one.
    first: Vec<u32>,
}

impl TargetClasses {
    /// Finds the classes of some lines. Also returns the bits in use by the targets.
    pub(crate) fn find(
        multisets: Multisets,
        lines: &dyn MultisetSource<LostTarget>,
        control: &dyn Control,
    ) -> Result<(Self, UsedBits), GenerateError> {
        type ClassSets = (FxHashSet<(u32, u32)>, UsedBits);
        let find_in_chunk = |chunk| {
            check_cancelled(control)?;
            let (mut found, mut bits) = ClassSets::default();
            // A cache of recent classes, by hash: most targets are in it.
            let mut recent = [(u32::MAX, u32::MAX); 256];
            let (layer, chunk) = multisets.chunk(chunk, CHUNK_LEN);
            let mut result = Ok(());
            let mut add = |target: LostTarget| {
                let LostTarget { size, best_take, .. } = target;
                bits = bits | used(target);
                let recent = &mut recent[(size ^ best_take << 6) as usize % 256];
                if *recent != (size, best_take) {
                    *recent = (size, best_take);
                    match found.try_reserve(1) {
                        Ok(()) => {
                            found.insert((size, best_take));
                        }
                        Err(error) => result = Err(error),
                    }
                }
            };
            lines.each(layer, chunk, &mut |targets| targets.iter().copied().for_each(&mut add))?;
            result?;
            Ok((found, bits))
        };
        let unite = |(mut a, a_bits): ClassSets, (mut b, b_bits): ClassSets| {
            if a.len() < b.len() {
                std::mem::swap(&mut a, &mut b);
            }
            a.try_reserve(b.len())?;
            a.extend(b);
            Ok::<_, GenerateError>((a, a_bits | b_bits))
        };
        let chunks = multisets.chunks(CHUNK_LEN);
        let (found, bits) = parallel::reduce(chunks, find_in_chunk, unite)?;
        let mut all = collected(found.into_iter())?;
        all.sort_unstable();
        Ok((Self::new(all)?, bits))
    }

    /// Returns the classes with these sizes and best takes, which must ascend.
    fn new(all: Vec<(u32, u32)>) -> Result<Self, GenerateError> {
        let below = |size| all.partition_point(|&(other, _)| other < size) as u32;
        let greatest = all.last().map_or(0, |&(size, _)| size);
        Ok(Self { first: collected((0..=greatest + 1).map(below))?, all })
    }

    /// Returns the classes and the bits in use as words, for a checkpoint.
    pub(crate) fn to_words(&self, UsedBits(bits): UsedBits) -> Result<Vec<u64>, GenerateError> {
        let mut words = room((bits.len() + self.all.len()) as u64)?;
        words.extend(bits.map(u64::from));
        words.extend(self.all.iter().map(|&(size, best_take)| u64::from(size) << 32 | u64::from(best_take)));
        Ok(words)
    }

    /// Reads the words of [`TargetClasses::to_words`].
    pub(crate) fn from_words(words: &[u64]) -> Result<(Self, UsedBits), GenerateError> {
        let (bits, classes) = words.split_at(words.len().min(UsedBits::FIELDS));
        let all = collected(classes.iter().map(|&class| ((class >> 32) as u32, class as u32)))?;
        Ok((Self::new(all)?, UsedBits::from_words(bits)))
    }

    #[inline]
    fn class(&self, target: LostTarget) -> u32 {
        let (mut class, end) = (self.first[target.size as usize], self.first[target.size as usize + 1]);
        if class + 1 < end {
            let best_take = &self.all[class as usize..end as usize];
            class += best_take.partition_point(|&(_, best_take)| best_take < target.best_take) as u32;
        }
        class
    }

    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(&self.all[..]) + size_of_val(&self.first[..])) as u64
    }

    /// Returns the target of each class, without its depth.
    pub(crate) fn targets(&self) -> Result<Vec<LostTarget>, GenerateError> {
        collected(self.all.iter().map(|&(size, best_take)| LostTarget { size, deeper: 0, best_take }))
    }
}
