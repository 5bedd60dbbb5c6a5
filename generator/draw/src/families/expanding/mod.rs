//! Planes of Expanding Nim: stones and currentmax.

pub(crate) mod starts;

use bouton_study::filter::Filter;
use bouton_tables::Game;
use bouton_tables::expanding::{Expanding, Position, Turn};

use crate::drawable::{Drawable, PlaneView, axis, fixed_number};
use crate::error::Result;

impl Drawable for Expanding {
    const SQUARE: bool = false;
    const OUTSIDE: &'static str = "cannot arise";

    fn plane(&self, filter: &Filter) -> Result<Option<PlaneView<Position>>> {
        let turn = fixed_number(filter, "turn", 0, 1)?;
        let mut resets = self.resets();
        for (player, left) in resets.iter_mut().enumerate() {
            // A number beyond u8::MAX becomes u8::MAX, which no position has either.
            *left = fixed_number(filter, "resets", player, (*left).into())?.min(u8::MAX.into()) as u8;
        }
        let imposed = fixed_number(filter, "imposed", 0, 0)? == 1;
        let x = axis("stones left", self.stones(), filter.span("stones", 0));
        let greatest = self.greatest_currentmax().into();
        let y = axis("currentmax: most taken at once", greatest, filter.span("currentmax", 0));
        let (Some(x), Some(y), 1..=2) = (x, y, turn) else { return Ok(None) };
        let turn = if turn == 1 { Turn::First } else { Turn::Second };
        let pattern = Position { stones: 0, currentmax: 0, turn, resets, imposed };
        Ok(Some(PlaneView { x, y, pattern, free: [0; 2] }))
    }

    fn position_at(&self, plane: &PlaneView<Position>, x: u64, y: u64) -> Option<Position> {
        let position = Position { stones: x, currentmax: y as u32, ..plane.pattern.clone() };
        self.check(&position).is_ok().then_some(position)
    }

    fn describe(&self, plane: &PlaneView<Position>) -> String {
        let Position { turn, resets: [first, second], imposed, .. } = plane.pattern;
        let imposed = if imposed { "a reset imposed" } else { "nothing imposed" };
        format!("resets {first},{second}, player {} to move, {imposed}", turn.number())
    }
}
