//! What the host of the matches is told: where the server listens, which matches begin, how they end, and whom
//! it sends away.

use std::fmt;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use bouton_tables::printable::printable;

use super::hosted_game::HostedGame;

/// Where a server writes what the host may want to know. Many matches write to it at once, a whole line each.
pub struct Journal {
    matches: Mutex<Box<dyn Write + Send>>,
    notes: Mutex<Box<dyn Write + Send>>,
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").finish_non_exhaustive()
    }
}

impl Journal {
    /// One that tells of matches in one place, and of connections sent away in another.
    #[must_use]
    pub fn new(matches: Box<dyn Write + Send>, notes: Box<dyn Write + Send>) -> Self {
        Self { matches: Mutex::new(matches), notes: Mutex::new(notes) }
    }

    pub(super) fn begun(&self, number: u64, game: &HostedGame) {
        let [first, second] = game.names();
        write(&self.matches, &format!("match {number} begun: {first} moves first, {second} second"));
    }

    pub(super) fn finished(&self, number: u64, game: &HostedGame) {
        let Some(winner) = game.winner() else { return };
        let winner = game.name(winner);
        let reason = game.reason_in_full();
        let moves = match game.plies().len() {
            1 => "1 move".to_owned(),
            moves => format!("{moves} moves"),
        };
        write(&self.matches, &format!("match {number} finished: {winner} won after {moves}: {reason}"));
    }

    /// Somebody is sent away who has no part in a match.
    pub(super) fn note(&self, text: &str) {
        write(&self.notes, text);
    }
}

/// A line, at once. That nobody reads is no reason to break off a match: errors are passed over.
fn write(to: &Mutex<Box<dyn Write + Send>>, line: &str) {
    let mut out = to.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = writeln!(out, "{}", printable(line)).and_then(|()| out.flush());
}
