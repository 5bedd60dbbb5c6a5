//! Tests of each limit, with real connections. The limit under test is short; all others are longer than the test.

use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Collected, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use tokio::net::TcpSocket;

use crate::{Limits, Seats, guarded};

/// Longest wait of a test before it fails.
const HANG_LIMIT: Duration = Duration::from_secs(60);
/// A limit that no test reaches.
const NEVER: Duration = Duration::from_secs(100_000);
/// A limit that a test waits for.
const SOON: Duration = Duration::from_millis(100);
/// A time long after [`SOON`].
const LATER: Duration = Duration::from_millis(500);

const LIMITS: Limits = Limits {
    connections: 4,
    per_address: 4,
    refusals: 0,
    head_bytes: 8192,
    head: NEVER,
    idle: NEVER,
    write: NEVER,
};

/// Bytes of the answer of `/large`: more than a system buffers for a client that does not read.
const LARGE: usize = 100 << 20;
/// Time that `/slow` takes.
const SLOW: Duration = LATER;

/// True once a client has requested `/panic`.
static PANICKED: AtomicBool = AtomicBool::new(false);

/// Answers with the path and the body.
async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().path().to_owned();
    let body = request.into_body().collect().await.map_or_else(|_| Bytes::new(), Collected::to_bytes);
    match &*path {
        "/large" => return Ok(Response::new(vec![b'x'; LARGE].into())),
        "/panic" => {
            PANICKED.store(true, SeqCst);
            panic!("a test asked for it");
        }
        "/slow" => tokio::time::sleep(SLOW).await,
        _ => {}
    }
    Ok(Response::new([path.as_bytes(), &body].concat().into()))
}

/// Accepts connections while the test runs. Sends a message for each connection that ends.
async fn serve(listener: TcpListener, limits: Limits, ended: Sender<()>) {
    listener.set_nonblocking(true).unwrap();
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    let seats = Seats::new(&limits);
    loop {
        let (stream, peer) = listener.accept().await.unwrap();
        let Ok(seat) = seats.take(peer.ip()) else { continue };
        let (connection, ended) = (guarded(stream, &limits, service_fn(answer)), ended.clone());
        tokio::spawn(async move {
            let _seat = seat;
            let _ = connection.await;
            let _ = ended.send(());
        });
    }
}

/// A server that listens but does not accept yet. Bytes that clients send meanwhile have arrived when the server accepts their connections.
struct PausedServer(TcpListener);

impl PausedServer {
    fn new() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    fn client(&self, says: &str) -> Client {
        let mut client = Client::from(Ipv4Addr::LOCALHOST, self.0.local_addr().unwrap());
        client.say(says);
        client
    }

    /// Starts to serve; the receiver gets a message for each connection that ends.
    fn serve(self, limits: Limits) -> Receiver<()> {
        let (sender, ended) = channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        thread::spawn(move || runtime.block_on(serve(self.0, limits, sender)));
        ended
    }
}

struct Client(TcpStream);

impl Client {
    /// Connects from this address of this machine.
    fn from(source: impl Into<IpAddr>, server: SocketAddr) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let connect = async {
            let socket = TcpSocket::new_v4()?;
            socket.bind((source.into(), 0).into())?;
            socket.connect(server).await?.into_std()
        };
        let stream = runtime.block_on(connect).unwrap();
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(HANG_LIMIT)).unwrap();
        Self(stream)
    }

    fn say(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).expect("the server accepts the bytes");
    }

    /// Reads the body of the next answer, which must be short; `None` if the connection is closed.
    fn hear(&mut self) -> Option<String> {
        let (mut heard, mut piece) = (Vec::new(), [0; 1024]);
        loop {
            let text = String::from_utf8_lossy(&heard);
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
                if body.len() == length.parse().unwrap() {
                    return Some(body.to_owned());
                }
            }
            match self.0.read(&mut piece) {
                Ok(read @ 1..) => heard.extend_from_slice(&piece[..read]),
                // A signal may interrupt a read with a timeout.
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => panic!("no answer arrives"),
                _ => return None,
            }
        }
    }

    #[track_caller]
    fn assert_cut_off(&mut self) {
        assert_eq!(self.hear(), None);
    }

    /// Sends one byte after the other until the connection is closed.
    #[track_caller]
    fn drip_until_cut_off(&mut self) {
        let begun = Instant::now();
        while self.0.write_all(b"x").is_ok() {
            assert!(begun.elapsed() < HANG_LIMIT, "the connection is never cut off");
            thread::sleep(SOON / 10);
        }
    }
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n")
}

#[test]
fn a_client_that_sends_no_head_or_half_a_head_is_cut_off() {
    let server = PausedServer::new();
    let halves = ["", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nhost: x\r\nx: "];
    let mut clients = halves.map(|half| server.client(half));
    let _ended = server.serve(Limits { head: SOON, ..LIMITS });
    for client in &mut clients {
        client.assert_cut_off();
    }
}

#[test]
fn a_client_whose_head_comes_byte_by_byte_is_cut_off() {
    let server = PausedServer::new();
    let mut client = server.client("GET / HTTP/1.1\r\nhost: ");
    let _ended = server.serve(Limits { head: SOON, ..LIMITS });
    client.drip_until_cut_off();
}

#[test]
fn a_second_head_has_the_same_time_as_the_first() {
    let server = PausedServer::new();
    let mut clients = [0, 1].map(|_| server.client(&get("/1")));
    let _ended = server.serve(Limits { head: SOON, ..LIMITS });
    for client in &mut clients {
        assert_eq!(client.hear().as_deref(), Some("/1"));
        client.say("GET /2 HTTP/1.1\r\nx: ");
    }
    let [mut silent, mut dripping] = clients;
    dripping.drip_until_cut_off();
    silent.assert_cut_off();
}

#[test]
fn a_pause_between_requests_may_be_longer_than_the_time_for_a_head() {
    let server = PausedServer::new();
    let mut client = server.client(&get("/0"));
    let _ended = server.serve(Limits { head: SOON, ..LIMITS });
    assert_eq!(client.hear().as_deref(), Some("/0"));
    for path in ["/1", "/2"] {
        thread::sleep(LATER);
        client.say(&get(path));
        assert_eq!(client.hear().as_deref(), Some(path));
    }
}

#[test]
fn a_client_that_is_idle_for_too_long_between_requests_is_cut_off() {
    let server = PausedServer::new();
    let mut client = server.client(&get("/1"));
    let _ended = server.serve(Limits { idle: SOON, ..LIMITS });
    assert_eq!(client.hear().as_deref(), Some("/1"));
    client.assert_cut_off();
}

#[test]
fn neither_a_slow_answer_nor_a_slow_body_counts_as_head_time_or_idle_time() {
    let server = PausedServer::new();
    let mut slow = server.client(&get("/slow"));
    let mut body = server.client("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\na");
    let _ended = server.serve(Limits { head: SOON, idle: SOON, ..LIMITS });
    assert_eq!(slow.hear().as_deref(), Some("/slow"));
    thread::sleep(LATER);
    body.say("b");
    assert_eq!(body.hear().as_deref(), Some("/ab"));
}

#[test]
fn a_head_that_is_too_long_is_refused() {
    let server = PausedServer::new();
    let mut client = server.client(&format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(20_000)));
    let ended = server.serve(LIMITS);
    assert!(!client.hear().is_some_and(|answer| answer.contains('x')));
    ended.recv_timeout(HANG_LIMIT).expect("the connection ends");
}

#[test]
fn a_client_that_does_not_read_its_answer_is_cut_off() {
    let server = PausedServer::new();
    let client = server.client(&get("/large"));
    let ended = server.serve(Limits { write: SOON, ..LIMITS });
    ended.recv_timeout(HANG_LIMIT).expect("the connection ends");
    drop(client);
}

#[test]
fn an_address_that_keeps_its_seats_does_not_exclude_others() {
    let server = PausedServer::new();
    let address = server.0.local_addr().unwrap();
    let from = |host: u8| Client::from(Ipv4Addr::new(127, 0, 0, host), address);
    let _ended = server.serve(Limits { per_address: 2, ..LIMITS });
    let mut held: Vec<Client> = (0..6).map(|_| from(2)).collect();
    for (number, client) in held.iter_mut().enumerate() {
        if number < 2 {
            client.say("GET /");
        } else {
            client.assert_cut_off();
        }
    }
    let mut other = from(3);
    other.say(&get("/other"));
    assert_eq!(other.hear().as_deref(), Some("/other"));
    let mut held_to_the_end = held.swap_remove(0);
    held_to_the_end.say("kept HTTP/1.1\r\nhost: x\r\n\r\n");
    assert_eq!(held_to_the_end.hear().as_deref(), Some("/kept"));
}

#[test]
fn a_seat_is_free_again_however_a_connection_ends() {
    let server = PausedServer::new();
    let address = server.0.local_addr().unwrap();
    let _ended = server.serve(Limits { connections: 1, per_address: 1, ..LIMITS });
    // A client without a seat is cut off. The previous client's seat may become free a moment after its end.
    let say = |text: &str| {
        let mut client = Client::from(Ipv4Addr::LOCALHOST, address);
        client.0.write_all(text.as_bytes()).ok().and_then(|()| client.hear())
    };
    let until = |holds: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < HANG_LIMIT, "no seat becomes free");
            thread::sleep(SOON / 10);
        }
    };
    until(&|| say(&get("/first")).is_some());
    until(&|| {
        assert_eq!(say(&get("/panic")), None);
        PANICKED.load(SeqCst)
    });
    until(&|| say(&get("/after a panic")).is_some());
    // hyper itself answers input that is not HTTP.
    until(&|| say("nonsense\r\n\r\n").is_some());
    until(&|| say(&get("/last")).is_some());
}
