//! The search for winning moves with the heaps of positions in descending order.

use super::automaton::Automaton;
use super::edges::{Edges, LineLosses, Lost};
use super::position::{Heap, Heaps, MAX_HEAPS};
use super::wins::{HeapOrder, TakeChain, WinSearch, Wins};
use crate::format::Fault;

/// The heaps of a position in descending order, as an automaton reads them, with the row of each.
///
/// Some automata could read any order, but descending order is the one that `bouton verify` proves.
#[derive(Clone, Copy)]
pub(super) struct SortedHeaps {
    /// The heaps, lowered to the greatest effective size.
    pub(super) heaps: Heaps,
    /// For each of these heaps, its row: its index in the position.
    pub(super) rows: [u8; MAX_HEAPS],
}

impl SortedHeaps {
    /// Sorts the heaps of a position. Equal heaps keep their order.
    #[inline]
    pub(super) fn new(automaton: &Automaton, given: &Heaps) -> Self {
        // Compare each pair once, without branches: the comparisons are unpredictable.
        let mut indexes = [0; MAX_HEAPS];
        for (row, heap) in given.iter().enumerate().skip(1) {
            let mut before = 0;
            for (index, other) in indexes.iter_mut().zip(&given[..row]) {
                let is_less = other < heap;
                *index += u8::from(is_less);
                before += u8::from(!is_less);
            }
            indexes[row] = before;
        }
        let mut sorted = Self { heaps: *given, rows: [0; MAX_HEAPS] };
        for (row, (&heap, &index)) in given.iter().zip(&indexes).enumerate() {
            sorted.heaps[usize::from(index)] = heap.min(automaton.greatest);
            sorted.rows[usize::from(index)] = row as u8;
        }
        sorted
    }

    /// Lowers the heap of a row to `heap` stones, and keeps the heaps sorted. All sizes of the table must be effective.
    #[inline]
    pub(super) fn lower(&mut self, row: usize, heap: Heap) {
        let mut index = self.rows.iter().position(|&other| usize::from(other) == row).unwrap_or(0);
        while index + 1 < self.heaps.len() && self.heaps[index + 1] > heap {
            self.heaps[index] = self.heaps[index + 1];
            self.rows[index] = self.rows[index + 1];
            index += 1;
        }
        self.heaps[index] = heap;
        self.rows[index] = row as u8;
    }
}

impl<E: Edges> HeapOrder<E> for SortedHeaps {
    type Left = Self;
    type LaterLines = ();

    fn start(search: &WinSearch<'_, E, Self>) -> Result<Self, Fault> {
        Ok(search.order)
    }

    fn after(search: &WinSearch<'_, E, Self>, _: &Self, taken: &TakeChain) -> Result<Self, Fault> {
        // Copy the heaps before the move: copying heaps just written would stall (store forwarding).
        let mut left = search.order;
        let mut next = Some(taken);
        while let Some(taken) = next {
            left.lower(taken.row, search.position.heaps[taken.row] - taken.take);
            next = taken.before;
        }
        Ok(left)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn heaps<'s>(_: &'s WinSearch<'_, E, Self>, left: &'s Self) -> &'s [Heap] {
        &left.heaps
    }

    #[inline]
    fn each_line(
        search: &WinSearch<'_, E, Self>,
        left: &Self,
        from: usize,
        is_wanted: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, &LineLosses, &Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let is_wanted = |row| row >= from && is_wanted(row);
        let row_of = |index: usize| usize::from(left.rows[index]);
        // Look up all lines before using any: branching on each, which is unpredictable, would serialize the loads.
        let mut lines = [LineLosses::default(); MAX_HEAPS];
        let (passes, heaps) = (search.position.passes, &left.heaps);
        search.automaton.lines(
            search.edges,
            passes,
            heaps,
            |index| is_wanted(row_of(index)),
            |index, line| lines[row_of(index)] = line,
        )?;
        let mut rows = lines.iter().enumerate().take(heaps.len()).filter(|&(row, _)| is_wanted(row));
        rows.try_for_each(|(row, line)| visit(row, line, left))
    }

    fn later_lines(_: &WinSearch<'_, E, Self>, _: &Self, _: usize) -> Result<(), Fault> {
        Ok(())
    }

    fn wins_after(
        search: &WinSearch<'_, E, Self>,
        (): &(),
        taken: &TakeChain,
        wins: &mut Wins,
    ) -> Result<(), Fault> {
        let left = Self::after(search, &search.order, taken)?;
        Self::each_line(
            search,
            &left,
            taken.row + 1,
            |_| true,
            |row, line, left| {
                let add = |take, lost| wins.add(TakeChain { row, take, before: Some(taken) }, lost);
                search.wins_on_line(left, line, search.position.heaps[row], add)
            },
        )
    }

    #[inline]
    fn lost(search: &WinSearch<'_, E, Self>, passes: u8) -> Result<Option<Lost>, Fault> {
        search.automaton.lost(search.edges, passes, &search.order.heaps)
    }

    #[inline]
    fn wins_from_one(search: &WinSearch<'_, E, Self>, wins: &mut Wins) -> Result<Option<Lost>, Fault> {
        let sorted = &search.order;
        let last = sorted.heaps.len() - 1;
        let mut lost = None;
        Self::each_line(
            search,
            sorted,
            0,
            |_| true,
            |row, line, _| {
                let found = |take, lost| wins.add_take(row, take, lost);
                search.wins_on_line(sorted, line, search.position.heaps[row], found)?;
                // Any line contains the position itself. Ask the one of the least heap, as `Automaton::lost` does.
                if row == usize::from(sorted.rows[last]) {
                    lost = search.lost_at(sorted, line, sorted.heaps[last])?;
                }
                Ok(())
            },
        )?;
        Ok(lost)
    }
}
