//! The server of 2016.

use bouton_match::protocol::MessageStream;
use bouton_match::protocol::text_2016::{OVER, TextState};

use super::{Opponent, Pile, Script};

/// Makes of what the server should say what it says: of the moves made so far, and the true state.
pub type TextLie = fn(usize, &mut TextState);

/// Numbers over TCP.
pub struct TextServer {
    /// Which side the client has.
    pub client: usize,
    /// How the game stands.
    pub pile: Pile,
    /// Who plays the other side.
    pub opponent: Opponent,
    /// What it says that is not true.
    pub lie: TextLie,
    /// What was played.
    pub moves: Vec<(u32, bool)>,
    /// What the client did that was forbidden by the rules or by what the server said.
    pub wrongs: Vec<String>,
    /// Who won.
    pub winner: Option<usize>,
    stream: MessageStream,
    told: TextState,
}

impl TextServer {
    /// A server that tells the truth.
    #[must_use]
    pub fn new(client: usize, stones: u32, seed: u64) -> Self {
        Self {
            client,
            pile: Pile::new(stones, 1),
            opponent: Opponent::random(seed),
            lie: |_, _| {},
            moves: Vec::new(),
            wrongs: Vec::new(),
            winner: None,
            stream: MessageStream::new(),
            told: OVER,
        }
    }

    /// Lets the opponent move if it is his turn, and tells the client that it is to move, or the end.
    fn go_on(&mut self) -> Vec<u8> {
        if self.winner.is_none() && self.pile.to_move != self.client {
            let chosen = self.opponent.choose(&self.pile);
            self.play(chosen);
        }
        if self.winner.is_some() {
            return OVER.to_text().into_bytes();
        }
        let Pile { stones, most, imposed, .. } = self.pile;
        let mut state = TextState { stones, currentmax: most.max(2), reset: imposed, over: false };
        (self.lie)(self.moves.len(), &mut state);
        self.told = state;
        state.to_text().into_bytes()
    }

    fn play(&mut self, (take, reset): (u32, bool)) {
        let mover = self.pile.to_move;
        self.moves.push((take, reset));
        let more_than_remain = take > self.pile.stones;
        let legal = !more_than_remain && self.pile.play(take, reset).is_ok();
        if !legal {
            self.winner = Some(1 - mover);
            if mover == self.client {
                self.wrongs.push(format!("played {take} {reset}, which is illegal"));
            }
        } else if self.pile.stones == 0 {
            self.winner = Some(self.pile.winner(mover));
        }
    }
}

impl Script for TextServer {
    fn opens(&mut self) -> Vec<u8> {
        self.go_on()
    }

    fn hears(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut said = Vec::new();
        self.stream.push(bytes);
        while let Some(chosen) = self.stream.next_move().expect("a client sends moves") {
            let rules = self.pile.rules;
            let grown = (self.told.currentmax + rules.growth).max(rules.limit);
            let limit = if self.told.reset { rules.reset_limit } else { grown };
            if chosen.take > limit || chosen.take > self.told.stones {
                self.wrongs.push(format!("took {}, when told {:?}", chosen.take, self.told));
            }
            self.play((chosen.take, chosen.reset));
            said.extend(self.go_on());
        }
        said
    }

    fn is_over(&self) -> bool {
        self.winner.is_some()
    }
}
