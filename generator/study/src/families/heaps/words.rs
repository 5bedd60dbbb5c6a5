//! Heap games in words.

use bouton_tables::Game;
use bouton_tables::heaps::{Heap, HeapRules, Take};

use crate::words::{InWords, count, grouped, play};

impl InWords for HeapRules {
    fn in_words(&self) -> String {
        let (any, several) = (*self.take() == Take::Any, self.heaps_per_move() > 1);
        let name = match (any, several, self.equal_take()) {
            (true, false, _) => "Nim",
            (true, true, false) => "Moore's Nim",
            (true, true, true) if self.heaps() == 2 => "Wythoff's game",
            (false, false, _) => "Subtraction game",
            _ => "Heap game",
        };
        let mut parts = vec![name.to_owned(), bounds(self.bounds())];
        match self.take() {
            Take::Any => {}
            Take::UpTo(most) => parts.push(format!("take up to {}", grouped((*most).into()))),
            Take::Exactly(amounts) => parts.push(format!("take {}", listed(amounts, "or"))),
        }
        if several && name != "Wythoff's game" {
            let same = if self.equal_take() { ", the same from each" } else { "" };
            parts.push(format!("from up to {} heaps{same}", self.heaps_per_move()));
        }
        if self.passes() > 0 {
            parts.push(count(self.passes().into(), "pass", "passes"));
        }
        parts.push(play(self.play()).to_owned());
        parts.join(", ")
    }

    fn start_in_words(&self) -> String {
        self.show_position(&self.start())
    }

    fn parts_of_position(&self) -> &'static str {
        if self.passes() > 0 { "heaps/passes left" } else { "heaps in any order" }
    }

    fn smaller(&self) -> &'static str {
        if self.passes() > 0 {
            "fewer heaps, smaller ones or fewer passes"
        } else {
            "fewer heaps or smaller ones"
        }
    }
}

fn bounds(bounds: &[Heap]) -> String {
    match bounds {
        [only] => format!("a heap of up to {}", count((*only).into(), "stone", "stones")),
        [first, rest @ ..] if rest.iter().all(|bound| bound == first) => {
            format!("{} heaps of up to {}", bounds.len(), count((*first).into(), "stone", "stones"))
        }
        _ => format!("heaps of up to {} stones", listed(bounds, "and")),
    }
}

/// How many numbers of a long list are named before the last one.
const NAMED: usize = 8;

fn listed(numbers: &[Heap], and: &str) -> String {
    let shown = |number: &Heap| grouped((*number).into());
    match numbers {
        [] => String::new(),
        [only] => shown(only),
        [some @ .., last] if some.len() <= NAMED => {
            format!("{} {and} {}", some.iter().map(shown).collect::<Vec<_>>().join(", "), shown(last))
        }
        [some @ .., last] => {
            let some: Vec<String> = some.iter().take(NAMED).map(shown).collect();
            format!("{}, … {and} {}", some.join(", "), shown(last))
        }
    }
}
