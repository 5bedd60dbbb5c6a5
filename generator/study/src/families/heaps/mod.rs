//! Implementations of this crate's traits for heap games.

mod analyze;
mod diff;
mod sheet;

use bouton_tables::Game;
use bouton_tables::heaps::{Heap, HeapRegion, HeapRules, Heaps, MAX_HEAPS, MoveKind, Position, Take};

use crate::filter::{Field, Fields, Span};
use crate::game_map::Mappable;
use crate::groups::GroupedRegion;
use crate::words::{InWords, count, grouped, play};

/// Returns the stones of all heaps together.
fn total(position: &Position) -> u64 {
    position.heaps.iter().map(|&heap| u64::from(heap)).sum()
}

/// Counts the heaps with stones.
fn nonempty(position: &Position) -> u64 {
    position.heaps.iter().filter(|&&heap| heap > 0).count() as u64
}

/// Returns whether each heap can get a span of its own in which it lies: the heaps 5 and 1 fit the spans 0..2 and 5..5.
fn heaps_fit(mut heaps: Heaps, spans: &[Span]) -> bool {
    if heaps.iter().zip(spans).all(|(&heap, span)| span.has(heap.into())) {
        return true;
    }
    heaps.sort_unstable();
    let mut taken = [false; MAX_HEAPS];
    // Each heap, in ascending order, takes the span that ends first among the free ones that contain it. This greedy choice is safe:
    // a later heap is at least as great, so if it lies in that span, it also lies in the others, which end later.
    heaps.iter().all(|&heap| {
        let free = spans.iter().enumerate().filter(|&(index, span)| !taken[index] && span.has(heap.into()));
        let first = free.min_by_key(|(_, span)| span.to);
        first.inspect(|&(index, _)| taken[index] = true).is_some()
    })
}

impl Fields for HeapRules {
    fn fields(&self) -> Vec<Field> {
        vec![
            Field::list("heaps", "heap", self.heaps()),
            Field::number("nonempty").of_bytes(0),
            Field::number("total").of_bytes(0),
            Field::number("passes").of_bytes(usize::from(self.passes() > 0)),
        ]
    }

    fn number(position: &Position, field: usize, index: usize) -> u64 {
        match field {
            0 => position.heaps[index].into(),
            1 => nonempty(position),
            2 => total(position),
            _ => position.passes.into(),
        }
    }

    fn lies_in(position: &Position, field: usize, spans: &[Span]) -> bool {
        match field {
            0 => heaps_fit(position.heaps, spans),
            _ => spans.iter().all(|span| span.has(Self::number(position, field, 0))),
        }
    }

    fn start_fields(&self) -> Vec<(&'static str, Vec<Span>)> {
        vec![("passes", vec![Span::only(self.passes().into())])]
    }
}

impl GroupedRegion for HeapRegion {}

impl Mappable for HeapRules {
    fn key(position: &Position) -> Position {
        let mut heaps = position.heaps;
        heaps.sort_unstable();
        Position { heaps, ..*position }
    }

    fn label(&self, position: &Position) -> Vec<String> {
        vec![self.show_position(&Self::key(position))]
    }

    fn level(position: &Position) -> (u64, u8) {
        (total(position), position.passes)
    }
}

/// Returns the numbers of heaps that a move may take from, such as `up to 3`, `exactly 2` or `1 or 3`.
pub(super) fn heap_counts(rules: &HeapRules) -> String {
    let counts = rules.heap_counts();
    let numbers: Vec<Heap> = counts.numbers().collect();
    match &numbers[..] {
        _ if counts.is_up_to() => format!("up to {}", counts.greatest()),
        [count] => format!("exactly {count}"),
        _ => amounts_in_words(&numbers),
    }
}

impl InWords for HeapRules {
    fn in_words(&self) -> String {
        let several = self.heaps_per_move() > 1;
        let is_exact = self.heap_counts().numbers().count() == 1 && !self.equal_take();
        let name = match (self.move_kind(), self.take()) {
            (MoveKind::AnyFromOne, _) => "Nim",
            (MoveKind::AmountsFromOne(_), _) => "Subtraction game",
            (MoveKind::AnyFromSeveral(_), _) => "Moore's Nim",
            (MoveKind::SameFromSeveral(_), _) if self.heaps() == 2 => "Wythoff's game",
            (MoveKind::Other, Take::Any) if is_exact => "Exact Nim",
            (MoveKind::Other, Take::UpTo(1)) if is_exact => "Exact slow Nim",
            _ => "Heap game",
        };
        let mut parts = vec![name.to_owned(), bounds(self.bounds())];
        match self.take() {
            Take::Any => {}
            Take::UpTo(most) => parts.push(format!("take up to {}", grouped((*most).into()))),
            Take::Exactly(amounts) => parts.push(format!("take {}", amounts_in_words(amounts))),
        }
        if several && name != "Wythoff's game" {
            let same = if self.equal_take() { ", the same from each" } else { "" };
            parts.push(format!("from {} heaps{same}", heap_counts(self)));
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

/// Writes the bounds of heaps: "3 heaps of up to 5 stones".
fn bounds(bounds: &[Heap]) -> String {
    match bounds {
        [only] => format!("a heap of up to {}", count((*only).into(), "stone", "stones")),
        [first, rest @ ..] if rest.iter().all(|bound| bound == first) => {
            format!("{} heaps of up to {}", bounds.len(), count((*first).into(), "stone", "stones"))
        }
        _ => format!("heaps of up to {} stones", list_in_words(bounds, "and")),
    }
}

/// Writes the amounts that a move may take: "1, 3 or 4". Adds the number of amounts if the list is abridged.
fn amounts_in_words(amounts: &[Heap]) -> String {
    let list = list_in_words(amounts, "or");
    if amounts.len() > MAX_NAMED + 1 {
        format!("{list} ({} amounts)", grouped(amounts.len() as u64))
    } else {
        list
    }
}

/// Maximum number of numbers that a list names before its last one.
const MAX_NAMED: usize = 8;

/// Writes a list of numbers, with the word `and` before the last one. Abridges a long list.
fn list_in_words(numbers: &[Heap], and: &str) -> String {
    let words: Vec<String> = numbers.iter().map(|&number| grouped(number.into())).collect();
    match &words[..] {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] if first.len() > MAX_NAMED => {
            format!("{}, … {and} {last}", first[..MAX_NAMED].join(", "))
        }
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::HeapKeys;

    use crate::groups::tests::check_groups;

    #[test]
    fn groups_have_the_selected_positions_of_a_walk_in_order() {
        let rules = HeapKeys { bounds: vec![3, 5, 7], passes: 1, ..Default::default() }.rules().unwrap();
        for text in [
            "",
            "heaps=0..1,*,5",
            "heaps=5,0..1,*",
            "heaps=7,4..5,2..6",
            "total=4.. nonempty=2",
            "passes=1",
            "total=100",
        ] {
            check_groups(&rules, text);
        }
    }
}
