//! What most endpoints share: reading the parameters of a request, with errors for people, and answering with cacheable
//! JSON from one table.

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::HeaderMap;
use axum::http::header::CACHE_CONTROL;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use bouton_answers::{MAX_PLIES, Question};
use bouton_lookup::Policy;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::app::Shared;
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

impl<P> QuestionRequest<P> {
    /// Answers the question from the table. A client that has the answer already gets an empty response with status 304.
    pub(super) async fn answer<Q: Question<Answer: Serialize> + Send + 'static>(
        self,
        question: impl FnOnce(P) -> Q,
    ) -> Result<Response, Problem> {
        let Self { app, table, by_digest, question: params, headers } = self;
        let (answering, question) = (Arc::clone(&table), question(params));
        // Writing a long answer takes time, so it counts as work too.
        let json =
            app.work.run_heavy(move || answering.ask(question).map(|answer| to_json(&answer))).await??;
        Ok(table_response(&headers, &table, by_digest, json))
    }
}

impl QuestionRequest<PositionParams> {
    /// Answers the question from the cache of answers, if possible. `kind` distinguishes questions in the cache.
    pub(super) async fn answer_cached<Q: Question<Answer: Serialize> + Send + 'static>(
        self,
        kind: &str,
        question: impl FnOnce(PositionParams) -> Q,
    ) -> Result<Response, Problem> {
        // A table whose file was changed gives no answers, not even cached ones.
        if self.question.position.len() > limits::MAX_CACHED_POSITION || !self.table.is_intact() {
            return self.answer(question).await;
        }
        let Self { app, table, by_digest, question: params, headers } = self;
        let key = format!("{}/{kind}/{}", table.about.digest, params.position);
        let (answering, question) = (Arc::clone(&table), question(params));
        let make = app.work.run_heavy(move || answering.ask(question).map(|answer| to_json(&answer)));
        let json = app.maps.answer(&key, async { make.await? }).await?;
        Ok(table_response(&headers, &table, by_digest, json))
    }
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
    /// which spells rules, if the service solves them. In a path, own:SETTINGS needs no encoding but that of brackets
    /// and blanks (%5B, %5D, %20).
    #[param(example = "sticks")]
    name: String,
}

/// The parameters of a query. An unknown parameter, or one that is given twice, is an error.
pub(super) struct Params<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query: Result<Query<T>, QueryRejection> = Query::try_from_uri(&parts.uri);
        let Query(params) = query.map_err(|error| {
            let text = error.body_text();
            let what = reword(text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text));
            let what = shorten(&what);
            Problem::bad_request(format!("invalid query: {what}; /api/openapi.json lists the parameters"))
        })?;
        Ok(Self(params))
    }
}

/// Rewords an error of the query parser for the sender of the request.
fn reword(text: &str) -> String {
    let quoted = |text: &str| text.replace('`', "'");
    // The message may begin with the place of the error.
    let after = |known: &str| text.split_once(known).map(|(_, rest)| rest);
    if let Some(name) = after("missing field ") {
        return format!("the parameter {} is missing", quoted(name));
    }
    if let Some(name) = after("duplicate field ") {
        return format!("the parameter {} is given twice", quoted(name));
    }
    let Some((name, known)) = after("unknown field ").and_then(|rest| rest.split_once("`, ")) else {
        return text.to_owned();
    };
    let known = known.strip_prefix("expected ").map(|known| match known.strip_prefix("one of ") {
        Some(several) => format!("; there are {several}"),
        None => format!("; there is {known}"),
    });
    quoted(&format!("there is no parameter {name}`{}", known.as_deref().unwrap_or(", as none is expected")))
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

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NoParams {}

/// Reads a parameter; `allowed` describes the valid values in the error.
fn read_param<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D, allowed: &str) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| {
        let found: String = text.chars().take(40).collect();
        D::Error::custom(format!("found '{found}', expected {allowed}"))
    })
}

pub(super) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    read_param(deserializer, "true or false")
}

pub(super) fn policy<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Policy, D::Error> {
    read_param(deserializer, "fastest, longest or trap")
}

pub(super) fn plies<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    let allowed = format!("a whole number from 1 to {MAX_PLIES}");
    let plies: NonZeroUsize = read_param(deserializer, &allowed)?;
    match plies.get() {
        plies if plies <= MAX_PLIES => Ok(Some(plies)),
        plies => Err(D::Error::custom(format!("found '{plies}', expected {allowed}"))),
    }
}

/// The query: a position.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct PositionParams {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    pub(super) position: String,
}

/// The query: how to choose moves.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct BatchParams {
    /// Whether to list all legal moves.
    #[serde(default, deserialize_with = "flag")]
    pub(super) moves: bool,
    /// How to choose a move in a lost position: longest (the default) or trap. `fastest`, which names the choice in
    /// a won position, means longest here.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    pub(super) policy: Policy,
}

/// How to choose a move in a lost position.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[allow(dead_code, reason = "it describes what is read elsewhere, for the interface's description")]
pub(super) enum PolicyName {
    /// The same as `longest`. In a won position, the fastest win is always chosen.
    Fastest,
    /// The move that loses latest (the default).
    Longest,
    /// The move that leaves the opponent the smallest fraction of winning replies.
    Trap,
}
