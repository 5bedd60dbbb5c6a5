//! Requests to the web server of 2020, and their answers.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use super::error::{ClientResult, wrong_address};
use super::report::{Report, shown};
use crate::protocol::rest::{JoinReply, MoveList, Status};

const MAX_ANSWER: u64 = 1 << 20;
/// Time limit of an answer, since our clock may run. The server never delays an answer on purpose.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between two requests of the same kind.
const REQUEST_INTERVAL: Duration = Duration::from_millis(300);

pub(super) struct RestClient {
    agent: ureq::Agent,
    base: String,
    pub(super) patience: Duration,
    /// True once the user knows that the server does not answer.
    pub(super) silence_is_noted: bool,
}

#[derive(Debug)]
pub(super) struct RequestError {
    pub(super) what: String,
    /// True without an answer, or after a temporary failure: the request may be repeated. False after a refusal, or an
    /// answer that makes no sense.
    pub(super) is_temporary: bool,
}

pub(super) type RequestResult<T> = Result<T, RequestError>;

impl RestClient {
    /// Makes a client of a server at [http://]HOST:PORT[/PATH]. Waits at most `patience` for an answer.
    pub(super) fn at(address: &str, patience: Duration) -> ClientResult<Self> {
        let rest = address.strip_prefix("http://").unwrap_or(address).trim_end_matches('/');
        let host = rest.split('/').next().unwrap_or_default();
        if host.is_empty() || host.starts_with(':') {
            return Err(wrong_address(address, "it has no host"));
        }
        if rest.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '?' | '#' | '@')) {
            return Err(wrong_address(address, "it has a blank, a control character, ?, # or @ in it"));
        }
        // No proxy, as with the other protocols. A new connection for each request: a server may be slow to close a
        // connection that it no longer reads, and a move sent over that connection would be lost.
        let config = ureq::Agent::config_builder()
            .proxy(None)
            .max_idle_connections(0)
            .http_status_as_error(false)
            .timeout_global(Some(ANSWER_TIMEOUT.min(patience)))
            .build();
        Ok(Self {
            agent: config.new_agent(),
            base: format!("http://{rest}"),
            patience,
            silence_is_noted: false,
        })
    }

    pub(super) fn host_and_port(&self) -> String {
        let host = self.base.trim_start_matches("http://").split('/').next().unwrap_or_default();
        let port = host.rsplit_once(':').map(|(_, port)| port).filter(|port| !port.contains(']'));
        if port.is_some() { host.to_owned() } else { format!("{host}:80") }
    }

    /// Waits before a request is repeated.
    pub(super) fn pause(&self) {
        sleep(REQUEST_INTERVAL.min(self.patience));
    }

    /// Repeats a request until it is answered or `patience` is over. Notes the first failure.
    pub(super) fn retry<T>(
        &mut self,
        patience: Duration,
        report: &mut Report,
        request: impl Fn(&Self) -> RequestResult<T>,
    ) -> RequestResult<T> {
        let began = Instant::now();
        loop {
            match request(self) {
                Err(failed) if failed.is_temporary && began.elapsed() < patience => {
                    self.note_silence(&failed.what, patience, report);
                    self.pause();
                }
                outcome => return outcome,
            }
        }
    }

    /// Notes the first failure, and that we keep trying.
    pub(super) fn note_silence(&mut self, what: &str, patience: Duration, report: &mut Report) {
        if !std::mem::replace(&mut self.silence_is_noted, true) {
            report.note(&format!("{what}; trying for {} s (--patience)", patience.as_secs()));
        }
    }

    pub(super) fn create(&self, name: &str, stones: u64) -> RequestResult<JoinReply> {
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
    let failed = |is_temporary, what| RequestError { what, is_temporary };
    let mut response =
        response.map_err(|error| failed(true, format!("the server does not answer: {error}")))?;
    let status = response.status();
    let body = response.body_mut().with_config().limit(MAX_ANSWER).lossy_utf8(true).read_to_string();
    let body = body.map_err(|error| failed(true, format!("the answer is truncated: {error}")))?;
    let found = || shown(&body);
    let Ok(answer) = serde_json::from_str::<Value>(&body) else {
        let text = format!("found \"{}\", which is not JSON (HTTP status {status})", found());
        // The server, or a reverse proxy before it, may fail for a moment.
        return Err(failed(status.is_server_error(), format!("{text}; is it the server of this game?")));
    };
    if answer.get("status").and_then(Value::as_str) != Some("success") {
        let reason = answer.get("reason").and_then(Value::as_str).map_or_else(found, shown);
        // Status 503 announces a temporary failure.
        let text = format!("the server refuses: {reason} (HTTP status {status})");
        return Err(failed(status.as_u16() == 503, text));
    }
    serde_json::from_value(answer).map_err(|error| {
        let why = shown(&error.to_string());
        failed(false, format!("found {}, which is not the expected answer: {why}", found()))
    })
}
