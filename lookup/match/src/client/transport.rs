//! Connections to servers.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use super::ClientError;

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

/// A connection with bytes that were received already and are received once more.
pub(super) struct Reread<'a> {
    transport: &'a mut dyn Transport,
    seen: Option<Vec<u8>>,
}

impl<'a> Reread<'a> {
    pub(super) fn new(transport: &'a mut dyn Transport, seen: Option<Vec<u8>>) -> Self {
        Self { transport, seen }
    }
}

impl Transport for Reread<'_> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.transport.send(bytes)
    }

    fn receive(&mut self, within: Duration) -> io::Result<Option<Vec<u8>>> {
        match self.seen.take() {
            Some(seen) => Ok(Some(seen)),
            None => self.transport.receive(within),
        }
    }

    fn wait(&mut self, pause: Duration) {
        self.transport.wait(pause);
    }
}

/// Checks that an address is HOST:PORT.
pub(super) fn check(address: &str) -> Result<(), ClientError> {
    let wrong = |reason: &str| ClientError::Address { found: address.to_owned(), reason: reason.to_owned() };
    let Some((host, port)) = address.rsplit_once(':') else { return Err(wrong("it has no port")) };
    if host.is_empty() {
        return Err(wrong("it has no host"));
    }
    if port.parse::<u16>().is_err() {
        return Err(wrong("the port is not a number from 0 to 65535"));
    }
    Ok(())
}

/// Connects to HOST:PORT.
pub(super) fn open(address: &str) -> Result<TcpStream, ClientError> {
    let failed = |source| ClientError::Connect { address: address.to_owned(), source };
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
