//! Connections to a [`Script`]: in memory, with the bytes cut into pieces, and over loopback.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

use bouton_match::client::Transport;

use super::Script;

/// How the server's bytes are cut into pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// As the server sends them.
    Nowhere,
    /// As the server sends them, and also after this many bytes.
    After(usize),
    /// Single bytes.
    Everywhere,
}

/// A connection in memory. If no bytes wait, the server is silent, and the transport records how long the client
/// would have waited.
pub struct MemoryTransport<S> {
    /// The server.
    pub script: S,
    /// For each wait in vain, the time that the client was ready to wait.
    pub waits: Vec<Duration>,
    /// For each message of the client, the time for which it paused since it last asked for bytes.
    pub pauses: Vec<Duration>,
    /// A byte to falsify: its offset in the server's output, and the replacement.
    pub harm: Option<(usize, u8)>,
    /// Where the server's bytes are cut into pieces.
    cut: Cut,
    /// The server's bytes that the client has not read.
    waiting: Vec<u8>,
    /// The number of bytes that the client has read.
    received: usize,
    /// The time for which the client has paused since it last asked for bytes.
    pause: Duration,
}

impl<S: Script> MemoryTransport<S> {
    /// Connects to the server.
    #[must_use]
    pub fn new(mut script: S, cut: Cut) -> Self {
        let waiting = script.greeting();
        Self {
            script,
            waits: Vec::new(),
            pauses: Vec::new(),
            harm: None,
            cut,
            waiting,
            received: 0,
            pause: Duration::ZERO,
        }
    }

    /// Returns the number of bytes that the client has received.
    #[must_use]
    pub fn received(&self) -> usize {
        self.received
    }
}

impl<S: Script> Transport for MemoryTransport<S> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.pauses.push(self.pause);
        self.waiting.extend(self.script.reply_to(bytes));
        Ok(())
    }

    fn wait(&mut self, pause: Duration) {
        self.pause += pause;
    }

    fn receive(&mut self, limit: Duration) -> io::Result<Option<Vec<u8>>> {
        self.pause = Duration::ZERO;
        if self.waiting.is_empty() && !self.script.is_over() {
            self.waits.push(limit);
            return Ok(None);
        }
        let length = match self.cut {
            Cut::After(at) if at > self.received => self.waiting.len().min(at - self.received),
            Cut::Everywhere => self.waiting.len().min(1),
            Cut::Nowhere | Cut::After(_) => self.waiting.len(),
        };
        let mut bytes: Vec<u8> = self.waiting.drain(..length).collect();
        if let Some((at, other)) = self.harm
            && (self.received..self.received + length).contains(&at)
        {
            bytes[at - self.received] = other;
        }
        self.received += length;
        Ok(Some(bytes))
    }
}

/// Serves one client over loopback. Returns the address and a thread that returns the server at the end. With
/// `in_two_pieces`, each reply goes out in two pieces.
///
/// # Panics
/// If loopback is unavailable.
#[must_use]
pub fn serve<S: Script>(mut script: S, in_two_pieces: bool) -> (String, JoinHandle<S>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has free ports");
    let address = listener.local_addr().expect("it is bound").to_string();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client connects");
        stream.set_nodelay(true).expect("a new connection can be set up");
        let opening = script.greeting();
        send(&mut stream, &opening, in_two_pieces);
        let mut bytes = [0; 1024];
        while !script.is_over() {
            match stream.read(&mut bytes) {
                Ok(read) if read > 0 => {
                    let reply = script.reply_to(&bytes[..read]);
                    send(&mut stream, &reply, in_two_pieces);
                }
                _ => break,
            }
        }
        script
    });
    (address, server)
}

/// Sends bytes, in two pieces with a pause between them if `in_two_pieces`.
fn send(stream: &mut TcpStream, bytes: &[u8], in_two_pieces: bool) {
    let at = if in_two_pieces { bytes.len() / 2 } else { 0 };
    for piece in [&bytes[..at], &bytes[at..]] {
        if !piece.is_empty() {
            // The client may be gone; the test sees that from how the client ended.
            let _ = stream.write_all(piece);
            sleep(Duration::from_millis(u64::from(in_two_pieces)));
        }
    }
}
