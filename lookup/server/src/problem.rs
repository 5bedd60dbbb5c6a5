//! The errors of the service, with their statuses. The status of a refusal follows from [`Refusal::kind`].

use std::time::Duration;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use bouton_answers::Refusal;
use bouton_connections::SeatRefusal;
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use crate::limits;

/// The reason why a request fails. A `String` names the value found, the values allowed, and a remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The question has no answer.
    Refused(Refusal),
    NoSuchTable(String),
    NoSuchPage(String),
    NoSuchMethod(String),
    /// The body did not arrive within this time.
    TooSlow(Duration),
    TooLarge(String),
    NotJson(String),
    /// The body is compressed.
    Encoded(String),
    /// A bug: the code panicked.
    Fault,
    Busy,
    /// The connection got no seat.
    Crowded(SeatRefusal),
    NotReady,
}

/// The body of a response with status 400 or above (RFC 9457).
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProblemBody<'a> {
    /// Identifies the kind of problem.
    #[serde(rename = "type")]
    pub(crate) kind: &'a str,
    /// The kind of problem in words.
    pub(crate) title: &'a str,
    /// The status of the response.
    pub(crate) status: u16,
    /// What was found, what is allowed, and how to fix it.
    pub(crate) detail: &'a str,
    /// The id of the request in the log.
    pub(crate) request: &'a str,
}

/// For the OpenAPI description: any request may fail.
#[derive(IntoResponses)]
#[response(status = "default", description = "an error", content_type = "application/problem+json")]
#[allow(dead_code, reason = "only for the OpenAPI description of `Problem::answer`")]
pub(crate) struct ErrorResponse(ProblemBody<'static>);

impl Problem {
    /// Returns the problem of an invalid request.
    pub(crate) fn bad_request(detail: String) -> Self {
        Self::Refused(Refusal::Question(detail))
    }

    /// Returns the status, the name of the kind for programs, and the kind in words.
    pub(crate) fn kind(&self) -> (StatusCode, &'static str, &'static str) {
        use StatusCode as Status;
        match self {
            Self::Refused(why) => {
                let (status, name, title) = why.kind();
                (Status::from_u16(status).expect("kinds have statuses of HTTP"), name, title)
            }
            Self::NoSuchTable(_) => (Status::NOT_FOUND, "no-such-table", "No such table"),
            Self::NoSuchPage(_) => (Status::NOT_FOUND, "no-such-page", "Nothing at this path"),
            Self::NoSuchMethod(_) => (Status::METHOD_NOT_ALLOWED, "no-such-method", "Method not allowed"),
            Self::TooSlow(_) => (Status::REQUEST_TIMEOUT, "too-slow", "The body did not arrive in time"),
            Self::TooLarge(_) => (Status::PAYLOAD_TOO_LARGE, "too-large", "Request too large"),
            Self::NotJson(_) => (Status::UNSUPPORTED_MEDIA_TYPE, "not-json", "Not JSON"),
            Self::Encoded(_) => (Status::UNSUPPORTED_MEDIA_TYPE, "encoded", "Encoded body"),
            Self::Fault => (Status::INTERNAL_SERVER_ERROR, "fault", "Internal error"),
            Self::Busy => (Status::SERVICE_UNAVAILABLE, "busy", "Overloaded"),
            Self::Crowded(_) => (Status::SERVICE_UNAVAILABLE, "too-many-connections", "Too many connections"),
            Self::NotReady => (Status::SERVICE_UNAVAILABLE, "not-ready", "Not ready"),
        }
    }

    /// Returns the name of the kind, for the log.
    pub(crate) fn cause(&self) -> &'static str {
        self.kind().1
    }

    /// Returns the text for people: the value found, the values allowed, and a remedy.
    pub(crate) fn detail(&self) -> String {
        match self {
            Self::Refused(why) => why.to_string(),
            Self::NoSuchTable(detail)
            | Self::NoSuchPage(detail)
            | Self::NoSuchMethod(detail)
            | Self::TooLarge(detail)
            | Self::NotJson(detail)
            | Self::Encoded(detail) => detail.clone(),
            Self::TooSlow(time) => {
                format!("the body did not arrive within {} seconds; send it without pauses", time.as_secs())
            }
            Self::Fault => {
                "this is a bug; the log of the service has the details under the request's id".to_owned()
            }
            Self::NotReady => "no table is served, or the service is shutting down; /api/tables lists the \
                refused files, with the reasons"
                .to_owned(),
            Self::Busy => {
                format!("the service has too much work; retry in {} seconds", limits::MAX_WAIT.as_secs())
            }
            Self::Crowded(refused) => {
                format!("this connection is one too many: {refused}; close others, or retry later")
            }
        }
    }
}

/// Leaves the body to [`observe`](crate::observe), which knows the id of the request.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.kind().0.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
