//! The chances of the losing side by backward induction.
//!
//! A player with a won position wins for certain. So it is enough to know, for every lost position, the chance of the
//! player to move against an opponent who plays like a model:
//!
//! - The player makes the move with the greatest chance.
//! - The opponent, now in a won position, makes each reply with the model's probability. After a reply that keeps the
//!   win, the chance is that of the lost position reached; after any other reply it is 1.
//!
//! Every move leads to an earlier layer ([`Numbers::layers`]), so one pass over the layers computes this exactly, up to
//! rounding. Where moves lead along lines ([`Numbers::lines`]), a pass over the lines is faster ([`by_lines`]).
//!
//! Of several kinds of opponents, each with a model, the best response to one has a chance against each of the others, too.
//! The pass computes the chances of all plans against all kinds together, since what takes time is to look the moves up.

use bouton_tables::{AskError, MoveSet, Outcome, Solved};
use rayon::prelude::*;

use super::habit::Situation;
use super::stored::{Opponents, Stored, least_equal, sum_waiting, to_move, waiting};
use super::{ChancesError, Model, by_lines};
use crate::families::Numbers;
use crate::{Numbered, Solution, Stage, Watch};

/// Positions that a thread takes at once.
const AT_ONCE: usize = 256;

/// The most memory that chances may take, in bytes.
const MOST_MEMORY: u64 = 2 << 30;

/// Checks that chances take no more than [`MOST_MEMORY`], nor more than half of the memory that is available.
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

/// For every position by its number, and for each plan, the chance against each of the kinds.
///
/// # Errors
/// If a kind does not fit the game, there is not enough memory, or the table is damaged.
pub(super) fn chances<G: Numbered, T: Stored>(
    solution: &Solution<G>,
    numbers: &G::Numbers,
    opponents: Opponents,
    watch: &dyn Watch,
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

/// Writes the chances, layer by layer. This is how it is done for any game.
pub(super) fn by_layers<G: Numbered, T: Stored>(
    table: &G::Table,
    numbers: &G::Numbers,
    opponents: Opponents,
    chances: &mut [T],
    watch: &dyn Watch,
) -> Result<(), AskError> {
    let each = opponents.each();
    for layer in numbers.layers() {
        let earlier = Earlier::<G, T> { table, numbers, opponents, chances };
        let of_layer = layer.par_chunks(AT_ONCE).map(|some| {
            let mut found = vec![0.0; some.len() * each];
            let mut work = Work::<G>::default();
            for (position, found) in some.iter().zip(found.chunks_exact_mut(each)) {
                earlier.chances_at(position, found, &mut work)?;
            }
            Ok(found)
        });
        let of_layer: Vec<Vec<f64>> = of_layer.collect::<Result<_, AskError>>()?;
        for (some, found) in layer.chunks(AT_ONCE).zip(of_layer) {
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

/// What is known while a layer is computed.
struct Earlier<'a, G: Numbered, T> {
    table: &'a G::Table,
    numbers: &'a G::Numbers,
    opponents: Opponents<'a>,
    chances: &'a [T],
}

/// Space that is used again for each position.
pub(super) struct Work<G: Numbered> {
    meant: Vec<G::Move>,
    /// Sums of the chances after the moves that are meant.
    sums: Vec<f64>,
    /// The chances after any legal move, all equally likely; empty until they are asked for.
    by_chance: Vec<f64>,
}

impl<G: Numbered> Default for Work<G> {
    fn default() -> Self {
        Self { meant: Vec::new(), sums: Vec::new(), by_chance: Vec::new() }
    }
}

impl<G: Numbered, T: Stored> Earlier<'_, G, T> {
    fn after(&self, position: &G::Position, chosen: G::Move) -> &[T] {
        let each = self.opponents.each();
        let number = self.numbers.of(&self.table.game().after(position, chosen));
        &self.chances[number as usize * each..][..each]
    }

    /// The chances as they are stored.
    fn chances_at(
        &self,
        position: &G::Position,
        found: &mut [f64],
        work: &mut Work<G>,
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
            after_replies::<G, _>(&situation, self.opponents.kinds, &after, work, found)?;
        }
        found.iter_mut().for_each(|chance| *chance = -*chance);
        Ok(())
    }

    /// Of a lost position. For each plan the best move; of equal ones, that with the best sum over all kinds.
    fn best_responses(&self, position: &G::Position, found: &mut [f64]) {
        let n = self.opponents.kinds.len();
        let after: Vec<&[T]> =
            self.table.game().moves(position).map(|chosen| self.after(position, chosen)).collect();
        for (plan, found) in found.chunks_exact_mut(n).enumerate() {
            let of_plan = || after.iter().map(|chances| &chances[plan * n..][..n]);
            let own = |chances: &[T]| self.opponents.own(plan, chances);
            let most = of_plan().map(own).fold(T::of(0.0), |most, own| if own > most { own } else { most });
            let least = least_equal(most);
            let mut best_sum = T::of(-1.0);
            for chances in of_plan() {
                let sum = sum_waiting(chances);
                if own(chances) >= least && sum > best_sum {
                    best_sum = sum;
                    found.iter_mut().zip(chances).for_each(|(found, &stored)| *found = waiting(stored));
                }
            }
        }
    }
}

/// Adds up the chances of the other player after a reply, in a position that is won for the player who replies and has
/// moves: by plan, then by kind. `after` gives the chances of the player to move after a reply, in the same order.
pub(super) fn after_replies<G: Numbered, C: Fn(usize) -> f64>(
    situation: &Situation<G>,
    kinds: &[Model],
    after: &impl Fn(G::Move) -> Result<C, AskError>,
    work: &mut Work<G>,
    found: &mut [f64],
) -> Result<(), AskError> {
    let Situation { table, position, answer } = *situation;
    work.by_chance.clear();
    for (kind, model) in kinds.iter().enumerate() {
        let plans = (kind..found.len()).step_by(kinds.len());
        for (share, habit) in model.terms() {
            habit.means::<G>(situation, &mut work.meant)?;
            let slips = if work.meant.is_empty() { 1.0 } else { habit.slip };
            let part = share * (1.0 - slips) / work.meant.len().max(1) as f64;
            work.sums.clear();
            work.sums.resize(found.len(), 0.0);
            for &chosen in work.meant.iter().filter(|_| part > 0.0) {
                let next = after(chosen)?;
                plans.clone().for_each(|at| work.sums[at] += next(at));
            }
            plans.clone().for_each(|at| found[at] += part * work.sums[at]);
            if slips > 0.0 {
                if work.by_chance.is_empty() {
                    // Every move that does not win gives the win away.
                    work.by_chance.resize(found.len(), 0.0);
                    for chosen in answer.winning.iter() {
                        let next = after(chosen)?;
                        work.by_chance.iter_mut().enumerate().for_each(|(at, sum)| *sum += next(at));
                    }
                    let legal = table.game().moves(position).count() as f64;
                    let others = legal - answer.winning.len() as f64;
                    work.by_chance.iter_mut().for_each(|sum| *sum = (others + *sum) / legal);
                }
                plans.clone().for_each(|at| found[at] += share * slips * work.by_chance[at]);
            }
        }
    }
    // The weights may add up to a little more than 1.
    found.iter_mut().for_each(|chance| *chance = chance.clamp(0.0, 1.0));
    Ok(())
}
