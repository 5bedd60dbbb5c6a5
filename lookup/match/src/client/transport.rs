//! Connections to servers over TCP, and their messages.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use super::error::{self, ClientResult, NOT_BEGUN, wrong_address};
use super::match_options::{MatchOptions, ProtocolChoice};
use super::report::Report;
use crate::protocol::MessageStream;

/// Time limit for connecting, and for sending a message.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// If the server is silent for this long after our first message, it may speak another protocol.
pub(super) const HINT_TIME: Duration = Duration::from_secs(1);
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// A connection that carries bytes to and from a server.
pub trait Transport {
    /// Sends all of the bytes at once.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Receives the next bytes; empty if the server has closed the connection, `None` after the time limit.
    fn receive(&mut self, within: Duration) -> io::Result<Option<Vec<u8>>>;

    /// Waits before the next message.
    fn wait(&mut self, pause: Duration) {
        std::thread::sleep(pause);
    }
}

impl Transport for TcpStream {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn receive(&mut self, within: Duration) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = [0; 4096];
        self.set_read_timeout(Some(within.max(Duration::from_millis(1))))?;
        loop {
            return match self.read(&mut bytes) {
                Ok(read) => {
                    acknowledge_at_once(self);
                    Ok(Some(bytes[..read].to_vec()))
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // The kind of error at a time-out depends on the system.
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    Ok(None)
                }
                Err(error) => Err(error),
            };
        }
    }
}

/// Acknowledges received bytes at once. By default the system waits up to 40 ms for a message of ours to carry the
/// acknowledgment, and a server that sends a message in two parts waits for it before the second.
fn acknowledge_at_once(_stream: &TcpStream) {
    // A failure only makes the match slower.
    #[cfg(target_os = "linux")]
    let _ = std::os::linux::net::TcpStreamExt::set_quickack(_stream, true);
}

pub(super) fn check(address: &str) -> ClientResult<()> {
    let wrong = |reason| Err(wrong_address(address, reason));
    match address.rsplit_once(':') {
        None => wrong("it has no port"),
        Some(("", _)) => wrong("it has no host"),
        Some((_, port)) if port.parse::<u16>().is_err() => wrong("the port is not a number from 0 to 65535"),
        Some(_) => Ok(()),
    }
}

/// Connects to HOST:PORT. Keeps trying for `options.wait`.
pub(super) fn open(address: &str, options: &MatchOptions, report: &mut Report) -> ClientResult<TcpStream> {
    let (began, mut is_noted) = (Instant::now(), false);
    loop {
        let error = match open_now(address) {
            Ok(stream) => return Ok(stream),
            Err(error) => error,
        };
        let left = options.wait.saturating_sub(began.elapsed());
        if left.is_zero() {
            return Err(format!(
                "cannot connect to {address}: {error}; is the server running there, and is the address \
                 right? --wait SECONDS waits for a server that is not yet running"
            ));
        }
        if !std::mem::replace(&mut is_noted, true) {
            let seconds = options.wait.as_secs();
            report.note(&format!("cannot connect to {address} yet: {error}; trying for {seconds} s"));
        }
        std::thread::sleep(RETRY_INTERVAL.min(left));
    }
}

fn open_now(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for found in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&found, CONNECT_TIMEOUT) {
            Ok(stream) => {
                // Send a move, which is one small packet, without delay.
                stream.set_nodelay(true)?;
                stream.set_write_timeout(Some(CONNECT_TIMEOUT))?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Messages from a server. The argument `standing` of its methods describes the game, for errors.
pub(super) struct Feed<'a> {
    pub(super) transport: &'a mut dyn Transport,
    pub(super) stream: MessageStream,
    pub(super) options: &'a MatchOptions,
    /// The error of the last message, if it could not be sent.
    unsent: Option<io::Error>,
    /// True if we have sent JSON, which the server of 2016 takes for a move.
    pub(super) has_greeted: bool,
    pub(super) connected: Instant,
}

impl<'a> Feed<'a> {
    /// Reads from a connection made at the time `connected`.
    pub(super) fn new(
        connected: Instant,
        transport: &'a mut dyn Transport,
        options: &'a MatchOptions,
    ) -> Self {
        Self { transport, stream: MessageStream::new(), options, unsent: None, has_greeted: false, connected }
    }

    /// Waits for bytes; returns true if some came.
    pub(super) fn wait(&mut self, within: Duration, standing: &str) -> ClientResult<bool> {
        match self.transport.receive(within) {
            Ok(None) => Ok(false),
            Ok(Some(bytes)) if bytes.is_empty() => Err(self.closed(self.unsent.as_ref(), standing)),
            Ok(Some(bytes)) => {
                self.stream.push(&bytes);
                Ok(true)
            }
            Err(error) => Err(self.closed(Some(&error), standing)),
        }
    }

    fn closed(&self, why: Option<&io::Error>, standing: &str) -> String {
        // Before the game, no bytes have been taken out of the stream.
        let in_silence = self.has_greeted && standing == NOT_BEGUN && self.stream.is_empty();
        error::closed(why, standing, in_silence)
    }

    /// Waits for the first message about the game. Notes possible reasons if that takes long.
    pub(super) fn wait_for_the_game(&mut self, report: &mut Report) -> ClientResult<()> {
        if !self.stream.is_empty() || self.options.patience <= HINT_TIME || self.wait(HINT_TIME, NOT_BEGUN)? {
            return Ok(());
        }
        let other = match self.options.protocol {
            ProtocolChoice::Auto => ", --protocol text-2016 for the server of 2016",
            _ => "",
        };
        report.note(&format!(
            "the server says nothing yet: it waits for the opponent, or it speaks another protocol (http:// before the \
             address is for a web server{other})"
        ));
        self.wait_or_fail(self.options.patience - HINT_TIME, NOT_BEGUN)
    }

    /// Waits for bytes, and fails without any.
    pub(super) fn wait_or_fail(&mut self, within: Duration, standing: &str) -> ClientResult<()> {
        if self.wait(within, standing)? {
            return Ok(());
        }
        Err(error::silent(self.options.patience, standing))
    }

    /// Returns the next message, which `read` takes from the stream.
    pub(super) fn next<T>(
        &mut self,
        standing: &str,
        read: impl Fn(&mut MessageStream) -> ClientResult<Option<T>>,
    ) -> ClientResult<T> {
        loop {
            if let Some(message) = read(&mut self.stream)? {
                return Ok(message);
            }
            self.wait_or_fail(self.options.patience, standing)?;
        }
    }

    /// Sends a move after a pause. Only stores a failure: the server's last message, still to be read, explains more.
    pub(super) fn send(&mut self, bytes: &[u8], pause: Duration) {
        self.transport.wait(pause);
        self.unsent = self.transport.send(bytes).err();
    }
}
