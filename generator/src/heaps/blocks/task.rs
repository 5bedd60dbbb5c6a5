//! Solves a task: all positions with the three greatest heaps in three ranges.
//!
//! Each line has at most one lost position. A won position can move to lost positions on its lines, and its depth is
//! one more than the least depth among these. A lost position can move to the won positions below it on its lines, and
//! its depth is one more than the greatest depth among these. So each position reads the cells of its lines
//! ([`cell`](super::cell)), and then updates them: one step for each heap, whatever the sizes.
//!
//! A *row* is all positions that differ in the least heap only. They share one line, the line along the least heap. On
//! the lines along another heap, adjacent positions have adjacent cells. As the positions of a row share a line, at most
//! one of them is lost, and everything else is a loop over adjacent cells, in *lanes* of a vector. Example: the row
//! {7,5,0} to {7,5,5} reads the line of {7,5}, the six adjacent cells of the lines {5,0} to {5,5} along the greatest
//! heap, and those of {7,0} to {7,5}.

use std::array::from_fn;
use std::ops::Range;

use bouton_tables::Outcome;
use bouton_tables::heaps::{Heap, HeapRules, MAX_HEAPS};

use super::block::{BlockNumbers, HeapSize, LANES, Lanes};
use super::cell::{LineCell, LineCode};
use super::layout::{LineLayout, TASK_HEAPS, TaskRanges};
use crate::census::Census;

/// The lines through the positions of a row along one heap.
#[derive(Clone, Copy, Default)]
struct RowLine {
    /// Index among the blocks of the task.
    block: usize,
    /// Index in the block of the line through the first position. The lines of the next positions follow.
    index: usize,
    /// The size of the heap.
    size: Heap,
}

/// A row, or a part of it.
struct TaskRow<'a> {
    /// The lines along all heaps except the least.
    lines: &'a [RowLine],
    /// The line along the least heap.
    own: RowLine,
    /// The least size of the least heap.
    first: Heap,
    /// Number of positions.
    len: usize,
}

/// Results of a layer that the layer with one more pass needs.
struct PassReplies<C> {
    /// The replies of won positions ([`LineCode::reply`]).
    replies: Lanes<C>,
    /// The lane of the lost position, and the cell of its lines.
    lost: Option<(usize, C)>,
}

/// The solver for the tasks of a game.
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

    /// Solves a task, and returns the census of its positions. `indices` are the indices in `blocks` of the blocks of
    /// the first and second range, of the first and third, and of the second and third; some may be equal.
    pub(super) fn solve<S: HeapSize>(
        &self,
        task: TaskRanges,
        blocks: &mut [BlockNumbers<C, S>],
        indices: [usize; TASK_HEAPS],
    ) -> Census {
        let layout = self.layout;
        let [one, two, three] = task;
        let [first_two, first_last, last_two] = indices;
        let mut census = Census::default();
        for a in layout.sizes(0, one) {
            for b in layout.sizes(1, two).take_while(|&b| b <= a) {
                let thirds = layout.sizes(2, three);
                let thirds = thirds.start..thirds.end.min(b + 1);
                let own = RowLine { block: first_two, index: layout.offset([one, two], [a, b]), size: 0 };
                // The lines along the first heap, and along the second. Nobody takes from stand-ins.
                let base_lines = |c: Heap| {
                    let first = (layout.stand_ins < 1).then(|| layout.offset([two, three], [b, c]));
                    let second = (layout.stand_ins < 2).then(|| layout.offset([one, three], [a, c]));
                    let first = first.map(|index| RowLine { block: last_two, index, size: a });
                    let second = second.map(|index| RowLine { block: first_last, index, size: b });
                    (first, second)
                };
                if layout.heaps() == TASK_HEAPS {
                    if thirds.is_empty() {
                        continue;
                    }
                    let (first, second) = base_lines(thirds.start);
                    let mut lines = [RowLine::default(); TASK_HEAPS];
                    let mut count = 0;
                    for line in first.into_iter().chain(second) {
                        lines[count] = line;
                        count += 1;
                    }
                    self.row(&mut lines[..count], own, thirds, blocks, &mut census);
                    continue;
                }
                for c in thirds {
                    let (first, second) = base_lines(c);
                    let third = RowLine { size: c, ..own };
                    let base = [first.unwrap_or_default(), second.unwrap_or_default(), third];
                    self.rows(c, base, blocks, &mut census);
                }
            }
        }
        census
    }

    /// Solves all rows with the same three greatest heaps, in a game of four heaps or more. `base` are the lines along
    /// these three heaps where all other heaps are empty.
    fn rows<S: HeapSize>(
        &self,
        third: Heap,
        base: [RowLine; TASK_HEAPS],
        blocks: &mut [BlockNumbers<C, S>],
        census: &mut Census,
    ) {
        let rest = &self.layout.rest;
        // The heaps between the three greatest and the least.
        let between = self.layout.heaps() - TASK_HEAPS - 1;
        let bound = |place: usize| self.layout.bound(TASK_HEAPS + place);
        let mut heaps = [0; MAX_HEAPS];
        let heaps = &mut heaps[..between];
        let mut lines = [RowLine::default(); MAX_HEAPS];
        let of_third = rest.part(0, third) as usize;
        loop {
            // The rest of a line along one of the three greatest heaps is `heaps`. The rest of a line along one of
            // `heaps` begins with the third heap, and the heaps before the missing one come one place later.
            let part_of = |place: usize| rest.part(place, heaps[place]) as usize;
            let mut sum: usize = (0..between).map(part_of).sum();
            for (line, base) in lines.iter_mut().zip(base) {
                *line = RowLine { index: base.index + sum, ..base };
            }
            let mut before = base[2].index + of_third;
            for place in 0..between {
                sum -= part_of(place);
                lines[TASK_HEAPS + place] = RowLine { index: before + sum, size: heaps[place], ..base[2] };
                before += rest.part(place + 1, heaps[place]) as usize;
            }
            let last = heaps.last().copied().unwrap_or(third).min(bound(between));
            let own = RowLine { index: before, size: 0, ..base[2] };
            self.row(&mut lines[..TASK_HEAPS + between], own, 0..last + 1, blocks, census);
            // Advance to the next heaps.
            let grows = |&place: &usize| {
                heaps[place] < bound(place).min(if place == 0 { third } else { heaps[place - 1] })
            };
            let Some(place) = (0..between).rev().find(grows) else { return };
            heaps[place] += 1;
            heaps[place + 1..].fill(0);
        }
    }

    /// Solves a row, in parts of `LANES` positions. `lines` are the lines along all heaps except the least, `own` is the
    /// line along the least heap, which has the given sizes.
    fn row<S: HeapSize>(
        &self,
        lines: &mut [RowLine],
        own: RowLine,
        sizes: Range<Heap>,
        blocks: &mut [BlockNumbers<C, S>],
        census: &mut Census,
    ) {
        let advance = |lines: &mut [RowLine], by: usize| lines.iter_mut().for_each(|line| line.index += by);
        let mut first = sizes.start;
        if first == 0 && lines.iter().all(|line| line.size == 0) {
            self.solve_empty(lines, own, blocks, census);
            advance(lines, 1);
            first = 1;
        }
        while first < sizes.end {
            let len = ((sizes.end - first) as usize).min(LANES);
            self.part(&TaskRow { lines, own, first, len }, blocks, census);
            advance(lines, len);
            first += len as Heap;
        }
    }

    /// Solves the empty position, which has no moves, not even a pass.
    fn solve_empty<S: HeapSize>(
        &self,
        lines: &[RowLine],
        own: RowLine,
        blocks: &mut [BlockNumbers<C, S>],
        census: &mut Census,
    ) {
        let is_won = self.rules.play().outcome_without_moves() == Outcome::Win;
        let cell = if is_won { self.code.won_cell(0, 0) } else { self.code.lost_cell(0, 0) };
        for line in lines.iter().chain([&own]) {
            (0..self.layers()).for_each(|layer| blocks[line.block].set_lost(layer, line.index, cell, 0));
        }
        if is_won {
            census.wins += self.layers() as u64;
        }
    }

    /// Solves a part of a row without the empty position.
    #[inline(always)]
    fn part<S: HeapSize>(&self, row: &TaskRow, blocks: &mut [BlockNumbers<C, S>], census: &mut Census) {
        let none = C::default();
        // Lanes after the end of the row count as lost, so they contribute nothing.
        let in_row = *self.lanes.in_row(row.len);
        let sizes = self.lanes.sizes(row.first);
        let mut passed: Option<PassReplies<C>> = None;
        for layer in 0..self.layers() {
            let mut own = blocks[row.own.block].cell(layer, row.own.index);
            let mut offers = if own < none { in_row.map(|lane| lane.min(own)) } else { in_row };
            for line in row.lines {
                let cells = blocks[line.block].lanes(layer, line.index);
                offers = from_fn(|lane| offers[lane].min(cells[lane]));
            }
            if let Some((lane, cell)) = passed.as_ref().and_then(|passed| passed.lost) {
                offers[lane] = offers[lane].min(cell);
            }
            let lost =
                if greatest(&offers) < none { None } else { offers.iter().position(|&offer| offer >= none) };
            let mut replies: Lanes<C> = from_fn(|lane| offers[lane].reply(self.code).min(in_row[lane]));
            let mut deepest = match lost {
                None => greatest(&from_fn(|lane| replies[lane].or(sizes[lane]))),
                Some(lost) => (0..lost).map(|lane| replies[lane].or(sizes[lane])).fold(none, C::max),
            };
            if own >= none {
                own = own.max(deepest);
            }
            let lost = lost.map(|lost| {
                let cell = self.lost_cell(row, layer, lost, own, passed.as_ref(), blocks);
                own = cell;
                for lane in lost + 1..row.len {
                    replies[lane] = offers[lane].min(cell).reply(self.code);
                    deepest = deepest.max(replies[lane]);
                }
                replies[lost] = none;
                census.deepest = census.deepest.max(self.code.read_lost(cell).0);
                (lost, cell)
            });
            census.deepest = census.deepest.max(self.code.read_won(deepest).0.saturating_sub(1));
            census.wins += (row.len - usize::from(lost.is_some())) as u64;
            for line in row.lines {
                let block = &mut blocks[line.block];
                let size = C::new(line.size.into());
                let cells = block.lanes_mut(layer, line.index);
                *cells = from_fn(|lane| {
                    let updated = replies[lane].or(size).max(cells[lane]);
                    if cells[lane] < none { cells[lane] } else { updated }
                });
                if let Some((lane, cell)) = lost {
                    block.set_lost(layer, line.index + lane, cell, line.size);
                }
            }
            let block = &mut blocks[row.own.block];
            match lost {
                Some((lane, _)) => block.set_lost(layer, row.own.index, own, row.first + lane as Heap),
                None => block.lanes_mut(layer, row.own.index)[0] = own,
            }
            passed = (self.layers() > 1).then_some(PassReplies { replies, lost });
        }
    }

    /// Returns the cell of the lines of a lost position.
    fn lost_cell<S: HeapSize>(
        &self,
        row: &TaskRow,
        layer: usize,
        lane: usize,
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
        for line in row.lines {
            of_line(blocks[line.block].cell(layer, line.index + lane), line.size);
        }
        of_line(own, row.first + lane as Heap);
        if let Some(passed) = passed {
            consider(self.code.read_won(passed.replies[lane]).0, 0);
        }
        let (depth, stones) = best;
        self.code.lost_cell(depth, stones)
    }
}

/// Returns the greatest of some numbers.
#[inline(always)]
fn greatest<C: LineCell>(lanes: &Lanes<C>) -> C {
    lanes.iter().copied().fold(C::MIN, C::max)
}

/// Constants for the lanes of any row, in a table: if the compiler knew the values, it would specialize on single
/// lanes.
struct LaneConstants<C> {
    /// Greater than any cell in the first `LANES` entries, less than any in the others.
    in_row: [C; 2 * LANES],
    /// 0, 1, 2, ...
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

    /// Returns the sizes of the least heap in the lanes, from `first` on.
    #[inline(always)]
    fn sizes(&self, first: Heap) -> Lanes<C> {
        self.numbers.map(|number| number.plus(C::new(first.into())))
    }
}
