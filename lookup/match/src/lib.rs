//! Plays what the tables know: the referee of a game, the players, models of opponents and the best response
//! to them, tournaments, and the protocols of the match servers.

pub mod client;
pub mod family;
pub mod models;
mod player;
pub mod players;
pub mod protocol;
mod record;
mod referee;
pub mod server;
mod side;
mod solution;
mod tournament;

pub use family::Family;
pub use player::{Choice, Failure, Player, Turn, play_out};
pub use record::{Record, RecordError, Rules};
pub use referee::{Ending, Ply, Reason, Referee};
pub use side::Side;
pub use solution::{Solution, open_table};
pub use tournament::{Conditions, Fixture, Played, Standing, fixtures, play_fixtures, standings};
