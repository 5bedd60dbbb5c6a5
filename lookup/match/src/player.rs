//! Players, as the referee sees them.

use std::time::{Duration, Instant};

use bouton_tables::{AskError, Game};

use crate::{Ply, Reason, Referee, Side};

/// What a player is asked when it is their turn.
#[derive(Debug)]
pub struct MoveRequest<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position, which has at least one move.
    pub position: &'a G::Position,
    /// The moves before.
    pub plies: &'a [Ply<G>],
    /// When the player's time runs out; `None` without a clock.
    pub deadline: Option<Instant>,
}

/// A player's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice<M> {
    /// A move.
    Move(M),
    /// The player takes back their last move and the reply.
    TakeBack,
    /// The player gives up.
    Resign,
}

impl From<AskError> for Reason {
    fn from(error: AskError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// A player of games. One that cannot play says why, which loses the game: [`Reason::Time`] or [`Reason::Failed`].
pub trait Player<G: Game>: Send {
    /// A game begins, or begins again after moves were taken back. Moves made so far follow through
    /// [`saw`](Self::saw).
    ///
    /// # Errors
    /// If the player cannot play it.
    fn begin(&mut self, _side: Side, _start: &G::Position) -> Result<(), Reason> {
        Ok(())
    }

    /// Chooses a move.
    ///
    /// # Errors
    /// If the player cannot.
    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason>;

    /// A move was made, by either player.
    fn saw(&mut self, _ply: &Ply<G>, _by: Side) {}
}

/// Lets two players play a game to its end; the first side's player comes first. `watch` is called after every move and
/// whenever moves are taken back; it may end the game.
pub fn play_out<G: Game>(
    referee: &mut Referee<G>,
    mut players: [&mut dyn Player<G>; 2],
    watch: &mut dyn FnMut(&mut Referee<G>),
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
            Err(reason) => {
                if reason == Reason::Time {
                    referee.spend(side, Duration::MAX);
                }
                referee.forfeit(side, reason);
            }
        }
        watch(referee);
    }
}

fn begin<G: Game>(referee: &mut Referee<G>, players: &mut [&mut dyn Player<G>; 2]) {
    for side in Side::BOTH {
        let player = &mut players[side.index()];
        if let Err(reason) = player.begin(side, referee.start()) {
            return referee.forfeit(side, reason);
        }
        for (number, ply) in referee.plies().iter().enumerate() {
            player.saw(ply, Side::of_ply(number));
        }
    }
}
