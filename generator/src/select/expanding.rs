//! The fields of a position of Expanding Nim.

use bouton_tables::expanding::{Expanding, Position};

use super::{Field, Fields, Span};

impl Fields for Expanding {
    fn fields(&self) -> Vec<Field> {
        vec![
            Field::number("stones"),
            Field::number("currentmax"),
            Field::number("turn"),
            Field { name: "resets", numbers: 2, words: &[] },
            Field { name: "imposed", numbers: 1, words: &["-", "r"] },
        ]
    }

    fn number(&self, position: &Position, field: usize, place: usize) -> u64 {
        match field {
            0 => position.stones.into(),
            1 => position.currentmax.into(),
            2 => position.turn.number().into(),
            3 => position.resets[place].into(),
            _ => position.imposed.into(),
        }
    }

    fn of_starts(&self) -> Vec<(&'static str, Vec<Span>)> {
        vec![
            ("stones", vec![Span { from: 1, to: u64::MAX }]),
            ("currentmax", vec![Span::only(0)]),
            ("turn", vec![Span::only(1)]),
            ("resets", self.resets().map(|resets| Span::only(resets.into())).to_vec()),
            ("imposed", vec![Span::only(0)]),
        ]
    }
}
