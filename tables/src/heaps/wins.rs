//! The search for the winning moves of a position, line by line.

use super::diagram::Diagram;
use super::position::{Heap, MAX_HEAPS, Move, Position};
use super::rules::HeapRules;
use super::sorted_heaps::SortedHeaps;
use super::steps::{LineLosses, Lost, Steps};
use super::take::Take;
use super::winning::WinningMoves;
use crate::format::Fault;
use crate::{Game, MoveSet};

/// A move from several heaps with some of its takes chosen. The search builds a [`Move`] only if it wins; most do not.
#[derive(Clone, Copy)]
struct PartialMove<'a> {
    position: &'a Position,
    /// The heaps before the move.
    whole: &'a SortedHeaps,
    /// The heaps after the takes so far; used to look up lines.
    left: &'a SortedHeaps,
    /// The last take, linked to the takes before it.
    last: Option<TakeChain<'a>>,
    /// Number of heaps taken from.
    heaps: usize,
    /// The first row from which a further take may come.
    next_row: usize,
}

/// A take from one row, linked to the takes before it.
#[derive(Clone, Copy)]
pub(super) struct TakeChain<'a> {
    pub(super) row: usize,
    pub(super) take: Heap,
    pub(super) before: Option<&'a Self>,
}

impl TakeChain<'_> {
    fn chosen(&self) -> Move {
        let mut chosen = self.before.map_or(Move::PASS, Self::chosen);
        chosen.set(self.row, self.take);
        chosen
    }

    fn stones(&self) -> u64 {
        u64::from(self.take) + self.before.map_or(0, Self::stones)
    }

    /// Applies the take and all takes before it to the heaps before the move.
    #[cfg_attr(feature = "fast", inline(always))]
    fn take_from(&self, position: &Position, left: &mut SortedHeaps) {
        let mut next = Some(self);
        while let Some(taken) = next {
            left.lessen(taken.row, position.heaps[taken.row] - taken.take);
            next = taken.before;
        }
    }
}

/// The winning moves found so far, and the best of them: least depth after the move, then fewest stones, then the
/// first. Without depths, the first.
pub(super) struct Wins {
    depths: bool,
    pub(super) moves: WinningMoves,
    /// The best move: the depth after it, the stones that it takes, and its index among the moves.
    pub(super) best: Option<(u32, u64, usize)>,
}

impl Wins {
    pub(super) fn new(depths: bool) -> Self {
        Self { depths, moves: WinningMoves::default(), best: None }
    }

    /// Adds a move that leads to a lost position, after all moves added so far.
    #[inline]
    pub(super) fn add(&mut self, taken: TakeChain, lost: Lost) {
        if taken.before.is_none() && self.moves.are_ones() {
            return self.add_one(taken.row, taken.take, lost);
        }
        self.consider(taken.stones(), lost);
        self.moves.push(taken.chosen());
    }

    /// Adds a move from one heap, in a game in which all moves take from one heap.
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

/// The inputs of the search.
pub(super) struct WinSearch<'a, S> {
    pub(super) rules: &'a HeapRules,
    pub(super) diagram: &'a Diagram,
    pub(super) steps: &'a S,
}

impl<S: Steps> WinSearch<'_, S> {
    /// Adds the winning moves. Returns the entry of the position itself if the position is lost.
    #[inline]
    pub(super) fn wins(
        &self,
        position: &Position,
        ordered: &SortedHeaps,
        wins: &mut Wins,
    ) -> Result<Option<Lost>, Fault> {
        let passes = position.passes;
        let lost = if self.rules.heaps_per_move() > 1 {
            let partial =
                PartialMove { position, whole: ordered, left: ordered, last: None, heaps: 0, next_row: 0 };
            self.wins_of_several(partial, wins)?;
            self.diagram.lost(self.steps, passes, &ordered.heaps)?
        } else {
            // Look up all lines before using any: branching on each, which is unpredictable, would serialize the loads.
            let mut lines = [LineLosses::default(); MAX_HEAPS];
            self.lines_by_row(passes, ordered, 0, &mut lines)?;
            for (row, (line, &heap)) in lines.iter().zip(position.heaps.iter()).enumerate() {
                self.wins_on_line(passes, &ordered.heaps, line, heap, |take, lost| {
                    wins.add_one(row, take, lost);
                })?;
            }
            // Any line contains the position itself; the last one decides it as `lost` would.
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

    /// Looks up the lines of the heaps, by row, from a row on.
    #[inline]
    fn lines_by_row(
        &self,
        passes: u8,
        ordered: &SortedHeaps,
        from_row: usize,
        lines: &mut [LineLosses; MAX_HEAPS],
    ) -> Result<(), Fault> {
        let wanted = |place: usize| usize::from(ordered.rows[place]) >= from_row;
        self.diagram.lines(self.steps, passes, &ordered.heaps, wanted, |place, line| {
            lines[usize::from(ordered.rows[place])] = line;
        })
    }

    /// Calls `found` with each take that leads to a lost position along a line. `heaps` is the position, in the order
    /// in which a diagram adds heaps.
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
            // Sizes above the greatest effective size are never lost.
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

    /// Adds the winning moves that extend a move by further takes.
    fn wins_of_several(&self, partial: PartialMove<'_>, wins: &mut Wins) -> Result<(), Fault> {
        let PartialMove { position, whole, left, ref last, heaps, next_row } = partial;
        let is_last = heaps + 1 == self.rules.heaps_per_move();
        let mut lines = [LineLosses::default(); MAX_HEAPS];
        self.lines_by_row(position.passes, left, next_row, &mut lines)?;
        let rows = position.heaps.len();
        for (row, (line, &heap)) in lines.iter().zip(position.heaps.iter()).enumerate().skip(next_row) {
            let taken = |take| TakeChain { row, take, before: last.as_ref() };
            // No row follows the last one, so nothing extends this take.
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
                let next = PartialMove { last: Some(taken), heaps: heaps + 1, next_row: row + 1, ..partial };
                if self.rules.equal_take() {
                    self.wins_of_equal(next, take, wins)?;
                } else {
                    // Copy the heaps before the move: copying heaps just written one by one would stall (store
                    // forwarding).
                    let mut left = *whole;
                    taken.take_from(position, &mut left);
                    self.wins_of_several(PartialMove { left: &left, ..next }, wins)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the winning moves that extend a move by further takes of the same number of stones. Looks up each position.
    fn wins_of_equal(&self, partial: PartialMove<'_>, take: Heap, wins: &mut Wins) -> Result<(), Fault> {
        let PartialMove { position, whole, ref last, heaps, next_row, .. } = partial;
        let rows = position.heaps.iter().enumerate().skip(next_row);
        for (row, _) in rows.filter(|&(_, &heap)| heap >= take) {
            let taken = TakeChain { row, take, before: last.as_ref() };
            let mut left = *whole;
            taken.take_from(position, &mut left);
            if let Some(lost) = self.diagram.lost(self.steps, position.passes, &left.heaps)? {
                wins.add(taken, lost);
            }
            if heaps + 1 < self.rules.heaps_per_move() {
                let next = PartialMove { last: Some(taken), heaps: heaps + 1, next_row: row + 1, ..partial };
                self.wins_of_equal(next, take, wins)?;
            }
        }
        Ok(())
    }
}
