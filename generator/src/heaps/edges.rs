//! Edges to very many groups, in as few bytes as they need.

use super::groups::VOID;
use super::pack::Edge;
use crate::GenerateError;
use crate::memory::room;

/// Edges in a row. Four bytes hold one, as long as all of them can be so held.
pub(super) enum EdgeList {
    /// Class and depth in two bytes each.
    Narrow(Vec<u32>),
    /// In four bytes each.
    Wide(Vec<u64>),
}

/// What stands for [`VOID`] in two bytes.
const NARROW_VOID: u32 = 0xFFFF;

/// An edge in four bytes, if it can be so held.
fn narrow(edge: Edge) -> Option<u32> {
    let deeper = if edge.deeper == VOID { NARROW_VOID } else { edge.deeper };
    let fits = edge.class <= 0xFFFF && deeper <= NARROW_VOID && (deeper < NARROW_VOID || edge.deeper == VOID);
    fits.then_some(edge.class << 16 | deeper)
}

fn from_narrow(packed: u32) -> Edge {
    let deeper = packed & 0xFFFF;
    Edge { class: packed >> 16, deeper: if deeper == NARROW_VOID { VOID } else { deeper } }
}

/// An edge in eight bytes.
pub(super) fn wide(edge: Edge) -> u64 {
    u64::from(edge.class) << 32 | u64::from(edge.deeper)
}

pub(super) fn from_wide(packed: u64) -> Edge {
    Edge { class: (packed >> 32) as u32, deeper: packed as u32 }
}

impl EdgeList {
    /// Room for so many edges.
    pub(super) fn room(edges: u64) -> Result<Self, GenerateError> {
        Ok(Self::Narrow(room(edges)?))
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Narrow(edges) => edges.len() as u64,
            Self::Wide(edges) => edges.len() as u64,
        }
    }

    /// Bytes that they take more than they would if each were held in four, and took before.
    pub(super) fn more(&self) -> u64 {
        match self {
            Self::Narrow(_) => 0,
            Self::Wide(edges) => 8 * edges.capacity() as u64,
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, at: u64) -> Edge {
        match self {
            Self::Narrow(edges) => from_narrow(edges[at as usize]),
            Self::Wide(edges) => from_wide(edges[at as usize]),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Edge> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Makes each edge another one.
    pub(super) fn change(&mut self, to: impl Fn(Edge) -> Edge) -> Result<(), GenerateError> {
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

    /// Holds the edges in eight bytes each.
    fn widen(&mut self) -> Result<(), GenerateError> {
        if let Self::Narrow(before) = self {
            let mut edges: Vec<u64> = room(before.capacity() as u64)?;
            edges.extend(before.iter().map(|&edge| wide(from_narrow(edge))));
            *self = Self::Wide(edges);
        }
        Ok(())
    }

    /// Appends edges, for which there is room.
    pub(super) fn extend(&mut self, edges: impl Iterator<Item = Edge>) -> Result<(), GenerateError> {
        for edge in edges {
            match (&mut *self, narrow(edge)) {
                (Self::Narrow(edges), Some(edge)) => edges.push(edge),
                (Self::Wide(edges), _) => edges.push(wide(edge)),
                (Self::Narrow(_), None) => {
                    self.widen()?;
                    if let Self::Wide(edges) = self {
                        edges.push(wide(edge));
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_what_was_appended() {
        let edge = |class, deeper| Edge { class, deeper };
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
            assert_eq!(matches!(list, EdgeList::Narrow(_)), narrow(last).is_some());
            // Each is made another one, which may need more bytes.
            for by in [1, 0x1_0000] {
                let more = |edge: Edge| Edge { class: (edge.class / 2) + by, ..edge };
                let mut changed = EdgeList::room(all.len() as u64).unwrap();
                changed.extend(all.into_iter()).unwrap();
                changed.change(more).unwrap();
                assert_eq!(changed.iter().collect::<Vec<_>>(), all.map(more));
            }
        }
        assert!(narrow(edge(0xFFFF, 0xFFFE)).is_some() && narrow(edge(0, 0xFFFF)).is_none());
    }
}
