//! The page without a service: solves tables and answers from them in the browser, in WebAssembly.
//!
//! A request is a text with a line for each parameter, such as `ask=state`, `table=NAME`, `position=P`. The answer is
//! JSON, `{"status": 200, "body": ...}`, with the status and body of the service's response. Before the first question
//! to a game, the page requests `ask=solve`, `table=NAME`, `ruleset=bounds=3,5,7;play=misere`; a table whose name
//! spells its rules needs no such request. The page may also pass the bytes of a table's file: after a check of all of
//! them, the table answers by its digest. The functions of [`exports`] pass texts and files in and out of WebAssembly.

mod answers;
pub mod exports;
mod problem;
mod request;

pub use answers::{BrowserTables, MAX_OWN_POSITIONS};
