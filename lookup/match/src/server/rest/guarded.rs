//! A listener that limits the number of connections and closes silent ones.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep};

use crate::server::connection::{AFTER_REFUSAL, MOST_CONNECTIONS, Seat};

/// A connection without traffic for this long is closed. Clients keep connections open between requests, even while they
/// think; afterwards they have to open a new one.
const SILENCE: Duration = Duration::from_secs(150);

#[derive(Debug)]
pub(super) struct GuardedListener {
    listener: TcpListener,
    seats: Arc<Semaphore>,
}

impl GuardedListener {
    pub(super) fn new(listener: TcpListener) -> Self {
        Self { listener, seats: Arc::new(Semaphore::new(MOST_CONNECTIONS)) }
    }
}

impl Listener for GuardedListener {
    type Io = GuardedStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (GuardedStream, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // If no place is free, the connection is closed at once.
                    let Ok(seat) = Arc::clone(&self.seats).try_acquire_owned() else { continue };
                    // This makes answers faster; it is fine if it fails.
                    let _ = stream.set_nodelay(true);
                    let silence = Box::pin(tokio::time::sleep(SILENCE));
                    return (GuardedStream { stream, silence, _seat: seat }, address);
                }
                Err(_) => tokio::time::sleep(AFTER_REFUSAL).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

#[derive(Debug)]
pub(super) struct GuardedStream {
    stream: TcpStream,
    silence: Pin<Box<Sleep>>,
    _seat: Seat,
}

impl GuardedStream {
    /// Passes on what was read or written; silence for too long is an error.
    fn guard<T>(&mut self, cx: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.silence.as_mut().reset(Instant::now() + SILENCE);
            return polled;
        }
        self.silence.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for GuardedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.guard(cx, polled)
    }
}

impl AsyncWrite for GuardedStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.guard(cx, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
