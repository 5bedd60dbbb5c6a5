//! The code that most endpoints share: reads the parameters of a request, with errors for people, and answers with
//! cacheable JSON from one table.

use std::fmt::Debug;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::HeaderMap;
use axum::http::header::CACHE_CONTROL;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use bouton_answers::{Question, read_parameters};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::app::{App, Shared};
use crate::caching::{self, FOR_A_DAY, JSON};
use crate::limits;
use crate::problem::Problem;
use crate::tables::ServedTable;

/// A question to a table, from the path and the query of a request.
pub(super) struct QuestionRequest<Q> {
    pub(super) app: Shared,
    pub(super) table: Arc<ServedTable>,
    /// Whether the path names the table by its digest.
    pub(super) by_digest: bool,
    pub(super) question: Q,
    pub(super) headers: HeaderMap,
}

impl<Q: DeserializeOwned + Send> FromRequestParts<Shared> for QuestionRequest<Q> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let path: Result<Path<TableName>, PathRejection> = Path::from_request_parts(parts, app).await;
        let Path(TableName { name }) =
            path.map_err(|error| Problem::NoSuchTable(format!("the path has no valid name: {error}")))?;
        let Params(question) = Params::from_request_parts(parts, app).await?;
        let (table, by_digest) = app.table(&name).await?;
        Ok(Self { app: app.clone(), table, by_digest, question, headers: parts.headers.clone() })
    }
}

impl<Q: Question<Answer: Serialize> + Debug + Send + 'static> QuestionRequest<Q> {
    /// Answers the question from the table. A client that has the answer already gets an empty response with status 304.
    pub(super) async fn answer(self) -> Result<Response, Problem> {
        let json = compute(&self.app, &self.table, self.question).await?;
        Ok(table_response(&self.headers, &self.table, self.by_digest, json))
    }

    /// Answers the question from the cache of answers, if possible.
    pub(super) async fn answer_cached(self) -> Result<Response, Problem> {
        let key = format!("{}/{:?}", self.table.about.digest, self.question);
        // A table whose file was changed gives no answers, not even cached ones.
        if key.len() > limits::MAX_CACHED_QUESTION || !self.table.is_intact() {
            return self.answer().await;
        }
        let json = self.app.maps.answer(&key, compute(&self.app, &self.table, self.question)).await?;
        Ok(table_response(&self.headers, &self.table, self.by_digest, json))
    }
}

/// Computes the answer to a question on another thread, as JSON.
async fn compute<Q: Question<Answer: Serialize> + Send + 'static>(
    app: &App,
    table: &Arc<ServedTable>,
    question: Q,
) -> Result<String, Problem> {
    let table = Arc::clone(table);
    // Writing a long answer takes time, so it counts as work too.
    app.work.run_heavy(move || table.ask(question).map(|answer| to_json(&answer))).await?
}

/// Returns the response with an answer from a table, with cache headers.
pub(super) fn table_response(
    headers: &HeaderMap,
    table: &ServedTable,
    by_digest: bool,
    json: impl Into<Body>,
) -> Response {
    let answer = caching::tagged(headers, JSON, json, &table.tag);
    if by_digest { ([(CACHE_CONTROL, FOR_A_DAY)], answer).into_response() } else { answer }
}

/// Serializes an answer; answers contain only strings, numbers, and lists of them.
pub(super) fn to_json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("texts and numbers are JSON")
}

/// The name of a table, from the path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct TableName {
    /// The name of a table, as listed by /api/tables; or its digest, which is always the same table; or own:SETTINGS,
    /// which spells rules, if the service solves them. In a path, own:SETTINGS needs encoding for brackets and
    /// blanks only (%5B, %5D, %20).
    #[param(example = "sticks")]
    name: String,
}

/// The parameters of a query. An unknown parameter, or one that is given twice, is an error.
pub(super) struct Params<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let invalid = |what: &str| {
            let what = shorten(what);
            Problem::bad_request(format!("invalid query: {what}; /api/openapi.json lists the parameters"))
        };
        let query: Result<Query<Vec<(String, String)>>, QueryRejection> = Query::try_from_uri(&parts.uri);
        let Query(given) = query.map_err(|error| invalid(&error.body_text()))?;
        let given = given.iter().map(|(name, value)| (&**name, &**value));
        read_parameters(given).map(Self).map_err(|what| invalid(&what))
    }
}

/// Removes the middle of a long message, which quotes the client.
pub(super) fn shorten(text: &str) -> String {
    const HALF: usize = 100;
    let length = text.chars().count();
    if length <= 2 * HALF {
        return text.to_owned();
    }
    text.chars().take(HALF).chain("...".chars()).chain(text.chars().skip(length - HALF)).collect()
}
