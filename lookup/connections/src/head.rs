//! Limits the time for the line and headers of a request, and the time to wait for them.
//!
//! hyper has a single limit for both times. It asks its timer for a sleep when it begins to wait for a request, and
//! drops the sleep once the headers are complete. The timer here shortens that sleep when the first byte of the request
//! arrives.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::Timer;
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};
use tokio_util::io::InspectReader;

/// State shared by the timer and the stream of a connection. Only one task uses it.
#[derive(Debug)]
pub(crate) struct HeadState {
    /// Whether bytes have arrived since the connection began to wait for a request.
    has_input: AtomicBool,
    /// Whether the next request is the first.
    is_first: AtomicBool,
    /// One sleep for all requests of the connection. If the deadline moves to a later time, the sleep first goes off, and is then reset.
    alarm: Mutex<Pin<Box<Sleep>>>,
}

/// hyper's timer for a connection.
#[derive(Debug)]
pub(crate) struct HeadTimer {
    head: Duration,
    state: Arc<HeadState>,
}

impl HeadTimer {
    /// Returns a timer that allows `head` for the line and the headers of a request. hyper determines
    /// the time to wait for a request.
    pub(crate) fn new(head: Duration) -> Self {
        let alarm = Mutex::new(Box::pin(sleep(head)));
        let state = HeadState { has_input: AtomicBool::new(false), is_first: AtomicBool::new(true), alarm };
        Self { head, state: Arc::new(state) }
    }

    /// Wraps the connection's stream, so that the timer notices input.
    pub(crate) fn stream(&self, stream: TcpStream) -> InspectReader<TcpStream, impl FnMut(&[u8]) + use<>> {
        let state = Arc::clone(&self.state);
        InspectReader::new(stream, move |input| {
            if !input.is_empty() {
                state.has_input.store(true, Relaxed);
            }
        })
    }
}

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn hyper::rt::Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, idle: std::time::Instant) -> Pin<Box<dyn hyper::rt::Sleep>> {
        self.state.has_input.store(false, Relaxed);
        let has_begun = self.state.is_first.swap(false, Relaxed);
        let until = if has_begun { Instant::now() + self.head } else { idle.into() };
        Box::pin(HeadWait { head: self.head, until, has_begun, state: Arc::clone(&self.state) })
    }

    fn now(&self) -> std::time::Instant {
        Instant::now().into()
    }
}

/// Completes when the time to wait for a request, or the time for its headers, is over.
#[derive(Debug)]
struct HeadWait {
    head: Duration,
    until: Instant,
    /// Whether the time for the headers has begun. For the first request, it begins with the connection.
    has_begun: bool,
    state: Arc<HeadState>,
}

impl Future for HeadWait {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if !self.has_begun && self.state.has_input.load(Relaxed) {
            self.has_begun = true;
            self.until = Instant::now() + self.head;
        }
        let mut alarm = self.state.alarm.lock().unwrap_or_else(PoisonError::into_inner);
        if alarm.deadline() > self.until {
            alarm.as_mut().reset(self.until);
        }
        loop {
            ready!(alarm.as_mut().poll(context));
            // The alarm may be set for an earlier request.
            if alarm.deadline() >= self.until {
                return Poll::Ready(());
            }
            alarm.as_mut().reset(self.until);
        }
    }
}

impl hyper::rt::Sleep for HeadWait {}
