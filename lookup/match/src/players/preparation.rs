//! Makes players from their names on the command line: opens or solves tables, prepares policies, and tries programs.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use bouton_tables::printable::printable_path;
use bouton_tables::program::Output;
use bouton_tables::{Game, OpenError, Solved, Table};

use super::exec::FirstAnswer;
use super::losing_policy::POLICIES;
use super::{
    BotLimits, BotPlayer, ExecPlayer, GreedyPlayer, HumanPlayer, Keyboard, MinimaxPlayer, ModelPlayer,
    PlayerKind, PlayerSpec, RandomPlayer, TablePlayer,
};
use crate::{Playable, Player, PreparationProgress, Solution, open_table, stop};

/// Advice about a program that ends at once.
pub const RUN_IT_ADVICE: &str =
    "run the command by itself in this folder: it has to read positions until its input ends";

/// A factory of identical players.
pub struct PlayerFactory<G: Game> {
    make: Box<dyn Fn(u64) -> Box<dyn Player<G>> + Send + Sync>,
    /// True if one player plays all games against the same opponent in sequence, as some bots request.
    pub plays_whole_pairing: bool,
    first_answer: Option<Arc<FirstAnswer>>,
}

impl<G: Game> PlayerFactory<G> {
    /// Wraps a function that makes a player from a seed, which decides every random choice.
    pub fn new<P: Player<G> + 'static>(make: impl Fn(u64) -> P + Send + Sync + 'static) -> Self {
        Self {
            make: Box::new(move |seed| Box::new(make(seed))),
            plays_whole_pairing: false,
            first_answer: None,
        }
    }

    /// Makes a player for one game, or for all games of a pairing if it [plays those](Self::plays_whole_pairing). The
    /// seed decides the random choices of the first game; later games have the seed of their
    /// [`GameInfo`](crate::GameInfo).
    pub fn player(&self, seed: u64) -> Box<dyn Player<G>> {
        (self.make)(seed)
    }

    /// Returns true if the players' program ended before its first answer: it would lose every game in this way.
    pub fn never_answered(&self) -> bool {
        self.first_answer.as_ref().is_some_and(|first| first.never_came.load(Relaxed))
    }
}

/// Prepares the players of all games of some rules; players with the same table share it.
pub struct PlayerPreparation<'a, G: Playable> {
    rules: G,
    starts: Vec<G::Position>,
    /// A table of the rules; without one, the game is solved on the spot.
    solution: Option<Solution<G>>,
    opened: HashMap<PathBuf, Solution<G>>,
    /// Notes for the user: the players that are not prepared as usual, with the reasons.
    pub notes: Vec<String>,
    progress: &'a dyn PreparationProgress,
}

impl<'a, G: Playable> PlayerPreparation<'a, G> {
    /// Prepares games of these rules with these starts, from `table` if it is one of the same game, and reports to
    /// `progress`.
    pub fn new(
        rules: G,
        starts: Vec<G::Position>,
        table: Option<Arc<Table>>,
        progress: &'a dyn PreparationProgress,
    ) -> Self {
        let solution = table.and_then(|table| Solution::of_game(table, &rules));
        Self { rules, starts, solution, opened: HashMap::new(), notes: Vec::new(), progress }
    }

    /// Prepares the factory of a player: opens the table or solves the game, and prepares the policy.
    pub fn factory(&mut self, spec: &PlayerSpec) -> Result<PlayerFactory<G>, Box<dyn Error>> {
        let unfit_player = |reason: &dyn Display| format!("{}: {reason}", spec.name);
        Ok(match spec.kind.clone() {
            PlayerKind::Random => PlayerFactory::new(RandomPlayer::new),
            PlayerKind::Greedy => PlayerFactory::new(|_| GreedyPlayer),
            PlayerKind::Minimax(depth) => PlayerFactory::new(move |_| MinimaxPlayer { depth }),
            PlayerKind::Table { file, policy } => {
                let solution = match file {
                    None => self.solved()?,
                    Some(file) => self.open(&file)?,
                };
                let prepared = TablePlayer::with_policy(solution, policy.as_ref(), self.progress);
                let (player, why) = prepared.map_err(|error| unfit_player(&error))?;
                self.notes.extend(why.map(|why| format!("{}: {why}", spec.name)));
                PlayerFactory::new(move |seed| player.with_seed(seed))
            }
            PlayerKind::Model(model) => {
                model.check_fits::<G>().map_err(|error| unfit_player(&error))?;
                let solution = self.solved()?;
                PlayerFactory::new(move |seed| ModelPlayer::new(solution.clone(), model.clone(), seed))
            }
            PlayerKind::Human => {
                // A game too large to be solved on the spot is played without hints.
                let hints = self.solved().ok();
                let screen = || Box::new(Output::words());
                PlayerFactory::new(move |_| HumanPlayer::new(Keyboard::stdin(), screen(), hints.clone()))
            }
            PlayerKind::Exec(command) => {
                if let Err(why) = ExecPlayer::try_start(&command)
                    // After a signal, `stop` has killed the player's program, so its failure says nothing.
                    && stop::signal_status().is_none()
                {
                    return Err(unfit_player(&format!("it cannot be started: {why}; {RUN_IT_ADVICE}")).into());
                }
                let first = Arc::new(FirstAnswer { name: spec.name.clone(), ..Default::default() });
                let shared = Arc::clone(&first);
                let make = move |_| {
                    let mut player = ExecPlayer::new(&command);
                    player.first = Some(Arc::clone(&shared));
                    player
                };
                PlayerFactory { first_answer: Some(first), ..PlayerFactory::new(make) }
            }
            PlayerKind::Bot(command) => {
                let limits = BotLimits::default();
                let plays_whole_pairing = match BotPlayer::try_start(&command, limits) {
                    // After a signal, `stop` has killed the bot; the number of games no longer matters.
                    Err(_) if stop::signal_status().is_some() => false,
                    tried => tried.map_err(|why| unfit_player(&why))?,
                };
                let make = move |_| BotPlayer::new(&command, limits);
                PlayerFactory { plays_whole_pairing, ..PlayerFactory::new(make) }
            }
        })
    }

    /// Returns a table that covers all starts: the first table of these players, or else one solved on the spot.
    pub fn table(&mut self, players: &[PlayerSpec]) -> Result<Solution<G>, Box<dyn Error>> {
        match PlayerSpec::first_table(players) {
            Some(file) => self.open(file),
            None => self.solved(),
        }
    }

    /// Returns the table of the game, solved on the spot at the first call.
    pub fn solved(&mut self) -> Result<Solution<G>, Box<dyn Error>> {
        if let Some(solution) = &self.solution {
            return Ok(solution.clone());
        }
        Ok(self.solution.insert(Solution::solve_if_small(&self.rules, self.progress)?).clone())
    }

    fn open(&mut self, file: &PathBuf) -> Result<Solution<G>, Box<dyn Error>> {
        if let Some(solution) = self.opened.get(file) {
            return Ok(solution.clone());
        }
        let unfit = |why: String| format!("{}: {why}", printable_path(file));
        let solution = Solution::of_game(open_player_table(file)?, &self.rules).ok_or_else(|| {
            unfit(
                "this table is not of the game that is played; `bouton info` shows its rules, and --rules sets those of \
                 the game"
                    .to_owned(),
            )
        })?;
        let game = solution.get().game();
        for start in &self.starts {
            let shown = self.rules.show_position(start);
            let uncovered = |reason| unfit(format!("the table does not cover the start {shown}: {reason}"));
            game.check(start).map_err(uncovered)?;
        }
        self.opened.insert(file.clone(), solution.clone());
        Ok(solution)
    }
}

/// Opens a player's table. The error lists the policies if the file may be a misspelled policy.
pub fn open_player_table(file: &Path) -> Result<Arc<Table>, Box<dyn Error>> {
    open_table(file).map_err(|error| {
        let shown = printable_path(file);
        let name = shown.split(':').next().unwrap_or_default();
        let may_be_policy = name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
        match error {
            OpenError::Io { source, .. } if may_be_policy && source.kind() == io::ErrorKind::NotFound => {
                format!(
                    "table:{shown}: there is no file {shown}, and no policy '{name}'; give the path of a table made by \
                     `bouton generate`, or a policy: {POLICIES}"
                )
                .into()
            }
            error => error.into(),
        }
    })
}
