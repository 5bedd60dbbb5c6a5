//! The fields of a position of Expanding Nim.

use std::ops::Range;

use bouton_tables::expanding::{Expanding, ExpandingRegion, Position, Turn};

use crate::groups::Groups;
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

/// A group has the positions with one number of stones and one currentmax.
impl Groups for ExpandingRegion {
    fn groups(&self, filter: &Filter) -> Range<u64> {
        let Span { from, to } = filter.span("stones", 0);
        let most = u64::from(self.stones());
        let end = self.pairs_below(to.min(most) as u32 + 1);
        if from > most { end..end } else { self.pairs_below(from as u32).min(end)..end }
    }

    fn group(&self, filter: &Filter, group: u64) -> impl Iterator<Item = Position> {
        let (stones, currentmax) = self.pair(group);
        let selected = filter.span("currentmax", 0).has(currentmax.into());
        let turns = if selected { self.turns() } else { &[] };
        selected_at(filter, (stones, currentmax), turns, self.resets())
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
    let pairs = firsts.flat_map(move |first| seconds.clone().map(move |second| [first as u8, second as u8]));
    let rest = pairs.flat_map(move |resets| imposed.clone().map(move |imposed| (resets, imposed == 1)));
    turns.flat_map(move |&turn| {
        rest.clone().map(move |(resets, imposed)| Position { stones, currentmax, turn, resets, imposed })
    })
}

#[cfg(test)]
mod tests {
    use bouton_tables::Game;
    use bouton_tables::expanding::ExpandingKeys;

    use super::*;
    use crate::groups::tests::check_groups;

    fn rules() -> Expanding {
        ExpandingKeys { stones: 30, resets: [2, 1], ..Default::default() }.rules().unwrap()
    }

    #[test]
    fn groups_have_the_positions_that_a_walk_finds_in_order() {
        for text in [
            "",
            "stones=3..7 currentmax=2..",
            "resets=1..,*",
            "turn=2 imposed=r",
            "stones=40..",
            "resets=2,1 currentmax=0 turn=1 imposed=-",
            "stones=30",
            "turn=3",
        ] {
            check_groups(&rules(), text);
        }
    }

    #[test]
    fn starts_are_selected_besides_what_else_is_asked_for() {
        let rules = rules();
        let filter = Filter::parse(&rules, true, "stones=..4").unwrap().starts(&rules);
        let region = rules.region().unwrap();
        let starts = region.groups(&filter).flat_map(|group| region.group(&filter, group));
        let texts: Vec<String> = starts.map(|position| position.to_string()).collect();
        assert_eq!(texts, ["1/0/1/2,1/-", "2/0/1/2,1/-", "3/0/1/2,1/-", "4/0/1/2,1/-"]);
    }
}
