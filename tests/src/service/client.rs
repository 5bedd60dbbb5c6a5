//! An HTTP client for tests: sends arbitrary bytes, and parses answers strictly.

use std::fmt;
use std::io::{ErrorKind, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use serde_json::Value;

use crate::sockets::{connect_from, read_some};

/// The time after which a test reports a hang.
pub const HANG_LIMIT: Duration = Duration::from_secs(60);

/// An answer of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers, with their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// The end of a connection before a complete answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disconnect {
    /// Before the first byte of an answer.
    Before,
    /// Within an answer. Holds its head, or the bytes so far if the head is incomplete.
    Within(Vec<u8>),
}

impl Answer {
    /// Returns the value of a header.
    ///
    /// # Panics
    /// If the header occurs twice.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|header| header.0 == name).map(|header| &*header.1);
        let value = values.next();
        assert_eq!(values.next(), None, "{name} appears twice: {self}");
        value
    }

    /// Returns the body as text.
    ///
    /// # Panics
    /// If the body is not text.
    #[must_use]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap_or_else(|_| panic!("not UTF-8: {self}"))
    }

    /// Returns the text of an answer with status 200.
    ///
    /// # Panics
    /// If the status differs.
    #[must_use]
    pub fn success_text(&self) -> &str {
        assert_eq!(self.status, 200, "{self}");
        self.text()
    }

    /// Returns the JSON of an answer with status 200.
    ///
    /// # Panics
    /// If the status differs, or the body is not JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let text = self.success_text();
        assert_eq!(self.header("content-type"), Some("application/json"), "{self}");
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// Checks every part of a problem with this status and the type `urn:bouton:KIND`, and returns its detail.
    ///
    /// # Panics
    /// If the answer is not this problem, or lacks a part.
    #[must_use]
    #[track_caller]
    pub fn problem(&self, status: u16, kind: &str) -> String {
        assert_eq!(self.status, status, "{self}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self}");
        let problem: Value = serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{self}"));
        let text = |key: &str| problem[key].as_str().unwrap_or_else(|| panic!("no {key}: {self}")).to_owned();
        assert_eq!(text("type"), format!("urn:bouton:{kind}"), "{self}");
        assert_eq!(problem["status"], status, "{self}");
        assert!(!text("title").is_empty(), "{self}");
        assert_eq!(Some(&*text("request")), self.header("x-request-id"), "{self}");
        assert_eq!(problem.as_object().map(serde_json::Map::len), Some(5), "{self}");
        text("detail")
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.status)?;
        self.headers.iter().try_for_each(|(name, value)| writeln!(f, "{name}: {value}"))?;
        let body = String::from_utf8_lossy(&self.body);
        let shown: String = body.chars().take(2000).collect();
        write!(f, "\n{shown}")
    }
}

/// A connection.
#[derive(Debug)]
pub struct Client {
    stream: TcpStream,
    /// Bytes received and not parsed yet.
    unread: Vec<u8>,
}

impl Client {
    /// Connects to a port of this machine.
    ///
    /// # Errors
    /// If no server accepts the connection.
    pub fn connect(port: u16) -> std::io::Result<Self> {
        Self::connect_from(1, port)
    }

    /// Connects to a port of this machine from 127.0.0.`host`.
    ///
    /// # Errors
    /// If no server accepts the connection.
    pub fn connect_from(host: u8, port: u16) -> std::io::Result<Self> {
        let stream = connect_from(host, port)?;
        stream.set_read_timeout(Some(HANG_LIMIT))?;
        stream.set_write_timeout(Some(HANG_LIMIT))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, unread: Vec::new() })
    }

    /// Sends a GET request, and reads the answer.
    #[must_use]
    pub fn get(&mut self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    /// Sends a POST request with JSON, and reads the answer.
    #[must_use]
    pub fn post(&mut self, path: &str, body: &str) -> Answer {
        self.ask("POST", path, &[("content-type", "application/json")], body.as_bytes())
    }

    /// Sends a request, and reads the answer.
    ///
    /// # Panics
    /// If the connection ends before the answer does.
    #[must_use]
    pub fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        match self.try_ask(method, path, headers, body) {
            Ok(answer) => answer,
            Err(broken) => panic!("{method} {path:.200}: {broken:?}"),
        }
    }

    /// Sends a request, and reads the answer.
    ///
    /// # Errors
    /// If the connection ends before the answer does.
    pub fn try_ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Answer, Disconnect> {
        let mut request = request(method, path, headers, body.len()).into_bytes();
        request.extend_from_slice(body);
        // A server that refuses a request need not read all of it, so sending may fail although an answer arrives.
        self.try_send(request);
        self.read_answer_to(method)
    }

    /// Sends bytes.
    ///
    /// # Panics
    /// If the server does not accept them.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).expect("the server takes it");
    }

    /// Sends bytes, and returns whether the server accepted them.
    pub fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(bytes.as_ref()).is_ok()
    }

    /// Closes the sending direction.
    ///
    /// # Panics
    /// If the connection is gone.
    pub fn close_sending(&self) {
        self.stream.shutdown(Shutdown::Write).expect("it is connected");
    }

    /// Reads the answer to a request sent before.
    ///
    /// # Errors
    /// If the connection ends before the answer does.
    pub fn read_answer(&mut self) -> Result<Answer, Disconnect> {
        self.read_answer_to("GET")
    }

    /// Reads until the server closes the connection, or an error ends it.
    #[must_use]
    pub fn read_to_end_of_connection(&mut self) -> Vec<u8> {
        while self.receive_more() {}
        std::mem::take(&mut self.unread)
    }

    /// Reads the answer to a request with this method.
    fn read_answer_to(&mut self, method: &str) -> Result<Answer, Disconnect> {
        let head = loop {
            if let Some(end) = self.unread.windows(4).position(|four| four == b"\r\n\r\n") {
                break String::from_utf8(self.take(end + 4)).expect("headers are UTF-8");
            }
            if !self.receive_more() {
                let unread = std::mem::take(&mut self.unread);
                return Err(if unread.is_empty() { Disconnect::Before } else { Disconnect::Within(unread) });
            }
        };
        let mut lines = head.trim_end().split("\r\n");
        let first = lines.next().unwrap_or_default();
        let status = first.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3));
        let status = status.and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("{first}"));
        let header = |line: &str| {
            let (name, value) = line.split_once(':').unwrap_or_else(|| panic!("no header: {line}"));
            (name.to_ascii_lowercase(), value.trim().to_owned())
        };
        let mut answer = Answer { status, headers: lines.map(header).collect(), body: Vec::new() };
        if method != "HEAD" && status >= 200 && status != 204 && status != 304 {
            answer.body = self.body(&answer).ok_or_else(|| Disconnect::Within(head.clone().into_bytes()))?;
        }
        Ok(answer)
    }

    /// Reads the body of an answer; `None` if it is incomplete.
    fn body(&mut self, head: &Answer) -> Option<Vec<u8>> {
        if let Some(length) = head.header("content-length") {
            assert_eq!(head.header("transfer-encoding"), None, "{head}");
            return self.take_exactly(length.parse().expect("a length is a number"));
        }
        if head.header("transfer-encoding") != Some("chunked") {
            assert_eq!(
                head.header("connection"),
                Some("close"),
                "an answer without a length ends with the connection: {head}"
            );
            return Some(self.read_to_end_of_connection());
        }
        let mut body = Vec::new();
        loop {
            let end = loop {
                match self.unread.windows(2).position(|two| two == b"\r\n") {
                    Some(end) => break end,
                    None if !self.receive_more() => return None,
                    None => {}
                }
            };
            let line = String::from_utf8(self.take(end + 2)).expect("lengths are ASCII");
            let length = usize::from_str_radix(line.trim(), 16).expect("a length is a number");
            let chunk = self.take_exactly(length + 2)?;
            assert!(chunk.ends_with(b"\r\n"), "a chunk ends in a newline");
            body.extend_from_slice(&chunk[..length]);
            if length == 0 {
                return Some(body);
            }
        }
    }

    /// Takes this many bytes from the connection; `None` if it ends earlier.
    fn take_exactly(&mut self, bytes: usize) -> Option<Vec<u8>> {
        while self.unread.len() < bytes {
            if !self.receive_more() {
                return None;
            }
        }
        Some(self.take(bytes))
    }

    /// Takes this many bytes, which must have arrived.
    fn take(&mut self, bytes: usize) -> Vec<u8> {
        self.unread.drain(..bytes).collect()
    }

    /// Waits for more bytes; returns false at the end.
    fn receive_more(&mut self) -> bool {
        let mut buffer = [0; 1 << 16];
        match read_some(&mut self.stream, &mut buffer) {
            Ok(read) => {
                self.unread.extend_from_slice(&buffer[..read]);
                read > 0
            }
            Err(error) => {
                let hangs = matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
                assert!(!hangs, "the server neither answers nor ends the connection");
                false
            }
        }
    }
}

/// Returns the head of a request.
#[must_use]
pub fn request(method: &str, path: &str, headers: &[(&str, &str)], length: usize) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    if length > 0 || method == "POST" {
        text += &format!("content-length: {length}\r\n");
    }
    text + "\r\n"
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// Returns a client of a server that sends these bytes and closes the connection.
    fn client_of(bytes: &'static [u8]) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || listener.accept().unwrap().0.write_all(bytes).unwrap());
        Client::connect(port).unwrap()
    }

    #[test]
    fn answers_are_read_one_after_another() {
        let mut client = client_of(
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\nX: a:b\r\n\r\nabc\
              HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n\
              HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nde\r\nB\r\nfghijklmnop\r\n0\r\n\r\n",
        );
        assert_eq!(client.read_answer().unwrap().status, 100);
        let answer = client.read_answer().unwrap();
        assert_eq!((answer.success_text(), answer.header("x")), ("abc", Some("a:b")));
        assert_eq!(client.read_answer().unwrap().body, b"");
        assert_eq!(client.read_answer().unwrap().text(), "defghijklmnop");
        assert_eq!(client.read_answer(), Err(Disconnect::Before));
    }

    #[test]
    fn a_truncated_answer_is_refused() {
        for part in [
            &b"HTTP/1.1 200 OK\r\n"[..],
            b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nabc",
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n",
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nab",
        ] {
            assert!(matches!(client_of(part).read_answer(), Err(Disconnect::Within(_))));
        }
    }
}
