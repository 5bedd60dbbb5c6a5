//! A match on the web server of 2020, which has to be polled for whose turn it is.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bouton_tables::expanding::Move;

use super::account::Claim;
use super::match_rules::Announced;
use super::notes::Notes;
use super::report::shown;
use super::rest_client::{Failed, RestClient};
use super::transport::{self, TO_THE_HINT, Transport};
use super::{ClientError, Ended, MatchOptions, NOT_BEGUN, Report, is_called};
use crate::Side;
use crate::protocol::rest::{GameStatus, Joined, RESETS, SessionMove, Status, TurnStatus};

/// Stones of a session that we create, unless the user gives a number.
const STONES: u32 = 1000;
/// Time between two requests of one kind.
const BETWEEN: Duration = Duration::from_millis(300);
/// The list of moves only completes our account: after the end, the server may be gone.
const FOR_THE_LIST: Duration = Duration::from_secs(5);
const NO_POSITION: &str = "it is our turn, but the answer has no position";

/// Checks the options against each other and the address.
pub(super) fn check(address: &str, options: &MatchOptions) -> Result<(), ClientError> {
    RestClient::at(address, options.patience)?;
    if options.session.is_none() && options.side == Side::Second {
        let text = "the player who moves second joins a session that the first player created: give its number with --session ID";
        return Err(ClientError::Unplayable(text.to_owned()));
    }
    Ok(())
}

/// Looks whether a web server is there.
pub(super) fn find(address: &str, options: &MatchOptions, report: &mut Report) -> Result<(), ClientError> {
    let host = RestClient::at(address, options.patience)?.host_and_port();
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

/// Says that the server is a web server, which the address does not, and what that means for the game.
pub(super) fn tell_of_the_web_server(address: &str, options: &MatchOptions, report: &mut Report) {
    let game = match (options.session, options.stones, options.side) {
        (None, None, Side::First) => format!(
            "; asking for a game of {STONES} stones and {RESETS} resets each, as --stones does not say otherwise (the resets \
             are fixed)"
        ),
        _ => String::new(),
    };
    report.note(&format!("{address} is a web server: going on with http://{address}{game}"));
}

pub(super) fn play(address: &str, options: &MatchOptions, report: &mut Report) -> Result<Ended, ClientError> {
    // Not yet done if the protocol was detected.
    check(address, options)?;
    let client = RestClient::at(address, options.patience)?;
    let joined = match options.session {
        Some(session) => join(&client, session, options, report)?,
        None => create(&client, options, report)?,
    };
    let session = joined.session_id;
    let (Some(token), Some(stones)) = (joined.token, joined.init_stones) else {
        let what = "the answer lacks the token or the number of stones; is it a server of this game?";
        return Err(ClientError::request(&format!("entering session {session}"), what, NOT_BEGUN));
    };
    if options.session.is_none() {
        report.say_and_note(&format!("session {session}: tell your opponent"));
    }
    let side = if options.session.is_some() { Side::Second } else { Side::First };
    // Requests come one by one here, and each is answered: no message can be joined to another.
    let options = &MatchOptions { pause: Duration::ZERO, ..options.clone() };
    let announced = Announced { stones, resets: None, init_max: None, clock: options.clock };
    let notes = Notes::new(&announced, RESETS, side, options, report)?;
    RestMatch { client, session, token, patience: options.patience, notes, settled: false }.play()
}

/// Repeats a request for as long as it goes unanswered and `patience` lasts. `tell` gets what went wrong each time.
fn persist<T>(
    patience: Duration,
    mut tell: impl FnMut(&str),
    mut request: impl FnMut() -> Result<T, Failed>,
) -> Result<T, Failed> {
    let began = Instant::now();
    loop {
        match request() {
            Err(Failed::Unanswered(what)) if began.elapsed() < patience => {
                tell(&what);
                sleep(BETWEEN.min(patience));
            }
            done => return done,
        }
    }
}

/// Says once what went wrong, and that we keep trying.
fn tell_once(report: &mut Report, patience: Duration) -> impl FnMut(&str) {
    let mut told = false;
    move |what| {
        if !std::mem::replace(&mut told, true) {
            report.note(&retrying(what, patience));
        }
    }
}

fn retrying(what: &str, patience: Duration) -> String {
    format!("{what}; trying for {} s (--patience)", patience.as_secs())
}

/// Creates a session, with us in it. If an answer is lost, so is a session of which nobody has heard: another one is
/// created.
fn create(client: &RestClient, options: &MatchOptions, report: &mut Report) -> Result<Joined, ClientError> {
    let stones = options.stones.unwrap_or(STONES);
    let tell = tell_once(report, options.patience);
    let created = persist(options.patience, tell, || client.create(&options.name, stones));
    created.map_err(|failed| failed.into_error("making a session", NOT_BEGUN))
}

/// Joins a session. If the answer is lost, we join again only if the session shows that we are not in it: we could become
/// both of its players.
fn join(
    client: &RestClient,
    session: u64,
    options: &MatchOptions,
    report: &mut Report,
) -> Result<Joined, ClientError> {
    let patience = options.patience;
    let mut tell = tell_once(report, patience);
    let error = |failed: Failed| failed.into_error(&format!("joining session {session}"), NOT_BEGUN);
    let mut state = || persist(patience, &mut tell, || client.moves(session)).map(|list| list.game_status);
    // If there is no such session, the server says so when we join.
    let before = match state() {
        Ok(before) => Some(before),
        Err(Failed::Refused(_)) => None,
        Err(failed) => return Err(error(failed)),
    };
    let began = Instant::now();
    loop {
        let lost = match client.join(session, &options.name) {
            Err(Failed::Unanswered(what)) => what,
            joined => return joined.map_err(error),
        };
        sleep(BETWEEN.min(patience));
        let now = state().map_err(error)?;
        if Some(now) != before {
            let what = format!(
                "{lost}; a player has joined since, probably us, but the token that our moves need was in the answer that \
                 is lost; make a new session and join that one"
            );
            return Err(error(Failed::Refused(what)));
        }
        if began.elapsed() >= patience {
            return Err(error(Failed::Unanswered(lost)));
        }
    }
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
        let mut after_our_move = None;
        loop {
            let status = match after_our_move.take() {
                Some(status) if is_news(&status) => status,
                _ => self.wait_for_our_turn()?,
            };
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
                return Err(self.no_status(NO_POSITION));
            };
            self.hear(&turn);
            after_our_move = self.make_a_move(&turn)?;
        }
    }

    fn no_status(&self, what: &str) -> ClientError {
        let request = format!("asking for the status of session {}", self.session);
        ClientError::request(&request, what, &self.notes.account.standing())
    }

    /// Repeats a request for so long at most.
    fn persist<T>(
        &mut self,
        patience: Duration,
        request: impl Fn(&RestClient, u64, &str) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        let Self { client, session, token, notes, .. } = self;
        persist(patience, |what| tell_of_silence(notes, what, patience), || request(client, *session, token))
    }

    fn status(&mut self) -> Result<Status, ClientError> {
        let status = self.persist(self.patience, RestClient::status);
        status.map_err(|(Failed::Unanswered(what) | Failed::Refused(what))| self.no_status(&what))
    }

    /// Waits until it is our turn or the game is over.
    fn wait_for_our_turn(&mut self) -> Result<Status, ClientError> {
        let mut since = Instant::now();
        let mut last = None;
        loop {
            let status = self.status()?;
            if is_news(&status) {
                return Ok(status);
            }
            if last.replace(status.game_status) != Some(status.game_status) {
                since = Instant::now();
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

    /// All moves as the server lists them.
    fn moves(&mut self) -> Result<Vec<SessionMove>, Failed> {
        let patience = self.patience.min(FOR_THE_LIST);
        self.persist(patience, |client, session, _| client.moves(session)).map(|list| list.moves)
    }

    /// The next move as the server lists it.
    fn listed(&mut self) -> Option<Move> {
        let moves = self.moves().ok()?;
        let SessionMove { stones_removed, reset, .. } = moves.get(self.notes.account.plies.len())?;
        Some(Move { take: *stones_removed, reset: *reset })
    }

    /// Makes a move. Returns the status after it, if that was asked for.
    ///
    /// A move without an answer is sent again only when a status has come that shows that it was not made: otherwise the
    /// opponent may have moved since, and it would count as our next move.
    fn make_a_move(&mut self, turn: &TurnStatus) -> Result<Option<Status>, ClientError> {
        let Some(chosen) = self.notes.choose() else {
            return Err(self.no_status("it is our turn, but no stones are left"));
        };
        let (began, most) = (Instant::now(), self.patience.min(self.notes.time_left()));
        loop {
            let Err(failed) = self.client.play(self.session, &self.token, chosen.take, chosen.reset) else {
                self.notes.record(chosen, None);
                return Ok(None);
            };
            if let Failed::Unanswered(what) = &failed {
                tell_of_silence(&mut self.notes, what, self.patience);
            }
            sleep(BETWEEN.min(self.patience));
            let status = self.status()?;
            let request = format!("moving {chosen} in session {}", self.session);
            if status.game_status == GameStatus::End {
                if let Failed::Refused(what) = &failed {
                    self.notes.report.note(&format!("{request}: {what}"));
                }
                // Whether it was made is in the list of moves.
                return Ok(Some(status));
            }
            if status.your_turn && status.turn.is_none() {
                return Err(self.no_status(NO_POSITION));
            }
            if !waits_for_this(&status, turn) {
                self.notes.record(chosen, None);
                return Ok(Some(status));
            }
            if matches!(failed, Failed::Refused(_)) || began.elapsed() >= most {
                return Err(failed.into_error(&request, &self.notes.account.standing()));
            }
        }
    }

    /// The game is over. The list of moves shows the last ones.
    fn end(&mut self, message: &str) -> Ended {
        let moves = self.moves().unwrap_or_else(|(Failed::Unanswered(what) | Failed::Refused(what))| {
            self.notes.report.note(&format!("the last moves may be missing here: {what}"));
            Vec::new()
        });
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
        let name = self.notes.name();
        let ours = ours.filter(|called| is_called(name, called)).unwrap_or(name);
        // "Game Over! Winner: NAME". Of two equal names, the winner is known only if the stones are gone.
        let named = message.rsplit_once("Winner:").map(|(_, winner)| winner.trim() == ours.trim());
        let gone = self.notes.account.position.stones == 0;
        let account = &self.notes.account;
        let ours_by_rules = account.winner_by_last_move(account.to_move().other()) == account.side;
        let ended = match named {
            Some(true) if gone && !ours_by_rules => Ended::Lost,
            Some(true) => Ended::Won,
            Some(false) => Ended::Lost,
            None if !gone => Ended::Unknown,
            None if ours_by_rules => Ended::Won,
            None => Ended::Lost,
        };
        self.notes.end(ended, message)
    }
}

/// Whether it is our turn or the game is over.
fn is_news(status: &Status) -> bool {
    status.your_turn || status.game_status == GameStatus::End
}

/// Whether the server still waits for our move of this turn: any move takes stones.
fn waits_for_this(status: &Status, turn: &TurnStatus) -> bool {
    let same = |now: &TurnStatus| now.stones_left == turn.stones_left;
    status.your_turn && status.turn.as_ref().is_some_and(same)
}

/// Once in a game.
fn tell_of_silence(notes: &mut Notes, what: &str, patience: Duration) {
    if notes.account.first_time("the server's silence") {
        notes.report.note(&retrying(what, patience));
    }
}
