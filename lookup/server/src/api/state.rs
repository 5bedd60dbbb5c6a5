//! Everything that a board shows.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bouton_lookup::Options;
use bouton_study::game_map::Mapped;
use bouton_tables::{Game, MoveSet, Outcome};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Shared;
use super::answer::answer;
use super::extract::{Name, Params, PolicyName};
use super::lookup::look_up_within;
use crate::board::{Board, BoardView, Effort, Shown};
use crate::problem::{Problem, Refusal};
use crate::tables::Question;
use crate::work::Budget;

/// The query.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct StateParams {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    position: String,
    /// How to choose a move in a lost position: longest (the default; fastest means the same) or trap.
    #[param(inline)]
    policy: Option<PolicyName>,
}

/// Everything that a board shows.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BoardState {
    /// The position as canonical text.
    position: String,
    /// The same for all positions that differ only in the order of their heaps or in the player to move.
    key: String,
    /// `expanding` or `heaps`.
    game: &'static str,
    /// The player to move, 1 or 2; `null` if the position does not say.
    player: Option<u8>,
    /// Whether no move is left.
    over: bool,
    #[serde(flatten)]
    view: BoardView,
    /// For the player to move.
    #[schema(value_type = String)]
    outcome: Outcome,
    /// Plies to the end under best play; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    depth: Option<u32>,
    /// The best move; `null` if the game is over.
    best: Option<String>,
    /// All winning moves, in the order in which moves are listed.
    winning: Vec<String>,
    /// All legal moves, best first.
    moves: Vec<Possible>,
}

/// A legal move, and where it leads.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Possible {
    /// The move.
    #[serde(rename = "move")]
    chosen: String,
    /// The move in words.
    words: String,
    /// The position it leads to.
    to: String,
    /// For the player who makes it.
    #[schema(value_type = String)]
    outcome: Outcome,
    /// The depth of the position it leads to; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    depth: Option<u32>,
}

/// Everything that a board shows.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/state",
    params(Name, StateParams),
    responses((status = 200, body = BoardState), Refusal)
)]
pub(super) async fn state(
    State(app): State<Shared>,
    name: Name,
    Params(params): Params<StateParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let options = Options { policy: PolicyName::policy(params.policy), moves: true };
    let question = Position { position: params.position, options };
    answer(&app, &name, &headers, question).await
}

struct Position {
    position: String,
    options: Options,
}

impl Question for Position {
    type Answer = BoardState;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<BoardState, Problem> {
        let game = table.game();
        let position = game.parse_position(&self.position)?;
        let reply = look_up_within(table, effort, &position, self.options, &mut Budget::default())?;
        let possible = reply.moves.iter().flatten().map(|known| Possible {
            chosen: known.chosen.to_string(),
            words: game.move_in_words(known.chosen),
            to: game.show_position(&game.after(&position, known.chosen)),
            outcome: known.outcome,
            depth: known.depth,
        });
        let moves: Vec<Possible> = possible.collect();
        Ok(BoardState {
            position: game.show_position(&position),
            key: game.show_position(&<S::Game as Mapped>::key(&position)),
            game: S::Game::FAMILY,
            player: game.player(&position),
            over: moves.is_empty(),
            view: game.board_view(&position),
            outcome: reply.answer.verdict.outcome,
            depth: reply.answer.verdict.depth,
            best: reply.answer.best.map(|best| best.to_string()),
            winning: reply.answer.winning.iter().map(|chosen| chosen.to_string()).collect(),
            moves,
        })
    }
}
