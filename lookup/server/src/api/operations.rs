//! Endpoints for operators.

use std::sync::atomic::Ordering::Relaxed;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;

use super::Shared;
use crate::caching::{self, JSON};
use crate::problem::{Problem, Refusal};

const TEXT: &str = "text/plain; charset=utf-8";

/// Whether the process is up.
#[utoipa::path(get, path = "/healthz", responses((status = 200, description = "the process is up", body = String, content_type = "text/plain")))]
pub(super) async fn healthz() -> Response {
    caching::untagged(TEXT, "up\n")
}

/// Whether tables are served.
#[utoipa::path(
    get,
    path = "/readyz",
    responses((status = 200, description = "tables are served", body = String, content_type = "text/plain"), Refusal)
)]
pub(super) async fn readyz(State(app): State<Shared>) -> Result<Response, Problem> {
    if app.ready.load(Relaxed) {
        Ok(caching::untagged(TEXT, "tables are served\n"))
    } else {
        Err(Problem::NotReady)
    }
}

/// Metrics as Prometheus text.
#[utoipa::path(get, path = "/metrics", responses((status = 200, description = "metrics", body = String, content_type = "text/plain")))]
pub(super) async fn metrics(State(app): State<Shared>) -> Response {
    caching::untagged("text/plain; version=0.0.4; charset=utf-8", app.metrics.render())
}

/// The OpenAPI description.
#[derive(Clone, Debug)]
pub(super) struct Description(pub(super) Bytes);

/// This OpenAPI description.
#[utoipa::path(get, path = "/api/openapi.json", responses((status = 200, description = "OpenAPI 3.1", body = Object)))]
pub(super) async fn openapi(Extension(Description(json)): Extension<Description>) -> Response {
    caching::untagged(JSON, json)
}
