//! The journal of a server: beginnings and ends of matches, and refused clients.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use bouton_tables::printable::printable;

use super::hosted_game::HostedGame;

/// A journal. Many matches write whole lines to it at the same time.
pub struct Journal {
    matches: Mutex<Box<dyn Write + Send>>,
    notes: Mutex<Box<dyn Write + Send>>,
}

impl Journal {
    /// Makes a journal with one output for matches and one for refused clients.
    pub fn new(matches: Box<dyn Write + Send>, notes: Box<dyn Write + Send>) -> Self {
        Self { matches: Mutex::new(matches), notes: Mutex::new(notes) }
    }

    pub(super) fn begun(&self, number: u64, game: &HostedGame) {
        let [first, second] = &game.names;
        write(&self.matches, &format!("match {number} begun: {first} moves first, {second} second"));
    }

    pub(super) fn finished(&self, number: u64, game: &HostedGame) {
        let Some(winner) = game.winner() else { return };
        let winner = game.name(winner);
        let reason = game.reason_in_full();
        let moves = match game.referee.plies().len() {
            1 => "1 move".to_owned(),
            moves => format!("{moves} moves"),
        };
        write(&self.matches, &format!("match {number} finished: {winner} won after {moves}: {reason}"));
    }

    pub(super) fn note(&self, text: &str) {
        write(&self.notes, text);
    }
}

/// Writes a line at once. Ignores errors: a closed terminal is no reason to end a match.
fn write(to: &Mutex<Box<dyn Write + Send>>, line: &str) {
    let mut out = to.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = writeln!(out, "{}", printable(line)).and_then(|()| out.flush());
}
