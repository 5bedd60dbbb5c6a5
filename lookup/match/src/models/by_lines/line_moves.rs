//! The moves of a position on a line, see [`PositionLine`].
//!
//! Nearly all moves lead to the *window*: the next smaller numbers of stones on the lines `next`. So the winning move
//! that takes the fewest stones leads to the lost position of the window with the most stones, which a bit set finds
//! without a look at each move. Only the few moves beyond the window are tried one by one.

use std::ops::Range;

use super::stone_set::StoneSet;
use crate::families::PositionLine;

/// A move: the stones taken, and the index into [`PositionLine::next`] (1 with a reset). Tuples sort in natural order.
pub(super) type LineMove = (u32, usize);

/// A position: line and stones.
pub(super) type LinePosition = (usize, u32);

/// The moves of one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineMoves<'a> {
    pub(super) line: &'a PositionLine,
    pub(super) stones: u32,
}

impl<'a> LineMoves<'a> {
    /// Returns the greatest number of stones that a move takes.
    fn max_take(&self) -> u32 {
        self.line.limit.min(self.stones)
    }

    pub(super) fn count(&self) -> u32 {
        self.max_take() * self.line.next.iter().flatten().count() as u32
    }

    /// Returns the window: the numbers of stones on the lines `next` after taking 1 to `stay`.
    pub(super) fn window(&self) -> Range<u32> {
        self.stones - self.max_take().min(self.line.stay)..self.stones
    }

    /// Returns the moves that take more than `stay` and so lead beyond the lines `next`, in natural order.
    pub(super) fn beyond_window(&self) -> impl DoubleEndedIterator<Item = LineMove> + 'a {
        self.taking(self.line.stay + 1..self.max_take() + 1)
    }

    fn taking(&self, takes: Range<u32>) -> impl DoubleEndedIterator<Item = LineMove> + 'a {
        let resets = if self.line.next[1].is_some() { 0..2 } else { 0..1 };
        takes.flat_map(move |take| resets.clone().map(move |reset| (take, reset)))
    }

    pub(super) fn after(&self, (take, reset): LineMove) -> LinePosition {
        let next = self.line.next[reset].expect("the move is legal");
        (next + self.line.rise * take.saturating_sub(self.line.stay) as usize, self.stones - take)
    }

    /// Returns true if a move leads to a lost position. `lost` holds the lost positions of each line.
    pub(super) fn wins(&self, lost: &[StoneSet], chosen: LineMove) -> bool {
        let (line, stones) = self.after(chosen);
        lost[line].contains(stones)
    }

    /// Returns all winning moves in natural order. Tests every move; [`Self::first_winning`] is faster.
    pub(super) fn winning(&self, lost: &'a [StoneSet]) -> impl Iterator<Item = LineMove> {
        self.taking(1..self.max_take() + 1).filter(move |&chosen| self.wins(lost, chosen))
    }

    /// Returns the winning move that takes the fewest stones, without a reset if possible.
    pub(super) fn first_winning(&self, lost: &[StoneSet]) -> Option<LineMove> {
        let first = self.in_windows(lost, StoneSet::last_in).min();
        first.or_else(|| self.beyond_window().find(|&chosen| self.wins(lost, chosen)))
    }

    /// Returns the winning move that takes the most stones, with a reset if possible.
    pub(super) fn last_winning(&self, lost: &[StoneSet]) -> Option<LineMove> {
        let last = self.beyond_window().rfind(|&chosen| self.wins(lost, chosen));
        last.or_else(|| self.in_windows(lost, StoneSet::first_in).max())
    }

    /// Returns, for each line `next`, the move to the lost position that `find` selects in the window.
    fn in_windows(
        &self,
        lost: &[StoneSet],
        find: impl Fn(&StoneSet, &Range<u32>) -> Option<u32>,
    ) -> impl Iterator<Item = LineMove> {
        self.line.next.iter().zip(0..).filter_map(move |(next, reset)| {
            Some((self.stones - find(&lost[(*next)?], &self.window())?, reset))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a line of ten positions. Moves lead from it to line 1 and, with a reset, to line 2. Each stone that a
    /// move takes beyond `stay` leads `rise` lines further.
    fn line(limit: u32, stay: u32, reset: bool) -> PositionLine {
        PositionLine {
            first: 0,
            length: 10,
            limit,
            stay,
            next: [Some(1), reset.then_some(2)],
            rise: 2,
            misread: 0,
        }
    }

    #[test]
    fn moves_lead_to_the_next_lines_and_beyond() {
        let line = line(5, 3, true);
        let moves = LineMoves { line: &line, stones: 9 };
        assert_eq!((moves.count(), moves.window()), (10, 6..9));
        assert!(moves.beyond_window().eq([(4, 0), (4, 1), (5, 0), (5, 1)]));
        assert_eq!(
            [(3, 0), (3, 1), (4, 0), (5, 1)].map(|chosen| moves.after(chosen)),
            [(1, 6), (2, 6), (3, 5), (6, 4)]
        );
        let few = LineMoves { line: &line, stones: 2 };
        assert_eq!((few.count(), few.window(), few.beyond_window().count()), (4, 0..2, 0));
    }

    #[test]
    fn the_first_and_the_last_winning_move_agree_with_the_list_of_all() {
        for (limit, stay, reset) in [(5, 3, true), (5, 3, false), (2, 4, true), (4, 0, true), (4, 4, false)] {
            let line = line(limit, stay, reset);
            for bits in 0..4096_u64 {
                // Some lost positions on every line.
                let lost: Vec<StoneSet> =
                    (0..13).map(|number| StoneSet(vec![bits.rotate_left(5 * number) & 0x3FF])).collect();
                let moves = LineMoves { line: &line, stones: 6 };
                let all: Vec<LineMove> = moves.winning(&lost).collect();
                assert!(all.is_sorted(), "{all:?}");
                assert_eq!(moves.first_winning(&lost), all.first().copied(), "{bits:b}");
                assert_eq!(moves.last_winning(&lost), all.last().copied(), "{bits:b}");
            }
        }
    }
}
