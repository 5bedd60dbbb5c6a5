//! The subcommands, a file each.

use std::error::Error;

pub(crate) mod advise;
mod bars;
pub(crate) mod chances;
mod game_setup;
pub(crate) mod live;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod tournament;

/// Everything was done, or an error for the user.
pub(crate) type Done = Result<(), Box<dyn Error>>;
