//! The protocols of the match servers: what goes over the wire, for client and server alike.
//!
//! - [`tcp`]: JSON objects over TCP, as the servers of 2017, 2018, 2020 and 2025 have it.
//! - [`text`]: numbers over TCP, as the server of 2016 has it.
//! - [`rest`]: JSON over HTTP, as the web server of 2020 has it.

mod json_stream;
pub mod rest;
pub mod tcp;
pub mod text_2016;

use bouton_tables::RulesetError;
use bouton_tables::expanding::{Expanding, ExpandingKeys};

pub use json_stream::{JsonStream, StreamError};

/// The longest name of a player, in bytes. Clients read a state with one read of 1024 bytes, and it holds four
/// names.
pub const LONGEST_NAME: usize = 40;

/// The rules of the tournaments, with so many stones, and so many resets for each player.
///
/// # Errors
/// If there are no such games.
pub fn tournament_rules(stones: u32, resets: u8) -> Result<Expanding, RulesetError> {
    ExpandingKeys { stones, resets: [resets; 2], ..Default::default() }.rules()
}
