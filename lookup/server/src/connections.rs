//! Connections: how many, how long they may be silent, and how they end.
//!
//! Each thread has its share of them, and a scheduler of its own: a connection that has something to read wakes the
//! thread that it is on, and no other.

use std::convert::Infallible;
use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use futures_util::FutureExt;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tracing::{debug, info, warn};

use crate::limits;
use crate::observe::Observed;

/// After the system refused a connection, as it does when too many files are open.
const AFTER_REFUSAL: Duration = Duration::from_millis(100);

/// A connection, and its place among those that may be open.
type Accepted = (std::net::TcpStream, OwnedSemaphorePermit);

/// The threads that answer.
pub(crate) struct Threads {
    threads: Vec<(UnboundedSender<Accepted>, JoinHandle<()>)>,
    next: usize,
}

impl Threads {
    pub(crate) fn start(number: usize, routes: &Observed) -> io::Result<Self> {
        let start = |number: usize| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let (sender, accepted) = unbounded_channel();
            let routes = routes.clone();
            let thread = std::thread::Builder::new().name(format!("answers-{number}"));
            let thread = thread.spawn(move || {
                runtime.block_on(answer(accepted, routes));
                // A heavy answer for which nobody waits any more does not keep the program.
                runtime.shutdown_background();
            })?;
            Ok((sender, thread))
        };
        Ok(Self { threads: (0..number).map(start).collect::<io::Result<_>>()?, next: 0 })
    }

    fn give(&mut self, stream: std::net::TcpStream, place: OwnedSemaphorePermit) {
        self.next = (self.next + 1) % self.threads.len();
        let _ = self.threads[self.next].0.send((stream, place));
    }

    /// Accepts connections until `end`; then lets the threads finish what has begun.
    pub(crate) async fn serve(mut self, listener: TcpListener, most: usize, end: impl Future<Output = ()>) {
        let places = Arc::new(Semaphore::new(most));
        tokio::pin!(end);
        loop {
            let accepted = async {
                let place = Arc::clone(&places).acquire_owned().await.expect("it is never closed");
                (listener.accept().await, place)
            };
            tokio::select! {
                (accepted, place) = accepted => match accepted {
                    Ok((stream, _)) => {
                        // One that cannot be passed on is closed.
                        if let Ok(stream) = stream.into_std() {
                            self.give(stream, place);
                        }
                    }
                    Err(error) => {
                        warn!(%error, "a connection was refused by the system");
                        sleep(AFTER_REFUSAL).await;
                    }
                },
                () = &mut end => break,
            }
        }
        // Who has connected already, and waits to be let in, is answered too. The system is asked itself: the scheduler
        // may not have heard of them yet.
        if let Ok(listener) = listener.into_std() {
            while let (Ok(place), Ok((stream, _))) =
                (Arc::clone(&places).try_acquire_owned(), listener.accept())
            {
                if stream.set_nonblocking(true).is_ok() {
                    self.give(stream, place);
                }
            }
        }
        info!(connections = most - places.available_permits(), "ending: what has begun is finished");
        let (senders, threads): (Vec<_>, Vec<_>) = self.threads.into_iter().unzip();
        drop(senders);
        for thread in threads {
            // Each ends in its own time; a panic in it was told already.
            let _ = tokio::task::spawn_blocking(|| thread.join()).await;
        }
    }
}

/// Answers on connections until there are no more, then finishes what has begun.
async fn answer(mut accepted: UnboundedReceiver<Accepted>, routes: Observed) {
    let graceful = GracefulShutdown::new();
    while let Some((stream, place)) = accepted.recv().await {
        let Ok(stream) = TcpStream::from_std(stream) else { continue };
        // It makes answers quicker, and is not needed.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(limits::WRITE_TIME));
        let routes = routes.clone();
        let answer = service_fn(move |request| routes.clone().answer(request).map(Ok::<_, Infallible>));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits::HEADERS_TIME)
            .max_buf_size(limits::HEADERS)
            .serve_connection(TokioIo::new(Box::pin(stream)), answer);
        let connection = graceful.watch(connection);
        let open = metrics::gauge!("bouton_connections");
        tokio::spawn(async move {
            open.increment(1);
            // It is counted off, and gives its place up, also after a panic.
            if let Ok(Err(error)) = AssertUnwindSafe(connection).catch_unwind().await {
                debug!(%error, "a connection broke off");
            }
            open.decrement(1);
            drop(place);
        });
    }
    if graceful.count() > 0 {
        // Requests of those who were let in last are not read yet, and would be closed unread.
        sleep(limits::LAST_CALL).await;
    }
    if timeout(limits::FAREWELL, graceful.shutdown()).await.is_err() {
        warn!(seconds = limits::FAREWELL.as_secs(), "some requests were not finished in time");
    }
}
