//! One match between two connections, from the first message to the last.

use std::io;
use std::time::Duration;

use tokio::time::{Instant, timeout, timeout_at};

use super::connection::{Connection, Incoming};
use super::hosted_game::HostedGame;
use super::match_settings::MatchSettings;
use super::tcp_protocol::Messages;
use crate::Side;
use crate::protocol::MessageStream;

/// Time for both clients to read the last message.
const FAREWELL: Duration = Duration::from_secs(1);

pub(super) struct Duel<'a> {
    settings: &'a MatchSettings,
    game: HostedGame,
    connections: [Connection; 2],
    /// Bytes from the player to move.
    stream: MessageStream,
    /// Time at which the player to move was sent the position.
    turn_start: Instant,
}

impl<'a> Duel<'a> {
    pub(super) fn new(settings: &'a MatchSettings, game: HostedGame, connections: [Connection; 2]) -> Self {
        Self { settings, game, connections, stream: MessageStream::new(), turn_start: Instant::now() }
    }

    /// Plays the match; calls `finished` once both players have been sent the end.
    pub(super) async fn play(mut self, finished: impl FnOnce(&HostedGame)) {
        self.run_game().await;
        finished(&self.game);
        let [first, second] = &mut self.connections;
        let _ = timeout(FAREWELL, async { tokio::join!(first.close(), second.close()) }).await;
    }

    async fn run_game(&mut self) {
        let opening = self.settings.protocol.opening(self.settings.clock, &self.game);
        self.send_all(&opening).await;
        while self.game.winner().is_none() {
            // No overflow: a clock is a day at most.
            let deadline = self.turn_start + self.game.time_left(self.game.referee.to_move());
            let [first, second] = &mut self.connections;
            let either = async {
                tokio::select! {
                    received = first.receive() => (Side::First, received),
                    received = second.receive() => (Side::Second, received),
                }
            };
            match timeout_at(deadline, either).await {
                Ok((from, received)) if received.0 < deadline => self.process_bytes(from, received).await,
                _ => self.game.run_out(),
            }
        }
        let end = self.settings.protocol.state(&self.game);
        self.send_all(&end).await;
    }

    async fn process_bytes(&mut self, from: Side, (at, read): Incoming) {
        let bytes = read.unwrap_or_default();
        if bytes.is_empty() {
            return self.game.fail(from, DISCONNECTED);
        }
        if from != self.game.referee.to_move() || at < self.turn_start {
            if !bytes.iter().all(u8::is_ascii_whitespace) {
                self.game.fail(from, "moved out of turn");
            }
            return;
        }
        self.stream.push(&bytes);
        let attempt = match self.settings.protocol.next_move(&mut self.stream) {
            Ok(None) => return,
            Ok(Some(attempt)) => attempt,
            Err(error) => return self.game.fail(from, invalid_message(&error)),
        };
        if !self.stream.is_empty() {
            let what = match self.settings.protocol.next_move(&mut self.stream) {
                Ok(_) => "sent two moves at once".to_owned(),
                Err(error) => invalid_message(&format!("{error} (after a move)")),
            };
            return self.game.fail(from, what);
        }
        self.stream = MessageStream::new();
        self.connections[from.index()].note_answer();
        self.game.attempt(attempt, at.saturating_duration_since(self.turn_start));
        if self.game.winner().is_none() {
            let state = self.settings.protocol.state(&self.game);
            self.send_all(&state).await;
        }
    }

    /// Sends messages, first to the last player to move: that player has answered, so the message needs no pause.
    async fn send_all(&mut self, messages: &Messages) {
        let to_move = self.game.referee.to_move();
        let pause = Duration::from_millis(self.settings.pause.into());
        for side in [to_move.other(), to_move] {
            let Some(message) = &messages[side.index()] else { continue };
            match self.connections[side.index()].send(message, pause).await {
                Ok(at) if side == to_move => self.turn_start = at,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    self.game.fail(side, "does not read its messages");
                }
                Err(_) => self.game.fail(side, DISCONNECTED),
            }
        }
    }
}

const DISCONNECTED: &str = "disconnected";

fn invalid_message(error: &str) -> String {
    format!("sent an invalid message: {error}")
}
