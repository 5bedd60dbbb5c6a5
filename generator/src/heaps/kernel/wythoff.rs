//! Wythoff's game: two heaps; a move takes any number of stones from one of them, or the same number from both.
//!
//! Each position is on three lines: along one heap, along the other, and the diagonal, where both grow together. Moves
//! lead from a position to all positions before it on its lines. So it is enough to keep, for each line, the best
//! position so far to move to: memory in proportion to the sizes, not to the positions. We go row by row; a row has all
//! positions with the same greater heap. Example: from (2,1), moves lead along its lines to (2,0), to (1,1) and (0,1),
//! and to (1,0).
//!
//! A line keeps the greatest *offer* of its positions ([`PositionCode::cell_of_offer`]): among equally good positions, the
//! one with most stones is reached by taking fewest.

use bouton_tables::heaps::{Heap, HeapRules};

use crate::census::Census;
use crate::control::{CancelCheck, Control};
use crate::heaps::classes::pack::LostTarget;
use crate::heaps::frame::numbers::Number;
use crate::heaps::positions::PositionCode;
use crate::heaps::sizes::layers;
use crate::making::GenerateError;
use crate::memory::{filled, room};

/// The lost position of each line of one heap, by passes left and the size of the other heap; and the census.
pub(crate) type LostPositions = (Vec<Vec<LostTarget>>, Census);

/// Returns the number of rows: one for each size of the greater heap.
pub(crate) fn rows(rules: &HeapRules) -> u64 {
    u64::from(rules.greatest_bound()) + 1
}

/// Solves a game; a step of progress is a row. The lost positions have depths and best moves only if the table has
/// `depths`.
pub(crate) fn solve(
    rules: &HeapRules,
    depths: bool,
    control: &dyn Control,
) -> Result<LostPositions, GenerateError> {
    let (mut lost, mut census) = match cell_bytes(rules) {
        ..=4 => solve_in::<i32>(rules, control)?,
        _ => solve_in::<i64>(rules, control)?,
    };
    if !depths {
        lost.iter_mut().flatten().for_each(|target| *target = LostTarget::without_depth(target.size));
        census.deepest = 0;
    }
    Ok((lost, census))
}

/// Returns the bytes for solving.
pub(crate) fn bytes(rules: &HeapRules) -> u128 {
    let layer = size_of::<LostTarget>() + 3 * cell_bytes(rules);
    u128::from(layers(rules)) * u128::from(rows(rules)) * layer as u128
}

/// Returns the bytes of a cell. In a layer, each size is a heap of at most one lost position: a move would lead from one to
/// another. The winner always moves to a lost position, so a game has at most two plies for each, and one before.
fn cell_bytes(rules: &HeapRules) -> usize {
    let max_depth = layers(rules) * (rows(rules) + 1) + 1;
    if max_depth <= PositionCode::<i32>::new(rules).max_depth() { i32::BYTES } else { i64::BYTES }
}

/// Solves a game with cells of type `C`.
fn solve_in<C: Number>(rules: &HeapRules, control: &dyn Control) -> Result<LostPositions, GenerateError> {
    let mut solved = room(layers(rules))?;
    for _ in 0..layers(rules) {
        solved.push(Layer::<C>::new(rules)?);
    }
    let mut cancel_check = CancelCheck::new(control);
    let mut census = Census::default();
    for greater in 0..=rules.greatest_bound() {
        cancel_check.spend(greater as usize + 1)?;
        for passes in 0..solved.len() {
            let (below, own) = solved.split_at_mut(passes);
            let passed = below.last().map(|passed| &passed.row[..]);
            census = census.and(own[0].solve_row(greater, passed));
        }
        control.advance(1);
    }
    Ok((solved.into_iter().map(|layer| layer.lost).collect(), census))
}

/// The positions with the same number of passes left.
struct Layer<C> {
    code: PositionCode<C>,
    /// For each size of a heap, the greatest offer so far with this heap and any other.
    of_heap: Vec<C>,
    /// For each difference of the heaps, the greatest offer so far. The greatest difference comes first, so that the
    /// differences of a row are in the order of its positions.
    of_difference: Vec<C>,
    /// The cells of the current row, by the lesser heap.
    row: Vec<C>,
    /// The lost positions, by the size of a heap.
    lost: Vec<LostTarget>,
}

/// A summary of a row's solved positions.
struct RowSummary<C> {
    /// The greatest offer.
    best: C,
    /// The greatest cell of a won position, whose low bits have no meaning; the least number if there is none.
    deepest_won: C,
    /// The lesser heap of the lost position, and its cell.
    lost: Option<(Heap, C)>,
}

/// Adjacent positions of a row.
struct Strip<'a, C> {
    /// The greater heap.
    greater: Heap,
    /// The lesser heap of the first position.
    first: Heap,
    of_lesser: &'a mut [C],
    of_difference: &'a mut [C],
    cells: &'a mut [C],
    /// The cells after a pass, if a pass is allowed.
    passed: Option<&'a [C]>,
}

/// Number of positions of a strip: enough for vector instructions.
const STRIP: usize = 32;

impl<C: Number> Layer<C> {
    fn new(rules: &HeapRules) -> Result<Self, GenerateError> {
        let (code, sizes) = (PositionCode::new(rules), rows(rules));
        Ok(Self {
            code,
            of_heap: filled(sizes, code.no_move)?,
            of_difference: filled(sizes, code.no_move)?,
            row: filled(u64::from(rules.bounds()[0]) + 1, C::default())?,
            lost: filled(sizes, LostTarget::without_depth(rules.greatest_bound() + 1))?,
        })
    }

    /// Solves the row of a greater heap, and returns its census. `passed` is this row with one pass less.
    fn solve_row(&mut self, greater: Heap, passed: Option<&[C]>) -> Census {
        let code = self.code;
        let lesser_heaps = self.row.len().min(greater as usize + 1);
        let mut row = RowSummary { best: code.no_move, deepest_won: C::MIN, lost: None };
        let greatest_difference = self.of_difference.len() - 1 - greater as usize;
        let of_difference = &mut self.of_difference[greatest_difference..];
        let heaps = self.of_heap[..lesser_heaps].chunks_mut(STRIP);
        let lines = heaps.zip(of_difference.chunks_mut(STRIP)).zip(self.row.chunks_mut(STRIP));
        for (number, ((of_lesser, of_difference), cells)) in lines.enumerate() {
            let first = number * STRIP;
            // Without stones there is no pass.
            let passed = passed.filter(|_| greater > 0).map(|row| &row[first..][..of_lesser.len()]);
            let first = first as Heap;
            let mut strip = Strip { greater, first, of_lesser, of_difference, cells, passed };
            if !strip.solve_if_all_won(code, &mut row) {
                strip.solve_one_by_one(code, &mut row);
            }
        }
        let of_row = &mut self.of_heap[greater as usize];
        *of_row = (*of_row).max(row.best);
        let mut wins = lesser_heaps as u64;
        // There may be no won position.
        let mut deepest = if row.deepest_won == C::MIN { 0 } else { code.read(row.deepest_won).0.depth };
        if let Some((lesser, cell)) = row.lost {
            wins -= 1;
            let solved = code.read(cell).0;
            deepest = deepest.max(solved.depth);
            for [heap, size] in [[greater, lesser], [lesser, greater]] {
                self.lost[heap as usize] =
                    LostTarget { size, deeper: solved.depth, best_take: solved.stones };
            }
        }
        Census { wins, deepest }
    }
}

impl<C: Number> Strip<'_, C> {
    /// Solves all positions, if there are `STRIP` of them and each has a move to a lost position before the strip. Then
    /// the positions do not depend on each other: all are won, and offers of won positions change nothing. Otherwise
    /// does nothing, and returns false.
    #[inline]
    fn solve_if_all_won(&mut self, code: PositionCode<C>, row: &mut RowSummary<C>) -> bool {
        fn array<C>(slice: &mut [C]) -> Option<&mut [C; STRIP]> {
            slice.first_chunk_mut()
        }
        let Some(of_lesser) = array(self.of_lesser) else { return false };
        let (Some(of_difference), Some(cells)) = (array(self.of_difference), array(self.cells)) else {
            return false;
        };
        let stones = |at: usize| C::new(i64::from(self.greater) + i64::from(self.first) + at as i64);
        let mut best: [C; STRIP] =
            std::array::from_fn(|at| row.best.max(of_lesser[at]).max(of_difference[at]));
        if let Some(passed) = self.passed {
            for at in 0..STRIP {
                best[at] = best[at].max(code.candidate(passed[at], stones(at)));
            }
        }
        // Offers of lost positions are at least 0.
        if best.iter().fold(C::MAX, |least, &best| least.min(best)) < C::default() {
            return false;
        }
        let mut greatest = C::MIN;
        for at in 0..STRIP {
            cells[at] = code.won_cell(best[at]);
            let own = cells[at] | stones(at);
            greatest = greatest.max(own);
            of_lesser[at] = of_lesser[at].max(own);
            of_difference[at] = of_difference[at].max(own);
        }
        row.best = row.best.max(greatest);
        row.deepest_won = row.deepest_won.max(greatest);
        true
    }

    fn solve_one_by_one(&mut self, code: PositionCode<C>, row: &mut RowSummary<C>) {
        for at in 0..self.of_lesser.len() {
            let lesser = self.first + at as Heap;
            let (of_lesser, of_difference) = (&mut self.of_lesser[at], &mut self.of_difference[at]);
            let stones = C::new(i64::from(self.greater) + i64::from(lesser));
            let mut best = row.best.max(*of_lesser).max(*of_difference);
            if let Some(passed) = self.passed {
                best = best.max(code.candidate(passed[at], stones));
            }
            let cell = code.cell_of_offer(best, stones);
            self.cells[at] = cell;
            if cell < C::default() {
                row.deepest_won = row.deepest_won.max(cell);
            } else {
                // A line has at most one lost position.
                row.lost = Some((lesser, cell));
            }
            let own = code.candidate(cell, stones);
            for line in [&mut row.best, of_lesser, of_difference] {
                *line = (*line).max(own);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::Play;
    use bouton_tables::heaps::{HeapKeys, Ranks};

    use super::super::plain;
    use super::*;

    /// Checks the lost positions of a layer.
    fn check_layer(rules: &HeapRules, ranks: &Ranks, lost: &[LostTarget], expected: &plain::Layer) {
        for rank in 0..ranks.count() {
            let (heaps, solved) = (ranks.unrank(rank), expected.at(rank));
            let is_lost = solved.is_lost(rules.play());
            for [heap, size] in [[heaps[0], heaps[1]], [heaps[1], heaps[0]]] {
                let found = lost[heap as usize];
                assert_eq!(found.size == size, is_lost, "{heaps:?}, {rules:?}");
                if is_lost {
                    assert_eq!((found.deeper, found.best_take), (solved.depth, solved.stones), "{heaps:?}");
                }
            }
        }
    }

    #[test]
    fn cells_have_32_bits_if_the_depths_surely_fit() {
        let bytes = |bounds: [u32; 2], passes| {
            let keys = HeapKeys {
                bounds: bounds.to_vec(),
                heaps_per_move: 2.into(),
                equal_take: true,
                passes,
                ..Default::default()
            };
            cell_bytes(&keys.rules().unwrap())
        };
        assert_eq!(
            [bytes([20_000, 20_000], 0), bytes([32_763, 32_763], 0), bytes([32_764, 32_764], 0)],
            [4, 4, 8]
        );
        assert_eq!([bytes([16_000, 16_000], 1), bytes([20_000, 20_000], 1)], [4, 8]);
    }

    #[test]
    fn rows_agree_with_the_plain_solver() {
        let plays = [Play::Normal, Play::Misere].into_iter().flat_map(|play| (0..4).map(move |n| (play, n)));
        let bounds = [[1, 1], [1, 9], [7, 7], [6, 40], [25, 30], [40, 40], [70, 100], [99, 99]];
        for (bounds, (play, passes)) in
            bounds.iter().flat_map(|bounds| plays.clone().map(move |how| (bounds, how)))
        {
            let keys = HeapKeys {
                bounds: bounds.to_vec(),
                heaps_per_move: 2.into(),
                equal_take: true,
                play,
                passes,
                ..Default::default()
            };
            let rules = keys.rules().unwrap();
            let ranks = Ranks::try_new(rules.bounds()).unwrap();
            let expected = plain::solve(&rules, &ranks, &()).unwrap();
            let census = expected.iter().fold(Census::default(), |all, layer| all.and(layer.census));
            for solved in [solve_in::<i32>(&rules, &()), solve_in::<i64>(&rules, &())] {
                let (lost, of_all) = solved.unwrap();
                assert_eq!((of_all, lost.len()), (census, expected.len()), "{rules:?}");
                for (lost, expected) in lost.iter().zip(&expected) {
                    check_layer(&rules, &ranks, lost, expected);
                }
            }
        }
    }
}
