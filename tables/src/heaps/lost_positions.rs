//! Enumeration of the lost positions in a range of indexes, line by line.

use std::ops::Range;

use super::automaton::Automaton;
use super::edges::{Edges, LineLosses};
use super::position::{Heap, Heaps, Position};
use super::region::HeapRegion;
use crate::format::Fault;

/// Calls `visit` with each lost position of a region whose index lies in a range, in the order of indexes.
///
/// Positions that differ only in the least heap are one line. The lines of the same heaps with 0, 1, ... passes
/// alternate in the order of indexes, so their lost positions are collected together and sorted. The class of the other
/// heaps is looked up once for each line, if the table has one. If a move may take any number of stones, that class
/// stores the only lost size, so the time is proportional to the number of lines, not to the number of positions.
pub(super) fn each_lost(
    automaton: &Automaton,
    edges: &impl Edges,
    region: &HeapRegion,
    indexes: Range<u64>,
    visit: &mut dyn FnMut(u64, Position),
) -> Result<(), Fault> {
    let (ranks, layers) = (&region.ranks, u64::from(region.passes()) + 1);
    let last = ranks.heaps() - 1;
    let (mut rank, end) = (indexes.start / layers, indexes.end.div_ceil(layers).min(ranks.count()));
    let mut found: Vec<(Heap, u8)> = Vec::new();
    while rank < end {
        let mut heaps = ranks.unrank(rank);
        let least = heaps[last];
        let max_size = if last == 0 { ranks.bound(last) } else { ranks.bound(last).min(heaps[last - 1]) };
        let next = end.min(rank + u64::from(max_size - least) + 1);
        let sizes = least..least + (next - rank) as Heap;
        for passes in 0..=region.passes() {
            lost_sizes(automaton, edges, passes, &heaps, sizes.clone(), |size| found.push((size, passes)))?;
        }
        found.sort_unstable();
        for (size, passes) in found.drain(..) {
            let index = (rank + u64::from(size - least)) * layers + u64::from(passes);
            if indexes.contains(&index) {
                heaps[last] = size;
                let mut heaps = heaps;
                heaps.reverse();
                visit(index, Position { heaps, passes });
            }
        }
        rank = next;
    }
    Ok(())
}

/// Calls `found` with each of these sizes of the least heap that makes the position lost. `heaps` is a position on the
/// line, in descending order.
fn lost_sizes(
    automaton: &Automaton,
    edges: &impl Edges,
    passes: u8,
    heaps: &Heaps,
    sizes: Range<Heap>,
    mut found: impl FnMut(Heap),
) -> Result<(), Fault> {
    // Sizes above the greatest effective size are looked up as that size.
    let heaps: Heaps = heaps.iter().map(|&heap| heap.min(automaton.greatest)).collect();
    let last = heaps.len() - 1;
    let mut line = LineLosses::default();
    automaton.lines(
        edges,
        passes,
        &heaps,
        |index| index == last,
        |index, losses| {
            if index == last {
                line = losses;
            }
        },
    )?;
    if let LineLosses::Target(target, _) = line {
        // A target is an exact size: greater sizes of this heap are won, since a move to the target exists.
        if target <= u64::from(automaton.greatest) && sizes.contains(&(target as Heap)) {
            found(target as Heap);
        }
        return Ok(());
    }
    for size in sizes {
        if automaton.lost_at(edges, passes, &heaps, &line, size.min(automaton.greatest))?.is_some() {
            found(size);
        }
    }
    Ok(())
}
