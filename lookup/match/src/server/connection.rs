//! A client's connection.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use bouton_connections::Seat;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Instant, sleep, timeout};

/// A client that has not read its messages for this long counts as disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(1);

/// Pause after the system refuses a connection because too many are open.
pub(super) const REFUSAL_PAUSE: Duration = Duration::from_millis(50);

const MAX_READ: usize = 4096;

/// Maximum number of pieces read ahead; a client that sends more has to wait.
const READ_AHEAD: usize = 8;

/// Bytes from a client, with the time of their arrival. The end is an empty vector or an error.
pub(super) type Incoming = (Instant, io::Result<Vec<u8>>);

/// A client's connection. It holds one of the limited seats of the server.
#[derive(Debug)]
pub(super) struct Connection {
    received: Receiver<Incoming>,
    writer: OwnedWriteHalf,
    pub(super) address: SocketAddr,
    /// Number of the connection, in the order of arrival.
    pub(super) number: u64,
    /// Time of the last message, if the client has not answered it yet.
    unanswered: Option<Instant>,
    /// True if the client is gone: nothing more is written.
    is_gone: bool,
    _seat: Seat,
}

impl Connection {
    pub(super) fn new(stream: TcpStream, address: SocketAddr, number: u64, seat: Seat) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        let (reader, writer) = stream.into_split();
        let (sender, received) = channel(READ_AHEAD);
        tokio::spawn(read_bytes(reader, sender));
        Ok(Self { received, writer, address, number, unanswered: None, is_gone: false, _seat: seat })
    }

    /// Returns the next bytes; none after the end.
    pub(super) async fn receive(&mut self) -> Incoming {
        self.received.recv().await.unwrap_or_else(|| (Instant::now(), Ok(Vec::new())))
    }

    /// Returns why a waiting client must leave: it disconnected, or sent something other than white space.
    pub(super) fn reason_to_leave(&mut self) -> Option<&'static str> {
        while let Ok((_, read)) = self.received.try_recv() {
            match read {
                Ok(bytes) if bytes.is_empty() => return Some("disconnected"),
                Ok(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => {}
                Ok(_) => return Some("sent something"),
                Err(_) => return Some("disconnected"),
            }
        }
        None
    }

    /// Notes that the client has answered, so it has read everything written to it.
    pub(super) fn note_answer(&mut self) {
        self.unanswered = None;
    }

    /// Writes a message, at least `pause` after the last one if that is unanswered. Returns the time when writing
    /// began: bytes that arrived earlier cannot be an answer.
    ///
    /// Writes in one call if the system allows it, because many clients cannot read a message in pieces. The time
    /// limit covers the whole message, so reading a byte now and then gains no time.
    pub(super) async fn send(&mut self, message: &[u8], pause: Duration) -> io::Result<Instant> {
        if self.is_gone {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if let Some(last) = self.unanswered {
            sleep(pause.saturating_sub(last.elapsed())).await;
        }
        let at = Instant::now();
        let written = timeout(WRITE_TIMEOUT, self.writer.write_all(message)).await;
        self.is_gone = !matches!(written, Ok(Ok(())));
        self.unanswered = Some(Instant::now());
        written??;
        Ok(at)
    }

    /// Closes the writing side, and reads until the client closes its side: otherwise the last message could be lost.
    pub(super) async fn close(&mut self) {
        // Fails if the client is gone already.
        let _ = self.writer.shutdown().await;
        while self.received.recv().await.is_some() {}
    }
}

/// Reads bytes and passes them on, until the end or until the receiver is dropped.
async fn read_bytes(mut reader: OwnedReadHalf, sender: Sender<Incoming>) {
    let mut buffer = [0; MAX_READ];
    loop {
        let read = tokio::select! {
            read = reader.read(&mut buffer) => read,
            () = sender.closed() => return,
        };
        let is_end = !matches!(read, Ok(1..));
        let bytes = read.map(|read| buffer[..read].to_vec());
        if sender.send((Instant::now(), bytes)).await.is_err() || is_end {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_connections::{Limits, Seats};
    use tokio::net::TcpListener;

    async fn pair() -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, address) = listener.accept().await.unwrap();
        let seat = Seats::new(&Limits::default()).take(address.ip()).unwrap();
        (Connection::new(stream, address, 0, seat).unwrap(), client)
    }

    fn run(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    }

    #[test]
    fn sending_to_a_client_that_does_not_read_fails() {
        run(async {
            let (mut connection, client) = pair().await;
            let message = vec![b'x'; 1 << 16];
            let mut sent = 0;
            while connection.send(&message, Duration::ZERO).await.is_ok() {
                sent += 1;
                assert!(sent < 10_000, "no system buffers this much");
            }
            let more = connection.send(b"x", Duration::ZERO).await;
            assert!(more.is_err(), "the previous message is incomplete");
            drop(client);
        });
    }

    #[test]
    fn sending_to_a_client_that_reads_slowly_times_out() {
        run(async {
            let (mut connection, mut client) = pair().await;
            tokio::spawn(async move {
                while matches!(client.read(&mut [0; 1000]).await, Ok(1..)) {
                    sleep(Duration::from_millis(10)).await;
                }
            });
            let message = vec![b'x'; 100 << 20];
            let error = connection.send(&message, Duration::ZERO).await.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        });
    }

    #[test]
    fn a_client_that_disconnected_or_sent_something_leaves() {
        run(async {
            let (mut connection, mut client) = pair().await;
            assert_eq!(connection.reason_to_leave(), None);
            // Some clients send the end of a line in its own packet.
            client.write_all(b"\r\n").await.unwrap();
            wait_for_pieces(&connection, 1).await;
            assert_eq!(connection.reason_to_leave(), None);
            client.write_all(b"x").await.unwrap();
            wait_for_pieces(&connection, 1).await;
            assert_eq!(connection.reason_to_leave(), Some("sent something"));
            let (mut connection, client) = pair().await;
            drop(client);
            wait_for_pieces(&connection, 1).await;
            assert_eq!(connection.reason_to_leave(), Some("disconnected"));
        });
    }

    /// Waits until this many pieces have come, the end included.
    async fn wait_for_pieces(connection: &Connection, pieces: usize) {
        while connection.received.len() < pieces {
            sleep(Duration::from_millis(1)).await;
        }
    }
}
