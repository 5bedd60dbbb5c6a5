//! Connections: how they come to the threads that answer, and how they end.
//!
//! Each thread has its share of them, and a scheduler of its own: a connection that has something to read wakes the
//! thread that it is on, and no other.

use std::convert::Infallible;
use std::io;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::thread::JoinHandle;
use std::time::Duration;

use bouton_connections::{FreeSeat, Limits, Refused, Seat, Seats, guarded};
use futures_util::FutureExt;
use hyper::service::service_fn;
use hyper_util::server::graceful::GracefulShutdown;
use rustix::io::Errno;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep, timeout};
use tracing::{debug, info, warn};

use crate::limits;
use crate::observe::Observed;
use crate::seldom::Seldom;

/// After the system refused a connection, as it does when too many files are open.
const AFTER_REFUSAL: Duration = Duration::from_millis(100);
/// So often at most the log tells that connections are refused, by the service or by the system.
const BETWEEN_WARNINGS: Duration = Duration::from_secs(60);

/// The most connections at a listener that few connect to.
const FEW: usize = 64;

type Accepted = (std::net::TcpStream, Seat);

/// The threads that answer.
pub(crate) struct Threads {
    threads: Vec<(UnboundedSender<Accepted>, JoinHandle<()>)>,
    next: usize,
    seats: Seats,
    /// Connections that are refused.
    refusals: Refusals,
    /// Connections that the system refuses.
    failures: Refusals,
}

/// Connections that are refused, of which the log tells once a minute.
#[derive(Debug, Default)]
struct Refusals(Seldom);

impl Refusals {
    /// Whether the log may tell of one now; and how many it left out.
    fn tell(&mut self) -> Option<u64> {
        self.0.tell(Instant::now().into_std(), BETWEEN_WARNINGS)
    }

    /// Tells of a connection that the system refused, and waits a moment: the next one would be refused too.
    async fn tell_of_failure(&mut self, error: io::Error) {
        if let Some(left_out) = self.tell() {
            // Too many open files: those of this program, or of the whole system.
            let advice = match Errno::from_io_error(&error) {
                Some(Errno::MFILE) => {
                    "raise the limit of open files (ulimit -n; LimitNOFILE of systemd), or lower --connections"
                }
                Some(Errno::NFILE) => {
                    "the system has no more open files; raise fs.file-max, or lower --connections"
                }
                _ => "it is tried again",
            };
            warn!(%error, advice, left_out, "the system refuses connections");
        }
        sleep(AFTER_REFUSAL).await;
    }
}

impl Threads {
    pub(crate) fn start(number: usize, limits: Limits, routes: &Observed) -> io::Result<Self> {
        let start = |number: usize| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let (sender, accepted) = unbounded_channel();
            let routes = routes.clone();
            let thread = std::thread::Builder::new().name(format!("answers-{number}"));
            let thread = thread.spawn(move || {
                runtime.block_on(answer(accepted, limits, routes));
                // A heavy answer for which nobody waits any more does not keep the program.
                runtime.shutdown_background();
            })?;
            Ok((sender, thread))
        };
        let threads = (0..number).map(start).collect::<io::Result<_>>()?;
        Ok(Self {
            threads,
            next: 0,
            seats: Seats::new(&limits),
            refusals: Refusals::default(),
            failures: Refusals::default(),
        })
    }

    /// Gives a connection to a thread, with a seat; or without one, so that it is told why, if that is possible.
    fn give(&mut self, stream: std::net::TcpStream, from: IpAddr, free: FreeSeat) {
        let seat = match free.take(from) {
            Ok(seat) => seat,
            Err(refused) => {
                self.tell_of_refusals(from, refused);
                // One that is dropped is closed.
                let Some(place) = self.seats.refusal(refused) else { return };
                place
            }
        };
        self.next = (self.next + 1) % self.threads.len();
        let _ = self.threads[self.next].0.send((stream, seat));
    }

    fn tell_of_refusals(&mut self, address: IpAddr, why: Refused) {
        metrics::counter!("bouton_connections_refused_total").increment(1);
        if let Some(left_out) = self.refusals.tell() {
            warn!(%address, %why, left_out, "connections are refused; for a reverse proxy, raise --connections-per-address");
        }
    }

    /// Accepts connections until `end`; then lets the threads finish what has begun.
    pub(crate) async fn serve(mut self, listener: TcpListener, end: impl Future<Output = ()>) {
        let seats = self.seats.clone();
        tokio::pin!(end);
        loop {
            let accepted = async {
                let free = seats.free().await;
                (listener.accept().await, free)
            };
            tokio::select! {
                (accepted, free) = accepted => match accepted {
                    Ok((stream, peer)) => {
                        // One that cannot be passed on is closed.
                        if let Ok(stream) = stream.into_std() {
                            self.give(stream, peer.ip(), free);
                        }
                    }
                    Err(error) => self.failures.tell_of_failure(error).await,
                },
                () = &mut end => break,
            }
        }
        // Who has connected already, and waits to be let in, is answered too. The system is asked itself: the scheduler
        // may not have heard of them yet.
        if let Ok(listener) = listener.into_std() {
            while let (Some(free), Ok((stream, peer))) = (seats.try_free(), listener.accept()) {
                if stream.set_nonblocking(true).is_ok() {
                    self.give(stream, peer.ip(), free);
                }
            }
        }
        info!(connections = seats.taken(), "ending: what has begun is finished");
        let (senders, threads): (Vec<_>, Vec<_>) = self.threads.into_iter().unzip();
        drop(senders);
        for thread in threads {
            // Each ends in its own time; a panic in it was told already.
            let _ = tokio::task::spawn_blocking(|| thread.join()).await;
        }
    }
}

/// Serves a listener that few connect to, for as long as the thread runs that it is called on.
pub(crate) async fn serve_few(listener: TcpListener, limits: Limits, routes: Observed) {
    let seats = Seats::new(&Limits { connections: FEW, per_address: FEW, ..limits });
    let mut failures = Refusals::default();
    loop {
        let free = seats.free().await;
        match listener.accept().await {
            Ok((stream, peer)) => {
                let Ok(seat) = free.take(peer.ip()) else { continue };
                let routes = routes.clone();
                let answer =
                    service_fn(move |request| routes.clone().answer(request, None).map(Ok::<_, Infallible>));
                let connection = guarded(stream, &limits, answer);
                tokio::spawn(async move {
                    // One that breaks off concerns nobody else.
                    let _ = connection.await;
                    drop(seat);
                });
            }
            Err(error) => failures.tell_of_failure(error).await,
        }
    }
}

/// Answers on connections until there are no more, then finishes what has begun.
async fn answer(mut accepted: UnboundedReceiver<Accepted>, limits: Limits, routes: Observed) {
    let graceful = GracefulShutdown::new();
    while let Some((stream, seat)) = accepted.recv().await {
        let Ok(stream) = TcpStream::from_std(stream) else { continue };
        let (routes, refused) = (routes.clone(), seat.refused());
        let answer =
            service_fn(move |request| routes.clone().answer(request, refused).map(Ok::<_, Infallible>));
        let connection = guarded(stream, &limits, answer);
        let connection = graceful.watch(connection);
        let open = metrics::gauge!("bouton_connections");
        tokio::spawn(async move {
            open.increment(1);
            // It is counted off, and gives its seat up, also after a panic.
            if let Ok(Err(error)) = AssertUnwindSafe(connection).catch_unwind().await {
                debug!(%error, "a connection broke off");
            }
            open.decrement(1);
            drop(seat);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn of_many_refusals_one_a_minute_is_told_and_the_others_counted() {
        let mut seldom = Refusals::default();
        assert_eq!(seldom.tell(), Some(0));
        for _ in 0..100 {
            sleep(AFTER_REFUSAL).await;
            assert_eq!(seldom.tell(), None);
        }
        sleep(BETWEEN_WARNINGS).await;
        assert_eq!((seldom.tell(), seldom.tell()), (Some(100), None));
        sleep(BETWEEN_WARNINGS).await;
        assert_eq!(seldom.tell(), Some(1));
    }
}
