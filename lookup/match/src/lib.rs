//! Games between players of many kinds, tournaments, matches as a client or as the server, and advice in games that are
//! played elsewhere, with the opponent's moves typed in.
//!
//! A [`Referee`] runs one game, [`play_out`] lets two [`Player`]s play it to its end, and [`tournament`] plays round
//! robins. The [`players`] are made from their names on the command line. A player with a table wins every won
//! position, and plays lost ones by its [`LosingPolicy`](players::LosingPolicy); the best policies respond to a model
//! of the opponent ([`models`]). [`client`] plays on the match servers of the Expanding Nim tournaments, over TCP or
//! HTTP; over TCP it waits a little before each move ([`client::MatchOptions::pause`]). [`server`] hosts the same
//! matches, and [`protocol`] has the messages of both. [`advisor`] recommends moves in a game that is played elsewhere:
//! on a table, or in another program.
//!
//! ```
//! use bouton_match::players::{PlayerPreparation, PlayerSpec};
//! use bouton_match::{PlayerIdentities, Referee, Side, play_out};
//! use bouton_tables::expanding::ExpandingKeys;
//!
//! let rules = ExpandingKeys { stones: 20, resets: [1, 1], ..Default::default() }.rules()?;
//! let start = rules.start(10);
//! let mut preparation = PlayerPreparation::new(rules.clone(), vec![start.clone()], None, &());
//! let table = preparation.factory(&"table:longest".parse::<PlayerSpec>()?)?;
//! let greedy = preparation.factory(&"greedy".parse::<PlayerSpec>()?)?;
//!
//! let mut referee = Referee::new(rules, start, None);
//! let identities = PlayerIdentities { names: ["table", "greedy"], seeds: [1, 1] };
//! play_out(identities, &mut referee, [&mut *table.player(1), &mut *greedy.player(1)], &mut |_| {});
//! let ending = referee.ending().expect("it was played to its end");
//! println!("{ending} after {} moves", referee.plies().len());
//! # assert_eq!(ending.winner, Side::First);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! [`models::ChancesError`]: why a best response cannot be computed. Other errors are texts with advice for the user. A
//! player's failure in a game is not an error, but an [`Ending`].

pub mod advisor;
pub mod client;
pub mod families;
pub mod models;
mod player;
pub mod players;
pub mod protocol;
pub mod server;
mod settings;
mod solution;
pub mod stop;
pub mod tournament;
mod transcript;
mod watch;

pub use bouton_record::{Ending, GameRecord, Lenient, Ply, Reason, RecordedEnd, Referee, Side};
pub use families::Playable;
pub use player::{Choice, GameInfo, MoveRequest, Player, PlayerIdentities, play_out};
pub use settings::differing_settings;
pub use solution::{Solution, open_table};
pub use transcript::Transcript;
pub use watch::PreparationProgress;
