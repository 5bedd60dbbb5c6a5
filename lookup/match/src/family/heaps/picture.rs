//! Heap games as a person at the keyboard sees them.

use bouton_tables::heaps::{HeapRules, Position};

use crate::family::Illustrated;
use crate::family::illustrated::sticks;

impl Illustrated for HeapRules {
    fn picture(&self, position: &Position) -> String {
        let mut lines: Vec<String> = (1..)
            .zip(position.heaps.iter())
            .map(|(row, &heap)| format!("{row:>3}: {}", sticks(heap)).trim_end().to_owned())
            .collect();
        if self.passes() > 0 {
            lines.push(format!("passes left: {}", position.passes));
        }
        lines.join("\n")
    }

    fn help(&self) -> String {
        let mut text = String::from("A move is ROW:TAKE: 1:2 takes 2 from row 1.");
        if self.heaps_per_move() > 1 {
            text += " 1:2+2:1 takes from two rows at once.";
        }
        text += "\nA position is the sizes of the rows, with commas between them";
        if self.passes() > 0 {
            text += ", and behind a slash the passes left. `pass` passes";
        }
        text + "."
    }
}
