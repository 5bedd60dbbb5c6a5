//! The routes of the web server of 2020: requests, their parameters and their handlers.

use std::time::Instant;

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequest, Path, Query, Request, State};
use axum::http::header::{CONNECTION, CONTENT_LENGTH, RETRY_AFTER};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use bouton_connections::SeatRefusal;
use bouton_tables::printable::shorten;
use serde::Serialize;
use tokio::time::timeout;

use super::sessions::{Parameters, SharedSessions, lock};
use crate::protocol::rest::{JoinReply, MoveList, Status};

/// A part of the path; an error if it is not text.
type PathPart = Result<Path<String>, PathRejection>;

const ROUTES: &str = "there are POST /sessions.json, POST /sessions/join.json, GET /sessions/ID/status.json, \
                             POST /sessions/ID/move.json and GET /sessions/ID.json";

pub(super) fn router(shared: SharedSessions) -> Router {
    Router::new()
        .route("/sessions.json", post(create))
        .route("/sessions/join.json", post(join))
        .route("/sessions/{id}/status.json", get(status))
        .route("/sessions/{id}/move.json", post(make_move))
        .route("/sessions/{file}", get(moves))
        .fallback(missing)
        .method_not_allowed_fallback(missing)
        .with_state(shared)
}

/// Answers each request on a connection that gets no seat.
pub(super) fn refusing(refused: SeatRefusal) -> Router {
    let reason = format!("Too many connections: {refused}; try again later.");
    let headers = [(RETRY_AFTER, "1"), (CONNECTION, "close")];
    Router::new()
        .fallback(async move || (headers, Failure(StatusCode::SERVICE_UNAVAILABLE, reason)).into_response())
}

async fn create(State(shared): State<SharedSessions>, parameters: Parameters) -> Reply<JoinReply> {
    success(lock(&shared).create(&parameters, Instant::now())?)
}

async fn join(State(shared): State<SharedSessions>, parameters: Parameters) -> Reply<JoinReply> {
    success(lock(&shared).join(&parameters, Instant::now())?)
}

async fn status(State(shared): State<SharedSessions>, id: PathPart, parameters: Parameters) -> Reply<Status> {
    success(lock(&shared).find(text(&id))?.status(parameters.token(), Instant::now())?)
}

async fn make_move(State(shared): State<SharedSessions>, id: PathPart, parameters: Parameters) -> Reply<()> {
    success(lock(&shared).make_move(text(&id), &parameters, Instant::now())?)
}

async fn moves(
    State(shared): State<SharedSessions>,
    file: PathPart,
    method: Method,
    uri: Uri,
) -> Reply<MoveList> {
    match text(&file).strip_suffix(".json") {
        Some(id) => success(lock(&shared).find(id)?.moves(Instant::now())),
        None => Err(missing(method, uri).await),
    }
}

/// Returns the text of a part of the path; an empty text, which is no session's number, if the part is invalid.
fn text(part: &PathPart) -> &str {
    part.as_ref().map_or("", |Path(text)| text)
}

async fn missing(method: Method, uri: Uri) -> Failure {
    let path = shorten(uri.path(), 40);
    Failure(StatusCode::NOT_FOUND, format!("Found {method} {path}, which does not exist: {ROUTES}."))
}

type Reply<T> = Result<Json<ReplyBody<T>>, Failure>;

#[derive(Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
enum ReplyBody<T> {
    Success(T),
    Failed { reason: String },
}

fn success<T>(answer: T) -> Reply<T> {
    Ok(Json(ReplyBody::Success(answer)))
}

/// A failed request: the HTTP status, and the reason.
pub(super) struct Failure(StatusCode, String);

impl From<String> for Failure {
    /// A refusal by the sessions has status 200, as on the original server of 2020.
    fn from(reason: String) -> Self {
        Self(StatusCode::OK, reason)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.0, Json(ReplyBody::<()>::Failed { reason: self.1 })).into_response()
    }
}

type FormFields = Vec<(String, String)>;

impl FromRequest<SharedSessions> for Parameters {
    type Rejection = Failure;

    async fn from_request(request: Request, shared: &SharedSessions) -> Result<Self, Failure> {
        let query = Query::<FormFields>::try_from_uri(request.uri());
        let Query(mut fields) = query.map_err(|error| Failure(StatusCode::BAD_REQUEST, error.body_text()))?;
        let has_no_body = request.headers().get(CONTENT_LENGTH).is_none_or(|length| length == "0")
            && !request.headers().contains_key("transfer-encoding");
        if request.method() == Method::POST && !has_no_body {
            let limit = lock(shared).settings.join_time();
            match timeout(limit, Form::<FormFields>::from_request(request, &())).await {
                Err(_) => {
                    let text = format!("The form did not arrive within {limit:?}; send it without pauses.");
                    return Err(Failure(StatusCode::REQUEST_TIMEOUT, text));
                }
                Ok(Ok(Form(form))) => fields.extend(form),
                Ok(Err(error)) => {
                    let text = error.to_string();
                    let expected = "give the parameters in the query or in a form of at most 4096 bytes \
                                    (application/x-www-form-urlencoded)";
                    return Err(Failure(error.into_response().status(), format!("{text}; {expected}")));
                }
            }
        }
        Ok(Self(fields.into_iter().collect()))
    }
}
