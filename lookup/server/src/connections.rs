//! Connections: how many, how long they may be silent, and how they end.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use futures_util::FutureExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;
use tracing::{debug, info, warn};

use crate::limits;

/// After the system refused a connection, as it does when too many files are open.
const AFTER_REFUSAL: std::time::Duration = std::time::Duration::from_millis(100);

/// Serves connections until `end`, then finishes what has begun.
pub(crate) async fn serve(listener: TcpListener, router: Router, most: usize, end: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(most));
    let graceful = GracefulShutdown::new();
    let open = |stream: TcpStream, place| {
        // It makes answers quicker, and is not needed.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(limits::WRITE_TIME));
        let stream = Box::pin(stream);
        let service = TowerToHyperService::new(
            router.clone().map_request(|request: Request<Incoming>| request.map(Body::new)),
        );
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits::HEADERS_TIME)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let gauge = metrics::gauge!("bouton_connections");
            gauge.increment(1);
            if let Err(error) = connection.await {
                debug!(%error, "a connection broke off");
            }
            gauge.decrement(1);
            drop(place);
        });
    };
    tokio::pin!(end);
    loop {
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await.expect("it is never closed");
            (listener.accept().await, place)
        };
        tokio::select! {
            (accepted, place) = accepted => match accepted {
                Ok((stream, _)) => open(stream, place),
                Err(error) => {
                    warn!(%error, "a connection was refused by the system");
                    sleep(AFTER_REFUSAL).await;
                }
            },
            () = &mut end => break,
        }
    }
    // Who has connected already, and waits to be let in, is answered too.
    while let (Ok(place), Some(Ok((stream, _)))) =
        (Arc::clone(&places).try_acquire_owned(), listener.accept().now_or_never())
    {
        open(stream, place);
    }
    drop(listener);
    info!(connections = graceful.count(), "ending: what has begun is finished");
    if timeout(limits::FAREWELL, graceful.shutdown()).await.is_err() {
        warn!(seconds = limits::FAREWELL.as_secs(), "some requests were not finished in time");
    }
}
