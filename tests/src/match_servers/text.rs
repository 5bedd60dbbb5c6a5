//! A server of the text protocol of 2016, which sends numbers over TCP.

use bouton_match::protocol::MessageStream;
use bouton_match::protocol::text_2016::{OVER, TextState};

use super::{Opponent, Pile, Script};

/// Falsifies the server's state before it is sent, given the number of moves so far.
pub type TextLie = fn(usize, &mut TextState);

/// A server of the text protocol.
pub struct TextServer {
    /// The client's side.
    pub client: usize,
    /// The true state of the game.
    pub pile: Pile,
    /// The player of the other side.
    pub opponent: Opponent,
    /// The false statements of the server.
    pub lie: TextLie,
    /// The moves played.
    pub moves: Vec<(u32, bool)>,
    /// The client's violations of the rules or of the server's last message.
    pub violations: Vec<String>,
    /// The side that has won.
    pub winner: Option<usize>,
    stream: MessageStream,
    /// The state that was sent last.
    last_state: TextState,
}

impl TextServer {
    /// Returns a server that sends the truth.
    #[must_use]
    pub fn new(client: usize, stones: u32, seed: u64) -> Self {
        Self {
            client,
            pile: Pile::new(stones, 1),
            opponent: Opponent::random(seed),
            lie: |_, _| {},
            moves: Vec::new(),
            violations: Vec::new(),
            winner: None,
            stream: MessageStream::new(),
            last_state: OVER,
        }
    }

    /// Lets the opponent move if it is its turn, and returns the next message to the client: the state, or the end.
    fn advance(&mut self) -> Vec<u8> {
        if self.winner.is_none() && self.pile.to_move != self.client {
            let chosen = self.opponent.choose(&self.pile);
            self.play(chosen);
        }
        if self.winner.is_some() {
            return OVER.to_text().into_bytes();
        }
        let Pile { stones, most, imposed, .. } = self.pile;
        let mut state =
            TextState { stones: stones.into(), currentmax: most.max(2), reset: imposed, over: false };
        (self.lie)(self.moves.len(), &mut state);
        self.last_state = state;
        state.to_text().into_bytes()
    }

    /// Plays a move, and ends the game if it is illegal or the last one.
    fn play(&mut self, (take, reset): (u32, bool)) {
        let mover = self.pile.to_move;
        self.moves.push((take, reset));
        let more_than_remain = take > self.pile.stones;
        let legal = !more_than_remain && self.pile.play(take, reset).is_ok();
        if !legal {
            self.winner = Some(1 - mover);
            if mover == self.client {
                self.violations.push(format!("played {take} {reset}, which is illegal"));
            }
        } else if self.pile.stones == 0 {
            self.winner = Some(self.pile.winner(mover));
        }
    }
}

impl Script for TextServer {
    fn greeting(&mut self) -> Vec<u8> {
        self.advance()
    }

    fn reply_to(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut reply = Vec::new();
        self.stream.push(bytes);
        while let Some(chosen) = self.stream.next_move().expect("a client sends moves") {
            let rules = self.pile.rules;
            let grown = (self.last_state.currentmax + rules.growth).max(rules.limit);
            let limit = if self.last_state.reset { rules.reset_limit } else { grown };
            if chosen.take > limit || u64::from(chosen.take) > self.last_state.stones {
                self.violations
                    .push(format!("took {}, but the state was {:?}", chosen.take, self.last_state));
            }
            self.play((chosen.take, chosen.reset));
            reply.extend(self.advance());
        }
        reply
    }

    fn is_over(&self) -> bool {
        self.winner.is_some()
    }
}
