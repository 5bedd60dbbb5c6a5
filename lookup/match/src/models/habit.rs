//! Habits: which moves a player intends, and how often the player makes any legal move instead (a slip).
//!
//! Example: `misread:0.05/last` makes any legal move with probability 0.05. Otherwise it makes the last of the moves
//! that would win in the position that it believes it sees.

use bouton_tables::{AnswerOf, AskError, MoveSet, Solved};
use clap::ValueEnum;

use crate::Playable;

/// Goal of a player. The notation of models uses clap's names of these values, and of the two enums below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Intention {
    /// Makes a winning move.
    #[value(name = "perfect", alias = "err")]
    Perfect,
    /// Under a reset, makes a move that would win if currentmax were as low as the limit suggests; else a winning move.
    Misread,
    /// Makes the first legal move, which takes one stone in Expanding Nim.
    #[value(name = "takes-one")]
    FirstMove,
    /// Makes any legal move, all equally likely.
    Random,
}

/// Move of a player who sees no winning move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, ValueEnum)]
pub enum WhenLost {
    /// Makes the first legal move, which takes one stone in Expanding Nim.
    #[default]
    #[value(name = "takes-one")]
    FirstMove,
    /// Makes any legal move, all equally likely.
    Random,
}

/// Choice among several winning moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, ValueEnum)]
pub enum Preference {
    /// Any, all equally likely.
    #[default]
    Any,
    /// The first in natural order, which takes the fewest stones in Expanding Nim.
    First,
    /// The last in natural order, which takes the most stones in Expanding Nim.
    Last,
    /// The one that wins soonest.
    Fastest,
}

/// A way of playing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habit {
    /// The player's goal.
    pub intention: Intention,
    /// The probability of making any legal move instead, all equally likely: 0 to 1.
    pub slip: f64,
    /// The move if the player sees no winning one.
    pub when_lost: WhenLost,
    /// The choice among several winning moves.
    pub prefers: Preference,
}

/// A position, its table, and the table's answer to the position.
pub struct Situation<'a, G: Playable> {
    pub(crate) table: &'a G::Table,
    pub(crate) position: &'a G::Position,
    pub(crate) answer: AnswerOf<G::Table>,
}

impl<'a, G: Playable> Situation<'a, G> {
    /// Looks the position up.
    pub fn new(table: &'a G::Table, position: &'a G::Position) -> Result<Self, AskError> {
        Ok(Self { table, position, answer: table.answer(position)? })
    }
}

impl Habit {
    /// Writes the intended moves, all equally likely, into `intended`. Leaves it empty if any legal move is intended.
    ///
    /// The order of heaps does not change a player's choice: the first and the last move are taken from the sorted
    /// position, largest heap first.
    pub(crate) fn intended_moves<G: Playable>(
        &self,
        situation: &Situation<G>,
        intended: &mut Vec<G::Move>,
    ) -> Result<(), AskError> {
        intended.clear();
        let Situation { table, position, .. } = *situation;
        let Some(ordered) = G::sorted_position(position) else {
            return self.intended_when_sorted(situation, intended);
        };
        self.intended_when_sorted::<G>(&Situation::new(table, &ordered)?, intended)?;
        intended.iter_mut().for_each(|chosen| *chosen = G::unsorted_move(position, *chosen));
        Ok(())
    }

    fn intended_when_sorted<G: Playable>(
        &self,
        situation: &Situation<G>,
        intended: &mut Vec<G::Move>,
    ) -> Result<(), AskError> {
        let Situation { table, position, ref answer } = *situation;
        let game = table.game();
        match self.intention {
            Intention::Random => return Ok(()),
            Intention::FirstMove => intended.extend(game.moves(position).next()),
            Intention::Perfect => self.choose::<G>(answer, intended),
            Intention::Misread => {
                let misread = game.misread(position);
                if misread == *position {
                    self.choose::<G>(answer, intended);
                } else {
                    self.choose::<G>(&table.answer(&misread)?, intended);
                    // A misread position may allow illegal moves.
                    intended.retain(|&chosen| game.is_legal(position, chosen));
                }
            }
        }
        if intended.is_empty() && self.when_lost == WhenLost::FirstMove {
            intended.extend(game.moves(position).next());
        }
        Ok(())
    }

    /// Appends the winning moves that the player prefers.
    fn choose<G: Playable>(&self, answer: &AnswerOf<G::Table>, intended: &mut Vec<G::Move>) {
        let mut winning = answer.winning.iter();
        match self.prefers {
            Preference::Any => intended.extend(winning),
            Preference::First => intended.extend(winning.next()),
            Preference::Last => intended.extend(winning.last()),
            Preference::Fastest => intended.extend(winning.next().and(answer.best)),
        }
    }

    /// Returns the probability that the player makes the move `chosen`, which must be legal.
    pub fn likelihood<G: Playable>(
        &self,
        situation: &Situation<G>,
        chosen: G::Move,
    ) -> Result<f64, AskError> {
        let Situation { table, position, .. } = *situation;
        let mut intended = Vec::new();
        self.intended_moves::<G>(situation, &mut intended)?;
        // The probability of each move if all are equally likely.
        let uniform = 1.0 / table.game().moves(position).count() as f64;
        let by_intention = match intended.len() {
            0 => uniform,
            n if intended.contains(&chosen) => 1.0 / n as f64,
            _ => 0.0,
        };
        Ok(self.slip * uniform + (1.0 - self.slip) * by_intention)
    }

    /// Draws a move.
    ///
    /// # Panics
    /// If the position has no move.
    pub fn draw<G: Playable>(
        &self,
        table: &G::Table,
        position: &G::Position,
        rng: &mut fastrand::Rng,
    ) -> Result<G::Move, AskError> {
        let mut intended = Vec::new();
        if rng.f64() >= self.slip {
            self.intended_moves::<G>(&Situation::new(table, position)?, &mut intended)?;
        }
        if intended.is_empty() {
            intended.extend(table.game().moves(position));
        }
        Ok(intended[rng.usize(..intended.len())])
    }
}
