//! A match on a server that speaks JSON over TCP.

use std::io;
use std::time::{Duration, Instant};

use bouton_tables::expanding::Move;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::report::shown;
use super::{
    Account, Claim, ClientError, Dialects, Disagreement, Ended, MatchOptions, NOT_BEGUN, Notes, Report,
    Transport, is_called, rules_announced,
};
use crate::Side;
use crate::protocol::tcp::{Hello, Init, MoveMessage, PlayerState, State, to_bytes};
use crate::protocol::{JsonStream, StreamError};

/// How long a player that asked for the first move waits to see whether the opponent moves first. That happens if both
/// asked for it and the opponent connected second. A player that hears of the game at once is the second itself, and
/// waits for the shorter time.
const TO_BE_FORESTALLED: [Duration; 2] = [Duration::from_secs(2), Duration::from_millis(100)];
/// A player that hears of the game this soon after connecting has found the opponent waiting.
const AT_ONCE: Duration = Duration::from_millis(60);
/// If the opponent has not moved for this long, a user who asked for the second move gets a hint.
const TO_THE_HINT: Duration = Duration::from_secs(30);
const HINT: &str = "still waiting for the opponent's first move; if both players asked to move second, the one who \
                    connected first moves first: if that was you, start again with --first";

/// Plays a match.
///
/// # Errors
/// If it could not be played to its end.
pub fn play(
    transport: &mut dyn Transport,
    options: &MatchOptions,
    report: &mut Report,
) -> Result<Ended, ClientError> {
    let said_hello = say_hello(transport, options)?;
    play_on(transport, said_hello, options, report)
}

/// Sends our name and the side that we ask for. Returns the time at which it was sent.
pub(super) fn say_hello(
    transport: &mut dyn Transport,
    options: &MatchOptions,
) -> Result<Instant, ClientError> {
    let hello = Hello { name: options.name.clone(), order: order(options.side) };
    transport.send(&to_bytes(&hello)).map_err(|error| closed(NOT_BEGUN.to_owned(), Some(&error)))?;
    Ok(Instant::now())
}

fn order(side: Side) -> u8 {
    if side == Side::First { 0 } else { 1 }
}

fn closed(standing: String, why: Option<&io::Error>) -> ClientError {
    ClientError::Closed { standing, why: why.map_or_else(String::new, |why| format!(" ({why})")) }
}

/// Plays a match once our first message is sent.
pub(super) fn play_on(
    transport: &mut dyn Transport,
    said_hello: Instant,
    options: &MatchOptions,
    report: &mut Report,
) -> Result<Ended, ClientError> {
    let mut feed = ObjectFeed { transport, stream: JsonStream::new(), options, unsent: None };
    let init: Init = read(feed.next(NOT_BEGUN, None)?, NOT_BEGUN)?;
    let to_be_forestalled = TO_BE_FORESTALLED[usize::from(said_hello.elapsed() <= AT_ONCE)];
    let rules = rules_announced(init.init_stones, init.init_resets)?;
    let contestant = options.kit.contestant(&rules, report)?;
    let start = rules.start(init.init_stones);
    if let Some(most) = init.init_max.filter(|&most| most != rules.base_limit()) {
        let ours = rules.base_limit();
        report.disagreement(&format!("the first limit: the server says {most}, our account {ours}"));
    }
    let mut account = Account::new(rules, start, options.side);
    account.hear(Claim { limit: init.init_max, ..Claim::default() });
    let game = JsonMatch {
        feed,
        options,
        notes: Notes { name: &options.name, report, contestant, account },
        to_be_forestalled,
        settled: false,
        sent: None,
        dialects: Dialects::default(),
    };
    game.play()
}

/// Objects from a server.
struct ObjectFeed<'a> {
    transport: &'a mut dyn Transport,
    stream: JsonStream,
    options: &'a MatchOptions,
    /// Why the last message could not be sent.
    unsent: Option<io::Error>,
}

impl ObjectFeed<'_> {
    /// Waits for bytes. Returns whether any came.
    fn wait(&mut self, within: Duration, standing: &str) -> Result<bool, ClientError> {
        match self.transport.receive(within) {
            Ok(None) => Ok(false),
            Ok(Some(bytes)) if bytes.is_empty() => Err(closed(standing.to_owned(), self.unsent.as_ref())),
            Ok(Some(bytes)) => {
                self.stream.push(&bytes);
                Ok(true)
            }
            Err(error) => Err(closed(standing.to_owned(), Some(&error))),
        }
    }

    /// The next object. If it takes long and there is a hint, gives the hint meanwhile.
    fn next(&mut self, standing: &str, mut hint: Option<&mut dyn FnMut()>) -> Result<Value, ClientError> {
        loop {
            match self.stream.next_object() {
                Ok(Some(object)) => return Ok(object),
                Ok(None) => {}
                Err(error) => return Err(garbage(&error, standing)),
            }
            let mut left = self.options.patience;
            if let Some(hint) = hint.take_if(|_| left > TO_THE_HINT) {
                if self.wait(TO_THE_HINT, standing)? {
                    continue;
                }
                hint();
                left -= TO_THE_HINT;
            }
            if !self.wait(left, standing)? {
                let seconds = self.options.patience.as_secs();
                return Err(ClientError::Silent { seconds, standing: standing.to_owned() });
            }
        }
    }

    /// Sends a move after the pause. A failure is only kept: the server's last message, still to be read, says more.
    fn send(&mut self, bytes: &[u8]) {
        self.transport.wait(self.options.pause);
        self.unsent = self.transport.send(bytes).err();
    }
}

fn garbage(error: &StreamError, standing: &str) -> ClientError {
    let found = error.to_string();
    let begins = |with: &str| found.starts_with(&format!("found \"{with}"));
    let hint = if begins("HTTP/") {
        "; this is a web server: try --protocol rest"
    } else if ('0'..='9').any(|digit| begins(&digit.to_string())) {
        "; this may be the server of 2016: try --protocol text-2016"
    } else {
        "; is it a server of this game?"
    };
    let standing = standing.to_owned();
    ClientError::Garbage { protocol: "of JSON over TCP", found, standing, hint: hint.to_owned() }
}

/// Reads an object as the message that is expected.
fn read<T: DeserializeOwned>(object: Value, standing: &str) -> Result<T, ClientError> {
    let text = shown(&object.to_string());
    serde_json::from_value(object).map_err(|error| ClientError::Garbage {
        protocol: "of JSON over TCP",
        found: format!("found {text}, which is not the expected message: {error}"),
        standing: standing.to_owned(),
        hint: "; is it a server of this game?".to_owned(),
    })
}

/// A game in progress.
struct JsonMatch<'a, 'r> {
    feed: ObjectFeed<'a>,
    options: &'a MatchOptions,
    notes: Notes<'a, 'r>,
    /// How long to wait for the opponent's move even though we asked to move first.
    to_be_forestalled: Duration,
    /// Whether the server has shown who moves first. Until then the account has the side that we asked for.
    settled: bool,
    /// The move that we sent, until the server reports it.
    sent: Option<Move>,
    dialects: Dialects,
}

impl JsonMatch<'_, '_> {
    fn play(mut self) -> Result<Ended, ClientError> {
        let standing = self.notes.account.standing();
        if self.options.side == Side::First {
            let forestalled =
                !self.feed.stream.is_empty() || self.feed.wait(self.to_be_forestalled, &standing)?;
            if forestalled {
                // We have not moved, so the opponent has.
                self.notes.take_side(Side::Second);
            }
        }
        self.notes.begin()?;
        loop {
            // If more has already come, it may be the end.
            if self.notes.account.is_ours() && self.sent.is_none() && self.feed.stream.is_empty() {
                self.make_a_move();
            }
            let standing = self.notes.account.standing();
            let report = &mut *self.notes.report;
            let mut hint = || report.note(HINT);
            let asked_second = self.options.side == Side::Second && !self.settled;
            let object = self.feed.next(&standing, if asked_second { Some(&mut hint) } else { None })?;
            if let Some(ended) = self.hear(object, &standing)? {
                return Ok(ended);
            }
        }
    }

    fn make_a_move(&mut self) {
        let Some(Move { take, reset }) = self.notes.choose() else { return };
        let message = MoveMessage { order: order(self.notes.account.side()), num_stones: take, reset };
        self.feed.send(&to_bytes(&message));
        self.sent = Some(Move { take, reset });
    }

    /// Takes in the state after a move. Returns how the game ended, if it did.
    fn hear(&mut self, object: Value, standing: &str) -> Result<Option<Ended>, ClientError> {
        let finished = object.get("finished") == Some(&Value::Bool(true));
        let end = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
        let (winner, reason) = (end("winner"), end("reason"));
        let state: State = match read(object, standing) {
            Ok(state) => state,
            Err(_) if finished => return Ok(Some(self.end_without_a_state(winner, reason))),
            Err(error) => return Err(error),
        };
        let made = Move { take: state.stones_removed, reset: state.reset_used };
        if !self.settled {
            self.settle(&state, made)?;
        }
        if finished {
            return Ok(Some(self.end(&state, made)));
        }
        self.check_echo(made);
        self.notes.record(made, None);
        let position = self.notes.account.position();
        let limit = self.dialects.hear(state.current_max, self.notes.account.rules(), position);
        if limit.is_some() && self.notes.account.first_time(Disagreement::Limit) {
            let position = self.notes.account.position();
            let ours = self.notes.account.rules().limit(position.currentmax, position.imposed);
            let (said, most) = (state.current_max, position.currentmax);
            self.notes.report.disagreement(&format!(
                "current_max: the server says {said}, which fits no dialect; by our account {most} is the most \
                 taken so far, and {ours} the most that may be taken next"
            ));
        }
        let resets = [state.player_0.resets_left, state.player_1.resets_left].map(Some);
        let claim = Claim { stones: Some(state.stones_left), resets, limit, imposed: None };
        self.notes.hear(claim);
        Ok(None)
    }

    /// Finds out from the first state who moved first.
    fn settle(&mut self, state: &State, made: Move) -> Result<(), ClientError> {
        self.settled = true;
        let (first, second) = (&state.player_0.name, &state.player_1.name);
        let us = &self.options.name;
        // Both are, if the server distinguishes two equal names by an addition to one of them.
        let [is_first, is_second] = [first, second].map(|called| is_called(us, called));
        if first == second || is_first && is_second {
            self.notes.report.note(&format!(
                "both players are called {}, and the server does not say who moves first; give another --name next \
                 time",
                shown(us)
            ));
        }
        let side = match self.sent {
            // Whatever the names say: we have not moved, and somebody has.
            None if made.take > 0 => Side::Second,
            _ if is_first && !is_second => Side::First,
            _ if is_second && !is_first => Side::Second,
            sent if sent == Some(made) => Side::First,
            _ => Side::Second,
        };
        if side != self.notes.account.side() {
            // The move that we sent waits at the server and counts as our next one.
            self.notes.take_side(side);
            self.notes.begin()?;
        }
        let PlayerState { name, .. } = if side == Side::First { &state.player_1 } else { &state.player_0 };
        self.notes.report.call_opponent(name);
        Ok(())
    }

    /// Compares the move that the server reports as ours with the one we sent.
    fn check_echo(&mut self, made: Move) {
        if !self.notes.account.is_ours() {
            return;
        }
        let sent = self.sent.take();
        if sent != Some(made) && self.notes.account.first_time(Disagreement::Echo) {
            let sent = sent.map_or("nothing".to_owned(), |sent| sent.to_string());
            self.notes.report.disagreement(&format!("our move: the server says {made}, and we sent {sent}"));
        }
    }

    fn end(&mut self, state: &State, made: Move) -> Ended {
        let mover = self.notes.account.to_move();
        let is_legal = self.notes.account.clone().record(made).is_none();
        if is_legal {
            self.notes.record(made, None);
        }
        let reason = state.reason.clone().unwrap_or_else(|| "the server gives no reason".to_owned());
        let names = [&state.player_0.name, &state.player_1.name];
        let winner = match &state.winner {
            Some(winner) if names[0] != names[1] && names.contains(&winner) => {
                Side::BOTH[usize::from(winner != names[0])]
            }
            // The player who moved last has won the game, or lost it by that move.
            _ if reason.contains("won") => mover,
            _ => mover.other(),
        };
        let ended = if winner == self.notes.account.side() { Ended::Won } else { Ended::Lost };
        self.notes.end(ended, &reason);
        ended
    }

    /// The end of the game, if the last state is incomplete.
    fn end_without_a_state(&mut self, winner: Option<String>, reason: Option<String>) -> Ended {
        let ended = match winner {
            None => Ended::Unknown,
            Some(winner) if winner == self.options.name => Ended::Won,
            Some(_) => Ended::Lost,
        };
        self.notes.end(ended, &reason.unwrap_or_else(|| "the server gives no reason".to_owned()));
        ended
    }
}
