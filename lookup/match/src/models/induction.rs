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
//! Every move leads to an earlier layer ([`Numbers::layers`]). One pass over the layers is exact up to rounding, and
//! looks at each move of each position once. Where moves lead along lines ([`Numbers::lines`]), a pass over the lines
//! is faster ([`by_lines`]).
//!
//! With several kinds of opponents, each plan (the best response to one kind, or to a mixture) has a chance against
//! each kind. One pass computes all of them together, because looking the moves up takes most of the time.

use bouton_tables::{AskError, MoveSet, Outcome, Solved};
use rayon::prelude::*;

use super::habit::Situation;
use super::stored_chance::{Opponents, StoredChance, sum_waiting, tie_threshold, to_move, waiting};
use super::{ChancesError, Model, by_lines};
use crate::families::PositionNumbering;
use crate::{Numbered, PreparationProgress, Solution, Stage};

/// Number of positions that a thread computes at a time.
const CHUNK: usize = 256;

/// The most memory that chances may take, in bytes.
const MOST_MEMORY: u64 = 2 << 30;

/// Returns an error if the chances take more than [`MOST_MEMORY`], or more than half of the available memory.
fn check_memory<T>(positions: u64, each: usize) -> Result<(), ChancesError> {
    let needed = positions.saturating_mul((each * size_of::<T>()) as u64);
    let most = MOST_MEMORY.min(bouton_memory::available() / 2);
    if needed <= most {
        return Ok(());
    }
    let (needed, most) = (bouton_memory::bytes_enough(needed), bouton_memory::bytes(most));
    Err(ChancesError::Unfit(format!(
        "the chances of {positions} positions take {needed} of memory, and at most {most} may be taken; use a table \
         of a smaller game, a model with fewer kinds, or another policy"
    )))
}

/// Returns the chances by position number, then by plan, then by kind.
///
/// # Errors
/// If a kind does not fit the game, there is not enough memory, or the table is damaged.
pub(super) fn chances<G: Numbered, T: StoredChance>(
    solution: &Solution<G>,
    numbers: &G::Numbering,
    opponents: Opponents,
    watch: &dyn PreparationProgress,
) -> Result<Vec<T>, ChancesError> {
    opponents.kinds.iter().try_for_each(Model::check_family::<G>)?;
    let each = opponents.each();
    check_memory::<T>(numbers.count(), each)?;
    let mut chances = vec![T::of(0.0); numbers.count() as usize * each];
    watch.begin(Stage::Chances, numbers.count());
    match numbers.lines() {
        Some(lines) => by_lines::chances::<G, T>(solution.get(), lines, opponents, &mut chances, watch)?,
        None => by_layers::<G, T>(solution.get(), numbers, opponents, &mut chances, watch)?,
    }
    Ok(chances)
}

/// Writes the chances layer by layer, which works for every game.
pub(super) fn by_layers<G: Numbered, T: StoredChance>(
    table: &G::Table,
    numbers: &G::Numbering,
    opponents: Opponents,
    chances: &mut [T],
    watch: &dyn PreparationProgress,
) -> Result<(), AskError> {
    let each = opponents.each();
    for layer in numbers.layers() {
        let earlier = EarlierLayers::<G, T> { table, numbers, opponents, chances };
        let of_layer = layer.par_chunks(CHUNK).map(|some| {
            let mut found = vec![0.0; some.len() * each];
            let mut buffers = ReplyBuffers::<G>::default();
            for (position, found) in some.iter().zip(found.chunks_exact_mut(each)) {
                earlier.chances_at(position, found, &mut buffers)?;
            }
            Ok(found)
        });
        let of_layer: Vec<Vec<f64>> = of_layer.collect::<Result<_, AskError>>()?;
        for (some, found) in layer.chunks(CHUNK).zip(of_layer) {
            for (position, found) in some.iter().zip(found.chunks_exact(each)) {
                let at = numbers.of(position) as usize * each;
                chances[at..at + each]
                    .iter_mut()
                    .zip(found)
                    .for_each(|(chance, &found)| *chance = T::of(found));
            }
        }
        watch.advance(layer.len() as u64);
    }
    Ok(())
}

struct EarlierLayers<'a, G: Numbered, T> {
    table: &'a G::Table,
    numbers: &'a G::Numbering,
    opponents: Opponents<'a>,
    chances: &'a [T],
}

/// Buffers reused for every position.
pub(super) struct ReplyBuffers<G: Numbered> {
    intended: Vec<G::Move>,
    /// Sums of the chances after the intended moves.
    sums: Vec<f64>,
    /// Mean chances over all legal moves; empty until first needed.
    by_chance: Vec<f64>,
}

impl<G: Numbered> Default for ReplyBuffers<G> {
    fn default() -> Self {
        Self { intended: Vec::new(), sums: Vec::new(), by_chance: Vec::new() }
    }
}

impl<G: Numbered, T: StoredChance> EarlierLayers<'_, G, T> {
    fn after(&self, position: &G::Position, chosen: G::Move) -> &[T] {
        let each = self.opponents.each();
        let number = self.numbers.of(&self.table.game().after(position, chosen));
        &self.chances[number as usize * each..][..each]
    }

    /// Writes the chances of a position, in the stored form, to `found`.
    fn chances_at(
        &self,
        position: &G::Position,
        found: &mut [f64],
        buffers: &mut ReplyBuffers<G>,
    ) -> Result<(), AskError> {
        let answer = self.table.answer(position)?;
        if answer.verdict.outcome == Outcome::Loss {
            self.best_responses(position, found);
            return Ok(());
        }
        found.fill(0.0);
        if answer.best.is_some() {
            let situation = Situation { table: self.table, position, answer: &answer };
            let after = |chosen| {
                let next = self.after(position, chosen);
                Ok(move |at: usize| to_move(next[at]))
            };
            after_replies::<G, _>(&situation, self.opponents.kinds, &after, buffers, found)?;
        }
        found.iter_mut().for_each(|chance| *chance = -*chance);
        Ok(())
    }

    /// Writes the chances of a lost position after each plan's best move. Of equally good moves, a plan makes the one
    /// with the greatest sum of chances over all kinds.
    fn best_responses(&self, position: &G::Position, found: &mut [f64]) {
        let n = self.opponents.kinds.len();
        let after: Vec<&[T]> =
            self.table.game().moves(position).map(|chosen| self.after(position, chosen)).collect();
        for (plan, found) in found.chunks_exact_mut(n).enumerate() {
            let of_plan = || after.iter().map(|chances| &chances[plan * n..][..n]);
            let weighted = |chances: &[T]| self.opponents.weighted(plan, chances);
            let most = of_plan()
                .map(weighted)
                .fold(T::of(0.0), |most, chance| if chance > most { chance } else { most });
            let least = tie_threshold(most);
            let mut best_sum = T::of(-1.0);
            for chances in of_plan() {
                let sum = sum_waiting(chances);
                if weighted(chances) >= least && sum > best_sum {
                    best_sum = sum;
                    found.iter_mut().zip(chances).for_each(|(found, &stored)| *found = waiting(stored));
                }
            }
        }
    }
}

/// Computes the chances of the waiting player in a position that is won for the player to move and has moves: by
/// plan, then by kind. `after` returns the chances of the player to move after a reply, in the same order.
pub(super) fn after_replies<G: Numbered, C: Fn(usize) -> f64>(
    situation: &Situation<G>,
    kinds: &[Model],
    after: &impl Fn(G::Move) -> Result<C, AskError>,
    buffers: &mut ReplyBuffers<G>,
    found: &mut [f64],
) -> Result<(), AskError> {
    let Situation { table, position, answer } = *situation;
    buffers.by_chance.clear();
    for (kind, model) in kinds.iter().enumerate() {
        let plans = (kind..found.len()).step_by(kinds.len());
        for (share, habit) in model.terms() {
            habit.intended_moves::<G>(situation, &mut buffers.intended)?;
            let slips = if buffers.intended.is_empty() { 1.0 } else { habit.slip };
            let part = share * (1.0 - slips) / buffers.intended.len().max(1) as f64;
            buffers.sums.clear();
            buffers.sums.resize(found.len(), 0.0);
            for &chosen in buffers.intended.iter().filter(|_| part > 0.0) {
                let next = after(chosen)?;
                plans.clone().for_each(|at| buffers.sums[at] += next(at));
            }
            plans.clone().for_each(|at| found[at] += part * buffers.sums[at]);
            if slips > 0.0 {
                if buffers.by_chance.is_empty() {
                    // After a move that does not win, the chance is 1.
                    buffers.by_chance.resize(found.len(), 0.0);
                    for chosen in answer.winning.iter() {
                        let next = after(chosen)?;
                        buffers.by_chance.iter_mut().enumerate().for_each(|(at, sum)| *sum += next(at));
                    }
                    let legal = table.game().moves(position).count() as f64;
                    let others = legal - answer.winning.len() as f64;
                    buffers.by_chance.iter_mut().for_each(|sum| *sum = (others + *sum) / legal);
                }
                plans.clone().for_each(|at| found[at] += share * slips * buffers.by_chance[at]);
            }
        }
    }
    // The weights may add up to a little more than 1.
    found.iter_mut().for_each(|chance| *chance = chance.clamp(0.0, 1.0));
    Ok(())
}
