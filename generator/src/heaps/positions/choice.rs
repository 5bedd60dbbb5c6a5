//! The choice of a kernel for the tasks of a game.

use bouton_tables::heaps::{HeapRules, MoveKind};

/// The kernel for the tasks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PositionKernel {
    /// Certain amounts from one heap: row by row (`subtraction_depths`).
    Subtraction,
    /// Any number from several heaps, with few choices of heaps: from the offers of neighbours (`prefix_minima`).
    PrefixMinima,
    /// All other moves: take by take, from one heap after the other (`heap_by_heap`).
    HeapByHeap,
}

impl PositionKernel {
    pub(crate) fn of(rules: &HeapRules) -> Self {
        match rules.move_kind() {
            MoveKind::AnyFromOne | MoveKind::AmountsFromOne(_) => Self::Subtraction,
            _ if takes_any(rules) && has_few_choices(rules) => Self::PrefixMinima,
            _ => Self::HeapByHeap,
        }
    }
}

/// Reports whether a move may take any number of stones from each heap, and from any number of heaps up to a limit.
fn takes_any(rules: &HeapRules) -> bool {
    let greatest = rules.greatest_bound();
    rules.take().count(greatest) == greatest && rules.heap_counts().is_up_to()
}

/// Maximum number of entries in [`Choices::replacement`].
const MAX_LIST_ENTRIES: u64 = 1 << 22;

/// Reports whether there are few choices of heaps. With very many, `PrefixMinima` is no faster than `HeapByHeap`.
fn has_few_choices(rules: &HeapRules) -> bool {
    choices(rules) << (rules.heaps() - 1) <= MAX_LIST_ENTRIES
}

/// Returns the number of sets of heaps with an offer of their own: all sets of as many heaps as a move may take from;
/// with equal takes, all smaller sets too.
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

/// Returns an upper bound on the steps of `HeapByHeap` to compute a position.
pub(crate) fn steps(rules: &HeapRules) -> u128 {
    let first_takes = if rules.equal_take() { choices(rules) } else { rules.heaps() as u64 };
    u128::from(first_takes) * u128::from(rules.take().count(rules.greatest_bound()))
}
