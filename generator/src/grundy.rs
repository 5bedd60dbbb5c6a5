//! Grundy values of heaps, checked against a table.

use bouton_tables::heaps::theory::grundy_values;
use bouton_tables::heaps::{Heap, HeapRules, HeapTable, Heaps, Position};
use bouton_tables::{AskError, Outcome, Play, Solved};
use rayon::prelude::*;
use thiserror::Error;

/// The Grundy values of single heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grundy {
    /// Of heaps of 0, 1, 2 and so on stones, up to the table's greatest.
    pub values: Vec<u32>,
    /// How many pairs of heaps were looked up to check them: two heaps are lost together if and only if their
    /// values are the same. A table of one heap has the pairs with an empty one.
    pub checked: u64,
}

/// Why there are no Grundy values.
#[derive(Debug, Error)]
pub enum GrundyError {
    /// Not of such a game.
    #[error(
        "heaps have Grundy values in normal play, without passes, and with one heap a move; this is a game {0}"
    )]
    NoValues(&'static str),
    /// The table does not hold what the values say.
    #[error("the table is wrong at {0}: Grundy values say otherwise; `bouton verify` tells more")]
    Wrong(String),
    /// The table is damaged.
    #[error(transparent)]
    Damaged(#[from] AskError),
}

/// Why heaps of a game have no Grundy values by themselves, if they have none.
pub(crate) fn obstacle(rules: &HeapRules) -> Option<&'static str> {
    match rules {
        _ if rules.play() == Play::Misere => Some("in misère play"),
        _ if rules.passes() > 0 => Some("with passes"),
        _ if rules.heaps_per_move() > 1 => Some("with several heaps a move"),
        _ => None,
    }
}

/// The Grundy values of the heaps of a table, checked against every position of it with at most two heaps.
///
/// # Errors
/// If the game has none, or the table does not hold what they say.
pub fn grundy<D: AsRef<[u8]> + Sync>(table: &HeapTable<D>) -> Result<Grundy, GrundyError> {
    let rules = table.game();
    if let Some(obstacle) = obstacle(rules) {
        return Err(GrundyError::NoValues(obstacle));
    }
    let values = grundy_values(rules.take(), rules.greatest());
    // The greatest heap, and the second greatest, if there is one.
    let second = rules.bounds().iter().rev().nth(1).copied().unwrap_or(0);
    let check = |least: Heap| -> Result<u64, GrundyError> {
        for greatest in least..=rules.greatest() {
            let mut heaps: Heaps = std::iter::repeat_n(0, rules.heaps()).collect();
            let last = heaps.len() - 1;
            heaps[last] = greatest;
            if last > 0 {
                heaps[last - 1] = least;
            }
            let lost = table.verdict(&Position { heaps, passes: 0 })?.outcome == Outcome::Loss;
            if lost != (values[least as usize] == values[greatest as usize]) {
                return Err(GrundyError::Wrong(format!("{least},{greatest}")));
            }
        }
        Ok(u64::from(rules.greatest() - least) + 1)
    };
    let checked = (0..=second).into_par_iter().map(check).try_reduce(|| 0, |a, b| Ok(a + b))?;
    Ok(Grundy { values, checked })
}
