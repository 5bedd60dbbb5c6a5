//! The web server of 2020.

mod pages;
mod session;
mod sessions;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_io_timeout::TimeoutStream;

use super::connection::{AFTER_REFUSAL, MOST_CONNECTIONS};
use super::journal::Journal;
use super::match_settings::MatchSettings;
use sessions::Sessions;

/// A connection without traffic for this long is closed. Clients keep connections open between requests, even while they
/// think; afterwards they have to open a new one.
const SILENCE: Duration = Duration::from_secs(150);

/// The longest body of a request, in bytes; real ones are far shorter.
const LONGEST_BODY: usize = 4096;

/// How often the clocks are checked.
const TICK: Duration = Duration::from_millis(50);

/// How long players have to ask for the end of the last match, and how long an answer may take to reach them.
const FAREWELL: Duration = Duration::from_secs(2);
const DELIVERY: Duration = Duration::from_millis(200);

#[derive(Clone)]
struct SharedSessions(Arc<Mutex<Sessions>>);

impl SharedSessions {
    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hosts matches until the number in the settings is finished.
pub(super) async fn host(listener: TcpListener, settings: &MatchSettings, journal: Arc<Journal>) {
    let shared = SharedSessions(Arc::new(Mutex::new(Sessions::new(settings.clone(), journal))));
    let pages = pages::router(shared.clone()).layer(DefaultBodyLimit::max(LONGEST_BODY));
    tokio::select! {
        () = answer(listener, pages) => {}
        () = end(&shared) => {}
    }
}

/// Accepts connections and answers their requests, for ever.
async fn answer(listener: TcpListener, pages: Router) {
    let seats = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(AFTER_REFUSAL).await;
            continue;
        };
        // If no place is free, the connection is closed at once.
        let Ok(seat) = Arc::clone(&seats).try_acquire_owned() else { continue };
        // This makes answers faster; it is fine if it fails.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_read_timeout(Some(SILENCE));
        stream.set_write_timeout(Some(SILENCE));
        let pages = TowerToHyperService::new(pages.clone());
        let connection = http1::Builder::new().serve_connection(TokioIo::new(Box::pin(stream)), pages);
        tokio::spawn(async move {
            // It may break off, which is the client's own affair.
            let _ = connection.await;
            drop(seat);
        });
    }
}

/// Watches the clocks until the last match is over and both players have seen its end.
async fn end(shared: &SharedSessions) {
    let mut over = None;
    loop {
        sleep(TICK).await;
        let now = Instant::now();
        let mut sessions = shared.sessions();
        sessions.watch_clocks(now);
        if !sessions.are_over() {
            continue;
        }
        let since = *over.get_or_insert(now);
        if sessions.end_is_seen() || now >= since + FAREWELL {
            break;
        }
    }
    sleep(DELIVERY).await;
}
