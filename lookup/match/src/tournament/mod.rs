//! Round robins: every pair of players meets from every start, each moving first as often as the other.
//!
//! A [`Schedule`] says which games there are, [`play_games`] plays them under [`Conditions`], [`Scores`] adds their results
//! up, and a [`ResultsFile`] keeps them, so that an interrupted tournament can go on.

mod conditions;
mod play;
mod rating;
mod results_file;
mod schedule;
mod scores;

pub use conditions::{Adjudicator, Conditions, PlayedGame};
pub use play::{InOrder, play_games};
pub use rating::{Doubles, Rating, Sprt, SprtError, SprtState};
pub use results_file::{ResultsFile, SavedGame, Setup};
pub use schedule::{Fixture, Schedule};
pub use scores::{PairScore, Scores, Standing};
