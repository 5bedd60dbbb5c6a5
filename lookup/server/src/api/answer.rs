//! What most answers have in common: they come from one table, as JSON that may be kept.

use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

use super::Shared;
use super::extract::Name;
use crate::caching::{self, JSON};
use crate::problem::Problem;
use crate::tables::Question;

/// Asks a table. Sends nothing to a client that has the answer already.
pub(super) async fn answer<Q>(
    app: &Shared,
    Name { name }: &Name,
    headers: &HeaderMap,
    question: Q,
) -> Result<Response, Problem>
where
    Q: Question<Answer: Serialize + Send> + Send + 'static,
{
    let table = app.shelf.get(name)?;
    let answer = table.ask_heavy(&app.work, question).await?;
    Ok(caching::tagged(headers, JSON, to_json(&answer), table.tag()))
}

/// What is made of texts, numbers and lists of them.
pub(super) fn to_json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("texts and numbers are JSON")
}
