//! The player `exec:COMMAND`: a program that reads positions and writes moves, one per line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use bouton_tables::Game;
use bouton_tables::program::note;

use super::child_program::{EXIT_GRACE, Program, out_of_turn, read_move};
use crate::{Choice, GameInfo, MoveRequest, Player, Reason};

/// Most programs that cannot run end within this time. The first game reveals the slower ones.
const START_WAIT: Duration = Duration::from_millis(200);

/// The user gets a hint after this much silence at a program's first position.
const SILENCE_BEFORE_HINT: Duration = Duration::from_secs(3);

/// Asks a program for every move: writes the position to its standard input and reads a move from its standard
/// output, one line each. Every game has its own process.
#[derive(Debug)]
pub struct ExecPlayer {
    command: String,
    program: Option<Program>,
    /// If set, the user gets a hint when the program stays silent.
    pub(super) first: Option<Arc<FirstAnswer>>,
}

/// State of the first question to a program. The players of one factory share it.
#[derive(Debug, Default)]
pub(super) struct FirstAnswer {
    pub(super) name: String,
    /// True once the question is answered, or the user has got the hint.
    pub(super) is_closed: AtomicBool,
    /// True if the program ended without any output.
    pub(super) never_came: AtomicBool,
}

impl FirstAnswer {
    /// Prints a hint about silent programs to standard error, once.
    fn give_hint(&self) {
        if !self.is_closed.swap(true, Relaxed) {
            let hint = "no answer to its first position so far; expected a move on a line of its own, flushed. A program \
                        that follows the protocol of docs/bots.md is a player bot:COMMAND";
            note("bouton-match", &format!("{}: {hint}", self.name));
        }
    }
}

impl ExecPlayer {
    /// Makes a player whose command the shell runs at the start of each game.
    pub fn new(command: &str) -> Self {
        Self { command: command.to_owned(), program: None, first: None }
    }

    /// Starts the command once as a test. Fails if the program cannot be started, with the reason.
    pub fn try_start(command: &str) -> Result<(), String> {
        let mut program = Program::start(command).map_err(|error| error.to_string())?;
        if !program.ends_within(START_WAIT) {
            return Ok(());
        }
        match program.closing_reason("output") {
            Reason::Failed(what) if program.ended_silently => Err(what),
            // A program may write its only move and end.
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
        let first = self.first.as_deref().filter(|first| !first.is_closed.load(Relaxed));
        let hint_time = first.map(|_| Instant::now() + SILENCE_BEFORE_HINT);
        let until = [hint_time, request.deadline].into_iter().flatten().min();
        let mut answer = program.ask(request.game.show_position(request.position), until);
        if let Some(first) = first {
            if matches!(answer, Err(Reason::Time)) {
                first.give_hint();
                answer = program.read_line(request.deadline);
            }
            first.is_closed.store(true, Relaxed);
            first.never_came.store(program.ended_silently, Relaxed);
        }
        let chosen = answer.and_then(|line| read_move(request.game, &line));
        if chosen.is_err() {
            self.program = None;
        }
        chosen.map(Choice::Move)
    }

    /// Refuses surplus moves, which may arrive after the last question. Ignores other output.
    fn check_silence(&mut self, game: &G) -> Result<(), Reason> {
        let Some(mut program) = self.program.take() else { return Ok(()) };
        program.end(EXIT_GRACE);
        while let Some(line) = program.next_unread() {
            if read_move(game, &line).is_ok() {
                return Err(out_of_turn(&line));
            }
        }
        Ok(())
    }
}
