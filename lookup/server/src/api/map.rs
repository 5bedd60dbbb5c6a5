//! The part of a table around a position.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bouton_tables::{Game, Outcome};
use serde::Serialize;
use utoipa::ToSchema;

use super::Shared;
use super::answer::answer;
use super::extract::{At, Name, Params};
use crate::board::{Axis, Board, Effort, Shown};
use crate::problem::{Problem, Refusal};
use crate::tables::Question;
use crate::work::Budget;

/// The part of a table around a position.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PartOfTable {
    /// The position as canonical text.
    position: String,
    /// The axis along a row.
    x: Axis,
    /// The axis from row to row; `null` if there is only one row.
    y: Option<Axis>,
    /// A string for each row, with a character for each column: W won or L lost for the player to move, a dot where there
    /// is no position.
    outcomes: Vec<String>,
    /// An array for each row, with a depth for each column; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    depths: Option<Vec<Vec<Option<u32>>>>,
}

/// The part of the table around a position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/map",
    params(Name, At),
    responses((status = 200, body = PartOfTable), Refusal)
)]
pub(super) async fn map(
    State(app): State<Shared>,
    name: Name,
    Params(at): Params<At>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let question = Around(at.position);
    answer(&app, &name, &headers, question).await
}

struct Around(String);

impl Question for Around {
    type Answer = PartOfTable;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<PartOfTable, Problem> {
        let game = table.game();
        let position = game.parse_position(&self.0)?;
        let plane = game.plane(&position);
        let mut budget = Budget::default();
        let (mut outcomes, mut depths) = (Vec::new(), Vec::new());
        let rows = plane.y.as_ref().map_or(0..=0, |y| y.from..=y.to);
        for y in rows {
            budget.spend(u64::from(plane.x.to - plane.x.from + 1) * effort.verdict)?;
            let mut row = (String::new(), Vec::new());
            for x in plane.x.from..=plane.x.to {
                let verdict =
                    game.at(&position, &plane, x, y).map(|there| table.verdict(&there)).transpose()?;
                row.0.push(match verdict.map(|verdict| verdict.outcome) {
                    None => '.',
                    Some(Outcome::Win) => 'W',
                    Some(Outcome::Loss) => 'L',
                });
                row.1.push(verdict.and_then(|verdict| verdict.depth));
            }
            outcomes.push(row.0);
            depths.push(row.1);
        }
        Ok(PartOfTable {
            position: game.show_position(&position),
            x: plane.x,
            y: plane.y,
            outcomes,
            depths: table.has_depths().then_some(depths),
        })
    }
}
