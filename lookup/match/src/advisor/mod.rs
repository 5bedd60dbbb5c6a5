//! Advice for a game on another board: a person or a program types the opponent's moves, and gets the replies.
//!
//! An [`AdvisedGame`] follows the game, and an [`Advisor`] talks about it, line by line.

mod advised_game;
mod words;

use std::error::Error;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use bouton_tables::printable::printable;
use bouton_tables::program::note;

use crate::players::Keyboard;
use crate::players::in_words::{last_move_rule, read_move};
use crate::{GameRecord, Playable, Side, Transcript};

pub use advised_game::AdvisedGame;

/// The style of the conversation.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConversationStyle {
    /// True if a person is typing: the advisor prompts, unless `quiet`, and allows changes of the last moves after the
    /// end. Otherwise the end of the game ends the conversation.
    pub at_terminal: bool,
    /// True to answer a move, and most commands, with one line, for a program.
    pub quiet: bool,
    /// True to print our moves in bold type.
    pub bold: bool,
}

/// A conversation about one game.
pub struct Advisor<'a, G: Playable> {
    game: AdvisedGame<G>,
    input: Keyboard,
    output: &'a mut dyn Write,
    style: ConversationStyle,
    /// The opponent's name.
    pub opponent: String,
    /// The transcript to which the game is written at the end.
    pub transcript: Option<Transcript>,
    invalid_lines: u64,
    /// Beginning of the opponent's turn.
    turn_start: Instant,
}

/// Success, or an error that ends the conversation.
type AdvisorResult = Result<(), Box<dyn Error>>;

/// Asks for our side; `None` if the input ends.
pub fn ask_side(input: &Keyboard, output: &mut dyn Write) -> io::Result<Option<Side>> {
    loop {
        write!(output, "Do you move first or second? ")?;
        output.flush()?;
        let Ok(Some(line)) = input.next(None) else {
            writeln!(output)?;
            return Ok(None);
        };
        match line.text().unwrap_or_default().to_lowercase().as_str() {
            "first" | "f" | "1" => return Ok(Some(Side::First)),
            "second" | "s" | "2" => return Ok(Some(Side::Second)),
            _ => writeln!(output, "Type first, or second if the opponent makes the first move.")?,
        }
    }
}

/// Our name in records.
const OUR_NAME: &str = "us";

impl<'a, G: Playable> Advisor<'a, G> {
    /// Makes an advisor for a game at its start or in progress.
    pub fn new(
        game: AdvisedGame<G>,
        input: Keyboard,
        output: &'a mut dyn Write,
        style: ConversationStyle,
    ) -> Self {
        Self {
            game,
            input,
            output,
            style,
            opponent: "opponent".to_owned(),
            transcript: None,
            invalid_lines: 0,
            turn_start: Instant::now(),
        }
    }

    /// Talks until the game is over, the person quits, or the input ends. Returns the number of lines refused,
    /// such as an illegal move or an `undo` of nothing. Fails if the output or the transcript cannot be written, or the
    /// table is damaged. Even then the game so far is recorded.
    pub fn run(mut self) -> Result<u64, Box<dyn Error>> {
        let result = self.talk();
        self.record()?;
        result?;
        Ok(self.invalid_lines)
    }

    fn talk(&mut self) -> AdvisorResult {
        if !self.style.quiet {
            self.say(&self.game.in_words())?;
        }
        if self.prompts() {
            self.say(&self.game.invitation())?;
        }
        self.reply()?;
        while self.style.at_terminal || self.game.is_won().is_none() {
            if self.prompts() {
                self.say(&self.prompt())?;
            }
            let Ok(Some(line)) = self.input.next(None) else {
                if self.prompts() {
                    self.say("\n")?;
                }
                break;
            };
            match line.text() {
                Err(what) => self.refuse(&format!("That is {what}."))?,
                Ok(line) if line.eq_ignore_ascii_case("quit") => break,
                // An empty line after the game ends the conversation.
                Ok("") if self.game.is_won().is_some() => break,
                Ok(line) => self.answer(line)?,
            }
        }
        if self.game.is_won().is_none() {
            let position = self.game.shown_position();
            let text = format!("The game is not over; --start {position} --second continues it.\n");
            self.say_or(&text, "over")?;
        }
        Ok(())
    }

    /// Answers a command, in upper or lower case, or else a move of the opponent.
    fn answer(&mut self, line: &str) -> AdvisorResult {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (&*command.to_ascii_lowercase(), rest.trim()) {
            ("", _) => Ok(()),
            ("undo", "") => self.undo(),
            ("me", chosen) => self.replace_ours(chosen),
            ("position", "") => {
                let position = self.game.shown_position();
                self.say_or(&format!("  {position}\n"), &position)?;
                if self.style.quiet { Ok(()) } else { self.say(&self.game.theirs_in_words()) }
            }
            ("moves", "") => match self.game.all_moves() {
                Ok(list) => self.say(&list),
                Err(error) => self.refuse(&format!("There is no list: {error}.")),
            },
            ("why", "") => self.say(&self.game.why()?),
            ("help", "") => {
                let rules = self.game.rules();
                let text = format!("{}\n{}\n{}\n", rules.help(), last_move_rule(rules), words::COMMANDS);
                self.say(&words::indented(&text))
            }
            _ => self.opponent_plays(line),
        }
    }

    fn opponent_plays(&mut self, typed: &str) -> AdvisorResult {
        if self.game.is_won().is_some() {
            return self.refuse("The game is over; `undo` takes the opponent's last move back.");
        }
        let elapsed = if self.style.at_terminal { self.turn_start.elapsed() } else { Duration::ZERO };
        let chosen = match read_move(self.game.rules(), self.game.referee.position(), typed) {
            Ok(chosen) => chosen,
            Err(why) => {
                let Some(claimed) = self.claim_beyond_the_rest(typed) else { return self.refuse(&why) };
                let left = self.game.shown_position();
                let warning =
                    format!("{claimed} takes more than remain at {left}: it counts as taking the rest.");
                // With --quiet, our move must be the only answer.
                match self.style.quiet {
                    true => note("bouton-match", &warning),
                    false => self.say(&words::indented(&warning))?,
                }
                claimed
            }
        };
        self.game.play(chosen, elapsed);
        self.reply()
    }

    /// Returns the typed move, if it is illegal only because it takes more than remain.
    fn claim_beyond_the_rest(&self, typed: &str) -> Option<G::Move> {
        let (rules, position) = (self.game.rules(), self.game.referee.position());
        let claimed = rules.read_any_move(typed).ok()?;
        rules.takes_more_than_remain(position, claimed).then_some(claimed)
    }

    /// Recommends a move, if it is our turn. Reports the new position, or the end.
    fn reply(&mut self) -> AdvisorResult {
        let advice = self.game.advise()?;
        self.remember();
        if let Some(advice) = advice {
            let text = self.game.advice_in_words(&advice, self.style.bold);
            self.say_or(&text, &advice.chosen.to_string())?;
        }
        self.report_position()
    }

    fn report_position(&mut self) -> AdvisorResult {
        self.turn_start = Instant::now();
        match self.game.is_won() {
            Some(true) => self.say_or("You have won.\n", "won"),
            Some(false) => self.say_or("You have lost.\n", "lost"),
            None if self.style.quiet => Ok(()),
            None => self.say(&self.game.theirs_in_words()),
        }
    }

    fn undo(&mut self) -> AdvisorResult {
        let back = self.game.undo()?;
        self.remember();
        if back.is_empty() {
            let hint = if self.game.before_ours().is_some() { "; `me MOVE` changes yours" } else { "" };
            return self
                .refuse(&format!("There is nothing to take back: the opponent has not moved yet{hint}."));
        }
        let whose = |side| if side == self.game.side { "your" } else { "their" };
        let back: Vec<String> =
            back.iter().map(|&(side, chosen)| format!("{} {chosen}", whose(side))).collect();
        let position = self.game.shown_position();
        self.say_or(&format!("  Taken back: {}.\n", back.join(" and ")), &position)?;
        self.report_position()
    }

    fn replace_ours(&mut self, typed: &str) -> AdvisorResult {
        let Some(before) = self.game.before_ours() else {
            let why = if self.game.referee.plies().is_empty() {
                "You have not moved yet."
            } else {
                "The last move is the opponent's; `undo` takes it back."
            };
            return self.refuse(why);
        };
        let chosen = match read_move(self.game.rules(), before, typed) {
            Ok(chosen) => chosen,
            Err(_) if typed.is_empty() => return self.refuse("Write the move that you played after `me`."),
            Err(why) => return self.refuse(&why),
        };
        self.game.replace_ours(chosen)?;
        self.remember();
        let prospects = match self.game.is_won() {
            None => format!(": {}", self.game.prospects()?),
            Some(_) => String::new(),
        };
        let words = self.game.rules().move_in_words(chosen);
        let text = format!("  You played {chosen} ({words}){prospects}.\n");
        self.say_or(&text, &chosen.to_string())?;
        self.report_position()
    }

    fn prompts(&self) -> bool {
        self.style.at_terminal && !self.style.quiet
    }

    fn prompt(&self) -> String {
        if self.game.is_won().is_some() {
            return "\nThe game is over: Enter to end, or undo, or me MOVE: ".to_owned();
        }
        format!("\n{}'s move: ", words::capital(&printable(&self.opponent)))
    }

    /// Prints a text for a person, or a line for a program.
    fn say_or(&mut self, text: &str, line: &str) -> AdvisorResult {
        if self.style.quiet { self.say(&format!("{line}\n")) } else { self.say(text) }
    }

    fn say(&mut self, text: &str) -> AdvisorResult {
        self.output.write_all(text.as_bytes())?;
        Ok(self.output.flush()?)
    }

    fn refuse(&mut self, why: &str) -> AdvisorResult {
        self.invalid_lines += 1;
        self.say_or(&words::indented(why), &format!("error: {why}"))
    }

    /// Returns the record of the game; `why` is the reason of the interruption if it is not over. `None` without moves.
    fn so_far(&self, why: &str) -> Option<GameRecord> {
        let referee = &self.game.referee;
        if referee.plies().is_empty() {
            return None;
        }
        let names = match self.game.side {
            Side::First => [OUR_NAME, &self.opponent],
            Side::Second => [&self.opponent, OUR_NAME],
        };
        GameRecord::of(referee, names).or_else(|| Some(GameRecord::unfinished(referee, names, why)))
    }

    /// Passes the game to the transcript, which writes it only after an interruption: moves may be taken back.
    fn remember(&mut self) {
        let so_far = self.so_far("interrupted");
        if let Some(transcript) = &mut self.transcript {
            transcript.remember(so_far);
        }
    }

    fn record(&mut self) -> AdvisorResult {
        let record = self.so_far("the advice ended before the game");
        match (&mut self.transcript, record) {
            (Some(transcript), Some(record)) => transcript.end(&record),
            _ => Ok(()),
        }
    }
}
