//! Servers of the three dialects that speak JSON over TCP (2017, 2018, 2025).

use std::collections::VecDeque;

use bouton_match::protocol::MessageStream;
use bouton_match::protocol::tcp::{Dialect, GameState, Init, PlayerState, to_bytes};

use super::{Opponent, Pile, Script};

/// Falsifies the server's state before it is sent, given the number of moves so far.
pub type Lie = fn(usize, &mut GameState);

/// A server of one dialect.
pub struct JsonServer {
    /// The dialect of the protocol.
    pub dialect: Dialect,
    /// The client's side, regardless of its request.
    pub client: usize,
    /// The true state of the game.
    pub pile: Pile,
    /// The player of the other side.
    pub opponent: Opponent,
    /// True if the opponent moves only after the client has sent a move out of turn.
    pub opponent_waits: bool,
    /// The false statements of the server.
    pub lie: Lie,
    /// The number of moves after which the server closes the connection.
    pub closes_after: usize,
    /// The opponent's name.
    pub opponent_name: String,
    /// The order that the client requested.
    pub order: Option<u64>,
    /// The moves played.
    pub moves: Vec<(u32, bool)>,
    /// The client's violations of the rules or of the server's last message.
    pub violations: Vec<String>,
    /// The side that has won.
    pub winner: Option<usize>,
    stream: MessageStream,
    /// The client's name.
    name: String,
    /// The moves received before the client's turn.
    waiting_moves: VecDeque<(u32, bool)>,
    /// The state that was sent last.
    last_state: Option<GameState>,
    is_closed: bool,
}

impl JsonServer {
    /// Returns a server that sends the truth.
    #[must_use]
    pub fn new(dialect: Dialect, client: usize, pile: Pile, seed: u64) -> Self {
        Self {
            dialect,
            client,
            pile,
            opponent: Opponent::random(seed),
            opponent_waits: false,
            lie: |_, _| {},
            closes_after: usize::MAX,
            opponent_name: "Opponent".to_owned(),
            order: None,
            moves: Vec::new(),
            violations: Vec::new(),
            winner: None,
            stream: MessageStream::new(),
            name: String::new(),
            waiting_moves: VecDeque::new(),
            last_state: None,
            is_closed: false,
        }
    }

    /// Returns the names of both players.
    fn names(&self) -> [&str; 2] {
        let mut names = [self.opponent_name.as_str(); 2];
        names[self.client] = &self.name;
        names
    }

    /// Continues the game as far as possible.
    fn advance(&mut self, sent: &mut Vec<u8>) {
        while !self.is_over() {
            if self.moves.len() >= self.closes_after {
                self.is_closed = true;
                return;
            }
            let chosen = if self.pile.to_move == self.client {
                let Some(chosen) = self.waiting_moves.pop_front() else { return };
                self.check_move(chosen);
                chosen
            } else {
                if self.opponent_waits && self.waiting_moves.is_empty() {
                    return;
                }
                self.opponent_waits = false;
                self.opponent.choose(&self.pile)
            };
            self.play(chosen, sent);
        }
    }

    /// Checks the client's move against the state that it last received.
    fn check_move(&mut self, (take, reset): (u32, bool)) {
        let Some(last_state) = &self.last_state else { return };
        let rules = self.pile.rules;
        let limit = match self.dialect {
            Dialect::Y2017 | Dialect::Y2025 => last_state.current_max,
            Dialect::Y2018 if self.pile.imposed => rules.reset_limit,
            Dialect::Y2018 => (last_state.current_max + rules.growth).max(rules.limit),
        };
        let players = [&last_state.player_0, &last_state.player_1];
        if take > limit.max(1) {
            self.violations.push(format!("took {take}, but the limit is {limit}"));
        }
        if last_state.stones_left > 0 && u64::from(take) > last_state.stones_left {
            self.violations.push(format!("took {take}, but {} are left", last_state.stones_left));
        }
        if reset && players[self.client].resets_left == 0 {
            self.violations.push("imposed a reset, but none is left".to_owned());
        }
    }

    /// Plays a move, and sends the state after it.
    fn play(&mut self, (take, reset): (u32, bool), sent: &mut Vec<u8>) {
        let mover = self.pile.to_move;
        let played = self.pile.play(take, reset);
        self.moves.push((take, reset));
        let reason = match played {
            Ok(()) if self.pile.stones > 0 => None,
            Ok(()) => {
                let winner = self.pile.winner(mover);
                self.winner = Some(winner);
                Some(format!("Player {} won the game! Congrats!", self.names()[winner]))
            }
            Err(wrong) => {
                self.winner = Some(1 - mover);
                if mover == self.client {
                    self.violations.push(format!("{wrong}: {take} {reset}"));
                }
                Some(format!("Player {} {wrong}", self.names()[mover]))
            }
        };
        let [first, second] = self.names();
        let player = |at: usize, name: &str| PlayerState {
            resets_left: self.pile.resets[at],
            time_taken: 0.25,
            name: name.to_owned(),
        };
        let mut state = GameState {
            finished: self.winner.is_some(),
            winner: self.winner.map(|winner| self.names()[winner].to_owned()),
            reason,
            current_max: match self.dialect {
                Dialect::Y2018 if self.pile.imposed => 2,
                Dialect::Y2018 => self.pile.most,
                Dialect::Y2017 | Dialect::Y2025 => self.pile.limit(),
            },
            stones_left: self.pile.stones.into(),
            stones_removed: take,
            reset_used: reset,
            init_max: (self.dialect == Dialect::Y2018).then_some(self.pile.rules.limit),
            player_0: player(0, first),
            player_1: player(1, second),
        };
        (self.lie)(self.moves.len(), &mut state);
        sent.extend(to_bytes(&state));
        self.last_state = Some(state);
    }
}

impl Script for JsonServer {
    fn greeting(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn reply_to(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut sent = Vec::new();
        self.stream.push(bytes);
        while let Some(object) = self.stream.next_object().expect("a client sends JSON") {
            if self.order.is_none() {
                self.order = Some(object["order"].as_u64().expect("a client asks for an order"));
                self.name = object["name"].as_str().expect("a client has a name").to_owned();
                let y2025 = self.dialect == Dialect::Y2025;
                sent.extend(to_bytes(&Init {
                    init_stones: self.pile.stones.into(),
                    init_resets: self.pile.resets[0],
                    game_time: y2025.then_some(120),
                    init_max: y2025.then_some(self.pile.rules.limit),
                }));
            } else {
                let take = object["num_stones"].as_u64().expect("a move takes stones") as u32;
                self.waiting_moves.push_back((
                    take,
                    object["reset"].as_bool().expect("a move says whether it imposes a reset"),
                ));
                if self.waiting_moves.len() > 1 {
                    self.violations.push("sent two moves at once".to_owned());
                }
            }
        }
        if self.order.is_some() {
            self.advance(&mut sent);
        }
        sent
    }

    fn is_over(&self) -> bool {
        self.is_closed || self.winner.is_some()
    }
}
