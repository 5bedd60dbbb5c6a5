//! Requests to the web server of 2020, and their answers.

use std::time::Duration;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use super::error::{ClientError, ClientResult};
use super::report::shown;
use crate::protocol::rest::{JoinReply, MoveList, Status};

const MAX_ANSWER: u64 = 1 << 20;
/// Time limit of an answer, since our clock may run. The server never delays an answer on purpose.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) struct RestClient {
    agent: ureq::Agent,
    base: String,
}

#[derive(Debug)]
pub(super) enum RequestError {
    /// No answer, or a temporary failure: the request may be repeated.
    Unanswered(String),
    /// A refusal, or an answer that makes no sense.
    Refused(String),
}

pub(super) type RequestResult<T> = Result<T, RequestError>;

impl RequestError {
    pub(super) fn into_error(self, request: &str, standing: &str) -> ClientError {
        let (Self::Unanswered(what) | Self::Refused(what)) = self;
        ClientError::request(request, &what, standing)
    }
}

impl RestClient {
    /// Makes a client of a server at [http://]HOST:PORT[/PATH]. Waits at most `patience` for an answer.
    pub(super) fn at(address: &str, patience: Duration) -> ClientResult<Self> {
        let rest = address.strip_prefix("http://").unwrap_or(address).trim_end_matches('/');
        let host = rest.split('/').next().unwrap_or_default();
        if host.is_empty() || host.starts_with(':') {
            return Err(ClientError::address(address, "it has no host"));
        }
        if rest.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '?' | '#' | '@')) {
            return Err(ClientError::address(
                address,
                "it has a blank, a control character, ?, # or @ in it",
            ));
        }
        // No proxy, as with the other protocols. A new connection for each request: a server may be slow to close a
        // connection that it no longer reads, and a move sent over that connection would be lost.
        let config = ureq::Agent::config_builder()
            .proxy(None)
            .max_idle_connections(0)
            .http_status_as_error(false)
            .timeout_global(Some(ANSWER_TIMEOUT.min(patience)))
            .build();
        Ok(Self { agent: config.new_agent(), base: format!("http://{rest}") })
    }

    pub(super) fn host_and_port(&self) -> String {
        let host = self.base.trim_start_matches("http://").split('/').next().unwrap_or_default();
        let port = host.rsplit_once(':').map(|(_, port)| port).filter(|port| !port.contains(']'));
        if port.is_some() { host.to_owned() } else { format!("{host}:80") }
    }

    pub(super) fn create(&self, name: &str, stones: u32) -> RequestResult<JoinReply> {
        self.post("sessions.json", None, &[("name", name), ("stones", &stones.to_string())])
    }

    pub(super) fn join(&self, session: u64, name: &str) -> RequestResult<JoinReply> {
        self.post("sessions/join.json", None, &[("id", &session.to_string()), ("name", name)])
    }

    pub(super) fn status(&self, session: u64, token: &str) -> RequestResult<Status> {
        self.get(&format!("sessions/{session}/status.json"), Some(token))
    }

    pub(super) fn play(
        &self,
        session: u64,
        token: &str,
        take: u32,
        reset: bool,
    ) -> RequestResult<IgnoredAny> {
        let reset = if reset { "yes" } else { "no" };
        let fields = [("stones", &*take.to_string()), ("reset", reset)];
        self.post(&format!("sessions/{session}/move.json"), Some(token), &fields)
    }

    pub(super) fn moves(&self, session: u64) -> RequestResult<MoveList> {
        self.get(&format!("sessions/{session}.json"), None)
    }

    fn get<T: DeserializeOwned>(&self, path: &str, token: Option<&str>) -> RequestResult<T> {
        let request = self.agent.get(format!("{}/{path}", self.base));
        answer(request.query_pairs(token.map(|token| ("token", token))).call())
    }

    fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        token: Option<&str>,
        fields: &[(&str, &str)],
    ) -> RequestResult<T> {
        let request = self.agent.post(format!("{}/{path}", self.base));
        let request = request.query_pairs(token.map(|token| ("token", token)));
        answer(request.send_form(fields.iter().copied()))
    }
}

fn answer<T: DeserializeOwned>(
    response: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
) -> RequestResult<T> {
    let mut response =
        response.map_err(|error| RequestError::Unanswered(format!("the server does not answer: {error}")))?;
    let status = response.status();
    let body = response.body_mut().with_config().limit(MAX_ANSWER).lossy_utf8(true).read_to_string();
    let body = body.map_err(|error| RequestError::Unanswered(format!("the answer is truncated: {error}")))?;
    let found = || shown(&body);
    let Ok(answer) = serde_json::from_str::<Value>(&body) else {
        let text = format!("found \"{}\", which is not JSON (HTTP status {status})", found());
        // The server, or a reverse proxy before it, may fail for a moment.
        let kind = if status.is_server_error() { RequestError::Unanswered } else { RequestError::Refused };
        return Err(kind(format!("{text}; is it the server of this game?")));
    };
    if answer.get("status").and_then(Value::as_str) != Some("success") {
        let reason = answer.get("reason").and_then(Value::as_str).map_or_else(found, shown);
        // Status 503 announces a temporary failure.
        let kind = if status.as_u16() == 503 { RequestError::Unanswered } else { RequestError::Refused };
        return Err(kind(format!("the server refuses: {reason} (HTTP status {status})")));
    }
    serde_json::from_value(answer).map_err(|error| {
        let why = shown(&error.to_string());
        RequestError::Refused(format!("found {}, which is not the expected answer: {why}", found()))
    })
}
