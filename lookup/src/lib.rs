//! Answers from a table: the best move by a policy, all moves ranked, and why a position is won or lost; as JSON or in
//! words.
//!
//! [`look_up`] answers one position; [`batch`] answers a stream of positions, one per line. Both work for every family of
//! games.
//!
//! ```no_run
//! use bouton_lookup::{LookUpOptions, look_up};
//! use bouton_tables::{Game, Solved, Table, with_table};
//!
//! let table = Table::map("expanding.bouton".as_ref())?;
//! with_table!(table.family(), |table| {
//!     let position = table.game().parse_position("217/9/1/4,3/-")?;
//!     let reply = look_up(table, &position, LookUpOptions::default())?;
//!     println!("{}", reply.to_json());
//! });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! [`LookUpError`]: the position is not in the table or has too many moves, or the table is damaged.

mod batch;
mod explain;
mod families;
mod policy;
mod reply;
mod words;

pub use batch::{batch, write_error};
pub use explain::{
    Argument, ArgumentPart, BinaryRow, Columns, Explain, HeapChange, Refutation, RefutedMove, Sentence,
    Theorem, refute,
};
pub use policy::{Policy, RankedMove, best_move};
pub use reply::{GameValue, LookUpError, LookUpOptions, Reply, look_up};
pub use words::in_words;
