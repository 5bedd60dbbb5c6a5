//! Solves a task: all positions with the three greatest heaps in three ranges.
//!
//! Each line has at most one lost position. A won position can move to lost positions on its lines, and its depth is
//! one more than the least depth among these. A lost position has won positions below it on its lines, and its depth is
//! one more than the greatest depth among these. So each position reads the cells of its lines, and then updates them:
//! one step for each heap, whatever the sizes.
//!
//! A *row* is all positions that differ in the least heap only. They share one line; on each of their other lines they
//! are adjacent. As they share a line, at most one of them is lost, and everything else is a loop over adjacent cells.

use std::array::from_fn;
use std::ops::Range;

use bouton_tables::Outcome;
use bouton_tables::heaps::{Heap, HeapRules, MAX_HEAPS};

use super::block::{BlockNumbers, HeapSize, LANES, Lanes};
use super::cell::{LineCell, LineCode};
use super::layout::{KEYS, LineLayout, TaskRanges};
use crate::Census;

/// The place of a row's positions on their lines along one heap.
#[derive(Clone, Copy, Default)]
struct Along {
    /// Which of the three blocks of the task.
    block: usize,
    /// The line of the first position. The lines of the next positions follow.
    at: usize,
    /// The size of the heap.
    size: Heap,
}

/// A row, or a part of it.
struct TaskRow<'a> {
    along: &'a [Along],
    /// The line along the least heap.
    own: Along,
    /// The sizes of the least heap: the first, and how many.
    first: Heap,
    len: usize,
}

/// Results of a layer that the layer with one more pass needs.
struct PassReplies<C> {
    /// The replies of won positions.
    replies: Lanes<C>,
    /// Which position is lost, and the cell of its lines.
    lost: Option<(usize, C)>,
}

pub(super) struct TaskSolver<'a, C> {
    pub(super) rules: &'a HeapRules,
    pub(super) layout: &'a LineLayout,
    pub(super) code: LineCode<C>,
    lanes: LaneConstants<C>,
}

impl<'a, C: LineCell> TaskSolver<'a, C> {
    pub(super) fn new(rules: &'a HeapRules, layout: &'a LineLayout) -> Self {
        Self { rules, layout, code: LineCode::new(rules), lanes: LaneConstants::new() }
    }

    fn layers(&self) -> usize {
        usize::from(self.rules.passes()) + 1
    }

    /// Solves a task, and returns the census of its positions. Its blocks are those of the first and second range, of
    /// the first and third, and of the second and third. `which` are their indices in `blocks`; blocks may coincide.
    pub(super) fn solve<S: HeapSize>(
        &self,
        task: TaskRanges,
        blocks: &mut [BlockNumbers<C, S>],
        which: [usize; KEYS],
    ) -> Census {
        let layout = self.layout;
        let [one, two, three] = task;
        let [first_two, first_last, last_two] = which;
        let mut census = Census::default();
        for a in layout.sizes(0, one) {
            for b in layout.sizes(1, two).take_while(|&b| b <= a) {
                let thirds = layout.sizes(2, three);
                let thirds = thirds.start..thirds.end.min(b + 1);
                let own = Along { block: first_two, at: layout.offset([one, two], [a, b]), size: 0 };
                let beside = |c: Heap| {
                    // The lines along the first heap, and along the second.
                    let first = (layout.stand_ins < 1).then(|| layout.offset([two, three], [b, c]));
                    let second = (layout.stand_ins < 2).then(|| layout.offset([one, three], [a, c]));
                    let first = first.map(|at| Along { block: last_two, at, size: a });
                    let second = second.map(|at| Along { block: first_last, at, size: b });
                    (first, second)
                };
                if layout.heaps() == KEYS {
                    if thirds.is_empty() {
                        continue;
                    }
                    let (first, second) = beside(thirds.start);
                    let mut along = [Along::default(); KEYS];
                    let mut lines = 0;
                    for line in first.into_iter().chain(second) {
                        along[lines] = line;
                        lines += 1;
                    }
                    self.row(&mut along[..lines], own, thirds, blocks, &mut census);
                    continue;
                }
                for c in thirds {
                    let (first, second) = beside(c);
                    let third = Along { size: c, ..own };
                    let keys = [first.unwrap_or_default(), second.unwrap_or_default(), third];
                    self.rows(c, keys, blocks, &mut census);
                }
            }
        }
        census
    }

    /// Solves all rows with the same three greatest heaps, in a game of four heaps or more. `keys` are the lines along
    /// these three heaps where all other heaps are empty.
    fn rows<S: HeapSize>(
        &self,
        third: Heap,
        keys: [Along; KEYS],
        blocks: &mut [BlockNumbers<C, S>],
        census: &mut Census,
    ) {
        let rest = &self.layout.rest;
        // The heaps between the three greatest and the least.
        let between = self.layout.heaps() - KEYS - 1;
        let bound = |place: usize| self.layout.bound(KEYS + place);
        let mut heaps = [0; MAX_HEAPS];
        let heaps = &mut heaps[..between];
        let mut along = [Along::default(); MAX_HEAPS];
        let of_third = rest.part(0, third) as usize;
        loop {
            // In the lines along the three greatest heaps the others lie as they are; in those along another one, the
            // third heap lies before them.
            let here = |place: usize| rest.part(place, heaps[place]) as usize;
            let mut sum: usize = (0..between).map(here).sum();
            for (along, key) in along.iter_mut().zip(keys) {
                *along = Along { at: key.at + sum, ..key };
            }
            let mut before = keys[2].at + of_third;
            for place in 0..between {
                sum -= here(place);
                along[KEYS + place] = Along { at: before + sum, size: heaps[place], ..keys[2] };
                before += rest.part(place + 1, heaps[place]) as usize;
            }
            let last = heaps.last().copied().unwrap_or(third).min(bound(between));
            let own = Along { at: before, size: 0, ..keys[2] };
            self.row(&mut along[..KEYS + between], own, 0..last + 1, blocks, census);
            // On to the next heaps.
            let grows = |&place: &usize| {
                heaps[place] < bound(place).min(if place == 0 { third } else { heaps[place - 1] })
            };
            let Some(place) = (0..between).rev().find(grows) else { return };
            heaps[place] += 1;
            heaps[place + 1..].fill(0);
        }
    }

    /// Solves a row: its lines along all heaps but the least, the one along that, and the sizes that it has.
    fn row<S: HeapSize>(
        &self,
        along: &mut [Along],
        own: Along,
        sizes: Range<Heap>,
        blocks: &mut [BlockNumbers<C, S>],
        census: &mut Census,
    ) {
        let move_on = |along: &mut [Along], by: usize| along.iter_mut().for_each(|along| along.at += by);
        let mut first = sizes.start;
        if first == 0 && along.iter().all(|along| along.size == 0) {
            self.empty(along, own, blocks, census);
            move_on(along, 1);
            first = 1;
        }
        while first < sizes.end {
            let len = ((sizes.end - first) as usize).min(LANES);
            self.part(&TaskRow { along, own, first, len }, blocks, census);
            move_on(along, len);
            first += len as Heap;
        }
    }

    /// The position without stones, which has no move, nor a pass.
    fn empty<S: HeapSize>(
        &self,
        along: &[Along],
        own: Along,
        blocks: &mut [BlockNumbers<C, S>],
        census: &mut Census,
    ) {
        let is_won = self.rules.play().outcome_without_moves() == Outcome::Win;
        let cell = if is_won { self.code.won_cell(0, 0) } else { self.code.lost_cell(0, 0) };
        for line in along.iter().chain([&own]) {
            (0..self.layers()).for_each(|layer| blocks[line.block].set_lost(layer, line.at, cell, 0));
        }
        if is_won {
            census.wins += self.layers() as u64;
        }
    }

    /// Solves a part of a row, which has stones.
    #[inline(always)]
    fn part<S: HeapSize>(&self, row: &TaskRow, blocks: &mut [BlockNumbers<C, S>], census: &mut Census) {
        let none = C::default();
        // Lanes after the end of the row count as lost, so they contribute nothing.
        let in_row = *self.lanes.in_row(row.len);
        let sizes = self.lanes.sizes(row.first);
        let mut passed: Option<PassReplies<C>> = None;
        for layer in 0..self.layers() {
            let mut own = blocks[row.own.block].cell(layer, row.own.at);
            let mut offers = if own < none { in_row.map(|lane| lane.min(own)) } else { in_row };
            for along in row.along {
                let cells = blocks[along.block].lanes(layer, along.at);
                offers = from_fn(|lane| offers[lane].min(cells[lane]));
            }
            if let Some((at, cell)) = passed.as_ref().and_then(|passed| passed.lost) {
                offers[at] = offers[at].min(cell);
            }
            let lost =
                if greatest(&offers) < none { None } else { offers.iter().position(|&offer| offer >= none) };
            let mut replies: Lanes<C> = from_fn(|lane| offers[lane].reply(self.code).min(in_row[lane]));
            let mut deepest = match lost {
                None => greatest(&from_fn(|lane| replies[lane].with(sizes[lane]))),
                Some(at) => (0..at).map(|lane| replies[lane].with(sizes[lane])).fold(none, C::max),
            };
            if own >= none {
                own = own.max(deepest);
            }
            let lost = lost.map(|at| {
                let cell = self.lost_cell(row, layer, at, own, passed.as_ref(), blocks);
                own = cell;
                for lane in at + 1..row.len {
                    replies[lane] = offers[lane].min(cell).reply(self.code);
                    deepest = deepest.max(replies[lane]);
                }
                replies[at] = none;
                census.deepest = census.deepest.max(self.code.read_lost(cell).0);
                (at, cell)
            });
            census.deepest = census.deepest.max(self.code.read_won(deepest).0.saturating_sub(1));
            census.wins += (row.len - usize::from(lost.is_some())) as u64;
            for along in row.along {
                let block = &mut blocks[along.block];
                let size = C::new(along.size.into());
                let cells = block.lanes_mut(layer, along.at);
                *cells = from_fn(|lane| {
                    let updated = replies[lane].with(size).max(cells[lane]);
                    if cells[lane] < none { cells[lane] } else { updated }
                });
                if let Some((at, cell)) = lost {
                    block.set_lost(layer, along.at + at, cell, along.size);
                }
            }
            let block = &mut blocks[row.own.block];
            match lost {
                Some((at, _)) => block.set_lost(layer, row.own.at, own, row.first + at as Heap),
                None => block.lanes_mut(layer, row.own.at)[0] = own,
            }
            passed = (self.layers() > 1).then_some(PassReplies { replies, lost });
        }
    }

    /// The cell of the lines of a lost position.
    fn lost_cell<S: HeapSize>(
        &self,
        row: &TaskRow,
        layer: usize,
        at: usize,
        own: C,
        passed: Option<&PassReplies<C>>,
        blocks: &[BlockNumbers<C, S>],
    ) -> C {
        // The greatest depth, and the fewest stones to get there.
        let mut best = (0, 0);
        let mut consider = |depth: u32, stones: u32| {
            if depth > best.0 || depth == best.0 && stones < best.1 {
                best = (depth, stones);
            }
        };
        let mut of_line = |cell: C, size: Heap| {
            if cell > C::default() {
                let (depth, reached) = self.code.read_won(cell);
                consider(depth, size - reached);
            }
        };
        for along in row.along {
            of_line(blocks[along.block].cell(layer, along.at + at), along.size);
        }
        of_line(own, row.first + at as Heap);
        if let Some(passed) = passed {
            consider(self.code.read_won(passed.replies[at]).0, 0);
        }
        let (depth, stones) = best;
        self.code.lost_cell(depth, stones)
    }
}

/// The greatest of some numbers.
#[inline(always)]
fn greatest<C: LineCell>(lanes: &Lanes<C>) -> C {
    lanes.iter().copied().fold(C::MIN, C::max)
}

/// Constants for the lanes of any row, in a table: if the compiler knew the values, it would specialize on single
/// lanes.
struct LaneConstants<C> {
    /// Greater than any cell in the first `LANES` entries, less than any in the others.
    in_row: [C; 2 * LANES],
    numbers: Lanes<C>,
}

impl<C: LineCell> LaneConstants<C> {
    fn new() -> Self {
        Self {
            in_row: from_fn(|lane| if lane < LANES { C::MAX } else { C::MIN }),
            numbers: from_fn(|lane| C::new(lane as i64)),
        }
    }

    /// Returns a mask: greater than any cell in the lanes of a row, less than any in the others.
    #[inline(always)]
    fn in_row(&self, len: usize) -> &Lanes<C> {
        self.in_row[LANES - len..].first_chunk().expect("a row has no more lanes")
    }

    /// The sizes in the lanes of a row.
    #[inline(always)]
    fn sizes(&self, first: Heap) -> Lanes<C> {
        self.numbers.map(|number| number.plus(C::new(first.into())))
    }
}
