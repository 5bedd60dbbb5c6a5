//! Maps of Expanding Nim.

use bouton_tables::expanding::{Expanding, Position, Turn};

use crate::game_map::Mapped;

impl Mapped for Expanding {
    fn notation(&self) -> &'static str {
        match self.resets() {
            [0, 0] => ". In each: stones/currentmax",
            _ => {
                ". In each: stones/currentmax; resets of the player to move and of the other; r where a reset binds the turn"
            }
        }
    }

    fn key(position: &Position) -> Position {
        let mut resets = position.resets;
        if position.turn == Turn::Second {
            resets.reverse();
        }
        Position { turn: Turn::First, resets, ..position.clone() }
    }

    fn label(&self, position: &Position) -> Vec<String> {
        let Position { stones, currentmax, resets: [ours, theirs], imposed, .. } = Self::key(position);
        let mut second = if self.resets() == [0, 0] { String::new() } else { format!("{ours},{theirs}") };
        second.push_str(if imposed { " r" } else { "" });
        let first = format!("{stones}/{currentmax}");
        if second.is_empty() { vec![first] } else { vec![first, second] }
    }

    fn level(position: &Position) -> (u64, u8) {
        (position.stones.into(), 0)
    }
}
