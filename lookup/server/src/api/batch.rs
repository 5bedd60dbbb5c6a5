//! The endpoint for many positions: reads their array from the body, and sends the answers piece by piece, so that
//! neither a long request nor a slow client occupies a thread.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::Response;
use bouton_answers::{
    Answer, BoardTable, Budget, LookUpCost, PolicyName, Question, QuestionKind, Refusal, flag,
    look_up_within, policy,
};
use bouton_lookup::{LookUpOptions, Policy, write_error};
use bouton_tables::Game;
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;
use serde::{Deserialize, Serialize};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout};
use utoipa::{IntoParams, ToSchema};

use super::app::App;
use super::extract::{QuestionRequest, TableName};
use super::lookup::is_light;
use crate::caching::{self, JSON};
use crate::limits;
use crate::problem::{ErrorResponse, Problem};
use crate::tables::ServedTable;

/// Usual size of a piece of the response in bytes.
const PIECE_BYTES: usize = 128 << 10;

/// Number of quick answers between two readings of the clock: most take less than a microsecond.
const ANSWERS_PER_CLOCK: u32 = 64;

/// The element for a position that has no answer.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "only for the OpenAPI description: other code writes the JSON")]
pub(super) struct NoAnswer {
    /// The position as in the request; if it is longer than 60 characters, the first 60 and `...`.
    position: String,
    /// The reason why there is no answer.
    error: String,
}

/// How to choose moves.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct BatchParams {
    /// Whether to list all legal moves.
    #[serde(default, deserialize_with = "flag")]
    moves: bool,
    /// How to choose a move in a lost position; the default is longest.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    policy: Policy,
}

/// An element of the response.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only for the OpenAPI description: other code writes the JSON")]
pub(super) enum Element {
    Answer(Answer),
    NoAnswer(NoAnswer),
}

/// The best moves in up to 10,000 positions.
#[utoipa::path(
    post,
    path = "/api/tables/{name}/lookup",
    params(TableName, BatchParams),
    request_body(content = Vec<String>, description = "positions, in notation", content_type = "application/json"),
    responses((status = 200, description = "an answer for each position, in the same order", body = Vec<Element>), ErrorResponse)
)]
pub(super) async fn lookup_many(
    QuestionRequest { app, table, question, .. }: QuestionRequest<BatchParams>,
    request: Request,
) -> Result<Response, Problem> {
    let options = LookUpOptions { policy: question.policy, list_moves: question.moves };
    if let Err(problem) = check_head(&request) {
        // Read the body to its end: a client that is still sending would not read the reason.
        let _ = timeout(limits::MAX_DISCARD_TIME, drain(request.into_body())).await;
        return Err(problem);
    }
    let (positions, bytes_permit) = read(request.into_body(), &app).await?;
    let batch_permit = app.work.batch_permit().await?;
    let answers = BatchAnswers {
        options,
        is_quick: table.is_quick && is_light(options),
        positions: positions.into_iter(),
        is_first: true,
        budget: table.budget(QuestionKind::Positions(options)),
        until: Instant::now() + app.answer_time,
        _permits: (batch_permit, bytes_permit),
    };
    let (piece, answers) = answers.next_piece(&app, &table).await?;
    if answers.is_done() {
        return Ok(caching::uncached(JSON, piece));
    }
    let rest = stream::try_unfold(answers, move |answers| {
        let (app, table) = (Arc::clone(&app), Arc::clone(&table));
        async move {
            if answers.is_done() {
                return Ok(None);
            }
            // If the rest fails, the response is truncated.
            answers.next_piece(&app, &table).await.map(Some).map_err(|problem| problem.detail())
        }
    });
    Ok(caching::uncached(JSON, Body::from_stream(stream::iter([Ok(piece)]).chain(rest))))
}

/// The answers that are still to be computed for a request.
struct BatchAnswers {
    options: LookUpOptions,
    /// Whether answers are so quick that the thread that reads requests computes them.
    is_quick: bool,
    /// The positions without an answer yet.
    positions: std::vec::IntoIter<Bytes>,
    /// Whether no answer is written yet.
    is_first: bool,
    budget: Budget,
    /// When the answer must be complete.
    until: Instant,
    /// Permits for the batch and for the memory of the body.
    _permits: (OwnedSemaphorePermit, OwnedSemaphorePermit),
}

impl BatchAnswers {
    fn is_done(&self) -> bool {
        !self.is_first && self.positions.len() == 0
    }

    /// Computes the next piece of the array. Returns it with the answers that remain; the last piece ends the array.
    async fn next_piece(self, app: &App, table: &Arc<ServedTable>) -> Result<(String, Self), Problem> {
        if Instant::now() >= self.until {
            return Err(Problem::Busy);
        }
        let before = self.positions.len();
        let (piece, rest) = if self.is_quick {
            // Let other connections go first.
            tokio::task::yield_now().await;
            table.ask(self)?
        } else {
            table.ask_heavy(&app.work, self).await?
        };
        app.positions.increment((before - rest.positions.len()) as u64);
        Ok((piece, rest))
    }
}

impl Question for BatchAnswers {
    type Answer = (String, Self);

    fn answer<S: BoardTable>(mut self, table: &S, _: LookUpCost) -> Result<Self::Answer, Refusal> {
        let mut json = String::with_capacity(PIECE_BYTES + PIECE_BYTES / 8);
        let begun = Instant::now();
        for number in 1_u32.. {
            // Reading the clock takes longer than most answers.
            let reads_clock = number.is_multiple_of(ANSWERS_PER_CLOCK) || !self.is_quick;
            if json.len() >= PIECE_BYTES || reads_clock && begun.elapsed() >= limits::TIME_SLICE {
                break;
            }
            let Some(position) = self.positions.next() else { break };
            json.push(if self.is_first { '[' } else { ',' });
            self.is_first = false;
            let position = std::str::from_utf8(&position).expect("the body was read as text");
            let answered = table.game().read_position(position).map_err(Refusal::from).and_then(|parsed| {
                look_up_within(table, &parsed, self.options, &mut self.budget)?.write_json(&mut json);
                Ok(())
            });
            match answered {
                Ok(()) => {}
                // The table is damaged: the whole request fails.
                Err(refusal @ Refusal::Damaged(_)) => return Err(refusal),
                Err(refusal) => write_error(position, &refusal.to_string(), &mut json),
            }
        }
        if self.positions.len() == 0 {
            json.push_str(if self.is_first { "[]" } else { "]" });
            self.is_first = false;
        }
        Ok((json, self))
    }
}

/// Checks that the headers announce a body of JSON, not compressed, within the limit on its size.
fn check_head(request: &Request) -> Result<(), Problem> {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let media_type = header(CONTENT_TYPE).unwrap_or("none");
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case(JSON) {
        let media_type: String = media_type.chars().take(60).collect();
        return Err(Problem::NotJson(format!(
            "the content type of the body is '{media_type}'; send a JSON array of positions with the header 'content-type: {JSON}'"
        )));
    }
    let mut codings = request.headers().get_all(CONTENT_ENCODING).iter().map(HeaderValue::as_bytes);
    if let Some(coding) = codings.find(|coding| !coding.eq_ignore_ascii_case(b"identity")) {
        let coding: String = String::from_utf8_lossy(coding).chars().take(60).collect();
        return Err(Problem::Encoded(format!(
            "the body is encoded as '{coding}', and is read only as it is; send it without the header 'content-encoding'"
        )));
    }
    match header(CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok()) {
        Some(length) if length > limits::MAX_BODY_BYTES as u64 => Err(too_long(&format!("{length} bytes"))),
        _ => Ok(()),
    }
}

fn too_long(found: &str) -> Problem {
    Problem::TooLarge(format!(
        "the body has {found}, and at most {} are allowed; ask for fewer positions at once",
        limits::MAX_BODY_BYTES
    ))
}

/// Reads and discards the rest of a refused body, up to a limit.
async fn drain(mut body: Body) {
    let mut left = limits::MAX_DISCARDED_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        let length = frame.data_ref().map_or(0, Bytes::len);
        let Some(fewer) = left.checked_sub(length) else { return };
        left = fewer;
    }
}

/// Reads the positions of a body, within the limit on all bodies together.
async fn read(mut body: Body, app: &App) -> Result<(Vec<Bytes>, OwnedSemaphorePermit), Problem> {
    let mut permit = app.work.reserve_bytes(0)?;
    let mut bytes = Vec::new();
    let reading = async {
        while let Some(frame) = body.frame().await {
            let frame =
                frame.map_err(|error| Problem::bad_request(format!("the body was cut off: {error}")))?;
            let Ok(data) = frame.into_data() else { continue };
            if bytes.len() + data.len() > limits::MAX_BODY_BYTES {
                return Err(too_long("more bytes"));
            }
            permit.merge(app.work.reserve_bytes(data.len())?);
            bytes.extend_from_slice(&data);
        }
        Ok(())
    };
    timeout(app.body_time, reading).await.map_err(|_| Problem::TooSlow(app.body_time))??;
    let body = Bytes::from(bytes);
    let positions: Vec<JsonText> = serde_json::from_slice(&body).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        Problem::bad_request(if error.is_data() {
            format!("the body is JSON, but not an array of strings ({place}); send one such as [\"3,5,7\"]")
        } else {
            format!("the body is not JSON ({place}); send an array of strings, such as [\"3,5,7\"]")
        })
    })?;
    if positions.len() > limits::MAX_POSITIONS {
        return Err(Problem::TooLarge(format!(
            "the body has more than {} positions; ask for fewer at once",
            limits::MAX_POSITIONS
        )));
    }
    let positions = positions.into_iter().map(|JsonText(position)| match position {
        Cow::Borrowed(text) => body.slice_ref(text.as_bytes()),
        Cow::Owned(text) => Bytes::from(text),
    });
    Ok((positions.collect(), permit))
}

/// A string in the body. It borrows from the body if it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct JsonText<'a>(#[serde(borrow)] Cow<'a, str>);
