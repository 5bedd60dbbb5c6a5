//! The web server of 2020.

mod guarded;
mod pages;
mod session;
mod sessions;

use std::io;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::DefaultBodyLimit;

use super::journal::Journal;
use super::match_settings::MatchSettings;
use guarded::GuardedListener;
use sessions::Sessions;

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
pub(super) fn host(listener: TcpListener, settings: &MatchSettings, journal: Arc<Journal>) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let shared = SharedSessions(Arc::new(Mutex::new(Sessions::new(settings.clone(), journal))));
    // One thread is enough: no request waits for anything.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = GuardedListener::new(tokio::net::TcpListener::from_std(listener)?);
        let pages = pages::router(shared.clone()).layer(DefaultBodyLimit::max(LONGEST_BODY));
        tokio::select! {
            served = axum::serve(listener, pages) => served,
            () = end(&shared) => Ok(()),
        }
    });
    // Open connections do not keep the server running.
    runtime.shutdown_background();
    served
}

/// Watches the clocks until the last match is over and both players have seen its end.
async fn end(shared: &SharedSessions) {
    let mut over = None;
    loop {
        tokio::time::sleep(TICK).await;
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
    tokio::time::sleep(DELIVERY).await;
}
