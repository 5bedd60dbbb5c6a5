//! What most responses have in common: JSON from one table, which may be cached.

use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

use super::Shared;
use super::extract::Name;
use crate::board::{Effort, Shown};
use crate::caching::{self, JSON};
use crate::problem::Problem;
use crate::tables::Question;

/// Asks a table. A client that has the answer already gets an empty 304.
pub(super) async fn answer<Q>(
    app: &Shared,
    Name { name }: &Name,
    headers: &HeaderMap,
    question: Q,
) -> Result<Response, Problem>
where
    Q: Question<Answer: Serialize> + Send + 'static,
{
    let table = app.shelf.get(name)?;
    let json = table.ask_heavy(&app.work, AsJson(question)).await?;
    Ok(caching::tagged(headers, JSON, json, table.tag()))
}

/// The answer to a question as JSON. Writing a long one takes time, so it counts as work too.
struct AsJson<Q>(Q);

impl<Q: Question<Answer: Serialize>> Question for AsJson<Q> {
    type Answer = String;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<String, Problem> {
        Ok(to_json(&self.0.ask(table, effort)?))
    }
}

/// JSON of strings, numbers, and lists of them.
pub(super) fn to_json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("texts and numbers are JSON")
}
