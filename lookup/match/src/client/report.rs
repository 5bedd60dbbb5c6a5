//! Messages to the user during a match.

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use bouton_tables::expanding::Expanding;
use bouton_tables::printable::{printable, shorten};
use bouton_tables::{Outcome, Verdict};

use super::Ended;
use super::account::Account;
use crate::{GameRecord, Reason, Referee, Side, Transcript};

/// The longest text from a server that is shown, in characters.
const LONGEST: usize = 200;

/// Shows the user moves and problems. A closed terminal is no reason to lose a match, so what cannot be written is
/// dropped.
pub struct Report<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    quiet: bool,
    /// Whether both streams go to one screen.
    on_one_screen: bool,
    pub(super) opponent: String,
    transcript: Option<Transcript>,
    /// The game that is recorded, until its end is, with the players' names.
    recorded: Option<(Referee<Expanding>, [String; 2])>,
}

impl<'a> Report<'a> {
    /// Moves go to `out` unless `quiet`, and so does the end of the match in any case. Problems go to `err`.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write, quiet: bool) -> Self {
        let opponent = "the opponent".to_owned();
        Self { out, err, quiet, on_one_screen: false, opponent, transcript: None, recorded: None }
    }

    /// Whether `out` and `err` go to one screen, where nothing has to be said on both. By default they do not.
    pub fn set_on_one_screen(&mut self, on_one_screen: bool) {
        self.on_one_screen = on_one_screen;
    }

    /// Every move goes into this transcript as soon as it is made.
    pub fn record_to(&mut self, transcript: Transcript) {
        self.transcript = Some(transcript);
    }

    /// Records the last move of the account, for which its player took so long. `name` is ours.
    pub(super) fn record_move(&mut self, account: &Account, name: &str, took: Duration) {
        let Some(ply) = account.plies.last().filter(|_| self.transcript.is_some()) else { return };
        let (mut game, names) = self.take_record(account, name);
        game.accept(ply.as_claimed(), took);
        self.write(|transcript| transcript.tell(&game, [&names[0], &names[1]]));
        self.recorded = Some((game, names));
    }

    /// Records who lost, and why if stones are left: the moves do not show it then.
    pub(super) fn record_end(&mut self, account: &Account, name: &str, loser: Side, reason: &str) {
        let (mut game, names) = self.take_record(account, name);
        game.forfeit(loser, Reason::Failed(shown(reason)));
        let record = GameRecord::of(&game, [&names[0], &names[1]]).expect("it is over");
        self.write(|transcript| transcript.end(&record));
    }

    /// The game as it is recorded so far, with the players' names, the first side's first.
    fn take_record(&mut self, account: &Account, name: &str) -> (Referee<Expanding>, [String; 2]) {
        self.recorded.take().unwrap_or_else(|| {
            let mut names = [name.to_owned(), self.opponent.clone()];
            if account.side == Side::Second {
                names.reverse();
            }
            (Referee::new(account.rules.clone(), account.start.clone(), None), names)
        })
    }

    /// Records that the game breaks off, if one has begun.
    pub(super) fn record_breaking_off(&mut self, why: &str) {
        if let Some((game, names)) = self.recorded.take() {
            let record = GameRecord::broken_off(&game, [&names[0], &names[1]], &shown(why));
            self.write(|transcript| transcript.end(&record));
        }
    }

    /// A disk that is full is no reason to lose a match.
    fn write(&mut self, write: impl FnOnce(&mut Transcript) -> Result<(), Box<dyn Error>>) {
        if let Some(Err(error)) = self.transcript.as_mut().map(write) {
            self.transcript = None;
            self.note(&format!("{error}; the match goes on without a record"));
        }
    }

    pub(super) fn call_opponent(&mut self, name: &str) {
        let name = shown(name);
        if !name.trim().is_empty() {
            self.opponent = name;
        }
    }

    /// A line for the user, unless the report is quiet.
    pub(super) fn tell(&mut self, text: &str) {
        if !self.quiet {
            self.say(text);
        }
    }

    /// A line for the user, even if the report is quiet.
    pub(super) fn say(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}", printable(text)).and_then(|()| self.out.flush());
    }

    /// A line that the user must see, wherever the two streams go.
    pub(super) fn say_and_note(&mut self, text: &str) {
        self.say(text);
        if !self.on_one_screen {
            self.note(text);
        }
    }

    /// A problem that does not end the match.
    pub(super) fn note(&mut self, text: &str) {
        let _ = writeln!(self.err, "bouton-match: {}", printable(text)).and_then(|()| self.err.flush());
    }

    /// The server's account differs from ours.
    pub(super) fn disagreement(&mut self, text: &str) {
        self.note(&format!("WARNING: {}; going on with moves that are legal in both", shown(text)));
    }

    /// Shows the last move of the account: the stones it took, as far as they are known, whether it imposed a reset, and
    /// the verdict on the position after it.
    pub(super) fn moved(&mut self, account: &Account, stones: &str, reset: bool, verdict: Option<Verdict>) {
        if self.quiet {
            return;
        }
        let number = account.plies.len();
        let ours = account.last_was_ours();
        let (who, take, impose) =
            if ours { ("we", "take", "impose") } else { (self.opponent.as_str(), "takes", "imposes") };
        let reset = if reset { format!(" and {impose} a reset") } else { String::new() };
        let left = account.position.stones;
        let hope = match verdict.filter(|_| !ours && left > 0) {
            Some(Verdict { outcome, depth }) => {
                let after = depth.map(|plies| format!(" in {plies}")).unwrap_or_default();
                match outcome {
                    Outcome::Win => format!(" (we win{after})"),
                    Outcome::Loss => format!(" (we lose{after}, unless they err)"),
                }
            }
            None => String::new(),
        };
        let _ = writeln!(self.out, "{number:>3}. {who} {take} {stones}{reset}: {left} left{hope}")
            .and_then(|()| self.out.flush());
    }

    pub(super) fn ended(&mut self, ended: Ended, reason: &str) {
        let how = match ended {
            Ended::Won => "won",
            Ended::Lost => "lost",
            Ended::Unknown => "over",
        };
        self.say(&format!("{how}: {}", shown(reason)));
    }
}

/// A text from the server, made safe to print and not too long.
pub(super) fn shown(text: &str) -> String {
    shorten(text, LONGEST)
}
