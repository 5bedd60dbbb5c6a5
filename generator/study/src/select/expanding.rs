//! The fields of a position of Expanding Nim.

use std::ops::Range;

use bouton_tables::expanding::{Expanding, Position};

use super::{Choose, Field, Fields, Filter, Span};
use crate::Stones;

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

/// A group has the positions with one number of stones and one currentmax.
impl Choose for Stones {
    fn groups(&self, filter: &Filter) -> Range<u64> {
        let Span { from, to } = filter.span("stones", 0);
        let most = u64::from(self.stones());
        let end = self.pairs_below(to.min(most) as u32 + 1);
        if from > most { end..end } else { self.pairs_below(from as u32).min(end)..end }
    }

    fn group(&self, filter: &Filter, group: u64) -> impl Iterator<Item = Position> {
        let span = |field, place| filter.span(field, place);
        let (stones, currentmax) = self.pair(group);
        let chosen = span("currentmax", 0).has(currentmax.into());
        let [first, second] = self.resets();
        let (firsts, seconds) =
            (span("resets", 0).up_to(first.into()), span("resets", 1).up_to(second.into()));
        let imposed = span("imposed", 0).up_to(1);
        let turns =
            self.turns().iter().filter(move |turn| chosen && span("turn", 0).has(turn.number().into()));
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
}
