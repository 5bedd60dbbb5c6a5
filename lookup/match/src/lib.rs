//! Plays what the tables know.
//!
//! A [`Referee`] keeps one game, [`play_out`] lets two [`Player`]s play it to its end, and [`play_fixtures`] a whole
//! tournament. The [`players`] are made from what names them; one with a table wins what is won, and plays what is
//! lost by its [`Policy`](players::Policy), the best of which respond to a model of the opponent ([`models`]).
//! [`client`] plays on the match servers of the Expanding Nim tournaments, over TCP with a short wait before each move
//! ([`client::USUAL_PAUSE`]); [`server`] hosts matches as they do, and [`protocol`] is what both of them say.
//!
//! ```
//! use bouton_match::players::{Cast, Spec};
//! use bouton_match::{Referee, Side, play_out};
//! use bouton_tables::expanding::ExpandingKeys;
//!
//! let rules = ExpandingKeys { stones: 20, resets: [1, 1], ..Default::default() }.rules()?;
//! let start = rules.start(10);
//! let mut cast = Cast::new(rules.clone(), vec![start.clone()]);
//! let table = cast.maker(&"table:longest".parse::<Spec>()?)?;
//! let greedy = cast.maker(&"greedy".parse::<Spec>()?)?;
//!
//! let mut referee = Referee::new(rules, start, None);
//! play_out(&mut referee, [&mut *table.player(1), &mut *greedy.player(1)], &mut |_| {});
//! let ending = referee.ending().expect("it was played to its end");
//! println!("{ending} after {} moves", referee.plies().len());
//! # assert_eq!(ending.winner, Side::First);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! [`players::SpecError`], [`players::PolicyError`] and [`models::ModelError`]: a text that names none.
//! [`players::CastError`]: why a player cannot take part, and [`models::ChancesError`], why a best response cannot
//! be computed. What goes wrong in a game is no error: it is how the game ends ([`Ending`]).
//! [`client::ClientError`]: why a match on a server could not be played to its end.

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

pub use family::{Numbered, Playable, Shown};
pub use player::{Choice, Failure, MoveRequest, Player, play_out};
pub use record::{Record, RecordError};
pub use referee::{Ending, Ply, Reason, Referee};
pub use side::Side;
pub use solution::{Solution, TooLarge, open_table};
pub use tournament::{Conditions, Fixture, Played, Standing, fixtures, play_fixtures, standings};
