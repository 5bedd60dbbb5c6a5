//! One position.

use axum::response::Response;
use bouton_answers::{Answer, Asking, Effort, Question, Shown, look_up_within};
use bouton_lookup::{Options, Policy};
use bouton_tables::Game;
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::{Asked, Name, PolicyName, flag, given, policy};
use crate::problem::{Problem, Refusal};

/// The query.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct LookupParams {
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

/// The best move in one position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/lookup",
    params(Name, LookupParams),
    responses((status = 200, description = "the answer", body = Answer), Refusal)
)]
pub(super) async fn lookup(asked: Asked<LookupParams>) -> Result<Response, Problem> {
    let Asked { app, table, by_digest, question: LookupParams { position, moves, policy }, headers } = asked;
    let options = Options { policy, moves };
    let question = InJson { position, options };
    let json = if table.quick && is_light(options) {
        table.ask(question)?
    } else {
        table.ask_heavy(&app.work, question).await?
    };
    app.positions.increment(1);
    Ok(given(&headers, &table, by_digest, json))
}

/// Whether an answer looks at the position alone.
pub(super) fn is_light(options: Options) -> bool {
    !options.moves && options.policy == Policy::default()
}

/// The best move, written without a serializer.
struct InJson {
    position: String,
    options: Options,
}

impl Question for InJson {
    type Answer = String;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<String, bouton_answers::Refusal> {
        let position = table.game().read_position(&self.position)?;
        let mut budget = effort.budget(Asking::Position(self.options));
        Ok(look_up_within(table, effort, &position, self.options, &mut budget)?.to_json())
    }
}
