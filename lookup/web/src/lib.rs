//! What the page asks when there is no service: tables are solved and asked in the browser.
//!
//! A request is a text with a line for each parameter, as `ask=state`, `table=NAME`, `position=P`, and its answer is JSON,
//! `{"status": 200, "body": ...}`, where status and body are those of the service. A table is solved when it is first needed, by
//! `ask=solve`, `table=NAME`, `ruleset=bounds=3,5,7;play=misere`; one whose name spells its rules needs no such request. The functions of
//! [`door`] take texts in and out of WebAssembly.

mod answers;
pub mod door;
mod problem;
mod request;

pub use answers::{OWN_POSITIONS, Tables};
