//! The endpoint that compares the verdicts of two tables on one position.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bouton_answers::{CompareQuestion, Diff, check_comparable, compare};

use super::app::Shared;
use super::extract::{Params, to_json};
use crate::caching::{self, JSON};
use crate::problem::{ErrorResponse, Problem};

/// The answers of two tables.
#[utoipa::path(
    get,
    path = "/api/diff",
    params(CompareQuestion),
    responses((status = 200, description = "the answers of both tables, and what differs", body = Diff), ErrorResponse)
)]
pub(super) async fn diff(
    State(app): State<Shared>,
    Params(question): Params<CompareQuestion>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let ((a, _), (b, _)) = (app.table(&question.a).await?, app.table(&question.b).await?);
    check_comparable((&a.about.name, a.ruleset()), (&b.about.name, b.ruleset()))?;
    let tag = caching::tag(&[&a.about.digest, &b.about.digest]);
    let first = a.ask_heavy(&app.work, question.clone()).await?;
    let second = b.ask_heavy(&app.work, question).await?;
    let diff = compare((&a.about, first), (&b.about, second))?;
    Ok(caching::tagged(&headers, JSON, to_json(&diff), &tag))
}
