//! Answers from tables over HTTP, and a page on which one plays, sees and understands.
//!
//! [`Service`] is all of it: it opens the tables of a folder, or makes some itself, and serves a listener until it is
//! told to end. `docs/service.md` describes what it answers.
//!
//! # Errors
//!
//! [`StartError`]: why it cannot start. What goes wrong later goes to the client, as a problem with a status, and to
//! the log.

mod api;
mod board;
mod caching;
mod connections;
mod families;
mod limits;
mod observe;
mod page;
mod problem;
mod service;
mod tables;
mod work;

pub use service::{Service, Settings, StartError};
