//! The endpoint for one position.

use axum::response::Response;
use bouton_answers::{
    Answer, BoardTable, LookUpCost, LookUpQuestion, Question, QuestionKind, Refusal, look_up_within,
};
use bouton_lookup::{LookUpOptions, Policy};
use bouton_tables::Game;

use super::extract::{QuestionRequest, TableName, table_response};
use crate::problem::{ErrorResponse, Problem};

/// The best move in one position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/lookup",
    params(TableName, LookUpQuestion),
    responses((status = 200, description = "the answer", body = Answer), ErrorResponse)
)]
pub(super) async fn lookup(request: QuestionRequest<LookUpQuestion>) -> Result<Response, Problem> {
    let QuestionRequest { app, table, by_digest, question, headers } = request;
    let json = if table.is_quick && is_light(question.options()) {
        table.ask(InJson(question))?
    } else {
        table.ask_heavy(&app.work, InJson(question)).await?
    };
    app.positions.increment(1);
    Ok(table_response(&headers, &table, by_digest, json))
}

/// Returns whether the answer neither lists nor compares all moves.
pub(super) fn is_light(options: LookUpOptions) -> bool {
    !options.list_moves && options.policy == Policy::default()
}

/// The question for the best move, whose answer is written as JSON without a serializer.
struct InJson(LookUpQuestion);

impl Question for InJson {
    type Answer = String;

    fn answer<S: BoardTable>(self, table: &S, cost: LookUpCost) -> Result<String, Refusal> {
        let options = self.0.options();
        let position = table.game().read_position(&self.0.position)?;
        let mut budget = cost.budget(QuestionKind::Position(options));
        Ok(look_up_within(table, &position, options, &mut budget)?.to_json())
    }
}
