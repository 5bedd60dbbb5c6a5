//! The server of 2016: numbers, and no names.

use super::hosted_game::{Attempt, HostedGame};
use super::match_settings::MatchSettings;
use super::tcp_protocol::{Greeting, Inbox, TcpProtocol, to_both, to_one};
use crate::protocol::text_2016::{LEAST_CURRENTMAX, OVER, TextState, TextStream};

/// The protocol of 2016.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextProtocol;

impl TcpProtocol for TextProtocol {
    type Inbox = TextStream;

    const HAS_GREETING: bool = false;

    fn opening(self, _: &MatchSettings, game: &HostedGame) -> [Option<Vec<u8>>; 2] {
        self.state(game)
    }

    fn state(self, game: &HostedGame) -> [Option<Vec<u8>>; 2] {
        if game.winner().is_some() {
            return to_both(OVER.to_text().into_bytes());
        }
        let position = game.position();
        let state = TextState {
            stones: position.stones,
            currentmax: position.currentmax.max(LEAST_CURRENTMAX),
            reset: position.imposed,
            over: false,
        };
        to_one(game.to_move(), state.to_text().into_bytes())
    }

    fn names(self, _: [String; 2]) -> [String; 2] {
        ["player 0".to_owned(), "player 1".to_owned()]
    }
}

impl Inbox for TextStream {
    fn push(&mut self, bytes: &[u8]) {
        self.push(bytes);
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn next_greeting(&mut self) -> Result<Option<Greeting>, String> {
        Ok(Some(Greeting { name: String::new(), first: false }))
    }

    fn next_move(&mut self) -> Result<Option<Attempt>, String> {
        match TextStream::next_move(self) {
            Ok(read) => Ok(read.map(|read| Attempt { stones: read.take, reset: read.reset })),
            Err(error) => Err(error.to_string()),
        }
    }
}
