//! The player that knows the table: it wins what is won, and plays what is lost by its policy.

use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

use bouton_lookup::best_move;
use bouton_tables::{AskError, Outcome, Solved};
use rayon::prelude::*;

use super::policy::{Policy, usual_opponents};
use crate::models::{Chances, ChancesError, Model};
use crate::{Choice, Failure, Family, Player, Ply, Side, Solution, Turn};

/// Chances that differ by no more than this are equal: the rest is rounding.
const SAME: f64 = 1e-12;

/// Makes players that share a table, and what was computed from it beforehand.
#[derive(Debug)]
pub struct TableMaker<F: Family> {
    solution: Solution<F>,
    plan: Plan<F>,
}

/// A policy, with what it needs.
#[derive(Debug)]
enum Plan<F: Family> {
    Known(bouton_lookup::Policy),
    TakesOne,
    Random,
    Resets,
    /// The chances against each kind of opponent, and how likely he is of that kind before his first move.
    Swindle(Arc<[(f64, Chances<F>)]>),
}

impl<F: Family> Clone for Plan<F> {
    fn clone(&self) -> Self {
        match self {
            Self::Known(policy) => Self::Known(*policy),
            Self::TakesOne => Self::TakesOne,
            Self::Random => Self::Random,
            Self::Resets => Self::Resets,
            Self::Swindle(kinds) => Self::Swindle(Arc::clone(kinds)),
        }
    }
}

impl<F: Family> TableMaker<F> {
    /// Computes what the policy needs: for the best response to a model, its chances.
    ///
    /// # Errors
    /// If the chances cannot be computed, or not be read.
    pub fn new(solution: Solution<F>, policy: &Policy) -> Result<Self, ChancesError> {
        let plan = match policy {
            Policy::Longest => Plan::Known(bouton_lookup::Policy::Longest),
            Policy::Trap => Plan::Known(bouton_lookup::Policy::Trap),
            Policy::TakesOne => Plan::TakesOne,
            Policy::Random => Plan::Random,
            Policy::Resets => Plan::Resets,
            Policy::Swindle(model) => Plan::Swindle([(1.0, Chances::compute(&solution, model)?)].into()),
            Policy::SwindleFrom(file) => Plan::Swindle([(1.0, Chances::open(&solution, file)?)].into()),
            Policy::Adapt(model) => {
                let resets = solution.get().game().can_be_misread();
                let model = model.clone().unwrap_or_else(|| usual_opponents(resets));
                let kinds = model
                    .terms()
                    .par_iter()
                    .map(|&(share, habit)| Ok((share, Chances::compute(&solution, &Model::from(habit))?)));
                Plan::Swindle(kinds.collect::<Result<Vec<_>, ChancesError>>()?.into())
            }
        };
        Ok(Self { solution, plan })
    }

    /// A player for one game. The seed decides all that the policy leaves to chance.
    #[must_use]
    pub fn player(&self, seed: u64) -> TablePlayer<F> {
        TablePlayer {
            solution: self.solution.clone(),
            plan: self.plan.clone(),
            side: Side::First,
            beliefs: Vec::new(),
            rng: fastrand::Rng::with_seed(seed),
        }
    }
}

/// Plays one game from a table.
#[derive(Debug)]
pub struct TablePlayer<F: Family> {
    solution: Solution<F>,
    plan: Plan<F>,
    side: Side,
    /// How likely the opponent is of each kind, after what he played.
    beliefs: Vec<f64>,
    rng: fastrand::Rng,
}

impl<F: Family> Player<F> for TablePlayer<F> {
    fn begin(&mut self, side: Side, start: &F::Position) -> Result<(), Failure> {
        // A table that does not cover the start covers nothing that follows; one that does covers all.
        self.solution.get().verdict(start)?;
        self.side = side;
        if let Plan::Swindle(kinds) = &self.plan {
            self.beliefs = kinds.iter().map(|(share, _)| *share).collect();
        }
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<F>) -> Result<Choice<F::Move>, Failure> {
        let table = self.solution.get();
        let answer = table.answer(turn.position)?;
        let mut moves = turn.game.moves(turn.position);
        let best = match (&self.plan, answer.verdict.outcome) {
            (_, Outcome::Win) => answer.best,
            (Plan::Known(policy), _) => best_move(table, turn.position, &answer, *policy)?,
            (Plan::TakesOne, _) => moves.next(),
            (Plan::Random, _) => {
                let number = self.rng.usize(..turn.game.moves(turn.position).count());
                moves.nth(number)
            }
            (Plan::Resets, _) => {
                let first = moves.next().and_then(F::with_reset);
                first.filter(|&reset| turn.game.is_legal(turn.position, reset)).or(answer.best)
            }
            (Plan::Swindle(_), _) => self.best_response(turn)?,
        };
        Ok(Choice::Move(best.expect("whoever is asked has a move")))
    }

    fn saw(&mut self, ply: &Ply<F>, by: Side) {
        if by != self.side
            && let Plan::Swindle(kinds) = &self.plan
            && kinds.len() > 1
        {
            // A table that fails here fails at the next question too, which says so.
            if let Ok(beliefs) = learn::<F>(self.solution.get(), kinds, &self.beliefs, ply) {
                self.beliefs = beliefs;
            }
        }
    }
}

impl<F: Family> TablePlayer<F> {
    /// The chance to win after a move in a lost position, and the depth that it leads to.
    fn chance_after(&self, next: &F::Position) -> Result<f64, AskError> {
        let Plan::Swindle(kinds) = &self.plan else { return Ok(0.0) };
        let mut sum = 0.0;
        for ((_, chances), belief) in kinds.iter().zip(&self.beliefs) {
            if *belief > 0.0 {
                sum += belief * chances.waiting(self.solution.get(), next)?;
            }
        }
        Ok(sum)
    }

    /// The move with the best chance. Of several the one that loses latest, then the one that takes fewest
    /// stones, then the first one.
    fn best_response(&self, turn: &Turn<F>) -> Result<Option<F::Move>, AskError> {
        let table = self.solution.get();
        let mut best = None;
        for chosen in turn.game.moves(turn.position) {
            let next = turn.game.after(turn.position, chosen);
            let chance = self.chance_after(&next)?;
            let rest = || -> Result<_, AskError> {
                Ok((Reverse(table.verdict(&next)?.depth), turn.game.stones_taken(chosen)))
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
}

/// Bayes' rule: how likely the opponent is of each kind, after a move that he made. A move that no kind would
/// make teaches nothing.
fn learn<F: Family>(
    table: &F::Table,
    kinds: &[(f64, Chances<F>)],
    beliefs: &[f64],
    ply: &Ply<F>,
) -> Result<Vec<f64>, AskError> {
    let mut learned = Vec::with_capacity(beliefs.len());
    for ((_, chances), belief) in kinds.iter().zip(beliefs) {
        learned.push(belief * chances.model().likelihood::<F>(table, &ply.before, ply.chosen)?);
    }
    let all: f64 = learned.iter().sum();
    if all <= 0.0 {
        return Ok(beliefs.to_vec());
    }
    learned.iter_mut().for_each(|belief| *belief /= all);
    Ok(learned)
}
