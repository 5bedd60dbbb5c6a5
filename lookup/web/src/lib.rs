//! The page without a service: solves tables and answers from them in the browser, in WebAssembly.
//!
//! A request is a text with a line for each parameter, as `ask=state`, `table=NAME`, `position=P`, and its answer is JSON,
//! `{"status": 200, "body": ...}`, with the status and body of the service. The page has a table solved when it first needs it, by
//! `ask=solve`, `table=NAME`, `ruleset=bounds=3,5,7;play=misere`. If a name spells the rules, this request is not needed. The functions of
//! [`door`] pass texts in and out of WebAssembly.

mod answers;
pub mod door;
mod problem;
mod request;

pub use answers::{BrowserTables, MAX_OWN_POSITIONS};
