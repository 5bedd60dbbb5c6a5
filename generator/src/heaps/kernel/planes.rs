//! The order in which the solvers in memory go through positions, and where the lines of a plane begin.
//!
//! Heaps are in descending order. All heaps except the two least are the *outer* heaps; the positions with the same
//! outer heaps make a *plane*. In a *row* of the plane the last heap but one is fixed, and only the least heap varies.
//! Example: {9,4,2} is in the plane of 9, and in the row {9,4,0} to {9,4,4}. Positions of a row are adjacent in memory,
//! and so are the lines through them along an outer heap. Planes whose outer heaps have the same sum are solved in
//! parallel, as a *wave*; with at most one outer heap, a wave consists of parts of planes.

use std::ops::Range;

use bouton_tables::heaps::{Heap, HeapRules, Heaps, MAX_HEAPS, Ranks};

use crate::control::{CancelCheck, Control, check_cancelled};
use crate::heaps::sizes::multisets_without;
use crate::making::GenerateError;
use crate::memory::{Grow, len};
use crate::parallel;

/// Number of rows, and of planes, in a piece of work if there is at most one outer heap.
pub(crate) const ROWS: Heap = if cfg!(test) { 3 } else { 32 };

/// All planes of a game. A game of one heap gets a least heap that is always empty (padding).
pub(crate) struct Planes {
    /// Ranks of the outer heaps. Also ranks of all heaps except an outer heap and the least, which have the same number
    /// and bounds.
    pub(crate) outer: Ranks,
    /// Ranks of lines: of all heaps except one.
    pub(crate) lines: Ranks,
    /// Ranks of all heaps. Padding does not change them.
    pub(crate) all: Ranks,
    /// Bound of the last heap but one.
    second_least: Heap,
    /// Bound of the least heap.
    pub(crate) least: Heap,
}

/// Some rows of a plane, and the places of the lines through them.
pub(crate) struct PlaneRows<'a> {
    /// The outer heaps.
    pub(crate) heaps: &'a [Heap],
    /// Sizes of the last heap but one.
    pub(crate) rows: Range<Heap>,
    /// These are the last rows of the plane.
    pub(crate) is_last_piece: bool,
    /// The rank of the outer heaps among [`Planes::outer`].
    pub(crate) outer_rank: usize,
    /// Rank among [`Planes::lines`] of the outer heaps and an empty heap. Add the row for the line along the least
    /// heap, or the size of the least heap for the line along the last heap but one.
    pub(crate) lines_begin: usize,
    /// For each outer heap, the sum of the other outer heaps' parts of a rank among [`Planes::outer`]. Add the row.
    pub(crate) outer_offsets: [usize; MAX_HEAPS],
    /// For each outer heap, the sum of the other outer heaps' parts of a rank among [`Planes::lines`]. Add the row's
    /// part and the size of the least heap.
    pub(crate) line_offsets: [usize; MAX_HEAPS],
}

/// Returns the bounds of a game with padding, ascending.
pub(crate) fn padded(rules: &HeapRules) -> Vec<Heap> {
    let padding = 2_usize.saturating_sub(rules.heaps());
    std::iter::repeat_n(0, padding).chain(rules.bounds().iter().copied()).collect()
}

impl Planes {
    pub(crate) fn new(rules: &HeapRules) -> Result<Self, GenerateError> {
        let bounds = padded(rules);
        let (outer, lines) = (Ranks::try_new(&bounds[2..])?, Ranks::try_new(&bounds[1..])?);
        let all = Ranks::try_new(&bounds)?;
        // Check once that every line's rank fits into an index.
        len(lines.count())?;
        Ok(Self { outer, lines, all, second_least: bounds[1], least: bounds[0] })
    }

    /// Returns the row's part of the rank of a line along an outer heap; 0 without outer heaps.
    pub(crate) fn row_part(&self, row: Heap) -> usize {
        self.outer.heaps().checked_sub(1).map_or(0, |last| self.lines.part(last, row) as usize)
    }

    /// Returns the number of rows: the unit of progress.
    pub(crate) fn rows(rules: &HeapRules) -> u64 {
        u64::try_from(multisets_without(&padded(rules), 1)).unwrap_or(u64::MAX)
    }

    /// Solves all planes; a plane comes after those to which its moves lead. `solve` solves some rows of a plane, in
    /// order; `and` combines the results. A thread reuses its scratch, of type `S`, for the next rows. With at most one
    /// outer heap, `solve` gets at most `rows` rows at a time, otherwise all rows.
    ///
    /// If two planes are solved at the same time, no move leads from one to the other, and no line goes through both.
    /// The other heaps of a line through one plane and of a line through the other never differ in the least heap only,
    /// so a kernel may keep such lines in one word.
    pub(crate) fn solve<T: Default + Send, S: Default>(
        &self,
        rows: Heap,
        control: &dyn Control,
        and: impl Fn(T, T) -> T + Sync + Send,
        solve: impl Fn(&PlaneRows, &mut S, &mut CancelCheck) -> Result<T, GenerateError> + Sync,
    ) -> Result<T, GenerateError> {
        let solve_piece = |piece: PlanePiece| {
            let (mut done, mut scratch, mut cancel_check) =
                (T::default(), S::default(), CancelCheck::new(control));
            let mut rows_done = 0;
            self.each_plane(piece, rows, &mut |plane| {
                done = and(std::mem::take(&mut done), solve(plane, &mut scratch, &mut cancel_check)?);
                rows_done += u64::from(plane.rows.end - plane.rows.start);
                Ok(())
            })?;
            control.advance(rows_done);
            Ok::<_, GenerateError>(done)
        };
        let mut done = T::default();
        for wave in 0..=self.last_wave(rows) {
            check_cancelled(control)?;
            let pieces = self.wave(wave, rows)?;
            let of_wave =
                parallel::reduce(pieces.len(), |piece| solve_piece(pieces[piece]), |a, b| Ok(and(a, b)));
            done = and(done, of_wave?);
        }
        Ok(done)
    }

    fn last_wave(&self, rows: Heap) -> u64 {
        let tiles = |bound: Heap| u64::from(bound / rows);
        match self.outer.heaps() {
            0 => tiles(self.second_least),
            1 => tiles(self.outer.bound(0)) + tiles(self.second_least),
            heaps => (0..heaps).map(|place| u64::from(self.outer.bound(place))).sum(),
        }
    }

    /// Returns the pieces of a wave: they can be solved at the same time, after all earlier waves.
    fn wave(&self, wave: u64, rows: Heap) -> Result<Vec<PlanePiece>, GenerateError> {
        let mut pieces = Vec::new();
        match self.outer.heaps() {
            0 => pieces.grow(PlanePiece::Square { outer: 0, first_row: wave as Heap * rows })?,
            1 => {
                // Two squares of a wave have no heap in common.
                let (wave, outer) = (wave as Heap, self.outer.bound(0) / rows);
                for inner in wave.saturating_sub(outer)..=(wave / 2).min(self.second_least / rows) {
                    pieces
                        .grow(PlanePiece::Square { outer: (wave - inner) * rows, first_row: inner * rows })?;
                }
            }
            _ => {
                // Planes whose outer heaps have the same sum. A line enters another plane only when its heap exceeds an
                // outer heap, so all planes on a line have different sums.
                self.each_outer(&mut Heaps::new(), 2, wave, &mut |heaps, rest| {
                    pieces.grow(PlanePiece::Planes { greatest: [heaps[0], heaps[1]], rest })
                })?;
            }
        }
        Ok(pieces)
    }

    /// Visits each plane of a piece, with its rows in the piece.
    fn each_plane(
        &self,
        piece: PlanePiece,
        rows: Heap,
        visit: &mut dyn FnMut(&PlaneRows) -> Result<(), GenerateError>,
    ) -> Result<(), GenerateError> {
        match piece {
            PlanePiece::Square { first_row, .. } if self.outer.heaps() == 0 => {
                visit(&self.plane_rows(&Heaps::new(), first_row..first_row + rows))
            }
            PlanePiece::Square { outer, first_row } => {
                (outer..outer + rows).take_while(|&heap| heap <= self.outer.bound(0)).try_for_each(|heap| {
                    visit(&self.plane_rows(&[heap].into_iter().collect(), first_row..first_row + rows))
                })
            }
            PlanePiece::Planes { greatest, rest } => {
                let all = self.outer.heaps();
                self.each_outer(&mut greatest.into_iter().collect(), all, rest, &mut |heaps, _| {
                    visit(&self.plane_rows(heaps, 0..Heap::MAX))
                })
            }
        }
    }

    /// Visits all choices of the first `places` outer heaps that begin with `heaps` and can be completed to outer heaps
    /// with `rest` further stones in all. `visit` also gets the stones of the outer heaps that are not chosen.
    fn each_outer(
        &self,
        heaps: &mut Heaps,
        places: usize,
        rest: u64,
        visit: &mut dyn FnMut(&Heaps, u64) -> Result<(), GenerateError>,
    ) -> Result<(), GenerateError> {
        let place = heaps.len();
        if place == places {
            return visit(heaps, rest);
        }
        let greatest = heaps.last().copied().unwrap_or(Heap::MAX).min(self.outer.bound(place));
        let greatest = greatest.min(Heap::try_from(rest).unwrap_or(Heap::MAX));
        // The later heaps are no greater than `heap`.
        let max_later = |heap: Heap| -> u64 {
            (place + 1..self.outer.heaps()).map(|place| u64::from(self.outer.bound(place).min(heap))).sum()
        };
        for heap in (0..=greatest).rev().take_while(|&heap| rest - u64::from(heap) <= max_later(heap)) {
            heaps.push(heap);
            self.each_outer(heaps, places, rest - u64::from(heap), visit)?;
            heaps.pop();
        }
        Ok(())
    }

    fn plane_rows<'a>(&self, heaps: &'a Heaps, rows: Range<Heap>) -> PlaneRows<'a> {
        let end = heaps.last().map_or(self.second_least, |&heap| heap.min(self.second_least)) + 1;
        let mut outer_offsets = [0; MAX_HEAPS];
        let mut line_offsets = [0; MAX_HEAPS];
        for (omitted, (outer, lines)) in
            outer_offsets.iter_mut().zip(&mut line_offsets).enumerate().take(heaps.len())
        {
            let others = heaps[..omitted].iter().chain(&heaps[omitted + 1..]);
            for (place, &other) in others.enumerate() {
                *outer += self.outer.part(place, other) as usize;
                *lines += self.lines.part(place, other) as usize;
            }
        }
        PlaneRows {
            heaps,
            rows: rows.start.min(end)..rows.end.min(end),
            is_last_piece: rows.end >= end,
            outer_rank: self.outer.rank(heaps) as usize,
            lines_begin: self.lines.rank(heaps) as usize,
            outer_offsets,
            line_offsets,
        }
    }
}

/// A piece of work for one thread.
#[derive(Clone, Copy)]
enum PlanePiece {
    /// With one outer heap: some adjacent rows of as many adjacent planes. Without outer heaps: some rows of the only
    /// plane.
    Square {
        /// The outer heap of the first plane.
        outer: Heap,
        first_row: Heap,
    },
    /// All planes with these two greatest outer heaps, whose other outer heaps have `rest` stones in all.
    Planes { greatest: [Heap; 2], rest: u64 },
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Mutex;

    use bouton_tables::heaps::HeapKeys;

    use super::*;

    /// Returns the row of a position: all heaps except the least.
    fn row_of(heaps: &[Heap]) -> Vec<Heap> {
        let mut heaps = heaps.to_vec();
        heaps.sort_unstable_by(|a, b| b.cmp(a));
        heaps.pop();
        heaps
    }

    #[test]
    fn each_row_comes_once_and_after_the_rows_to_which_moves_lead() {
        for bounds in [
            &[5][..],
            &[3, 9],
            &[8, 8],
            &[9, 9, 9],
            &[1, 4, 11],
            &[4, 4, 4, 4],
            &[1, 2, 4, 7],
            &[2, 3, 3, 3, 3],
        ] {
            for rows in [1, 2, 4, 100] {
                let rules = HeapKeys { bounds: bounds.to_vec(), ..Default::default() }.rules().unwrap();
                let planes = Planes::new(&rules).unwrap();
                let solved = Mutex::new(HashSet::new());
                let solve = |plane: &PlaneRows, (): &mut (), _: &mut CancelCheck| {
                    for row in plane.rows.clone() {
                        let heaps: Vec<Heap> = plane.heaps.iter().copied().chain([row]).collect();
                        for least in 0..=row.min(planes.least) {
                            let position: Vec<Heap> = heaps.iter().copied().chain([least]).collect();
                            for place in 0..position.len() {
                                for less in 0..position[place] {
                                    let mut next = position.clone();
                                    next[place] = less;
                                    let before = row_of(&next);
                                    let is_solved =
                                        before == heaps || solved.lock().unwrap().contains(&before);
                                    assert!(
                                        is_solved,
                                        "{position:?} before {before:?}, {bounds:?} by {rows}"
                                    );
                                }
                            }
                        }
                        assert!(solved.lock().unwrap().insert(heaps), "{bounds:?} by {rows}");
                    }
                    Ok(u64::from(plane.rows.end - plane.rows.start))
                };
                let done = planes.solve(rows, &(), |a, b| a + b, solve).unwrap();
                assert_eq!(
                    (done, solved.lock().unwrap().len() as u64),
                    (Planes::rows(&rules), Planes::rows(&rules))
                );
            }
        }
    }
}
