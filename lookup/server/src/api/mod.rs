//! The questions that can be asked over HTTP. `docs/service.md` is their description for people.

mod answer;
mod batch;
mod diff;
mod extract;
mod game_map;
mod line;
mod lookup;
mod map;
mod operations;
mod state;
mod tables;
mod why;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::extract::Request;
use axum::middleware::from_fn;
use axum::response::IntoResponse;
use axum::{Extension, Router};
use metrics_exporter_prometheus::PrometheusHandle;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;
use tower_http::cors::CorsLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::observe::observe;
use crate::page;
use crate::problem::{Problem, ProblemBody};
use crate::tables::Shelf;
use crate::work::Work;

/// What all answers are made from.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) shelf: Shelf,
    pub(crate) work: Work,
    pub(crate) ready: AtomicBool,
    pub(crate) metrics: PrometheusHandle,
}

pub(crate) type Shared = Arc<App>;

/// From so many bytes on, an answer is compressed for those who take it so. Below, it costs more than it saves.
const WORTH_COMPRESSING: u16 = 1024;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Bouton",
        description = "The best move of Nim-like games, from tables that are solved completely. Positions and moves are in \
                       the notation of the README; docs/service.md describes each answer."
    ),
    components(schemas(ProblemBody))
)]
struct Description;

/// All routes, with what every request goes through.
pub(crate) fn router(app: Shared, cors: Option<CorsLayer>) -> Router {
    // Short, and asked for most of all: it goes without the layers that it does not need.
    let short = OpenApiRouter::with_openapi(Description::openapi()).routes(routes!(lookup::lookup));
    let long = OpenApiRouter::new()
        .routes(routes!(tables::tables))
        .routes(routes!(tables::table))
        .routes(routes!(batch::lookup_many))
        .routes(routes!(state::state))
        .routes(routes!(line::line))
        .routes(routes!(why::why))
        .routes(routes!(map::map))
        .routes(routes!(game_map::game_map))
        .routes(routes!(diff::diff))
        .routes(routes!(operations::healthz))
        .routes(routes!(operations::readyz))
        .routes(routes!(operations::metrics))
        .routes(routes!(operations::openapi));
    let (long, description_of_long) = long.split_for_parts();
    let (short, mut description) = short.split_for_parts();
    description.merge(description_of_long);
    description.info.version = env!("CARGO_PKG_VERSION").to_owned();
    let description = description.to_json().expect("a description is JSON");
    let compression = CompressionLayer::new().compress_when(SizeAbove::new(WORTH_COMPRESSING.into()));
    let description = Extension(operations::Description(description.into()));
    let long = long.layer(description).merge(page::router()).layer(compression);
    let mut routes = short
        .merge(long)
        .fallback(no_such_page)
        .method_not_allowed_fallback(no_such_method)
        .with_state(app)
        .layer(CatchPanicLayer::custom(|_| Problem::Fault.into_response()));
    if let Some(cors) = cors {
        routes = routes.layer(cors);
    }
    routes.layer(from_fn(observe))
}

async fn no_such_page(request: Request) -> Problem {
    let path: String = request.uri().path().chars().take(100).collect();
    Problem::NoSuchPage(format!(
        "nothing is at {path}; /api/openapi.json tells what there is, and / is the page"
    ))
}

async fn no_such_method(request: Request) -> Problem {
    let method: String = request.method().as_str().chars().take(20).collect();
    Problem::NoSuchMethod(format!("this path has no method {method}; the header 'allow' tells which it has"))
}
