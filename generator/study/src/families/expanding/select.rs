//! The fields of a position of Expanding Nim.

use bouton_tables::expanding::{Expanding, Position, Turn};

use crate::select::{Field, Fields, Filter, Span};

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

    fn number(position: &Position, field: usize, place: usize) -> u64 {
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

/// The positions with these stones and this currentmax that a filter selects by all other fields, in natural order: of
/// these players to move, and with up to so many resets.
pub(super) fn selected_at(
    filter: &Filter,
    (stones, currentmax): (u32, u32),
    turns: &[Turn],
    [first, second]: [u8; 2],
) -> impl Iterator<Item = Position> {
    let span = |field, place| filter.span(field, place);
    let (firsts, seconds) = (span("resets", 0).up_to(first.into()), span("resets", 1).up_to(second.into()));
    let imposed = span("imposed", 0).up_to(1);
    let turns = turns.iter().filter(move |turn| span("turn", 0).has(turn.number().into()));
    turns.flat_map(move |&turn| {
        let (seconds, imposed) = (seconds.clone(), imposed.clone());
        firsts.clone().flat_map(move |first| {
            let imposed = imposed.clone();
            seconds.clone().flat_map(move |second| {
                imposed.clone().map(move |imposed| {
                    let resets = [first as u8, second as u8];
                    Position { stones, currentmax, turn, resets, imposed: imposed == 1 }
                })
            })
        })
    })
}
