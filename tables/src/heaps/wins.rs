//! The search for the winning moves of a position, line by line.
//!
//! A move from one heap leads along the line of that heap. So the search looks up the line of each heap, and asks it for
//! its lost positions. Moves from several heaps are built take by take; the last take leads along a line again.

use super::automaton::Automaton;
use super::edges::{Edges, LineLosses, Lost};
use super::position::{Heap, MAX_HEAPS, Move, Position};
use super::rules::HeapRules;
use super::sorted_heaps::SortedHeaps;
use super::winning::WinningMoves;
use crate::format::Fault;
use crate::{Game, MoveSet};

/// A move from several heaps with some of its takes chosen. The search builds a [`Move`] only if it wins; most do not.
#[derive(Clone, Copy)]
struct PartialMove<'a> {
    position: &'a Position,
    /// The heaps before the move.
    before: &'a SortedHeaps,
    /// The heaps after the takes so far.
    left: &'a SortedHeaps,
    /// The last take, linked to the takes before it.
    last: Option<TakeChain<'a>>,
    heap_count: usize,
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
    fn as_move(&self) -> Move {
        let mut chosen = self.before.map_or(Move::PASS, Self::as_move);
        chosen.set(self.row, self.take);
        chosen
    }

    fn stones(&self) -> u64 {
        u64::from(self.take) + self.before.map_or(0, Self::stones)
    }

    /// Applies the take and all takes before it to `left`, the heaps of `position`.
    #[cfg_attr(feature = "fast", inline(always))]
    fn take_from(&self, position: &Position, left: &mut SortedHeaps) {
        let mut next = Some(self);
        while let Some(taken) = next {
            left.lower(taken.row, position.heaps[taken.row] - taken.take);
            next = taken.before;
        }
    }
}

/// The winning moves found so far, and the best of them: the one with the least depth after the move; of several, the
/// one that takes the fewest stones; of several, the first. Without depths, the first.
pub(super) struct Wins {
    has_depths: bool,
    pub(super) moves: WinningMoves,
    /// The best move: the depth after it, the stones that it takes, and its index among the moves.
    pub(super) best: Option<(u32, u64, usize)>,
}

impl Wins {
    pub(super) fn new(has_depths: bool) -> Self {
        Self { has_depths, moves: WinningMoves::default(), best: None }
    }

    /// Adds a move that leads to a lost position, after all moves added so far.
    #[inline]
    pub(super) fn add(&mut self, taken: TakeChain, lost: Lost) {
        if taken.before.is_none() && self.moves.are_single_takes() {
            return self.add_take(taken.row, taken.take, lost);
        }
        self.consider(taken.stones(), lost);
        self.moves.push(taken.as_move());
    }

    /// Adds a move from one heap. All moves before take from one heap, too.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn add_take(&mut self, row: usize, take: Heap, lost: Lost) {
        self.consider(take.into(), lost);
        self.moves.push_take(row, take);
    }

    pub(super) fn add_pass(&mut self, lost: Lost) {
        self.consider(0, lost);
        self.moves.push(Move::PASS);
    }

    /// Makes the next move the best one if it is better.
    #[inline]
    fn consider(&mut self, stones: u64, lost: Lost) {
        let is_better = |(depth, fewest, _)| self.has_depths && (lost.depth, stones) < (depth, fewest);
        if self.best.is_none_or(is_better) {
            self.best = Some((lost.depth, stones, self.moves.len()));
        }
    }
}

/// The inputs of a search.
pub(super) struct WinSearch<'a, S> {
    pub(super) rules: &'a HeapRules,
    pub(super) automaton: &'a Automaton,
    pub(super) edges: &'a S,
}

/// A search for the winning moves of a position, with its heaps in descending order.
pub(super) struct SortedSearch<'a, S> {
    pub(super) search: WinSearch<'a, S>,
    pub(super) position: &'a Position,
    pub(super) sorted: SortedHeaps,
}

impl<S: Edges> SortedSearch<'_, S> {
    /// Returns the answer for the position itself if the position is lost.
    #[inline]
    pub(super) fn lost(&self) -> Result<Option<Lost>, Fault> {
        self.search.automaton.lost(self.search.edges, self.position.passes, &self.sorted.heaps)
    }

    /// Adds the winning moves to `wins`. Returns the answer for the position itself if the position is lost.
    #[inline]
    pub(super) fn wins(&self, wins: &mut Wins) -> Result<Option<Lost>, Fault> {
        self.search.wins(self.position, &self.sorted, wins)
    }
}

impl<S: Edges> WinSearch<'_, S> {
    #[inline]
    fn wins(
        &self,
        position: &Position,
        sorted: &SortedHeaps,
        wins: &mut Wins,
    ) -> Result<Option<Lost>, Fault> {
        let passes = position.passes;
        let lost = if self.rules.heaps_per_move() > 1 {
            let partial = PartialMove {
                position,
                before: sorted,
                left: sorted,
                last: None,
                heap_count: 0,
                next_row: 0,
            };
            self.wins_of_several(partial, wins)?;
            self.automaton.lost(self.edges, passes, &sorted.heaps)?
        } else {
            // Look up all lines before using any: branching on each, which is unpredictable, would serialize the loads.
            let mut lines = [LineLosses::default(); MAX_HEAPS];
            self.lines_by_row(passes, sorted, 0, &mut lines)?;
            for (row, (line, &heap)) in lines.iter().zip(position.heaps.iter()).enumerate() {
                self.wins_on_line(passes, &sorted.heaps, line, heap, |take, lost| {
                    wins.add_take(row, take, lost);
                })?;
            }
            // Any line contains the position itself. Ask the last one, as `Automaton::lost` does.
            let last = sorted.heaps.len() - 1;
            let line = &lines[usize::from(sorted.rows[last])];
            self.automaton.lost_at(self.edges, passes, &sorted.heaps, line, sorted.heaps[last])?
        };
        if passes > 0
            && self.rules.is_legal(position, Move::PASS)
            && let Some(lost) = self.automaton.lost(self.edges, passes - 1, &sorted.heaps)?
        {
            wins.add_pass(lost);
        }
        Ok(lost)
    }

    /// Looks up the lines of the heaps from row `from_row` on, and stores them by row.
    #[inline]
    fn lines_by_row(
        &self,
        passes: u8,
        sorted: &SortedHeaps,
        from_row: usize,
        lines: &mut [LineLosses; MAX_HEAPS],
    ) -> Result<(), Fault> {
        let is_wanted = |index: usize| usize::from(sorted.rows[index]) >= from_row;
        self.automaton.lines(self.edges, passes, &sorted.heaps, is_wanted, |index, line| {
            lines[usize::from(sorted.rows[index])] = line;
        })
    }

    /// Calls `found` with each take that leads along a line to a lost position. `heaps` is the position from which the
    /// take is, in the order in which an automaton adds heaps; the line's heap has `heap` stones.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn wins_on_line(
        &self,
        passes: u8,
        heaps: &[Heap],
        line: &LineLosses,
        heap: Heap,
        mut found: impl FnMut(Heap, Lost),
    ) -> Result<(), Fault> {
        if let LineLosses::Target(target, lost) = line {
            // Sizes above the greatest effective size are never lost.
            if *target < u64::from(heap) && *target <= u64::from(self.automaton.greatest) {
                found(heap - *target as Heap, *lost);
            }
            return Ok(());
        }
        for take in self.rules.take().amounts(heap) {
            if let Some(lost) = self.automaton.lost_at(self.edges, passes, heaps, line, heap - take)? {
                found(take, lost);
            }
        }
        Ok(())
    }

    /// Adds the winning moves that extend a move by further takes.
    fn wins_of_several(&self, partial: PartialMove<'_>, wins: &mut Wins) -> Result<(), Fault> {
        let PartialMove { position, before, left, ref last, heap_count, next_row } = partial;
        let is_last = heap_count + 1 == self.rules.heaps_per_move();
        let is_move = self.rules.heap_counts().allows(heap_count + 1);
        let mut lines = [LineLosses::default(); MAX_HEAPS];
        self.lines_by_row(position.passes, left, next_row, &mut lines)?;
        let rows = position.heaps.len();
        for (row, (line, &heap)) in lines.iter().zip(position.heaps.iter()).enumerate().skip(next_row) {
            let taken = |take| TakeChain { row, take, before: last.as_ref() };
            // No row follows the last one, so nothing extends this take.
            if is_last || row + 1 == rows {
                if !is_move {
                    continue;
                }
                self.wins_on_line(position.passes, &left.heaps, line, heap, |take, lost| {
                    wins.add(taken(take), lost);
                })?;
                continue;
            }
            for take in self.rules.take().amounts(heap) {
                let lost =
                    self.automaton.lost_at(self.edges, position.passes, &left.heaps, line, heap - take)?;
                let taken = taken(take);
                if let Some(lost) = lost.filter(|_| is_move) {
                    wins.add(taken, lost);
                }
                let next = PartialMove {
                    last: Some(taken),
                    heap_count: heap_count + 1,
                    next_row: row + 1,
                    ..partial
                };
                if self.rules.equal_take() {
                    self.wins_of_equal(next, take, wins)?;
                } else {
                    // Copy the heaps before the move: copying heaps just written would stall (store forwarding).
                    let mut left = *before;
                    taken.take_from(position, &mut left);
                    self.wins_of_several(PartialMove { left: &left, ..next }, wins)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the winning moves that extend a move by further takes of the same number of stones. Few moves share a line,
    /// so each position is looked up by itself.
    fn wins_of_equal(&self, partial: PartialMove<'_>, take: Heap, wins: &mut Wins) -> Result<(), Fault> {
        let PartialMove { position, before, ref last, heap_count, next_row, .. } = partial;
        let rows = position.heaps.iter().enumerate().skip(next_row);
        for (row, _) in rows.filter(|&(_, &heap)| heap >= take) {
            let taken = TakeChain { row, take, before: last.as_ref() };
            let mut left = *before;
            taken.take_from(position, &mut left);
            if self.rules.heap_counts().allows(heap_count + 1)
                && let Some(lost) = self.automaton.lost(self.edges, position.passes, &left.heaps)?
            {
                wins.add(taken, lost);
            }
            if heap_count + 1 < self.rules.heaps_per_move() {
                let next = PartialMove {
                    last: Some(taken),
                    heap_count: heap_count + 1,
                    next_row: row + 1,
                    ..partial
                };
                self.wins_of_equal(next, take, wins)?;
            }
        }
        Ok(())
    }
}
