//! The search for the winning moves of a position, line by line.
//!
//! A move from one heap leads along the line of that heap. So the search looks up the line of each heap, and asks it for
//! its lost positions. Moves from several heaps are built take by take; the last take leads along a line again.

use super::automaton::Automaton;
use super::edges::{Edges, LineLosses, Lost};
use super::position::{Heap, Move, Position};
use super::rules::HeapRules;
use super::winning::WinningMoves;
use crate::format::Fault;
use crate::{Game, MoveSet};

/// A move from several heaps with some of its takes chosen. The search builds a [`Move`] only if it wins; most do not.
struct PartialMove<'a, L> {
    /// The heaps after the takes so far.
    left: L,
    /// The last take, linked to the takes before it.
    last: Option<TakeChain<'a>>,
    heap_count: usize,
    /// The first row from which a further take may come.
    next_row: usize,
    /// The stones of each further take, if the rules demand equal takes and a take has been chosen.
    equal: Option<Heap>,
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
}

/// The winning moves found so far, and the best of them: the move to the least depth; ties go to the fewest stones taken,
/// then to the first move. Without depths, the first move is the best.
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

    /// Adds a move from one heap. All moves added so far must take from one heap, too.
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

/// The order in which a search adds the heaps of a position to a node: descending, or any.
pub(super) trait HeapOrder<E>: Sized {
    /// The heaps of a position after the takes of a partial move.
    type Left;
    /// What all takes from a row share in the search of later rows.
    type LaterLines;

    /// Returns the heaps of the position itself.
    fn start(search: &WinSearch<'_, E, Self>) -> Result<Self::Left, Fault>;

    /// Returns the heaps after one more take. `left` is from [`each_line`](Self::each_line), for the row of the take.
    fn after(
        search: &WinSearch<'_, E, Self>,
        left: &Self::Left,
        taken: &TakeChain,
    ) -> Result<Self::Left, Fault>;

    /// Returns the heaps in the order in which edges add them, if they need an order.
    fn heaps<'s>(search: &'s WinSearch<'_, E, Self>, left: &'s Self::Left) -> &'s [Heap];

    /// Calls `visit` with each row from `from` on for which `is_wanted` is true, the row's line, and the heaps for a take
    /// from the row.
    fn each_line(
        search: &WinSearch<'_, E, Self>,
        left: &Self::Left,
        from: usize,
        is_wanted: impl Fn(usize) -> bool,
        visit: impl FnMut(usize, &LineLosses, &Self::Left) -> Result<(), Fault>,
    ) -> Result<(), Fault>;

    /// Prepares [`wins_after`](Self::wins_after) for all takes from a row. `left` is as for `after`.
    fn later_lines(
        search: &WinSearch<'_, E, Self>,
        left: &Self::Left,
        row: usize,
    ) -> Result<Self::LaterLines, Fault>;

    /// Adds the winning moves that extend a take by one more, from a later row.
    fn wins_after(
        search: &WinSearch<'_, E, Self>,
        later: &Self::LaterLines,
        taken: &TakeChain,
        wins: &mut Wins,
    ) -> Result<(), Fault>;

    /// Returns the answer for the position, with this number of passes left, if the position is lost.
    fn lost(search: &WinSearch<'_, E, Self>, passes: u8) -> Result<Option<Lost>, Fault>;

    /// Does the work of [`WinSearch::wins`], except a pass, if a move takes from one heap only.
    fn wins_from_one(search: &WinSearch<'_, E, Self>, wins: &mut Wins) -> Result<Option<Lost>, Fault>;
}

/// A search for the winning moves of a position.
pub(super) struct WinSearch<'a, E, O> {
    pub(super) rules: &'a HeapRules,
    pub(super) automaton: &'a Automaton,
    pub(super) edges: &'a E,
    pub(super) position: &'a Position,
    pub(super) order: O,
}

impl<E: Edges, O: HeapOrder<E>> WinSearch<'_, E, O> {
    /// Returns the answer for the position itself if the position is lost.
    #[inline]
    pub(super) fn lost(&self) -> Result<Option<Lost>, Fault> {
        O::lost(self, self.position.passes)
    }

    /// Adds the winning moves to `wins`. Returns the answer for the position itself if the position is lost.
    #[inline]
    pub(super) fn wins(&self, wins: &mut Wins) -> Result<Option<Lost>, Fault> {
        let passes = self.position.passes;
        let lost = if self.rules.heaps_per_move() == 1 {
            O::wins_from_one(self, wins)?
        } else {
            let left = O::start(self)?;
            let none = PartialMove { left, last: None, heap_count: 0, next_row: 0, equal: None };
            self.wins_of_several(&none, wins)?;
            self.lost()?
        };
        if passes > 0
            && self.rules.is_legal(self.position, Move::PASS)
            && let Some(lost) = O::lost(self, passes - 1)?
        {
            wins.add_pass(lost);
        }
        Ok(lost)
    }

    /// Calls `found` with each take that leads along the line of a heap of `heap` stones to a lost position.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn wins_on_line(
        &self,
        left: &O::Left,
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
            if let Some(lost) = self.lost_at(left, line, heap - take)? {
                found(take, lost);
            }
        }
        Ok(())
    }

    /// Returns the answer for the position of a line with `size` stones in the line's heap, if the position is lost.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn lost_at(
        &self,
        left: &O::Left,
        line: &LineLosses,
        size: Heap,
    ) -> Result<Option<Lost>, Fault> {
        self.automaton.lost_at(self.edges, self.position.passes, O::heaps(self, left), line, size)
    }

    /// Adds the winning moves that extend a move by further takes.
    fn wins_of_several(&self, partial: &PartialMove<'_, O::Left>, wins: &mut Wins) -> Result<(), Fault> {
        let PartialMove { left, last, heap_count, next_row, equal } = partial;
        let (heaps, heap_count) = (&self.position.heaps, heap_count + 1);
        let is_move = self.rules.heap_counts().allows(heap_count);
        O::each_line(
            self,
            left,
            *next_row,
            |row| equal.is_none_or(|take| heaps[row] >= take),
            |row, line, before| {
                let taken = |take| TakeChain { row, take, before: last.as_ref() };
                // No row follows the last one, so nothing extends a take from it.
                let is_last = heap_count == self.rules.heaps_per_move() || row + 1 == heaps.len();
                if is_last && equal.is_none() {
                    let found = |take, lost| wins.add(taken(take), lost);
                    return if is_move { self.wins_on_line(left, line, heaps[row], found) } else { Ok(()) };
                }
                // The take after this one ends the move, and leads along a line.
                let is_next_last = heap_count + 1 == self.rules.heaps_per_move() && !self.rules.equal_take();
                let later = is_next_last.then(|| O::later_lines(self, before, row)).transpose()?;
                let mut add = |take| {
                    let taken = taken(take);
                    if is_move && let Some(lost) = self.lost_at(left, line, heaps[row] - take)? {
                        wins.add(taken, lost);
                    }
                    if let Some(later) = &later {
                        return O::wins_after(self, later, &taken, wins);
                    }
                    if is_last {
                        return Ok(());
                    }
                    let left = O::after(self, before, &taken)?;
                    let equal = self.rules.equal_take().then_some(take);
                    let next = PartialMove { left, last: Some(taken), heap_count, next_row: row + 1, equal };
                    self.wins_of_several(&next, wins)
                };
                match *equal {
                    Some(take) => add(take),
                    None => self.rules.take().amounts(heaps[row]).try_for_each(add),
                }
            },
        )
    }
}
