//! A table of a heap game, open for questions.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::diagram::Diagram;
use super::ordered::Ordered;
use super::position::{Heap, Move, Position};
use super::rules::HeapRules;
use super::steps::{Lost, Steps};
use super::unpacked::{Stored, Unpacked};
use super::winning::Winning;
use super::wins::{Search, Wins};
use crate::format::Body;
use crate::{Answer, AskError, Damage, Outcome, Solved, Verdict};

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

impl HeapRules {
    /// Opens the body of a table of these rules.
    pub(crate) fn open<D: AsRef<[u8]>>(&self, depths: bool, body: Body<D>) -> Result<HeapTable<D>, Damage> {
        HeapTable::new(depths, self, body)
    }
}

impl<D: AsRef<[u8]>> HeapTable<D> {
    /// Reads the body's directory and checks all that later arithmetic relies on.
    fn new(depths: bool, rules: &HeapRules, body: Body<D>) -> Result<Self, Damage> {
        let diagram = Diagram::read(depths, rules, &body)?;
        let equal_bound = (rules.bounds()[0] == rules.greatest()).then(|| rules.greatest());
        Ok(Self {
            rules: rules.clone(),
            depths,
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

    pub(crate) fn body_mut(&mut self) -> &mut Body<D> {
        &mut self.body
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
            return Ok(Ordered::new(&self.diagram, heaps));
        }
        Err(self.outside(position))
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

    #[inline]
    fn search<'a, S: Steps>(&'a self, steps: &'a S) -> Search<'a, S> {
        Search { rules: &self.rules, diagram: &self.diagram, steps }
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
        match self.diagram.lost(steps, position.passes, &ordered.heaps)? {
            Some(lost) => self.told(position, Outcome::Loss, lost.depth),
            None if !self.depths => Ok(Verdict { outcome: Outcome::Win, depth: None }),
            None => {
                let mut wins = Wins::new(self.depths);
                self.search(steps).wins(position, &ordered, &mut wins)?;
                let (depth, _) = self.depth_of_won(position, &wins)?;
                self.told(position, Outcome::Win, depth)
            }
        }
    }

    #[inline]
    fn answer_by(&self, steps: &impl Steps, position: &Position) -> Result<Answer<Move, Winning>, AskError> {
        let ordered = self.ordered(position)?;
        let mut wins = Wins::new(self.depths);
        let lost = self.search(steps).wins(position, &ordered, &mut wins)?;
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
