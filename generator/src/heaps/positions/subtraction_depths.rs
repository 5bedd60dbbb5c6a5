//! Kernel for moves that take certain amounts from one heap (subtraction games), with depths.
//!
//! A *row* is all positions that differ in the least heap only; they are adjacent in memory. A move from another heap
//! leads from the row to another row, as long as that heap stays no less than the least one. The kernel takes the
//! maximum of the cells of all these rows position by position ([`PositionCode`]), with vector instructions. What
//! remains, one position at a time, are the moves that make another heap the least one, and the moves from the least
//! heap itself. Cost: one cell for each position, heap and amount.
//!
//! All heaps except the two least make a *plane*: the places to which moves of its rows lead are computed once for the
//! plane.

use bouton_tables::heaps::{Heap, HeapRules, MAX_HEAPS};

use super::block::{LANES, Lanes};
use super::cell::{PositionCell, PositionCode};
use super::layout::{KEYS, PositionLayout};
use super::neighbourhood::{BlockPlace, Neighbourhood};
use super::task::{Below, CellCounts, TaskKernel, TaskOutput};
use crate::heaps::reach;
use crate::memory::{Grow, filled, room};
use crate::{Census, GenerateError};

pub(super) struct SubtractionDepths<'a, C> {
    layout: &'a PositionLayout,
    code: PositionCode<C>,
    /// The amounts, ascending, with what stands for each in a cell.
    amounts: Vec<(Heap, C)>,
    /// More than any cell, for as many lanes as a part of a row has, then less than any.
    valid: [C; 2 * LANES],
}

/// Bytes that they take: all together, and of a thread.
pub(super) fn bytes<C: PositionCell>(rules: &HeapRules, layout: &PositionLayout) -> [u128; 2] {
    let amounts = u128::from(rules.take().count(rules.greatest()));
    let of_thread = 64 * amounts * layout.heaps() as u128
        + (u128::from(2 * layout.longest_row()) + u128::from(reach(rules))) * C::BYTES as u128;
    [16 * amounts, of_thread]
}

impl<'a, C: PositionCell> SubtractionDepths<'a, C> {
    pub(super) fn new(rules: &HeapRules, layout: &'a PositionLayout) -> Result<Self, GenerateError> {
        let code = PositionCode::new(rules);
        let mut amounts = Vec::new();
        let all = rules.take().amounts(rules.greatest());
        all.into_iter().try_for_each(|amount| amounts.grow((amount, code.take_bits(amount))))?;
        let valid = std::array::from_fn(|lane| if lane < LANES { C::MAX } else { C::MIN });
        Ok(Self { layout, code, amounts, valid })
    }

    /// Returns a mask: more than any cell in the first `lanes` lanes, less than any cell in the others.
    #[inline(always)]
    fn valid(&self, lanes: usize) -> &Lanes<C> {
        self.valid[LANES - lanes.min(LANES)..].first_chunk().expect("there are no more lanes")
    }
}

impl<C: PositionCell> TaskKernel<C> for SubtractionDepths<'_, C> {
    fn solve(
        &self,
        neighbourhood: &Neighbourhood,
        own: TaskOutput<C>,
        below: &[Below<C>],
    ) -> Result<Census, GenerateError> {
        let positions = neighbourhood.positions();
        let mut census = Census::default();
        let mut room = RowBuffers::new(self.layout, &self.amounts)?;
        for (layer, below) in below.iter().enumerate() {
            let (before, own) = own.cells.split_at_mut(layer * positions);
            let passed = layer.checked_sub(1).map(|passed| &before[passed * positions..]);
            let mut task = LayerTask { solver: self, neighbourhood, own, below, passed };
            census = census.and(task.solve(&mut room)?);
        }
        Ok(census)
    }
}

/// A row to which a move leads.
#[derive(Clone, Copy)]
struct SourceRow {
    place: BlockPlace,
    /// Number of its positions that the move reaches.
    len: usize,
}

/// The place of a row that a move from an outer heap reaches, without the part of the row's last heap.
#[derive(Clone, Copy)]
struct PlaneSource {
    place: BlockPlace,
    /// Index of the amount, place of the heap, and its size after the move.
    amount: usize,
    from: usize,
    left: Heap,
}

/// Buffers for the work on rows.
struct RowBuffers<C> {
    /// Where in the block the plane begins, of a game of five heaps or more.
    plane: Option<usize>,
    entries: Vec<PlaneSource>,
    sources: Vec<SourceRow>,
    /// For each amount where its sources end.
    ends: Vec<usize>,
    /// The cells of the best moves that take from another heap than the least.
    best: Vec<C>,
    /// Cells of the row, preceded by as many earlier cells as the greatest amount.
    row: Vec<C>,
    reach: usize,
}

impl<C: PositionCell> RowBuffers<C> {
    fn new(layout: &PositionLayout, amounts: &[(Heap, C)]) -> Result<Self, GenerateError> {
        let reach = amounts.last().map_or(0, |&(amount, _)| amount as usize);
        let longest = layout.longest_row();
        let moves = layout.heaps() as u64 * amounts.len() as u64;
        Ok(Self {
            plane: None,
            entries: room(moves)?,
            sources: room(moves)?,
            ends: filled(amounts.len() as u64, 0)?,
            best: filled(longest + LANES as u64, C::default())?,
            row: filled(reach as u64 + longest, C::MIN)?,
            reach,
        })
    }
}

struct LayerTask<'a, C> {
    solver: &'a SubtractionDepths<'a, C>,
    neighbourhood: &'a Neighbourhood<'a>,
    own: &'a mut [C],
    below: &'a [&'a [C]],
    /// The cells of the layer of a pass less.
    passed: Option<&'a [C]>,
}

impl<C: PositionCell> LayerTask<'_, C> {
    fn solve(&mut self, room: &mut RowBuffers<C>) -> Result<Census, GenerateError> {
        let layout = self.solver.layout;
        let (heaps, mut census) = (layout.heaps(), CellCounts::default());
        let [one, two, three] = self.neighbourhood.own;
        let mut row = [0; MAX_HEAPS];
        let row = &mut row[..heaps - 1];
        for first in layout.sizes(0, one) {
            row[0] = first;
            if heaps == KEYS {
                for second in layout.sizes(1, two).take_while(|&second| second <= first) {
                    row[1] = second;
                    self.row(row, room, &mut census);
                }
                continue;
            }
            for second in layout.sizes(1, two).take_while(|&second| second <= first) {
                row[1] = second;
                let thirds = layout.sizes(2, three).take_while(|&third| third <= second);
                for third in thirds {
                    row[2] = third;
                    if heaps == KEYS + 1 {
                        self.row(row, room, &mut census);
                    } else {
                        self.planes(row, room, &mut census)?;
                    }
                }
            }
        }
        Ok(census.census(self.solver.code))
    }

    /// Solves all planes with three greatest heaps, of a game of five heaps or more.
    fn planes(
        &mut self,
        row: &mut [Heap],
        room: &mut RowBuffers<C>,
        census: &mut CellCounts<C>,
    ) -> Result<(), GenerateError> {
        let layout = self.solver.layout;
        let last = row.len() - 1;
        row[KEYS..].fill(0);
        loop {
            self.enter(&row[..last], room);
            for heap in 0..=row[last - 1].min(layout.bound(last)) {
                row[last] = heap;
                self.row(row, room, census);
            }
            // On to the next outer heaps behind the three greatest.
            let grows = |&place: &usize| row[place] < layout.bound(place).min(row[place - 1]);
            let Some(place) = (KEYS..last).rev().find(grows) else { return Ok(()) };
            row[place] += 1;
            row[place + 1..].fill(0);
        }
    }

    /// Finds where a plane lies, and where the moves from its outer heaps lead.
    fn enter(&self, outer: &[Heap], room: &mut RowBuffers<C>) {
        room.plane = Some(self.neighbourhood.place(outer).at);
        room.entries.clear();
        for (amount, &(stones, _)) in self.solver.amounts.iter().enumerate() {
            for (from, &heap) in outer.iter().enumerate() {
                // One of several equal heaps is enough.
                if stones <= heap && outer.get(from + 1) != Some(&heap) {
                    let left = heap - stones;
                    let place = self.place_of(outer, from, left);
                    // There is room for all of them.
                    room.entries.push(PlaneSource { place, amount, from, left });
                }
            }
        }
    }

    /// Returns the place of the position with these greatest heaps, at least three, after the heap at `from` is lowered
    /// to `left`.
    #[inline]
    fn place_of(&self, heaps: &[Heap], from: usize, left: Heap) -> BlockPlace {
        let mut next = [0; MAX_HEAPS];
        let next = &mut next[..heaps.len()];
        next.copy_from_slice(heaps);
        let mut at = from;
        while at + 1 < next.len() && next[at + 1] > left {
            next[at] = next[at + 1];
            at += 1;
        }
        next[at] = left;
        self.neighbourhood.place(next)
    }

    #[inline(always)]
    fn cells(&self, BlockPlace { slot, at }: BlockPlace) -> &[C] {
        let cells = if slot == 0 { &*self.own } else { self.below[slot - 1] };
        &cells[at..]
    }

    /// Solves a row: all heaps but the least.
    fn row(&mut self, row: &[Heap], room: &mut RowBuffers<C>, census: &mut CellCounts<C>) {
        let SubtractionDepths { layout, code, ref amounts, .. } = *self.solver;
        let heaps = row.len() + 1;
        let last = row[row.len() - 1];
        let sizes = if heaps == KEYS {
            layout.sizes(KEYS - 1, self.neighbourhood.own[KEYS - 1])
        } else {
            0..layout.bound(heaps - 1) + 1
        };
        let sizes = sizes.start..sizes.end.min(last + 1);
        if sizes.is_empty() {
            return;
        }
        let len = (sizes.end - sizes.start) as usize;
        let mut own = [0; MAX_HEAPS];
        own[..row.len()].copy_from_slice(row);
        own[row.len()] = sizes.start;
        let begin = match room.plane {
            // Moves from the last heap but one stay in the plane, which is in this block.
            Some(plane) => plane.wrapping_add(layout.part(heaps - 2, last) as usize),
            None => self.neighbourhood.place(&own[..heaps]).at,
        };

        self.sources(row, sizes.start, len, room);
        self.best_of_rows(len, room);
        self.best_beyond_rows(row, sizes.start, len, room);
        if let Some(passed) = self.passed {
            let all = code.stones;
            let passed = &passed[begin..][..len];
            // Where no heap allows a move, there is no pass. The greatest heap comes first; with one heap it is the
            // least one.
            let least = amounts.first().map_or(Heap::MAX, |&(stones, _)| stones);
            let row_allows = row[layout.stand_ins..].first().is_some_and(|&greatest| greatest >= least);
            let over = if row_allows { 0 } else { least.saturating_sub(sizes.start) as usize };
            for (best, &cell) in room.best.iter_mut().zip(passed).skip(over) {
                *best = code.candidate(cell, all).max(*best);
            }
        }
        // Where moves from the least heap lead before the row.
        let reach = room.reach;
        if sizes.start > 0 {
            for back in 1..=(reach.min(sizes.start as usize)) {
                own[row.len()] = sizes.start - back as Heap;
                room.row[reach - back] = self.cells(self.neighbourhood.place(&own[..heaps]))[0];
            }
        }
        for (at, &best) in room.best[..len].iter().enumerate() {
            let (before, row) = room.row.split_at_mut(reach + at);
            let mut best = best;
            for &(stones, taking) in amounts {
                best = code.candidate(before[before.len() - stones as usize], taking).max(best);
            }
            row[0] = code.cell_of(best);
        }
        let solved = &room.row[reach..][..len];
        self.own[begin..][..len].copy_from_slice(solved);
        census.add(solved);
    }

    /// Finds the rows to which moves from all heaps but the least lead.
    fn sources(&self, row: &[Heap], first: Heap, len: usize, room: &mut RowBuffers<C>) {
        let layout = self.solver.layout;
        let last = row[row.len() - 1];
        let (outer, heaps) = (row.len() - 1, row.len() + 1);
        let end = first + len as Heap;
        room.sources.clear();
        let mut entries = room.entries.iter().peekable();
        let part = layout.part(outer, last) as usize;
        for (amount, &(stones, _)) in self.solver.amounts.iter().enumerate() {
            let mut add = |place: BlockPlace, left: Heap| {
                let len = (end.min(left + 1) - first) as usize;
                room.sources.push(SourceRow { place, len });
            };
            let slow = |from: usize, left: Heap| {
                let mut all = [0; MAX_HEAPS];
                all[..row.len()].copy_from_slice(row);
                // The least heap stays the least.
                all[row.len()] = first;
                self.place_of(&all[..heaps], from, left)
            };
            if room.plane.is_some() {
                while let Some(&&PlaneSource { place, from, left, .. }) =
                    entries.peek().filter(|entry| entry.amount == amount)
                {
                    entries.next();
                    if last <= left {
                        add(BlockPlace { at: place.at.wrapping_add(part), ..place }, left);
                    } else if row[from] != last {
                        add(slow(from, left), left);
                    }
                }
            } else {
                for from in layout.stand_ins..outer {
                    if let Some(left) = row[from].checked_sub(stones).filter(|&left| left >= first)
                        && row[from] != row[from + 1]
                    {
                        add(slow(from, left), left);
                    }
                }
            }
            if let Some(left) = last.checked_sub(stones).filter(|&left| left >= first)
                && outer >= layout.stand_ins
            {
                let in_plane = |plane: usize| BlockPlace {
                    slot: 0,
                    at: plane.wrapping_add(layout.part(outer, left) as usize),
                };
                add(room.plane.map_or_else(|| slow(outer, left), in_plane), left);
            }
            room.ends[amount] = room.sources.len();
        }
    }

    /// Finds the greatest cells of these rows, by amount.
    fn best_of_rows(&self, all: usize, room: &mut RowBuffers<C>) {
        let SubtractionDepths { code, ref amounts, .. } = *self.solver;
        for first in (0..all).step_by(LANES) {
            let mut best: Lanes<C> = [code.no_move; LANES];
            let mut begin = 0;
            for (&(_, taking), &end) in amounts.iter().zip(&room.ends) {
                let mut greatest: Lanes<C> = [C::MIN; LANES];
                for &SourceRow { place, len } in &room.sources[begin..end] {
                    // Lanes after the end of the row are ignored.
                    if len >= all.min(first + LANES) {
                        let cells: &Lanes<C> = lanes(&self.cells(place)[first..]);
                        for lane in 0..LANES {
                            greatest[lane] = greatest[lane].max(cells[lane]);
                        }
                    } else if len > first {
                        let valid = self.solver.valid(len - first);
                        let cells: &Lanes<C> = lanes(&self.cells(place)[first..]);
                        for lane in 0..LANES {
                            greatest[lane] = greatest[lane].max(cells[lane].min(valid[lane]));
                        }
                    }
                }
                begin = end;
                for lane in 0..LANES {
                    best[lane] = best[lane].max(code.candidate(greatest[lane], taking));
                }
            }
            room.best[first..][..LANES].copy_from_slice(&best);
        }
    }

    /// Adds to the best moves those after which the heap taken from is the least.
    fn best_beyond_rows(&self, row: &[Heap], first: Heap, len: usize, room: &mut RowBuffers<C>) {
        let SubtractionDepths { layout, code, ref amounts, .. } = *self.solver;
        let (outer, heaps) = (row.len() - 1, row.len() + 1);
        let last = row[outer];
        let end = first + len as Heap;
        for from in (layout.stand_ins..row.len()).rev() {
            let heap = row[from];
            if from < outer && heap == row[from + 1] {
                continue;
            }
            // Where the least heap is as great as the one taken from, it is the same move as from the least heap.
            let end = if from == outer { end.min(last) } else { end };
            for &(stones, taking) in amounts.iter().take_while(|&&(stones, _)| stones <= heap) {
                let left = heap - stones;
                if left + 1 >= end {
                    continue;
                }
                let begin = first.max(left + 1);
                let mut next = [0; MAX_HEAPS];
                let others = row[..from].iter().chain(&row[from + 1..]);
                next.iter_mut().zip(others).for_each(|(next, &heap)| *next = heap);
                next[heaps - 1] = left;
                if let Some(plane) = room.plane {
                    // All in one block.
                    let place = match from == outer {
                        true => BlockPlace { slot: 0, at: plane.wrapping_add(left as usize) },
                        false => self.neighbourhood.place(&next[..heaps]),
                    };
                    for size in begin..end {
                        let at = place.at.wrapping_add(layout.part(heaps - 2, size) as usize);
                        let cell = self.cells(BlockPlace { at, ..place })[0];
                        let best = &mut room.best[(size - first) as usize];
                        *best = code.candidate(cell, taking).max(*best);
                    }
                } else {
                    for size in begin..end {
                        next[heaps - 2] = size;
                        let cell = self.cells(self.neighbourhood.place(&next[..heaps]))[0];
                        let best = &mut room.best[(size - first) as usize];
                        *best = code.candidate(cell, taking).max(*best);
                    }
                }
            }
            // Heaps before are no less: their moves leave enough.
            if heap - amounts.last().map_or(0, |&(stones, _)| stones.min(heap)) >= last && from < outer {
                break;
            }
        }
    }
}

/// The first cells.
#[inline(always)]
fn lanes<C>(cells: &[C]) -> &Lanes<C> {
    cells.first_chunk().expect("there is room behind the last cell")
}
