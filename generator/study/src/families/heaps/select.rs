//! The fields of a position of a heap game.

use bouton_tables::heaps::{HeapRegion, HeapRules, Position};

use crate::groups::Groups;
use crate::select::{Field, Fields, Span};

impl Fields for HeapRules {
    fn fields(&self) -> Vec<Field> {
        vec![
            Field { name: "heaps", numbers: self.heaps(), words: &[] },
            Field::number("nonempty"),
            Field::number("total"),
            Field::number("passes"),
        ]
    }

    fn number(position: &Position, field: usize, place: usize) -> u64 {
        match field {
            0 => position.heaps[place].into(),
            1 => position.heaps.iter().filter(|&&heap| heap > 0).count() as u64,
            2 => position.heaps.iter().map(|&heap| u64::from(heap)).sum(),
            _ => position.passes.into(),
        }
    }

    fn of_starts(&self) -> Vec<(&'static str, Vec<Span>)> {
        vec![("passes", vec![Span::only(self.passes().into())])]
    }
}

impl Groups for HeapRegion {}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::HeapKeys;

    use crate::groups::tests::check_groups;

    #[test]
    fn groups_have_the_positions_that_a_walk_finds_in_order() {
        let rules = HeapKeys { bounds: vec![3, 5, 7], passes: 1, ..Default::default() }.rules().unwrap();
        for text in ["", "heaps=0..1,*,5", "total=4.. nonempty=2", "passes=1", "total=100"] {
            check_groups(&rules, text);
        }
    }
}
