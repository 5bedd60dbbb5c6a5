//! A compact list of very many edges: 4 bytes an edge, or 8 in chunks with an edge that does not fit into 4.
//!
//! Example: an edge to class 7 that adds 5 to the depth is 0x0007_0005 in 4 bytes.

use std::io;

use crate::making::GenerateError;
use crate::memory::{Grow, room};
use crate::work::words::{WordReader, WordWriter};

/// The result of adding a heap to heaps of some class: the class of all these heaps, and what to add to the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ClassEdge {
    /// The class. For a whole position, 0 if won, otherwise 1 plus the stones of the best move (1 without depths).
    pub class: u32,
    /// Amount to add to the depth (0 without depths), or `VOID`.
    pub deeper: u32,
}

/// Stands for the depth of a multiset that leads only to won positions, whichever heaps are added.
pub(crate) const VOID: u32 = u32::MAX;

/// A list of edges, in chunks.
pub(crate) struct EdgeList {
    chunks: Vec<Chunk>,
    len: u64,
    /// Number of edges when the list is complete.
    max_len: u64,
}

/// All edges of a chunk have the same width; the chunk is widened when an edge does not fit.
enum Chunk {
    /// Class and depth in two bytes each.
    Narrow(Vec<u32>),
    /// Class and depth in four bytes each.
    Wide(Vec<u64>),
}

/// Binary logarithm of the number of edges in a chunk; the last chunk may be shorter.
const CHUNK_BITS: u32 = 16;
const CHUNK_LEN: u64 = 1 << CHUNK_BITS;

/// Code of [`VOID`] in two bytes.
const NARROW_VOID: u32 = 0xFFFF;

/// Packs an edge into four bytes, if it fits.
fn narrow(edge: ClassEdge) -> Option<u32> {
    let deeper = if edge.deeper == VOID { NARROW_VOID } else { edge.deeper };
    let fits = edge.class <= 0xFFFF && deeper <= NARROW_VOID && (deeper < NARROW_VOID || edge.deeper == VOID);
    fits.then_some(edge.class << 16 | deeper)
}

fn from_narrow(packed: u32) -> ClassEdge {
    let deeper = packed & 0xFFFF;
    ClassEdge { class: packed >> 16, deeper: if deeper == NARROW_VOID { VOID } else { deeper } }
}

/// Packs an edge into eight bytes.
pub(crate) fn wide(edge: ClassEdge) -> u64 {
    u64::from(edge.class) << 32 | u64::from(edge.deeper)
}

pub(crate) fn from_wide(packed: u64) -> ClassEdge {
    ClassEdge { class: (packed >> 32) as u32, deeper: packed as u32 }
}

impl Chunk {
    #[inline(always)]
    fn get(&self, at: usize) -> ClassEdge {
        match self {
            Self::Narrow(edges) => from_narrow(edges[at]),
            Self::Wide(edges) => from_wide(edges[at]),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Narrow(edges) => edges.len(),
            Self::Wide(edges) => edges.len(),
        }
    }

    /// Appends an edge within the chunk's capacity.
    fn push(&mut self, edge: ClassEdge) -> Result<(), GenerateError> {
        match (&mut *self, narrow(edge)) {
            (Self::Narrow(edges), Some(edge)) => edges.push(edge),
            (Self::Wide(edges), _) => edges.push(wide(edge)),
            (Self::Narrow(_), None) => {
                self.widen()?;
                self.push(edge)?;
            }
        }
        Ok(())
    }

    fn widen(&mut self) -> Result<(), GenerateError> {
        if let Self::Narrow(narrow) = self {
            let mut edges: Vec<u64> = room(narrow.capacity() as u64)?;
            edges.extend(narrow.iter().map(|&edge| wide(from_narrow(edge))));
            *self = Self::Wide(edges);
        }
        Ok(())
    }

    /// Replaces each edge by `to(edge)`.
    fn map(&mut self, to: impl Fn(ClassEdge) -> ClassEdge) -> Result<(), GenerateError> {
        let mut mapped = Self::Narrow(room(self.len() as u64)?);
        for at in 0..self.len() {
            mapped.push(to(self.get(at)))?;
        }
        *self = mapped;
        Ok(())
    }
}

impl EdgeList {
    /// Returns an empty list for `edges` edges. Each chunk is allocated when it begins.
    pub(crate) fn with_capacity(edges: u64) -> Result<Self, GenerateError> {
        Ok(Self { chunks: room(edges.div_ceil(CHUNK_LEN))?, len: 0, max_len: edges })
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns the bytes by which wide chunks exceed four an edge. A wide chunk counts as full, even the last one.
    pub(crate) fn wide_bytes(&self) -> u64 {
        4 * CHUNK_LEN * self.chunks.iter().filter(|chunk| matches!(chunk, Chunk::Wide(_))).count() as u64
    }

    pub(crate) fn bytes(&self) -> u64 {
        4 * self.len + self.wide_bytes()
    }

    #[inline(always)]
    pub(crate) fn get(&self, at: u64) -> ClassEdge {
        self.chunks[(at >> CHUNK_BITS) as usize].get((at % CHUNK_LEN) as usize)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = ClassEdge> {
        self.chunks.iter().flat_map(|chunk| (0..chunk.len()).map(|at| chunk.get(at)))
    }

    /// Replaces each edge by `to(edge)`.
    pub(crate) fn map(&mut self, to: impl Fn(ClassEdge) -> ClassEdge) -> Result<(), GenerateError> {
        self.chunks.iter_mut().try_for_each(|chunk| chunk.map(&to))
    }

    /// Writes the number of edges, then for each chunk the bytes of an edge, and its edges.
    pub(crate) fn save(&self, output: &mut WordWriter) -> io::Result<()> {
        output.write_word(self.len)?;
        self.chunks.iter().try_for_each(|chunk| match chunk {
            Chunk::Narrow(edges) => {
                output.write_half(4)?;
                edges.iter().try_for_each(|&edge| output.write_half(edge))
            }
            Chunk::Wide(edges) => {
                output.write_half(8)?;
                output.words(edges)
            }
        })
    }

    /// Reads a list that may grow to `max_len` edges.
    pub(crate) fn load(max_len: u64, input: &mut WordReader) -> Result<Self, GenerateError> {
        let mut list = Self::with_capacity(max_len)?;
        let len = input.word()?;
        if len > max_len {
            return Err(input.damaged());
        }
        for first in (0..len).step_by(CHUNK_LEN as usize) {
            let width = input.half()?;
            for _ in first..len.min(first + CHUNK_LEN) {
                list.push(match width {
                    4 => from_narrow(input.half()?),
                    8 => from_wide(input.word()?),
                    _ => return Err(input.damaged()),
                })?;
            }
        }
        Ok(list)
    }

    pub(crate) fn extend(&mut self, mut edges: impl Iterator<Item = ClassEdge>) -> Result<(), GenerateError> {
        edges.try_for_each(|edge| self.push(edge))
    }

    #[inline]
    fn push(&mut self, edge: ClassEdge) -> Result<(), GenerateError> {
        if self.len.is_multiple_of(CHUNK_LEN) {
            let left = self.max_len.saturating_sub(self.len).clamp(1, CHUNK_LEN);
            self.chunks.grow(Chunk::Narrow(room(left)?))?;
        }
        if let Some(last) = self.chunks.last_mut() {
            last.push(edge)?;
        }
        self.len += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_the_edges_that_were_appended_or_mapped() {
        let edge = |class, deeper| ClassEdge { class, deeper };
        for last in [
            edge(0xFFFF, 0xFFFE),
            edge(0xFFFF, VOID),
            edge(0x1_0000, 0),
            edge(0, 0xFFFF),
            edge(u32::MAX, VOID - 1),
        ] {
            let all = [edge(0, 0), edge(7, VOID), edge(1, 5), last, edge(3, VOID)];
            let mut list = EdgeList::with_capacity(all.len() as u64).unwrap();
            list.extend(all.into_iter()).unwrap();
            assert_eq!(list.iter().collect::<Vec<_>>(), all);
            assert_eq!(list.wide_bytes() == 0, narrow(last).is_some());
            // The mapped edges may need more bytes.
            for by in [1, 0x1_0000] {
                let increased = |edge: ClassEdge| ClassEdge { class: (edge.class / 2) + by, ..edge };
                let mut changed = EdgeList::with_capacity(all.len() as u64).unwrap();
                changed.extend(all.into_iter()).unwrap();
                changed.map(increased).unwrap();
                assert_eq!(changed.iter().collect::<Vec<_>>(), all.map(increased));
            }
        }
        // Only the chunk with the large class is widened.
        let class = |at: u64| if at == 3 * CHUNK_LEN / 2 { 0x1_0000 } else { at as u32 % 1000 };
        let mut list = EdgeList::with_capacity(3 * CHUNK_LEN - 5).unwrap();
        for first in (0..3 * CHUNK_LEN - 5).step_by(1000) {
            let end = (first + 1000).min(3 * CHUNK_LEN - 5);
            list.extend((first..end).map(|at| edge(class(at), 1))).unwrap();
        }
        assert_eq!((list.len(), list.wide_bytes()), (3 * CHUNK_LEN - 5, 4 * CHUNK_LEN));
        assert!((0..list.len()).all(|at| list.get(at) == edge(class(at), 1)));
        assert!(list.iter().eq((0..list.len()).map(|at| edge(class(at), 1))));
        assert!(narrow(edge(0xFFFF, 0xFFFE)).is_some() && narrow(edge(0, 0xFFFF)).is_none());
    }
}
