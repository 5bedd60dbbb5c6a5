//! What is at which address.

use std::time::Instant;

use axum::Json;
use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;

use super::Shared;
use super::fields::{BadRequest, Fields};
use super::session::SUCCESS;
use crate::protocol::rest::Plain;
use crate::server::name::clean;

/// A part of the path; an error if it is no text.
type Named = Result<Path<String>, PathRejection>;

const WHAT_THERE_IS: &str = "there are POST /sessions.json, POST /sessions/join.json, GET /sessions/ID/status.json, \
                             POST /sessions/ID/move.json and GET /sessions/ID.json";

/// The pages.
pub(super) fn router(shared: Shared) -> Router {
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

async fn create(State(shared): State<Shared>, request: Request) -> Response {
    let fields = Fields::of(request).await;
    answer(fields, |fields| shared.sessions().create(fields, Instant::now()))
}

async fn join(State(shared): State<Shared>, request: Request) -> Response {
    let fields = Fields::of(request).await;
    answer(fields, |fields| shared.sessions().join(fields, Instant::now()))
}

async fn status(State(shared): State<Shared>, id: Named, request: Request) -> Response {
    let fields = Fields::of(request).await;
    answer(fields, |fields| shared.sessions().status(text(&id), fields, Instant::now()))
}

async fn make_move(State(shared): State<Shared>, id: Named, request: Request) -> Response {
    let fields = Fields::of(request).await;
    answer(fields, |fields| {
        shared.sessions().make_move(text(&id), fields, Instant::now())?;
        Ok(Plain { status: SUCCESS.to_owned(), reason: None })
    })
}

async fn moves(State(shared): State<Shared>, file: Named, method: Method, uri: Uri) -> Response {
    match text(&file).strip_suffix(".json") {
        Some(id) => answer(Ok(Fields::default()), |_| shared.sessions().moves(id, Instant::now())),
        None => nothing(method, uri).await,
    }
}

/// The text of a part of the path. No session has the name of what is none.
fn text(part: &Named) -> &str {
    part.as_ref().map_or("", |Path(text)| text)
}

async fn nothing(method: Method, uri: Uri) -> Response {
    let path = clean(uri.path());
    failed(StatusCode::NOT_FOUND, format!("Found {method} {path}, which is not here: {WHAT_THERE_IS}."))
}

/// Answers with what a request gives, or why it fails.
fn answer<T: Serialize>(
    fields: Result<Fields, BadRequest>,
    give: impl FnOnce(&Fields) -> Result<T, String>,
) -> Response {
    match fields {
        Ok(fields) => match give(&fields) {
            Ok(given) => Json(given).into_response(),
            // The old server's failures are no failures of HTTP.
            Err(reason) => failed(StatusCode::OK, reason),
        },
        Err((status, reason)) => failed(status, reason),
    }
}

fn failed(status: StatusCode, reason: String) -> Response {
    (status, Json(Plain { status: "failed".to_owned(), reason: Some(reason) })).into_response()
}
