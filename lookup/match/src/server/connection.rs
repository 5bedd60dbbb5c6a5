//! A client's connection.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use tokio::sync::OwnedSemaphorePermit;

use crate::Side;

pub(super) const MOST_CONNECTIONS: usize = 256;

/// A client that has not read its messages for this long counts as disconnected.
const WRITE_TIME: Duration = Duration::from_secs(1);

/// How long to wait after the system refuses a connection, which it does when too many are open.
pub(super) const AFTER_REFUSAL: Duration = Duration::from_millis(50);

/// The most bytes that are read at once.
pub(super) const PIECE: usize = 4096;

/// A place for one connection, free again when dropped.
pub(super) type Seat = OwnedSemaphorePermit;

#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    pub(super) address: SocketAddr,
    /// Connections are numbered in the order in which they come.
    pub(super) number: u64,
    /// When something was last written, if the client has not answered it yet.
    unanswered: Option<Instant>,
    /// Whether the client is gone, so that nothing more is written.
    gone: bool,
    _seat: Seat,
}

impl Connection {
    pub(super) fn new(stream: TcpStream, address: SocketAddr, number: u64, seat: Seat) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIME))?;
        Ok(Self { stream, address, number, unanswered: None, gone: false, _seat: seat })
    }

    /// Reads what comes before the deadline: 0 bytes if the client disconnected.
    pub(super) fn read_until(&mut self, deadline: Instant, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
            match self.stream.read(buffer) {
                Err(error) if is_passing(&error) => {}
                read => return read,
            }
        }
    }

    /// Whether the client is still connected and has sent nothing but white space.
    pub(super) fn is_waiting(&self) -> bool {
        let mut more = [0; PIECE];
        let peeked = self.stream.set_nonblocking(true).and_then(|()| self.stream.peek(&mut more));
        let blocking = self.stream.set_nonblocking(false);
        let is_silent = match peeked {
            Ok(read) => read > 0 && more[..read].iter().all(u8::is_ascii_whitespace),
            Err(error) => error.kind() == io::ErrorKind::WouldBlock,
        };
        blocking.is_ok() && is_silent
    }

    /// The client has answered, so it has read everything written to it.
    pub(super) fn answered(&mut self) {
        self.unanswered = None;
    }

    /// Writes a message, at least `pause` after the last one if that is not answered yet. Returns the time at which the
    /// writing began: nothing that came before it can be an answer.
    pub(super) fn send(&mut self, message: &[u8], pause: Duration) -> io::Result<Instant> {
        if self.gone {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if let Some(last) = self.unanswered {
            std::thread::sleep(pause.saturating_sub(last.elapsed()));
        }
        let at = Instant::now();
        if let Err(error) = self.write(message, at + WRITE_TIME) {
            self.gone = true;
            return Err(error);
        }
        self.unanswered = Some(Instant::now());
        Ok(at)
    }

    /// Writes in one call if the system takes it all, because many clients cannot read a message in pieces. A client that
    /// reads a byte now and then gets no more time than one that reads nothing.
    fn write(&mut self, message: &[u8], deadline: Instant) -> io::Result<()> {
        let mut written = 0;
        while written < message.len() {
            match self.stream.write(&message[written..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(more) => written += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if written < message.len() && Instant::now() >= deadline {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        Ok(())
    }

    /// A second handle, for the thread that reads.
    pub(super) fn reader(&self) -> io::Result<TcpStream> {
        self.stream.set_read_timeout(None)?;
        self.stream.try_clone()
    }

    pub(super) fn end_writing(&self) {
        // It fails if the client is gone already.
        let _ = self.stream.shutdown(std::net::Shutdown::Write);
    }

    /// Disconnects, which ends the thread that reads.
    pub(super) fn break_off(&self) {
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }
}

/// Something received: from which side, and when.
#[derive(Debug)]
pub(super) struct ClientEvent {
    pub(super) from: Side,
    pub(super) at: Instant,
    /// None if the client disconnected or closed its side.
    pub(super) bytes: Option<Vec<u8>>,
}

/// Reads everything and passes it on, until the end or until nobody wants it.
pub(super) fn listen(mut stream: TcpStream, from: Side, events: &SyncSender<ClientEvent>) {
    let mut buffer = [0; PIECE];
    loop {
        let bytes = match stream.read(&mut buffer) {
            Err(error) if is_passing(&error) => continue,
            Ok(0) | Err(_) => None,
            Ok(read) => Some(buffer[..read].to_vec()),
        };
        let is_end = bytes.is_none();
        if events.send(ClientEvent { from, at: Instant::now(), bytes }).is_err() || is_end {
            return;
        }
    }
}

/// Whether to read again after this error.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::sync::Arc;
    use tokio::sync::Semaphore;

    fn pair() -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, address) = listener.accept().unwrap();
        let seat = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        (Connection::new(stream, address, 0, seat).unwrap(), client)
    }

    #[test]
    fn a_client_that_does_not_read_is_not_waited_for_forever() {
        let (mut connection, client) = pair();
        let message = vec![b'x'; 1 << 16];
        let mut sent = 0;
        while connection.send(&message, Duration::ZERO).is_ok() {
            sent += 1;
            assert!(sent < 10_000, "no system keeps so much");
        }
        assert!(connection.send(b"x", Duration::ZERO).is_err(), "the message before is incomplete");
        drop(client);
    }

    #[test]
    fn a_client_that_reads_a_byte_now_and_then_is_not_waited_for_either() {
        let (mut connection, mut client) = pair();
        let reader = std::thread::spawn(move || {
            while matches!(client.read(&mut [0; 1000]), Ok(1..)) {
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        let message = vec![b'x'; 100 << 20];
        assert!(connection.send(&message, Duration::ZERO).is_err());
        connection.break_off();
        drop(connection);
        drop(reader);
    }

    #[test]
    fn a_client_that_disconnected_or_sent_something_is_not_waiting() {
        let (connection, mut client) = pair();
        assert!(connection.is_waiting());
        // Some clients end their lines in a packet of its own.
        client.write_all(b"\r\n").unwrap();
        has_come(&connection, b"\r\n");
        assert!(connection.is_waiting());
        client.write_all(b"x").unwrap();
        has_come(&connection, b"\r\nx");
        assert!(!connection.is_waiting());
        let (connection, client) = pair();
        drop(client);
        has_come(&connection, b"");
        assert!(!connection.is_waiting());
    }

    /// Waits until exactly these bytes have come, or for the end of the connection if there are none.
    fn has_come(connection: &Connection, expected: &[u8]) {
        connection.stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut bytes = [0; PIECE];
        loop {
            // A peek blocks until there is a byte or the end.
            let come = connection.stream.peek(&mut bytes).expect("something comes");
            if come >= expected.len() {
                return assert_eq!(&bytes[..come], expected);
            }
            assert!(come > 0, "the client is gone");
            std::thread::yield_now();
        }
    }
}
