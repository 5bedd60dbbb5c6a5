//! The players: with a table, with a search, by a model of an opponent, a person at the keyboard, and external
//! programs. [`PlayerSpec`] reads a player's name on the command line, and [`Cast`] prepares the players of a game.

mod bot;
mod cast;
mod exec;
mod human;
pub(crate) mod in_words;
mod input_line;
mod losing_policy;
mod minimax;
mod program;
mod simple;
mod spec;
mod table_player;
mod typed_move;

pub use bot::{BotGames, BotLimits, BotPlayer};
pub use cast::{Cast, CastError, PlayerFactory, RUN_IT, open_of_player};
pub use exec::{ExecPlayer, FirstAnswer};
pub use human::{HumanPlayer, Keyboard};
pub use losing_policy::{LosingPolicy, usual_opponents};
pub use minimax::MinimaxPlayer;
pub use simple::{GreedyPlayer, ModelPlayer, RandomPlayer};
pub use spec::{PLAYERS_HELP, PlayerKind, PlayerSpec};
pub use table_player::TablePlayer;
pub(crate) use typed_move::read_move;
