//! The players.

mod cast;
mod exec;
mod human;
mod lines;
mod minimax;
mod model;
mod policy;
mod simple;
mod spec;
mod table;

pub use cast::{Cast, CastError, Maker};
pub use exec::ExecPlayer;
pub use human::{HumanPlayer, Lines};
pub use minimax::MinimaxPlayer;
pub use model::ModelPlayer;
pub use policy::{Policy, PolicyError, usual_opponents};
pub use simple::{GreedyPlayer, RandomPlayer};
pub use spec::{Kind, PLAYERS_HELP, Spec, SpecError};
pub use table::{TableMaker, TablePlayer};
