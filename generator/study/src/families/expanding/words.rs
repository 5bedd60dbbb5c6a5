//! Expanding Nim in words.

use bouton_tables::expanding::Expanding;

use crate::words::{InWords, count, grouped, play};

/// The limits with which Expanding Nim is usually played are left out.
const USUAL_LIMIT: u32 = 3;

impl InWords for Expanding {
    fn in_words(&self) -> String {
        let mut parts = vec!["Expanding Nim".to_owned(), count(self.stones().into(), "stone", "stones")];
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
        count(self.stones().into(), "stone", "stones")
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
