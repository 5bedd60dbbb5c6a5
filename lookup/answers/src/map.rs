//! The part of a table around a position.

use bouton_study::game_map::Reachable;
use bouton_tables::{Game, Outcome};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::board::{Axis, Board, BoardTable};
use crate::budget::{LookUpCost, QuestionKind};
use crate::parameters::read_value;
use crate::{Question, Refusal};

/// The question for the part of the table around a position.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PartOfTableQuestion {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    pub position: String,
    /// The number on the x axis around which the part lies; by default, the position's.
    #[serde(default, deserialize_with = "x")]
    #[param(minimum = 0)]
    pub x: Option<u64>,
    /// The number on the y axis around which the part lies; by default, the position's.
    #[serde(default, deserialize_with = "y")]
    #[param(minimum = 0)]
    pub y: Option<u64>,
}

fn x<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    read_value(deserializer, "x", "a whole number", |_| true).map(Some)
}

fn y<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    read_value(deserializer, "y", "a whole number", |_| true).map(Some)
}

/// The part of a table around a position.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PartOfTable {
    /// The position as canonical text.
    pub position: String,
    /// The axis along a row.
    pub x: Axis,
    /// The axis from row to row; `null` if there is only one row.
    #[schema(required)]
    pub y: Option<Axis>,
    /// Whether the game from this position is small enough for `game-map`.
    pub game_map: bool,
    /// A string for each row, with a character for each column: W won or L lost for the player to move, a dot if there
    /// is no position.
    pub outcomes: Vec<String>,
    /// An array for each row, with a depth for each column; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub depths: Option<Vec<Vec<Option<u32>>>>,
}

impl Question for PartOfTableQuestion {
    type Answer = PartOfTable;

    fn answer<S: BoardTable>(self, table: &S, cost: LookUpCost) -> Result<PartOfTable, Refusal> {
        let game = table.game();
        let position = game.read_position(&self.position)?;
        let plane = game.plane(&position, [self.x, self.y]);
        let mut budget = cost.budget(QuestionKind::Map);
        let (mut outcomes, mut depths) = (Vec::new(), Vec::new());
        let rows = plane.y.as_ref().map_or(0..=0, |y| y.from..=y.to);
        for y in rows {
            budget.spend((plane.x.to - plane.x.from + 1) * cost.verdict)?;
            let (mut row, mut depths_of_row) = (String::new(), Vec::new());
            for x in plane.x.from..=plane.x.to {
                let verdict = game
                    .position_at(&position, &plane, x, y)
                    .map(|there| table.verdict(&there))
                    .transpose()?;
                row.push(match verdict.map(|verdict| verdict.outcome) {
                    None => '.',
                    Some(Outcome::Win) => 'W',
                    Some(Outcome::Loss) => 'L',
                });
                depths_of_row.push(verdict.and_then(|verdict| verdict.depth));
            }
            outcomes.push(row);
            depths.push(depths_of_row);
        }
        Ok(PartOfTable {
            position: game.show_position(&position),
            x: plane.x,
            y: plane.y,
            game_map: Reachable::collect(game, &position).is_ok(),
            outcomes,
            depths: table.has_depths().then_some(depths),
        })
    }
}
