//! Grundy values of heaps, checked against a table.

use bouton_tables::heaps::theory::grundy_values;
use bouton_tables::heaps::{Heap, HeapRules, Heaps, Position};
use bouton_tables::{Game, Outcome, Play, Solved};
use rayon::prelude::*;

use crate::export::ExportError;

/// Why heaps of a game have no Grundy values by themselves, if they have none.
pub(super) fn obstacle(rules: &HeapRules) -> Option<&'static str> {
    match rules {
        _ if rules.play() == Play::Misere => Some("in misère play"),
        _ if rules.passes() > 0 => Some("with passes"),
        _ if rules.heaps_per_move() > 1 => Some("with several heaps per move"),
        _ => None,
    }
}

/// The greatest heap, and the greatest beside it, which is empty if there is but one heap.
fn greatest_two(rules: &HeapRules) -> (Heap, Heap) {
    (rules.greatest(), rules.bounds().iter().rev().nth(1).copied().unwrap_or(0))
}

/// How many positions have two heaps at the most.
pub(super) fn pairs(rules: &HeapRules) -> u64 {
    let (greatest, second) = greatest_two(rules);
    let [greatest, second] = [greatest, second].map(u64::from);
    // For each lesser heap the greater ones from it on.
    (second + 1) * (greatest + 1) - second * (second + 1) / 2
}

/// The Grundy values of heaps of 0, 1, 2 and so on stones, checked against every position with two heaps at
/// the most: they are lost if and only if their values are the same.
pub(super) fn checked_values<S>(table: &S) -> Result<Vec<u32>, ExportError>
where
    S: Solved<Game = HeapRules> + Sync,
{
    let rules = table.game();
    if let Some(obstacle) = obstacle(rules) {
        return Err(ExportError::NoValues(obstacle));
    }
    let values = grundy_values(rules.take(), rules.greatest());
    let (greatest, second) = greatest_two(rules);
    (0..=second).into_par_iter().try_for_each(|lesser| {
        for greater in lesser..=greatest {
            let mut heaps: Heaps = std::iter::repeat_n(0, rules.heaps()).collect();
            let last = heaps.len() - 1;
            heaps[last] = greater;
            if last > 0 {
                heaps[last - 1] = lesser;
            }
            let position = Position { heaps, passes: 0 };
            let lost = table.verdict(&position)?.outcome == Outcome::Loss;
            if lost != (values[lesser as usize] == values[greater as usize]) {
                return Err(ExportError::Wrong(rules.show_position(&position)));
            }
        }
        Ok(())
    })?;
    Ok(values)
}
