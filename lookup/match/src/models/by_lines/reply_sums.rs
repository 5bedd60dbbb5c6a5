//! Won positions: the mean chance after the opponent's replies, weighted by the model's probabilities.

use bouton_tables::{AskError, MoveSet, Solved};

use super::line_moves::{LineMoves, LinePosition};
use super::sliding_sum::SlidingSum;
use super::{KnownChances, Pass};
use crate::Numbered;
use crate::models::stored_chance::{StoredChance, to_move};
use crate::models::{Habit, Intention, Preference, WhenLost};

/// Sums carried along a line from one won position to the next.
#[derive(Debug)]
pub(super) struct ReplySums {
    winning: WinningReplies,
    intended: Vec<LinePosition>,
}

/// The moves that an opponent intends.
enum IntendedMoves {
    /// Any legal move.
    AnyMove,
    /// Any winning move.
    AnyWinning,
    /// A move to one of the positions in `ReplySums::intended`.
    Positions,
}

impl ReplySums {
    pub(super) fn new<G: Numbered>(pass: &Pass<G>, line: usize) -> Self {
        Self { winning: WinningReplies::new(pass, line), intended: Vec::new() }
    }

    /// Writes the stored chances of a won position to `found`: adds up the chances after each reply, as
    /// [`after_replies`](crate::models::induction::after_replies) does move by move.
    pub(super) fn weigh<G: Numbered, T: StoredChance>(
        &mut self,
        pass: &Pass<G>,
        place: LinePosition,
        known: &KnownChances<T>,
        found: &mut [f64],
    ) -> Result<(), AskError> {
        found.fill(0.0);
        self.winning.count = None;
        let legal = f64::from(LineMoves::new(&pass.all[place.0], place.1).count());
        for (kind, model) in pass.opponents.kinds.iter().enumerate().filter(|_| legal > 0.0) {
            let plans = (kind..found.len()).step_by(pass.opponents.kinds.len());
            for (share, habit) in model.terms() {
                let intended = self.intended_moves(habit, pass, place)?;
                let slips = if matches!(intended, IntendedMoves::AnyMove) { 1.0 } else { habit.slip };
                let part = share * (1.0 - slips);
                match intended {
                    IntendedMoves::AnyWinning if part > 0.0 => {
                        let (count, sums) = self.winning.sums(pass, place, known);
                        // A won position has a winning move, unless the table is forged.
                        let part = part / count.max(1.0);
                        plans.clone().for_each(|at| found[at] += part * sums[at]);
                    }
                    IntendedMoves::Positions if part > 0.0 => {
                        let part = part / self.intended.len() as f64;
                        for at in plans.clone() {
                            let after = self.intended.iter().map(|&next| to_move(known.at(next)[at]));
                            found[at] += part * after.sum::<f64>();
                        }
                    }
                    _ => {}
                }
                if slips > 0.0 {
                    let (count, sums) = self.winning.sums(pass, place, known);
                    // After a move that does not win, the chance is 1.
                    plans
                        .clone()
                        .for_each(|at| found[at] += share * slips * ((legal - count + sums[at]) / legal));
                }
            }
        }
        // The weights may add up to a little more than 1.
        found.iter_mut().for_each(|chance| *chance = -chance.clamp(0.0, 1.0));
        Ok(())
    }

    /// Finds the intended moves, all equally likely, as [`Habit::intended_moves`] does. Lists the positions after
    /// them in `self.intended`, except for the first two kinds.
    fn intended_moves<G: Numbered>(
        &mut self,
        habit: &Habit,
        pass: &Pass<G>,
        (line, stones): LinePosition,
    ) -> Result<IntendedMoves, AskError> {
        self.intended.clear();
        let seen = match habit.intention {
            Intention::Table => line,
            Intention::Misread => pass.all[line].believed,
            Intention::TakesOne => {
                self.intended.push(LineMoves::new(&pass.all[line], stones).after((1, 0)));
                return Ok(IntendedMoves::Positions);
            }
            Intention::Random => return Ok(IntendedMoves::AnyMove),
        };
        if seen == line && habit.prefers == Preference::Any {
            return Ok(IntendedMoves::AnyWinning);
        }
        let moves = LineMoves::new(&pass.all[line], stones);
        // A move that the player believes to be legal is legal, because the limit is the same on both lines.
        let seen_moves = LineMoves::new(&pass.all[seen], stones);
        let after = |step| moves.after(step);
        match habit.prefers {
            Preference::Any => self.intended.extend(seen_moves.winning(&pass.lost).map(after)),
            Preference::First => self.intended.extend(seen_moves.first_winning(&pass.lost).map(after)),
            Preference::Last => self.intended.extend(seen_moves.last_winning(&pass.lost).map(after)),
            Preference::Fastest => {
                let answer = pass.table.answer(&pass.lines.position(seen, stones))?;
                let best = answer.winning.first().and(answer.best);
                let after = |best| pass.table.game().after(&pass.lines.position(line, stones), best);
                self.intended.extend(best.map(|best| pass.lines.place(&after(best))));
            }
        }
        Ok(match (self.intended.is_empty(), habit.when_lost) {
            (false, _) => IntendedMoves::Positions,
            (true, WhenLost::Random) => IntendedMoves::AnyMove,
            (true, WhenLost::TakesOne) => {
                self.intended.push(moves.after((1, 0)));
                IntendedMoves::Positions
            }
        })
    }
}

/// The chances after all winning replies.
#[derive(Debug)]
struct WinningReplies {
    /// One window for each of the next lines.
    windows: [Option<SlidingSum>; 2],
    /// Sums over all winning replies, by plan and kind.
    sums: Vec<f64>,
    /// The number of winning replies; `None` until count and sums are computed.
    count: Option<f64>,
}

impl WinningReplies {
    fn new<G: Numbered>(pass: &Pass<G>, line: usize) -> Self {
        let line = &pass.all[line];
        let reach = line.stay.min(line.limit).min(line.length);
        let windows = line.next.map(|next| next.map(|_| SlidingSum::new(reach, pass.each())));
        Self { windows, sums: vec![0.0; pass.each()], count: None }
    }

    /// Returns the number of winning replies, and the sums of the chances after them.
    fn sums<G: Numbered, T: StoredChance>(
        &mut self,
        pass: &Pass<G>,
        (line, stones): LinePosition,
        known: &KnownChances<T>,
    ) -> (f64, &[f64]) {
        let count = match self.count {
            Some(count) => count,
            None => f64::from(self.add_up(&LineMoves::new(&pass.all[line], stones), pass, known)),
        };
        self.count = Some(count);
        (count, &self.sums)
    }

    fn add_up<G: Numbered, T: StoredChance>(
        &mut self,
        moves: &LineMoves,
        pass: &Pass<G>,
        known: &KnownChances<T>,
    ) -> u32 {
        self.sums.fill(0.0);
        let (mut count, window) = (0, moves.window());
        for (next, sum) in moves.line.next.iter().zip(&mut self.windows) {
            let (Some(next), Some(sum)) = (*next, sum) else { continue };
            let chances = known.line(next);
            let values = |stones: u32| {
                let from = stones as usize * known.each;
                pass.is_lost((next, stones)).then(|| &chances[from..from + known.each])
            };
            sum.add_up_to(window.end, values, &mut self.sums);
            count += pass.lost[next].count(&window);
        }
        for step in moves.raising().filter(|&step| moves.wins(&pass.lost, step)) {
            let chances = known.at(moves.after(step));
            self.sums.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += chance.chance());
            count += 1;
        }
        count
    }
}
