//! What a player is to the referee.

use std::time::{Duration, Instant};

use bouton_tables::{AskError, Game};

use crate::{Ply, Reason, Referee, Side};

/// What a player is shown when it is his turn.
#[derive(Debug)]
pub struct MoveRequest<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position, in which he has a move.
    pub position: &'a G::Position,
    /// What was played before.
    pub plies: &'a [Ply<G>],
    /// When his time is over, if it counts.
    pub deadline: Option<Instant>,
}

/// What a player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice<M> {
    /// Makes a move.
    Move(M),
    /// Wants his last move back, and what the opponent answered.
    TakeBack,
    /// Gives up.
    Resign,
}

/// Why a player makes no move: he loses the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// His time is over.
    Time,
    /// He crashed, broke off, or said what is no move.
    Failed(String),
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Somebody who plays.
pub trait Player<G: Game>: Send {
    /// A game begins, or begins anew after moves were taken back; what was played so far is told by
    /// [`saw`](Self::saw).
    ///
    /// # Errors
    /// If the player cannot play it.
    fn begin(&mut self, side: Side, start: &G::Position) -> Result<(), Failure> {
        let _ = (side, start);
        Ok(())
    }

    /// Chooses.
    ///
    /// # Errors
    /// If the player cannot.
    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Failure>;

    /// Sees a move that somebody made, himself included.
    fn saw(&mut self, ply: &Ply<G>, by: Side) {
        let _ = (ply, by);
    }
}

/// Lets two players play a game to its end; the first side's player comes first. `watch` is told of every
/// move and of moves taken back, when the referee has them.
pub fn play_out<G: Game>(
    referee: &mut Referee<G>,
    mut players: [&mut dyn Player<G>; 2],
    watch: &mut dyn FnMut(&Referee<G>),
) {
    begin(referee, &mut players);
    while referee.ending().is_none() {
        let side = referee.to_move();
        let began = Instant::now();
        let deadline = referee.time_left(side).and_then(|left| began.checked_add(left));
        let request = MoveRequest {
            game: referee.game(),
            position: referee.position(),
            plies: referee.plies(),
            deadline,
        };
        let choice = players[side.index()].choose(&request);
        let took = began.elapsed();
        match choice {
            Ok(Choice::Move(chosen)) => {
                let before = referee.plies().len();
                referee.play(chosen, took);
                if let Some(ply) = referee.plies().get(before) {
                    players.iter_mut().for_each(|player| player.saw(ply, side));
                }
            }
            Ok(Choice::TakeBack) => {
                referee.spend(side, took);
                if referee.take_back() {
                    begin(referee, &mut players);
                }
            }
            Ok(Choice::Resign) => referee.forfeit(side, Reason::Resigned),
            Err(Failure::Time) => {
                referee.spend(side, Duration::MAX);
                referee.forfeit(side, Reason::Time);
            }
            Err(Failure::Failed(what)) => referee.forfeit(side, Reason::Failed(what)),
        }
        watch(referee);
    }
}

fn begin<G: Game>(referee: &mut Referee<G>, players: &mut [&mut dyn Player<G>; 2]) {
    for side in Side::BOTH {
        let player = &mut players[side.index()];
        if let Err(failure) = player.begin(side, referee.start()) {
            let reason = match failure {
                Failure::Time => Reason::Time,
                Failure::Failed(what) => Reason::Failed(what),
            };
            referee.forfeit(side, reason);
            return;
        }
        for (number, ply) in referee.plies().iter().enumerate() {
            player.saw(ply, Side::of_ply(number));
        }
    }
}
