//! Filters on positions of Expanding Nim: their fields, and groups of positions that a filter can exclude.

use std::ops::Range;

use bouton_tables::expanding::{Expanding, ExpandingRegion, Position, Turn};

use crate::groups::GroupedRegion;
use crate::select::{Field, Fields, Filter, Span};

impl Fields for Expanding {
    fn fields(&self) -> Vec<Field> {
        vec![
            Field::number("stones"),
            Field::number("currentmax"),
            Field::ranged("turn", 1, 2),
            Field::several("resets", 2),
            Field::word("imposed", &["-", "r"]),
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

    fn start_fields(&self) -> Vec<(&'static str, Vec<Span>)> {
        vec![
            ("stones", vec![Span { from: 1, to: u64::MAX }]),
            ("currentmax", vec![Span::only(0)]),
            ("turn", vec![Span::only(1)]),
            ("resets", self.resets().map(|resets| Span::only(resets.into())).to_vec()),
            ("imposed", vec![Span::only(0)]),
        ]
    }
}

/// Number of pairs of stones and currentmax in a group.
const PAIRS_PER_GROUP: u64 = 64;

/// A group has the selected positions of [`PAIRS_PER_GROUP`] consecutive pairs of stones and currentmax.
impl GroupedRegion for ExpandingRegion {
    fn groups(&self, filter: &Filter) -> Range<u64> {
        0..SelectedPairs::new(self, filter).below(u32::MAX).div_ceil(PAIRS_PER_GROUP)
    }

    fn group(&self, filter: &Filter, group: u64) -> impl Iterator<Item = Position> {
        let pairs =
            SelectedPairs::new(self, filter).walk(group * PAIRS_PER_GROUP).take(PAIRS_PER_GROUP as usize);
        pairs.flat_map(|pair| selected_at(filter, pair, self.turns(), self.resets()))
    }

    fn indices(&self, _: u64) -> Option<Range<u64>> {
        None
    }

    fn selected(&self, filter: &Filter) -> Option<u64> {
        // Every pair has the same number of selected positions.
        let of_each = selected_at(filter, (0, 0), self.turns(), self.resets()).count() as u64;
        Some(SelectedPairs::new(self, filter).below(u32::MAX) * of_each)
    }
}

/// The pairs of stones and currentmax that a filter selects, by stones, then by currentmax.
#[derive(Clone, Copy)]
struct SelectedPairs<'a> {
    region: &'a ExpandingRegion,
    stones: Span,
    currentmax: Span,
}

impl<'a> SelectedPairs<'a> {
    fn new(region: &'a ExpandingRegion, filter: &Filter) -> Self {
        Self { region, stones: filter.span("stones", 0), currentmax: filter.span("currentmax", 0) }
    }

    /// Counts the selected pairs with fewer than `stones` stones.
    fn below(&self, stones: u32) -> u64 {
        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let Span { from, to } = self.currentmax;
        let in_plane = |stones: u32| {
            let lesser =
                from.checked_sub(1).map_or(0, |below| self.region.pairs_up_to(stones, number(below)));
            self.region.pairs_up_to(stones, number(to)).saturating_sub(lesser)
        };
        let end = stones.min(number(self.stones.to.saturating_add(1)));
        in_plane(end).saturating_sub(in_plane(number(self.stones.from)))
    }

    /// Returns the selected pairs from index `number`, which must be at most their count.
    fn walk(self, number: u64) -> impl Iterator<Item = (u32, u32)> + use<'a> {
        // Binary search for the greatest number of stones whose first pair has at most this index.
        let (mut low, mut high) = (0, self.region.stones() + 1);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.below(middle) <= number { low = middle } else { high = middle }
        }
        // Number of pairs with these stones to skip.
        let passed = number - self.below(low);
        let stones = Span { from: self.stones.from.max(low.into()), ..self.stones };
        stones.up_to(self.region.stones()).flat_map(move |stones| {
            let passed = if stones == low { passed } else { 0 };
            let values = Span { from: self.currentmax.from + passed, ..self.currentmax };
            values.up_to(self.region.most_currentmax(stones)).map(move |currentmax| (stones, currentmax))
        })
    }
}

/// Returns the positions with the given stones and currentmax that a filter selects by the other fields, in natural order: players to
/// move from `turns`, resets up to the last argument.
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
            "stones=5..20 currentmax=1..3",
            "stones=25.. currentmax=4..6 resets=*,0..1",
            "currentmax=100..",
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
