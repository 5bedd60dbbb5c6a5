//! One position: the best move, and on request all legal moves.

use std::fmt::Display;

use bouton_lookup::{LookUpOptions, Policy, RankedMove, Reply, look_up};
use bouton_tables::{AnswerText, Game, MoveSet, Outcome, PositionOf};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::board::BoardTable;
use crate::budget::{Budget, LookUpCost, MAX_LISTED_MOVES, QuestionKind};
use crate::parameters::{PolicyName, flag, policy};
use crate::{Question, Refusal};

/// The question for the best move in a position.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LookUpQuestion {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    pub position: String,
    /// Whether to list all legal moves.
    #[serde(default, deserialize_with = "flag")]
    pub moves: bool,
    /// How to choose a move in a lost position; the default is longest.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    pub policy: Policy,
}

impl LookUpQuestion {
    /// Returns the options of the lookup.
    pub fn options(&self) -> LookUpOptions {
        LookUpOptions { policy: self.policy, list_moves: self.moves }
    }
}

// The schema of [`AnswerText`]. No value of this type is made: it only describes the JSON to clients.
/// A table's answer for a position.
#[derive(Clone, Debug, ToSchema)]
pub struct KnownAnswer {
    /// Outcome for the player to move. If no move is left, the game is over: `win` means that the player to move has
    /// won, and `loss` that the player who moved last has.
    #[schema(value_type = crate::board::Outcome)]
    pub outcome: String,
    /// Plies to the end under best play; absent if the table holds no depths.
    #[schema(nullable = false)]
    pub depth: Option<u32>,
    /// The best move, which is also the first of `moves`; `null` if the game is over.
    #[schema(required)]
    pub best: Option<String>,
    /// All winning moves, in the natural order of moves.
    pub winning: Vec<String>,
}

/// The answer for one position, with the same keys as the JSON of `bouton-lookup`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Answer {
    /// The position as canonical text.
    pub position: String,
    /// The table's answer.
    #[serde(flatten)]
    #[schema(value_type = KnownAnswer)]
    pub known: AnswerText,
    /// All legal moves, best first, with `moves=true`; the first is `best`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub moves: Option<Vec<LegalMove>>,
}

/// A legal move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LegalMove {
    /// The move.
    #[serde(rename = "move")]
    pub chosen: String,
    /// Outcome for the player who makes the move.
    #[schema(value_type = crate::board::Outcome)]
    pub outcome: &'static str,
    /// Depth of the position after the move; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub depth_after: Option<u32>,
}

impl<M: Display> From<&RankedMove<M>> for LegalMove {
    fn from(known: &RankedMove<M>) -> Self {
        let (outcome, depth_after) = (known.outcome.as_str(), known.depth);
        Self { chosen: known.chosen.to_string(), outcome, depth_after }
    }
}

impl<S: BoardTable> From<&Reply<'_, S>> for Answer {
    fn from(reply: &Reply<S>) -> Self {
        Self {
            position: reply.game.show_position(reply.position),
            known: AnswerText::from(&reply.answer),
            moves: reply.moves.as_ref().map(|moves| moves.iter().map(LegalMove::from).collect()),
        }
    }
}

impl Question for LookUpQuestion {
    type Answer = Answer;

    fn answer<S: BoardTable>(self, table: &S, cost: LookUpCost) -> Result<Answer, Refusal> {
        let position = table.game().read_position(&self.position)?;
        let mut budget = cost.budget(QuestionKind::Position(self.options()));
        Ok((&look_up_within(table, &position, self.options(), &mut budget)?).into())
    }
}

/// Steps for writing a move with its verdict: with them, the limit on steps also bounds the length of an answer.
const LISTING_STEPS: u64 = 20;
/// Steps for writing a move without its verdict.
const NAMING_STEPS: u64 = 4;

/// Looks a position up, within the limits on length and on work.
///
/// # Errors
/// If a limit would be exceeded, or the table does not cover the position or is damaged.
pub fn look_up_within<'a, S: BoardTable>(
    table: &'a S,
    position: &'a PositionOf<S>,
    options: LookUpOptions,
    budget: &mut Budget,
) -> Result<Reply<'a, S>, Refusal> {
    let (game, cost) = (table.game(), budget.cost);
    // The answer for a single position is always allowed.
    budget.spend(cost.answer.min(cost.limit))?;
    // Without a list of moves, only `trap` in a lost position examines every move.
    let examines_moves =
        options.list_moves || options.policy == Policy::Trap && table.outcome(position)? == Outcome::Loss;
    if examines_moves {
        let moves = game.moves(position).take(MAX_LISTED_MOVES + 1).count();
        budget.check_moves(moves)?;
        let trap = options.policy == Policy::Trap;
        let each = if trap { cost.answer } else { cost.verdict };
        budget.spend(moves as u64 * each.max(LISTING_STEPS))?;
        for chosen in game.moves(position).filter(|_| trap) {
            let replies = game.moves(&game.after(position, chosen)).take(cost.limit as usize).count();
            budget.spend(replies as u64)?;
        }
    }
    let reply = look_up(table, position, options)?;
    let winning = reply.answer.winning.len();
    budget.check_moves(winning)?;
    budget.spend(winning as u64 * NAMING_STEPS)?;
    Ok(reply)
}
