//! The messages of the match servers' protocols, for client and server.
//!
//! - [`tcp`]: JSON objects over TCP, the protocol of the servers of 2017, 2018, 2020 and 2025.
//! - [`text_2016`]: numbers over TCP, the protocol of the server of 2016.
//! - [`rest`]: JSON over HTTP, the protocol of the web server of 2020.

pub mod rest;
mod stream;
pub mod tcp;
pub mod text_2016;

use bouton_tables::expanding::{Expanding, ExpandingKeys};

pub use stream::MessageStream;

/// Maximum length of a name, in bytes. Clients read a state, with its four names, as 1024 bytes.
pub const MAX_NAME: usize = 40;

pub(crate) fn usual_rules() -> Expanding {
    ExpandingKeys::default().rules().expect("the preset is allowed")
}
