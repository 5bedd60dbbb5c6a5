//! The endpoint that compares the verdicts of two tables on one position.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bouton_answers::{CompareQuestion, Diff, check_comparable, compare};
use bouton_lookup::{LookUpOptions, Policy};
use serde::Deserialize;
use utoipa::IntoParams;

use super::app::Shared;
use super::extract::{Params, PolicyName, flag, policy, to_json};
use crate::caching::{self, JSON};
use crate::problem::{ErrorResponse, Problem};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct DiffParams {
    /// The name of one table.
    #[param(example = "sticks")]
    a: String,
    /// The name of the other table.
    #[param(example = "sticks-normal")]
    b: String,
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    position: String,
    /// Whether to list all legal moves.
    #[serde(default, deserialize_with = "flag")]
    moves: bool,
    /// How to choose a move in a lost position: longest (the default) or trap. `fastest`, which names the choice in
    /// a won position, means longest here.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    policy: Policy,
}

/// The answers of two tables.
#[utoipa::path(
    get,
    path = "/api/diff",
    params(DiffParams),
    responses((status = 200, description = "the answers of both tables, and what differs", body = Diff), ErrorResponse)
)]
pub(super) async fn diff(
    State(app): State<Shared>,
    Params(params): Params<DiffParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let ((a, _), (b, _)) = (app.table(&params.a).await?, app.table(&params.b).await?);
    let options = LookUpOptions { policy: params.policy, list_moves: params.moves };
    check_comparable((&a.about.name, a.ruleset()), (&b.about.name, b.ruleset()))?;
    let tag = caching::tag(&[&a.about.digest, &b.about.digest]);
    let question = CompareQuestion { position: params.position, options };
    let first = a.ask_heavy(&app.work, question.clone()).await?;
    let second = b.ask_heavy(&app.work, question).await?;
    let diff = compare((&a.about, first), (&b.about, second))?;
    Ok(caching::tagged(&headers, JSON, to_json(&diff), &tag))
}
