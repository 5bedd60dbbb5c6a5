//! The web server of 2020.

mod routes;
mod session;
mod sessions;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use bouton_connections::{Limits, Seats, guarded};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::time::sleep;

use super::connection::REFUSAL_PAUSE;
use super::journal::Journal;
use super::match_settings::MatchSettings;
use sessions::{Sessions, SharedSessions, lock};

/// Maximum length of a request's body, in bytes; real ones are far shorter.
const MAX_BODY: usize = 4096;

/// Interval of checks of the clocks.
const TICK: Duration = Duration::from_millis(50);

/// Time for players to ask for the end of the last match.
const FAREWELL: Duration = Duration::from_secs(2);
/// Time for the last answer to reach a player.
const DELIVERY: Duration = Duration::from_millis(200);

pub(super) async fn host(listener: TcpListener, settings: &MatchSettings, journal: Arc<Journal>) {
    let shared = Arc::new(Mutex::new(Sessions::new(settings.clone(), journal)));
    let router = routes::router(shared.clone()).layer(DefaultBodyLimit::max(MAX_BODY));
    tokio::select! {
        () = accept_connections(listener, settings.limits(), router) => {}
        () = end(&shared) => {}
    }
}

/// Serves the routes. Each connection takes one of a limited number of seats.
async fn accept_connections(listener: TcpListener, limits: Limits, router: Router) {
    let seats = Seats::new(&limits);
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            sleep(REFUSAL_PAUSE).await;
            continue;
        };
        let (seat, router) = match seats.take(peer.ip()) {
            Ok(seat) => (seat, router.clone()),
            Err(refused) => match seats.refusal(refused) {
                Some(seat) => (seat, routes::refusing(refused)),
                // Close the connection.
                None => continue,
            },
        };
        let connection = guarded(stream, &limits, TowerToHyperService::new(router));
        tokio::spawn(async move {
            // An interrupted connection is the client's own affair.
            let _ = connection.await;
            drop(seat);
        });
    }
}

/// Watches the clocks until the last match is over, and both players have seen its end or had time to.
async fn end(shared: &SharedSessions) {
    let mut end_time = None;
    loop {
        sleep(TICK).await;
        let now = Instant::now();
        let mut sessions = lock(shared);
        sessions.watch_clocks(now);
        if !sessions.are_over() {
            continue;
        }
        let since = *end_time.get_or_insert(now);
        if sessions.end_is_seen() || now >= since + FAREWELL {
            break;
        }
    }
    sleep(DELIVERY).await;
}
