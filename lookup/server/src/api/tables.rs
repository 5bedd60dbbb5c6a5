//! The tables that are served.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::Shared;
use super::answer::to_json;
use super::extract::{Name, Nothing, Params};
use crate::caching::{self, JSON};
use crate::problem::{Problem, Refusal};
use crate::tables::{About, Refused};

/// The tables that are served.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct List {
    /// Sorted by name.
    tables: Vec<About>,
    /// Files that cannot be served. If an older table of the same name was served before, it still is.
    refused: Vec<Refused>,
}

/// All tables.
#[utoipa::path(get, path = "/api/tables", responses((status = 200, body = List), Refusal))]
pub(super) async fn tables(
    State(app): State<Shared>,
    Params(Nothing {}): Params<Nothing>,
) -> Result<Response, Problem> {
    let tables = app.shelf.all().iter().map(|table| table.about().clone()).collect();
    let list = List { tables, refused: app.shelf.refused() };
    Ok(caching::untagged(JSON, to_json(&list)))
}

/// One table.
#[utoipa::path(
    get,
    path = "/api/tables/{name}",
    params(Name),
    responses((status = 200, body = About), Refusal)
)]
pub(super) async fn table(
    State(app): State<Shared>,
    Name { name }: Name,
    Params(Nothing {}): Params<Nothing>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let table = app.shelf.get(&name)?;
    let json = to_json(table.about());
    Ok(caching::tagged(&headers, JSON, json, table.tag()))
}
