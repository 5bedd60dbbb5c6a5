//! What the page asks when there is no service: tables are solved and asked in the browser.
//!
//! A request is JSON, and so is its answer: `{"ask": "state", "table": NAME, "position": P, ...}` is answered with
//! `{"status": 200, "body": ...}`, where status and body are those of the service. A table is solved when it is first needed, by
//! `{"ask": "solve", "table": NAME, "ruleset": {"game": ..., "rules": ...}}`. The functions of [`door`] take texts in and out of
//! WebAssembly.

mod answers;
pub mod door;
mod problem;

pub use answers::Tables;
