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
use crate::heaps::positions::{PositionCode, cell_bytes};
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
    let layer = size_of::<LostTarget>() + 3 * cell_bytes(rules).max(4);
    u128::from(layers(rules)) * u128::from(rows(rules)) * layer as u128
}

/// Solves a game with cells of type `C`.
fn solve_in<C: Number>(rules: &HeapRules, control: &dyn Control) -> Result<LostPositions, GenerateError> {
    let mut solved = room(layers(rules))?;
    for _ in 0..layers(rules) {
        solved.push(Layer::<C>::new(rules)?);
    }
    let mut cancel_check = CancelCheck::new(control);
    for greater in 0..=rules.greatest_bound() {
        cancel_check.spend(greater as usize + 1)?;
        for passes in 0..solved.len() {
            let (below, own) = solved.split_at_mut(passes);
            let passed = below.last().map(|passed| &passed.row[..]);
            own[0].solve_row(greater, passed);
        }
        control.advance(1);
    }
    let census = solved.iter().fold(Census::default(), |all, layer| all.and(layer.census));
    Ok((solved.into_iter().map(|layer| layer.lost).collect(), census))
}

/// The positions with the same number of passes left.
struct Layer<C> {
    code: PositionCode<C>,
    /// For each size of a heap, the greatest offer so far with this heap and any other.
    of_heap: Vec<C>,
    /// For each difference of the heaps, the greatest offer so far.
    of_difference: Vec<C>,
    /// The cells of the current row, by the lesser heap.
    row: Vec<C>,
    /// The lost positions, by the size of a heap.
    lost: Vec<LostTarget>,
    census: Census,
}

impl<C: Number> Layer<C> {
    fn new(rules: &HeapRules) -> Result<Self, GenerateError> {
        let (code, sizes) = (PositionCode::new(rules), rows(rules));
        Ok(Self {
            code,
            of_heap: filled(sizes, code.no_move)?,
            of_difference: filled(sizes, code.no_move)?,
            row: filled(u64::from(rules.bounds()[0]) + 1, C::default())?,
            lost: filled(sizes, LostTarget::without_depth(rules.greatest_bound() + 1))?,
            census: Census::default(),
        })
    }

    /// Solves the row of a greater heap. `passed` is this row with one pass less.
    fn solve_row(&mut self, greater: Heap, passed: Option<&[C]>) {
        let code = self.code;
        let lesser_heaps = self.row.len().min(greater as usize + 1);
        let (mut of_greater, mut deepest_won, mut lost) = (code.no_move, C::MIN, None);
        let of_lesser = &mut self.of_heap[..lesser_heaps];
        // The difference falls as the lesser heap grows.
        let first_difference = greater as usize + 1 - lesser_heaps;
        let of_difference = self.of_difference[first_difference..=greater as usize].iter_mut().rev();
        let lines = of_lesser.iter_mut().zip(of_difference).zip(&mut self.row);
        for (lesser, ((of_lesser, of_difference), cell)) in (0..).zip(lines) {
            let stones = C::new(i64::from(greater) + lesser);
            let mut best = of_greater.max(*of_lesser).max(*of_difference);
            // Without stones there is no pass.
            if let Some(passed) = passed.filter(|_| greater > 0) {
                best = best.max(code.candidate(passed[lesser as usize], stones));
            }
            *cell = code.cell_of_offer(best, stones);
            if *cell < C::default() {
                deepest_won = deepest_won.max(*cell);
            } else {
                // A line has at most one lost position.
                lost = Some((lesser as Heap, *cell));
            }
            let own = code.candidate(*cell, stones);
            for line in [&mut of_greater, of_lesser, of_difference] {
                *line = (*line).max(own);
            }
        }
        let of_row = &mut self.of_heap[greater as usize];
        *of_row = (*of_row).max(of_greater);
        let mut wins = lesser_heaps as u64;
        // There may be no won position.
        let mut deepest = if deepest_won == C::MIN { 0 } else { code.read(deepest_won).0.depth };
        if let Some((lesser, cell)) = lost {
            wins -= 1;
            let solved = code.read(cell).0;
            deepest = deepest.max(solved.depth);
            for [heap, size] in [[greater, lesser], [lesser, greater]] {
                self.lost[heap as usize] =
                    LostTarget { size, deeper: solved.depth, best_take: solved.stones };
            }
        }
        self.census = self.census.and(Census { wins, deepest });
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
    fn rows_agree_with_the_plain_solver() {
        let plays = [Play::Normal, Play::Misere].into_iter().flat_map(|play| (0..4).map(move |n| (play, n)));
        let bounds = [[1, 1], [1, 9], [7, 7], [6, 40], [25, 30], [40, 40]];
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
