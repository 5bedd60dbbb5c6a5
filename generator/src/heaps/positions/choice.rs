//! The choice of a kernel for the tasks of a game.

use bouton_tables::heaps::{HeapRules, MoveKind};

/// The kernel for the tasks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PositionKernel {
    /// Certain amounts from one heap: row by row (`subtraction_depths`).
    Subtraction,
    /// Any number from several heaps, with few choices of heaps: from the offers of neighbours (`prefix_minima`).
    PrefixMinima,
    /// All other moves: move by move (`plain`).
    MoveByMove,
}

impl PositionKernel {
    pub(crate) fn of(rules: &HeapRules) -> Self {
        match rules.move_kind() {
            MoveKind::AnyFromOne | MoveKind::AmountsFromOne(_) => Self::Subtraction,
            MoveKind::AnyFromSeveral(_) | MoveKind::SameFromSeveral(_) if has_few_choices(rules) => {
                Self::PrefixMinima
            }
            _ => Self::MoveByMove,
        }
    }
}

/// Maximum number of entries in [`Choices::replacement`].
const MAX_LIST_ENTRIES: u64 = 1 << 22;

/// Reports whether there are few choices of heaps. With very many, `PrefixMinima` is no faster than trying each move.
fn has_few_choices(rules: &HeapRules) -> bool {
    choices(rules) << (rules.heaps() - 1) <= MAX_LIST_ENTRIES
}

/// Returns the number of choices of the heaps in a move: as many heaps as a move may take from, or with equal takes
/// that many or fewer.
pub(crate) fn choices(rules: &HeapRules) -> u64 {
    let (heaps, chosen, equal) = (rules.heaps(), rules.heaps_per_move(), rules.equal_take());
    let mut with_size = 1;
    let mut sum = 0;
    for size in 1..=chosen {
        with_size = with_size * (heaps - size + 1) as u64 / size as u64;
        sum = if equal { sum + with_size } else { with_size };
    }
    sum
}
