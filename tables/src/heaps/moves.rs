//! The iterator over the legal moves of a position.

use super::position::{Heap, MAX_HEAPS, Move, Position};
use super::rules::HeapRules;
use crate::Game;

/// The legal moves of a position, in the natural order, with a pass last. The iterator is lazy, since memory might not
/// hold all moves from several heaps.
///
/// The next takes are found as the next word in a dictionary: they have one take more or, if none can follow, a greater
/// or later last take. The iterator skips takes from a number of heaps that the rules do not allow. With heaps 1,2:
/// `1:1`, `1:1+2:1`, `1:1+2:2`, `2:1`, `2:2`.
#[derive(Clone, Debug)]
pub struct Moves<'a> {
    rules: &'a HeapRules,
    position: Position,
    /// The takes of the previous move, in the order of their rows.
    takes: [(usize, Heap); MAX_HEAPS],
    /// Number of these takes.
    len: usize,
    /// True after the last move that takes stones.
    is_done: bool,
}

impl<'a> Moves<'a> {
    pub(super) fn new(rules: &'a HeapRules, position: &Position) -> Self {
        Self { rules, position: *position, takes: [(0, 0); MAX_HEAPS], len: 0, is_done: false }
    }

    /// Returns the least legal take from the first row, starting at `row`, that allows one. With equal takes, the first
    /// take determines all others.
    fn first_take(&self, row: usize) -> Option<(usize, Heap)> {
        let rows = self.position.heaps.iter().enumerate().skip(row);
        let take = |heap| match self.takes[..self.len].first() {
            Some(&(_, take)) if self.rules.equal_take() => (take <= heap).then_some(take),
            _ => self.rules.take().next(0, heap),
        };
        rows.filter_map(|(row, &heap)| Some((row, take(heap)?))).next()
    }

    /// Advances to the next takes in dictionary order, from at most `heaps_per_move` heaps. These takes need not be a
    /// legal move, nor the beginning of one. Returns false after the last takes.
    fn advance(&mut self) -> bool {
        // First try to take from a further heap.
        let next_row = self.takes[..self.len].last().map_or(0, |&(row, _)| row + 1);
        if self.len < self.rules.heaps_per_move()
            && let Some(next) = self.first_take(next_row)
        {
            self.takes[self.len] = next;
            self.len += 1;
            return true;
        }
        // Otherwise take more from the last heap, or replace it by a later one.
        while let Some(&(row, take)) = self.takes[..self.len].last() {
            self.len -= 1;
            let more = if self.rules.equal_take() && self.len > 0 {
                None
            } else {
                self.rules.take().next(take, self.position.heaps[row])
            };
            if let Some(next) = more.map(|take| (row, take)).or_else(|| self.first_take(row + 1)) {
                self.takes[self.len] = next;
                self.len += 1;
                return true;
            }
        }
        false
    }
}

impl Iterator for Moves<'_> {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        if self.is_done {
            return None;
        }
        while self.advance() {
            if self.rules.heap_counts().allows(self.len) {
                let mut chosen = Move::PASS;
                self.takes[..self.len].iter().for_each(|&(row, take)| chosen.set(row, take));
                return Some(chosen);
            }
        }
        self.is_done = true;
        self.rules.is_legal(&self.position, Move::PASS).then_some(Move::PASS)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HeapCounts, HeapKeys, Take};
    use super::*;

    fn moves(heaps: &[Heap], take: Take, heaps_per_move: u32, equal_take: bool, passes: u8) -> String {
        let keys = HeapKeys {
            bounds: vec![9; heaps.len()],
            take,
            heaps_per_move: heaps_per_move.into(),
            ..Default::default()
        };
        let rules = HeapKeys { equal_take, passes: passes.into(), ..keys }.rules().unwrap();
        let position = Position { heaps: heaps.iter().copied().collect(), passes };
        let moves: Vec<Move> = rules.moves(&position).collect();
        assert!(moves.is_sorted_by(|a, b| a < b), "{moves:?}");
        assert!(moves.iter().all(|&chosen| rules.is_legal(&position, chosen)), "{moves:?}");
        moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn moves_come_by_row_then_by_take_and_a_pass_last() {
        let listed = Take::exactly(vec![1, 3]);
        assert_eq!(moves(&[2, 0, 1], Take::Any, 1, false, 0), "1:1 1:2 3:1");
        assert_eq!(moves(&[1, 2], Take::Any, 2, false, 0), "1:1 1:1+2:1 1:1+2:2 2:1 2:2");
        assert_eq!(moves(&[2, 0, 2], Take::Any, 2, true, 0), "1:1 1:1+3:1 1:2 1:2+3:2 3:1 3:2");
        assert_eq!(moves(&[4, 2], listed, 1, false, 1), "1:1 1:3 2:1 pass");
        assert_eq!(
            moves(&[1, 1, 1], Take::UpTo(5), 3, false, 0),
            "1:1 1:1+2:1 1:1+2:1+3:1 1:1+3:1 2:1 2:1+3:1 3:1"
        );
        assert_eq!(moves(&[1, 1], Take::exactly(vec![2]), 1, false, 2), "");
        assert_eq!(moves(&[1, 2], Take::exactly(vec![2]), 1, false, 2), "2:2 pass");
        assert_eq!(moves(&[0, 0], Take::Any, 2, false, 2), "");
    }

    #[test]
    fn moves_take_from_the_listed_numbers_of_heaps() {
        let moves = |heaps: &[Heap], take: Take, counts: &[u32], equal_take, passes| {
            let heaps_per_move = HeapCounts::exactly(counts).unwrap();
            let keys = HeapKeys { bounds: vec![9; heaps.len()], take, heaps_per_move, ..Default::default() };
            let rules = HeapKeys { equal_take, passes, ..keys }.rules().unwrap();
            let heaps = heaps.iter().copied().collect();
            let position = Position { heaps, passes: passes as u8 };
            let moves: Vec<String> = rules.moves(&position).map(|chosen| chosen.to_string()).collect();
            moves.join(" ")
        };
        assert_eq!(moves(&[2, 0, 1], Take::Any, &[2], false, 0), "1:1+3:1 1:2+3:1");
        assert_eq!(moves(&[2, 0, 2], Take::Any, &[2], true, 0), "1:1+3:1 1:2+3:2");
        assert_eq!(moves(&[1, 1, 1], Take::UpTo(1), &[1, 3], false, 1), "1:1 1:1+2:1+3:1 2:1 3:1 pass");
        // No move takes from a single heap, so there is none to replace by a pass.
        assert_eq!(moves(&[5, 0, 0], Take::Any, &[2, 3], false, 1), "");
    }
}
