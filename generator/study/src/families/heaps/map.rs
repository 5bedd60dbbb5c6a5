//! Maps of heap games.

use bouton_tables::Game;
use bouton_tables::heaps::{HeapRules, Position};

use crate::game_map::Mapped;

impl Mapped for HeapRules {
    fn key(position: &Position) -> Position {
        let mut heaps = position.heaps;
        heaps.sort_unstable();
        Position { heaps, ..*position }
    }

    fn label(&self, position: &Position) -> Vec<String> {
        vec![self.show_position(&Self::key(position))]
    }

    fn level(position: &Position) -> (u64, u8) {
        (position.heaps.iter().map(|&heap| u64::from(heap)).sum(), position.passes)
    }
}
