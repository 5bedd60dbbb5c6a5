//! Advice for a game on another board: a person or a program types the opponent's moves, and gets the replies.
//!
//! An [`AdvisedGame`] follows the game, and an [`Advisor`] talks about it, line by line.

mod advised_game;
mod typed_line;
mod words;

use std::error::Error;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use bouton_tables::printable::printable;
use bouton_tables::program::note;

use crate::players::Keyboard;
use crate::players::in_words::{last_move_rule, read_move};
use crate::{GameRecord, Illustrated, Numbered, Reason, Side, Transcript};

pub use advised_game::{Advice, AdvisedGame, TakenBack};
use typed_line::{COMMANDS, TypedLine};

/// The style of the conversation.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConversationStyle {
    /// True if a person is typing: the advisor prompts, and allows changes of the last moves after the end. Otherwise
    /// the end of the game ends the conversation.
    pub at_terminal: bool,
    /// True to answer each line with one line, for a program.
    pub quiet: bool,
    /// True to print our moves in bold type.
    pub bold: bool,
}

/// A conversation about one game.
pub struct Advisor<'a, G: Numbered + Illustrated> {
    game: AdvisedGame<G>,
    input: Keyboard,
    output: &'a mut dyn Write,
    style: ConversationStyle,
    /// The opponent's name.
    pub opponent: String,
    /// The transcript to which the game is written at the end.
    pub transcript: Option<Transcript>,
    invalid_lines: u64,
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

impl<'a, G: Numbered + Illustrated> Advisor<'a, G> {
    /// Makes an advisor for a game at its start or in progress.
    pub fn new(
        game: AdvisedGame<G>,
        input: Keyboard,
        output: &'a mut dyn Write,
        style: ConversationStyle,
    ) -> Self {
        let opponent = "opponent".to_owned();
        Self { game, input, output, style, opponent, transcript: None, invalid_lines: 0 }
    }

    /// Talks until the game is over, the person quits, or the input ends. Returns the number of lines that were neither
    /// a possible move nor a command. Fails if the output or the transcript cannot be written, or the table is damaged.
    /// Even then the game so far is recorded.
    pub fn run(mut self) -> Result<u64, Box<dyn Error>> {
        let result = self.talk();
        self.record()?;
        result?;
        Ok(self.invalid_lines)
    }

    fn talk(&mut self) -> AdvisorResult {
        if !self.style.quiet {
            self.say(&words::game_in_words(&self.game))?;
        }
        if self.prompts() {
            self.say(&words::invitation(&self.game))?;
        }
        if self.game.is_won().is_some() {
            self.report_end()?;
        } else {
            self.reply()?;
        }
        // Beginning of the opponent's turn.
        let mut turn_start = Instant::now();
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
            let elapsed = if self.style.at_terminal { turn_start.elapsed() } else { Duration::ZERO };
            let text = match line.text() {
                Ok(text) => text,
                Err(what) => {
                    self.refuse(&format!("That is {what}."))?;
                    continue;
                }
            };
            match TypedLine::read(text) {
                // An empty line after the game ends the conversation.
                TypedLine::Blank if self.game.is_won().is_some() => break,
                TypedLine::Blank => {}
                TypedLine::Quit => break,
                typed => {
                    let invalid_before = self.invalid_lines;
                    let changes_the_game =
                        matches!(typed, TypedLine::Undo | TypedLine::Ours(_) | TypedLine::Theirs(_));
                    self.answer(typed, elapsed)?;
                    if changes_the_game && self.invalid_lines == invalid_before {
                        turn_start = Instant::now();
                    }
                }
            }
        }
        if self.game.is_won().is_none() {
            self.report_unfinished()?;
        }
        Ok(())
    }

    fn answer(&mut self, typed: TypedLine, elapsed: Duration) -> AdvisorResult {
        match typed {
            TypedLine::Blank | TypedLine::Quit => Ok(()),
            TypedLine::Undo => self.undo(),
            TypedLine::Ours(typed) => self.replace_ours(typed),
            TypedLine::Theirs(typed) => self.opponent_plays(typed, elapsed),
            TypedLine::Position => {
                let rules = self.game.referee().game();
                let position = rules.show_position(self.game.referee().position());
                self.say_or(&format!("  {position}\n"), &position)?;
                if self.style.quiet { Ok(()) } else { self.say(&words::theirs_in_words(&self.game)) }
            }
            TypedLine::Moves => match words::all_moves(&self.game) {
                Ok(list) => self.say(&list),
                Err(error) => self.refuse(&format!("There is no list: {error}.")),
            },
            TypedLine::Why => self.say(&words::why(&self.game)?),
            TypedLine::Help => {
                let rules = self.game.referee().game();
                let text = format!("{}\n{}\n{COMMANDS}\n", rules.help(), last_move_rule(rules));
                self.say(&words::indented(&text))
            }
        }
    }

    fn opponent_plays(&mut self, typed: &str, elapsed: Duration) -> AdvisorResult {
        if self.game.is_won().is_some() {
            return self.refuse("The game is over; `undo` takes the opponent's last move back.");
        }
        let referee = self.game.referee();
        match read_move(referee.game(), referee.position(), typed) {
            Ok(chosen) => {
                self.game.play(chosen, elapsed);
                self.reply()
            }
            Err(why) => match self.claim_beyond_the_rest(typed) {
                Some(claimed) => {
                    let game = self.game.referee();
                    let left = game.game().show_position(game.position());
                    let warning =
                        format!("{claimed} takes more than remain at {left}: it counts as taking the rest.");
                    // With --quiet, our move must be the only answer.
                    match self.style.quiet {
                        true => note("bouton-match", &warning),
                        false => self.say(&words::indented(&warning))?,
                    }
                    self.game.play(claimed, elapsed);
                    self.reply()
                }
                None => self.refuse(&why),
            },
        }
    }

    /// Returns the typed move, if it is illegal only because it takes more than remain.
    fn claim_beyond_the_rest(&self, typed: &str) -> Option<G::Move> {
        let (rules, position) = (self.game.referee().game(), self.game.referee().position());
        let claimed = rules.read_any_move(typed).ok()?;
        rules.takes_more_than_remain(position, claimed).then_some(claimed)
    }

    /// Recommends a move, if it is our turn, or reports the end.
    fn reply(&mut self) -> AdvisorResult {
        let advice = self.game.advise().map_err(|reason| reason_text(&reason))?;
        self.remember();
        if let Some(advice) = advice {
            let text = words::advice_in_words(&self.game, &advice, self.style.bold);
            self.say_or(&text, &advice.chosen.to_string())?;
        }
        self.report_position()
    }

    fn report_position(&mut self) -> AdvisorResult {
        if self.game.is_won().is_some() {
            self.report_end()
        } else if self.style.quiet {
            Ok(())
        } else {
            self.say(&words::theirs_in_words(&self.game))
        }
    }

    fn undo(&mut self) -> AdvisorResult {
        let back = self.game.undo().map_err(|reason| reason_text(&reason))?;
        self.remember();
        if back.is_empty() {
            let hint = if self.game.before_ours().is_some() { "; `me MOVE` changes yours" } else { "" };
            return self
                .refuse(&format!("There is nothing to take back: the opponent has not moved yet{hint}."));
        }
        let whose = |side| if side == self.game.side() { "your" } else { "their" };
        let back: Vec<String> =
            back.iter().map(|&(side, chosen)| format!("{} {chosen}", whose(side))).collect();
        let rules = self.game.referee().game();
        let position = rules.show_position(self.game.referee().position());
        self.say_or(&format!("  Taken back: {}.\n", back.join(" and ")), &position)?;
        self.report_position()
    }

    fn replace_ours(&mut self, typed: &str) -> AdvisorResult {
        let Some(before) = self.game.before_ours() else {
            let why = if self.game.referee().plies().is_empty() {
                "You have not moved yet."
            } else {
                "The last move is the opponent's; `undo` takes it back."
            };
            return self.refuse(why);
        };
        let chosen = match read_move(self.game.referee().game(), before, typed) {
            Ok(chosen) => chosen,
            Err(_) if typed.is_empty() => return self.refuse("Write the move that you played after `me`."),
            Err(why) => return self.refuse(&why),
        };
        self.game.replace_ours(chosen).map_err(|reason| reason_text(&reason))?;
        self.remember();
        let rules = self.game.referee().game();
        let hope = match self.game.is_won() {
            None => format!(": {}", words::hope(&self.game)?),
            Some(_) => String::new(),
        };
        let text = format!("  You played {chosen} ({}){hope}.\n", rules.move_in_words(chosen));
        self.say_or(&text, &chosen.to_string())?;
        self.report_position()
    }

    fn report_end(&mut self) -> AdvisorResult {
        match self.game.is_won() {
            Some(true) => self.say_or("You have won.\n", "won"),
            Some(false) => self.say_or("You have lost.\n", "lost"),
            None => Ok(()),
        }
    }

    fn report_unfinished(&mut self) -> AdvisorResult {
        let position = self.game.referee().game().show_position(self.game.referee().position());
        self.say_or(&format!("The game is not over; --start {position} --second continues it.\n"), "over")
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

    /// Returns the record of the game, interrupted for this reason unless it is over; `None` without moves.
    fn so_far(&self, why: &str) -> Option<GameRecord> {
        let referee = self.game.referee();
        if referee.plies().is_empty() {
            return None;
        }
        let names = match self.game.side() {
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

fn reason_text(reason: &Reason) -> String {
    let (name, detail) = reason.parts();
    if detail.is_empty() { name.to_owned() } else { detail.to_owned() }
}
