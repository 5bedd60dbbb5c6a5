//! A match on the web server of 2020, which the client polls for its turn.

use std::time::{Duration, Instant};

use bouton_tables::expanding::Move;

use super::client_game::{ClientGame, is_called};
use super::error::{ClientResult, MatchResult, NOT_BEGUN, failed_request, silent};
use super::game_account::ServerClaim;
use super::match_options::MatchOptions;
use super::match_rules::Announcement;
use super::report::{Report, shown};
use super::rest_client::{RequestError, RequestResult, RestClient};
use super::transport::{self, HINT_TIME, Transport};
use crate::Side;
use crate::protocol::rest::{GameStatus, JoinReply, RESETS, SessionMove, Status, TurnStatus};

/// Default number of stones of a session that we create.
const USUAL_STONES: u64 = 1000;
/// Time limit for the list of moves, which only completes our account: after the end, the server may be gone.
const LIST_TIMEOUT: Duration = Duration::from_secs(5);
const NO_POSITION: &str = "it is our turn, but the answer has no position";

pub(super) fn check(address: &str, options: &MatchOptions) -> ClientResult<()> {
    RestClient::at(address, options.patience)?;
    if options.session.is_none() && options.side == Side::Second {
        let text = "the player who moves second joins a session that the first player created: give its number with --session ID";
        return Err(text.to_owned());
    }
    Ok(())
}

pub(super) fn find(address: &str, options: &MatchOptions, report: &mut Report) -> ClientResult<()> {
    let host = RestClient::at(address, options.patience)?.host_and_port();
    let mut stream = transport::open(&host, options, report)?;
    let no_web = |what: &str| {
        Err(format!("{host} is not a web server: {what}; for a server over TCP, give {host} without http://"))
    };
    let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    match stream.send(request.as_bytes()).and_then(|()| stream.receive(HINT_TIME)) {
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

/// Notes that the server is a web server, although the address does not say so, and what that means for the game.
pub(super) fn note_web_server(address: &str, options: &MatchOptions, report: &mut Report) {
    let game = match (options.session, options.stones, options.side) {
        (None, None, Side::First) => format!(
            "; asking for a game of {USUAL_STONES} stones and {RESETS} resets each, since --stones is not given \
             (the resets are fixed)"
        ),
        _ => String::new(),
    };
    report.note(&format!("{address} is a web server: continuing with http://{address}{game}"));
}

pub(super) fn play(address: &str, options: &MatchOptions, report: &mut Report) -> ClientResult {
    // A detected protocol has not been checked yet.
    check(address, options)?;
    let mut client = RestClient::at(address, options.patience)?;
    let joined = match options.session {
        Some(session) => join(&mut client, session, options, report)?,
        None => create(&mut client, options, report)?,
    };
    let session = joined.session_id;
    let (Some(token), Some(stones)) = (joined.token, joined.init_stones) else {
        let what = "the answer lacks the token or the number of stones; is it a server of this game?";
        return Err(failed_request(&format!("entering session {session}"), what, NOT_BEGUN));
    };
    if options.session.is_none() {
        report.say_and_note(&format!("session {session}: give this number to your opponent"));
    }
    let side = if options.session.is_some() { Side::Second } else { Side::First };
    // Every request has its own answer, so messages cannot be joined and no pause is needed.
    let options = &MatchOptions { pause: Duration::ZERO, ..options.clone() };
    let announced = Announcement { stones, resets: None, init_max: None, clock: options.clock };
    let rules = announced.rules(options, RESETS)?;
    let game = ClientGame::new(&announced, rules, "", side, options, report)?;
    // Note a failure during the game, even if one before it was noted.
    client.silence_is_noted = false;
    RestMatch { client, session, token, game, side_is_known: false }.play()
}

/// Creates a session and joins it. If the answer, which has the session's number, is lost, creates another session.
fn create(client: &mut RestClient, options: &MatchOptions, report: &mut Report) -> ClientResult<JoinReply> {
    let stones = options.stones.unwrap_or(USUAL_STONES);
    let created = client.retry(client.patience, report, |client| client.create(&options.name, stones));
    created.map_err(|failed| failed_request("making a session", &failed.what, NOT_BEGUN))
}

/// Joins a session. After a lost answer, joins again only if nobody has joined: otherwise we could become both players.
fn join(
    client: &mut RestClient,
    session: u64,
    options: &MatchOptions,
    report: &mut Report,
) -> ClientResult<JoinReply> {
    let error =
        |failed: RequestError| failed_request(&format!("joining session {session}"), &failed.what, NOT_BEGUN);
    let mut state = |client: &mut RestClient| {
        let list = client.retry(client.patience, report, |client| client.moves(session));
        list.map(|list| list.game_status)
    };
    // If the session does not exist, joining it fails below.
    let before = match state(client) {
        Ok(before) => Some(before),
        Err(failed) if failed.is_temporary => return Err(error(failed)),
        Err(_) => None,
    };
    let began = Instant::now();
    loop {
        let mut lost = match client.join(session, &options.name) {
            Err(failed) if failed.is_temporary => failed,
            joined => return joined.map_err(error),
        };
        client.pause();
        let now = state(client).map_err(error)?;
        if Some(now) != before {
            lost.what += "; a player has joined since, probably us, but the token that our moves need was in the answer \
                          that is lost; make a new session and join that one";
            return Err(error(lost));
        }
        if began.elapsed() >= client.patience {
            return Err(error(lost));
        }
    }
}

struct RestMatch<'a, 'r> {
    client: RestClient,
    session: u64,
    token: String,
    game: ClientGame<'a, 'r>,
    /// True once the server has shown our side.
    side_is_known: bool,
}

impl RestMatch<'_, '_> {
    fn play(mut self) -> ClientResult {
        let mut after_our_move: Option<Status> = None;
        loop {
            let status = match after_our_move.filter(is_our_turn_or_end) {
                Some(status) => status,
                None => self.wait_for_our_turn()?,
            };
            if status.game_status == GameStatus::End {
                return Ok(self.end(&status.message));
            }
            let side =
                if status.game_status == GameStatus::WaitForBMove { Side::Second } else { Side::First };
            if !self.side_is_known {
                self.side_is_known = true;
                self.game.begin_as(side)?;
            }
            let Some(turn) = status.turn else {
                return Err(self.status_error(NO_POSITION));
            };
            self.process_turn(&turn);
            after_our_move = self.make_move(&turn)?;
        }
    }

    fn status_error(&self, what: &str) -> String {
        let request = format!("asking for the status of session {}", self.session);
        failed_request(&request, what, &self.game.account.standing())
    }

    fn status(&mut self) -> ClientResult<Status> {
        let Self { client, session, token, game, .. } = self;
        let status = client.retry(client.patience, game.report, |client| client.status(*session, token));
        status.map_err(|failed| self.status_error(&failed.what))
    }

    fn wait_for_our_turn(&mut self) -> ClientResult<Status> {
        let mut status_start = Instant::now();
        let mut last = None;
        loop {
            let status = self.status()?;
            if is_our_turn_or_end(&status) {
                return Ok(status);
            }
            if last.replace(status.game_status) != Some(status.game_status) {
                status_start = Instant::now();
            }
            if status_start.elapsed() >= self.client.patience {
                return Err(silent(self.client.patience, &self.game.account.standing()));
            }
            self.client.pause();
        }
    }

    /// Processes the position on our turn, and derives the opponent's move from it.
    fn process_turn(&mut self, turn: &TurnStatus) {
        let before = self.game.account.position.stones;
        if !self.game.account.is_ours() {
            let taken = u32::try_from(before.saturating_sub(turn.stones_left)).unwrap_or(u32::MAX);
            let derived = Move { take: taken, reset: turn.reset };
            // If the derived move is illegal, the list of moves may show the true one.
            let made =
                if self.game.account.accepts(derived) { Some(derived) } else { self.next_listed_move() };
            self.game.record(made.unwrap_or(derived), None);
        }
        let limit = self.game.account.rules.limit(turn.current_max, turn.reset);
        // The server caps its limit at the stones left; only a smaller number disagrees with ours.
        let accepted = turn.accept_max_value;
        let is_capped = u64::from(accepted) == turn.stones_left.min(limit.into());
        let limit = if is_capped { limit } else { limit.min(accepted) };
        let side = self.game.account.side;
        let mut claim = ServerClaim {
            stones: Some(turn.stones_left),
            limit: Some(limit),
            imposed: Some(turn.reset),
            ..ServerClaim::default()
        };
        claim.resets[side.index()] = Some(turn.reset_left);
        self.game.compare(claim);
    }

    fn moves(&mut self) -> RequestResult<Vec<SessionMove>> {
        let Self { client, session, game, .. } = self;
        let patience = client.patience.min(LIST_TIMEOUT);
        client.retry(patience, game.report, |client| client.moves(*session)).map(|list| list.moves)
    }

    fn next_listed_move(&mut self) -> Option<Move> {
        let moves = self.moves().ok()?;
        let SessionMove { stones_removed, reset, .. } = moves.get(self.game.account.plies.len())?;
        Some(Move { take: *stones_removed, reset: *reset })
    }

    /// Makes a move. Returns the status after the move, if it was requested.
    ///
    /// Repeats a move without an answer only after a status shows that it was not made. Otherwise the opponent may
    /// have moved since, and the move would count as our next one.
    fn make_move(&mut self, turn: &TurnStatus) -> ClientResult<Option<Status>> {
        let Some(chosen) = self.game.choose() else {
            return Err(self.status_error("it is our turn, but no stones are left"));
        };
        let (began, time_limit) = (Instant::now(), self.client.patience.min(self.game.time_left()));
        loop {
            let Err(failed) = self.client.play(self.session, &self.token, chosen.take, chosen.reset) else {
                self.game.record(chosen, None);
                return Ok(None);
            };
            if failed.is_temporary {
                self.client.note_silence(&failed.what, self.client.patience, self.game.report);
            }
            self.client.pause();
            let status = self.status()?;
            let request = format!("moving {chosen} in session {}", self.session);
            if status.game_status == GameStatus::End {
                if !failed.is_temporary {
                    self.game.report.note(&format!("{request}: {}", failed.what));
                }
                // The list of moves shows whether our move was made.
                return Ok(Some(status));
            }
            if status.your_turn && status.turn.is_none() {
                return Err(self.status_error(NO_POSITION));
            }
            if !waits_for_this(&status, turn) {
                self.game.record(chosen, None);
                return Ok(Some(status));
            }
            if !failed.is_temporary || began.elapsed() >= time_limit {
                return Err(failed_request(&request, &failed.what, &self.game.account.standing()));
            }
        }
    }

    fn end(&mut self, message: &str) -> MatchResult {
        let moves = self.moves().unwrap_or_else(|failed| {
            self.game.report.note(&format!("the last moves may be missing here: {}", failed.what));
            Vec::new()
        });
        for played in moves.iter().skip(self.game.account.plies.len()) {
            let made = Move { take: played.stones_removed, reset: played.reset };
            // Do not record an illegal move that lost the game.
            if !self.game.account.accepts(made) {
                break;
            }
            self.game.record(made, None);
        }
        // The server may have changed our name if both names were equal.
        let ours = moves.get(self.game.account.side.index()).map(|played| played.player.as_str());
        let name = self.game.options.name.as_str();
        let ours = ours.filter(|called| is_called(name, called)).unwrap_or(name);
        // "Game Over! Winner: NAME". With equal names, this may mean the opponent: if no stones are left, the rules decide.
        let named = message.rsplit_once("Winner:").map(|(_, winner)| winner.trim() == ours.trim());
        let no_stones_left = self.game.account.position.stones == 0;
        let account = &self.game.account;
        let by_rules = account.winner_by_last_move(account.to_move().other());
        let winner = match named {
            Some(false) => Some(account.side.other()),
            Some(true) if !no_stones_left => Some(account.side),
            Some(true) | None => no_stones_left.then_some(by_rules),
        };
        self.game.end(winner, message)
    }
}

fn is_our_turn_or_end(status: &Status) -> bool {
    status.your_turn || status.game_status == GameStatus::End
}

/// Returns true if the server still waits for our move of this turn; any move would have taken stones.
fn waits_for_this(status: &Status, turn: &TurnStatus) -> bool {
    let same = |now: &TurnStatus| now.stones_left == turn.stones_left;
    status.your_turn && status.turn.as_ref().is_some_and(same)
}
