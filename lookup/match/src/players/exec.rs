//! The player that is a program: it reads positions and writes moves, one per line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use bouton_tables::Game;
use bouton_tables::program::note;

use super::program::{Program, ended_unheard, read_move};
use crate::{Choice, Ending, GameInfo, MoveRequest, Player, Reason, Side};

/// How soon most programs end that cannot run. One that takes longer is found out by its first game.
const TO_FAIL: Duration = Duration::from_millis(200);

/// How long a program may think about the first position that it ever gets before the user gets a hint.
const SILENCE: Duration = Duration::from_secs(3);

/// Asks a program for every move: writes the position to its standard input and reads a move from its standard output, a
/// line each. Every game has a process of its own.
#[derive(Debug)]
pub struct ExecPlayer {
    command: String,
    program: Option<Program>,
    hint: Option<Arc<SilenceHint>>,
}

/// Says once, on standard error, what a program may be that does not answer the first position that it ever gets. All
/// players of the same command share it.
#[derive(Debug)]
pub struct SilenceHint {
    name: String,
    /// The program answered, or the hint was given.
    done: AtomicBool,
}

impl SilenceHint {
    /// For the player of this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), done: AtomicBool::new(false) }
    }

    fn give(&self) {
        if !self.done.swap(true, Relaxed) {
            let hint = "no answer to its first position so far; expected a move on a line of its own, flushed. A program \
                        that follows the protocol of docs/bots.md is a player bot:COMMAND";
            note("bouton-match", &format!("{}: {hint}", self.name));
        }
    }
}

impl ExecPlayer {
    /// The command is run by the shell, at the start of each game.
    pub fn new(command: &str) -> Self {
        Self { command: command.to_owned(), program: None, hint: None }
    }

    /// The same, with a hint for the user if it stays silent.
    pub fn with_hint(self, hint: Arc<SilenceHint>) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// Starts the command once, to see whether that is possible at all.
    ///
    /// # Errors
    /// Why it is not.
    pub fn try_start(command: &str) -> Result<(), String> {
        let mut program = Program::start(command).map_err(|error| error.to_string())?;
        if !program.ends_within(TO_FAIL) {
            return Ok(());
        }
        match program.gone("output") {
            Reason::Failed(what) if ended_unheard(&what) => Err(what),
            // A program may write its only move at once, and end.
            _ => Ok(()),
        }
    }

    /// Whether the loser of a game of so many moves is a program that ended before it answered anything.
    pub fn never_answered(ending: &Ending, moves: usize) -> bool {
        let asked_before = match ending.winner.other() {
            Side::First => moves > 0,
            Side::Second => moves > 1,
        };
        !asked_before && matches!(&ending.reason, Reason::Failed(what) if ended_unheard(what))
    }
}

impl<G: Game> Player<G> for ExecPlayer {
    fn begin(&mut self, _: &GameInfo<G>) -> Result<(), Reason> {
        // The process of the previous game ends first.
        self.program = None;
        let program = Program::start(&self.command);
        self.program =
            Some(program.map_err(|error| Reason::Failed(format!("it cannot be started: {error}")))?);
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
        let Some(program) = &mut self.program else {
            return Err(Reason::Failed("it is not running".to_owned()));
        };
        let hint = self.hint.as_deref().filter(|hint| !hint.done.load(Relaxed));
        let soon = hint.map(|_| Instant::now() + SILENCE);
        let until = [soon, request.deadline].into_iter().flatten().min();
        let mut answer = program.ask(request.game.show_position(request.position), until);
        if let Some(hint) = hint {
            if matches!(answer, Err(Reason::Time)) {
                hint.give();
                answer = program.hear(request.deadline);
            }
            hint.done.store(true, Relaxed);
        }
        let chosen = answer.and_then(|line| read_move(request.game, &line));
        if chosen.is_err() {
            self.program = None;
        }
        chosen.map(Choice::Move)
    }
}
