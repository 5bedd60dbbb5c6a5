//! Bindings of `bouton-match`: players of matches, for programs in Python.

use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bouton_answers::Refusal;
use bouton_match::players::{PlayerPreparation, PlayerSpec};
use bouton_match::{Choice, GameInfo, MoveRequest, Playable, Player as MatchPlayer, Ply, Side};
use bouton_tables::with_rules;
use pyo3::prelude::*;

use crate::errors::{OrRaise, PlayerError, PositionError};
use crate::table::{SharedTable, Table, read_position};

/// A player in a game.
#[pyclass(frozen, module = "bouton._native")]
pub(crate) struct Player(Mutex<Box<dyn AnyPlayer>>);

/// A player of any family: reads positions and moves as people type them, and returns moves in notation.
trait AnyPlayer: Send {
    /// Starts a game; `first` says whether the player moves first.
    fn begin(&mut self, start: &str, first: bool, seed: u64) -> PyResult<()>;

    /// Tells the player of a move; `own` says whether the player made it.
    fn saw(&mut self, position: &str, chosen: &str, own: bool) -> PyResult<()>;

    /// Returns the player's move.
    fn choose(&mut self, position: &str) -> PyResult<String>;
}

/// A player of one family, with the game so far.
struct FamilyPlayer<G: Playable> {
    game: G,
    player: Box<dyn MatchPlayer<G>>,
    side: Side,
    plies: Vec<Ply<G>>,
    has_begun: bool,
}

/// Makes the exception for a player that cannot play.
fn player_error(what: &dyn Display) -> PyErr {
    PlayerError::new_err(what.to_string())
}

impl<G: Playable> FamilyPlayer<G> {
    /// Makes a player for the games that a table of these rules covers.
    fn boxed(table: SharedTable, rules: &G, spec: &PlayerSpec, seed: u64) -> PyResult<Box<dyn AnyPlayer>> {
        let game = rules.clone();
        let mut preparation = PlayerPreparation::new(rules.clone(), Vec::new(), Some(table), &());
        let player = preparation.factory(spec).map_err(|error| player_error(&error))?.player(seed);
        Ok(Box::new(Self { game, player, side: Side::First, plies: Vec::new(), has_begun: false }))
    }
}

impl<G: Playable> AnyPlayer for FamilyPlayer<G> {
    fn begin(&mut self, start: &str, first: bool, seed: u64) -> PyResult<()> {
        let start = read_position(&self.game, start)?;
        self.side = if first { Side::First } else { Side::Second };
        self.plies.clear();
        let info = GameInfo { seed, ..GameInfo::new(&self.game, self.side, &start) };
        self.player.begin(&info).map_err(|why| player_error(&why))?;
        self.has_begun = true;
        Ok(())
    }

    fn saw(&mut self, position: &str, chosen: &str, own: bool) -> PyResult<()> {
        let before = read_position(&self.game, position)?;
        let chosen = self.game.read_move(&before, chosen).map_err(Refusal::from).or_raise()?;
        let ply = Ply::new(before, chosen, Duration::ZERO);
        let by = if own { self.side } else { self.side.other() };
        self.player.observe(&ply, by);
        self.plies.push(ply);
        Ok(())
    }

    fn choose(&mut self, position: &str) -> PyResult<String> {
        if !self.has_begun {
            self.begin(position, true, 0)?;
        }
        let position = read_position(&self.game, position)?;
        if self.game.moves(&position).next().is_none() {
            let shown = self.game.show_position(&position);
            return Err(PositionError::new_err(format!("no move is left at {shown}; the game is over")));
        }
        let (game, plies) = (&self.game, &self.plies[..]);
        let request = MoveRequest { game, position: &position, plies, deadline: None, clocks: None };
        match self.player.choose(&request) {
            Ok(Choice::Move(chosen)) => Ok(chosen.to_string()),
            Ok(Choice::TakeBack) => Err(player_error(&"the player wants to take a move back")),
            Ok(Choice::Resign) => Err(player_error(&"the player gives up")),
            Err(why) => Err(player_error(&why)),
        }
    }
}

#[pymethods]
impl Player {
    /// Makes a player for the games that a table covers.
    #[new]
    fn new(py: Python<'_>, table: &Table, spec: &str, seed: u64) -> PyResult<Self> {
        let spec = PlayerSpec::automatic(spec).map_err(|error| player_error(&error))?;
        let table = table.get()?;
        let player = py.detach(|| {
            let shared = Arc::clone(&table);
            with_rules!(&table.header().ruleset, |rules| FamilyPlayer::boxed(shared, rules, &spec, seed))
        });
        Ok(Self(Mutex::new(player?)))
    }

    fn begin(&self, py: Python<'_>, start: &str, first: bool, seed: u64) -> PyResult<()> {
        py.detach(|| self.lock().begin(start, first, seed))
    }

    fn saw(&self, py: Python<'_>, position: &str, chosen: &str, own: bool) -> PyResult<()> {
        py.detach(|| self.lock().saw(position, chosen, own))
    }

    fn choose(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        py.detach(|| self.lock().choose(position))
    }
}

impl Player {
    fn lock(&self) -> std::sync::MutexGuard<'_, Box<dyn AnyPlayer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
