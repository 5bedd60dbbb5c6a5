//! Positions won for the opponent, who is to move: our mean chance after the opponent's replies, weighted by the
//! model's probabilities.

use bouton_tables::{AskError, MoveSet, Solved};

use super::known_chances::{KnownChances, LineInduction};
use super::line_moves::LinePosition;
use super::sliding_sum::SlidingSum;
use crate::Playable;
use crate::models::stored_chance::{StoredChance, chance_to_move};
use crate::models::{Habit, Intention, Preference, WhenLost};

/// Sums carried along a line from one won position to the next.
#[derive(Debug)]
pub(super) struct ReplySums {
    /// One window for each line of [`PositionLine::next`](crate::families::PositionLine::next).
    windows: [Option<SlidingSum>; 2],
    /// Sums of the chances after all winning replies, by plan and kind.
    sums: Vec<f64>,
    /// The number of winning replies; `None` until count and sums are computed.
    count: Option<f64>,
    /// The positions after the intended moves.
    intended: Vec<LinePosition>,
}

/// The moves that an opponent intends.
enum IntendedMoves {
    AnyMove,
    AnyWinningMove,
    /// A move to one of the positions in `ReplySums::intended`.
    Listed,
}

impl ReplySums {
    pub(super) fn new<G: Playable>(induction: &LineInduction<G>, line: usize) -> Self {
        let line = &induction.lines[line];
        let reach = line.stay.min(line.limit).min(line.length);
        let windows = line.next.map(|next| next.map(|_| SlidingSum::new(reach, induction.per_position())));
        Self { windows, sums: vec![0.0; induction.per_position()], count: None, intended: Vec::new() }
    }

    /// Writes the stored chances of a won position to `output`, as
    /// [`after_replies`](crate::models::induction::after_replies) does reply by reply.
    pub(super) fn mean_chances<G: Playable, T: StoredChance>(
        &mut self,
        position: LinePosition,
        known: &KnownChances<G, T>,
        output: &mut [f64],
    ) -> Result<(), AskError> {
        output.fill(0.0);
        self.count = None;
        let induction = known.induction;
        let legal = f64::from(induction.moves(position).count());
        for (kind, model) in induction.opponents.kinds.iter().enumerate().filter(|_| legal > 0.0) {
            let plans = (kind..output.len()).step_by(induction.opponents.kinds.len());
            for (share, habit) in model.terms() {
                let intended = self.intended_moves(habit, induction, position)?;
                let slip = if matches!(intended, IntendedMoves::AnyMove) { 1.0 } else { habit.slip };
                let weight = share * (1.0 - slip);
                match intended {
                    IntendedMoves::AnyWinningMove if weight > 0.0 => {
                        let (count, sums) = self.winning_replies(position, known);
                        // A won position has a winning move, unless the table is wrong.
                        let weight = weight / count.max(1.0);
                        plans.clone().for_each(|at| output[at] += weight * sums[at]);
                    }
                    IntendedMoves::Listed if weight > 0.0 => {
                        let weight = weight / self.intended.len() as f64;
                        for at in plans.clone() {
                            let after = self.intended.iter().map(|&next| chance_to_move(known.at(next)[at]));
                            output[at] += weight * after.sum::<f64>();
                        }
                    }
                    _ => {}
                }
                if slip > 0.0 {
                    let (count, sums) = self.winning_replies(position, known);
                    // After a move that does not win, the chance is 1.
                    let mean = |at: usize| (legal - count + sums[at]) / legal;
                    plans.clone().for_each(|at| output[at] += share * slip * mean(at));
                }
            }
        }
        // The weights may add up to a little more than 1.
        output.iter_mut().for_each(|chance| *chance = -chance.clamp(0.0, 1.0));
        Ok(())
    }

    /// Finds the intended moves, all equally likely, as [`Habit::intended_moves`] does. Lists the positions after them
    /// in `self.intended` if it returns `Listed`.
    fn intended_moves<G: Playable>(
        &mut self,
        habit: &Habit,
        induction: &LineInduction<G>,
        (line, stones): LinePosition,
    ) -> Result<IntendedMoves, AskError> {
        self.intended.clear();
        let moves = induction.moves((line, stones));
        let first_move = || moves.after((1, 0));
        let seen_line = match habit.intention {
            Intention::Perfect => line,
            Intention::Misread => induction.lines[line].misread,
            Intention::FirstMove => {
                self.intended.push(first_move());
                return Ok(IntendedMoves::Listed);
            }
            Intention::Random => return Ok(IntendedMoves::AnyMove),
        };
        if seen_line == line && habit.prefers == Preference::Any {
            return Ok(IntendedMoves::AnyWinningMove);
        }
        // A move that is legal on the line that the player believes it sees is legal on the true line: their limits agree.
        let (believed, lost) = (induction.moves((seen_line, stones)), &induction.lost);
        let after = |chosen| moves.after(chosen);
        match habit.prefers {
            Preference::Any => self.intended.extend(believed.winning(lost).map(after)),
            Preference::First => self.intended.extend(believed.first_winning(lost).map(after)),
            Preference::Last => self.intended.extend(believed.last_winning(lost).map(after)),
            Preference::Fastest => {
                let (table, lines) = (induction.table, induction.position_lines);
                let answer = table.answer(&lines.position(seen_line, stones))?;
                if let Some(best) = answer.winning.first().and(answer.best) {
                    let next = table.game().after(&lines.position(line, stones), best);
                    self.intended.push(lines.line_and_stones(&next));
                }
            }
        }
        if self.intended.is_empty() {
            match habit.when_lost {
                WhenLost::Random => return Ok(IntendedMoves::AnyMove),
                WhenLost::FirstMove => self.intended.push(first_move()),
            }
        }
        Ok(IntendedMoves::Listed)
    }

    /// Returns the number of winning replies, and the sums of the chances after them.
    fn winning_replies<G: Playable, T: StoredChance>(
        &mut self,
        position: LinePosition,
        known: &KnownChances<G, T>,
    ) -> (f64, &[f64]) {
        if let Some(count) = self.count {
            return (count, &self.sums);
        }
        let (induction, per_position) = (known.induction, known.induction.per_position());
        let moves = induction.moves(position);
        self.sums.fill(0.0);
        let (mut count, window) = (0, moves.window());
        for (next, sum) in moves.line.next.iter().zip(&mut self.windows) {
            let (Some(next), Some(sum)) = (*next, sum) else { continue };
            let chances = known.line(next);
            let values = |stones: u32| {
                let from = stones as usize * per_position;
                induction.is_lost((next, stones)).then(|| &chances[from..from + per_position])
            };
            sum.slide_and_add(window.end, values, &mut self.sums);
            count += induction.lost[next].count_in(&window);
        }
        for chosen in moves.beyond_window().filter(|&chosen| moves.wins(&induction.lost, chosen)) {
            let chances = known.at(moves.after(chosen));
            self.sums.iter_mut().zip(chances).for_each(|(sum, &chance)| *sum += chance.into());
            count += 1;
        }
        (*self.count.insert(count.into()), &self.sums)
    }
}
