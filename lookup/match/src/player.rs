//! The interface of a player, and the loop in which two players and a referee play a game.

use std::time::{Duration, Instant};

use bouton_tables::Game;

use crate::{Ending, Ply, Reason, Referee, Side};

/// A new game, from one player's side.
#[derive(Debug)]
pub struct GameInfo<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The player's side.
    pub side: Side,
    /// The start.
    pub start: &'a G::Position,
    /// The player's time for all moves; `None` without a clock.
    pub clock: Option<Duration>,
    /// The seed for the player's random choices in this game.
    pub seed: u64,
    /// The opponent's name.
    pub opponent: &'a str,
}

impl<'a, G: Game> GameInfo<'a, G> {
    /// Describes a game without a clock, with seed 0, against an unknown opponent.
    pub fn new(game: &'a G, side: Side, start: &'a G::Position) -> Self {
        Self { game, side, start, clock: None, seed: 0, opponent: "unknown" }
    }
}

/// A request for a move.
#[derive(Debug)]
pub struct MoveRequest<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position, which has at least one move.
    pub position: &'a G::Position,
    /// The moves so far.
    pub plies: &'a [Ply<G>],
    /// When the player's time runs out; `None` without a clock.
    pub deadline: Option<Instant>,
    /// The time that each side had left at the time of the request, the first side's first; `None` without a clock.
    pub clocks: Option<[Duration; 2]>,
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

/// A player of games. A player that cannot play returns why, [`Reason::Time`] or [`Reason::Failed`], and loses the
/// game.
///
/// A player may play several games in sequence.
pub trait Player<G: Game>: Send {
    /// Starts a game, before any clock runs.
    fn begin(&mut self, _info: &GameInfo<G>) -> Result<(), Reason> {
        Ok(())
    }

    /// Reports that moves were taken back. The remaining moves follow through [`observe`](Self::observe), as in a new game.
    fn taken_back(&mut self, info: &GameInfo<G>) -> Result<(), Reason> {
        self.begin(info)
    }

    /// Chooses a move.
    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason>;

    /// Reports a move of either player.
    fn observe(&mut self, _ply: &Ply<G>, _by: Side) {}

    /// Checks that the player wrote nothing unasked, after a game played to its end. Otherwise the player loses the
    /// game.
    fn check_silence(&mut self, _game: &G) -> Result<(), Reason> {
        Ok(())
    }

    /// Reports the end of a game, and the player's side.
    fn ended(&mut self, _ending: &Ending, _side: Side) {}
}

/// Names and seeds of a game's players, the first side's first.
#[derive(Clone, Copy, Debug)]
pub struct PlayerIdentities<'a> {
    /// The names.
    pub names: [&'a str; 2],
    /// The seeds.
    pub seeds: [u64; 2],
}

/// Lets two players play a game; the first side comes first. After each move, calls `watch`, which may end the game.
pub fn play_out<G: Game>(
    identities: PlayerIdentities,
    referee: &mut Referee<G>,
    mut players: [&mut dyn Player<G>; 2],
    watch: &mut dyn FnMut(&mut Referee<G>),
) {
    let playing = begin(referee, &mut players, identities, |player, info| player.begin(info));
    while referee.ending().is_none() {
        let side = referee.to_move();
        let began = Instant::now();
        let deadline = referee.time_left(side).and_then(|left| began.checked_add(left));
        let request = MoveRequest {
            game: referee.game(),
            position: referee.position(),
            plies: referee.plies(),
            deadline,
            clocks: referee.clocks(),
        };
        let choice = players[side.index()].choose(&request);
        let elapsed = began.elapsed();
        match choice {
            Ok(Choice::Move(chosen)) => {
                let before = referee.plies().len();
                referee.play(chosen, elapsed);
                if let Some(ply) = referee.plies().get(before) {
                    players.iter_mut().for_each(|player| player.observe(ply, side));
                }
            }
            Ok(Choice::TakeBack) => {
                referee.spend(side, elapsed);
                if referee.ending().is_none() && referee.plies().len() >= 2 {
                    referee.take_back(2);
                    begin(referee, &mut players, identities, |player, info| player.taken_back(info));
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
    if referee.is_decided_by_play() {
        let offender = playing.iter().find_map(|&side| {
            let reason = players[side.index()].check_silence(referee.game()).err()?;
            Some((side, reason))
        });
        if let Some((side, reason)) = offender {
            referee.overrule(side, reason);
        }
    }
    let ending = referee.ending().expect("the loop above ends with the game");
    for side in playing {
        players[side.index()].ended(ending, *side);
    }
}

/// Begins the game for each player. Returns the sides asked to begin: only the first if its player cannot play.
fn begin<G: Game>(
    referee: &mut Referee<G>,
    players: &mut [&mut dyn Player<G>; 2],
    identities: PlayerIdentities,
    begin: impl Fn(&mut dyn Player<G>, &GameInfo<G>) -> Result<(), Reason>,
) -> &'static [Side] {
    for side in Side::BOTH {
        let player = &mut *players[side.index()];
        let info = GameInfo {
            game: referee.game(),
            side,
            start: referee.start(),
            clock: referee.time_left(side),
            seed: identities.seeds[side.index()],
            opponent: identities.names[side.other().index()],
        };
        if let Err(reason) = begin(player, &info) {
            referee.forfeit(side, reason);
            return &Side::BOTH[..=side.index()];
        }
        for (number, ply) in referee.plies().iter().enumerate() {
            player.observe(ply, Side::of_ply(number));
        }
    }
    &Side::BOTH
}
