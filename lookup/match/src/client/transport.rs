//! Connections to servers over TCP, and the messages that come over them.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use super::{ClientError, MatchOptions};
use crate::protocol::MessageStream;

/// How long a server may take to accept a connection.
const TO_CONNECT: Duration = Duration::from_secs(10);

/// Bytes to a server and from it.
pub trait Transport {
    /// Sends all of the bytes at once.
    ///
    /// # Errors
    /// If the server no longer takes any.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Receives bytes as soon as there are any: an empty vector if the server has closed the connection, `None` if nothing
    /// came in time.
    ///
    /// # Errors
    /// If the connection is broken.
    fn receive(&mut self, within: Duration) -> io::Result<Option<Vec<u8>>>;

    /// Lets this much time pass before the next message is sent.
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
                Ok(read) => Ok(Some(bytes[..read].to_vec())),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // Which of the two reports a time-out depends on the system.
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    Ok(None)
                }
                Err(error) => Err(error),
            };
        }
    }
}

/// Checks that an address is HOST:PORT.
pub(super) fn check(address: &str) -> Result<(), ClientError> {
    let wrong = |reason| Err(ClientError::address(address, reason));
    match address.rsplit_once(':') {
        None => wrong("it has no port"),
        Some(("", _)) => wrong("it has no host"),
        Some((_, port)) if port.parse::<u16>().is_err() => wrong("the port is not a number from 0 to 65535"),
        Some(_) => Ok(()),
    }
}

pub(super) fn open(address: &str) -> Result<TcpStream, ClientError> {
    let failed = |error| {
        ClientError::Unplayable(format!(
            "cannot connect to {address}: {error}; is the server running there, and is the address right?"
        ))
    };
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for found in address.to_socket_addrs().map_err(failed)? {
        match TcpStream::connect_timeout(&found, TO_CONNECT) {
            Ok(stream) => {
                // A move is one small packet, which must not wait for another.
                stream.set_nodelay(true).map_err(failed)?;
                stream.set_write_timeout(Some(TO_CONNECT)).map_err(failed)?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(failed(last))
}

/// Messages from a server. `standing` says how the game stands, for an error.
pub(super) struct Feed<'a> {
    pub(super) transport: &'a mut dyn Transport,
    pub(super) stream: MessageStream,
    pub(super) options: &'a MatchOptions,
    /// Why the last message could not be sent.
    unsent: Option<io::Error>,
}

impl<'a> Feed<'a> {
    pub(super) fn new(transport: &'a mut dyn Transport, options: &'a MatchOptions) -> Self {
        Self { transport, stream: MessageStream::new(), options, unsent: None }
    }

    /// Waits for bytes. Returns whether any came.
    pub(super) fn wait(&mut self, within: Duration, standing: &str) -> Result<bool, ClientError> {
        match self.transport.receive(within) {
            Ok(None) => Ok(false),
            Ok(Some(bytes)) if bytes.is_empty() => Err(ClientError::closed(self.unsent.as_ref(), standing)),
            Ok(Some(bytes)) => {
                self.stream.push(&bytes);
                Ok(true)
            }
            Err(error) => Err(ClientError::closed(Some(&error), standing)),
        }
    }

    /// Waits for bytes, for the last time.
    pub(super) fn wait_or_fail(&mut self, within: Duration, standing: &str) -> Result<(), ClientError> {
        if self.wait(within, standing)? {
            return Ok(());
        }
        Err(ClientError::silent(self.options.patience, standing))
    }

    /// The next message, which `read` takes from the stream.
    pub(super) fn next<T>(
        &mut self,
        standing: &str,
        read: impl Fn(&mut MessageStream) -> Result<Option<T>, ClientError>,
    ) -> Result<T, ClientError> {
        loop {
            if let Some(message) = read(&mut self.stream)? {
                return Ok(message);
            }
            self.wait_or_fail(self.options.patience, standing)?;
        }
    }

    /// Sends a move after the pause. A failure is only kept: the server's last message, still to be read, says more.
    pub(super) fn send(&mut self, bytes: &[u8]) {
        self.transport.wait(self.options.pause);
        self.unsent = self.transport.send(bytes).err();
    }
}
