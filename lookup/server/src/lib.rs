//! Answers from tables over HTTP, and a page to play on and to see why positions are won or lost.
//!
//! A [`Service`] opens the tables of a folder, or solves the presets, and serves a listener until it is asked to
//! end. `docs/service.md` describes its answers.
//!
//! # Errors
//!
//! [`StartError`]: why it cannot start. Later errors go to the client, as a problem with a status, and to the log.

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
