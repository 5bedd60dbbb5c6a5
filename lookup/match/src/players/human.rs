//! The player `human`: a person at the terminal.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bouton_tables::{Game, Outcome, Solved};

use super::in_words::{in_plies, last_move_rule, read_move};
use super::input_line::{InputLine, LineReader};
use crate::{Choice, GameInfo, MoveRequest, Playable, Player, Reason, Side, Solution};

const MAX_LISTED: usize = 100;
const READ_AHEAD: usize = 4;

/// The lines typed on one keyboard, shared by all players at it: the first player to ask gets the next line.
#[derive(Clone, Debug)]
pub struct Keyboard {
    lines: Arc<Mutex<Receiver<InputLine>>>,
}

impl Keyboard {
    /// Reads lines from an input in a separate thread, so that a player never waits longer than the clock allows.
    pub fn new(input: impl Read + Send + 'static) -> Self {
        let (sender, lines) = mpsc::sync_channel(READ_AHEAD);
        thread::spawn(move || LineReader::new(input).try_for_each(|line| sender.send(line)));
        Self { lines: Arc::new(Mutex::new(lines)) }
    }

    /// Returns the keyboard of this process's standard input, the same one at every call.
    pub fn stdin() -> Self {
        static STDIN: OnceLock<Keyboard> = OnceLock::new();
        STDIN.get_or_init(|| Self::new(io::stdin())).clone()
    }

    /// Returns the next line; `None` at the end of the input, [`Reason::Time`] if none comes before the deadline.
    pub(crate) fn next(&self, deadline: Option<Instant>) -> Result<Option<InputLine>, Reason> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(deadline) = deadline else { return Ok(lines.recv().ok()) };
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(Reason::Time),
        }
    }
}

/// Asks a person for every move.
pub struct HumanPlayer<G: Playable> {
    input: Keyboard,
    output: Box<dyn Write + Send>,
    solution: Option<Solution<G>>,
    side: Side,
}

impl<G: Playable> HumanPlayer<G> {
    /// Makes a player. `solution` gives hints; `None` if the game is too large to be solved.
    pub fn new(input: Keyboard, output: Box<dyn Write + Send>, solution: Option<Solution<G>>) -> Self {
        Self { input, output, solution, side: Side::First }
    }

    fn say(&mut self, text: &str) -> Result<(), Reason> {
        let written = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush());
        written.map_err(|error| Reason::Failed(format!("cannot show the game: {error}")))
    }

    /// Formats the position and the move that led to it.
    fn board(&self, request: &MoveRequest<G>) -> String {
        let mut text = String::from("\n");
        if let Some(ply) = request.plies.last() {
            let words = request.game.move_in_words(ply.chosen);
            _ = writeln!(text, "The {} player's move: {} ({words})", self.side.other(), ply.chosen);
        }
        let position = request.game.show_position(request.position);
        _ = writeln!(text, "{}\n{position}", request.game.picture(request.position));
        text
    }

    fn prompt(&self, request: &MoveRequest<G>) -> String {
        let time = request.deadline.map_or(String::new(), |deadline| {
            format!(" ({} left)", time_in_words(deadline.saturating_duration_since(Instant::now())))
        });
        format!("{} player{time}, your move (hint, undo, moves, quit, help): ", self.side)
    }

    fn hint(&self, request: &MoveRequest<G>) -> String {
        let Some(solution) = &self.solution else {
            return "There are no hints: this game is too large to be solved on the spot.".to_owned();
        };
        let answer = match solution.get().answer(request.position) {
            Ok(answer) => answer,
            Err(error) => return format!("There is no hint: {error}."),
        };
        let Some(best) = answer.best else { return "The game is over.".to_owned() };
        let words = request.game.move_in_words(best);
        let plies = in_plies(answer.verdict.depth);
        match answer.verdict.outcome {
            Outcome::Win => format!("Hint: {best} ({words}) wins{plies}."),
            Outcome::Loss => {
                format!("You lose{plies} if your opponent never errs. The best try: {best} ({words}).")
            }
        }
    }
}

impl<G: Playable> Player<G> for HumanPlayer<G> {
    fn begin(&mut self, info: &GameInfo<G>) -> Result<(), Reason> {
        self.side = info.side;
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
        self.say(&self.board(request))?;
        loop {
            self.say(&self.prompt(request))?;
            let line = match self.input.next(request.deadline) {
                Ok(Some(line)) => line,
                // End the prompt's line first.
                Ok(None) => return self.say("\n").map(|()| Choice::Resign),
                Err(failure) => return self.say("\n").and(Err(failure)),
            };
            let typed = line.text();
            let command = typed.as_deref().map(str::to_ascii_lowercase);
            let answer = match command.as_deref() {
                Err(what) => format!("That is {what}."),
                Ok("") => continue,
                Ok("hint") => self.hint(request),
                Ok("moves") => moves(request),
                Ok("help") => help(request.game),
                Ok("undo") if request.plies.len() < 2 => {
                    "There is nothing to take back: you have not moved yet.".to_owned()
                }
                Ok("undo") => return Ok(Choice::TakeBack),
                Ok("quit") => return Ok(Choice::Resign),
                Ok(_) => {
                    match read_move(request.game, request.position, typed.as_deref().unwrap_or_default()) {
                        Ok(chosen) => return Ok(Choice::Move(chosen)),
                        Err(why) => why,
                    }
                }
            };
            self.say(&format!("{answer}\n"))?;
        }
    }
}

fn time_in_words(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        _ => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

fn moves<G: Game>(request: &MoveRequest<G>) -> String {
    let mut legal = request.game.moves(request.position);
    let listed: Vec<String> = legal.by_ref().take(MAX_LISTED).map(|chosen| chosen.to_string()).collect();
    let more = if legal.next().is_some() { ", and more" } else { "" };
    format!("Legal moves: {}{more}.", listed.join(", "))
}

fn help<G: Playable>(game: &G) -> String {
    let last_move_rule = last_move_rule(game);
    format!(
        "{}\n{last_move_rule}\nhint: the best move. undo: take back your last move and the reply. moves: the legal \
         moves. quit: give up.",
        game.help()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_in_minutes_and_seconds() {
        let shown = |millis| time_in_words(Duration::from_millis(millis));
        assert_eq!([0, 1500, 9999, 10_000, 59_999].map(shown), ["0.0 s", "1.5 s", "10.0 s", "10 s", "59 s"]);
        assert_eq!([60_000, 3_723_000].map(shown), ["1 min 0 s", "62 min 3 s"]);
    }

    #[test]
    fn two_players_share_one_input_line_by_line() {
        let lines = Keyboard::new(&b"a\nb\nc\n"[..]);
        let other = lines.clone();
        let next = |lines: &Keyboard| lines.next(None).unwrap().map(|line| line.text().unwrap().to_owned());
        assert_eq!(next(&lines).as_deref(), Some("a"));
        assert_eq!(next(&other).as_deref(), Some("b"));
        assert_eq!(next(&lines).as_deref(), Some("c"));
        assert_eq!((next(&other), next(&lines)), (None, None));
    }
}
