//! Won positions: the opponent's replies, each as likely as the model says.

use bouton_tables::{AskError, MoveSet, Solved};

use super::moves::{Moves, Place};
use super::sliding_sum::SlidingSum;
use super::{Known, Pass};
use crate::Numbered;
use crate::models::stored::{Stored, to_move};
use crate::models::{Habit, Intention, Preference, WhenLost};

/// What is carried along a line for its won positions.
#[derive(Debug)]
pub(super) struct Replies {
    winning: WinningReplies,
    /// Space that is used again for each habit.
    meant: Vec<Place>,
}

/// What an opponent intends to do.
enum Meant {
    /// Any legal move.
    AnyMove,
    /// Any winning move.
    AnyWinning,
    /// A move to one of the places that are listed.
    Listed,
}

impl Replies {
    pub(super) fn new<G: Numbered>(pass: &Pass<G>, line: usize) -> Self {
        Self { winning: WinningReplies::new(pass, line), meant: Vec::new() }
    }

    /// Finds the chances of the other player in a won position as they are stored: adds up those after each reply, which
    /// [`after_replies`](crate::models::induction::after_replies) does move by move.
    pub(super) fn weigh<G: Numbered, T: Stored>(
        &mut self,
        pass: &Pass<G>,
        place: Place,
        known: &Known<T>,
        found: &mut [f64],
    ) -> Result<(), AskError> {
        found.fill(0.0);
        self.winning.count = None;
        let legal = f64::from(Moves::new(&pass.all[place.0], place.1).count());
        for (kind, model) in pass.opponents.kinds.iter().enumerate().filter(|_| legal > 0.0) {
            let plans = (kind..found.len()).step_by(pass.opponents.kinds.len());
            for (share, habit) in model.terms() {
                let meant = self.means(habit, pass, place)?;
                let slips = if matches!(meant, Meant::AnyMove) { 1.0 } else { habit.slip };
                let part = share * (1.0 - slips);
                match meant {
                    Meant::AnyWinning if part > 0.0 => {
                        let (count, sums) = self.winning.sums(pass, place, known);
                        // A won position has a winning move, unless the table is forged.
                        let part = part / count.max(1.0);
                        plans.clone().for_each(|at| found[at] += part * sums[at]);
                    }
                    Meant::Listed if part > 0.0 => {
                        let part = part / self.meant.len() as f64;
                        for at in plans.clone() {
                            let after = self.meant.iter().map(|&next| to_move(known.at(next)[at]));
                            found[at] += part * after.sum::<f64>();
                        }
                    }
                    _ => {}
                }
                if slips > 0.0 {
                    let (count, sums) = self.winning.sums(pass, place, known);
                    // Every move that does not win gives the win away.
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

    /// The intended moves, all equally likely, as [`Habit::means`] has them. In `self.meant` are the positions after them
    /// if they are listed.
    fn means<G: Numbered>(
        &mut self,
        habit: &Habit,
        pass: &Pass<G>,
        (line, stones): Place,
    ) -> Result<Meant, AskError> {
        self.meant.clear();
        let seen = match habit.intention {
            Intention::Table => line,
            Intention::Misread => pass.all[line].believed,
            Intention::TakesOne => {
                self.meant.push(Moves::new(&pass.all[line], stones).after((1, 0)));
                return Ok(Meant::Listed);
            }
            Intention::Random => return Ok(Meant::AnyMove),
        };
        if seen == line && habit.prefers == Preference::Any {
            return Ok(Meant::AnyWinning);
        }
        let moves = Moves::new(&pass.all[line], stones);
        // What seems to be legal is legal: the limit is the same.
        let seen_moves = Moves::new(&pass.all[seen], stones);
        let after = |step| moves.after(step);
        match habit.prefers {
            Preference::Any => self.meant.extend(seen_moves.winning(&pass.lost).map(after)),
            Preference::First => self.meant.extend(seen_moves.first_winning(&pass.lost).map(after)),
            Preference::Last => self.meant.extend(seen_moves.last_winning(&pass.lost).map(after)),
            Preference::Fastest => {
                let answer = pass.table.answer(&pass.lines.position(seen, stones))?;
                let best = answer.winning.first().and(answer.best);
                let after = |best| pass.table.game().after(&pass.lines.position(line, stones), best);
                self.meant.extend(best.map(|best| pass.lines.place(&after(best))));
            }
        }
        Ok(match (self.meant.is_empty(), habit.when_lost) {
            (false, _) => Meant::Listed,
            (true, WhenLost::Random) => Meant::AnyMove,
            (true, WhenLost::TakesOne) => {
                self.meant.push(moves.after((1, 0)));
                Meant::Listed
            }
        })
    }
}

/// The chances after all winning replies.
#[derive(Debug)]
struct WinningReplies {
    /// For each of the next lines.
    windows: [Option<SlidingSum>; 2],
    /// Over all winning replies, by plan and kind.
    sums: Vec<f64>,
    /// The number of winning replies; `None` if it and the sums are not known yet.
    count: Option<f64>,
}

impl WinningReplies {
    fn new<G: Numbered>(pass: &Pass<G>, line: usize) -> Self {
        let line = &pass.all[line];
        let reach = line.stay.min(line.limit).min(line.length);
        let windows = line.next.map(|next| next.map(|_| SlidingSum::new(reach, pass.each())));
        Self { windows, sums: vec![0.0; pass.each()], count: None }
    }

    /// The number of winning replies, and the sums of the chances after them.
    fn sums<G: Numbered, T: Stored>(
        &mut self,
        pass: &Pass<G>,
        (line, stones): Place,
        known: &Known<T>,
    ) -> (f64, &[f64]) {
        let count = match self.count {
            Some(count) => count,
            None => f64::from(self.add_up(&Moves::new(&pass.all[line], stones), pass, known)),
        };
        self.count = Some(count);
        (count, &self.sums)
    }

    fn add_up<G: Numbered, T: Stored>(&mut self, moves: &Moves, pass: &Pass<G>, known: &Known<T>) -> u32 {
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
