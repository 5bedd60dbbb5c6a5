//! One game: a [`Referee`] conducts it, and a [`GameRecord`] is its line in a transcript.
//!
//! ```
//! use bouton_record::{GameRecord, Referee, Side};
//! use bouton_tables::Game;
//! use bouton_tables::expanding::ExpandingKeys;
//! use std::time::Duration;
//!
//! let rules = ExpandingKeys { stones: 20, resets: [1, 1], ..Default::default() }.rules()?;
//! let start = rules.start(4);
//! let mut referee = Referee::new(rules.clone(), start, None);
//! for text in ["3", "1"] {
//!     referee.play(rules.parse_move(text)?, Duration::from_millis(20));
//! }
//! let record = GameRecord::of(&referee, ["greedy", "Ada"]).expect("no stone is left");
//! let read = GameRecord::from_line(&record.to_line())?;
//! assert_eq!(read.replay(&rules)?.ending().expect("as it was").winner, Side::Second);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod game_record;
mod lenient;
mod referee;
mod side;

pub use game_record::{GameRecord, RecordedEnd};
pub use lenient::Lenient;
pub use referee::{Ending, Ply, Reason, Referee};
pub use side::Side;
