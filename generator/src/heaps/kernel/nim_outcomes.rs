//! Outcomes where a move takes any number of stones from one heap: bit operations on whole rows of positions.
//!
//! The line through a position along a heap has all sizes of this heap. From a position, moves lead to all smaller
//! positions on its lines. So a position is won if a line through it has a lost position below, and each line has at
//! most one lost position. A row is all positions that differ in the least heap only. For each line across the row the
//! solver keeps one bit, "has a lost position so far"; the bits of the lines along one heap make a word. The OR of these
//! words marks the won positions of the row. The lost position of the row, if any, is the lowest zero bit. Example: if
//! the OR is 0b0111, sizes 0 to 2 of the least heap win, and size 3 loses.
//!
//! Cost: for each 64 positions of a row, one operation on words for each heap.

use std::ops::Add;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bouton_tables::Outcome;
use bouton_tables::heaps::{Heap, HeapRules};

use super::atomic_size::AtomicSize;
use super::planes::{PlaneRows, Planes, ROWS};
use crate::control::{CancelCheck, Control};
use crate::making::GenerateError;
use crate::memory::filled_with;

/// The lost positions of a layer: of all positions with the same number of passes left.
pub(crate) struct NimLayer<T> {
    /// For each line, by the rank of the other heaps among [`Planes::lines`], the size that the line's own heap
    /// has in the lost position; the greatest bound plus 1 if there is none.
    targets: Vec<T>,
    /// Number of lost positions.
    pub(crate) lost_count: u64,
}

impl<T: AtomicSize> NimLayer<T> {
    /// Returns the size of a line's own heap in its lost position, by the rank of the other heaps; the greatest bound
    /// plus 1 if there is none.
    #[inline]
    pub(crate) fn target(&self, rank: u64) -> Heap {
        self.targets[rank as usize].load() as Heap
    }
}

struct NimSolver<'a, T> {
    planes: &'a Planes,
    /// Words in a row of bits.
    words: usize,
    /// Rows of bits, by a rank among [`Planes::outer`]: of the outer heaps, or of all heaps except an outer heap and
    /// the least. Bit i is 1 if the line with these heaps and i stones as its other heaps has a lost position so far.
    has_lost: Vec<AtomicU64>,
    targets: Vec<T>,
    /// The layer with one pass less.
    passed: Option<&'a NimLayer<T>>,
    /// The empty position is won.
    end_is_won: bool,
}

/// Solves a layer. `passed` is the layer with one pass less.
pub(crate) fn solve<T: AtomicSize>(
    rules: &HeapRules,
    planes: &Planes,
    passed: Option<&NimLayer<T>>,
    control: &dyn Control,
) -> Result<NimLayer<T>, GenerateError> {
    let words = planes.least as usize / 64 + 1;
    let solver = NimSolver {
        planes,
        words,
        has_lost: filled_with(planes.outer.count().saturating_mul(words as u64), || AtomicU64::new(0))?,
        targets: filled_with(planes.lines.count(), || T::new(u64::from(rules.greatest_bound()) + 1))?,
        passed,
        end_is_won: rules.play().outcome_without_moves() == Outcome::Win,
    };
    let lost_count = if words == 1 {
        planes.solve(ROWS, control, u64::add, |plane, (), cancel_check| {
            solver.solve_rows::<true>(plane, cancel_check)
        })
    } else {
        planes.solve(ROWS, control, u64::add, |plane, (), cancel_check| {
            solver.solve_rows::<false>(plane, cancel_check)
        })
    };
    Ok(NimLayer { targets: solver.targets, lost_count: lost_count? })
}

impl<T: AtomicSize> NimSolver<'_, T> {
    /// Solves some rows of a plane, and returns the number of lost positions in them. `ONE`: a row is a single word,
    /// for which the compiler generates much faster code.
    #[inline(never)]
    fn solve_rows<const ONE: bool>(
        &self,
        plane: &PlaneRows,
        cancel_check: &mut CancelCheck,
    ) -> Result<u64, GenerateError> {
        let words = if ONE { 1 } else { self.words };
        let mut lost_count = 0;
        for row in plane.rows.clone() {
            cancel_check.spend(words)?;
            let Some(bit) = self.lost_in_row(plane, row, words) else { continue };
            lost_count += 1;
            let set_has_lost = |rank: usize, bit: usize| {
                let word = &self.has_lost[rank * words + bit / 64];
                word.store(word.load(Relaxed) | 1 << (bit % 64), Relaxed);
            };
            set_has_lost(plane.outer_rank, bit);
            if row <= self.planes.least {
                set_has_lost(plane.outer_rank, row as usize);
            }
            let set_target = |line: usize, size: Heap| self.targets[line].store(size.into());
            set_target(plane.lines_begin + row as usize, bit as Heap);
            set_target(plane.lines_begin + bit, row);
            let row_part = self.planes.row_part(row);
            for (place, &heap) in plane.heaps.iter().enumerate() {
                set_has_lost(plane.outer_offsets[place] + row as usize, bit);
                set_target(plane.line_offsets[place] + row_part + bit, heap);
            }
        }
        Ok(lost_count)
    }

    /// Returns the size of the least heap in the lost position of a row; `None` if all its positions are won.
    #[inline(always)]
    fn lost_in_row(&self, plane: &PlaneRows, row: Heap, words: usize) -> Option<usize> {
        let last = row.min(self.planes.least) as usize;
        for word in 0..=last / 64 {
            let has_lost = |rank: usize| self.has_lost[rank * words + word].load(Relaxed);
            let mut won = has_lost(plane.outer_rank);
            for &others in &plane.outer_offsets[..plane.heaps.len()] {
                won |= has_lost(others + row as usize);
            }
            if let Some(passed) = self.passed {
                let target = passed.target((plane.lines_begin + row as usize) as u64) as usize;
                won |= u64::from(target / 64 == word) << (target % 64);
            }
            if plane.outer_rank == 0 && row == 0 {
                // The empty position, from which there is no pass.
                won = u64::from(self.end_is_won);
            }
            let bit = won.trailing_ones() as usize;
            if bit < 64 {
                return Some(word * 64 + bit).filter(|&bit| bit <= last);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU8;

    use bouton_tables::heaps::{Ranks, Take};

    use super::super::plain;
    use super::super::plain::tests::{check_outcomes, games};
    use super::*;
    use crate::heaps::passes::by_passes;

    #[test]
    fn lost_positions_agree_with_the_plain_solver() {
        let bounds: [&[Heap]; 6] =
            [&[9, 11, 13], &[2, 70, 75], &[70, 70, 70], &[7; 4], &[1, 1, 4, 6], &[3; 6]];
        for rules in games(&bounds, &[Take::Any]) {
            let ranks = Ranks::try_new(rules.bounds()).expect("few positions");
            let planes = Planes::new(&rules).expect("few positions");
            let expected = plain::solve(&rules, &ranks, &()).expect("enough memory");
            let found: Vec<NimLayer<AtomicU8>> =
                by_passes(&rules, |passed| solve(&rules, &planes, passed, &())).expect("enough memory");
            for (found, expected) in found.iter().zip(&expected) {
                let is_lost = |heaps: &[Heap], _| found.target(planes.lines.rank(&heaps[1..])) == heaps[0];
                check_outcomes(&rules, is_lost, found.lost_count, expected);
            }
        }
    }
}
