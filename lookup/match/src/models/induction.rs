//! The chances of the losing side, by backward induction.
//!
//! A player with a table wins every won position. So only lost positions need a chance: the probability that the
//! player to move still wins against an opponent who plays like the model.
//!
//! - The player makes the move with the greatest chance.
//! - The opponent, now in a won position, makes each reply with the model's probability. A reply that keeps the win
//!   leads to another lost position and its chance; any other reply gives the win away, so the chance is 1.
//!
//! Example: the opponent has four legal replies, of which one wins, and plays like `err:0.2`. If the winning reply
//! leads to a position with chance 0.1, the player's chance is 0.8 × 0.1 + 0.2 × (3 + 0.1) / 4 = 0.235.
//!
//! Every move leads to an earlier layer ([`PositionNumbering::layers`]). One pass over the layers is exact up to
//! rounding, and looks at each move of each position once. Where moves lead along lines
//! ([`PositionNumbering::position_lines`]), a pass over the lines is faster ([`by_lines`]).
//!
//! With several kinds of opponents, each plan (the best response to one kind, or to a mixture) has a chance against
//! each kind. One pass computes them all, because looking the moves up takes most of the time.

use std::io;

use bouton_tables::{AskError, MoveSet, Outcome, Solved, TooManyPositions};
use rayon::prelude::*;
use thiserror::Error;

use super::habit::Situation;
use super::stored_chance::{
    Opponents, StoredChance, chance_to_move, store, sum_waiting, tie_threshold, write_waiting,
};
use super::{Model, by_lines};
use crate::families::PositionNumbering;
use crate::{Playable, PreparationProgress, Solution};

/// Number of positions that a thread computes at a time.
const CHUNK: usize = 256;

/// Maximum memory of chances. A position takes at least four bytes, so numbers of stones fit into 32 bits.
const MAX_MEMORY: u64 = 2 << 30;

/// The reason why chances cannot be computed, opened or written.
#[derive(Debug, Error)]
pub enum ChancesError {
    /// There is not enough memory, the model does not fit the game, or the file does not fit the table.
    #[error("{0}")]
    Unfit(String),
    /// The table is damaged.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The file of chances cannot be made.
    #[error("cannot make the file of chances: {0}; let the player compute the chances on the spot")]
    Make(#[from] io::Error),
}

impl From<TooManyPositions> for ChancesError {
    fn from(error: TooManyPositions) -> Self {
        Self::Unfit(error.to_string())
    }
}

/// Returns an error if the chances take more than [`MAX_MEMORY`] or half of the available memory.
fn check_memory<T>(positions: u64, per_position: usize) -> Result<(), ChancesError> {
    let needed = positions.saturating_mul((per_position * size_of::<T>()) as u64);
    let max = MAX_MEMORY.min(bouton_memory::available() / 2);
    if needed <= max {
        return Ok(());
    }
    let (needed, max) = (bouton_memory::bytes_rounded_up(needed), bouton_memory::bytes(max));
    Err(ChancesError::Unfit(format!(
        "the chances of {positions} positions take {needed} of memory, and at most {max} may be taken; use a table \
         of a smaller game, a model with fewer kinds, or another policy"
    )))
}

/// Returns the chances by position number, then by plan, then by kind.
pub(super) fn chances<G: Playable, T: StoredChance>(
    solution: &Solution<G>,
    numbers: &G::Numbering,
    opponents: Opponents,
    progress: &dyn PreparationProgress,
) -> Result<Vec<T>, ChancesError> {
    opponents.kinds.iter().try_for_each(Model::check_fits::<G>).map_err(ChancesError::Unfit)?;
    let per_position = opponents.chances_per_position();
    check_memory::<T>(numbers.count(), per_position)?;
    let mut chances = vec![T::from_f64(0.0); numbers.count() as usize * per_position];
    progress.begin("chances", numbers.count());
    match numbers.position_lines() {
        Some(lines) => by_lines::chances::<G, T>(solution.get(), lines, opponents, &mut chances, progress)?,
        None => by_layers::<G, T>(solution.get(), numbers, opponents, &mut chances, progress)?,
    }
    Ok(chances)
}

/// Writes the chances layer by layer, which works for every game.
pub(super) fn by_layers<G: Playable, T: StoredChance>(
    table: &G::Table,
    numbers: &G::Numbering,
    opponents: Opponents,
    chances: &mut [T],
    progress: &dyn PreparationProgress,
) -> Result<(), AskError> {
    let per_position = opponents.chances_per_position();
    for layer in numbers.layers() {
        let earlier = EarlierLayers::<G, T> { table, numbers, opponents, chances };
        let results = layer.par_chunks(CHUNK).map(|chunk| {
            let mut output = vec![0.0; chunk.len() * per_position];
            let mut buffers = ReplyBuffers::<G>::default();
            for (position, output) in chunk.iter().zip(output.chunks_exact_mut(per_position)) {
                earlier.chances_at(position, output, &mut buffers)?;
            }
            Ok(output)
        });
        let results: Vec<Vec<f64>> = results.collect::<Result<_, AskError>>()?;
        let outputs = results.iter().flat_map(|output| output.chunks_exact(per_position));
        for (position, output) in layer.iter().zip(outputs) {
            let at = numbers.of(position) as usize * per_position;
            store(output, &mut chances[at..at + per_position]);
        }
        progress.advance(layer.len() as u64);
    }
    Ok(())
}

/// The chances of earlier layers: input for computing the next layer.
struct EarlierLayers<'a, G: Playable, T> {
    table: &'a G::Table,
    numbers: &'a G::Numbering,
    opponents: Opponents<'a>,
    chances: &'a [T],
}

/// Buffers reused for every position.
pub(super) struct ReplyBuffers<G: Playable> {
    intended: Vec<G::Move>,
    /// Sums of the chances after the intended moves.
    sums: Vec<f64>,
    /// Mean chances after all legal moves; empty until first needed.
    means: Vec<f64>,
}

impl<G: Playable> Default for ReplyBuffers<G> {
    fn default() -> Self {
        Self { intended: Vec::new(), sums: Vec::new(), means: Vec::new() }
    }
}

impl<G: Playable, T: StoredChance> EarlierLayers<'_, G, T> {
    fn after(&self, position: &G::Position, chosen: G::Move) -> &[T] {
        let per_position = self.opponents.chances_per_position();
        let number = self.numbers.of(&self.table.game().after(position, chosen));
        &self.chances[number as usize * per_position..][..per_position]
    }

    /// Writes the chances of a position to `output`, in the stored form: if the position is lost, the chances of the player
    /// to move; if it is won, the chances of the other player, with a minus sign.
    fn chances_at(
        &self,
        position: &G::Position,
        output: &mut [f64],
        buffers: &mut ReplyBuffers<G>,
    ) -> Result<(), AskError> {
        let situation = Situation::<G>::new(self.table, position)?;
        if situation.answer.verdict.outcome == Outcome::Loss {
            self.best_responses(position, output);
            return Ok(());
        }
        output.fill(0.0);
        if situation.answer.best.is_some() {
            let after = |chosen| {
                let next = self.after(position, chosen);
                Ok(move |at: usize| chance_to_move(next[at]))
            };
            after_replies::<G, _>(&situation, self.opponents.kinds, &after, buffers, output)?;
        }
        output.iter_mut().for_each(|chance| *chance = -*chance);
        Ok(())
    }

    /// Writes the chances of a lost position after each plan's best move. Among equally good moves, a plan makes the
    /// one with the greatest sum of chances over all kinds.
    fn best_responses(&self, position: &G::Position, output: &mut [f64]) {
        let n = self.opponents.kinds.len();
        let after: Vec<&[T]> =
            self.table.game().moves(position).map(|chosen| self.after(position, chosen)).collect();
        for (plan, output) in output.chunks_exact_mut(n).enumerate() {
            let chances_of_plan = || after.iter().map(|chances| &chances[plan * n..][..n]);
            let weighted = |chances: &[T]| self.opponents.weighted(plan, chances);
            let max = chances_of_plan()
                .map(weighted)
                .fold(T::from_f64(0.0), |max, chance| if chance > max { chance } else { max });
            let least = tie_threshold(max);
            let mut best_sum = T::from_f64(-1.0);
            for chances in chances_of_plan() {
                let sum = sum_waiting(chances);
                if weighted(chances) >= least && sum > best_sum {
                    best_sum = sum;
                    write_waiting(chances, output);
                }
            }
        }
    }
}

/// Adds to `output`, by plan, then by kind, the chances of the waiting player in a position that is won for the player
/// to move and has moves. `after` returns the chances of the player to move after a reply, in the same order.
pub(super) fn after_replies<G: Playable, C: Fn(usize) -> f64>(
    situation: &Situation<G>,
    kinds: &[Model],
    after: &impl Fn(G::Move) -> Result<C, AskError>,
    buffers: &mut ReplyBuffers<G>,
    output: &mut [f64],
) -> Result<(), AskError> {
    let Situation { table, position, ref answer } = *situation;
    buffers.means.clear();
    for (kind, model) in kinds.iter().enumerate() {
        let plans = (kind..output.len()).step_by(kinds.len());
        for (share, habit) in model.terms() {
            habit.intended_moves::<G>(situation, &mut buffers.intended)?;
            let slip = if buffers.intended.is_empty() { 1.0 } else { habit.slip };
            let per_move = share * (1.0 - slip) / buffers.intended.len().max(1) as f64;
            buffers.sums.clear();
            buffers.sums.resize(output.len(), 0.0);
            for &chosen in buffers.intended.iter().filter(|_| per_move > 0.0) {
                let next = after(chosen)?;
                plans.clone().for_each(|at| buffers.sums[at] += next(at));
            }
            plans.clone().for_each(|at| output[at] += per_move * buffers.sums[at]);
            if slip > 0.0 {
                if buffers.means.is_empty() {
                    // After a move that does not win, the chance is 1.
                    buffers.means.resize(output.len(), 0.0);
                    for chosen in answer.winning.iter() {
                        let next = after(chosen)?;
                        buffers.means.iter_mut().enumerate().for_each(|(at, sum)| *sum += next(at));
                    }
                    let legal = table.game().moves(position).count() as f64;
                    let not_winning = legal - answer.winning.len() as f64;
                    buffers.means.iter_mut().for_each(|sum| *sum = (not_winning + *sum) / legal);
                }
                plans.clone().for_each(|at| output[at] += share * slip * buffers.means[at]);
            }
        }
    }
    // The weights may add up to a little more than 1.
    output.iter_mut().for_each(|chance| *chance = chance.clamp(0.0, 1.0));
    Ok(())
}
