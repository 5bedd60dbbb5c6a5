//! Habits: the moves that a player intends to make, and how often they slip.

use bouton_tables::{AskError, MoveSet, Solved};
use clap::ValueEnum;

use crate::Playable;
use crate::families::AnswerOf;

/// What a player intends to do. The names of these, and of the options below, are those in the notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Intention {
    /// Makes a winning move.
    #[value(name = "perfect", alias = "err")]
    Table,
    /// After a reset, mistakes the position for one in which the low limit follows from a low currentmax, and makes a move
    /// that would win there. Otherwise makes a winning move.
    Misread,
    /// Makes the first legal move: takes one stone.
    TakesOne,
    /// Makes any legal move, all equally likely.
    Random,
}

/// What a player does who sees no winning move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, ValueEnum)]
pub enum WhenLost {
    /// Makes the first legal move: takes one stone.
    #[default]
    TakesOne,
    /// Makes any legal move, all equally likely.
    Random,
}

/// Which of several winning moves a player makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, ValueEnum)]
pub enum Preference {
    /// Any, all equally likely.
    #[default]
    Any,
    /// The first, which takes the fewest stones.
    First,
    /// The last, which takes the most stones.
    Last,
    /// The one that wins soonest.
    Fastest,
}

/// A way of playing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habit {
    /// What the player intends to do.
    pub intention: Intention,
    /// The probability of making any legal move instead, all equally likely: 0 to 1.
    pub slip: f64,
    /// What the player does without a winning move in sight.
    pub when_lost: WhenLost,
    /// Which of several winning moves the player makes.
    pub prefers: Preference,
}

/// A position that has a legal move, with the table's answer to it.
pub(crate) struct Situation<'a, G: Playable> {
    pub(crate) table: &'a G::Table,
    pub(crate) position: &'a G::Position,
    pub(crate) answer: &'a AnswerOf<G>,
}

impl Habit {
    /// Writes the intended moves, all equally likely, into `meant`. If it stays empty, any legal move is intended.
    ///
    /// The order of heaps does not change a player's choice: which move is the first is decided with the heaps in order,
    /// the largest first.
    pub(crate) fn means<G: Playable>(
        &self,
        situation: &Situation<G>,
        meant: &mut Vec<G::Move>,
    ) -> Result<(), AskError> {
        meant.clear();
        let Situation { table, position, .. } = *situation;
        let Some(ordered) = G::in_order(position) else { return self.means_in_order(situation, meant) };
        let answer = &table.answer(&ordered)?;
        self.means_in_order::<G>(&Situation { table, position: &ordered, answer }, meant)?;
        meant.iter_mut().for_each(|chosen| *chosen = G::out_of_order(position, *chosen));
        Ok(())
    }

    fn means_in_order<G: Playable>(
        &self,
        situation: &Situation<G>,
        meant: &mut Vec<G::Move>,
    ) -> Result<(), AskError> {
        let Situation { table, position, answer } = *situation;
        let game = table.game();
        match self.intention {
            Intention::Random => return Ok(()),
            Intention::TakesOne => meant.extend(game.moves(position).next()),
            Intention::Table => self.choose::<G>(answer, meant),
            Intention::Misread => {
                let believed = game.misread(position);
                if believed == *position {
                    self.choose::<G>(answer, meant);
                } else {
                    self.choose::<G>(&table.answer(&believed)?, meant);
                    // A move that the player believes to be legal may not be.
                    meant.retain(|&chosen| game.is_legal(position, chosen));
                }
            }
        }
        if meant.is_empty() && self.when_lost == WhenLost::TakesOne {
            meant.extend(game.moves(position).next());
        }
        Ok(())
    }

    /// Of the winning moves, those that the player prefers.
    fn choose<G: Playable>(&self, answer: &AnswerOf<G>, meant: &mut Vec<G::Move>) {
        let mut winning = answer.winning.iter();
        match self.prefers {
            Preference::Any => meant.extend(winning),
            Preference::First => meant.extend(winning.next()),
            Preference::Last => meant.extend(winning.last()),
            Preference::Fastest => meant.extend(winning.next().and(answer.best)),
        }
    }

    /// The probability of a legal move.
    ///
    /// # Errors
    /// If the table does not cover the position, or is damaged.
    pub fn likelihood<G: Playable>(
        &self,
        table: &G::Table,
        position: &G::Position,
        chosen: G::Move,
    ) -> Result<f64, AskError> {
        let answer = &table.answer(position)?;
        self.likelihood_in::<G>(&Situation { table, position, answer }, chosen)
    }

    /// The probability of a legal move, where the table's answer is known already.
    pub(crate) fn likelihood_in<G: Playable>(
        &self,
        situation: &Situation<G>,
        chosen: G::Move,
    ) -> Result<f64, AskError> {
        let Situation { table, position, .. } = *situation;
        let mut meant = Vec::new();
        self.means::<G>(situation, &mut meant)?;
        let by_chance = 1.0 / table.game().moves(position).count() as f64;
        let by_intention = match meant.len() {
            0 => by_chance,
            n if meant.contains(&chosen) => 1.0 / n as f64,
            _ => 0.0,
        };
        Ok(self.slip * by_chance + (1.0 - self.slip) * by_intention)
    }

    /// Draws a move.
    ///
    /// # Errors
    /// If the table does not cover the position, or is damaged.
    ///
    /// # Panics
    /// If the position has no move.
    pub fn draw<G: Playable>(
        &self,
        table: &G::Table,
        position: &G::Position,
        rng: &mut fastrand::Rng,
    ) -> Result<G::Move, AskError> {
        let mut meant = Vec::new();
        if rng.f64() >= self.slip {
            let answer = &table.answer(position)?;
            self.means::<G>(&Situation { table, position, answer }, &mut meant)?;
        }
        if meant.is_empty() {
            meant.extend(table.game().moves(position));
        }
        Ok(meant[rng.usize(..meant.len())])
    }
}
