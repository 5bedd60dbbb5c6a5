//! Heap games.

mod numbers;
mod picture;

use std::cmp::Reverse;

use bouton_tables::heaps::{HeapRules, HeapTable, Move, Position};
use bouton_tables::{FamilyTable, Map};

use super::Playable;

impl Playable for HeapRules {
    type Table = HeapTable<Map>;

    fn of_table(table: &FamilyTable<Map>) -> Option<&HeapTable<Map>> {
        match table {
            FamilyTable::Heaps(table) => Some(table),
            _ => None,
        }
    }

    fn start_of(_: u32) -> Option<String> {
        None
    }

    fn has_resets(&self) -> bool {
        false
    }

    fn misread(&self, position: &Position) -> Position {
        *position
    }

    fn in_order(position: &Position) -> Option<Position> {
        let ordered = position.heaps.is_sorted_by(|a, b| a >= b);
        (!ordered).then(|| Position { heaps: position.heaps.descending(), ..*position })
    }

    fn out_of_order(position: &Position, chosen: Move) -> Move {
        let mut rows: Vec<usize> = (0..position.heaps.len()).collect();
        rows.sort_by_key(|&row| Reverse(position.heaps[row]));
        let mut told = Move::PASS;
        chosen.takes().for_each(|(place, take)| told.set(rows[place], take));
        told
    }

    fn with_reset(_: Move) -> Option<Move> {
        None
    }
}
