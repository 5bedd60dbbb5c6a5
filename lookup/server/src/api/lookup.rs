//! One position.

use axum::response::Response;
use bouton_lookup::{MoveReply, Options, Policy, Reply, look_up};
use bouton_tables::{AnswerText, Game, MoveOf, MoveSet, Outcome, PositionOf};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::extract::{Asked, Name, PolicyName, flag, policy};
use crate::board::{Effort, Shown};
use crate::caching::{self, JSON};
use crate::limits;
use crate::problem::{Problem, Refusal};
use crate::tables::Question;
use crate::work::Budget;

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

/// What a table knows of a position.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it describes `AnswerText`, for the interface's description")]
pub(super) struct KnownAnswer {
    /// For the player to move: win or loss.
    outcome: String,
    /// Plies to the end under best play; absent if the table holds no depths.
    #[schema(nullable = false)]
    depth: Option<u32>,
    /// The best move; `null` if the game is over.
    #[schema(required)]
    best: Option<String>,
    /// All winning moves, in the order in which moves are listed.
    winning: Vec<String>,
}

/// The answer for one position, as `bouton-lookup --json` prints it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Answer {
    /// The position as canonical text.
    pub(super) position: String,
    #[serde(flatten)]
    #[schema(value_type = KnownAnswer)]
    pub(super) known: AnswerText,
    /// All legal moves, best first, with `moves=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    moves: Option<Vec<LegalMove>>,
}

/// A legal move.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LegalMove {
    /// The move.
    #[serde(rename = "move")]
    chosen: String,
    /// For the player who makes it.
    outcome: &'static str,
    /// The depth of the position it leads to; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    depth: Option<u32>,
}

impl<S: Shown> From<&Reply<'_, S>> for Answer {
    fn from(reply: &Reply<S>) -> Self {
        let legal = |known: &MoveReply<MoveOf<S>>| LegalMove {
            chosen: known.chosen.to_string(),
            outcome: known.outcome.as_str(),
            depth: known.depth,
        };
        Self {
            position: reply.game.show_position(reply.position),
            known: AnswerText::from(&reply.answer),
            moves: reply.moves.as_ref().map(|moves| moves.iter().map(legal).collect()),
        }
    }
}

/// The best move in one position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/lookup",
    params(Name, LookupParams),
    responses((status = 200, body = Answer), Refusal)
)]
pub(super) async fn lookup(asked: Asked<LookupParams>) -> Result<Response, Problem> {
    let Asked { app, table, question, headers } = asked;
    let json = if table.quick && is_light(question.options()) {
        table.ask(question)?
    } else {
        table.ask_heavy(&app.work, question).await?
    };
    app.positions.increment(1);
    Ok(caching::tagged(&headers, JSON, json, &table.tag))
}

/// Whether an answer looks at the position alone.
pub(super) fn is_light(options: Options) -> bool {
    !options.moves && options.policy == Policy::default()
}

impl LookupParams {
    fn options(&self) -> Options {
        Options { policy: self.policy, moves: self.moves }
    }
}

impl Question for LookupParams {
    type Answer = String;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<String, Problem> {
        let position = table.game().read_position(&self.position)?;
        Ok(look_up_within(table, effort, &position, self.options(), &mut Budget::default())?.to_json())
    }
}

/// Writing a move with its verdict costs as much as looking along this many ways to move; naming one costs the second
/// number. This also bounds the length of an answer.
const LISTED: u64 = 20;
const NAMED: u64 = 4;

/// Looks a position up, if the answer stays within the limits on its length and on the work it takes.
pub(super) fn look_up_within<'a, S: Shown>(
    table: &'a S,
    effort: Effort,
    position: &'a PositionOf<S>,
    options: Options,
    budget: &mut Budget,
) -> Result<Reply<'a, S>, Problem> {
    let game = table.game();
    // A single answer is always allowed.
    budget.spend(effort.answer.min(limits::STEPS))?;
    // In a won position, every policy makes the table's own best move.
    let compares =
        options.moves || options.policy == Policy::Trap && table.verdict(position)?.outcome == Outcome::Loss;
    if compares {
        let moves = game.moves(position).take(limits::MOVES + 1).count();
        check_number(moves)?;
        let trap = options.policy == Policy::Trap;
        let each = if trap { effort.answer } else { effort.verdict };
        budget.spend(moves as u64 * each.max(LISTED))?;
        for chosen in game.moves(position).filter(|_| trap) {
            let replies = game.moves(&game.after(position, chosen)).take(limits::STEPS as usize).count();
            budget.spend(replies as u64)?;
        }
    }
    let reply = look_up(table, position, options)?;
    let winning = reply.answer.winning.len();
    check_number(winning)?;
    budget.spend(winning as u64 * NAMED)?;
    Ok(reply)
}

fn check_number(moves: usize) -> Result<(), Problem> {
    if moves <= limits::MOVES {
        return Ok(());
    }
    Err(Problem::TooMuch(format!(
        "the answer would list or compare more than {} moves; leave out moves=true and policy=trap, or use bouton-lookup",
        limits::MOVES
    )))
}
