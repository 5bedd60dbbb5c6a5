//! Finding the winning moves of a position, line by line.

use super::diagram::Diagram;
use super::ordered::Ordered;
use super::position::{Heap, MAX_HEAPS, Move, Position};
use super::rules::HeapRules;
use super::steps::{LineLosses, Lost, Steps};
use super::take::Take;
use super::winning::Winning;
use crate::format::Fault;
use crate::{Game, MoveSet};

/// A move from several heaps that is begun.
struct Begun {
    /// What is left of the position, and the same in order.
    left: Position,
    ordered: Ordered,
    /// What was taken so far.
    chosen: Move,
    /// From so many heaps.
    heaps: usize,
    /// Rows from this one on may still be taken from.
    next_row: usize,
}

impl Begun {
    /// The move with a further take.
    fn with(&self, row: usize, take: Heap) -> Self {
        let (mut left, mut chosen) = (self.left, self.chosen);
        left.heaps[row] -= take;
        chosen.set(row, take);
        let ordered = self.ordered.with_less(row, left.heaps[row]);
        Self { left, ordered, chosen, heaps: self.heaps + 1, next_row: row + 1 }
    }
}

/// The winning moves found so far, and the best of them: the one that leads to the least depth, then takes
/// the fewest stones, then comes first. Without depths, the first.
pub(super) struct Wins {
    depths: bool,
    pub(super) moves: Winning,
    /// Depth that the best leads to, stones that it takes, and its number among the moves.
    pub(super) best: Option<(u32, u64, usize)>,
}

impl Wins {
    pub(super) fn new(depths: bool) -> Self {
        Self { depths, moves: Winning::default(), best: None }
    }

    /// Adds a move that comes after those that are there, and leads to a lost position.
    fn add(&mut self, chosen: Move, lost: Lost) {
        self.consider(chosen.stones(), lost);
        self.moves.push(chosen);
    }

    /// The same of a move from one heap, where all so far are such.
    #[inline]
    fn add_one(&mut self, row: usize, take: Heap, lost: Lost) {
        self.consider(take.into(), lost);
        self.moves.push_one(row, take);
    }

    #[inline]
    fn consider(&mut self, stones: u64, lost: Lost) {
        let better = |(depth, fewest)| self.depths && (lost.depth, stones) < (depth, fewest);
        if self.best.is_none_or(|(depth, fewest, _)| better((depth, fewest))) {
            self.best = Some((lost.depth, stones, self.moves.len()));
        }
    }
}

/// What winning moves are found with.
pub(super) struct Search<'a, S> {
    pub(super) rules: &'a HeapRules,
    pub(super) diagram: &'a Diagram,
    pub(super) steps: &'a S,
}

impl<S: Steps> Search<'_, S> {
    /// The winning moves, and what is known of the position itself if it is lost.
    #[inline]
    pub(super) fn wins(
        &self,
        position: &Position,
        ordered: &Ordered,
        wins: &mut Wins,
    ) -> Result<Option<Lost>, Fault> {
        let passes = position.passes;
        let lost = if self.rules.heaps_per_move() > 1 {
            let begun =
                Begun { left: *position, ordered: *ordered, chosen: Move::PASS, heaps: 0, next_row: 0 };
            self.wins_of_several(&begun, wins)?;
            self.diagram.lost(self.steps, passes, &ordered.heaps)?
        } else {
            // All lines first: what they tell is hard to foresee for the processor, and would keep it from
            // following several of them at once.
            let mut lines = [LineLosses::default(); MAX_HEAPS];
            self.lines_by_row(passes, ordered, 0, &mut lines)?;
            for (row, (line, &heap)) in lines.iter().zip(position.heaps.iter()).enumerate() {
                self.wins_on_line(passes, ordered, line, heap, |take, lost| {
                    wins.add_one(row, take, lost);
                })?;
            }
            // Any line tells of the position itself. The last one does as `lost` would.
            let last = ordered.heaps.len() - 1;
            let line = &lines[usize::from(ordered.rows[last])];
            self.diagram.at(self.steps, passes, &ordered.heaps, line, ordered.heaps[last])?
        };
        if passes > 0
            && self.rules.is_legal(position, Move::PASS)
            && let Some(lost) = self.diagram.lost(self.steps, passes - 1, &ordered.heaps)?
        {
            wins.add(Move::PASS, lost);
        }
        Ok(lost)
    }

    /// The lines of heaps, by row. Those before a row are not asked for.
    #[inline]
    fn lines_by_row(
        &self,
        passes: u8,
        ordered: &Ordered,
        from_row: usize,
        lines: &mut [LineLosses; MAX_HEAPS],
    ) -> Result<(), Fault> {
        let wanted = |place: usize| usize::from(ordered.rows[place]) >= from_row;
        self.diagram.lines(self.steps, passes, &ordered.heaps, wanted, |place, line| {
            lines[usize::from(ordered.rows[place])] = line;
        })
    }

    /// Tells each amount that leads to a lost position along a line.
    #[inline(always)]
    fn wins_on_line(
        &self,
        passes: u8,
        ordered: &Ordered,
        line: &LineLosses,
        heap: Heap,
        mut found: impl FnMut(Heap, Lost),
    ) -> Result<(), Fault> {
        if let (LineLosses::Target(target, lost), Take::Any) = (line, self.rules.take()) {
            // Sizes that are not told apart are never lost.
            if *target < u64::from(heap) && *target <= u64::from(self.diagram.greatest) {
                found(heap - *target as Heap, *lost);
            }
            return Ok(());
        }
        for take in self.rules.take().amounts(heap) {
            if let Some(lost) = self.diagram.at(self.steps, passes, &ordered.heaps, line, heap - take)? {
                found(take, lost);
            }
        }
        Ok(())
    }

    /// Adds the winning moves that go on from one that is begun.
    fn wins_of_several(&self, begun: &Begun, wins: &mut Wins) -> Result<(), Fault> {
        let Begun { left, ordered, chosen, heaps, next_row } = begun;
        let last_heap = heaps + 1 == self.rules.heaps_per_move();
        let mut lines = [LineLosses::default(); MAX_HEAPS];
        self.lines_by_row(left.passes, ordered, *next_row, &mut lines)?;
        for (row, (line, &heap)) in lines.iter().zip(left.heaps.iter()).enumerate().skip(*next_row) {
            if last_heap {
                self.wins_on_line(left.passes, ordered, line, heap, |take, lost| {
                    let mut chosen = *chosen;
                    chosen.set(row, take);
                    wins.add(chosen, lost);
                })?;
                continue;
            }
            for take in self.rules.take().amounts(heap) {
                let next = begun.with(row, take);
                if let Some(lost) =
                    self.diagram.at(self.steps, left.passes, &ordered.heaps, line, heap - take)?
                {
                    wins.add(next.chosen, lost);
                }
                if self.rules.equal_take() {
                    self.wins_of_equal(&next, take, wins)?;
                } else {
                    self.wins_of_several(&next, wins)?;
                }
            }
        }
        Ok(())
    }

    /// The same where each further heap has to give as much as the first.
    fn wins_of_equal(&self, begun: &Begun, take: Heap, wins: &mut Wins) -> Result<(), Fault> {
        let left = begun.left;
        for row in (begun.next_row..left.heaps.len()).filter(|&row| left.heaps[row] >= take) {
            let next = begun.with(row, take);
            if let Some(lost) = self.diagram.lost(self.steps, left.passes, &next.ordered.heaps)? {
                wins.add(next.chosen, lost);
            }
            if next.heaps < self.rules.heaps_per_move() {
                self.wins_of_equal(&next, take, wins)?;
            }
        }
        Ok(())
    }
}
