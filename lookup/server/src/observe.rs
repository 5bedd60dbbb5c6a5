//! Gives each request an id, counts it in the metrics, and logs it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{ACCEPT, HOST, HeaderName, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, Version};
use axum::response::{IntoResponse, Response};
use bouton_connections::SeatRefusal;
use futures_util::FutureExt;
use hyper::body::Incoming;
use metrics::{Counter, Histogram, counter, histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tower::Service;
use tracing::{debug, error, info, warn};

use crate::limits;
use crate::log_throttle::LogThrottle;
use crate::problem::Problem;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Maximum length of a request id that the service accepts from a client, in characters.
const MAX_ID_CHARS: usize = 64;
/// Answers that take longer get a line in the log.
const SLOW: Duration = Duration::from_secs(1);
/// Upper ends of the buckets of the time histogram, in seconds.
const BUCKETS: &[f64] = &[
    0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.5, 1.0, 5.0,
];

/// Installs the recorder, and describes the metrics.
pub(crate) fn install_metrics() -> Result<PrometheusHandle, BuildError> {
    let builder = PrometheusBuilder::new();
    let builder =
        builder.set_buckets_for_metric(Matcher::Full("bouton_request_seconds".to_owned()), BUCKETS)?;
    let handle = builder.install_recorder()?;
    metrics::describe_counter!("bouton_requests_total", "Requests answered, by route, method and status.");
    metrics::describe_histogram!("bouton_request_seconds", "Seconds until an answer began, by route.");
    metrics::describe_counter!("bouton_positions_total", "Positions answered, in single and batch lookups.");
    metrics::describe_gauge!("bouton_connections", "Connections that are open.");
    metrics::describe_counter!(
        "bouton_connections_refused_total",
        "Connections refused because their address had reached its limit."
    );
    metrics::describe_gauge!("bouton_tables", "Tables that are served.");
    metrics::describe_gauge!("bouton_tables_refused", "Files that cannot be served.");
    Ok(handle)
}

/// The routes of a listener, with the data to record requests. Recording is not a layer of the router: layers are boxed
/// for each request, which takes a tenth of the time of a short answer.
#[derive(Clone, Debug)]
pub(crate) struct ObservedRoutes {
    pub(crate) router: Router,
    /// Patterns of all paths, such as `/api/tables/{name}`, for the metrics. A part in braces matches any text.
    pub(crate) paths: Arc<[String]>,
    /// Whether browsers get errors as an HTML page, which needs the files of the page.
    pub(crate) in_html: bool,
}

impl ObservedRoutes {
    /// Answers a request and records it. After an error or a panic, or on a refused connection, the answer is a
    /// problem.
    pub(crate) async fn answer(
        mut self,
        request: Request<Incoming>,
        refused: Option<SeatRefusal>,
    ) -> Response {
        let begun = Instant::now();
        let id = request_id(request.headers());
        let method = request.method().clone();
        let uri = request.uri().clone();
        let accept = request.headers().get(ACCEPT).filter(|_| self.in_html).cloned();
        let problem = refused.map(Problem::Crowded).or_else(|| host_problem(&request));
        let answer = async move {
            match problem {
                None => self.router.call(request.map(Body::new)).await,
                Some(problem) => Ok(problem.into_response()),
            }
        };
        let response = AssertUnwindSafe(answer).catch_unwind().await;
        let mut response = response.map_or_else(|_| Problem::Fault.into_response(), |Ok(response)| response);
        let problem = response.extensions_mut().remove::<Problem>();
        let text = id.to_str().unwrap_or_default();
        if let Some(problem) = &problem {
            let bare = std::mem::replace(&mut response, problem.answer(text, accept.as_ref()));
            // Keep the headers of layers and of the router, such as `allow`, unless the problem sets them itself.
            for (name, value) in bare.headers() {
                if !response.headers().contains_key(name) && name != "content-length" {
                    response.headers_mut().insert(name, value.clone());
                }
            }
        }
        let took = begun.elapsed();
        let status = response.status();
        let path = self.paths.iter().find(|path| matches_pattern(path, uri.path()));
        record_metrics(path.map_or("none", String::as_str), method_name(&method), status, took);
        let (status, micros) = (status.as_u16(), took.as_micros() as u64);
        match problem {
            // The module `connections` logs refused connections.
            Some(Problem::Crowded(_)) => {
                debug!(request = text, %method, uri = shorten(&uri), status, "a request was refused");
            }
            Some(problem) if status >= 500 => match FAILURES.admit(problem.cause()) {
                None => {
                    debug!(request = text, %method, uri = shorten(&uri), status, micros, ?problem, "a request failed");
                }
                Some(left_out) if matches!(problem, Problem::Busy | Problem::NotReady) => {
                    warn!(request = text, %method, uri = shorten(&uri), status, micros, ?problem, left_out, "a request was deferred");
                }
                Some(left_out) => {
                    error!(request = text, %method, uri = shorten(&uri), status, micros, ?problem, left_out, "a request failed");
                }
            },
            _ if took >= SLOW => {
                info!(request = text, %method, uri = shorten(&uri), status, micros, "a request took long");
            }
            _ => debug!(request = text, %method, uri = shorten(&uri), status, micros, "a request"),
        }
        response.headers_mut().insert(REQUEST_ID, id);
        // Browsers must not guess that JSON is HTML.
        response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        response
    }
}

/// Returns the problem of a request that has several headers `host`, or, from HTTP/1.1 on, none. If there are several, a
/// proxy and the service might each choose a different one.
fn host_problem<B>(request: &Request<B>) -> Option<Problem> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let found = match (hosts.next(), hosts.next()) {
        (Some(_), None) => return None,
        (None, _) if request.version() < Version::HTTP_11 => return None,
        (None, _) => "no header",
        (Some(_), Some(_)) => "several headers",
    };
    Some(Problem::bad_request(format!(
        "found {found} 'host', expected one; send the name of this server in it"
    )))
}

/// The log throttles of failed requests, by cause.
static FAILURES: Failures = Failures(Mutex::new(BTreeMap::new()));

struct Failures(Mutex<BTreeMap<&'static str, LogThrottle>>);

impl Failures {
    /// Counts a failure. If a log entry is due, returns the number of failures of this cause since the last entry.
    fn admit(&self, cause: &'static str) -> Option<u64> {
        let mut throttles = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        throttles.entry(cause).or_insert_with(|| LogThrottle::every(limits::LOG_INTERVAL)).admit()
    }
}

fn matches_pattern(pattern: &str, path: &str) -> bool {
    // Compare from the end: paths differ most in their last parts.
    let (mut pattern, mut path) = (pattern.rsplit('/'), path.rsplit('/'));
    loop {
        match (pattern.next(), path.next()) {
            (None, None) => return true,
            (Some(part), Some(found)) if part == found || part.starts_with('{') && !found.is_empty() => {}
            _ => return false,
        }
    }
}

fn shorten(uri: &Uri) -> String {
    uri.to_string().chars().take(300).collect()
}

fn record_metrics(route: &str, method: &'static str, status: StatusCode, took: Duration) {
    /// The metrics of one route, method and status. Cached, because looking metrics up by their labels takes longer than
    /// counting.
    type RouteMetrics = (String, &'static str, StatusCode, Counter, Histogram);
    thread_local! {
        static ROUTES: RefCell<Vec<RouteMetrics>> = const { RefCell::new(Vec::new()) };
    }
    ROUTES.with_borrow_mut(|known| {
        let same = |known: &RouteMetrics| known.0 == route && known.1 == method && known.2 == status;
        let index = known.iter().position(same).unwrap_or_else(|| {
            let (label, code) = (route.to_owned(), status.as_str().to_owned());
            let counter = counter!("bouton_requests_total", "route" => label.clone(), "method" => method, "status" => code);
            let times = histogram!("bouton_request_seconds", "route" => label.clone());
            known.push((label, method, status, counter, times));
            known.len() - 1
        });
        let (.., counter, times) = &known[index];
        counter.increment(1);
        times.record(took);
    });
}

/// Returns the name of a method; all unknown methods share one, so that clients cannot create metrics.
fn method_name(method: &axum::http::Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "OPTIONS"];
    known.into_iter().find(|known| method == known).unwrap_or("other")
}

/// Returns the client's id of a request, if it is harmless; otherwise a new id.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let allowed = |id: &&HeaderValue| {
        let byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        (1..=MAX_ID_CHARS).contains(&id.len()) && id.as_bytes().iter().all(byte)
    };
    headers.get(REQUEST_ID).filter(allowed).cloned().unwrap_or_else(new_id)
}

/// Returns an id that is unique in this process, and very likely across processes.
fn new_id() -> HeaderValue {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    static RUN: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| fastrand::u32(..));
    let id = format!("{:08x}-{:x}", *RUN, NEXT.fetch_add(1, Relaxed));
    HeaderValue::try_from(id).expect("digits are a header")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn failures_with_one_cause_are_logged_once_a_second_and_the_others_are_counted() {
        let failures = Failures(Mutex::new(BTreeMap::new()));
        let later = async |millis| tokio::time::advance(Duration::from_millis(millis)).await;
        assert_eq!(failures.admit("busy"), Some(0));
        later(1).await;
        assert_eq!(failures.admit("busy"), None);
        later(998).await;
        assert_eq!(failures.admit("busy"), None);
        assert_eq!(failures.admit("damaged-table"), Some(0), "another cause");
        later(1).await;
        assert_eq!(failures.admit("busy"), Some(2));
        later(1).await;
        assert_eq!(failures.admit("busy"), None);
        later(3999).await;
        assert_eq!(failures.admit("busy"), Some(1));
    }

    #[test]
    fn a_path_matches_the_pattern_of_its_route() {
        let paths = ["/", "/api/tables", "/api/tables/{name}", "/api/tables/{name}/lookup"];
        for (path, of) in [
            ("/", Some(0)),
            ("/api/tables", Some(1)),
            ("/api/tables/sticks", Some(2)),
            ("/api/tables/%2F/lookup", Some(3)),
            ("", None),
            ("/api/tables/", None),
            ("/api/tables//lookup", None),
            ("/api/tables/sticks/lookup/", None),
            ("/api/tables/sticks/state", None),
        ] {
            assert_eq!(paths.iter().position(|pattern| matches_pattern(pattern, path)), of, "{path}");
        }
    }

    #[test]
    fn a_harmless_id_of_the_client_is_kept() {
        let id = |text: &str| {
            request_id(&HeaderMap::from_iter([(REQUEST_ID, HeaderValue::from_str(text).unwrap())]))
        };
        assert_eq!(id("a-B_1.2"), "a-B_1.2");
        for bad in ["", "a b", "a\"b", &"a".repeat(65)] {
            assert_ne!(id(bad), bad);
        }
        assert_ne!(request_id(&HeaderMap::new()), request_id(&HeaderMap::new()));
    }
}
