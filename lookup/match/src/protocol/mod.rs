//! The protocols of the match servers: what goes over the wire, for client and server alike.
//!
//! - [`tcp`]: JSON objects over TCP, as the servers of 2017, 2018, 2020 and 2025 have it.
//! - [`text`]: numbers over TCP, as the server of 2016 has it.
//! - [`rest`]: JSON over HTTP, as the web server of 2020 has it.

mod json_stream;
pub mod rest;
pub mod tcp;
pub mod text;

pub use json_stream::{JsonStream, StreamError};
