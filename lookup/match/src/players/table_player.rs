//! The player with a table: it wins every won position, and plays lost ones by its policy.

use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

use bouton_lookup::{Policy, best_move};
use bouton_tables::{AskError, Outcome, Solved};
use rayon::prelude::*;

use super::losing_policy::{LosingPolicy, usual_opponents};
use crate::models::{Chances, ChancesError, Model};
use crate::{Choice, MoveRequest, Numbered, Player, Ply, Reason, Side, Solution};

/// Chances that differ by at most this are equal; the difference is rounding.
const SAME: f64 = 1e-12;

/// For each habit that the opponent may have, its probability before the first move, and the chances against it. There
/// is none if the policy does not respond to a model.
type Opponents<G> = Arc<[(f64, Chances<G>)]>;

/// Plays from a table.
#[derive(Clone, Debug)]
pub struct TablePlayer<G: Numbered> {
    pub(crate) solution: Solution<G>,
    policy: LosingPolicy,
    opponents: Opponents<G>,
    side: Side,
    /// The probability of each habit after the opponent's moves so far.
    beliefs: Vec<f64>,
    rng: fastrand::Rng,
}

impl<G: Numbered> TablePlayer<G> {
    /// Prepares the policy: computes the chances if it responds to a model.
    ///
    /// # Errors
    /// If the chances cannot be computed or read.
    pub fn new(solution: Solution<G>, policy: &LosingPolicy) -> Result<Self, ChancesError> {
        let compute = |model: &Model| Chances::compute(&solution, model);
        let opponents = match policy {
            LosingPolicy::Swindle(model) => vec![(1.0, compute(model)?)],
            LosingPolicy::SwindleFrom(file) => vec![(1.0, Chances::open(&solution, file)?)],
            LosingPolicy::Adapt(model) => {
                let model = model.clone().unwrap_or_else(|| usual_opponents(G::HAS_RESETS));
                let terms = model.terms().par_iter();
                let terms = terms.map(|&(share, habit)| Ok((share, compute(&Model::from(habit))?)));
                terms.collect::<Result<_, ChancesError>>()?
            }
            _ => Vec::new(),
        };
        Ok(Self {
            solution,
            policy: policy.clone(),
            opponents: opponents.into(),
            side: Side::First,
            beliefs: Vec::new(),
            rng: fastrand::Rng::with_seed(0),
        })
    }

    /// The same player for another game, with the table and the prepared policy in common. The seed decides every random
    /// choice.
    pub fn with_seed(&self, seed: u64) -> Self {
        Self { rng: fastrand::Rng::with_seed(seed), ..self.clone() }
    }
}

impl<G: Numbered> Player<G> for TablePlayer<G> {
    fn begin(&mut self, side: Side, start: &G::Position) -> Result<(), Reason> {
        // A table that covers the start covers every position that can follow.
        self.solution.get().verdict(start)?;
        self.side = side;
        self.beliefs = self.opponents.iter().map(|(share, _)| *share).collect();
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
        let table = self.solution.get();
        let answer = table.answer(request.position)?;
        let mut moves = request.game.moves(request.position);
        let best = match (&self.policy, answer.verdict.outcome) {
            (_, Outcome::Win) | (LosingPolicy::Longest, _) => answer.best,
            (LosingPolicy::Trap, _) => best_move(table, request.position, &answer, Policy::Trap)?,
            (LosingPolicy::TakesOne, _) => moves.next(),
            (LosingPolicy::Random, _) => {
                let number = self.rng.usize(..request.game.moves(request.position).count());
                moves.nth(number)
            }
            (LosingPolicy::Resets, _) => {
                let first = moves.next().and_then(G::with_reset);
                first.filter(|&reset| request.game.is_legal(request.position, reset)).or(answer.best)
            }
            (LosingPolicy::Swindle(_) | LosingPolicy::SwindleFrom(_) | LosingPolicy::Adapt(_), _) => {
                self.best_response(request)?
            }
        };
        Ok(Choice::Move(best.expect("the position has a move")))
    }

    fn saw(&mut self, ply: &Ply<G>, by: Side) {
        // A damaged table fails at the next question too, which reports it.
        if by != self.side
            && self.opponents.len() > 1
            && let Ok(beliefs) = self.learn(ply)
        {
            self.beliefs = beliefs;
        }
    }
}

impl<G: Numbered> TablePlayer<G> {
    /// The chance to win after a move in a lost position.
    fn chance_after(&self, next: &G::Position) -> Result<f64, AskError> {
        let mut sum = 0.0;
        for ((_, chances), belief) in self.opponents.iter().zip(&self.beliefs) {
            if *belief > 0.0 {
                sum += belief * chances.waiting(self.solution.get(), next)?;
            }
        }
        Ok(sum)
    }

    /// The move with the best chance. Ties go to the move that loses latest, then to fewer stones, then to the first.
    fn best_response(&self, request: &MoveRequest<G>) -> Result<Option<G::Move>, AskError> {
        let table = self.solution.get();
        let mut best = None;
        for chosen in request.game.moves(request.position) {
            let next = request.game.after(request.position, chosen);
            let chance = self.chance_after(&next)?;
            let rest = || -> Result<_, AskError> {
                Ok((Reverse(table.verdict(&next)?.depth), request.game.stones_taken(chosen)))
            };
            let better = match &best {
                None => true,
                Some((most, _, _)) if chance > most + SAME => true,
                Some((most, _, _)) if chance < most - SAME => false,
                Some((_, of_best, _)) => rest()?.cmp(of_best) == Ordering::Less,
            };
            if better {
                best = Some((chance, rest()?, chosen));
            }
        }
        Ok(best.map(|(_, _, chosen)| chosen))
    }

    /// Bayes' rule: the probability of each habit after a move of the opponent. A move that fits no habit changes nothing.
    fn learn(&self, ply: &Ply<G>) -> Result<Vec<f64>, AskError> {
        let mut learned = Vec::with_capacity(self.beliefs.len());
        for ((_, chances), belief) in self.opponents.iter().zip(&self.beliefs) {
            let table = self.solution.get();
            learned.push(belief * chances.model().likelihood::<G>(table, &ply.before, ply.chosen)?);
        }
        let all: f64 = learned.iter().sum();
        if all <= 0.0 {
            return Ok(self.beliefs.clone());
        }
        learned.iter_mut().for_each(|belief| *belief /= all);
        Ok(learned)
    }
}
