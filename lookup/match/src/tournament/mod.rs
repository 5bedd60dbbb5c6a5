//! Round robins: every pair of players meets from every start, each moving first as often as the other.
//!
//! A [`Schedule`] lists the games, [`play_games`] plays them under [`Conditions`], [`Scores`] adds their results up,
//! [`Strengths`] estimates the players' strengths from them, and a [`ResultsFile`] keeps them, so that an interrupted
//! tournament can be resumed.

mod conditions;
mod doubles;
mod play;
mod posterior;
mod results_file;
mod schedule;
mod scores;
mod sprt;
mod strengths;

pub use conditions::{Adjudicator, Conditions, PlayedGame, StayingPlayers};
pub use doubles::Doubles;
pub use play::play_games;
pub use results_file::{ResultsFile, Setup};
pub use schedule::{Fixture, Schedule};
pub use scores::{PairScore, Scores, Standing};
pub use sprt::{Sprt, SprtState};
pub use strengths::{Rating, Strengths};
