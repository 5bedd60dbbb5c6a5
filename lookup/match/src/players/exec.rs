//! The player that is a program: it reads positions and writes moves, one per line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use bouton_tables::Game;
use bouton_tables::program::note;

use super::program::{GRACE, Program, out_of_turn, read_move};
use crate::{Choice, GameInfo, MoveRequest, Player, Reason};

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
    first: Option<Arc<FirstAnswer>>,
}

/// What became of the first question that was put to a program. All players of the same command share it.
#[derive(Debug)]
pub struct FirstAnswer {
    name: String,
    /// Nothing is known yet, and the user got no hint.
    open: AtomicBool,
    /// The program ended, and nothing was heard from it before.
    never_came: AtomicBool,
}

impl FirstAnswer {
    /// Of the player of this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), open: AtomicBool::new(true), never_came: AtomicBool::new(false) }
    }

    /// Whether the program ended before it ever answered anything.
    pub fn never_came(&self) -> bool {
        self.never_came.load(Relaxed)
    }

    /// Says, on standard error, what a program may be that does not answer.
    fn give_hint(&self) {
        if self.open.swap(false, Relaxed) {
            let hint = "no answer to its first position so far; expected a move on a line of its own, flushed. A program \
                        that follows the protocol of docs/bots.md is a player bot:COMMAND";
            note("bouton-match", &format!("{}: {hint}", self.name));
        }
    }
}

impl ExecPlayer {
    /// The command is run by the shell, at the start of each game.
    pub fn new(command: &str) -> Self {
        Self { command: command.to_owned(), program: None, first: None }
    }

    /// The same, with a hint for the user if it stays silent. What is found out about its first answer is kept there.
    pub fn with_first_answer(self, first: Arc<FirstAnswer>) -> Self {
        Self { first: Some(first), ..self }
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
            Reason::Failed(what) if program.gave_up() => Err(what),
            // A program may write its only move at once, and end.
            _ => Ok(()),
        }
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
        let first = self.first.as_deref().filter(|first| first.open.load(Relaxed));
        let soon = first.map(|_| Instant::now() + SILENCE);
        let until = [soon, request.deadline].into_iter().flatten().min();
        let mut answer = program.ask(request.game.show_position(request.position), until);
        if let Some(first) = first {
            if matches!(answer, Err(Reason::Time)) {
                first.give_hint();
                answer = program.hear(request.deadline);
            }
            first.open.store(false, Relaxed);
            first.never_came.store(program.gave_up(), Relaxed);
        }
        let chosen = answer.and_then(|line| read_move(request.game, &line));
        if chosen.is_err() {
            self.program = None;
        }
        chosen.map(Choice::Move)
    }

    /// What it said too much may arrive after the last question. A word that is no move is no answer.
    fn last_words(&mut self, game: &G) -> Result<(), Reason> {
        let Some(mut program) = self.program.take() else { return Ok(()) };
        program.end(GRACE);
        while let Some(line) = program.unheard() {
            if read_move(game, &line).is_ok() {
                return Err(out_of_turn(&line));
            }
        }
        Ok(())
    }
}
