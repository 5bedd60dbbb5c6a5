//! The main line: both players make the best move.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bouton_lookup::{Options, Policy};
use bouton_tables::{Game, Outcome};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Shared;
use super::answer::answer;
use super::extract::{Name, Params, PolicyName, plies};
use super::lookup::look_up_within;
use crate::board::{Effort, Shown};
use crate::limits;
use crate::problem::{Problem, Refusal};
use crate::tables::Question;
use crate::work::Budget;

/// The query.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct LineParams {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    position: String,
    /// How to choose a move in a lost position: longest (the default; fastest means the same) or trap.
    #[param(inline)]
    policy: Option<PolicyName>,
    /// The most plies to return; the default is 1,000.
    #[serde(default, deserialize_with = "plies")]
    #[param(minimum = 1, maximum = 10_000)]
    plies: Option<usize>,
}

/// The main line.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MainLine {
    /// The position as canonical text.
    position: String,
    /// For the player to move.
    #[schema(value_type = String)]
    outcome: Outcome,
    /// Plies to the end under best play; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    depth: Option<u32>,
    /// The moves, in order.
    line: Vec<Ply>,
    /// Whether the line ends with the game.
    finished: bool,
}

/// A move of the line.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Ply {
    /// The move.
    #[serde(rename = "move")]
    chosen: String,
    /// Where it leads.
    position: String,
    /// The outcome there, for the player to move there.
    #[schema(value_type = String)]
    outcome: Outcome,
    /// The depth there; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    depth: Option<u32>,
}

/// The main line under best play.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/line",
    params(Name, LineParams),
    responses((status = 200, body = MainLine), Refusal)
)]
pub(super) async fn line(
    State(app): State<Shared>,
    name: Name,
    Params(params): Params<LineParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let policy = PolicyName::policy(params.policy);
    let plies = params.plies.unwrap_or(limits::USUAL_PLIES);
    let question = Main { position: params.position, policy, plies };
    answer(&app, &name, &headers, question).await
}

struct Main {
    position: String,
    policy: Policy,
    plies: usize,
}

impl Question for Main {
    type Answer = MainLine;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<MainLine, Problem> {
        let game = table.game();
        let start = game.parse_position(&self.position)?;
        let options = Options { policy: self.policy, moves: false };
        let mut budget = Budget::default();
        let best = |position: &_, budget: &mut Budget| {
            let answer = look_up_within(table, effort, position, options, budget)?.answer;
            Ok::<_, Problem>((answer.best, answer.verdict))
        };
        let (mut chosen, verdict) = best(&start, &mut budget)?;
        let (mut position, mut line) = (start.clone(), Vec::new());
        while let Some(next) = chosen.filter(|_| line.len() < self.plies) {
            position = game.after(&position, next);
            let (following, verdict) = best(&position, &mut budget)?;
            line.push(Ply {
                chosen: next.to_string(),
                position: game.show_position(&position),
                outcome: verdict.outcome,
                depth: verdict.depth,
            });
            chosen = following;
        }
        Ok(MainLine {
            position: game.show_position(&start),
            outcome: verdict.outcome,
            depth: verdict.depth,
            line,
            finished: chosen.is_none(),
        })
    }
}
