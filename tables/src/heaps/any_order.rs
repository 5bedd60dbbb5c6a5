//! The search for winning moves in a table whose heaps may be added in any order.
//!
//! Any order is allowed if, from each class, two further heaps lead to the same class and depth in either order;
//! `order_check.rs` checks this when a table is unpacked. Then the search need not sort the remaining heaps after each
//! take, and one move reuses the nodes of rows that another move has looked up. (A row is a heap's index on the board.)
//! In Nim 1,2,5, for example, the lines of rows 2 and 3 both begin with the node of row 1.

use super::edge_sources::UnpackedEdges;
use super::edges::{ClassNode, Edges, LineLosses, Lost};
use super::position::{Heap, MAX_HEAPS, Move, Position};
use super::wins::{TakeChain, WinSearch, Wins};
use crate::Game;
use crate::format::Fault;

/// A search for the winning moves of a position.
pub(super) struct AnyOrderSearch<'a> {
    pub(super) search: WinSearch<'a, UnpackedEdges>,
    pub(super) position: &'a Position,
}

/// A move with some of its takes chosen.
#[derive(Clone, Copy)]
struct AnyOrderMove<'a> {
    /// The node of the rows before `row`, after the takes from them.
    before: ClassNode,
    /// The first row from which a further take may come.
    row: usize,
    /// The last take, linked to the takes before it.
    last: Option<TakeChain<'a>>,
    heap_count: usize,
}

impl<'a> AnyOrderMove<'a> {
    /// Returns the move with a further take. `before` is the node of the rows up to the take's, after the move.
    fn with_take<'b>(self, before: ClassNode, taken: TakeChain<'b>) -> AnyOrderMove<'b>
    where
        'a: 'b,
    {
        AnyOrderMove { before, row: taken.row + 1, last: Some(taken), heap_count: self.heap_count + 1 }
    }
}

impl AnyOrderSearch<'_> {
    /// Adds all winning moves to `wins`. Returns the answer for the position itself if the position is lost.
    #[inline]
    pub(super) fn wins(&self, wins: &mut Wins) -> Result<Option<Lost>, Fault> {
        let passes = self.position.passes;
        let before = self.start(passes)?;
        let lost = if self.search.rules.heaps_per_move() == 1 {
            self.wins_from_one(before, wins)?
        } else {
            self.wins_of_several(AnyOrderMove { before, row: 0, last: None, heap_count: 0 }, wins)?;
            self.lost_from(before)?
        };
        if passes > 0
            && self.search.rules.is_legal(self.position, Move::PASS)
            && let Some(lost) = self.lost_from(self.start(passes - 1)?)?
        {
            wins.add_pass(lost);
        }
        Ok(lost)
    }

    /// Returns the answer for the position itself if the position is lost.
    #[inline]
    pub(super) fn lost(&self) -> Result<Option<Lost>, Fault> {
        self.lost_from(self.start(self.position.passes)?)
    }

    /// Returns the node of no heaps.
    fn start(&self, passes: u8) -> Result<ClassNode, Fault> {
        self.search.edges.start(passes).ok_or(Fault::OutOfRange)
    }

    fn heaps(&self) -> &[Heap] {
        &self.position.heaps
    }

    /// Returns the answer for the position's heaps if they are lost. `start` is the node of no heaps for a number of
    /// passes left.
    #[inline]
    fn lost_from(&self, start: ClassNode) -> Result<Option<Lost>, Fault> {
        let [others @ .., last] = self.heaps() else { return Err(Fault::OutOfRange) };
        self.lost_at(&self.line(self.with_heaps(start, others)?)?, *last)
    }

    /// Does the work of [`wins`](Self::wins), except a pass, if a move takes from one heap only.
    #[inline]
    fn wins_from_one(&self, mut before: ClassNode, wins: &mut Wins) -> Result<Option<Lost>, Fault> {
        let heaps = self.heaps();
        let rows = heaps.len();
        // Look up all lines before using any: branching on each, which is unpredictable, would serialize the loads.
        let mut others = [ClassNode::default(); MAX_HEAPS];
        for (row, others) in others[..rows].iter_mut().enumerate() {
            *others = self.with_heaps(before, &heaps[row + 1..])?;
            if row + 1 < rows {
                before = self.follow(before, heaps[row])?;
            }
        }
        let last = rows - 1;
        if self.search.automaton.targets.is_none() {
            for (row, (&others, &heap)) in others.iter().zip(heaps).enumerate() {
                self.wins_on_line(
                    &LineLosses::EachSize(others),
                    heap,
                    |take| TakeChain { row, take, before: None },
                    wins,
                )?;
            }
            // Any line contains the position itself.
            return self.lost_at(&self.line(others[last])?, heaps[last]);
        }
        // Each line has at most one lost position. Comparing its size with the heap needs no branches.
        let mut winning: u32 = 0;
        for (row, (&others, &heap)) in others.iter().zip(heaps).enumerate() {
            winning |= u32::from(self.search.edges.target_size(others)? < heap) << row;
        }
        while winning != 0 {
            let row = winning.trailing_zeros() as usize;
            let (size, lost) = self.search.edges.loss_on_line(others[row])?;
            wins.add_take(row, heaps[row] - size, lost);
            winning &= winning - 1;
        }
        let (size, lost) = self.search.edges.loss_on_line(others[last])?;
        Ok((size == heaps[last]).then_some(lost))
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn wins_on_line<'t>(
        &self,
        line: &LineLosses,
        heap: Heap,
        taken: impl Fn(Heap) -> TakeChain<'t>,
        wins: &mut Wins,
    ) -> Result<(), Fault> {
        let found = |take, lost| wins.add(taken(take), lost);
        self.search.wins_on_line(self.position.passes, self.heaps(), line, heap, found)
    }

    /// Returns the node of a node's heaps and further heaps.
    #[cfg_attr(feature = "fast", inline(always))]
    fn with_heaps(&self, node: ClassNode, heaps: &[Heap]) -> Result<ClassNode, Fault> {
        heaps.iter().try_fold(node, |node, &heap| self.follow(node, heap))
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn line(&self, others: ClassNode) -> Result<LineLosses, Fault> {
        self.search.automaton.line(self.search.edges, others)
    }

    /// Returns the answer for the position of a line with `size` stones in the line's heap, if the position is lost.
    #[cfg_attr(feature = "fast", inline(always))]
    fn lost_at(&self, line: &LineLosses, size: Heap) -> Result<Option<Lost>, Fault> {
        self.search.automaton.lost_at(self.search.edges, self.position.passes, self.heaps(), line, size)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn follow(&self, node: ClassNode, heap: Heap) -> Result<ClassNode, Fault> {
        // Unpacked edges ignore the level.
        self.search.edges.follow(0, node, heap)
    }

    /// Adds the winning moves that extend a move by further takes.
    fn wins_of_several(&self, partial: AnyOrderMove<'_>, wins: &mut Wins) -> Result<(), Fault> {
        let rules = self.search.rules;
        let rows = self.heaps().len();
        let is_last = partial.heap_count + 1 == rules.heaps_per_move();
        let is_move = rules.heap_counts().allows(partial.heap_count + 1);
        let mut before = partial.before;
        for row in partial.row..rows {
            let heap = self.heaps()[row];
            let line = self.line(self.with_heaps(before, &self.heaps()[row + 1..])?)?;
            let taken = |take| TakeChain { row, take, before: partial.last.as_ref() };
            // No row follows the last one, so nothing extends this take.
            if is_last || row + 1 == rows {
                if is_move {
                    self.wins_on_line(&line, heap, taken, wins)?;
                }
            } else {
                for take in rules.take().amounts(heap) {
                    let taken = taken(take);
                    if let Some(lost) = self.lost_at(&line, heap - take)?.filter(|_| is_move) {
                        wins.add(taken, lost);
                    }
                    let next = partial.with_take(self.follow(before, heap - take)?, taken);
                    if rules.equal_take() {
                        self.wins_of_equal(next, take, wins)?;
                    } else {
                        self.wins_of_several(next, wins)?;
                    }
                }
            }
            if row + 1 < rows {
                before = self.follow(before, heap)?;
            }
        }
        Ok(())
    }

    /// Adds the winning moves that extend a move by further takes of the same number of stones.
    fn wins_of_equal(&self, partial: AnyOrderMove<'_>, take: Heap, wins: &mut Wins) -> Result<(), Fault> {
        let rows = self.heaps().len();
        let rules = self.search.rules;
        let is_last = partial.heap_count + 1 == rules.heaps_per_move();
        let is_move = rules.heap_counts().allows(partial.heap_count + 1);
        let mut before = partial.before;
        for row in partial.row..rows {
            let heap = self.heaps()[row];
            if let Some(left) = heap.checked_sub(take) {
                let taken = TakeChain { row, take, before: partial.last.as_ref() };
                let line = self.line(self.with_heaps(before, &self.heaps()[row + 1..])?)?;
                if let Some(lost) = self.lost_at(&line, left)?.filter(|_| is_move) {
                    wins.add(taken, lost);
                }
                if row + 1 < rows && !is_last {
                    let next = partial.with_take(self.follow(before, left)?, taken);
                    self.wins_of_equal(next, take, wins)?;
                }
            }
            if row + 1 < rows {
                before = self.follow(before, heap)?;
            }
        }
        Ok(())
    }
}
