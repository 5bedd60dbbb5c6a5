//! Expanding Nim.

mod numbers;
mod picture;

use bouton_tables::expanding::{Expanding, ExpandingTable, Move, Position};
use bouton_tables::{FamilyTable, Map};

use super::Playable;

impl Playable for Expanding {
    type Table = ExpandingTable<Map>;

    fn of_table(table: &FamilyTable<Map>) -> Option<&ExpandingTable<Map>> {
        match table {
            FamilyTable::Expanding(table) => Some(table),
            _ => None,
        }
    }

    fn start_of(stones: u32) -> Option<String> {
        Some(stones.to_string())
    }

    fn has_resets(&self) -> bool {
        true
    }

    fn misread(&self, position: &Position) -> Position {
        let mut believed = position.clone();
        if position.imposed {
            // As if the low limit followed from currentmax: with growth 1 and a limit of 3, as if nobody had taken
            // more than 2.
            let believed_most = self.base_limit().saturating_sub(self.growth());
            believed.currentmax = position.currentmax.min(believed_most);
        }
        believed
    }

    fn in_order(_: &Position) -> Option<Position> {
        None
    }

    fn out_of_order(_: &Position, chosen: Move) -> Move {
        chosen
    }

    fn with_reset(chosen: Move) -> Option<Move> {
        Some(Move { reset: true, ..chosen })
    }
}
