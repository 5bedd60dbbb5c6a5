//! The moves of a position on a line.

use std::ops::Range;

use super::stone_set::StoneSet;
use crate::families::Line;

/// A move: the stones it takes, and 1 if it imposes a reset, else 0. The order is the natural one.
pub(super) type Step = (u32, usize);

/// A position: its line and its stones.
pub(super) type Place = (usize, u32);

/// The moves of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moves<'a> {
    pub(super) line: &'a Line,
    stones: u32,
}

impl<'a> Moves<'a> {
    pub(super) fn new(line: &'a Line, stones: u32) -> Self {
        Self { line, stones }
    }

    /// The most stones that a move takes.
    fn most(&self) -> u32 {
        self.line.limit.min(self.stones)
    }

    /// How many moves there are.
    pub(super) fn count(&self) -> u32 {
        self.most() * self.line.next.iter().flatten().count() as u32
    }

    /// The stones of the positions on the next lines to which moves lead.
    pub(super) fn window(&self) -> Range<u32> {
        self.stones - self.most().min(self.line.stay)..self.stones
    }

    /// The moves that lead beyond the next lines, in the natural order.
    pub(super) fn raising(&self) -> impl DoubleEndedIterator<Item = Step> + 'a {
        self.taking(self.line.stay + 1..self.most() + 1)
    }

    fn taking(&self, takes: Range<u32>) -> impl DoubleEndedIterator<Item = Step> + 'a {
        let resets = if self.line.next[1].is_some() { 0..2 } else { 0..1 };
        takes.flat_map(move |take| resets.clone().map(move |reset| (take, reset)))
    }

    /// The position after a move.
    pub(super) fn after(&self, (take, reset): Step) -> Place {
        let next = self.line.next[reset].expect("the move is legal");
        (next + self.line.rise * take.saturating_sub(self.line.stay) as usize, self.stones - take)
    }

    /// Whether a move leads to a lost position. `lost` has the lost positions of each line.
    pub(super) fn wins(&self, lost: &[StoneSet], step: Step) -> bool {
        let (line, stones) = self.after(step);
        lost[line].contains(stones)
    }

    /// All winning moves, in the natural order. Looks at every move.
    pub(super) fn winning(&self, lost: &'a [StoneSet]) -> impl Iterator<Item = Step> {
        self.taking(1..self.most() + 1).filter(move |&step| self.wins(lost, step))
    }

    /// The first winning move.
    pub(super) fn first_winning(&self, lost: &[StoneSet]) -> Option<Step> {
        let window = self.window();
        let on = |reset: usize| Some((self.stones - lost[self.line.next[reset]?].last(&window)?, reset));
        let first = [on(0), on(1)].into_iter().flatten().min();
        first.or_else(|| self.raising().find(|&step| self.wins(lost, step)))
    }

    /// The last winning move.
    pub(super) fn last_winning(&self, lost: &[StoneSet]) -> Option<Step> {
        let window = self.window();
        let on = |reset: usize| Some((self.stones - lost[self.line.next[reset]?].first(&window)?, reset));
        let last = self.raising().rfind(|&step| self.wins(lost, step));
        last.or_else(|| [on(0), on(1)].into_iter().flatten().max())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of ten positions. Moves from the first lead to the second and, with a reset, to the third; those that take more
    /// than `stay`, to the fourth and further.
    fn line(limit: u32, stay: u32, reset: bool) -> Line {
        Line { length: 10, limit, stay, next: [Some(1), reset.then_some(2)], rise: 2, believed: 0 }
    }

    #[test]
    fn moves_lead_to_the_next_lines_and_beyond() {
        let line = line(5, 3, true);
        let moves = Moves::new(&line, 9);
        assert_eq!((moves.count(), moves.window()), (10, 6..9));
        assert!(moves.raising().eq([(4, 0), (4, 1), (5, 0), (5, 1)]));
        assert_eq!(
            [(3, 0), (3, 1), (4, 0), (5, 1)].map(|step| moves.after(step)),
            [(1, 6), (2, 6), (3, 5), (6, 4)]
        );
        let few = Moves::new(&line, 2);
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
                let moves = Moves::new(&line, 6);
                let all: Vec<Step> = moves.winning(&lost).collect();
                assert!(all.is_sorted(), "{all:?}");
                assert_eq!(moves.first_winning(&lost), all.first().copied(), "{bits:b}");
                assert_eq!(moves.last_winning(&lost), all.last().copied(), "{bits:b}");
            }
        }
    }
}
