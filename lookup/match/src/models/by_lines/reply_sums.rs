//! Won positions: the mean chance after the opponent's replies, weighted by the model's probabilities.

use bouton_tables::{AskError, MoveSet, Solved};

use super::known_chances::{KnownChances, LineInduction};
use super::line_moves::{LineMoves, LinePosition};
use super::sliding_sum::SlidingSum;
use crate::Numbered;
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
    pub(super) fn new<G: Numbered>(induction: &LineInduction<G>, line: usize) -> Self {
        let line = &induction.lines[line];
        let reach = line.stay.min(line.limit).min(line.length);
        let windows = line.next.map(|next| next.map(|_| SlidingSum::new(reach, induction.per_position())));
        Self { windows, sums: vec![0.0; induction.per_position()], count: None, intended: Vec::new() }
    }

    /// Writes the stored chances of a won position to `output`, as
    /// [`after_replies`](crate::models::induction::after_replies) does reply by reply.
    pub(super) fn mean_chances<G: Numbered, T: StoredChance>(
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
                    plans
                        .clone()
                        .for_each(|at| output[at] += share * slip * ((legal - count + sums[at]) / legal));
                }
            }
        }
        // The weights may add up to a little more than 1.
        output.iter_mut().for_each(|chance| *chance = -chance.clamp(0.0, 1.0));
        Ok(())
    }

    /// Finds the intended moves, all equally likely, as [`Habit::intended_moves`] does. Lists the positions after them
    /// in `self.intended` if it returns `Listed`.
    fn intended_moves<G: Numbered>(
        &mut self,
        habit: &Habit,
        induction: &LineInduction<G>,
        (line, stones): LinePosition,
    ) -> Result<IntendedMoves, AskError> {
        self.intended.clear();
        let moves = induction.moves((line, stones));
        let seen_line = match habit.intention {
            Intention::Perfect => line,
            Intention::Misread => induction.lines[line].misread,
            Intention::FirstMove => {
                self.intended.push(moves.after((1, 0)));
                return Ok(IntendedMoves::Listed);
            }
            Intention::Random => return Ok(IntendedMoves::AnyMove),
        };
        if seen_line == line && habit.prefers == Preference::Any {
            return Ok(IntendedMoves::AnyWinningMove);
        }
        // A move that is legal on the line that the player believes to see is legal: both lines have the same limit.
        let believed_moves = induction.moves((seen_line, stones));
        let after = |chosen| moves.after(chosen);
        match habit.prefers {
            Preference::Any => self.intended.extend(believed_moves.winning(&induction.lost).map(after)),
            Preference::First => {
                self.intended.extend(believed_moves.first_winning(&induction.lost).map(after));
            }
            Preference::Last => self.intended.extend(believed_moves.last_winning(&induction.lost).map(after)),
            Preference::Fastest => {
                let answer = induction.table.answer(&induction.position_lines.position(seen_line, stones))?;
                let best = answer.winning.first().and(answer.best);
                let after = |best| {
                    induction.table.game().after(&induction.position_lines.position(line, stones), best)
                };
                self.intended.extend(best.map(|best| induction.position_lines.line_and_stones(&after(best))));
            }
        }
        Ok(match (self.intended.is_empty(), habit.when_lost) {
            (false, _) => IntendedMoves::Listed,
            (true, WhenLost::Random) => IntendedMoves::AnyMove,
            (true, WhenLost::FirstMove) => {
                self.intended.push(moves.after((1, 0)));
                IntendedMoves::Listed
            }
        })
    }

    /// Returns the number of winning replies, and the sums of the chances after them.
    fn winning_replies<G: Numbered, T: StoredChance>(
        &mut self,
        position: LinePosition,
        known: &KnownChances<G, T>,
    ) -> (f64, &[f64]) {
        let count = match self.count {
            Some(count) => count,
            None => f64::from(self.add_up(&known.induction.moves(position), known)),
        };
        self.count = Some(count);
        (count, &self.sums)
    }

    /// Computes the sums, and returns the number of winning replies.
    fn add_up<G: Numbered, T: StoredChance>(&mut self, moves: &LineMoves, known: &KnownChances<G, T>) -> u32 {
        let (induction, per_position) = (known.induction, known.induction.per_position());
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
        count
    }
}
