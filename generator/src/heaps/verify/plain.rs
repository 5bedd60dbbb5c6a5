//! The rules of heap games, stated a second time for the proof.

use bouton_tables::Play;
use bouton_tables::heaps::{Heap, HeapRules, Move, Position, Take};

use crate::proof::PlainRules;

/// A partial move: the amounts chosen so far, and the heaps they leave.
struct PartialMove {
    chosen: Move,
    /// Stones taken so far.
    stones: u64,
    /// Position after the move so far.
    left: Position,
    /// Number of heaps taken from.
    heaps: usize,
}

impl PartialMove {
    /// Visits all moves that extend this one by taking from rows from `first` on. The order is lexicographic by row and
    /// amount, each move before its extensions.
    fn each_further(
        &mut self,
        rules: &HeapRules,
        first: usize,
        visit: &mut impl FnMut(&Move, u64, &Position),
    ) {
        for row in first..self.left.heaps.len() {
            let (heap, stones, heaps) = (self.left.heaps[row], self.stones, self.heaps);
            // Amounts, or with a list, indices into it.
            let (amounts, list) = match rules.take() {
                _ if rules.equal_take() && heaps > 0 => {
                    let same = (stones / heaps as u64) as Heap;
                    (same..same + 1, None)
                }
                Take::Any => (1..heap + 1, None),
                Take::UpTo(most) => (1..heap.min(*most) + 1, None),
                Take::Exactly(amounts) => (0..amounts.len() as Heap, Some(amounts)),
            };
            for amount in amounts {
                let take = list.map_or(amount, |list| list[amount as usize]);
                if take > heap {
                    // Amounts ascend.
                    break;
                }
                self.chosen.set(row, take);
                self.stones = stones + u64::from(take);
                self.left.heaps[row] = heap - take;
                if rules.heap_counts().allows(heaps + 1) {
                    visit(&self.chosen, self.stones, &self.left);
                }
                if heaps + 1 < rules.heaps_per_move() {
                    self.heaps = heaps + 1;
                    self.each_further(rules, row + 1, visit);
                }
            }
            // Restore the position for the next row.
            self.chosen.set(row, 0);
            self.left.heaps[row] = heap;
            (self.stones, self.heaps) = (stones, heaps);
        }
    }
}

impl PlainRules for HeapRules {
    #[inline]
    fn each_move(&self, position: &Position, mut visit: impl FnMut(&Move, u64, &Position)) {
        let mut partial = PartialMove { chosen: Move::PASS, stones: 0, left: *position, heaps: 0 };
        let mut can_take = false;
        partial.each_further(self, 0, &mut |chosen, stones, left| {
            can_take = true;
            visit(chosen, stones, left);
        });
        // A pass needs a move that it replaces.
        if position.passes > 0 && can_take {
            visit(&Move::PASS, 0, &Position { passes: position.passes - 1, ..*position });
        }
    }

    fn play(&self) -> Play {
        HeapRules::play(self)
    }
}
