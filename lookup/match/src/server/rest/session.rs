//! A session: players A and B, who join one after the other, and their game.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bouton_tables::expanding::{Expanding, Move};
use time::OffsetDateTime;

use crate::protocol::rest::{GameStatus, MoveList, SessionMove, Status, TurnStatus};
use crate::server::hosted_game::{HostedGame, seconds};
use crate::server::match_settings::MatchSettings;
use crate::{Ply, Side};

/// Time after which a player's clock starts, even if the player has not asked for the status.
const GRACE: Duration = Duration::from_secs(5);

#[derive(Debug)]
struct SessionPlayer {
    name: String,
    token: String,
    has_seen_end: bool,
}

/// A game with the number of its match and the state of the turn.
#[derive(Debug)]
struct SessionMatch {
    number: u64,
    game: HostedGame,
    turn_start: Instant,
    /// The player's first request for the status in this turn.
    first_request: Option<Instant>,
    /// True once the end was reported.
    is_reported: bool,
}

impl SessionMatch {
    /// Returns the time at which the clock of the player to move started, or will start.
    fn clock_start(&self) -> Instant {
        let latest = self.turn_start + GRACE;
        self.first_request.map_or(latest, |first_request| first_request.min(latest))
    }
}

/// Players A and B, and their game.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) stones: u64,
    players: Vec<SessionPlayer>,
    current: Option<SessionMatch>,
    /// Time of the last request by a player.
    pub(super) last_used: Instant,
}

impl Session {
    pub(super) fn new(stones: u64, now: Instant) -> Self {
        Self { stones, players: Vec::new(), current: None, last_used: now }
    }

    pub(super) fn is_open(&self) -> bool {
        self.current.is_none()
    }

    pub(super) fn is_over(&self) -> bool {
        self.game_status() == GameStatus::End
    }

    pub(super) fn end_is_known(&self) -> bool {
        self.players.iter().all(|player| player.has_seen_end)
    }

    /// Returns the game and its match number, once, after the game is over.
    pub(super) fn notice_end(&mut self) -> Option<(u64, &HostedGame)> {
        let current = self.current.as_mut()?;
        if current.is_reported || current.game.winner().is_none() {
            return None;
        }
        current.is_reported = true;
        Some((current.number, &current.game))
    }

    /// Adds a player; the first is player A. The second begins match `number`; then returns its game.
    pub(super) fn join(
        &mut self,
        name: String,
        token: String,
        settings: &MatchSettings,
        number: u64,
        now: Instant,
    ) -> Result<Option<&HostedGame>, String> {
        self.last_used = now;
        if self.current.is_some() {
            return Err("Player B already exists.".to_owned());
        }
        let player = SessionPlayer { name, token, has_seen_end: false };
        let Some(a) = self.players.first() else {
            self.players.push(player);
            return Ok(None);
        };
        let names = settings.protocol.names([a.name.clone(), player.name.clone()]);
        let game = HostedGame::new(self.stones, settings, names);
        self.players.push(player);
        let current = SessionMatch { number, game, turn_start: now, first_request: None, is_reported: false };
        Ok(Some(&self.current.insert(current).game))
    }

    pub(super) fn watch_clock(&mut self, now: Instant) {
        let Some(current) = &mut self.current else { return };
        let side = current.game.referee.to_move();
        if now >= current.clock_start() + current.game.time_left(side) {
            current.game.run_out();
        }
    }

    pub(super) fn game_status(&self) -> GameStatus {
        match &self.current {
            Some(current) if current.game.winner().is_some() => GameStatus::End,
            Some(current) => match current.game.referee.to_move() {
                Side::First => GameStatus::WaitForAMove,
                Side::Second => GameStatus::WaitForBMove,
            },
            None if self.players.is_empty() => GameStatus::WaitForAJoin,
            None => GameStatus::WaitForBJoin,
        }
    }

    /// Returns the side of the player with this token, and notes that the session is in use.
    fn enter(&mut self, token: &str, now: Instant) -> Result<Side, String> {
        let index = self.players.iter().position(|player| player.token == token);
        let index = index.ok_or("Your token does not match any of the players.")?;
        self.last_used = now;
        self.watch_clock(now);
        Ok(Side::BOTH[index])
    }

    /// Returns the status for the player with this token, and starts the clock if it is this player's turn.
    pub(super) fn status(&mut self, token: &str, now: Instant) -> Result<Status, String> {
        let side = self.enter(token, now)?;
        let game_status = self.game_status();
        let answer = |message: String, turn: Option<TurnStatus>| Status {
            game_status,
            your_turn: turn.is_some(),
            message,
            turn,
        };
        if let Some(message) = self.end() {
            self.players[side.index()].has_seen_end = true;
            return Ok(answer(message, None));
        }
        let waits_for = match &mut self.current {
            Some(current) if current.game.referee.to_move() == side => {
                current.first_request.get_or_insert(now);
                let message = "It's your turn now. Please make a move.".to_owned();
                return Ok(answer(message, Some(turn_status(current, side, now))));
            }
            Some(_) if side == Side::First => "Player B's Move",
            Some(_) => "Player A's Move",
            None => "Player B to Join",
        };
        let message = format!(
            "It's not your turn yet. Please wait for other player. Please don't refresh too frequently. Status: \
             Wait for {waits_for}"
        );
        Ok(answer(message, None))
    }

    fn end(&self) -> Option<String> {
        let game = &self.current.as_ref()?.game;
        Some(format!("Game Over! Winner: {}", game.name(game.winner()?)))
    }

    /// Makes a move of the player with this token. A move out of turn changes nothing; an illegal move loses.
    pub(super) fn make_move(&mut self, token: &str, attempt: Move, now: Instant) -> Result<(), String> {
        let side = self.enter(token, now)?;
        if let Some(end) = self.end() {
            return Err(end);
        }
        let current = self.current.as_mut().filter(|current| current.game.referee.to_move() == side);
        let current = current.ok_or("It is not your turn yet.")?;
        if current.first_request.is_none() {
            return Err("Please request status before making move.".to_owned());
        }
        let took = now.saturating_duration_since(current.clock_start());
        let plies = current.game.referee.plies().len();
        current.game.attempt(attempt, took);
        if current.game.referee.plies().len() > plies {
            current.turn_start = now;
            current.first_request = None;
        }
        match current.game.winner() {
            Some(winner) if winner != side => Err(format!("{}.", current.game.reason_in_full())),
            _ => Ok(()),
        }
    }

    pub(super) fn moves(&mut self, now: Instant) -> MoveList {
        self.watch_clock(now);
        let moves = self.current.as_ref().map(|current| listed_moves(&current.game)).unwrap_or_default();
        MoveList { game_status: self.game_status(), moves }
    }
}

fn listed_moves(game: &HostedGame) -> Vec<SessionMove> {
    let listed = |(number, ply): (usize, &Ply<Expanding>)| SessionMove {
        player: game.name(Side::of_ply(number)).to_owned(),
        time: seconds(ply.took),
        stones_removed: ply.chosen.take,
        stones_left: ply.before.stones - u64::from(ply.chosen.take),
        reset: ply.chosen.reset,
    };
    game.referee.plies().iter().enumerate().map(listed).collect()
}

fn turn_status(current: &SessionMatch, side: Side, now: Instant) -> TurnStatus {
    let game = &current.game;
    let position = game.position();
    let thinking = now.saturating_duration_since(current.clock_start());
    let began = SystemTime::now().checked_sub(thinking).unwrap_or(UNIX_EPOCH);
    let left = game.time_left(side).saturating_sub(thinking);
    TurnStatus {
        stones_left: position.stones,
        reset: position.imposed,
        current_max: position.currentmax,
        accept_max_value: game.referee.game().max_take(position),
        reset_left: position.resets[side.index()],
        start_time: utc(began),
        time_left: left.as_secs(),
    }
}

/// Formats a time in UTC as in RFC 3339: `2020-10-05T14:03:00.250Z`.
fn utc(time: SystemTime) -> String {
    let time = OffsetDateTime::from(time);
    let ((year, month, day), (hour, minute, second, milli)) = (time.to_calendar_date(), time.to_hms_milli());
    format!("{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z", u8::from(month))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_formatted_in_utc() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00.250Z"),
            (951_782_399, "2000-02-28T23:59:59.250Z"),
            (951_782_400, "2000-02-29T00:00:00.250Z"),
            (951_868_800, "2000-03-01T00:00:00.250Z"),
            (1_601_906_580, "2020-10-05T14:03:00.250Z"),
            (4_107_542_399, "2100-02-28T23:59:59.250Z"),
            (4_107_542_400, "2100-03-01T00:00:00.250Z"),
        ] {
            let time = UNIX_EPOCH + Duration::from_secs(seconds) + Duration::from_millis(250);
            assert_eq!(utc(time), expected);
        }
    }
}
