//! A compact list of edges to very many multisets: 4 bytes an edge, or 8 in chunks with an edge that does not fit into 4.

use std::io;

use super::multisets::VOID;
use super::pack::ClassEdge;
use crate::GenerateError;
use crate::memory::{Grow, room};
use crate::work::words::{WordReader, WordWriter};

/// A list of edges, in chunks. A chunk uses 4 bytes an edge until one does not fit, then 8.
pub(super) struct EdgeList {
    chunks: Vec<Chunk>,
    len: u64,
    /// Final number of edges.
    all: u64,
}

enum Chunk {
    /// Class and depth in two bytes each.
    Narrow(Vec<u32>),
    /// In four bytes each.
    Wide(Vec<u64>),
}

/// Binary logarithm of the edges in a chunk; the last chunk may be shorter.
const BITS: u32 = 16;
const LEN: u64 = 1 << BITS;

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
pub(super) fn wide(edge: ClassEdge) -> u64 {
    u64::from(edge.class) << 32 | u64::from(edge.deeper)
}

pub(super) fn from_wide(packed: u64) -> ClassEdge {
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

    /// Appends an edge, for which there is room.
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

    /// Converts the chunk to eight bytes an edge.
    fn widen(&mut self) -> Result<(), GenerateError> {
        if let Self::Narrow(before) = self {
            let mut edges: Vec<u64> = room(before.capacity() as u64)?;
            edges.extend(before.iter().map(|&edge| wide(from_narrow(edge))));
            *self = Self::Wide(edges);
        }
        Ok(())
    }

    /// Maps each edge.
    fn change(&mut self, to: impl Fn(ClassEdge) -> ClassEdge) -> Result<(), GenerateError> {
        if let Self::Narrow(edges) = self {
            let changed = |edge: &u32| narrow(to(from_narrow(*edge)));
            if edges.iter().all(|edge| changed(edge).is_some()) {
                edges.iter_mut().for_each(|edge| *edge = changed(edge).unwrap_or(*edge));
                return Ok(());
            }
            self.widen()?;
        }
        if let Self::Wide(edges) = self {
            edges.iter_mut().for_each(|edge| *edge = wide(to(from_wide(*edge))));
        }
        Ok(())
    }
}

impl EdgeList {
    /// Returns an empty list for `edges` edges. Each chunk is allocated when it begins.
    pub(super) fn room(edges: u64) -> Result<Self, GenerateError> {
        Ok(Self { chunks: room(edges.div_ceil(LEN))?, len: 0, all: edges })
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Returns the bytes in addition to four for each edge.
    pub(super) fn more(&self) -> u64 {
        4 * LEN * self.chunks.iter().filter(|chunk| matches!(chunk, Chunk::Wide(_))).count() as u64
    }

    pub(super) fn bytes(&self) -> u64 {
        4 * self.len + self.more()
    }

    #[inline(always)]
    pub(super) fn get(&self, at: u64) -> ClassEdge {
        self.chunks[(at >> BITS) as usize].get((at % LEN) as usize)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = ClassEdge> {
        self.chunks.iter().flat_map(|chunk| (0..chunk.len()).map(|at| chunk.get(at)))
    }

    /// Maps each edge.
    pub(super) fn change(&mut self, to: impl Fn(ClassEdge) -> ClassEdge) -> Result<(), GenerateError> {
        self.chunks.iter_mut().try_for_each(|chunk| chunk.change(&to))
    }

    /// Writes them: their number, and of each chunk the bytes of an edge before the edges.
    pub(super) fn save(&self, output: &mut WordWriter) -> io::Result<()> {
        output.word(self.len)?;
        self.chunks.iter().try_for_each(|chunk| match chunk {
            Chunk::Narrow(edges) => {
                output.half(4)?;
                edges.iter().try_for_each(|&edge| output.half(edge))
            }
            Chunk::Wide(edges) => {
                output.half(8)?;
                output.words(edges)
            }
        })
    }

    /// Reads a list, which may grow to `all` edges.
    pub(super) fn load(all: u64, input: &mut WordReader) -> Result<Self, GenerateError> {
        let mut list = Self::room(all)?;
        list.len = input.word()?;
        if list.len > all {
            return Err(input.damaged());
        }
        for first in (0..list.len).step_by(LEN as usize) {
            let count = (list.len - first).min(LEN);
            // The last one may not be full yet.
            let most = (all - first).min(LEN);
            list.chunks.grow(match input.half()? {
                4 => {
                    let mut edges = room(most)?;
                    for _ in 0..count {
                        edges.push(input.half()?);
                    }
                    Chunk::Narrow(edges)
                }
                8 => {
                    let mut edges = room(most)?;
                    for _ in 0..count {
                        edges.push(input.word()?);
                    }
                    Chunk::Wide(edges)
                }
                _ => return Err(input.damaged()),
            })?;
        }
        Ok(list)
    }

    /// Appends edges.
    pub(super) fn extend(&mut self, edges: impl Iterator<Item = ClassEdge>) -> Result<(), GenerateError> {
        for edge in edges {
            if self.len.is_multiple_of(LEN) {
                let left = self.all.saturating_sub(self.len).clamp(1, LEN);
                self.chunks.grow(Chunk::Narrow(room(left)?))?;
            }
            if let Some(last) = self.chunks.last_mut() {
                last.push(edge)?;
            }
            self.len += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_what_was_appended() {
        let edge = |class, deeper| ClassEdge { class, deeper };
        for last in [
            edge(0xFFFF, 0xFFFE),
            edge(0xFFFF, VOID),
            edge(0x1_0000, 0),
            edge(0, 0xFFFF),
            edge(u32::MAX, VOID - 1),
        ] {
            let all = [edge(0, 0), edge(7, VOID), edge(1, 5), last, edge(3, VOID)];
            let mut list = EdgeList::room(all.len() as u64).unwrap();
            list.extend(all.into_iter()).unwrap();
            assert_eq!(list.iter().collect::<Vec<_>>(), all);
            assert_eq!(list.more() == 0, narrow(last).is_some());
            // Each is made another one, which may need more bytes.
            for by in [1, 0x1_0000] {
                let more = |edge: ClassEdge| ClassEdge { class: (edge.class / 2) + by, ..edge };
                let mut changed = EdgeList::room(all.len() as u64).unwrap();
                changed.extend(all.into_iter()).unwrap();
                changed.change(more).unwrap();
                assert_eq!(changed.iter().collect::<Vec<_>>(), all.map(more));
            }
        }
        // Only the chunks widen that have to.
        let class = |at: u64| if at == 3 * LEN / 2 { 0x1_0000 } else { at as u32 % 1000 };
        let mut list = EdgeList::room(3 * LEN - 5).unwrap();
        for first in (0..3 * LEN - 5).step_by(1000) {
            let end = (first + 1000).min(3 * LEN - 5);
            list.extend((first..end).map(|at| edge(class(at), 1))).unwrap();
        }
        assert_eq!((list.len(), list.more()), (3 * LEN - 5, 4 * LEN));
        assert!((0..list.len()).all(|at| list.get(at) == edge(class(at), 1)));
        assert!(list.iter().eq((0..list.len()).map(|at| edge(class(at), 1))));
        assert!(narrow(edge(0xFFFF, 0xFFFE)).is_some() && narrow(edge(0, 0xFFFF)).is_none());
    }
}
