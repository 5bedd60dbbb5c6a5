//! A match on the web server of 2020, which has to be polled for whose turn it is.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bouton_tables::expanding::Move;

use super::account::Claim;
use super::notes::Notes;
use super::report::shown;
use super::rest_client::{Failed, RestClient};
use super::transport::{self, TO_THE_HINT, Transport};
use super::{ClientError, Ended, MatchOptions, NOT_BEGUN, Report, is_called};
use crate::Side;
use crate::protocol::rest::{GameStatus, RESETS, SessionMove, Status, TurnStatus};

/// Stones of a session that we create, unless the user gives a number.
const STONES: u32 = 1000;
/// Time between two polls.
const BETWEEN: Duration = Duration::from_millis(300);

/// Checks the options against each other and the address.
pub(super) fn check(address: &str, options: &MatchOptions) -> Result<(), ClientError> {
    RestClient::at(address)?;
    if options.session.is_none() && options.side == Side::Second {
        let text = "the player who moves second joins a session that the first player created: give its number with --session ID";
        return Err(ClientError::Unplayable(text.to_owned()));
    }
    Ok(())
}

/// Looks whether a web server is there.
pub(super) fn find(address: &str, options: &MatchOptions, report: &mut Report) -> Result<(), ClientError> {
    let host = RestClient::at(address)?.host_and_port();
    let mut stream = transport::open(&host, options, report)?;
    let no_web = |what: &str| {
        Err(ClientError::Unplayable(format!(
            "{host} is not a web server: {what}; for a server over TCP, give {host} without http://"
        )))
    };
    let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    if let Err(error) = stream.send(request.as_bytes()) {
        return no_web(&error.to_string());
    }
    match stream.receive(TO_THE_HINT) {
        Ok(Some(bytes)) if bytes.is_empty() => no_web("it closed the connection without an answer"),
        Ok(Some(bytes)) if bytes.starts_with(b"HTTP/") => Ok(()),
        Ok(Some(bytes)) => no_web(&format!("it answered \"{}\"", shown(&String::from_utf8_lossy(&bytes)))),
        Err(error) => no_web(&error.to_string()),
        Ok(None) => {
            report.note(&format!(
                "{host} has accepted the connection and says nothing; if it is a server over TCP, stop this and give {host} \
                 without http://"
            ));
            Ok(())
        }
    }
}

pub(super) fn play(address: &str, options: &MatchOptions, report: &mut Report) -> Result<Ended, ClientError> {
    // Not yet done if the protocol was detected.
    check(address, options)?;
    let client = RestClient::at(address)?;
    let (request, joined) = match options.session {
        Some(session) => (format!("joining session {session}"), client.join(session, &options.name)),
        None => {
            let stones = options.stones.unwrap_or(STONES);
            ("making a session".to_owned(), client.create(&options.name, stones))
        }
    };
    let joined = joined.map_err(|failed| failed.into_error(&request, NOT_BEGUN))?;
    let session = joined.session_id;
    let (Some(token), Some(stones)) = (joined.token, joined.init_stones) else {
        let what = "the answer lacks the token or the number of stones; is it a server of this game?";
        return Err(ClientError::request(&format!("entering session {session}"), what, NOT_BEGUN));
    };
    if options.session.is_none() {
        report.say(&format!("session {session}: tell your opponent"));
        report.note(&format!("session {session}: tell your opponent; waiting for them to join"));
    }
    let side = if options.session.is_some() { Side::Second } else { Side::First };
    // Requests come one by one here, and each is answered: no message can be joined to another.
    let options = &MatchOptions { pause: Duration::ZERO, ..options.clone() };
    let notes = Notes::new(stones, RESETS, side, options, report)?;
    RestMatch { client, session, token, patience: options.patience, notes, settled: false }.play()
}

struct RestMatch<'a, 'r> {
    client: RestClient,
    session: u64,
    token: String,
    patience: Duration,
    notes: Notes<'a, 'r>,
    /// Whether the server has shown which side we play.
    settled: bool,
}

impl RestMatch<'_, '_> {
    fn play(mut self) -> Result<Ended, ClientError> {
        loop {
            let status = self.wait_for_our_turn()?;
            if status.game_status == GameStatus::End {
                return Ok(self.end(&status.message));
            }
            let side =
                if status.game_status == GameStatus::WaitForBMove { Side::Second } else { Side::First };
            if !self.settled {
                self.settled = true;
                self.notes.take_side(side);
                self.notes.begin()?;
            }
            let Some(turn) = status.turn else {
                return Err(self.no_status("it is our turn, but the answer has no position"));
            };
            self.hear(&turn);
            self.make_a_move(&turn)?;
        }
    }

    fn no_status(&self, what: &str) -> ClientError {
        let request = format!("asking for the status of session {}", self.session);
        ClientError::request(&request, what, &self.notes.account.standing())
    }

    /// Waits until it is our turn or the game is over.
    fn wait_for_our_turn(&mut self) -> Result<Status, ClientError> {
        let mut since = Instant::now();
        let mut last = None;
        loop {
            match self.client.status(self.session, &self.token) {
                Ok(status) => {
                    if status.your_turn || status.game_status == GameStatus::End {
                        return Ok(status);
                    }
                    if last.replace(status.game_status) != Some(status.game_status) {
                        since = Instant::now();
                    }
                }
                Err(Failed::Unanswered(what)) if since.elapsed() < self.patience => {
                    self.tell_of_silence(&what);
                }
                Err(Failed::Unanswered(what) | Failed::Refused(what)) => {
                    return Err(self.no_status(&what));
                }
            }
            if since.elapsed() >= self.patience {
                return Err(ClientError::silent(self.patience, &self.notes.account.standing()));
            }
            sleep(BETWEEN.min(self.patience));
        }
    }

    /// Takes in the position when it is our turn: the opponent's move follows from it.
    fn hear(&mut self, turn: &TurnStatus) {
        let before = self.notes.account.position.stones;
        if !self.notes.account.is_ours() {
            let taken = before.saturating_sub(turn.stones_left);
            let derived = Move { take: taken, reset: turn.reset };
            // If that is not a legal move, the list of moves may show the true one.
            let made = if self.notes.account.would_take(derived) { Some(derived) } else { self.listed() };
            self.notes.record(made.unwrap_or(derived), None);
        }
        let limit = self.notes.account.rules.limit(turn.current_max, turn.reset);
        // The server caps its limit at the stones left; only a smaller number differs from ours.
        let told = turn.accept_max_value;
        let limit = if told == limit.min(turn.stones_left) { limit } else { limit.min(told) };
        let side = self.notes.account.side;
        let mut claim = Claim {
            stones: Some(turn.stones_left),
            limit: Some(limit),
            imposed: Some(turn.reset),
            ..Claim::default()
        };
        claim.resets[side.index()] = Some(turn.reset_left);
        self.notes.hear(claim);
    }

    /// The next move as the server lists it.
    fn listed(&self) -> Option<Move> {
        let moves = self.client.moves(self.session).ok()?.moves;
        let SessionMove { stones_removed, reset, .. } = moves.get(self.notes.account.plies.len())?;
        Some(Move { take: *stones_removed, reset: *reset })
    }

    fn make_a_move(&mut self, turn: &TurnStatus) -> Result<(), ClientError> {
        let Some(chosen) = self.notes.choose() else {
            return Err(self.no_status("it is our turn, but no stones are left"));
        };
        let began = Instant::now();
        let mut sent_before = false;
        loop {
            let played = self.client.play(self.session, &self.token, chosen.take, chosen.reset);
            let Err(failed) = played else { break };
            // A server that refuses the repeated move may have got it the first time.
            let may_have_it = sent_before || matches!(failed, Failed::Unanswered(_));
            sleep(BETWEEN);
            if may_have_it && self.has_moved_on(turn) {
                break;
            }
            match failed {
                Failed::Unanswered(what) if began.elapsed() < self.patience => self.tell_of_silence(&what),
                failed => {
                    let request = format!("moving {chosen} in session {}", self.session);
                    return Err(failed.into_error(&request, &self.notes.account.standing()));
                }
            }
            sent_before = true;
        }
        self.notes.record(chosen, None);
        Ok(())
    }

    /// Once in a game.
    fn tell_of_silence(&mut self, what: &str) {
        if self.notes.account.first_time("the server's silence") {
            let seconds = self.patience.as_secs();
            self.notes.report.note(&format!("{what}; trying for {seconds} s (--patience)"));
        }
    }

    /// Whether the server no longer waits for our move of this turn, as far as it says.
    fn has_moved_on(&self, turn: &TurnStatus) -> bool {
        let same = |now: &TurnStatus| now.stones_left == turn.stones_left;
        let waits = |status: Status| status.your_turn && status.turn.as_ref().is_some_and(same);
        self.client.status(self.session, &self.token).is_ok_and(|status| !waits(status))
    }

    /// The game is over. The list of moves shows the last ones.
    fn end(&mut self, message: &str) -> Ended {
        let moves = self.client.moves(self.session).map(|moves| moves.moves).unwrap_or_default();
        for played in moves.iter().skip(self.notes.account.plies.len()) {
            let made = Move { take: played.stones_removed, reset: played.reset };
            // An illegal move, which lost the game, is not recorded.
            if !self.notes.account.would_take(made) {
                break;
            }
            self.notes.record(made, None);
        }
        // The server's name for us need not be ours: it may have changed one of two equal names.
        let ours = moves.get(self.notes.account.side.index()).map(|played| played.player.as_str());
        let ours = ours.filter(|called| is_called(self.notes.name, called)).unwrap_or(self.notes.name);
        // "Game Over! Winner: NAME". Of two equal names, the winner is known only if the stones are gone.
        let named = message.rsplit_once("Winner:").map(|(_, winner)| winner.trim() == ours.trim());
        let gone = self.notes.account.position.stones == 0;
        let last_was_ours = self.notes.account.last_was_ours();
        let ended = match named {
            Some(true) if gone && !last_was_ours => Ended::Lost,
            Some(true) => Ended::Won,
            Some(false) => Ended::Lost,
            None if !gone => Ended::Unknown,
            None if last_was_ours => Ended::Won,
            None => Ended::Lost,
        };
        self.notes.end(ended, message)
    }
}
