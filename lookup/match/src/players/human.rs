//! The player who sits at the keyboard.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bouton_tables::{Game, Outcome, Play, Ruleset, Solved};

use super::lines::{Line, LineReader};
use crate::referee::why_illegal;
use crate::{Choice, Failure, Family, Player, Side, Solution, Turn};

/// How many legal moves are listed.
const LISTED: usize = 100;
/// How many lines are read before somebody asks for them.
const READ_AHEAD: usize = 4;

/// Lines that somebody types, for all the players who sit at one keyboard: whoever asks first has the next
/// one.
#[derive(Clone, Debug)]
pub struct Lines {
    lines: Arc<Mutex<Receiver<Line>>>,
}

impl Lines {
    /// Lines of an input, which is read in a thread of its own: so nobody waits for a line longer than his
    /// time lasts.
    #[must_use]
    pub fn new(input: impl Read + Send + 'static) -> Self {
        let (sender, lines) = mpsc::sync_channel(READ_AHEAD);
        thread::spawn(move || {
            for line in LineReader::new(input) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { lines: Arc::new(Mutex::new(lines)) }
    }

    /// Lines of this process's standard input. There is one reader of it, however often this is called.
    #[must_use]
    pub fn stdin() -> Self {
        static STDIN: OnceLock<Lines> = OnceLock::new();
        STDIN.get_or_init(|| Self::new(io::stdin())).clone()
    }

    /// The next line, if it comes in time; none at the end of the input.
    fn next(&self, deadline: Option<Instant>) -> Result<Option<Line>, Failure> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(deadline) = deadline else { return Ok(lines.recv().ok()) };
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(Failure::Time),
        }
    }
}

/// Asks a person.
pub struct HumanPlayer<F: Family> {
    input: Lines,
    output: Box<dyn Write + Send>,
    solution: Option<Solution<F>>,
    side: Side,
}

impl<F: Family> HumanPlayer<F> {
    /// Reads what the person types, shows the game on `output`, and gives hints from a table if there is one.
    #[must_use]
    pub fn new(input: Lines, output: Box<dyn Write + Send>, solution: Option<Solution<F>>) -> Self {
        Self { input, output, solution, side: Side::First }
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        let said = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush());
        said.map_err(|error| Failure::Failed(format!("cannot show the game: {error}")))
    }

    /// What stands on the board, and how it came about.
    fn board(&self, turn: &Turn<F>) -> String {
        let mut text = String::from("\n");
        if let Some(ply) = turn.plies.last() {
            let words = turn.game.move_in_words(ply.chosen);
            _ = writeln!(text, "The {} player's move: {} ({words})", self.side.other(), ply.chosen);
        }
        let position = turn.game.show_position(turn.position);
        _ = writeln!(text, "{}\n{position}", turn.game.picture(turn.position));
        text
    }

    fn prompt(&self, turn: &Turn<F>) -> String {
        let time = turn.deadline.map_or(String::new(), |deadline| {
            format!(" ({} left)", clock(deadline.saturating_duration_since(Instant::now())))
        });
        format!("{} player{time}, your move (hint, undo, moves, quit, help): ", self.side)
    }

    fn hint(&self, turn: &Turn<F>) -> String {
        let Some(solution) = &self.solution else {
            return "There are no hints: no table of this game was given.".to_owned();
        };
        let answer = match solution.get().answer(turn.position) {
            Ok(answer) => answer,
            Err(error) => return format!("There is no hint: {error}."),
        };
        let Some(best) = answer.best else { return "The game is over.".to_owned() };
        let words = turn.game.move_in_words(best);
        let plies = match answer.verdict.depth {
            None => String::new(),
            Some(1) => " in 1 ply".to_owned(),
            Some(depth) => format!(" in {depth} plies"),
        };
        match answer.verdict.outcome {
            Outcome::Win => format!("Hint: {best} ({words}) wins{plies}."),
            Outcome::Loss => {
                format!("You have lost{plies}, if your opponent never errs. The best try: {best} ({words}).")
            }
        }
    }
}

impl<F: Family> Player<F> for HumanPlayer<F> {
    fn begin(&mut self, side: Side, _: &F::Position) -> Result<(), Failure> {
        self.side = side;
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<F>) -> Result<Choice<F::Move>, Failure> {
        self.say(&self.board(turn))?;
        loop {
            self.say(&self.prompt(turn))?;
            let line = match self.input.next(turn.deadline) {
                Ok(Some(line)) => line,
                // What is written next should not stand behind the prompt.
                Ok(None) => return self.say("\n").map(|()| Choice::Resign),
                Err(failure) => return self.say("\n").and(Err(failure)),
            };
            let text = line.text().map(str::to_ascii_lowercase);
            let answer = match text.as_deref() {
                Err(what) => format!("That is {what}."),
                Ok("") => continue,
                Ok("hint") => self.hint(turn),
                Ok("moves") => moves(turn),
                Ok("help") => help(turn.game),
                Ok("undo") if turn.plies.len() < 2 => {
                    "There is nothing to take back: you have not moved yet.".to_owned()
                }
                Ok("undo") => return Ok(Choice::TakeBack),
                Ok("quit") => return Ok(Choice::Resign),
                Ok(text) => match turn.game.parse_move(text) {
                    Ok(chosen) if turn.game.is_legal(turn.position, chosen) => {
                        return Ok(Choice::Move(chosen));
                    }
                    Ok(chosen) => {
                        format!("That is not legal: {}.", why_illegal(turn.game, turn.position, chosen))
                    }
                    Err(error) => format!("That is no move: {error}."),
                },
            };
            self.say(&format!("{answer}\n"))?;
        }
    }
}

/// A time as people read it.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        _ => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// The legal moves, or the first ones of them.
fn moves<G: Game>(turn: &Turn<G>) -> String {
    let mut legal = turn.game.moves(turn.position);
    let listed: Vec<String> = legal.by_ref().take(LISTED).map(|chosen| chosen.to_string()).collect();
    let more = if legal.next().is_some() { ", and more" } else { "" };
    format!("Legal moves: {}{more}.", listed.join(", "))
}

/// How positions and moves are written, and what else may be typed.
fn help<F: Family>(game: &F) -> String {
    let (mut text, play) = match game.ruleset() {
        Ruleset::Expanding(rules) => {
            let limit = rules.reset_limit();
            let text = format!(
                "A move is the number of stones that you take: 3. With r behind it, 3r, it imposes a reset, as \
                 long as you have resets left: the opponent's next move takes at most {limit}.\n\
                 A position is STONES/CURRENTMAX/TURN/RESETS1,RESETS2/IMPOSED: the stones left, the most taken \
                 at once so far, the player to move, the resets that both have left, and r if a reset binds \
                 this move."
            );
            (text, rules.play())
        }
        Ruleset::Heaps(rules) => {
            let mut text = String::from("A move is ROW:TAKE: 1:2 takes 2 from row 1.");
            if rules.heaps_per_move() > 1 {
                text += " 1:2+2:1 takes from two rows at once.";
            }
            text += "\nA position is the sizes of the rows, with commas between";
            if rules.passes() > 0 {
                text += ", and behind a slash the passes left. `pass` passes";
            }
            (text + ".", rules.play())
        }
    };
    text += match play {
        Play::Normal => "\nA player who cannot move has lost: who takes the last one wins.\n",
        Play::Misere => "\nA player who cannot move has won: who takes the last one loses.\n",
    };
    text + "hint: the best move. undo: take back your last move, and the reply. moves: the legal moves. quit: \
            give up."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_people_say_them() {
        let shown = |millis| clock(Duration::from_millis(millis));
        assert_eq!([0, 1500, 9999, 10_000, 59_999].map(shown), ["0.0 s", "1.5 s", "10.0 s", "10 s", "59 s"]);
        assert_eq!([60_000, 3_723_000].map(shown), ["1 min 0 s", "62 min 3 s"]);
    }

    #[test]
    fn two_players_share_one_input_line_by_line() {
        let lines = Lines::new(&b"a\nb\nc\n"[..]);
        let other = lines.clone();
        let next = |lines: &Lines| lines.next(None).unwrap().map(|line| line.text().unwrap().to_owned());
        assert_eq!(next(&lines).as_deref(), Some("a"));
        assert_eq!(next(&other).as_deref(), Some("b"));
        assert_eq!(next(&lines).as_deref(), Some("c"));
        assert_eq!((next(&other), next(&lines)), (None, None));
    }
}
