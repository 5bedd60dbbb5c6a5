//! The requests and their handlers.

use std::time::Instant;

use axum::Json;
use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;

use super::SharedSessions;
use super::parameters::{BadRequest, Parameters};
use super::session::SUCCESS;
use crate::protocol::rest::Plain;
use crate::server::name::clean;

/// A part of the path; an error if it is not text.
type PathPart = Result<Path<String>, PathRejection>;

const WHAT_THERE_IS: &str = "there are POST /sessions.json, POST /sessions/join.json, GET /sessions/ID/status.json, \
                             POST /sessions/ID/move.json and GET /sessions/ID.json";

/// The router.
pub(super) fn router(shared: SharedSessions) -> Router {
    Router::new()
        .route("/sessions.json", post(create))
        .route("/sessions/join.json", post(join))
        .route("/sessions/{id}/status.json", get(status))
        .route("/sessions/{id}/move.json", post(make_move))
        .route("/sessions/{file}", get(moves))
        .fallback(nothing)
        .method_not_allowed_fallback(nothing)
        .with_state(shared)
}

async fn create(State(shared): State<SharedSessions>, request: Request) -> Response {
    let parameters = Parameters::of(request).await;
    answer(parameters, |parameters| shared.sessions().create(parameters, Instant::now()))
}

async fn join(State(shared): State<SharedSessions>, request: Request) -> Response {
    let parameters = Parameters::of(request).await;
    answer(parameters, |parameters| shared.sessions().join(parameters, Instant::now()))
}

async fn status(State(shared): State<SharedSessions>, id: PathPart, request: Request) -> Response {
    let parameters = Parameters::of(request).await;
    answer(parameters, |parameters| shared.sessions().status(text(&id), parameters, Instant::now()))
}

async fn make_move(State(shared): State<SharedSessions>, id: PathPart, request: Request) -> Response {
    let parameters = Parameters::of(request).await;
    answer(parameters, |parameters| {
        shared.sessions().make_move(text(&id), parameters, Instant::now())?;
        Ok(Plain { status: SUCCESS.to_owned(), reason: None })
    })
}

async fn moves(State(shared): State<SharedSessions>, file: PathPart, method: Method, uri: Uri) -> Response {
    match text(&file).strip_suffix(".json") {
        Some(id) => answer(Ok(Parameters::default()), |_| shared.sessions().moves(id, Instant::now())),
        None => nothing(method, uri).await,
    }
}

/// The text of a part of the path; empty if it has none, which is not the number of any session.
fn text(part: &PathPart) -> &str {
    part.as_ref().map_or("", |Path(text)| text)
}

async fn nothing(method: Method, uri: Uri) -> Response {
    let path = clean(uri.path());
    failed(StatusCode::NOT_FOUND, format!("Found {method} {path}, which does not exist: {WHAT_THERE_IS}."))
}

/// Answers a request with its result, or with why it failed.
fn answer<T: Serialize>(
    parameters: Result<Parameters, BadRequest>,
    give: impl FnOnce(&Parameters) -> Result<T, String>,
) -> Response {
    match parameters {
        Ok(parameters) => match give(&parameters) {
            Ok(given) => Json(given).into_response(),
            // The old server reports failures with status 200.
            Err(reason) => failed(StatusCode::OK, reason),
        },
        Err((status, reason)) => failed(status, reason),
    }
}

fn failed(status: StatusCode, reason: String) -> Response {
    (status, Json(Plain { status: "failed".to_owned(), reason: Some(reason) })).into_response()
}
