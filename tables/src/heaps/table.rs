//! A table of a heap game, open for questions.

use super::diagram::{Diagram, Line, Lost};
use super::position::{Heaps, Move, Position};
use super::rules::{HeapRules, MAX_HEAPS};
use super::take::Take;
use super::winning::Winning;
use crate::format::{Body, Fault, Header};
use crate::{Answer, AskError, Damage, Outcome, Solved, Verdict};

/// A table of a heap game. `D` holds the file's bytes: a [`Map`](crate::Map), or a vector.
#[derive(Debug)]
pub struct HeapTable<D> {
    rules: HeapRules,
    depths: bool,
    body: Body<D>,
    diagram: Diagram,
}

/// The heaps of a position in descending order, and from which row each comes.
struct Descending {
    heaps: Heaps,
    rows: [u8; MAX_HEAPS],
}

impl Descending {
    #[inline]
    fn new(position: &Position) -> Self {
        let mut sorted = Self { heaps: position.heaps, rows: std::array::from_fn(|row| row as u8) };
        for end in 1..sorted.heaps.len() {
            let (heap, row) = (sorted.heaps[end], sorted.rows[end]);
            let mut place = end;
            while place > 0 && sorted.heaps[place - 1] < heap {
                sorted.heaps[place] = sorted.heaps[place - 1];
                sorted.rows[place] = sorted.rows[place - 1];
                place -= 1;
            }
            sorted.heaps[place] = heap;
            sorted.rows[place] = row;
        }
        sorted
    }
}

/// The best of winning moves: the one that leads to the least depth, then takes the fewest stones, then comes
/// first. Without depths, the first.
#[derive(Default)]
struct BestWin(Option<(u64, u64, Move)>);

impl BestWin {
    #[inline]
    fn consider(&mut self, depths: bool, lost: Lost, stones: u64, chosen: impl FnOnce() -> Move) {
        let better = |(depth, fewest): (u64, u64)| depths && (lost.depth, stones) < (depth, fewest);
        if self.0.is_none_or(|(depth, fewest, _)| better((depth, fewest))) {
            self.0 = Some((lost.depth, stones, chosen()));
        }
    }
}

impl<D: AsRef<[u8]>> HeapTable<D> {
    /// Reads the body's directory and checks all that later arithmetic relies on.
    pub(crate) fn new(header: &Header, rules: &HeapRules, body: Body<D>) -> Result<Self, Damage> {
        let diagram = Diagram::read(header, rules, &body)?;
        Ok(Self { rules: rules.clone(), depths: header.depths, body, diagram })
    }

    pub(crate) fn body(&self) -> &Body<D> {
        &self.body
    }

    fn known(&self, position: &Position, sorted: &Descending) -> Result<(), AskError> {
        let bounds = self.rules.bounds().iter().rev();
        let known = position.passes <= self.rules.passes()
            && sorted.heaps.len() == self.rules.heaps()
            && sorted.heaps.iter().zip(bounds).all(|(heap, bound)| heap <= bound);
        if known { Ok(()) } else { Err(self.outside(position)) }
    }

    #[cold]
    fn outside(&self, position: &Position) -> AskError {
        match self.rules.check(position) {
            Err(error) => error.into(),
            Ok(()) => Damage::new("it does not have a position of its ruleset").into(),
        }
    }

    #[cold]
    fn disagree(position: &Position) -> AskError {
        let (heaps, passes) = (&position.heaps[..], position.passes);
        let what = format!("what it says of the heaps {heaps:?} with {passes} passes left disagrees");
        Damage::new(what).into()
    }

    /// What is known of the position, if it is lost.
    #[inline]
    fn lost(&self, passes: u8, descending: &Heaps) -> Result<Option<Lost>, Fault> {
        self.diagram.lost(&self.body, passes, descending)
    }

    /// The winning moves, and the best of them.
    #[inline]
    fn winning(&self, position: &Position, sorted: &Descending) -> Result<(Winning, BestWin), Fault> {
        let mut winning = Winning::default();
        let mut best = BestWin::default();
        if self.rules.heaps_per_move() == 1 {
            self.winning_ones(position, sorted, &mut winning, &mut best)?;
        } else {
            for chosen in self.rules.moves(position).filter(|chosen| !chosen.is_pass()) {
                let next = Descending::new(&self.rules.after(position, chosen));
                if let Some(lost) = self.lost(position.passes, &next.heaps)? {
                    winning.push(chosen);
                    best.consider(self.depths, lost, chosen.stones(), || chosen);
                }
            }
        }
        if position.passes > 0
            && self.rules.is_legal(position, Move::PASS)
            && let Some(lost) = self.lost(position.passes - 1, &sorted.heaps)?
        {
            winning.push(Move::PASS);
            best.consider(self.depths, lost, 0, || Move::PASS);
        }
        Ok((winning, best))
    }

    /// The winning moves that take from one heap.
    #[inline]
    fn winning_ones(
        &self,
        position: &Position,
        sorted: &Descending,
        winning: &mut Winning,
        best: &mut BestWin,
    ) -> Result<(), Fault> {
        let none = Line::Target(u64::MAX, Lost { depth: 0, tries: 0 });
        let mut lines = [none; MAX_HEAPS];
        self.diagram.lines(&self.body, position.passes, &sorted.heaps, |place, line| {
            lines[usize::from(sorted.rows[place])] = line;
            Ok(())
        })?;
        for (row, (line, &heap)) in lines.iter().zip(position.heaps.iter()).enumerate() {
            if let (Line::Target(target, lost), Take::Any) = (line, self.rules.take()) {
                if *target < u64::from(heap) {
                    let take = heap - *target as u32;
                    winning.push_one(row, take);
                    best.consider(self.depths, *lost, take.into(), || Move::one(row, take));
                }
                continue;
            }
            for take in self.rules.take().amounts(heap) {
                if let Some(lost) = self.diagram.at(&self.body, position.passes, line, heap - take)? {
                    winning.push_one(row, take);
                    best.consider(self.depths, lost, take.into(), || Move::one(row, take));
                }
            }
        }
        Ok(())
    }

    /// The best move of a lost position.
    fn best_try(&self, position: &Position, lost: Lost) -> Result<Option<Move>, AskError> {
        let mut moves = self.rules.moves(position).peekable();
        // Without depths all moves tie.
        if !self.depths || moves.peek().is_none() {
            return Ok(moves.next());
        }
        for chosen in moves.filter(|chosen| chosen.stones() == lost.tries) {
            let next = self.verdict(&self.rules.after(position, chosen))?;
            if next.outcome == Outcome::Win && next.depth.map(u64::from) == lost.depth.checked_sub(1) {
                return Ok(Some(chosen));
            }
        }
        Err(Self::disagree(position))
    }

    /// Depth as it is told, of a position of this outcome.
    fn depth(&self, position: &Position, outcome: Outcome, depth: u64) -> Result<Option<u32>, AskError> {
        if !self.depths {
            return Ok(None);
        }
        let depth = u32::try_from(depth).map_err(|_| Damage::from(Fault::Impossible))?;
        if self.rules.play().outcome_at_depth(depth) != outcome {
            return Err(Self::disagree(position));
        }
        Ok(Some(depth))
    }

    /// Whether there is no move.
    fn is_over(&self, position: &Position) -> bool {
        self.rules.moves(position).next().is_none()
    }
}

impl<D: AsRef<[u8]>> Solved for HeapTable<D> {
    type Game = HeapRules;
    type Winning = Winning;

    fn game(&self) -> &HeapRules {
        &self.rules
    }

    fn has_depths(&self) -> bool {
        self.depths
    }

    fn verdict(&self, position: &Position) -> Result<Verdict, AskError> {
        let sorted = Descending::new(position);
        self.known(position, &sorted)?;
        let lost = self.lost(position.passes, &sorted.heaps)?;
        let outcome = Outcome::from_won(lost.is_none());
        let depth = match lost {
            Some(lost) => lost.depth,
            None if !self.depths => 0,
            None => match self.winning(position, &sorted)?.1.0 {
                Some((depth, ..)) => depth + 1,
                None if self.is_over(position) => 0,
                None => return Err(Self::disagree(position)),
            },
        };
        Ok(Verdict { outcome, depth: self.depth(position, outcome, depth)? })
    }

    fn answer(&self, position: &Position) -> Result<Answer<Move, Winning>, AskError> {
        let sorted = Descending::new(position);
        self.known(position, &sorted)?;
        let lost = self.lost(position.passes, &sorted.heaps)?;
        let (winning, best) = self.winning(position, &sorted)?;
        let outcome = Outcome::from_won(lost.is_none());
        let (depth, best) = match (lost, best.0) {
            (None, Some((depth, _, best))) => (depth + 1, Some(best)),
            (Some(lost), None) => (lost.depth, self.best_try(position, lost)?),
            (None, None) if self.is_over(position) => (0, None),
            _ => return Err(Self::disagree(position)),
        };
        if best.is_none() && outcome != self.rules.play().outcome_without_moves() {
            return Err(Self::disagree(position));
        }
        Ok(Answer {
            verdict: Verdict { outcome, depth: self.depth(position, outcome, depth)? },
            best,
            winning,
        })
    }
}
