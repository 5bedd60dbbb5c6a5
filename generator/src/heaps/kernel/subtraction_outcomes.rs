//! Outcomes where a move takes certain amounts from one heap (subtraction games): bit operations on rows of positions.
//!
//! A row is all positions that differ in the least heap only; bit i is the position with least heap i. Taking an amount
//! from another heap leads to the same bit of an earlier row. So the positions won by such moves are the OR of the lost
//! positions of these rows, one for each amount and heap. For moves in the least heap, the solver goes through the zero
//! bits upwards: each is lost, and for each amount the bit that much higher is won. Along each outer heap, that is each
//! heap except the two least, the solver keeps the last rows, as many as the greatest amount. Cost: for each 64
//! positions of a row, one operation on words for each amount and heap.
//!
//! Example: one heap, amounts 1 and 2. Bit 0 is lost, so bits 1 and 2 are won; bit 3 is lost, and so on.

use std::ops::Add;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bouton_tables::Outcome;
use bouton_tables::heaps::{Heap, HeapRules};

use super::planes::{PlaneRows, Planes, ROWS, padded};
use crate::control::{CancelCheck, Control};
use crate::heaps::sizes::{multisets_without, reach};
use crate::making::GenerateError;
use crate::memory::{Grow, filled_with};

/// The lost positions of a layer: of all positions with the same number of passes left.
pub(crate) struct LostBits {
    /// A bit for each position, by rank.
    bits: Vec<AtomicU64>,
    /// Number of lost positions.
    pub(crate) lost_count: u64,
}

impl LostBits {
    /// Reports whether the position with this rank is lost.
    #[inline]
    pub(crate) fn is_lost(&self, rank: u64) -> bool {
        self.bits[(rank / 64) as usize].load(Relaxed) >> (rank % 64) & 1 == 1
    }

    /// Returns the 64 bits from a rank on.
    #[inline]
    pub(crate) fn word(&self, rank: u64) -> u64 {
        let (word, shift) = ((rank / 64) as usize, rank % 64);
        let low = self.bits[word].load(Relaxed) >> shift;
        let high = self.bits.get(word + 1).map_or(0, |next| next.load(Relaxed));
        if shift == 0 { low } else { low | high << (64 - shift) }
    }

    /// Adds 64 bits from a rank on.
    #[inline]
    fn set(&self, rank: u64, bits: u64) {
        let (word, shift) = ((rank / 64) as usize, rank % 64);
        // Rows that other threads solve may share these words.
        if bits << shift != 0 {
            self.bits[word].fetch_or(bits << shift, Relaxed);
        }
        if shift > 0 && bits >> (64 - shift) != 0 {
            self.bits[word + 1].fetch_or(bits >> (64 - shift), Relaxed);
        }
    }
}

struct SubtractionSolver<'a> {
    planes: &'a Planes,
    amounts: Vec<usize>,
    /// Words in a row of bits.
    words: usize,
    /// The greatest amount: number of rows that are kept along an outer heap.
    reach: usize,
    /// The last rows along each outer heap. For each choice of all heaps except this outer heap and the least (by rank
    /// among [`Planes::outer`]), and each size of this outer heap modulo `reach`, a row of bits: bit i is set if the
    /// position with least heap i is lost.
    recent_rows: Vec<AtomicU64>,
    lost: LostBits,
    /// The layer with one pass less.
    passed: Option<&'a LostBits>,
    /// A position without moves is won.
    end_is_won: bool,
}

/// Returns the bytes of [`SubtractionSolver::recent_rows`].
pub(crate) fn recent_rows_bytes(rules: &HeapRules) -> u128 {
    let bounds = padded(rules);
    8 * multisets_without(&bounds, 2) * (u128::from(bounds[0]) / 64 + 1) * u128::from(reach(rules))
}

/// Solves a layer. `passed` is the layer with one pass less.
pub(crate) fn solve(
    rules: &HeapRules,
    planes: &Planes,
    passed: Option<&LostBits>,
    control: &dyn Control,
) -> Result<LostBits, GenerateError> {
    let mut amounts = Vec::new();
    rules.take().amounts(rules.greatest_bound()).try_for_each(|amount| amounts.grow(amount as usize))?;
    let reach = reach(rules) as usize;
    let words = planes.least as usize / 64 + 1;
    let zeros = |n| filled_with(n, || AtomicU64::new(0));
    let recent_len = (reach as u64).saturating_mul(words as u64);
    let mut solver = SubtractionSolver {
        planes,
        words,
        reach,
        recent_rows: zeros(if planes.outer.heaps() == 0 {
            0
        } else {
            planes.outer.count().saturating_mul(recent_len)
        })?,
        lost: LostBits { bits: zeros(planes.all.count() / 64 + 1)?, lost_count: 0 },
        passed,
        end_is_won: rules.play().outcome_without_moves() == Outcome::Win,
        amounts,
    };
    // Each piece loads the `reach` rows before it once more, so a piece should have at least `reach` rows.
    let rows = ROWS.max(reach as Heap);
    let lost_count = if words == 1 {
        planes.solve(rows, control, u64::add, |plane, scratch, cancel_check| {
            solver.solve_rows::<true>(plane, scratch, cancel_check)
        })
    } else {
        planes.solve(rows, control, u64::add, |plane, scratch, cancel_check| {
            solver.solve_rows::<false>(plane, scratch, cancel_check)
        })
    };
    solver.lost.lost_count = lost_count?;
    Ok(solver.lost)
}

impl SubtractionSolver<'_> {
    /// Returns the offset of a size of an outer heap among the rows kept along it.
    fn slot(&self, size: Heap) -> usize {
        size as usize % self.reach * self.words
    }

    /// Solves some rows of a plane, and returns the number of lost positions in them. `ONE`: a row is a single word,
    /// for which the compiler generates much faster code.
    #[inline(never)]
    fn solve_rows<const ONE: bool>(
        &self,
        plane: &PlaneRows,
        scratch: &mut PlaneScratch,
        cancel_check: &mut CancelCheck,
    ) -> Result<u64, GenerateError> {
        let words = if ONE { 1 } else { self.words };
        // Words of the rows kept along an outer heap, for one choice of the other heaps.
        let recent_len = self.reach * words;
        let rows = plane.rows.start as usize..plane.rows.end as usize;
        let first_rank = self.planes.all.rank(plane.heaps);
        let rank_of = |row: usize| first_rank + self.planes.all.part(plane.heaps.len(), row as Heap);
        let PlaneScratch { lost_rows, won, read_offsets, bit_numbers } = scratch;
        // The first row to which a move leads.
        let first = rows.start.saturating_sub(self.reach);
        lost_rows.clear();
        lost_rows.try_reserve((rows.end - first) * words)?;
        lost_rows.resize((rows.end - first) * words, 0);
        for row in first..rows.start {
            cancel_check.spend(2 * words)?;
            self.load_row(row, rank_of(row), &mut lost_rows[(row - first) * words..][..words]);
            self.mirror(row, first, lost_rows, bit_numbers)?;
        }
        won.try_reserve(words)?;
        won.resize(words, 0);
        read_offsets.clear();
        for (&others, &heap) in plane.outer_offsets.iter().zip(plane.heaps) {
            let amounts =
                self.amounts.iter().map(|&amount| amount as Heap).take_while(|&amount| amount <= heap);
            read_offsets.try_reserve(self.amounts.len())?;
            read_offsets.extend(amounts.map(|amount| others * recent_len + self.slot(heap - amount)));
        }
        let mut lost_count = 0;
        for row in rows.clone() {
            cancel_check.spend(words * (1 + read_offsets.len()))?;
            let last = row.min(self.planes.least as usize);
            let rank = rank_of(row);
            won.fill(0);
            for &amount in self.amounts.iter().take_while(|&&amount| amount <= row) {
                let before = &lost_rows[(row - amount - first) * words..];
                won.iter_mut().zip(before).for_each(|(won, lost)| *won |= lost);
            }
            for &read in &*read_offsets {
                let recent = &self.recent_rows[read + row * recent_len..][..words];
                won.iter_mut().zip(recent).for_each(|(won, lost)| *won |= lost.load(Relaxed));
            }
            self.add_wins_without_takes(plane, row, rank, won);
            let lost_row = &mut lost_rows[(row - first) * words..][..words];
            lost_count += self.solve_row(last, won, lost_row);
            for (&bits, rank) in lost_row.iter().zip((rank..).step_by(64)) {
                self.lost.set(rank, bits);
            }
            for (&others, &heap) in plane.outer_offsets.iter().zip(plane.heaps) {
                self.store_recent((others + row) * recent_len + self.slot(heap), lost_row);
            }
            self.mirror(row, first, lost_rows, bit_numbers)?;
        }
        // In a later plane, the least of these heaps can be the row, and a greater heap the outer heap instead. Moves
        // in that outer heap lead to the last rows of this plane: from row 5 of plane {6} to the rows 5, 4, ... of
        // plane {5}.
        if plane.is_last_piece && !plane.heaps.is_empty() {
            for row in rows.end.saturating_sub(self.reach)..rows.end {
                let row_at = (row - first) * words;
                self.store_recent(
                    plane.outer_rank * recent_len + self.slot(row as Heap),
                    &lost_rows[row_at..][..words],
                );
            }
        }
        Ok(lost_count)
    }

    /// Adds the lost positions of a solved row to `lost_row`. `rank` is the rank of the row's first position.
    fn load_row(&self, row: usize, rank: u64, lost_row: &mut [u64]) {
        let last = row.min(self.planes.least as usize);
        for (word, lost) in lost_row.iter_mut().enumerate().take(last / 64 + 1) {
            let bits = last - 64 * word;
            let mask = if bits >= 63 { u64::MAX } else { (2 << bits) - 1 };
            *lost |= self.lost.word(rank + 64 * word as u64) & mask;
        }
    }

    /// Copies the lost positions of a row to the rows from `first` on, with the two least heaps exchanged.
    #[inline]
    fn mirror(
        &self,
        row: usize,
        first: usize,
        lost_rows: &mut [u64],
        bit_numbers: &mut Vec<usize>,
    ) -> Result<(), GenerateError> {
        if row <= self.planes.least as usize {
            bit_numbers.clear();
            bit_numbers.try_reserve(64 * self.words)?;
            bit_numbers.extend(set_bits(&lost_rows[(row - first) * self.words..][..self.words]));
            for row_index in bit_numbers.iter().filter_map(|least| least.checked_sub(first)) {
                lost_rows[row_index * self.words + row / 64] |= 1 << (row % 64);
            }
        }
        Ok(())
    }

    #[inline]
    fn store_recent(&self, at: usize, lost: &[u64]) {
        self.recent_rows[at..].iter().zip(lost).for_each(|(recent, &lost)| recent.store(lost, Relaxed));
    }

    /// Adds to `won` the positions of a row that are won by a pass, or without any move.
    #[inline]
    fn add_wins_without_takes(&self, plane: &PlaneRows, row: usize, rank: u64, won: &mut [u64]) {
        let greatest = plane.heaps.first().map_or(row, |&heap| heap as usize);
        if greatest < self.amounts.first().copied().unwrap_or(usize::MAX) {
            // No heap has enough stones for a move, so there is no pass either.
            if self.end_is_won {
                won.fill(u64::MAX);
            }
        } else if let Some(passed) = self.passed {
            for (won, rank) in won.iter_mut().zip((rank..).step_by(64)) {
                *won |= passed.word(rank);
            }
        }
    }

    /// Computes the lost positions of a row up to bit `last`, and returns their number. `won` has the positions that
    /// are won without a move in the least heap; this function adds all others.
    #[inline]
    fn solve_row(&self, last: usize, won: &mut [u64], lost: &mut [u64]) -> u64 {
        let mut count = 0;
        for word in 0..=last / 64 {
            loop {
                let bit = word * 64 + won[word].trailing_ones() as usize;
                if bit > last || bit / 64 > word {
                    break;
                }
                lost[word] |= 1 << (bit % 64);
                won[word] |= 1 << (bit % 64);
                count += 1;
                for won_at in self.amounts.iter().map(|amount| bit + amount).take_while(|&at| at <= last) {
                    won[won_at / 64] |= 1 << (won_at % 64);
                }
            }
        }
        count
    }
}

/// Buffers for some rows of a plane, reused for the next ones.
#[derive(Default)]
struct PlaneScratch {
    /// The lost positions of these rows, and of the earlier rows to which moves lead: a row for each size of the last
    /// heap but one, with a bit for each size of the least heap.
    lost_rows: Vec<u64>,
    /// The won positions of a row: at first, those that are won without a move in the least heap.
    won: Vec<u64>,
    /// For each outer heap and amount, the offset in `recent_rows` of the row that this move reaches from row 0.
    read_offsets: Vec<usize>,
    bit_numbers: Vec<usize>,
}

/// Returns the numbers of the bits that are set.
fn set_bits(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(n, &word)| {
        let next = |left: &u64| Some(left & (left - 1)).filter(|&left| left != 0);
        std::iter::successors(Some(word).filter(|&word| word != 0), next)
            .map(move |left| 64 * n + left.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::{Ranks, Take};

    use super::super::plain;
    use super::super::plain::tests::{check_outcomes, games};
    use super::*;
    use crate::heaps::passes::by_passes;

    #[test]
    fn lost_positions_agree_with_the_plain_solver() {
        let takes = [
            Take::UpTo(1),
            Take::UpTo(7),
            Take::exactly(vec![1, 2, 5, 12]),
            Take::exactly(vec![2, 4, 7]),
            Take::exactly(vec![3]),
            Take::exactly(vec![70]),
        ];
        let bounds: [&[Heap]; 7] =
            [&[150], &[9, 100], &[80, 80], &[11, 12, 13], &[2, 70, 75], &[7; 4], &[1, 1, 4, 6]];
        for rules in games(&bounds, &takes) {
            let ranks = Ranks::try_new(rules.bounds()).expect("few positions");
            let planes = Planes::new(&rules).expect("few positions");
            let expected = plain::solve(&rules, &ranks, &()).expect("enough memory");
            let found =
                by_passes(&rules, |passed| solve(&rules, &planes, passed, &())).expect("enough memory");
            for (found, expected) in found.iter().zip(&expected) {
                check_outcomes(&rules, |_, rank| found.is_lost(rank), found.lost_count, expected);
            }
        }
    }
}
