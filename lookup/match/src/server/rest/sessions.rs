//! All sessions of a server, and the parameters of requests to them.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bouton_tables::expanding::Move;
use bouton_tables::printable::shorten;

use super::session::Session;
use crate::protocol::rest::{GameStatus, JoinReply, MAX_STONES};
use crate::server::hosted_game::cleaned_name;
use crate::server::journal::Journal;
use crate::server::match_settings::MatchSettings;

const MAX_SESSIONS: usize = 1000;

/// A session that waits for players may be dropped for a new one after this idle time.
const FORGET_TIME: Duration = Duration::from_secs(60);

pub(super) struct Sessions {
    pub(super) settings: MatchSettings,
    journal: Arc<Journal>,
    /// Sessions by number; numbers are never reused.
    sessions: BTreeMap<u64, Session>,
    next: u64,
    begun: u64,
    finished: u64,
}

impl Sessions {
    pub(super) fn new(settings: MatchSettings, journal: Arc<Journal>) -> Self {
        Self { settings, journal, sessions: BTreeMap::new(), next: 1, begun: 0, finished: 0 }
    }

    /// Ends the games in which a clock has run out, and reports all finished games.
    pub(super) fn watch_clocks(&mut self, now: Instant) {
        for session in self.sessions.values_mut() {
            session.watch_clock(now);
            if let Some((number, game)) = session.notice_end() {
                self.journal.finished(number, game);
                self.finished += 1;
            }
        }
    }

    pub(super) fn are_over(&self) -> bool {
        self.settings.limit_is_reached(self.finished)
    }

    pub(super) fn end_is_seen(&self) -> bool {
        self.sessions.values().all(|session| !session.is_over() || session.end_is_known())
    }

    pub(super) fn create(&mut self, parameters: &Parameters, now: Instant) -> Result<JoinReply, String> {
        let stones = match parameters.get("stones") {
            None => self.settings.rules.stones(),
            Some(_) => {
                let found = parameters.whole_number("stones")?;
                let stones = u64::try_from(found).ok().filter(|stones| (1..=MAX_STONES).contains(stones));
                stones.ok_or_else(|| format!("stones: found {found}, expected 1 to {MAX_STONES}."))?
            }
        };
        self.check_more_matches()?;
        self.make_room(now)?;
        let id = self.next;
        self.next += 1;
        self.sessions.insert(id, Session::new(stones, now));
        match parameters.get("name") {
            Some(name) => self.add_player(id, name, now),
            None => {
                let game_status = GameStatus::WaitForAJoin;
                Ok(JoinReply { game_status, session_id: id, token: None, init_stones: None })
            }
        }
    }

    pub(super) fn join(&mut self, parameters: &Parameters, now: Instant) -> Result<JoinReply, String> {
        let id = parameters.need("id")?;
        let waits_for = self.find(id)?.game_status();
        let name = parameters.need("name")?;
        if waits_for == GameStatus::WaitForBJoin {
            self.check_more_matches()?;
        }
        self.add_player(id.parse().map_err(|_| unknown())?, name, now)
    }

    fn add_player(&mut self, id: u64, name: &str, now: Instant) -> Result<JoinReply, String> {
        let session = self.sessions.get_mut(&id).ok_or_else(unknown)?;
        let secret = token();
        let number = self.begun + 1;
        if let Some(game) = session.join(cleaned_name(name), secret.clone(), &self.settings, number, now)? {
            self.begun = number;
            self.journal.begun(number, game);
        }
        Ok(JoinReply {
            game_status: session.game_status(),
            session_id: id,
            token: Some(secret),
            init_stones: Some(session.stones),
        })
    }

    pub(super) fn make_move(
        &mut self,
        id: &str,
        parameters: &Parameters,
        now: Instant,
    ) -> Result<(), String> {
        let session = self.find(id)?;
        let stones = parameters.whole_number("stones")?;
        let reset = match parameters.get("reset") {
            Some("yes") => true,
            Some("no") | None => false,
            Some(_) => return Err("reset: expected yes or no.".to_owned()),
        };
        // Clamp numbers out of range, which stay illegal.
        let take = if stones < 0 { 0 } else { u32::try_from(stones).unwrap_or(u32::MAX) };
        session.make_move(parameters.token(), Move { take, reset }, now)
    }

    pub(super) fn find(&mut self, id: &str) -> Result<&mut Session, String> {
        id.parse().ok().and_then(|id| self.sessions.get_mut(&id)).ok_or_else(unknown)
    }

    fn check_more_matches(&self) -> Result<(), String> {
        if self.settings.limit_is_reached(self.begun) {
            let matches = self.settings.matches;
            return Err(format!("This server hosts no more matches: it was started for {matches}."));
        }
        Ok(())
    }

    /// Drops a finished or forgotten session if there are too many.
    fn make_room(&mut self, now: Instant) -> Result<(), String> {
        if self.sessions.len() < MAX_SESSIONS {
            return Ok(());
        }
        self.watch_clocks(now);
        let is_forgotten = |session: &Session| {
            session.is_open() && now.saturating_duration_since(session.last_used) >= FORGET_TIME
        };
        let finished_session = self.sessions.iter().find(|(_, session)| session.is_over());
        let spare =
            finished_session.or_else(|| self.sessions.iter().find(|(_, session)| is_forgotten(session)));
        let Some((&id, _)) = spare else {
            return Err(format!("All {MAX_SESSIONS} sessions are in use; try again later."));
        };
        self.sessions.remove(&id);
        Ok(())
    }
}

/// The state that all requests share.
pub(super) type SharedSessions = Arc<Mutex<Sessions>>;

pub(super) fn lock(shared: &SharedSessions) -> MutexGuard<'_, Sessions> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The parameters of a request, from its query and its form, which takes precedence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parameters(pub(super) BTreeMap<String, String>);

impl Parameters {
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    pub(super) fn need(&self, key: &str) -> Result<&str, String> {
        self.get(key).ok_or_else(|| format!("The parameter {key} is missing."))
    }

    /// Returns the secret that identifies a player; empty, and so invalid, if the parameter is missing.
    pub(super) fn token(&self) -> &str {
        self.get("token").unwrap_or_default()
    }

    pub(super) fn whole_number(&self, key: &str) -> Result<i64, String> {
        let text = self.need(key)?;
        text.parse().map_err(|_| {
            let found = shorten(text, 40);
            format!("{key}: found {found}, expected a whole number.")
        })
    }
}

fn unknown() -> String {
    "Couldn't find Session with the given id.".to_owned()
}

/// Makes a secret of 128 bits, in hexadecimal digits.
///
/// The keys of a [`RandomState`] come from the system's source of randomness. Without the keys the output of its hash
/// function cannot be guessed.
fn token() -> String {
    let random_half = || {
        // Successive keys of a thread differ by 1, but the outputs do not show that.
        let mut hasher = RandomState::new().build_hasher();
        hasher.write(b"a player's token");
        hasher.finish()
    };
    format!("{:016x}{:016x}", random_half(), random_half())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::match_settings::Protocol;
    use std::collections::BTreeSet;

    #[test]
    fn finished_and_forgotten_sessions_are_dropped_for_new_ones() {
        let journal = Journal::new(Box::new(std::io::sink()), Box::new(std::io::sink()));
        let settings = MatchSettings { matches: 0, ..MatchSettings::new(Protocol::Rest) };
        let mut sessions = Sessions::new(settings, Arc::new(journal));
        let now = Instant::now();
        let nameless = Parameters::default();
        let ids: Vec<u64> =
            (0..MAX_SESSIONS).map(|_| sessions.create(&nameless, now).unwrap().session_id).collect();
        assert!(sessions.create(&nameless, now).unwrap_err().contains("in use"));
        let last = ids[MAX_SESSIONS - 1].to_string();
        for name in ["A", "B"] {
            let pairs = [("id", last.as_str()), ("name", name)];
            let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
            sessions.join(&Parameters(pairs.into()), now).unwrap();
        }
        // The clock of player A has run out: that session is dropped first, then one that waited too long.
        let later = now + Duration::from_secs(1000);
        sessions.create(&nameless, later).unwrap();
        assert!(sessions.find(&last).is_err() && sessions.find("1").is_ok());
        sessions.create(&nameless, later).unwrap();
        assert!(sessions.find("1").is_err() && sessions.find("2").is_ok());
        assert_eq!(sessions.finished, 1);
    }

    #[test]
    fn no_two_tokens_are_alike() {
        let tokens: BTreeSet<String> = (0..10_000).map(|_| token()).collect();
        assert_eq!(tokens.len(), 10_000);
        assert!(tokens.iter().all(|token| token.len() == 32));
    }
}
