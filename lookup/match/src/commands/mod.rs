//! The subcommands, a file each.

use std::error::Error;

pub(crate) mod connect;
pub(crate) mod serve;

/// An exit status, or an error for the user.
pub(crate) type Done = Result<u8, Box<dyn Error>>;
