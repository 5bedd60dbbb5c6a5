//! A match on a server that speaks JSON over TCP.

use std::time::{Duration, Instant};

use bouton_tables::expanding::{Move, Position};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::client_game::{ClientGame, is_called};
use super::current_max::Dialects;
use super::error::{ClientResult, MatchResult, NOT_BEGUN, closed, garbage};
use super::game_account::{LIMIT, ServerClaim};
use super::match_options::MatchOptions;
use super::match_rules::{Announcement, with_init_max};
use super::report::{Report, shown};
use super::transport::{Feed, Transport};
use crate::Side;
use crate::protocol::tcp::{GameState, Hello, Init, MoveMessage, PlayerState, to_bytes};

/// Least and greatest time that we wait, after asking for the first move, for the opponent to move first.
///
/// If both players asked for the first move, either may have it, and they must not both move. Both hear of the game at
/// the same time, so the player who connected second hears of it sooner after connecting. The wait grows with that time
/// ([`first_move_wait`]), so the one who connected second moves first.
const FIRST_MOVE_WAIT: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(2)];
/// The wait grows by this many seconds for each second between connecting and hearing of the game.
const WAIT_GROWTH: u32 = 4;
/// The wait takes at most the clock divided by this.
const CLOCK_DIVISOR: u32 = 20;
/// Silence after which a user who asked for the second move gets a hint.
const FIRST_MOVE_HINT_TIME: Duration = Duration::from_secs(2);
const NO_REASON: &str = "the server gives no reason";
const HINT: &str = "still waiting for the opponent's first move; if both players asked to move second, nobody moves until a \
                    clock runs out, but stopping now loses this match on most servers; next time, agree on who goes first \
                    before connecting: one gives --first, the other --second";

/// Plays a match.
pub fn play(transport: &mut dyn Transport, options: &MatchOptions, report: &mut Report) -> ClientResult {
    greet_and_play(Feed::new(Instant::now(), transport, options), report)
}

pub(super) fn greet_and_play<'a>(mut feed: Feed<'a>, report: &'a mut Report) -> ClientResult {
    say_hello(&mut feed)?;
    play_on(feed, report)
}

pub(super) fn say_hello(feed: &mut Feed) -> ClientResult<()> {
    let hello = Hello { name: feed.options.name.clone(), order: feed.options.side.index() as u8 };
    let sent = feed.transport.send(&to_bytes(&hello));
    feed.has_greeted = true;
    sent.map_err(|error| closed(Some(&error), NOT_BEGUN, false))
}

/// Plays a match once our first message is sent.
pub(super) fn play_on<'a>(mut feed: Feed<'a>, report: &'a mut Report) -> ClientResult {
    feed.wait_for_the_game(report)?;
    let init: Init = read(next_object(&mut feed, NOT_BEGUN)?, NOT_BEGUN)?;
    let options = feed.options;
    let announced = init.game_time.map(|seconds| Duration::from_secs(seconds.into()));
    let clock = announced.map_or(options.clock, |announced| announced.min(options.clock));
    let first_move_wait = first_move_wait(feed.connected.elapsed(), clock);
    let announced = Announcement {
        stones: init.init_stones,
        resets: Some([init.init_resets; 2]),
        init_max: init.init_max,
        clock,
    };
    let rules = announced.rules(options, init.init_resets)?;
    let game = ClientGame::new(&announced, rules, "", options.side, options, report)?;
    let dialects = Dialects::new(&init);
    JsonMatch { feed, game, announced, first_move_wait, side_is_known: false, sent: None, dialects }.play()
}

/// Returns how long to wait for a first move, given the time between connecting and hearing of the game.
fn first_move_wait(heard_after: Duration, clock: Duration) -> Duration {
    let [shortest, longest] = FIRST_MOVE_WAIT;
    (shortest + heard_after.min(longest) * WAIT_GROWTH).min(longest).min(clock / CLOCK_DIVISOR)
}

fn next_object(feed: &mut Feed, standing: &str) -> ClientResult<Value> {
    feed.next(standing, |stream| {
        stream.next_object().map_err(|found| {
            let begins = |with: &str| found.starts_with(&format!("found \"{with}"));
            let hint = if begins("HTTP/") {
                "this is a web server: try --protocol rest"
            } else if ('0'..='9').any(|digit| begins(&digit.to_string())) {
                "this may be the server of 2016: try --protocol text-2016"
            } else {
                IS_IT_THIS_GAME
            };
            garbage(PROTOCOL, &found, standing, hint)
        })
    })
}

fn read<T: DeserializeOwned>(object: Value, standing: &str) -> ClientResult<T> {
    let text = shown(&object.to_string());
    serde_json::from_value(object).map_err(|error| {
        // The error may quote the message.
        let why = shown(&error.to_string());
        let found = format!("found {text}, which is not the expected message: {why}");
        garbage(PROTOCOL, &found, standing, IS_IT_THIS_GAME)
    })
}

const PROTOCOL: &str = "of JSON over TCP";
const IS_IT_THIS_GAME: &str = "is it a server of this game?";

struct JsonMatch<'a, 'r> {
    feed: Feed<'a>,
    game: ClientGame<'a, 'r>,
    announced: Announcement,
    /// Time to wait for the opponent's first move after asking for the first move ourselves.
    first_move_wait: Duration,
    /// True once the server has shown our side. Until then we assume the side that we asked for.
    side_is_known: bool,
    /// The move that we sent, until the server reports it.
    sent: Option<Move>,
    dialects: Dialects,
}

impl JsonMatch<'_, '_> {
    fn play(mut self) -> ClientResult {
        let (requested_side, patience) = (self.feed.options.side, self.feed.options.patience);
        let standing = self.game.account.standing();
        // We have not moved, so any message means that the opponent has moved.
        let opponent_moved = requested_side == Side::First
            && (!self.feed.stream.is_empty() || self.feed.wait(self.first_move_wait, &standing)?);
        self.game.begin_as(if opponent_moved { Side::Second } else { requested_side })?;
        loop {
            // A message that has already arrived may end the game.
            if self.game.account.is_ours() && self.sent.is_none() && self.feed.stream.is_empty() {
                self.make_move();
            }
            let standing = self.game.account.standing();
            let waits_for_first_move =
                requested_side == Side::Second && !self.side_is_known && self.feed.stream.is_empty();
            if waits_for_first_move
                && patience > FIRST_MOVE_HINT_TIME
                && !self.feed.wait(FIRST_MOVE_HINT_TIME, &standing)?
            {
                self.game.report.note(HINT);
                self.feed.wait_or_fail(patience - FIRST_MOVE_HINT_TIME, &standing)?;
            }
            let object = next_object(&mut self.feed, &standing)?;
            if let Some(result) = self.process_state(object, &standing)? {
                return Ok(result);
            }
        }
    }

    fn make_move(&mut self) {
        self.sent = self.game.choose();
        let Some(Move { take, reset }) = self.sent else { return };
        let message = MoveMessage { order: self.game.account.side.index() as u8, num_stones: take, reset };
        self.feed.send(&to_bytes(&message), self.game.pause());
    }

    /// Processes a state from the server; returns the result if it ends the match.
    fn process_state(&mut self, object: Value, standing: &str) -> ClientResult<Option<MatchResult>> {
        let finished = object.get("finished") == Some(&Value::Bool(true));
        let end = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
        let (winner, reason) = (end("winner"), end("reason"));
        let state: GameState = match read(object, standing) {
            Ok(state) => state,
            Err(_) if finished => {
                return Ok(Some(self.end_without_a_state(winner.as_deref(), reason.as_deref())));
            }
            Err(error) => return Err(error),
        };
        let made = Move { take: state.stones_removed, reset: state.reset_used };
        if !self.side_is_known {
            if let Some(limit) = state.init_max {
                self.game.announce_limit(limit, &self.announced)?;
            }
            self.determine_side(&state, made)?;
        }
        if finished {
            return Ok(Some(self.end(&state, made)));
        }
        self.check_echo(made);
        self.game.record(made, None);
        let account = &mut self.game.account;
        let mut limit = self.dialects.learn(&state, &account.rules, &account.position);
        if limit.is_some() && account.is_first_warning(LIMIT) {
            let (said, most, ours) = (state.current_max, account.position.currentmax, account.limit());
            self.game.report.disagreement(&format!(
                "current_max: the server says {said}, which fits no dialect; by our account {most} is the most taken so far, \
                 and {ours} the most that may be taken next"
            ));
        }
        if let Some(stated) = state.init_max {
            // If the server changes its limit, the lower one counts.
            let Position { currentmax, imposed, .. } = account.position;
            let stated = with_init_max(&account.rules, stated).limit(currentmax, imposed);
            if stated != account.limit() {
                limit = Some(limit.map_or(stated, |limit| limit.min(stated)));
            }
        }
        let ours = if self.game.account.side == Side::First { &state.player_0 } else { &state.player_1 };
        self.game.clock.sync(ours.time_taken);
        let resets = [state.player_0.resets_left, state.player_1.resets_left].map(Some);
        let claim = ServerClaim { stones: Some(state.stones_left), resets, limit, imposed: None };
        self.game.compare(claim);
        Ok(None)
    }

    /// Determines our side from the first state, and starts the game again if we have assumed the other side.
    fn determine_side(&mut self, state: &GameState, made: Move) -> ClientResult<()> {
        self.side_is_known = true;
        let (first, second) = (&state.player_0.name, &state.player_1.name);
        let us = &self.feed.options.name;
        // Both may be true if the server distinguishes equal names by an addition.
        let [is_first, is_second] = [first, second].map(|called| is_called(us, called));
        if first == second || is_first && is_second {
            self.game.report.note(&format!(
                "both players are called {}, and the server does not say who moves first; give another --name next \
                 time",
                shown(us)
            ));
        }
        let side = match self.sent {
            // We have not moved, so the opponent has.
            None if made.take > 0 => Side::Second,
            _ if is_first && !is_second => Side::First,
            _ if is_second && !is_first => Side::Second,
            sent if sent == Some(made) => Side::First,
            _ => Side::Second,
        };
        if side != self.game.account.side {
            // The server still holds our move and counts it as our next one.
            self.game.begin_as(side)?;
        }
        let PlayerState { name, .. } = if side == Side::First { &state.player_1 } else { &state.player_0 };
        self.game.report.set_opponent(name);
        Ok(())
    }

    /// Checks that the server reports the move that we sent.
    fn check_echo(&mut self, made: Move) {
        if !self.game.account.is_ours() {
            return;
        }
        let sent = self.sent.take();
        if sent != Some(made) && self.game.account.is_first_warning("our move") {
            let sent = sent.map_or("nothing".to_owned(), |sent| sent.to_string());
            self.game.report.disagreement(&format!("our move: the server says {made}, and we sent {sent}"));
        }
    }

    fn end(&mut self, state: &GameState, made: Move) -> MatchResult {
        let mover = self.game.account.to_move();
        if self.game.account.accepts(made) {
            self.game.record(made, None);
        }
        let reason = state.reason.as_deref().unwrap_or(NO_REASON);
        let names = [&state.player_0.name, &state.player_1.name];
        let winner = match &state.winner {
            Some(winner) if names[0] != names[1] && names.contains(&winner) => {
                Side::BOTH[usize::from(winner != names[0])]
            }
            // The last move ended the game by the rules, or was illegal and lost.
            _ if reason.contains("won") => self.game.account.winner_by_last_move(mover),
            _ => mover.other(),
        };
        self.game.end(Some(winner), reason)
    }

    /// Ends the match after a last message that is no complete state.
    fn end_without_a_state(&mut self, winner: Option<&str>, reason: Option<&str>) -> MatchResult {
        let ours = self.game.account.side;
        let winner = winner.map(|name| if name == self.feed.options.name { ours } else { ours.other() });
        self.game.end(winner, reason.unwrap_or(NO_REASON))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_for_a_first_move_grows_with_the_time_since_connecting() {
        let clock = Duration::from_secs(120);
        let wait = |millis| first_move_wait(Duration::from_millis(millis), clock);
        assert_eq!([0, 100, 475, 10_000].map(wait), [100, 500, 2000, 2000].map(Duration::from_millis));
        assert_eq!(first_move_wait(Duration::MAX, clock), Duration::from_secs(2));
        assert_eq!(first_move_wait(Duration::MAX, Duration::from_secs(10)), Duration::from_millis(500));
        for heard in 0..475 {
            assert!(wait(heard) < wait(heard + 1));
        }
    }
}
