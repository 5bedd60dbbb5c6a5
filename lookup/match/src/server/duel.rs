//! One match between two connections, from the first message to the last.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::connection::{ClientEvent, Connection, listen};
use super::hosted_game::HostedGame;
use super::match_settings::MatchSettings;
use super::tcp_protocol::Messages;
use crate::Side;
use crate::protocol::MessageStream;

/// The most pieces that are read ahead; a client that sends more is blocked.
const WAITING: usize = 16;

/// How long both clients have to read the last message. If a connection were closed with unread bytes, the client might
/// not get the final state.
const FAREWELL: Duration = Duration::from_secs(1);

pub(super) struct Duel<'a> {
    settings: &'a MatchSettings,
    game: HostedGame,
    /// One for each side.
    connections: [Connection; 2],
    /// What the player to move has sent.
    stream: MessageStream,
    /// When the turn of the player to move began.
    since: Instant,
}

impl<'a> Duel<'a> {
    pub(super) fn new(settings: &'a MatchSettings, game: HostedGame, connections: [Connection; 2]) -> Self {
        Self { settings, game, connections, stream: MessageStream::new(), since: Instant::now() }
    }

    /// Plays the match; calls `finished` once both players have been told the end.
    pub(super) fn play(mut self, finished: impl FnOnce(&HostedGame)) -> io::Result<()> {
        let readers = [self.connections[0].reader()?, self.connections[1].reader()?];
        let (sender, events) = sync_channel(WAITING);
        thread::scope(|scope| {
            let mut started = Ok(());
            for (side, reader) in Side::BOTH.into_iter().zip(readers) {
                let sender = sender.clone();
                let reading = move || listen(reader, side, &sender);
                let spawned = thread::Builder::new().spawn_scoped(scope, reading);
                started = started.and(spawned.map(drop));
            }
            drop(sender);
            if started.is_ok() {
                self.referee(&events);
                finished(&self.game);
                self.part(&events);
            }
            // Both make the readers end, whether they wait for bytes or for room.
            self.connections.iter().for_each(Connection::break_off);
            drop(events);
            started
        })
    }

    fn referee(&mut self, events: &Receiver<ClientEvent>) {
        let opening = self.settings.protocol.opening(self.settings.clock, &self.game);
        self.tell(&opening);
        while self.game.winner().is_none() {
            let side = self.game.referee.to_move();
            // No overflow: a clock is a day at most.
            let deadline = self.since + self.game.time_left(side);
            match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(event) if event.at < deadline => self.hear(&event, side),
                Ok(_) | Err(RecvTimeoutError::Timeout) => self.game.run_out(),
                // The readers report the end before they end; this would be one that never began.
                Err(RecvTimeoutError::Disconnected) => self.game.fail(side, DISCONNECTED),
            }
        }
        let end = self.settings.protocol.state(&self.game);
        self.tell(&end);
    }

    fn hear(&mut self, event: &ClientEvent, to_move: Side) {
        let Some(bytes) = &event.bytes else { return self.game.fail(event.from, DISCONNECTED) };
        if event.from != to_move || event.at < self.since {
            if !bytes.iter().all(u8::is_ascii_whitespace) {
                self.game.fail(event.from, "moved out of turn");
            }
            return;
        }
        self.stream.push(bytes);
        let attempt = match self.settings.protocol.next_move(&mut self.stream) {
            Ok(None) => return,
            Ok(Some(attempt)) => attempt,
            Err(error) => return self.game.fail(to_move, no_message(&error)),
        };
        if !self.stream.is_empty() {
            let what = match self.settings.protocol.next_move(&mut self.stream) {
                Ok(_) => "sent two moves at once".to_owned(),
                Err(error) => no_message(&format!("{error} (after a move)")),
            };
            return self.game.fail(to_move, what);
        }
        self.stream = MessageStream::new();
        self.connections[to_move.index()].answered();
        self.game.attempt(attempt, event.at.saturating_duration_since(self.since));
        if self.game.winner().is_none() {
            let state = self.settings.protocol.state(&self.game);
            self.tell(&state);
        }
    }

    /// Sends messages, first to the player who has just moved: that player has answered, so this one need not wait.
    fn tell(&mut self, messages: &Messages) {
        let to_move = self.game.referee.to_move();
        let pause = Duration::from_millis(self.settings.pause.into());
        for side in [to_move.other(), to_move] {
            let Some(message) = &messages[side.index()] else { continue };
            match self.connections[side.index()].send(message, pause) {
                Ok(at) if side == to_move => self.since = at,
                Ok(_) => {}
                Err(error) if is_stuck(&error) => self.game.fail(side, "does not read its messages"),
                Err(_) => self.game.fail(side, DISCONNECTED),
            }
        }
    }

    fn part(&self, events: &Receiver<ClientEvent>) {
        self.connections.iter().for_each(Connection::end_writing);
        let deadline = Instant::now() + FAREWELL;
        while let Ok(_more) = events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            if Instant::now() >= deadline {
                return;
            }
        }
    }
}

const DISCONNECTED: &str = "disconnected";

fn no_message(error: &str) -> String {
    format!("sent an invalid message: {error}")
}

/// Whether a write failed because the client does not read.
fn is_stuck(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
