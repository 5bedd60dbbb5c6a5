//! The tables that are served, and the health of the service.

use std::sync::atomic::Ordering::Relaxed;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use bouton_answers::{About, NoParameters, OwnLimits};
use serde::Serialize;
use utoipa::ToSchema;

use super::app::Shared;
use super::extract::{Params, QuestionRequest, TableName, to_json};
use crate::caching::{self, JSON};
use crate::problem::{ErrorResponse, Problem};
use crate::tables::RefusedFile;

/// The tables that are served.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TableList {
    /// The tables, sorted by name.
    tables: Vec<About>,
    /// Files that cannot be served. If an older table of the same name was served before, it still is.
    refused: Vec<RefusedFile>,
    /// Maximum number of positions of a game that is solved on request; 0 if none is.
    solve_limit: u64,
    /// The limits of own rules.
    own_limits: OwnLimits,
}

/// All tables.
#[utoipa::path(get, path = "/api/tables", responses((status = 200, description = "the tables that are served, and files that cannot be", body = TableList), ErrorResponse))]
pub(super) async fn tables(
    State(app): State<Shared>,
    Params(NoParameters {}): Params<NoParameters>,
) -> Result<Response, Problem> {
    let tables = app.catalog.all().iter().map(|table| table.about.clone()).collect();
    let (refused, solve_limit) = (app.catalog.refused(), app.solved.max_positions);
    let list = TableList { tables, refused, solve_limit, own_limits: OwnLimits::ALL };
    Ok(caching::uncached(JSON, to_json(&list)))
}

/// One table.
#[utoipa::path(
    get,
    path = "/api/tables/{name}",
    params(TableName),
    responses((status = 200, description = "the table, described", body = About), ErrorResponse)
)]
pub(super) async fn table(request: QuestionRequest<NoParameters>) -> Result<Response, Problem> {
    let json = to_json(&request.table.about);
    // The table's own digest does not suffice: the description has the table's name too, which may change.
    let digest = blake3::hash(json.as_bytes()).to_hex();
    Ok(caching::tagged(&request.headers, JSON, json, &caching::tag(&[&digest])))
}

const TEXT: &str = "text/plain; charset=utf-8";

/// Whether the process is up.
#[utoipa::path(get, path = "/healthz", responses((status = 200, description = "the process is up", body = String, content_type = "text/plain")))]
pub(super) async fn healthz() -> Response {
    caching::uncached(TEXT, "up\n")
}

/// Whether tables are served, and the service is not shutting down.
#[utoipa::path(
    get,
    path = "/readyz",
    responses((status = 200, description = "tables are served", body = String, content_type = "text/plain"), ErrorResponse)
)]
pub(super) async fn readyz(State(app): State<Shared>) -> Result<Response, Problem> {
    if app.is_ready.load(Relaxed) && !app.catalog.all().is_empty() {
        Ok(caching::uncached(TEXT, "tables are served\n"))
    } else {
        Err(Problem::NotReady)
    }
}

/// Metrics as Prometheus text.
#[utoipa::path(get, path = "/metrics", responses((status = 200, description = "counts and times, as Prometheus reads them", body = String, content_type = "text/plain")))]
pub(super) async fn metrics(State(app): State<Shared>) -> Response {
    caching::uncached("text/plain; version=0.0.4; charset=utf-8", app.metrics.render())
}

/// This OpenAPI description.
#[utoipa::path(get, path = "/api/openapi.json", responses((status = 200, description = "OpenAPI 3.1", body = Object)))]
pub(super) async fn openapi(Extension(json): Extension<Bytes>) -> Response {
    caching::uncached(JSON, json)
}
