//! How long a request's line and headers may take, and how long a connection may wait for them.
//!
//! hyper has one limit for both: it asks its timer for a sleep when it begins to wait for a request, and drops the sleep
//! once the headers are there. Here the sleep becomes short when the first byte has come.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::Timer;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// What the timer and the stream of a connection know together. One task alone uses it.
#[derive(Debug)]
pub(crate) struct Listening {
    /// Whether bytes have come since the connection began to wait for a request.
    heard: AtomicBool,
    /// Whether no request was waited for yet.
    is_new: AtomicBool,
    /// One for all requests of the connection: it is set anew when it has gone off, and not for each of them.
    alarm: Mutex<Pin<Box<Sleep>>>,
}

/// hyper's timer for a connection.
#[derive(Debug)]
pub(crate) struct HeadTimer {
    head: Duration,
    listening: Arc<Listening>,
}

impl HeadTimer {
    /// A timer with so much time for the line and the headers of a request. How long a request is waited for is what hyper
    /// asks for.
    pub(crate) fn new(head: Duration) -> Self {
        let alarm = Mutex::new(Box::pin(sleep(head)));
        let listening = Listening { heard: AtomicBool::new(false), is_new: AtomicBool::new(true), alarm };
        Self { head, listening: Arc::new(listening) }
    }

    /// The connection's stream. Only one that is read through this one has heard something.
    pub(crate) fn stream(&self, stream: TcpStream) -> HeardStream {
        HeardStream { stream, listening: Arc::clone(&self.listening) }
    }
}

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn hyper::rt::Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, idle: std::time::Instant) -> Pin<Box<dyn hyper::rt::Sleep>> {
        self.listening.heard.store(false, Relaxed);
        let begun = self.listening.is_new.swap(false, Relaxed);
        let until = if begun { Instant::now() + self.head } else { idle.into() };
        Box::pin(HeadWait { head: self.head, until, begun, listening: Arc::clone(&self.listening) })
    }

    fn now(&self) -> std::time::Instant {
        Instant::now().into()
    }
}

/// Waits for the headers of a request, for as long as they may take.
#[derive(Debug)]
struct HeadWait {
    head: Duration,
    until: Instant,
    /// Whether the time of the request has begun. That of the first one begins with the connection.
    begun: bool,
    listening: Arc<Listening>,
}

impl Future for HeadWait {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if !self.begun && self.listening.heard.load(Relaxed) {
            self.begun = true;
            self.until = Instant::now() + self.head;
        }
        let mut alarm = self.listening.alarm.lock().unwrap_or_else(PoisonError::into_inner);
        if alarm.deadline() > self.until {
            alarm.as_mut().reset(self.until);
        }
        loop {
            ready!(alarm.as_mut().poll(context));
            // It may have been set for an earlier request.
            if alarm.deadline() >= self.until {
                return Poll::Ready(());
            }
            alarm.as_mut().reset(self.until);
        }
    }
}

impl hyper::rt::Sleep for HeadWait {}

/// A stream that notes when something comes.
#[derive(Debug)]
pub(crate) struct HeardStream {
    stream: TcpStream,
    listening: Arc<Listening>,
}

impl AsyncRead for HeardStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.listening.heard.store(true, Relaxed);
        }
        read
    }
}

impl AsyncWrite for HeardStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
