//! The players. [`PlayerSpec`] reads a player's name on the command line, and [`PlayerPreparation`] prepares the
//! players of all games of some rules.

mod basic_players;
mod bot;
mod child_program;
mod exec;
mod human;
pub(crate) mod in_words;
mod input_line;
mod losing_policy;
mod minimax;
mod preparation;
mod spec;
mod table_player;

pub use basic_players::{GreedyPlayer, ModelPlayer, RandomPlayer};
pub use bot::{BotLimits, BotPlayer};
pub use exec::ExecPlayer;
pub use human::{HumanPlayer, Keyboard};
pub use losing_policy::{LosingPolicy, usual_opponents};
pub use minimax::MinimaxPlayer;
pub use preparation::{PlayerFactory, PlayerPreparation, RUN_IT_ADVICE, open_player_table};
pub use spec::{PLAYERS_HELP, PlayerKind, PlayerSpec};
pub use table_player::TablePlayer;
