//! A table of a heap game, open for questions.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::diagram::{Diagram, Line, Lost};
use super::position::{Heap, Heaps, Move, Position};
use super::rules::{HeapRules, MAX_HEAPS};
use super::steps::{Steps, Stored, Unpacked};
use super::take::Take;
use super::winning::Winning;
use crate::format::{Body, Fault, Header};
use crate::{Answer, AskError, Damage, MoveSet, Outcome, Solved, Verdict};

/// A table of a heap game. `D` holds the file's bytes: a [`Map`](crate::Map), or a vector.
#[derive(Debug)]
pub struct HeapTable<D> {
    rules: HeapRules,
    depths: bool,
    body: Body<D>,
    diagram: Diagram,
    /// The steps of the diagram unpacked, once enough was asked.
    unpacked: OnceLock<Option<Unpacked>>,
    /// How much was asked so far, as far as that is counted.
    asked: AtomicU32,
    /// The bound of all heaps, if they have the same.
    equal_bound: Option<Heap>,
}

/// From so many questions on, unpacking the table pays: it takes as long as some hundred of them.
const FEW_QUESTIONS: u32 = 32;

/// The heaps of a position in the order in which the table is asked, and from which row each comes.
struct Ordered {
    heaps: Heaps,
    rows: [u8; MAX_HEAPS],
}

impl Ordered {
    #[inline]
    fn as_given(heaps: Heaps) -> Self {
        Self { heaps, rows: std::array::from_fn(|row| row as u8) }
    }

    fn descending(heaps: Heaps) -> Self {
        let mut sorted = Self::as_given(heaps);
        let rows = &mut sorted.rows[..heaps.len()];
        rows.sort_by(|&a, &b| heaps[usize::from(b)].cmp(&heaps[usize::from(a)]));
        sorted.heaps = rows.iter().map(|&row| heaps[usize::from(row)]).collect();
        sorted
    }
}

/// A move from several heaps that is begun.
struct Begun {
    /// What is left of the position.
    left: Position,
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
        Self { left, chosen, heaps: self.heaps + 1, next_row: row + 1 }
    }
}

/// The winning moves found so far, and the best of them: the one that leads to the least depth, then takes
/// the fewest stones, then comes first. Without depths, the first.
struct Wins {
    depths: bool,
    moves: Winning,
    /// Depth that the best leads to, stones that it takes, and its number among the moves.
    best: Option<(u32, u64, usize)>,
}

impl Wins {
    fn new(depths: bool) -> Self {
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

impl<D: AsRef<[u8]>> HeapTable<D> {
    /// Reads the body's directory and checks all that later arithmetic relies on.
    pub(crate) fn new(header: &Header, rules: &HeapRules, body: Body<D>) -> Result<Self, Damage> {
        let diagram = Diagram::read(header, rules, &body)?;
        let equal_bound = (rules.bounds()[0] == rules.greatest()).then(|| rules.greatest());
        Ok(Self {
            rules: rules.clone(),
            depths: header.depths,
            body,
            diagram,
            unpacked: OnceLock::new(),
            asked: AtomicU32::new(0),
            equal_bound,
        })
    }

    pub(crate) fn body(&self) -> &Body<D> {
        &self.body
    }

    /// The heaps of a position as the table is asked for them, after a check that it has them.
    #[inline]
    fn ordered(&self, position: &Position) -> Result<Ordered, AskError> {
        let Position { heaps, passes } = *position;
        let known = heaps.len() == self.rules.heaps()
            && passes <= self.rules.passes()
            && match self.equal_bound {
                Some(bound) => heaps.iter().all(|&heap| heap <= bound),
                None => self.rules.fits(&heaps),
            };
        if known {
            return Ok(self.in_order(heaps));
        }
        Err(self.outside(position))
    }

    #[inline]
    fn in_order(&self, heaps: Heaps) -> Ordered {
        if self.diagram.takes_any_order() { Ordered::as_given(heaps) } else { Ordered::descending(heaps) }
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

    /// What is known of heaps, of which the table is known to have the position, if it is lost.
    #[inline]
    fn lost(&self, steps: &impl Steps, passes: u8, ordered: &Ordered) -> Result<Option<Lost>, Fault> {
        self.diagram.lost(steps, passes, &ordered.heaps)
    }

    /// The winning moves, and what is known of the position itself if it is lost.
    #[inline]
    fn wins(
        &self,
        steps: &impl Steps,
        position: &Position,
        ordered: &Ordered,
        wins: &mut Wins,
    ) -> Result<Option<Lost>, Fault> {
        let passes = position.passes;
        let lost = if self.rules.heaps_per_move() > 1 {
            let begun = Begun { left: *position, chosen: Move::PASS, heaps: 0, next_row: 0 };
            self.wins_of_several(steps, &begun, wins)?;
            self.lost(steps, passes, ordered)?
        } else if self.diagram.takes_any_order() {
            let (last, mut lost) = (ordered.heaps.len() - 1, None);
            self.diagram.lines(steps, passes, &ordered.heaps, 0, |row, line| {
                let heap = ordered.heaps[row];
                // Any line tells of the position itself.
                if row == last {
                    lost = self.diagram.at(steps, passes, &ordered.heaps, &line, heap)?;
                }
                self.wins_on_line(steps, passes, ordered, &line, heap, |take, lost| {
                    wins.add_one(row, take, lost);
                })
            })?;
            lost
        } else {
            for (row, line) in self.lines_by_row(steps, passes, ordered, 0)?.iter().enumerate() {
                let Some(&heap) = position.heaps.get(row) else { break };
                self.wins_on_line(steps, passes, ordered, line, heap, |take, lost| {
                    wins.add_one(row, take, lost);
                })?;
            }
            self.lost(steps, passes, ordered)?
        };
        if passes > 0
            && self.rules.is_legal(position, Move::PASS)
            && let Some(lost) = self.lost(steps, passes - 1, ordered)?
        {
            wins.add(Move::PASS, lost);
        }
        Ok(lost)
    }

    /// The lines of heaps, by row. Those before a row are not asked for.
    fn lines_by_row(
        &self,
        steps: &impl Steps,
        passes: u8,
        ordered: &Ordered,
        from_row: usize,
    ) -> Result<[Line; MAX_HEAPS], Fault> {
        let mut lines = [Line::default(); MAX_HEAPS];
        let from = if self.diagram.takes_any_order() { from_row } else { 0 };
        self.diagram.lines(steps, passes, &ordered.heaps, from, |place, line| {
            lines[usize::from(ordered.rows[place])] = line;
            Ok(())
        })?;
        Ok(lines)
    }

    /// Tells each amount that leads to a lost position along a line.
    #[inline(always)]
    fn wins_on_line(
        &self,
        steps: &impl Steps,
        passes: u8,
        ordered: &Ordered,
        line: &Line,
        heap: Heap,
        mut found: impl FnMut(Heap, Lost),
    ) -> Result<(), Fault> {
        if let (Line::Target(target, lost), Take::Any) = (line, self.rules.take()) {
            if *target < u64::from(heap) {
                found(heap - *target as Heap, *lost);
            }
            return Ok(());
        }
        for take in self.rules.take().amounts(heap) {
            if let Some(lost) = self.diagram.at(steps, passes, &ordered.heaps, line, heap - take)? {
                found(take, lost);
            }
        }
        Ok(())
    }

    /// Adds the winning moves that go on from one that is begun.
    fn wins_of_several(&self, steps: &impl Steps, begun: &Begun, wins: &mut Wins) -> Result<(), Fault> {
        let Begun { left, chosen, heaps, next_row } = begun;
        let last_heap = heaps + 1 == self.rules.heaps_per_move();
        let ordered = self.in_order(left.heaps);
        let lines = self.lines_by_row(steps, left.passes, &ordered, *next_row)?;
        for (row, (line, &heap)) in lines.iter().zip(left.heaps.iter()).enumerate().skip(*next_row) {
            if last_heap {
                self.wins_on_line(steps, left.passes, &ordered, line, heap, |take, lost| {
                    let mut chosen = *chosen;
                    chosen.set(row, take);
                    wins.add(chosen, lost);
                })?;
                continue;
            }
            for take in self.rules.take().amounts(heap) {
                let next = begun.with(row, take);
                if let Some(lost) = self.diagram.at(steps, left.passes, &ordered.heaps, line, heap - take)? {
                    wins.add(next.chosen, lost);
                }
                if self.rules.equal_take() {
                    self.wins_of_equal(steps, &next, take, wins)?;
                } else {
                    self.wins_of_several(steps, &next, wins)?;
                }
            }
        }
        Ok(())
    }

    /// The same where each further heap has to give as much as the first.
    fn wins_of_equal(
        &self,
        steps: &impl Steps,
        begun: &Begun,
        take: Heap,
        wins: &mut Wins,
    ) -> Result<(), Fault> {
        let left = begun.left;
        for row in (begun.next_row..left.heaps.len()).filter(|&row| left.heaps[row] >= take) {
            let next = begun.with(row, take);
            if let Some(lost) = self.lost(steps, left.passes, &self.in_order(next.left.heaps))? {
                wins.add(next.chosen, lost);
            }
            if next.heaps < self.rules.heaps_per_move() {
                self.wins_of_equal(steps, &next, take, wins)?;
            }
        }
        Ok(())
    }

    /// The best move of a lost position.
    #[cold]
    fn best_try(&self, position: &Position, lost: Lost) -> Result<Option<Move>, AskError> {
        let first = self.rules.moves(position).next();
        // Without depths all moves tie.
        if !self.depths || first.is_none() {
            return Ok(first);
        }
        if self.rules.heaps_per_move() > 1 {
            let moves = self.rules.moves(position).filter(|chosen| chosen.stones() == lost.tries);
            return self.first_try(position, lost, moves);
        }
        // Only a few moves take so many stones. To take none is a pass, from whatever row.
        let take = Heap::try_from(lost.tries).unwrap_or(Heap::MAX);
        let moves = (0..position.heaps.len()).map(|row| Move::one(row, take));
        self.first_try(position, lost, moves.filter(|&chosen| self.rules.is_legal(position, chosen)))
    }

    /// The first of some moves that leads as deep as the best try does.
    fn first_try(
        &self,
        position: &Position,
        lost: Lost,
        moves: impl Iterator<Item = Move>,
    ) -> Result<Option<Move>, AskError> {
        for chosen in moves {
            let next = self.verdict(&self.rules.after(position, chosen))?;
            if next.outcome == Outcome::Win && next.depth == lost.depth.checked_sub(1) {
                return Ok(Some(chosen));
            }
        }
        Err(Self::disagree(position))
    }

    /// A verdict, if depth and outcome fit each other.
    #[inline]
    fn told(&self, position: &Position, outcome: Outcome, depth: u32) -> Result<Verdict, AskError> {
        if !self.depths {
            return Ok(Verdict { outcome, depth: None });
        }
        if self.rules.play().outcome_at_depth(depth) != outcome {
            return Err(Self::disagree(position));
        }
        Ok(Verdict { outcome, depth: Some(depth) })
    }

    /// Whether there is no move.
    fn is_over(&self, position: &Position) -> bool {
        self.rules.moves(position).next().is_none()
    }

    /// Depth and best move of a won position, of which the winning moves are given.
    #[inline]
    fn depth_of_won(&self, position: &Position, wins: &Wins) -> Result<(u32, Option<Move>), AskError> {
        match wins.best {
            Some((depth, _, number)) if depth < u32::MAX => Ok((depth + 1, wins.moves.get(number))),
            None if self.is_over(position) && self.rules.play().outcome_without_moves() == Outcome::Win => {
                Ok((0, None))
            }
            _ => Err(Self::disagree(position)),
        }
    }

    fn stored(&self) -> Stored<'_, D> {
        Stored { diagram: &self.diagram, body: &self.body }
    }

    /// The unpacked steps, once so much was asked that they pay.
    #[inline]
    fn unpacked(&self) -> Option<&Unpacked> {
        if let Some(unpacked) = self.unpacked.get() {
            return unpacked.as_ref();
        }
        if self.asked.fetch_add(1, Relaxed) < FEW_QUESTIONS {
            return None;
        }
        self.unpacked.get_or_init(|| Unpacked::new(&self.diagram, &self.body)).as_ref()
    }

    #[inline]
    fn verdict_by(&self, steps: &impl Steps, position: &Position) -> Result<Verdict, AskError> {
        let ordered = self.ordered(position)?;
        match self.lost(steps, position.passes, &ordered)? {
            Some(lost) => self.told(position, Outcome::Loss, lost.depth),
            None if !self.depths => Ok(Verdict { outcome: Outcome::Win, depth: None }),
            None => {
                let mut wins = Wins::new(self.depths);
                self.wins(steps, position, &ordered, &mut wins)?;
                let (depth, _) = self.depth_of_won(position, &wins)?;
                self.told(position, Outcome::Win, depth)
            }
        }
    }

    #[inline]
    fn answer_by(&self, steps: &impl Steps, position: &Position) -> Result<Answer<Move, Winning>, AskError> {
        let ordered = self.ordered(position)?;
        let mut wins = Wins::new(self.depths);
        let lost = self.wins(steps, position, &ordered, &mut wins)?;
        let (verdict, best) = match (lost, wins.best) {
            (None, _) => {
                let (depth, best) = self.depth_of_won(position, &wins)?;
                (self.told(position, Outcome::Win, depth)?, best)
            }
            (Some(lost), None) => {
                let best = self.best_try(position, lost)?;
                if best.is_none() && self.rules.play().outcome_without_moves() != Outcome::Loss {
                    return Err(Self::disagree(position));
                }
                (self.told(position, Outcome::Loss, lost.depth)?, best)
            }
            (Some(_), Some(_)) => return Err(Self::disagree(position)),
        };
        Ok(Answer { verdict, best, winning: wins.moves })
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
        match self.unpacked() {
            Some(steps) => self.verdict_by(steps, position),
            None => self.verdict_by(&self.stored(), position),
        }
    }

    fn answer(&self, position: &Position) -> Result<Answer<Move, Winning>, AskError> {
        match self.unpacked() {
            Some(steps) => self.answer_by(steps, position),
            None => self.answer_by(&self.stored(), position),
        }
    }
}
