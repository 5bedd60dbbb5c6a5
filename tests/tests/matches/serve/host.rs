//! Helpers that start `bouton-match serve`, and clients that send and receive raw bytes.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use bouton_tests::programs::{ProgramRun, run_match, start_match};
use bouton_tests::sockets::{connect_from, read_some};

/// The time after which a test reports a hang.
pub(crate) const HANG_LIMIT: Duration = Duration::from_secs(60);

/// A server that runs until it is dropped.
pub(crate) struct Host {
    child: Child,
    /// The lines that the server has printed and no test has read.
    lines: Receiver<String>,
    pub(crate) port: u16,
}

impl Host {
    /// Starts a server of a protocol.
    pub(crate) fn start(protocol: &str, args: &[&str]) -> Self {
        let all = [&["serve", "--listen", "0", "--protocol", protocol], args].concat();
        let mut child = start_match(Path::new("."), &all);
        let out = BufReader::new(child.stdout.take().unwrap());
        let mut stderr = child.stderr.take().unwrap();
        thread::spawn(move || stderr.read_to_end(&mut Vec::new()));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in out.lines() {
                let _ = sender.send(line.expect("it prints UTF-8"));
            }
        });
        let mut host = Self { child, lines, port: 0 };
        let line = host.line();
        let (address, rest) = line.strip_prefix("listening on 127.0.0.1:").unwrap().split_once(' ').unwrap();
        assert!(rest.starts_with(&format!("({protocol}): ")), "{line}");
        host.port = address.parse().unwrap();
        host
    }

    /// Returns the next line of the server's output.
    pub(crate) fn line(&self) -> String {
        self.lines.recv_timeout(HANG_LIMIT).expect("another line")
    }

    /// Connects a client.
    pub(crate) fn client(&self) -> Client {
        self.client_from(1)
    }

    /// Connects a client from 127.0.0.`host`.
    pub(crate) fn client_from(&self, host: u8) -> Client {
        let stream = connect_from(host, self.port).expect("the server accepts");
        stream.set_read_timeout(Some(HANG_LIMIT)).unwrap();
        stream.set_write_timeout(Some(HANG_LIMIT)).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { stream }
    }

    /// Waits for the server to end by itself without further output.
    pub(crate) fn end(mut self) {
        let deadline = Instant::now() + HANG_LIMIT;
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if Instant::now() > deadline => panic!("the server does not end"),
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        assert_eq!(status.code(), Some(0));
        assert_eq!(self.lines.iter().next(), None);
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a server with options that it refuses.
pub(crate) fn run_refused(args: &[&str]) -> ProgramRun {
    run_match(Path::new("."), &[&["serve"], args].concat(), b"")
}

/// A client.
pub(crate) struct Client {
    stream: TcpStream,
}

impl Client {
    /// Returns a client without a server; assigning it to another client's variable closes that client's connection.
    pub(crate) fn disconnected() -> Self {
        let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
        Self { stream: TcpStream::connect(nobody.local_addr().unwrap()).unwrap() }
    }

    /// Sends bytes.
    pub(crate) fn send(&mut self, text: impl AsRef<[u8]>) {
        self.stream.write_all(text.as_ref()).expect("the server takes it");
    }

    /// Sends bytes if the server still accepts them.
    pub(crate) fn try_send(&mut self, text: impl AsRef<[u8]>) {
        self.is_accepted(text);
    }

    /// Sends bytes; returns whether the server accepts them.
    pub(crate) fn is_accepted(&mut self, text: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(text.as_ref()).is_ok()
    }

    /// Sends single bytes.
    pub(crate) fn send_bytewise(&mut self, text: &str) {
        for byte in text.bytes() {
            self.send([byte]);
            thread::yield_now();
        }
    }

    /// Reads once; returns an empty string if the server closed the connection.
    pub(crate) fn receive(&mut self) -> String {
        let mut buffer = [0; 1024];
        let read = read_some(&mut self.stream, &mut buffer).expect("the server sends something");
        String::from_utf8(buffer[..read].to_vec()).expect("the server sends UTF-8")
    }

    /// Reads everything until the server closes the connection.
    pub(crate) fn read_to_end_of_connection(&mut self) -> String {
        let mut all = Vec::new();
        let mut buffer = [0; 1024];
        loop {
            match read_some(&mut self.stream, &mut buffer) {
                Ok(read @ 1..) => all.extend_from_slice(&buffer[..read]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("the connection does not end"),
                // Bytes sent after the end may cause a connection error instead of an orderly end.
                _ => break,
            }
        }
        String::from_utf8(all).expect("the server sends UTF-8")
    }

    /// Closes the sending direction.
    pub(crate) fn close_sending(&self) {
        self.stream.shutdown(Shutdown::Write).unwrap();
    }

    /// Sends the client's name and requested order.
    pub(crate) fn hello(&mut self, name: &str, order: u8) {
        self.send(format!("{{\"name\": \"{name}\", \"order\": {order}}}"));
    }

    /// Sends a move.
    pub(crate) fn take(&mut self, stones: u32, reset: bool) {
        self.send(take(stones, reset));
    }
}

/// Returns the message for a move.
pub(crate) fn take(stones: u32, reset: bool) -> String {
    format!("{{\"order\": 0, \"num_stones\": {stones}, \"reset\": {reset}}}")
}

/// Replaces every time in a state by T.
pub(crate) fn without_times(state: &str) -> String {
    let mut parts = state.split("\"time_taken\": ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        assert!(rest.len() < part.len(), "no time in {state}");
        text += &format!("\"time_taken\": T{rest}");
    }
    text
}

/// Connects two clients for a match, and reads its first messages; the first client moves first.
pub(crate) fn match_of(host: &Host, names: [&str; 2]) -> [Client; 2] {
    match_between(host, names, [host.client(), host.client()])
}

/// Starts a match of two connected clients.
pub(crate) fn match_between(
    host: &Host,
    names: [&str; 2],
    [mut first, mut second]: [Client; 2],
) -> [Client; 2] {
    first.hello(names[0], 0);
    second.hello(names[1], 1);
    assert!(host.line().contains(" begun: "));
    let mut clients = [first, second];
    assert!(receive_both(&mut clients).iter().all(|heard| heard.starts_with("{\"init_stones\": ")));
    clients
}

/// Reads once from each of two clients.
pub(crate) fn receive_both(clients: &mut [Client; 2]) -> [String; 2] {
    clients.each_mut().map(Client::receive)
}
