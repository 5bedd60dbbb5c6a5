//! The argument: why a position is won or lost.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bouton_lookup::{Refuted, refute};
use bouton_tables::{Game, Outcome};
use serde::Serialize;
use utoipa::ToSchema;

use super::Shared;
use super::answer::answer;
use super::extract::{At, Name, Params};
use crate::board::{Effort, Shown};
use crate::limits;
use crate::problem::{Problem, Refusal};
use crate::tables::Question;
use crate::work::Budget;

/// The argument.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Why {
    /// The position as canonical text.
    position: String,
    /// For the player to move.
    #[schema(value_type = String)]
    outcome: Outcome,
    /// The argument in words.
    text: String,
    /// The best move of a won position; `null` in a lost one.
    best: Option<String>,
    /// The lost position whose moves are refuted: where `best` leads, or the position itself.
    of: String,
    /// Its moves, each with the answer to it.
    replies: Vec<Refutation>,
    /// How many moves it has beyond those.
    more: usize,
}

/// A move of a lost position, and its refutation.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Refutation {
    /// The move.
    #[serde(rename = "move")]
    chosen: String,
    /// Where it leads.
    to: String,
    /// A winning move there; `null` if the game is over.
    answer: Option<String>,
    /// Where the answer leads; `null` if there is none.
    then: Option<String>,
}

/// Why a position is won or lost.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/why",
    params(Name, At),
    responses((status = 200, body = Why), Refusal)
)]
pub(super) async fn why(
    State(app): State<Shared>,
    name: Name,
    Params(at): Params<At>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    answer(&app, &name, &headers, at).await
}

impl Question for At {
    type Answer = Why;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<Why, Problem> {
        let game = table.game();
        let position = game.parse_position(&self.position)?;
        Budget::default().spend((limits::REPLIES as u64 + 1) * effort.answer)?;
        let refutation = refute(table, &position, limits::REPLIES)?;
        let replies = refutation.replies.iter().map(|Refuted { chosen, to, answer }| Refutation {
            chosen: chosen.to_string(),
            to: game.show_position(to),
            answer: answer.as_ref().map(|(best, _)| best.to_string()),
            then: answer.as_ref().map(|(_, then)| game.show_position(then)),
        });
        Ok(Why {
            position: game.show_position(&position),
            outcome: refutation.outcome,
            text: table.explain(&position)?,
            best: refutation.best.map(|best| best.to_string()),
            of: game.show_position(&refutation.of),
            replies: replies.collect(),
            more: refutation.more,
        })
    }
}
