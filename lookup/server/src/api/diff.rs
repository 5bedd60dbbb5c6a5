//! The verdict under two rulesets, side by side.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bouton_lookup::{Options, Policy};
use bouton_study::diff::same_family;
use bouton_tables::AnswerText;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Shared;
use super::extract::{Params, PolicyName, flag, policy, to_json};
use super::lookup::{Answer, look_up_within};
use crate::board::{Board, Effort, Shown};
use crate::caching::{self, JSON};
use crate::problem::{Problem, Refusal};
use crate::tables::{About, Question, Served};
use crate::work::Budget;

/// The query.
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
    /// How to choose a move in a lost position: longest (the default; fastest means the same) or trap.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    policy: Policy,
}

/// The verdicts under two rulesets.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Diff {
    /// The position as canonical text of table a.
    position: String,
    /// The verdict of table a.
    a: Side,
    /// The verdict of table b.
    b: Side,
    /// What differs: some of outcome, depth, best, winning.
    differ: Vec<&'static str>,
}

/// The answer of one table.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Side {
    /// The name of the table.
    name: String,
    /// Its digest.
    digest: String,
    #[serde(flatten)]
    answer: Answer,
}

/// The answers of two tables.
#[utoipa::path(
    get,
    path = "/api/diff",
    params(DiffParams),
    responses((status = 200, body = Diff), Refusal)
)]
pub(super) async fn diff(
    State(app): State<Shared>,
    Params(params): Params<DiffParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (a, b) = (app.shelf.get(&params.a)?, app.shelf.get(&params.b)?);
    let options = Options { policy: params.policy, moves: params.moves };
    let names = [&a, &b].map(|table| format!("'{}'", table.about.name));
    same_family(names.each_ref().map(String::as_str), a.ruleset(), b.ruleset())
        .map_err(Problem::BadRequest)?;
    let tag = caching::tag(&[&a.about.digest, &b.about.digest]);
    let question = Both { position: params.position, options };
    let first = a.ask_heavy(&app.work, question.clone()).await.map_err(|problem| of(&a, problem))?;
    let second = b.ask_heavy(&app.work, question).await.map_err(|problem| of(&b, problem))?;
    let (position, differ) = (first.position.clone(), differ(&first.known, &second.known));
    let side = |table: &Served, answer| {
        let About { name, digest, .. } = table.about.clone();
        Side { name, digest, answer }
    };
    let diff = Diff { position, a: side(&a, first), b: side(&b, second), differ };
    Ok(caching::tagged(&headers, JSON, to_json(&diff), &tag))
}

/// Says which of the two tables does not cover a position.
fn of(table: &Served, problem: Problem) -> Problem {
    match problem {
        Problem::BadPosition(why) => Problem::BadPosition(format!("{}: {why}", table.about.name)),
        problem => problem,
    }
}

/// The question to both tables.
#[derive(Clone)]
struct Both {
    position: String,
    options: Options,
}

impl Question for Both {
    type Answer = Answer;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<Answer, Problem> {
        let position = table.game().parse_of_other(&self.position)?;
        let reply = look_up_within(table, effort, &position, self.options, &mut Budget::default())?;
        Ok(Answer::from(&reply))
    }
}

fn differ(a: &AnswerText, b: &AnswerText) -> Vec<&'static str> {
    let both_hold = a.depth.is_some() && b.depth.is_some();
    // With depths, the best move is chosen differently than without.
    let same_measure = a.depth.is_some() == b.depth.is_some();
    let found = [
        ("outcome", a.outcome != b.outcome),
        ("depth", both_hold && a.depth != b.depth),
        ("best", same_measure && a.best != b.best),
        ("winning", a.winning != b.winning),
    ];
    found.into_iter().filter_map(|(what, differs)| differs.then_some(what)).collect()
}
