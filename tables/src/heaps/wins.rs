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

/// A move from several heaps that is begun. The move itself is written down only where it wins: most do not.
#[derive(Clone, Copy)]
struct Begun<'a> {
    position: &'a Position,
    /// Its heaps before the move.
    whole: &'a Ordered,
    /// What is left of them, where lines are asked for.
    left: &'a Ordered,
    /// The last take, and those before it.
    last: Option<Taken<'a>>,
    /// From so many heaps something is taken.
    heaps: usize,
    /// Rows from this one on may still be taken from.
    next_row: usize,
}

/// What is taken from a row, after what was taken from others.
#[derive(Clone, Copy)]
pub(super) struct Taken<'a> {
    pub(super) row: usize,
    pub(super) take: Heap,
    pub(super) before: Option<&'a Self>,
}

impl Taken<'_> {
    fn chosen(&self) -> Move {
        let mut chosen = self.before.map_or(Move::PASS, Self::chosen);
        chosen.set(self.row, self.take);
        chosen
    }

    fn stones(&self) -> u64 {
        u64::from(self.take) + self.before.map_or(0, Self::stones)
    }

    /// Takes it, and what was taken before, out of the heaps before the move.
    #[cfg_attr(feature = "fast", inline(always))]
    fn take_from(&self, position: &Position, left: &mut Ordered) {
        let mut next = Some(self);
        while let Some(taken) = next {
            left.lessen(taken.row, position.heaps[taken.row] - taken.take);
            next = taken.before;
        }
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
    #[inline]
    pub(super) fn add(&mut self, taken: Taken, lost: Lost) {
        if taken.before.is_none() && self.moves.are_ones() {
            return self.add_one(taken.row, taken.take, lost);
        }
        self.consider(taken.stones(), lost);
        self.moves.push(taken.chosen());
    }

    /// Adds a move from one heap, where all do.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn add_one(&mut self, row: usize, take: Heap, lost: Lost) {
        self.consider(take.into(), lost);
        self.moves.push_one(row, take);
    }

    /// Adds a pass, after all others.
    pub(super) fn add_pass(&mut self, lost: Lost) {
        self.consider(0, lost);
        self.moves.push(Move::PASS);
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
            let begun = Begun { position, whole: ordered, left: ordered, last: None, heaps: 0, next_row: 0 };
            self.wins_of_several(begun, wins)?;
            self.diagram.lost(self.steps, passes, &ordered.heaps)?
        } else {
            // All lines first: what they tell is hard to foresee for the processor, and would keep it from
            // following several of them at once.
            let mut lines = [LineLosses::default(); MAX_HEAPS];
            self.lines_by_row(passes, ordered, 0, &mut lines)?;
            for (row, (line, &heap)) in lines.iter().zip(position.heaps.iter()).enumerate() {
                self.wins_on_line(passes, &ordered.heaps, line, heap, |take, lost| {
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
            wins.add_pass(lost);
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

    /// Tells each amount that leads to a lost position along a line. The heaps are those of the position, in the order in which
    /// they are added.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn wins_on_line(
        &self,
        passes: u8,
        heaps: &[Heap],
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
            if let Some(lost) = self.diagram.at(self.steps, passes, heaps, line, heap - take)? {
                found(take, lost);
            }
        }
        Ok(())
    }

    /// Adds the winning moves that go on from one that is begun.
    fn wins_of_several(&self, begun: Begun<'_>, wins: &mut Wins) -> Result<(), Fault> {
        let Begun { position, whole, left, ref last, heaps, next_row } = begun;
        let is_last = heaps + 1 == self.rules.heaps_per_move();
        let mut lines = [LineLosses::default(); MAX_HEAPS];
        self.lines_by_row(position.passes, left, next_row, &mut lines)?;
        let rows = position.heaps.len();
        for (row, (line, &heap)) in lines.iter().zip(position.heaps.iter()).enumerate().skip(next_row) {
            let taken = |take| Taken { row, take, before: last.as_ref() };
            // What is left of the last row is taken from no further.
            if is_last || row + 1 == rows {
                self.wins_on_line(position.passes, &left.heaps, line, heap, |take, lost| {
                    wins.add(taken(take), lost);
                })?;
                continue;
            }
            for take in self.rules.take().amounts(heap) {
                let lost = self.diagram.at(self.steps, position.passes, &left.heaps, line, heap - take)?;
                let taken = taken(take);
                if let Some(lost) = lost {
                    wins.add(taken, lost);
                }
                let next = Begun { last: Some(taken), heaps: heaps + 1, next_row: row + 1, ..begun };
                if self.rules.equal_take() {
                    self.wins_of_equal(next, take, wins)?;
                } else {
                    // A copy of what was just written piece by piece would be waited for: this one is of the heaps before the move.
                    let mut left = *whole;
                    taken.take_from(position, &mut left);
                    self.wins_of_several(Begun { left: &left, ..next }, wins)?;
                }
            }
        }
        Ok(())
    }

    /// The same where each further heap has to give as much as the first: positions are asked for one by one.
    fn wins_of_equal(&self, begun: Begun<'_>, take: Heap, wins: &mut Wins) -> Result<(), Fault> {
        let Begun { position, whole, ref last, heaps, next_row, .. } = begun;
        let rows = position.heaps.iter().enumerate().skip(next_row);
        for (row, _) in rows.filter(|&(_, &heap)| heap >= take) {
            let taken = Taken { row, take, before: last.as_ref() };
            let mut left = *whole;
            taken.take_from(position, &mut left);
            if let Some(lost) = self.diagram.lost(self.steps, position.passes, &left.heaps)? {
                wins.add(taken, lost);
            }
            if heaps + 1 < self.rules.heaps_per_move() {
                let next = Begun { last: Some(taken), heaps: heaps + 1, next_row: row + 1, ..begun };
                self.wins_of_equal(next, take, wins)?;
            }
        }
        Ok(())
    }
}
