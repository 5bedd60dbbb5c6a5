//! The main line: the rest of the game if both players make their best moves, which a policy chooses in lost positions.

use bouton_lookup::{LookUpOptions, Policy};
use bouton_tables::Game;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::board::BoardTable;
use crate::budget::{Budget, LookUpCost, QuestionKind};
use crate::look_up::look_up_within;
use crate::parameters::{PolicyName, policy, read_value};
use crate::{Question, Refusal};

/// Maximum number of plies of a main line.
const MAX_PLIES: usize = 10_000;
/// Default number of plies of a main line.
const DEFAULT_PLIES: usize = 1_000;

/// The question for the main line from a position.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LineQuestion {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    pub position: String,
    /// How to choose a move in a lost position; the default is longest.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    pub policy: Policy,
    /// The most plies to return; the default is 1,000.
    #[serde(default = "default_plies", deserialize_with = "plies")]
    #[param(minimum = 1, maximum = 10_000)]
    pub plies: usize,
}

fn default_plies() -> usize {
    DEFAULT_PLIES
}

fn plies<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let allowed = format!("a whole number from 1 to {MAX_PLIES}");
    read_value(deserializer, "plies", &allowed, |plies| (1..=MAX_PLIES).contains(plies))
}

/// The main line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MainLine {
    /// The position as canonical text.
    pub position: String,
    /// Outcome for the player to move.
    #[schema(value_type = crate::board::Outcome)]
    pub outcome: &'static str,
    /// Plies to the end under best play; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub depth: Option<u32>,
    /// The moves, in order.
    pub line: Vec<Ply>,
    /// Whether the line ends with the game.
    pub finished: bool,
}

/// A move of the line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Ply {
    /// The move.
    #[serde(rename = "move")]
    pub chosen: String,
    /// The position after the move.
    pub position: String,
    /// Outcome of that position, for its player to move.
    #[schema(value_type = crate::board::Outcome)]
    pub outcome: &'static str,
    /// Depth of that position; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub depth: Option<u32>,
}

impl Question for LineQuestion {
    type Answer = MainLine;

    fn answer<S: BoardTable>(self, table: &S, cost: LookUpCost) -> Result<MainLine, Refusal> {
        let game = table.game();
        let start = game.read_position(&self.position)?;
        let options = LookUpOptions { policy: self.policy, list_moves: false };
        let mut budget = cost.budget(QuestionKind::Line(self.policy));
        let best = |position: &_, budget: &mut Budget| {
            let answer = look_up_within(table, position, options, budget)?.answer;
            Ok::<_, Refusal>((answer.best, answer.verdict))
        };
        let (mut chosen, verdict) = best(&start, &mut budget)?;
        let (mut position, mut line) = (start.clone(), Vec::new());
        while let Some(next) = chosen.filter(|_| line.len() < self.plies.min(MAX_PLIES)) {
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
