//! From what the command line names to players that can play.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

use bouton_generator::estimate;
use bouton_tables::{OpenError, PositionError, Solved};
use thiserror::Error;

use super::{
    ExecPlayer, GreedyPlayer, HumanPlayer, Kind, Lines, MinimaxPlayer, ModelPlayer, Policy, RandomPlayer,
    Spec, TableMaker,
};
use crate::models::{ChancesError, Model};
use crate::{Family, Player, Solution, open_table};

/// What memory solving a game on the spot may take.
const MOST_MEMORY: u64 = 4 << 30;

/// Why a player cannot take part.
#[derive(Debug, Error)]
pub enum CastError {
    /// His table cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// His table is of other rules.
    #[error(
        "{}: the table is of another game than the one that is played; `bouton info` tells its rules, and --rules sets \
         those of the game",
        file.display()
    )]
    OtherGame {
        /// The table.
        file: PathBuf,
    },
    /// His table does not cover where the games begin.
    #[error("{}: the table does not cover the start {start}: {reason}", file.display())]
    NotCovered {
        /// The table.
        file: PathBuf,
        /// Where a game begins.
        start: String,
        /// What it covers.
        reason: PositionError,
    },
    /// The game is too big to be solved on the spot.
    #[error(
        "a game of {positions} positions is not solved on the spot; make its table with `bouton generate`, and name it: a \
         player as table:FILE, for `replay` with --table FILE"
    )]
    TooBig {
        /// How many positions it has.
        positions: u64,
    },
    /// His policy cannot be followed.
    #[error("{player}: {reason}")]
    Policy {
        /// Who.
        player: String,
        /// Why not.
        reason: ChancesError,
    },
}

/// Makes a player for each game.
#[derive(Debug)]
pub enum Maker<F: Family> {
    /// See [`Kind::Random`].
    Random,
    /// See [`Kind::Greedy`].
    Greedy,
    /// See [`Kind::Minimax`].
    Minimax(u32),
    /// See [`Kind::Human`]; with the table that hints come from, if there is one.
    Human(Option<Solution<F>>),
    /// See [`Kind::Exec`].
    Exec(String),
    /// See [`Kind::Table`].
    Table(TableMaker<F>),
    /// See [`Kind::Model`].
    Model(Solution<F>, Model),
}

impl<F: Family> Maker<F> {
    /// A player for one game. The seed decides all that he leaves to chance.
    #[must_use]
    pub fn player(&self, seed: u64) -> Box<dyn Player<F>> {
        match self {
            Self::Random => Box::new(RandomPlayer::new(seed)),
            Self::Greedy => Box::new(GreedyPlayer),
            Self::Minimax(depth) => Box::new(MinimaxPlayer::new(*depth)),
            Self::Human(solution) => {
                Box::new(HumanPlayer::new(Lines::stdin(), Box::new(io::stdout()), solution.clone()))
            }
            Self::Exec(command) => Box::new(ExecPlayer::new(command)),
            Self::Table(maker) => Box::new(maker.player(seed)),
            Self::Model(solution, model) => Box::new(ModelPlayer::new(solution.clone(), model.clone(), seed)),
        }
    }
}

/// Makes the makers of the players of one game; those who want the same table share it.
#[derive(Debug)]
pub struct Cast<F: Family> {
    rules: F,
    starts: Vec<F::Position>,
    solved: Option<Solution<F>>,
    opened: HashMap<PathBuf, Solution<F>>,
}

impl<F: Family> Cast<F> {
    /// For games of these rules that begin in these positions.
    #[must_use]
    pub fn new(rules: F, starts: Vec<F::Position>) -> Self {
        Self { rules, starts, solved: None, opened: HashMap::new() }
    }

    /// What it takes to make a player: opens his table, or solves the game, and computes what his policy needs.
    ///
    /// # Errors
    /// If his table cannot be opened or does not fit, or his policy cannot be followed.
    pub fn maker(&mut self, spec: &Spec) -> Result<Maker<F>, CastError> {
        let in_vain = |reason| CastError::Policy { player: spec.name.clone(), reason };
        Ok(match &spec.kind {
            Kind::Random => Maker::Random,
            Kind::Greedy => Maker::Greedy,
            Kind::Table { file, policy } => {
                let solution = match file {
                    None => self.solved()?,
                    Some(file) => self.open(file)?,
                };
                let usual = || Policy::usual(solution.get().game().ruleset().positions());
                let policy = policy.clone().unwrap_or_else(usual);
                Maker::Table(TableMaker::new(solution, &policy).map_err(in_vain)?)
            }
            Kind::Model(model) => {
                if model.speaks_of_resets() && !self.rules.can_be_misread() {
                    return Err(in_vain(ChancesError::OfAnotherGame { model: model.clone() }));
                }
                Maker::Model(self.solved()?, model.clone())
            }
            Kind::Minimax(depth) => Maker::Minimax(*depth),
            // A game too big to be solved on the spot is played without hints.
            Kind::Human => Maker::Human(self.solved().ok()),
            Kind::Exec(command) => Maker::Exec(command.clone()),
        })
    }

    /// The game solved on the spot, once.
    ///
    /// # Errors
    /// If that takes more memory than is reasonable on the spot.
    pub fn solved(&mut self) -> Result<Solution<F>, CastError> {
        if let Some(solved) = &self.solved {
            return Ok(solved.clone());
        }
        if estimate(&self.rules.ruleset(), true).memory > MOST_MEMORY {
            return Err(CastError::TooBig { positions: self.rules.ruleset().positions() });
        }
        Ok(self.solved.insert(Solution::solve(&self.rules)).clone())
    }

    fn open(&mut self, file: &PathBuf) -> Result<Solution<F>, CastError> {
        if let Some(known) = self.opened.get(file) {
            return Ok(known.clone());
        }
        let other = || CastError::OtherGame { file: file.clone() };
        let solution = Solution::of_game(open_table(file)?, &self.rules).ok_or_else(other)?;
        let game = solution.get().game();
        for start in &self.starts {
            game.check(start).map_err(|reason| CastError::NotCovered {
                file: file.clone(),
                start: self.rules.show_position(start),
                reason,
            })?;
        }
        self.opened.insert(file.clone(), solution.clone());
        Ok(solution)
    }
}
