//! The players.

mod cast;
mod exec;
mod human;
mod input_line;
mod losing_policy;
mod minimax;
mod model_player;
mod simple;
mod spec;
mod table_player;

pub use cast::{Cast, CastError, Maker};
pub use exec::ExecPlayer;
pub use human::{HumanPlayer, Keyboard};
pub use losing_policy::{LosingPolicy, LosingPolicyError, usual_opponents};
pub use minimax::MinimaxPlayer;
pub use model_player::ModelPlayer;
pub use simple::{GreedyPlayer, RandomPlayer};
pub use spec::{PLAYERS_HELP, PlayerKind, Spec, SpecError};
pub use table_player::{TableMaker, TablePlayer};
