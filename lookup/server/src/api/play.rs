//! What the page asks of a position while people play: all that a board shows, the main line, and the argument.

use axum::response::Response;
use bouton_lookup::{Options, Policy, Refuted, refute};
use bouton_study::game_map::Mapped;
use bouton_tables::{AnswerText, Game};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::extract::{Asked, At, Name, PolicyName, plies, policy};
use super::lookup::{KnownAnswer, look_up_within};
use crate::board::{Board, BoardView, Effort, Shown};
use crate::limits;
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
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    policy: Policy,
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
    #[serde(flatten)]
    #[schema(value_type = KnownAnswer)]
    known: AnswerText,
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
    outcome: &'static str,
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
pub(super) async fn state(asked: Asked<StateParams>) -> Result<Response, Problem> {
    asked.answer().await
}

impl Question for StateParams {
    type Answer = BoardState;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<BoardState, Problem> {
        let game = table.game();
        let position = game.read_position(&self.position)?;
        let options = Options { policy: self.policy, moves: true };
        let reply = look_up_within(table, effort, &position, options, &mut Budget::default())?;
        let possible = reply.moves.iter().flatten().map(|known| Possible {
            chosen: known.chosen.to_string(),
            words: game.move_in_words(known.chosen),
            to: game.show_position(&game.after(&position, known.chosen)),
            outcome: known.outcome.as_str(),
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
            known: AnswerText::from(&reply.answer),
            moves,
        })
    }
}

/// The query.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct LineParams {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    position: String,
    /// How to choose a move in a lost position: longest (the default; fastest means the same) or trap.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    policy: Policy,
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
    outcome: &'static str,
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
    outcome: &'static str,
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
pub(super) async fn line(asked: Asked<LineParams>) -> Result<Response, Problem> {
    asked.answer().await
}

impl Question for LineParams {
    type Answer = MainLine;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<MainLine, Problem> {
        let game = table.game();
        let start = game.read_position(&self.position)?;
        let options = Options { policy: self.policy, moves: false };
        let most = self.plies.unwrap_or(limits::USUAL_PLIES);
        let mut budget = Budget::default();
        let best = |position: &_, budget: &mut Budget| {
            let answer = look_up_within(table, effort, position, options, budget)?.answer;
            Ok::<_, Problem>((answer.best, answer.verdict))
        };
        let (mut chosen, verdict) = best(&start, &mut budget)?;
        let (mut position, mut line) = (start.clone(), Vec::new());
        while let Some(next) = chosen.filter(|_| line.len() < most) {
            position = game.after(&position, next);
            let (following, verdict) = best(&position, &mut budget)?;
            line.push(Ply {
                chosen: next.to_string(),
                position: game.show_position(&position),
                outcome: verdict.outcome.as_str(),
                depth: verdict.depth,
            });
            chosen = following;
        }
        Ok(MainLine {
            position: game.show_position(&start),
            outcome: verdict.outcome.as_str(),
            depth: verdict.depth,
            line,
            finished: chosen.is_none(),
        })
    }
}

/// The argument.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Why {
    /// The position as canonical text.
    position: String,
    /// For the player to move.
    outcome: &'static str,
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
pub(super) async fn why(asked: Asked<At>) -> Result<Response, Problem> {
    asked.answer().await
}

impl Question for At {
    type Answer = Why;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<Why, Problem> {
        let game = table.game();
        let position = game.read_position(&self.position)?;
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
            outcome: refutation.outcome.as_str(),
            text: table.explain(&position)?,
            best: refutation.best.map(|best| best.to_string()),
            of: game.show_position(&refutation.of),
            replies: replies.collect(),
            more: refutation.more,
        })
    }
}
