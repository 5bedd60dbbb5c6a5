//! The moves of a position on a line.

use std::ops::Range;

use super::stone_set::StoneSet;
use crate::families::PositionLine;

/// A move: the stones taken, and 1 with a reset, else 0. Tuples sort in the natural order of moves.
pub(super) type LineMove = (u32, usize);

/// A position: line and stones.
pub(super) type LinePosition = (usize, u32);

/// The moves of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineMoves<'a> {
    pub(super) line: &'a PositionLine,
    stones: u32,
}

impl<'a> LineMoves<'a> {
    pub(super) fn new(line: &'a PositionLine, stones: u32) -> Self {
        Self { line, stones }
    }

    fn most(&self) -> u32 {
        self.line.limit.min(self.stones)
    }

    pub(super) fn count(&self) -> u32 {
        self.most() * self.line.next.iter().flatten().count() as u32
    }

    /// Returns the window: the stones of the positions on the next lines to which moves lead.
    pub(super) fn window(&self) -> Range<u32> {
        self.stones - self.most().min(self.line.stay)..self.stones
    }

    /// Returns the moves that take more than `stay` and so lead beyond the next lines, in natural order.
    pub(super) fn raising(&self) -> impl DoubleEndedIterator<Item = LineMove> + 'a {
        self.taking(self.line.stay + 1..self.most() + 1)
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
    pub(super) fn wins(&self, lost: &[StoneSet], step: LineMove) -> bool {
        let (line, stones) = self.after(step);
        lost[line].contains(stones)
    }

    /// Returns all winning moves in natural order, after a look at every move.
    pub(super) fn winning(&self, lost: &'a [StoneSet]) -> impl Iterator<Item = LineMove> {
        self.taking(1..self.most() + 1).filter(move |&step| self.wins(lost, step))
    }

    pub(super) fn first_winning(&self, lost: &[StoneSet]) -> Option<LineMove> {
        let window = self.window();
        let on = |reset: usize| Some((self.stones - lost[self.line.next[reset]?].last(&window)?, reset));
        let first = [on(0), on(1)].into_iter().flatten().min();
        first.or_else(|| self.raising().find(|&step| self.wins(lost, step)))
    }

    pub(super) fn last_winning(&self, lost: &[StoneSet]) -> Option<LineMove> {
        let window = self.window();
        let on = |reset: usize| Some((self.stones - lost[self.line.next[reset]?].first(&window)?, reset));
        let last = self.raising().rfind(|&step| self.wins(lost, step));
        last.or_else(|| [on(0), on(1)].into_iter().flatten().max())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a line of ten positions. Moves lead from it to line 1 and, with a reset, to line 2; moves that take more than `stay`
    /// stones lead `rise` lines further each.
    fn line(limit: u32, stay: u32, reset: bool) -> PositionLine {
        PositionLine { length: 10, limit, stay, next: [Some(1), reset.then_some(2)], rise: 2, believed: 0 }
    }

    #[test]
    fn moves_lead_to_the_next_lines_and_beyond() {
        let line = line(5, 3, true);
        let moves = LineMoves::new(&line, 9);
        assert_eq!((moves.count(), moves.window()), (10, 6..9));
        assert!(moves.raising().eq([(4, 0), (4, 1), (5, 0), (5, 1)]));
        assert_eq!(
            [(3, 0), (3, 1), (4, 0), (5, 1)].map(|step| moves.after(step)),
            [(1, 6), (2, 6), (3, 5), (6, 4)]
        );
        let few = LineMoves::new(&line, 2);
        assert_eq!((few.count(), few.window(), few.raising().count()), (4, 0..2, 0));
    }

    #[test]
    fn the_first_and_the_last_winning_move_are_those_of_the_list() {
        for (limit, stay, reset) in [(5, 3, true), (5, 3, false), (2, 4, true), (4, 0, true), (4, 4, false)] {
            let line = line(limit, stay, reset);
            for bits in 0..4096_u64 {
                // Some lost positions on every line.
                let lost: Vec<StoneSet> =
                    (0..13).map(|number| StoneSet::new(vec![bits.rotate_left(5 * number) & 0x3FF])).collect();
                let moves = LineMoves::new(&line, 6);
                let all: Vec<LineMove> = moves.winning(&lost).collect();
                assert!(all.is_sorted(), "{all:?}");
                assert_eq!(moves.first_winning(&lost), all.first().copied(), "{bits:b}");
                assert_eq!(moves.last_winning(&lost), all.last().copied(), "{bits:b}");
            }
        }
    }
}
