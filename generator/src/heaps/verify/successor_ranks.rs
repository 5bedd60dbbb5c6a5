//! Ranks of the positions after each move from one position.
//!
//! Most moves take from one heap, and each takes one stone more than the move before. So among the heaps in descending
//! order, the reduced heap only moves to later places, and the search for its place resumes at the last one. The other
//! heaps' parts of the rank come from prefix sums. Example: from {5,3,1}, the moves in the heap of 5 lead to sizes 4
//! and 3 at place 0, 2 and 1 at place 1, and 0 at place 2.

use bouton_tables::heaps::{Heaps, MAX_HEAPS, Move, Position, Ranks};

/// A position, ready to compute the ranks of its successors.
pub(super) struct SuccessorRanks<'a> {
    ranks: &'a Ranks,
    position: Position,
    /// For each n, the sum of the parts of the rank of the n greatest heaps.
    sums: [u64; MAX_HEAPS + 1],
    /// For each n, the sum of the parts of the n heaps after the greatest, each one place further to the front.
    moved_sums: [u64; MAX_HEAPS],
    /// Place of the heap that the move of the last call reduced.
    row: usize,
    /// Place of that heap once it is reduced.
    place: usize,
}

impl<'a> SuccessorRanks<'a> {
    /// The heaps must be in descending order.
    pub(super) fn new(ranks: &'a Ranks, position: Position) -> Self {
        let (mut sums, mut moved_sums) = ([0; MAX_HEAPS + 1], [0; MAX_HEAPS]);
        for (place, &heap) in position.heaps.iter().enumerate() {
            sums[place + 1] = sums[place] + ranks.part(place, heap);
            if place > 0 {
                moved_sums[place] = moved_sums[place - 1] + ranks.part(place - 1, heap);
            }
        }
        Self { ranks, position, sums, moved_sums, row: 0, place: 0 }
    }

    /// Returns the rank of the position itself.
    pub(super) fn own(&self) -> u64 {
        self.sums[self.position.heaps.len()]
    }

    /// Returns the rank of the position after a move that takes `stones` stones. `next` is that position, with each
    /// heap still in its row.
    #[inline(always)]
    pub(super) fn rank(&mut self, chosen: &Move, stones: u64, next: &Position) -> u64 {
        let takes_all_from = |row: usize| u64::from(chosen.taken_from(row)) == stones;
        if !takes_all_from(self.row) {
            match (0..self.position.heaps.len()).find(|&row| takes_all_from(row)) {
                Some(row) => (self.row, self.place) = (row, row),
                None => return rank(self.ranks, &next.heaps),
            }
        }
        let left = next.heaps[self.row];
        // Reports whether the heap after a place is greater than the reduced heap, which then comes later.
        let greater = |place: usize| self.position.heaps.get(place + 1).is_some_and(|&heap| heap > left);
        if self.place > self.row && !greater(self.place - 1) {
            // The move takes less than the last one: begin again.
            self.place = self.row;
        }
        while greater(self.place) {
            self.place += 1;
        }
        let (row, place) = (self.row, self.place);
        let before = self.sums[row] + (self.moved_sums[place] - self.moved_sums[row]);
        let after = self.own() - self.sums[place + 1];
        before + self.ranks.part(place, left) + after
    }
}

/// Returns the rank of heaps in any order.
#[inline(never)]
fn rank(ranks: &Ranks, heaps: &Heaps) -> u64 {
    ranks.rank(&heaps.descending())
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::{Heap, HeapKeys, Take};

    use super::*;
    use crate::proof::PlainRules;

    #[test]
    fn the_rank_after_each_move_is_right_in_order_and_in_reverse() {
        let games: [(&[Heap], Take, u32, bool); 6] = [
            (&[5, 5, 5, 5], Take::Any, 1, false),
            (&[9], Take::Any, 1, false),
            (&[2, 4, 7], Take::exactly(vec![1, 3]), 1, false),
            (&[4, 4, 4], Take::Any, 2, false),
            (&[3, 4, 6], Take::UpTo(2), 3, false),
            (&[3, 3, 6, 6], Take::Any, 3, true),
        ];
        for (bounds, take, heaps_per_move, equal_take) in games {
            let keys = HeapKeys {
                bounds: bounds.to_vec(),
                take,
                heaps_per_move: heaps_per_move.into(),
                equal_take,
                passes: 1,
                ..Default::default()
            };
            let rules = keys.rules().unwrap();
            let ranks = Ranks::try_new(bounds).unwrap();
            for number in 0..ranks.count() {
                let position = Position { heaps: ranks.unrank(number), passes: 1 };
                let mut successors = SuccessorRanks::new(&ranks, position);
                assert_eq!(successors.own(), number);
                let mut all = Vec::new();
                rules.each_move(&position, |chosen, stones, next| {
                    assert_eq!(successors.rank(chosen, stones, next), rank(&ranks, &next.heaps), "{chosen}");
                    all.push((*chosen, stones, *next));
                });
                // In the reverse order.
                for (chosen, stones, next) in all.iter().rev() {
                    assert_eq!(successors.rank(chosen, *stones, next), rank(&ranks, &next.heaps), "{chosen}");
                }
            }
        }
    }
}
