//! The life of a connection: the main thread accepts it, and one of several worker threads serves it to its end.
//!
//! Each worker thread has its own scheduler, so input on a connection wakes only the thread that serves the connection.

use std::convert::Infallible;
use std::io;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::thread::JoinHandle;
use std::time::Duration;

use bouton_connections::{FreeSeat, Limits, Seat, SeatRefusal, Seats, guarded};
use futures_util::FutureExt;
use hyper::service::service_fn;
use hyper_util::server::graceful::GracefulShutdown;
use metrics::Gauge;
use rustix::io::Errno;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{sleep, timeout};
use tracing::{debug, info, warn};

use crate::limits;
use crate::log_throttle::LogThrottle;
use crate::observe::ObservedRoutes;

/// Pause after the system refused a connection, for example because too many files are open.
const AFTER_REFUSAL: Duration = Duration::from_millis(100);
/// Time between two warnings in the log about refused connections.
const BETWEEN_WARNINGS: Duration = Duration::from_secs(60);

type Accepted = (std::net::TcpStream, Seat);

pub(crate) struct WorkerThreads {
    threads: Vec<(UnboundedSender<Accepted>, JoinHandle<()>)>,
    /// Index of the thread that got the last connection.
    last: usize,
    seats: Seats,
    /// Connections refused by the service.
    refusals: LogThrottle,
    /// Connections refused by the system.
    failures: LogThrottle,
}

/// Logs a connection that the system refused, and waits a moment, as the next one would probably be refused too.
async fn log_failure(error: io::Error, failures: &mut LogThrottle) {
    if let Some(left_out) = failures.admit() {
        // The limit on open files is one of this process (MFILE) or of the whole system (NFILE).
        let advice = match Errno::from_io_error(&error) {
            Some(Errno::MFILE) => {
                "raise the limit of open files (ulimit -n; LimitNOFILE of systemd), or lower --connections"
            }
            Some(Errno::NFILE) => {
                "the system has no more open files; raise fs.file-max, or lower --connections"
            }
            _ => "trying again",
        };
        warn!(%error, advice, left_out, "the system refuses connections");
    }
    sleep(AFTER_REFUSAL).await;
}

impl WorkerThreads {
    /// Starts threads that answer by `routes`, and count their connections in `open`.
    pub(crate) fn start(
        number: usize,
        limits: Limits,
        routes: &ObservedRoutes,
        open: &Gauge,
    ) -> io::Result<Self> {
        let start = |number: usize| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let (sender, accepted) = unbounded_channel();
            let (routes, open) = (routes.clone(), open.clone());
            let thread = std::thread::Builder::new().name(format!("answers-{number}"));
            let thread = thread.spawn(move || {
                runtime.block_on(serve_connections(accepted, limits, routes, open));
                // Do not wait for a heavy answer whose client has gone.
                runtime.shutdown_background();
            })?;
            Ok((sender, thread))
        };
        let threads = (0..number).map(start).collect::<io::Result<_>>()?;
        Ok(Self {
            threads,
            last: 0,
            seats: Seats::new(&limits),
            refusals: LogThrottle::every(BETWEEN_WARNINGS),
            failures: LogThrottle::every(BETWEEN_WARNINGS),
        })
    }

    /// Assigns a connection to a thread. Without a seat, it gets a response with the reason, or is closed.
    fn assign(&mut self, stream: std::net::TcpStream, from: IpAddr, free: FreeSeat) {
        let seat = match free.take(from) {
            Ok(seat) => seat,
            Err(refused) => {
                self.log_refusal(from, refused);
                // Dropping the stream closes the connection.
                let Some(place) = self.seats.refusal(refused) else { return };
                place
            }
        };
        self.last = (self.last + 1) % self.threads.len();
        let _ = self.threads[self.last].0.send((stream, seat));
    }

    fn log_refusal(&mut self, address: IpAddr, why: SeatRefusal) {
        metrics::counter!("bouton_connections_refused_total").increment(1);
        if let Some(left_out) = self.refusals.admit() {
            warn!(%address, %why, left_out, "connections are refused; for a reverse proxy, raise --connections-per-address");
        }
    }

    /// Accepts connections until `end`; then lets the threads finish open requests.
    pub(crate) async fn serve(mut self, listener: TcpListener, end: impl Future<Output = ()>) {
        let seats = self.seats.clone();
        tokio::pin!(end);
        loop {
            let accepted = async {
                let free = seats.wait_for_free().await;
                (listener.accept().await, free)
            };
            tokio::select! {
                (accepted, free) = accepted => match accepted {
                    Ok((stream, peer)) => {
                        // On an error the connection is closed.
                        if let Ok(stream) = stream.into_std() {
                            self.assign(stream, peer.ip(), free);
                        }
                    }
                    Err(error) => log_failure(error, &mut self.failures).await,
                },
                () = &mut end => break,
            }
        }
        // Serve waiting connections too. Ask the system directly: the scheduler may not have noticed them yet.
        if let Ok(listener) = listener.into_std() {
            while let (Some(free), Ok((stream, peer))) = (seats.try_free(), listener.accept()) {
                if stream.set_nonblocking(true).is_ok() {
                    self.assign(stream, peer.ip(), free);
                }
            }
        }
        info!(connections = seats.taken(), "ending: finishing open requests");
        let (senders, threads): (Vec<_>, Vec<_>) = self.threads.into_iter().unzip();
        drop(senders);
        for thread in threads {
            // The panic hook has logged panics of the thread.
            let _ = tokio::task::spawn_blocking(|| thread.join()).await;
        }
    }
}

/// Serves connections until the channel closes, then finishes open requests.
async fn serve_connections(
    mut accepted: UnboundedReceiver<Accepted>,
    limits: Limits,
    routes: ObservedRoutes,
    open: Gauge,
) {
    let graceful = GracefulShutdown::new();
    while let Some((stream, seat)) = accepted.recv().await {
        let Ok(stream) = TcpStream::from_std(stream) else { continue };
        let (routes, refused) = (routes.clone(), seat.refused());
        let answer =
            service_fn(move |request| routes.clone().answer(request, refused).map(Ok::<_, Infallible>));
        let connection = guarded(stream, &limits, answer);
        let connection = graceful.watch(connection);
        let open = open.clone();
        tokio::spawn(async move {
            open.increment(1);
            // Update the gauge and release the seat after a panic too.
            if let Ok(Err(error)) = AssertUnwindSafe(connection).catch_unwind().await {
                debug!(%error, "a connection was interrupted");
            }
            open.decrement(1);
            drop(seat);
        });
    }
    if graceful.count() > 0 {
        // Wait for requests on the last connections: a graceful shutdown would close them unread.
        sleep(limits::LATE_REQUEST_WAIT).await;
    }
    if timeout(limits::MAX_SHUTDOWN_TIME, graceful.shutdown()).await.is_err() {
        warn!(seconds = limits::MAX_SHUTDOWN_TIME.as_secs(), "some requests were not finished in time");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_refusal_a_minute_is_logged_and_the_others_are_counted() {
        let mut log = LogThrottle::every(BETWEEN_WARNINGS);
        assert_eq!(log.admit(), Some(0));
        for _ in 0..100 {
            sleep(AFTER_REFUSAL).await;
            assert_eq!(log.admit(), None);
        }
        sleep(BETWEEN_WARNINGS).await;
        assert_eq!((log.admit(), log.admit()), (Some(100), None));
        sleep(BETWEEN_WARNINGS).await;
        assert_eq!(log.admit(), Some(1));
    }
}
