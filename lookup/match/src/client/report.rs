//! Messages to the user during a match.

use std::error::Error;
use std::io::Write;

use bouton_tables::printable::{printable, shorten};
use bouton_tables::{Outcome, Verdict};

use super::Ended;
use super::account::Account;
use crate::{GameRecord, RecordedEnd, Transcript};

/// The longest text from a server that is shown, in characters.
const LONGEST: usize = 200;

/// Shows the user moves and problems. A closed terminal is no reason to lose a match, so what cannot be written is
/// dropped.
pub struct Report<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    quiet: bool,
    pub(super) opponent: String,
    transcript: Option<Transcript>,
    /// The game so far, until it is over.
    unfinished: Option<GameRecord>,
}

impl<'a> Report<'a> {
    /// Moves go to `out` unless `quiet`, and so does the end of the match in any case. Problems go to `err`.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write, quiet: bool) -> Self {
        let opponent = "the opponent".to_owned();
        Self { out, err, quiet, opponent, transcript: None, unfinished: None }
    }

    /// Every move goes into this transcript as soon as it is made.
    pub fn record_to(&mut self, transcript: Transcript) {
        self.transcript = Some(transcript);
    }

    /// Records what has been played so far.
    pub(super) fn record_so_far(&mut self, record: GameRecord) {
        self.write(|transcript| transcript.tell(&record));
        self.unfinished = Some(record);
    }

    /// Records the end of the game.
    pub(super) fn record_whole(&mut self, record: &GameRecord) {
        self.write(|transcript| transcript.end(record));
        self.unfinished = None;
    }

    /// Records that the game breaks off, if one has begun.
    pub(super) fn record_breaking_off(&mut self, why: &str) {
        if let Some(mut record) = self.unfinished.take() {
            record.end = RecordedEnd::BrokenOff { why: shown(why) };
            self.record_whole(&record);
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
        let hope = match verdict {
            Some(Verdict { outcome: Outcome::Win, depth }) if !ours && left > 0 => {
                depth.map_or(" (we win)".to_owned(), |plies| format!(" (we win in {plies})"))
            }
            _ => String::new(),
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
