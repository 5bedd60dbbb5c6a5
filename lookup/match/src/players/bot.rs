//! The player `bot:COMMAND`: a program that follows the protocol of `docs/bots.md`.

use std::time::{Duration, Instant};

use bouton_tables::printable::printable;
use bouton_tables::{Game, Ruleset};

use super::child_program::{EXIT_GRACE, Program, read_move};
use super::input_line::InputLine;
use crate::{Choice, Ending, GameInfo, MoveRequest, Player, Reason, Side};

const VERSION: &str = "1";
/// The valid first answers, for errors.
const EXPECTED: &str = "expected 'ready 1' or 'ready 1 pairing' as the answer to 'bouton 1'";

/// Time limits of a bot while no clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotLimits {
    /// From the start of the process until the bot is ready.
    pub ready: Duration,
    /// From the message `quit` until the process ends.
    pub quit: Duration,
}

impl Default for BotLimits {
    fn default() -> Self {
        Self { ready: Duration::from_secs(10), quit: Duration::from_secs(1) }
    }
}

/// Asks a bot for every move. The bot also receives the rules, its side, clocks and results.
#[derive(Debug)]
pub struct BotPlayer {
    command: String,
    limits: BotLimits,
    side: Side,
    process: Option<Process>,
}

impl BotPlayer {
    /// Makes a player. When a game begins and no process is running, the shell runs `command`.
    pub fn new(command: &str, limits: BotLimits) -> Self {
        Self { command: command.to_owned(), limits, side: Side::First, process: None }
    }

    /// Starts the bot once as a test. Returns true if one process plays all games against the same opponent, in sequence,
    /// and false if each game has its own process. The error is the reason why the bot cannot be started.
    pub fn try_start(command: &str, limits: BotLimits) -> Result<bool, String> {
        Ok(Process::start(command, limits)?.plays_whole_pairing)
    }

    /// Ends the process after a failure, because its next answer would be unreliable.
    fn end_process(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.program.end(EXIT_GRACE);
        }
    }
}

impl<G: Game> Player<G> for BotPlayer {
    fn begin(&mut self, info: &GameInfo<G>) -> Result<(), Reason> {
        self.side = info.side;
        // The previous game may have ended without a call of `ended`.
        drop(self.process.take_if(|process| !process.plays_whole_pairing));
        let process = match &mut self.process {
            Some(process) => process,
            none => none.insert(Process::start(&self.command, self.limits).map_err(Reason::Failed)?),
        };
        let silence = process.program.check_silent();
        if silence.is_ok() {
            process.program.write_line(new_game(info));
        } else {
            self.end_process();
        }
        silence
    }

    fn taken_back(&mut self, _: &GameInfo<G>) -> Result<(), Reason> {
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
        let Some(process) = &mut self.process else {
            return Err(Reason::Failed("it is not running".to_owned()));
        };
        let answer = process.program.ask(turn(request, self.side), request.deadline);
        let chosen = answer.and_then(|line| read_move(request.game, &line));
        if chosen.is_err() {
            self.end_process();
        }
        chosen.map(Choice::Move)
    }

    fn ended(&mut self, ending: &Ending, side: Side) {
        // If the move came just too late, `choose` saw no failure. End the process without a `result`, as if no move had
        // come.
        if ending.winner != side && matches!(ending.reason, Reason::Time | Reason::Failed(_)) {
            self.end_process();
        }
        if let Some(process) = &mut self.process {
            process.program.write_line(result(ending, side));
        }
        drop(self.process.take_if(|process| !process.plays_whole_pairing));
    }
}

/// A running bot that is ready. Dropping this asks the bot to end, and kills it after a grace period.
#[derive(Debug)]
struct Process {
    program: Program,
    plays_whole_pairing: bool,
    quit_limit: Duration,
}

impl Process {
    fn start(command: &str, limits: BotLimits) -> Result<Self, String> {
        let cannot_start = |why: &str| format!("it cannot be started: {why}");
        let mut program = Program::start(command).map_err(|error| cannot_start(&error.to_string()))?;
        program.write_line(format!("bouton {VERSION}"));
        match program.read_line(Instant::now().checked_add(limits.ready)) {
            Ok(line) => {
                Ok(Self { plays_whole_pairing: parse_ready(&line)?, program, quit_limit: limits.quit })
            }
            Err(Reason::Failed(what)) if program.was_not_found() => Err(cannot_start(&what)),
            Err(Reason::Failed(what)) => Err(format!("{what}; {EXPECTED}")),
            Err(_) => {
                let seconds = limits.ready.as_secs_f64();
                Err(format!("it wrote no line for {seconds} s; {EXPECTED}, ended by a newline and flushed"))
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.program.write_line("quit".to_owned());
        self.program.end(self.quit_limit);
    }
}

/// Reads the bot's first answer. Returns true if its process plays all games of a pairing.
fn parse_ready(answer: &InputLine) -> Result<bool, String> {
    let text = answer.text().map_err(|what| format!("it said {what}; {EXPECTED}"))?;
    let shown = answer.shown(60);
    match text.split_whitespace().collect::<Vec<_>>()[..] {
        ["ready", VERSION] => Ok(false),
        ["ready", VERSION, "pairing"] => Ok(true),
        ["ready", version, ..] if version != VERSION && version.parse::<u32>().is_ok() => {
            Err(format!("it said '{shown}', which is another version of the protocol; {EXPECTED}"))
        }
        _ => Err(format!(
            "it said '{shown}'; {EXPECTED}. A program that only reads positions and writes moves is a player exec:COMMAND"
        )),
    }
}

fn new_game<G: Game>(info: &GameInfo<G>) -> String {
    let clock = info.clock.map_or_else(|| "none".to_owned(), seconds);
    let name = printable(info.opponent);
    let name = name.split_whitespace().collect::<Vec<_>>().join("_");
    let rules: Ruleset = info.game.clone().into();
    let rules = serde_json::to_string(&rules).expect("texts and numbers are JSON");
    format!("newgame {} clock {clock} seed {} against {name} rules {rules}", info.side, info.seed)
}

fn turn<G: Game>(request: &MoveRequest<G>, side: Side) -> String {
    let position = request.game.show_position(request.position);
    let clocks = request.clocks.map_or_else(
        || "none none".to_owned(),
        |clocks| [side, side.other()].map(|side| seconds(clocks[side.index()])).join(" "),
    );
    let last = request.plies.last().map_or_else(|| "none".to_owned(), |ply| ply.chosen.to_string());
    format!("position {position} clock {clocks} after {last}")
}

fn result(ending: &Ending, side: Side) -> String {
    let outcome = if ending.winner == side { "won" } else { "lost" };
    let (reason, detail) = ending.reason.parts();
    let blank = if detail.is_empty() { "" } else { " " };
    format!("result {outcome} {reason}{blank}{}", printable(detail))
}

/// Formats a time in seconds with three decimals, rounded down so that the bot never overestimates it.
fn seconds(time: Duration) -> String {
    format!("{}.{:03}", time.as_secs(), time.subsec_millis())
}
