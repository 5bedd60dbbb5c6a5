//! One position.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bouton_lookup::{Options, Policy, Reply, look_up};
use bouton_tables::{Game, MoveSet, Outcome};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Shared;
use super::extract::{Name, Params, PolicyName, flag};
use crate::board::{Effort, PositionOf, Shown};
use crate::caching::{self, JSON};
use crate::limits;
use crate::problem::{Problem, Refusal};
use crate::tables::Question;
use crate::work::Budget;

/// What is asked.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct LookupParams {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    position: String,
    /// Whether to list every legal move.
    #[serde(default, deserialize_with = "flag")]
    moves: bool,
    /// How to choose in a lost position: longest (the default; fastest is the same), or trap.
    #[param(inline)]
    policy: Option<PolicyName>,
}

/// What is known of a position, as `bouton_lookup::Reply` writes it.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "it describes what is written elsewhere, for the interface's description")]
pub(super) struct Answer {
    /// Canonical text.
    position: String,
    /// For the player to move: win or loss.
    outcome: String,
    /// Plies to the end under best play, if the table holds depths.
    #[schema(nullable = false)]
    depth: Option<u32>,
    /// The best move.
    #[schema(required)]
    best: Option<String>,
    /// Every winning move, in the natural order.
    winning: Vec<String>,
    /// Every legal move, best first, if asked for.
    #[schema(nullable = false)]
    moves: Option<Vec<LegalMove>>,
}

/// A legal move.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "it describes what is written elsewhere, for the interface's description")]
pub(super) struct LegalMove {
    /// The move.
    #[serde(rename = "move")]
    chosen: String,
    /// For the player who makes it.
    outcome: String,
    /// Depth of the position that it leads to, if the table holds depths.
    #[schema(nullable = false)]
    depth: Option<u32>,
}

/// The best move.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/lookup",
    params(Name, LookupParams),
    responses((status = 200, body = Answer), Refusal)
)]
pub(super) async fn lookup(
    State(app): State<Shared>,
    Name { name }: Name,
    Params(params): Params<LookupParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let table = app.shelf.get(&name)?;
    let options = Options { policy: PolicyName::policy(params.policy), moves: params.moves };
    let question = One { position: params.position, options };
    let json = if table.is_quick() && is_light(options) {
        table.ask(question)?
    } else {
        table.ask_heavy(&app.work, question).await?
    };
    app.positions.increment(1);
    Ok(caching::tagged(&headers, JSON, json, table.tag()))
}

/// Whether an answer looks at the position alone.
pub(super) fn is_light(options: Options) -> bool {
    !options.moves && options.policy == Policy::default()
}

struct One {
    position: String,
    options: Options,
}

impl Question for One {
    type Answer = String;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<String, Problem> {
        let position = table.game().parse_position(&self.position)?;
        Ok(look_up_within(table, effort, &position, self.options, &mut Budget::default())?.to_json())
    }
}

/// To write down a move with all that is known of it takes as long as looking along so many, and to name it. Besides, it
/// bounds how long an answer gets.
const LISTED: u64 = 20;
const NAMED: u64 = 4;

/// Looks a position up, if the answer is one that the service gives: not too long, nor too long to work out.
pub(super) fn look_up_within<'a, S: Shown>(
    table: &'a S,
    effort: Effort,
    position: &'a PositionOf<S>,
    options: Options,
    budget: &mut Budget,
) -> Result<Reply<'a, S>, Problem> {
    let game = table.game();
    // A single answer is always given.
    budget.spend(effort.answer.min(limits::STEPS))?;
    // A won position is won by the table's own best move, whatever the policy.
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
        "the answer would list or compare more than {} moves; ask without moves=true and policy=trap, or ask bouton-lookup",
        limits::MOVES
    )))
}
