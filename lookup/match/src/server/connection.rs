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
const WRITE_TIME: Duration = Duration::from_secs(1);

/// Pause after the system refuses a connection because too many are open.
pub(super) const AFTER_REFUSAL: Duration = Duration::from_millis(50);

/// Maximum number of bytes read at once.
const PIECE: usize = 4096;

/// Maximum number of pieces read ahead; a client that sends more blocks.
const WAITING: usize = 8;

/// Bytes from a client, with the time of their arrival. An empty vector or an error is the end: the client
/// disconnected or closed its side.
pub(super) type Incoming = (Instant, io::Result<Vec<u8>>);

#[derive(Debug)]
pub(super) struct Connection {
    received: Receiver<Incoming>,
    writer: OwnedWriteHalf,
    pub(super) address: SocketAddr,
    /// Number of the connection, in the order of arrival.
    pub(super) number: u64,
    /// Time of the last message, if the client has not answered it yet.
    unanswered: Option<Instant>,
    /// True if the client is gone, so that nothing more is written.
    gone: bool,
    _seat: Seat,
}

impl Connection {
    pub(super) fn new(stream: TcpStream, address: SocketAddr, number: u64, seat: Seat) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        let (reader, writer) = stream.into_split();
        let (sender, received) = channel(WAITING);
        tokio::spawn(listen(reader, sender));
        Ok(Self { received, writer, address, number, unanswered: None, gone: false, _seat: seat })
    }

    /// Returns the next bytes; none after the end.
    pub(super) async fn receive(&mut self) -> Incoming {
        self.received.recv().await.unwrap_or_else(|| (Instant::now(), Ok(Vec::new())))
    }

    /// Returns what ended the client's waiting, if anything: it disconnected, or sent something other than white space.
    pub(super) fn no_longer_waits(&mut self) -> Option<&'static str> {
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
    pub(super) fn answered(&mut self) {
        self.unanswered = None;
    }

    /// Writes a message, at least `pause` after the last one if that is unanswered. Returns the time when writing
    /// began: bytes that arrived earlier cannot be an answer.
    ///
    /// Writes in one call if the system allows it, because many clients cannot read a message in pieces. The time
    /// limit covers the whole message, so reading a byte now and then gains no time.
    pub(super) async fn send(&mut self, message: &[u8], pause: Duration) -> io::Result<Instant> {
        if self.gone {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if let Some(last) = self.unanswered {
            sleep(pause.saturating_sub(last.elapsed())).await;
        }
        let at = Instant::now();
        let written = timeout(WRITE_TIME, self.writer.write_all(message)).await;
        self.gone = !matches!(written, Ok(Ok(())));
        self.unanswered = Some(Instant::now());
        written??;
        Ok(at)
    }

    /// Closes the writing side and reads until the client has closed its side too. Closing a connection with unread
    /// bytes could lose the last message.
    pub(super) async fn part(&mut self) {
        // Fails if the client is gone already.
        let _ = self.writer.shutdown().await;
        while self.received.recv().await.is_some() {}
    }
}

/// Reads bytes and passes them on, until the end or until the receiver is dropped.
async fn listen(mut reader: OwnedReadHalf, sender: Sender<Incoming>) {
    let mut buffer = [0; PIECE];
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
    fn a_client_that_does_not_read_is_not_waited_for_forever() {
        run(async {
            let (mut connection, client) = pair().await;
            let message = vec![b'x'; 1 << 16];
            let mut sent = 0;
            while connection.send(&message, Duration::ZERO).await.is_ok() {
                sent += 1;
                assert!(sent < 10_000, "no system keeps so much");
            }
            let more = connection.send(b"x", Duration::ZERO).await;
            assert!(more.is_err(), "the message before is incomplete");
            drop(client);
        });
    }

    #[test]
    fn a_client_that_reads_a_byte_now_and_then_is_not_waited_for_either() {
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
    fn a_client_that_disconnected_or_sent_something_is_not_waiting() {
        run(async {
            let (mut connection, mut client) = pair().await;
            assert_eq!(connection.no_longer_waits(), None);
            // Some clients end their lines in a packet of its own.
            client.write_all(b"\r\n").await.unwrap();
            has_come(&connection, 1).await;
            assert_eq!(connection.no_longer_waits(), None);
            client.write_all(b"x").await.unwrap();
            has_come(&connection, 1).await;
            assert_eq!(connection.no_longer_waits(), Some("sent something"));
            let (mut connection, client) = pair().await;
            drop(client);
            has_come(&connection, 1).await;
            assert_eq!(connection.no_longer_waits(), Some("disconnected"));
        });
    }

    /// Waits until this many pieces have come, the end included.
    async fn has_come(connection: &Connection, pieces: usize) {
        while connection.received.len() < pieces {
            sleep(Duration::from_millis(1)).await;
        }
    }
}
