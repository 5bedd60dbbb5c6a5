//! The requests and their handlers.

use std::time::Instant;

use axum::Json;
use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;

use super::SharedSessions;
use super::parameters::Parameters;
use crate::protocol::rest::{Joined, MoveList, Status};
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

async fn create(State(shared): State<SharedSessions>, parameters: Parameters) -> Answer<Joined> {
    Ok(Success(shared.sessions().create(&parameters, Instant::now())?))
}

async fn join(State(shared): State<SharedSessions>, parameters: Parameters) -> Answer<Joined> {
    Ok(Success(shared.sessions().join(&parameters, Instant::now())?))
}

async fn status(
    State(shared): State<SharedSessions>,
    id: PathPart,
    parameters: Parameters,
) -> Answer<Status> {
    Ok(Success(shared.sessions().find(text(&id))?.status(parameters.token(), Instant::now())?))
}

async fn make_move(State(shared): State<SharedSessions>, id: PathPart, parameters: Parameters) -> Answer<()> {
    Ok(Success(shared.sessions().make_move(text(&id), &parameters, Instant::now())?))
}

async fn moves(
    State(shared): State<SharedSessions>,
    file: PathPart,
    method: Method,
    uri: Uri,
) -> Answer<MoveList> {
    match text(&file).strip_suffix(".json") {
        Some(id) => Ok(Success(shared.sessions().find(id)?.moves(Instant::now()))),
        None => Err(nothing(method, uri).await),
    }
}

/// The text of a part of the path; empty if it has none, which is not the number of any session.
fn text(part: &PathPart) -> &str {
    part.as_ref().map_or("", |Path(text)| text)
}

async fn nothing(method: Method, uri: Uri) -> Refusal {
    let path = clean(uri.path());
    Refusal(StatusCode::NOT_FOUND, format!("Found {method} {path}, which does not exist: {WHAT_THERE_IS}."))
}

type Answer<T> = Result<Success<T>, Refusal>;

/// The body of an answer.
#[derive(Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
enum Body<T> {
    Success(T),
    Failed { reason: String },
}

/// What was asked for.
struct Success<T>(T);

impl<T: Serialize> IntoResponse for Success<T> {
    fn into_response(self) -> Response {
        Json(Body::Success(self.0)).into_response()
    }
}

/// A request that failed: the status, and what is wrong.
pub(super) struct Refusal(pub(super) StatusCode, pub(super) String);

impl From<String> for Refusal {
    /// The old server reports failures with status 200.
    fn from(reason: String) -> Self {
        Self(StatusCode::OK, reason)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, Json(Body::<()>::Failed { reason: self.1 })).into_response()
    }
}
