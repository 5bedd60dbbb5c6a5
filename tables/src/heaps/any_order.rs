//! Winning moves in a table in which heaps may be added in any order.
//!
//! That is so if two further heaps lead from each class to the same class and depth, whichever comes first; it is checked when a
//! table is unpacked. Then the heaps that a move leaves alone need not be put in order after each take: what is known of some rows
//! goes on from one move to the next.

use super::position::{Heap, MAX_HEAPS, Move, Position};
use super::steps::{LineLosses, Lost, Node, Steps};
use super::unpacked::Unpacked;
use super::wins::{Search, Taken, Wins};
use crate::Game;
use crate::format::Fault;

/// A search for the winning moves of a position.
pub(super) struct AnyOrder<'a> {
    pub(super) search: Search<'a, Unpacked>,
    pub(super) position: &'a Position,
}

/// A move that is begun.
#[derive(Clone, Copy)]
struct Begun<'a> {
    /// The class of what is left of the rows before `row`.
    before: Node,
    /// Rows from this one on may still be taken from.
    row: usize,
    /// The last take, and those before it.
    last: Option<Taken<'a>>,
    /// From so many heaps something is taken.
    heaps: usize,
}

impl<'a> Begun<'a> {
    /// The same after a further take, which leaves rows before the next one to a class.
    fn and<'b>(self, before: Node, taken: Taken<'b>) -> Begun<'b>
    where
        'a: 'b,
    {
        Begun { before, row: taken.row + 1, last: Some(taken), heaps: self.heaps + 1 }
    }
}

impl AnyOrder<'_> {
    /// Adds all winning moves; gives what is known of the position itself if it is lost.
    #[inline]
    pub(super) fn wins(&self, wins: &mut Wins) -> Result<Option<Lost>, Fault> {
        let passes = self.position.passes;
        let before = self.start(passes)?;
        let lost = if self.search.rules.heaps_per_move() == 1 {
            self.wins_from_one(before, wins)?
        } else {
            self.wins_from(Begun { before, row: 0, last: None, heaps: 0 }, wins)?;
            self.lost(before)?
        };
        if passes > 0
            && self.search.rules.is_legal(self.position, Move::PASS)
            && let Some(lost) = self.lost(self.start(passes - 1)?)?
        {
            wins.add_pass(lost);
        }
        Ok(lost)
    }

    /// What is known of the position itself if it is lost.
    #[inline]
    pub(super) fn position_itself(&self) -> Result<Option<Lost>, Fault> {
        self.lost(self.start(self.position.passes)?)
    }

    fn start(&self, passes: u8) -> Result<Node, Fault> {
        self.search.steps.start(passes).ok_or(Fault::Astray)
    }

    fn heaps(&self) -> &[Heap] {
        &self.position.heaps
    }

    /// What is known of the position itself, with as many passes left as the class of no heaps is of.
    #[inline]
    fn lost(&self, start: Node) -> Result<Option<Lost>, Fault> {
        let [others @ .., last] = self.heaps() else { return Err(Fault::Astray) };
        self.at(&self.line(self.with(start, others)?)?, *last)
    }

    /// Adds the winning moves of a game in which a move takes from one heap; gives what is known of the position itself if it is lost.
    #[inline]
    fn wins_from_one(&self, mut before: Node, wins: &mut Wins) -> Result<Option<Lost>, Fault> {
        let heaps = self.heaps();
        let rows = heaps.len();
        // All lines first: what they tell is hard to foresee for the processor, and would keep it from following several at once.
        let mut others = [Node::default(); MAX_HEAPS];
        for (row, others) in others[..rows].iter_mut().enumerate() {
            *others = self.with(before, &heaps[row + 1..])?;
            if row + 1 < rows {
                before = self.step(before, heaps[row])?;
            }
        }
        let last = rows - 1;
        if self.search.diagram.targets.is_none() {
            for (row, (&others, &heap)) in others.iter().zip(heaps).enumerate() {
                self.wins_on_line(
                    &LineLosses::Sizes(others),
                    heap,
                    |take| Taken { row, take, before: None },
                    wins,
                )?;
            }
            // Any line tells of the position itself.
            return self.at(&self.line(others[last])?, heaps[last]);
        }
        // With one lost position in each line, those with a winning move are found without branches.
        let mut winning: u32 = 0;
        for (row, (&others, &heap)) in others.iter().zip(heaps).enumerate() {
            winning |= u32::from(self.search.steps.target_size(others)? < heap) << row;
        }
        while winning != 0 {
            let row = winning.trailing_zeros() as usize;
            let (size, lost) = self.search.steps.loss_on_line(others[row])?;
            wins.add_one(row, heaps[row] - size, lost);
            winning &= winning - 1;
        }
        let (size, lost) = self.search.steps.loss_on_line(others[last])?;
        Ok((size == heaps[last]).then_some(lost))
    }

    /// Adds the takes from the heap of a line that win.
    #[cfg_attr(feature = "fast", inline(always))]
    fn wins_on_line<'t>(
        &self,
        line: &LineLosses,
        heap: Heap,
        taken: impl Fn(Heap) -> Taken<'t>,
        wins: &mut Wins,
    ) -> Result<(), Fault> {
        let found = |take, lost| wins.add(taken(take), lost);
        self.search.wins_on_line(self.position.passes, self.heaps(), line, heap, found)
    }

    /// The class of heaps and further ones.
    #[cfg_attr(feature = "fast", inline(always))]
    fn with(&self, node: Node, heaps: &[Heap]) -> Result<Node, Fault> {
        heaps.iter().try_fold(node, |node, &heap| self.step(node, heap))
    }

    /// The line of a heap, by the class of all others.
    #[cfg_attr(feature = "fast", inline(always))]
    fn line(&self, others: Node) -> Result<LineLosses, Fault> {
        self.search.diagram.line(self.search.steps, others)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn at(&self, line: &LineLosses, size: Heap) -> Result<Option<Lost>, Fault> {
        self.search.diagram.at(self.search.steps, self.position.passes, self.heaps(), line, size)
    }

    /// The class of heaps and a further one.
    #[cfg_attr(feature = "fast", inline(always))]
    fn step(&self, node: Node, heap: Heap) -> Result<Node, Fault> {
        // Unpacked steps are looked up alike on all levels.
        self.search.steps.step(0, node, heap)
    }

    /// Adds the winning moves that go on from one that is begun.
    fn wins_from(&self, begun: Begun<'_>, wins: &mut Wins) -> Result<(), Fault> {
        let rows = self.heaps().len();
        let mut before = begun.before;
        for row in begun.row..rows {
            let heap = self.heaps()[row];
            let line = self.line(self.with(before, &self.heaps()[row + 1..])?)?;
            let taken = |take| Taken { row, take, before: begun.last.as_ref() };
            if begun.heaps + 1 == self.search.rules.heaps_per_move() || row + 1 == rows {
                self.wins_on_line(&line, heap, taken, wins)?;
            } else {
                for take in self.search.rules.take().amounts(heap) {
                    let taken = taken(take);
                    if let Some(lost) = self.at(&line, heap - take)? {
                        wins.add(taken, lost);
                    }
                    let next = begun.and(self.step(before, heap - take)?, taken);
                    match self.search.rules.equal_take() {
                        true => self.wins_of_equal(next, take, wins)?,
                        false => self.wins_from(next, wins)?,
                    }
                }
            }
            if row + 1 < rows {
                before = self.step(before, heap)?;
            }
        }
        Ok(())
    }

    /// The same where each further heap has to give as much as the first.
    fn wins_of_equal(&self, begun: Begun<'_>, take: Heap, wins: &mut Wins) -> Result<(), Fault> {
        let rows = self.heaps().len();
        let mut before = begun.before;
        for row in begun.row..rows {
            let heap = self.heaps()[row];
            if let Some(left) = heap.checked_sub(take) {
                let taken = Taken { row, take, before: begun.last.as_ref() };
                let line = self.line(self.with(before, &self.heaps()[row + 1..])?)?;
                if let Some(lost) = self.at(&line, left)? {
                    wins.add(taken, lost);
                }
                if row + 1 < rows && begun.heaps + 1 < self.search.rules.heaps_per_move() {
                    let next = begun.and(self.step(before, left)?, taken);
                    self.wins_of_equal(next, take, wins)?;
                }
            }
            if row + 1 < rows {
                before = self.step(before, heap)?;
            }
        }
        Ok(())
    }
}
