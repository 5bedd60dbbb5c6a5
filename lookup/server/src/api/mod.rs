//! The HTTP endpoints. `docs/service.md` describes them for people.

mod app;
mod batch;
mod class;
mod diff;
mod extract;
mod lookup;
mod play;
mod status;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::ACCEPT_ENCODING;
use axum::middleware::map_request;
use axum::{Extension, Router};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;
use tower_http::cors::CorsLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::accept_header::accepts;
use crate::observe::ObservedRoutes;
use crate::page;
use crate::problem::{Problem, ProblemBody};

pub(crate) use app::{App, Shared};

/// Minimum size of a response to compress, in bytes: for shorter responses compression costs more than it saves.
const MIN_COMPRESSED_BYTES: u16 = 1024;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Bouton",
        description = "The best move in Nim-like games, from tables with every position solved. Positions and moves are \
                       written in the notation of docs/rules.md; docs/service.md describes each response."
    ),
    components(schemas(ProblemBody))
)]
struct ApiDescription;

/// Returns all routes, with `/metrics` if `with_metrics`. `frame_policy` replaces the content security policy of the
/// page.
pub(crate) fn routes(
    app: Shared,
    cors: Option<CorsLayer>,
    frame_policy: Option<HeaderValue>,
    with_metrics: bool,
) -> ObservedRoutes {
    // The most frequent answer is short: it needs no compression, and skips its layers.
    let short = OpenApiRouter::with_openapi(ApiDescription::openapi()).routes(routes!(lookup::lookup));
    let long = OpenApiRouter::new()
        .routes(routes!(status::tables))
        .routes(routes!(status::table))
        .routes(routes!(class::class))
        .routes(routes!(batch::lookup_many))
        .routes(routes!(play::state))
        .routes(routes!(play::game))
        .routes(routes!(play::line))
        .routes(routes!(play::why))
        .routes(routes!(play::map))
        .routes(routes!(play::game_map))
        .routes(routes!(diff::diff))
        .routes(routes!(status::healthz))
        .routes(routes!(status::readyz))
        .routes(routes!(status::openapi));
    let long = if with_metrics { long.routes(routes!(status::metrics)) } else { long };
    let (long, description_of_long) = long.split_for_parts();
    let (short, mut description) = short.split_for_parts();
    description.merge(description_of_long);
    description.info.version = env!("CARGO_PKG_VERSION").to_owned();
    let paths = description.paths.paths.keys().cloned().chain(page::PATHS.map(str::to_owned)).collect();
    let compression = CompressionLayer::new().compress_when(SizeAbove::new(MIN_COMPRESSED_BYTES.into()));
    let description = Extension(Bytes::from(description.to_json().expect("a description is JSON")));
    let long = long.layer(description).layer(compression).layer(map_request(gzip_or_nothing));
    let router = short.merge(long).merge(page::router(frame_policy));
    let mut router = with_fallbacks(router, "/api/openapi.json lists the endpoints, and / is the page", app);
    if let Some(cors) = cors {
        router = router.layer(cors);
    }
    ObservedRoutes { router, paths, in_html: true }
}

/// Returns the route `/metrics` only.
pub(crate) fn metrics_routes(app: Shared) -> ObservedRoutes {
    let (router, description) = OpenApiRouter::new().routes(routes!(status::metrics)).split_for_parts();
    let paths = description.paths.paths.keys().cloned().collect();
    let advice = "only /metrics is here, and the service itself is at the address of --listen";
    ObservedRoutes { router: with_fallbacks(router, advice, app), paths, in_html: false }
}

/// Adds the errors for unknown paths, which end with `advice`, and for unsupported methods.
fn with_fallbacks(router: Router<Shared>, advice: &'static str, app: Shared) -> Router {
    let no_such_page = move |request: Request| async move {
        let path: String = request.uri().path().chars().take(100).collect();
        Problem::NoSuchPage(format!("there is nothing at {path}; {advice}"))
    };
    router.fallback(no_such_page).method_not_allowed_fallback(no_such_method).with_state(app)
}

/// Reduces the accepted encodings to gzip or none. A client that refuses both gets an uncompressed response.
async fn gzip_or_nothing(mut request: Request) -> Request {
    let gzip = accepts(request.headers(), "gzip");
    request.headers_mut().remove(ACCEPT_ENCODING);
    if gzip {
        request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    }
    request
}

async fn no_such_method(request: Request) -> Problem {
    let method: String = request.method().as_str().chars().take(20).collect();
    Problem::NoSuchMethod(format!(
        "this path does not support the method {method}; the header 'allow' lists the supported ones"
    ))
}
