//! The endpoint for one position.

use axum::response::Response;
use bouton_answers::{Answer, BoardTable, LookUpCost, Question, QuestionKind, look_up_within};
use bouton_lookup::{LookUpOptions, Policy};
use bouton_tables::Game;
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::{PolicyName, QuestionRequest, TableName, flag, policy, table_response};
use crate::problem::{ErrorResponse, Problem};

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
    /// How to choose a move in a lost position: longest (the default) or trap. `fastest`, which names the choice in
    /// a won position, means longest here.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    policy: Policy,
}

/// The best move in one position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/lookup",
    params(TableName, LookupParams),
    responses((status = 200, description = "the answer", body = Answer), ErrorResponse)
)]
pub(super) async fn lookup(request: QuestionRequest<LookupParams>) -> Result<Response, Problem> {
    let QuestionRequest { app, table, by_digest, question: params, headers } = request;
    let options = LookUpOptions { policy: params.policy, list_moves: params.moves };
    let question = InJson { position: params.position, options };
    let json = if table.is_quick && is_light(options) {
        table.ask(question)?
    } else {
        table.ask_heavy(&app.work, question).await?
    };
    app.positions.increment(1);
    Ok(table_response(&headers, &table, by_digest, json))
}

/// Returns whether the answer neither lists nor compares all moves.
pub(super) fn is_light(options: LookUpOptions) -> bool {
    !options.list_moves && options.policy == Policy::default()
}

/// The question for the best move, whose answer is written as JSON without a serializer.
struct InJson {
    position: String,
    options: LookUpOptions,
}

impl Question for InJson {
    type Answer = String;

    fn answer<S: BoardTable>(self, table: &S, cost: LookUpCost) -> Result<String, bouton_answers::Refusal> {
        let position = table.game().read_position(&self.position)?;
        let mut budget = cost.budget(QuestionKind::Position(self.options));
        Ok(look_up_within(table, &position, self.options, &mut budget)?.to_json())
    }
}
