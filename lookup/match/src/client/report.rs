//! Messages to the user during a match.

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use bouton_tables::expanding::Expanding;
use bouton_tables::printable::{printable, shorten};
use bouton_tables::{Game, Outcome, Verdict};

use super::error::MatchResult;
use super::game_account::GameAccount;
use crate::{GameRecord, Reason, Referee, Side, Transcript};

/// Maximum length of a shown text from a server, in characters.
const MAX_SHOWN: usize = 200;

/// Shows the user moves and problems, and records the game. Write errors do not end the match.
pub struct Report<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    quiet: bool,
    /// True if both streams go to one screen: nothing needs to be printed on both.
    pub on_one_screen: bool,
    pub(super) opponent: String,
    /// The transcript that gets every move at once.
    pub transcript: Option<Transcript>,
    /// The game being recorded, until its end, with the players' names.
    recorded: Option<(Referee<Expanding>, [String; 2])>,
}

impl<'a> Report<'a> {
    /// Makes a report that prints moves (unless `quiet`) and the result to `out`, and problems to `err`.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write, quiet: bool) -> Self {
        let opponent = "the opponent".to_owned();
        Self { out, err, quiet, on_one_screen: false, opponent, transcript: None, recorded: None }
    }

    /// Records the last move of the account, with the time that it took. `name` is ours.
    pub(super) fn record_move(&mut self, account: &GameAccount, name: &str, elapsed: Duration) {
        let Some(ply) = account.plies.last().filter(|_| self.transcript.is_some()) else { return };
        let (mut game, names) = self.take_record(account, name);
        game.accept(ply.as_claimed(), elapsed);
        self.write(|transcript| transcript.append(&game, [&names[0], &names[1]]));
        self.recorded = Some((game, names));
    }

    /// Records the loser and, if stones are left, the reason: the moves alone then do not show who lost.
    pub(super) fn record_end(&mut self, account: &GameAccount, name: &str, loser: Side, reason: &str) {
        let (mut game, names) = self.take_record(account, name);
        game.forfeit(loser, Reason::Failed(shown(reason)));
        let record = GameRecord::of(&game, [&names[0], &names[1]]).expect("it is over");
        self.write(|transcript| transcript.end(&record));
    }

    /// Takes the recorded game, or starts one, with the players' names, the first side's first.
    fn take_record(&mut self, account: &GameAccount, name: &str) -> (Referee<Expanding>, [String; 2]) {
        self.recorded.take().unwrap_or_else(|| {
            let mut names = [name.to_owned(), self.opponent.clone()];
            if account.side == Side::Second {
                names.reverse();
            }
            (Referee::new(account.rules.clone(), Game::start(&account.rules), None), names)
        })
    }

    /// Records that the match was interrupted.
    pub(super) fn record_interruption(&mut self, why: &str) {
        if let Some((game, names)) = self.recorded.take() {
            let record = GameRecord::unfinished(&game, [&names[0], &names[1]], &shown(why));
            self.write(|transcript| transcript.end(&record));
        }
    }

    /// Writes to the transcript. Stops recording after an error: a full disk is no reason to lose a match.
    fn write(&mut self, write: impl FnOnce(&mut Transcript) -> Result<(), Box<dyn Error>>) {
        if let Some(Err(error)) = self.transcript.as_mut().map(write) {
            self.transcript = None;
            self.note(&format!("{error}; the match continues without a record"));
        }
    }

    pub(super) fn set_opponent(&mut self, name: &str) {
        let name = shown(name);
        if !name.trim().is_empty() {
            self.opponent = name;
        }
    }

    pub(super) fn info(&mut self, text: &str) {
        if !self.quiet {
            self.say(text);
        }
    }

    pub(super) fn say(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}", printable(text)).and_then(|()| self.out.flush());
    }

    /// Prints a line on both streams, so that the user sees it.
    pub(super) fn say_and_note(&mut self, text: &str) {
        self.say(text);
        if !self.on_one_screen {
            self.note(text);
        }
    }

    pub(super) fn note(&mut self, text: &str) {
        let _ = writeln!(self.err, "bouton-match: {}", printable(text)).and_then(|()| self.err.flush());
    }

    pub(super) fn disagreement(&mut self, text: &str) {
        self.note(&format!("WARNING: {}; continuing with moves that are legal in both", shown(text)));
    }

    /// Prints the last move of the account, which took `stones`, and after the opponent's move our prospects.
    pub(super) fn moved(
        &mut self,
        account: &GameAccount,
        stones: &str,
        reset: bool,
        verdict: Option<Verdict>,
    ) {
        if self.quiet {
            return;
        }
        let number = account.plies.len();
        let ours = !account.is_ours();
        let (who, take, impose) =
            if ours { ("we", "take", "impose") } else { (self.opponent.as_str(), "takes", "imposes") };
        let reset = if reset { format!(" and {impose} a reset") } else { String::new() };
        let left = account.position.stones;
        let prospects = match verdict.filter(|_| !ours && left > 0) {
            Some(Verdict { outcome, depth }) => {
                let after = depth.map(|plies| format!(" in {plies}")).unwrap_or_default();
                match outcome {
                    Outcome::Win => format!(" (we win{after})"),
                    Outcome::Loss => format!(" (we lose{after}, unless they err)"),
                }
            }
            None => String::new(),
        };
        let _ = writeln!(self.out, "{number:>3}. {who} {take} {stones}{reset}: {left} left{prospects}")
            .and_then(|()| self.out.flush());
    }

    pub(super) fn ended(&mut self, result: MatchResult, reason: &str) {
        let how = match result {
            MatchResult::Won => "won",
            MatchResult::Lost => "lost",
            MatchResult::Unknown => "over",
        };
        self.say(&format!("{how}: {}", shown(reason)));
    }
}

/// Returns a text from the server, safe to print and shortened.
pub(super) fn shown(text: &str) -> String {
    shorten(text, MAX_SHOWN)
}
