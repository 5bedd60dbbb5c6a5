//! Implementations of this crate's traits for Expanding Nim.

mod analyze;
mod diff;
mod filter;
mod sheet;

use bouton_tables::expanding::{Expanding, Position, Turn};

use crate::game_map::Mappable;
use crate::words::{InWords, count, grouped, play};

/// The usual base limit and reset limit, which descriptions omit.
const USUAL_LIMIT: u32 = 3;

impl InWords for Expanding {
    fn in_words(&self) -> String {
        let mut parts = vec!["Expanding Nim".to_owned(), count(self.stones(), "stone", "stones")];
        if self.base_limit() != USUAL_LIMIT {
            parts.push(format!("base limit {}", grouped(self.base_limit().into())));
        }
        parts.push(format!("growth {}", grouped(self.growth().into())));
        if self.reset_limit() != self.base_limit().min(USUAL_LIMIT) {
            parts.push(format!("reset limit {}", grouped(self.reset_limit().into())));
        }
        let [first, second] = self.resets();
        parts.push(format!("resets {first},{second}"));
        parts.push(play(self.play()).to_owned());
        parts.join(", ")
    }

    fn start_in_words(&self) -> String {
        count(self.stones(), "stone", "stones")
    }

    fn parts_of_position(&self) -> &'static str {
        "stones/currentmax/turn/resets/imposed"
    }

    fn smaller(&self) -> &'static str {
        "fewer stones, fewer resets or less growth"
    }

    fn counted_for(&self) -> &'static str {
        ", with either player to move,"
    }
}

impl Mappable for Expanding {
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
        let mut lines = vec![format!("{stones}/{currentmax}")];
        if self.resets() != [0, 0] {
            lines.push(format!("{ours},{theirs}{}", if imposed { " r" } else { "" }));
        }
        lines
    }

    fn level(position: &Position) -> (u64, u8) {
        (position.stones, 0)
    }
}
