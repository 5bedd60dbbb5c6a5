//! The search for winning moves in a table whose heaps may be added in any order.
//!
//! Any order is allowed if, from each class, two further heaps lead to the same class and depth in either order;
//! `order_check.rs` checks this when a table is unpacked. Then the search need not sort the remaining heaps after each
//! take, and one move reuses the nodes of rows that another move has looked up. (A row is a heap's index on the board.)
//! In Nim 1,2,5, for example, the lines of rows 2 and 3 both begin with the node of row 1.

use super::edge_sources::UnpackedEdges;
use super::edges::{ClassNode, Edges, LineLosses, Lost};
use super::position::{Heap, MAX_HEAPS};
use super::wins::{HeapOrder, TakeChain, WinSearch, Wins};
use crate::format::Fault;

/// The order of the board: heaps are added by row.
pub(super) struct AnyOrder;

type AnyOrderSearch<'a> = WinSearch<'a, UnpackedEdges, AnyOrder>;

impl HeapOrder<UnpackedEdges> for AnyOrder {
    /// The node of the rows before the next take, after the takes from them.
    type Left = ClassNode;
    /// For each later row, the node of all rows except it and the row of the take.
    type LaterLines = [ClassNode; MAX_HEAPS];

    #[cfg_attr(feature = "fast", inline(always))]
    fn start(search: &AnyOrderSearch) -> Result<ClassNode, Fault> {
        search.edges.start(search.position.passes)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn after(search: &AnyOrderSearch, before: &ClassNode, taken: &TakeChain) -> Result<ClassNode, Fault> {
        search.follow(*before, search.position.heaps[taken.row] - taken.take)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn heaps<'s>(search: &'s AnyOrderSearch, _: &ClassNode) -> &'s [Heap] {
        &search.position.heaps
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn each_line(
        search: &AnyOrderSearch,
        before: &ClassNode,
        from: usize,
        is_wanted: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, &LineLosses, &ClassNode) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let heaps = &search.position.heaps;
        let mut before = *before;
        for row in from..heaps.len() {
            if is_wanted(row) {
                visit(row, &search.line(search.with_heaps(before, &heaps[row + 1..])?)?, &before)?;
            }
            if row + 1 < heaps.len() {
                before = search.follow(before, heaps[row])?;
            }
        }
        Ok(())
    }

    #[inline]
    fn later_lines(
        search: &AnyOrderSearch,
        before: &ClassNode,
        row: usize,
    ) -> Result<[ClassNode; MAX_HEAPS], Fault> {
        search.others_from(*before, row + 1)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn wins_after(
        search: &AnyOrderSearch,
        later: &[ClassNode; MAX_HEAPS],
        taken: &TakeChain,
        wins: &mut Wins,
    ) -> Result<(), Fault> {
        let heaps = &search.position.heaps;
        let left = heaps[taken.row] - taken.take;
        for row in taken.row + 1..heaps.len() {
            let others = search.follow(later[row], left)?;
            let mut add = |take, lost| wins.add(TakeChain { row, take, before: Some(taken) }, lost);
            if search.automaton.targets.is_none() {
                search.wins_on_line(&others, &LineLosses::EachSize(others), heaps[row], add)?;
            } else if search.edges.target_size(others)? < heaps[row] {
                let (size, lost) = search.edges.loss_on_line(others)?;
                add(heaps[row] - size, lost);
            }
        }
        Ok(())
    }

    #[inline]
    fn lost(search: &AnyOrderSearch, passes: u8) -> Result<Option<Lost>, Fault> {
        let [others @ .., last] = &search.position.heaps[..] else { return Err(Fault::OutOfRange) };
        let others = search.with_heaps(search.edges.start(passes)?, others)?;
        search.lost_at(&others, &search.line(others)?, *last)
    }

    #[inline]
    fn wins_from_one(search: &AnyOrderSearch, wins: &mut Wins) -> Result<Option<Lost>, Fault> {
        let heaps = &search.position.heaps;
        let rows = heaps.len();
        // Look up all lines before using any: branching on each, which is unpredictable, would serialize the loads.
        let others = search.others_from(Self::start(search)?, 0)?;
        let last = rows - 1;
        if search.automaton.targets.is_none() {
            for (row, (&others, &heap)) in others.iter().zip(heaps.iter()).enumerate() {
                let found = |take, lost| wins.add_take(row, take, lost);
                search.wins_on_line(&others, &LineLosses::EachSize(others), heap, found)?;
            }
            // Any line contains the position itself.
            return search.lost_at(&others[last], &LineLosses::EachSize(others[last]), heaps[last]);
        }
        // Each line has at most one lost position. Comparing its size with the heap needs no branches.
        let mut winning: u32 = 0;
        for (row, (&others, &heap)) in others.iter().zip(heaps.iter()).enumerate() {
            winning |= u32::from(search.edges.target_size(others)? < heap) << row;
        }
        while winning != 0 {
            let row = winning.trailing_zeros() as usize;
            let (size, lost) = search.edges.loss_on_line(others[row])?;
            wins.add_take(row, heaps[row] - size, lost);
            winning &= winning - 1;
        }
        let (size, lost) = search.edges.loss_on_line(others[last])?;
        Ok((size == heaps[last]).then_some(lost))
    }
}

impl AnyOrderSearch<'_> {
    /// Returns the node of a node's heaps and further heaps.
    #[cfg_attr(feature = "fast", inline(always))]
    fn with_heaps(&self, node: ClassNode, heaps: &[Heap]) -> Result<ClassNode, Fault> {
        heaps.iter().try_fold(node, |node, &heap| self.follow(node, heap))
    }

    /// Returns, for each row from `from` on, the node of all those rows except it, and of the heaps of `before`.
    #[cfg_attr(feature = "fast", inline(always))]
    fn others_from(&self, mut before: ClassNode, from: usize) -> Result<[ClassNode; MAX_HEAPS], Fault> {
        let heaps = &self.position.heaps;
        let mut others = [ClassNode::default(); MAX_HEAPS];
        for row in from..heaps.len() {
            others[row] = self.with_heaps(before, &heaps[row + 1..])?;
            if row + 1 < heaps.len() {
                before = self.follow(before, heaps[row])?;
            }
        }
        Ok(others)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn line(&self, others: ClassNode) -> Result<LineLosses, Fault> {
        self.automaton.line(self.edges, others)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn follow(&self, node: ClassNode, heap: Heap) -> Result<ClassNode, Fault> {
        // Unpacked edges ignore the level.
        self.edges.follow(0, node, heap)
    }
}
