//! What the user is told while a match is played.

use std::fmt::Display;
use std::io::Write;

use bouton_tables::printable::{printable, shorten};
use bouton_tables::{Outcome, Verdict};

use super::{Account, Ended};
use crate::Record;

/// The longest text of a server that is shown.
const LONGEST: usize = 200;

/// Tells the user of moves and of trouble. That nobody listens any more is no reason to lose a match: what
/// cannot be written is dropped.
pub struct Report<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    quiet: bool,
    opponent: String,
    transcript: Option<Record>,
}

impl<'a> Report<'a> {
    /// Moves go to `out` unless it is to be quiet, and the end of the match in any case; trouble goes to
    /// `err`.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write, quiet: bool) -> Self {
        Self { out, err, quiet, opponent: "the opponent".to_owned(), transcript: None }
    }

    /// What the opponent is called from now on.
    pub(super) fn call_opponent(&mut self, name: &str) {
        let name = shown(name);
        if !name.trim().is_empty() {
            self.opponent = name;
        }
    }

    /// What the opponent is called.
    pub(super) fn opponent(&self) -> &str {
        &self.opponent
    }

    /// Keeps the transcript of the match.
    pub(super) fn keep(&mut self, transcript: Record) {
        self.transcript = Some(transcript);
    }

    /// The transcript of the match, if it was played to an end that is known. The time of the moves is not in it.
    #[must_use]
    pub fn transcript(&self) -> Option<&Record> {
        self.transcript.as_ref()
    }

    /// A line for the user, in any case.
    pub(super) fn say(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}", printable(text)).and_then(|()| self.out.flush());
    }

    /// Something that the user should know, but that ends nothing.
    pub(super) fn note(&mut self, text: &str) {
        let _ = writeln!(self.err, "bouton-match: {}", printable(text)).and_then(|()| self.err.flush());
    }

    /// The server's account differs from ours, or seems to.
    pub(super) fn disagreement(&mut self, text: &str) {
        self.note(&format!("WARNING: {}; going on so that we are right in both cases", shown(text)));
    }

    /// The last move of the account: how many stones it took, as far as is known, whether it imposed a reset,
    /// and what is known of the position after it.
    pub(super) fn moved(
        &mut self,
        account: &Account,
        stones: &dyn Display,
        reset: bool,
        verdict: Option<Verdict>,
    ) {
        if self.quiet {
            return;
        }
        let number = account.plies().len();
        let ours = account.last_was_ours() == Some(true);
        let (who, take, impose) =
            if ours { ("we", "take", "impose") } else { (self.opponent.as_str(), "takes", "imposes") };
        let reset = if reset { format!(" and {impose} a reset") } else { String::new() };
        let left = account.position().stones;
        let hope = match verdict {
            Some(Verdict { outcome: Outcome::Win, depth }) if !ours && left > 0 => {
                depth.map_or(" (we win)".to_owned(), |plies| format!(" (we win in {plies})"))
            }
            _ => String::new(),
        };
        let _ = writeln!(self.out, "{number:>3}. {who} {take} {stones}{reset}: {left} left{hope}")
            .and_then(|()| self.out.flush());
    }

    /// The end of the match.
    pub(super) fn ended(&mut self, ended: Ended, reason: &str) {
        let how = match ended {
            Ended::Won => "won",
            Ended::Lost => "lost",
            Ended::Unknown => "over",
        };
        self.say(&format!("{how}: {}", shown(reason)));
    }
}

/// A server's text, fit to be shown.
pub(super) fn shown(text: &str) -> String {
    shorten(text, LONGEST)
}
