//! The fields of a position of a heap game.

use bouton_tables::heaps::{HeapRules, Position};

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
