//! The web server of 2020.

mod fields;
mod guarded;
mod pages;
mod session;
mod sessions;
mod token;
mod utc;

use std::io;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::DefaultBodyLimit;

use super::journal::Journal;
use super::match_settings::MatchSettings;
use guarded::GuardedListener;
use sessions::Sessions;

/// The most bytes of a request's body; all parameters take far fewer.
const LONGEST_BODY: usize = 4096;

/// How often clocks are looked at on which nobody asks.
const TICK: Duration = Duration::from_millis(50);

/// How long players may take to see the end of the last match, if they do not ask earlier; and how long an
/// answer takes to reach them.
const FAREWELL: Duration = Duration::from_secs(2);
const DELIVERY: Duration = Duration::from_millis(200);

/// What the pages share.
#[derive(Clone, Debug)]
struct Shared(Arc<Mutex<Sessions>>);

impl Shared {
    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hosts matches until as many are finished as the settings ask for.
pub(super) fn host(listener: TcpListener, settings: &MatchSettings, journal: Arc<Journal>) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let shared = Shared(Arc::new(Mutex::new(Sessions::new(settings.clone(), journal))));
    // One thread: no page waits for anything.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = GuardedListener::new(tokio::net::TcpListener::from_std(listener)?);
        let pages = pages::router(shared.clone()).layer(DefaultBodyLimit::max(LONGEST_BODY));
        tokio::select! {
            served = axum::serve(listener, pages) => served,
            () = end(&shared) => Ok(()),
        }
    });
    // Connections that are still open do not keep the server.
    runtime.shutdown_background();
    served
}

/// Watches the clocks until the last match is over and its end was seen.
async fn end(shared: &Shared) {
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
