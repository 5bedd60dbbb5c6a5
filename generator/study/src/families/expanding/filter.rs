//! Filters of positions of Expanding Nim: the fields, and groups that contain only selected positions.

use std::ops::Range;

use bouton_tables::expanding::{Expanding, ExpandingRegion, Position, Turn, first_where};

use crate::filter::{Field, Fields, Filter, Span};
use crate::groups::GroupedRegion;

impl Fields for Expanding {
    fn fields(&self) -> Vec<Field> {
        vec![
            Field::number("stones").of_bytes(if self.stones() > u32::MAX.into() { 8 } else { 4 }),
            Field::number("currentmax"),
            Field::ranged("turn", 1, 2).of_bytes(1),
            Field::list("resets", "resets", 2).of_bytes(1),
            Field::word("imposed", &["-", "r"]).of_bytes(1),
        ]
    }

    fn number(position: &Position, field: usize, index: usize) -> u64 {
        match field {
            0 => position.stones,
            1 => position.currentmax.into(),
            2 => position.turn.number().into(),
            3 => position.resets[index].into(),
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
        0..SelectedPairs::new(self, filter).below(u64::MAX).div_ceil(PAIRS_PER_GROUP)
    }

    fn group(&self, filter: &Filter, group: u64) -> impl Iterator<Item = Position> {
        let pairs =
            SelectedPairs::new(self, filter).walk(group * PAIRS_PER_GROUP).take(PAIRS_PER_GROUP as usize);
        pairs.flat_map(|pair| selected_at(filter, pair, self.turns(), self.resets()))
    }

    fn indices(&self, _: u64) -> Option<Range<u64>> {
        None
    }

    fn count_selected(&self, filter: &Filter) -> Option<u64> {
        // Every selected pair of stones and currentmax has the same number of selected positions.
        let positions_per_pair = selected_at(filter, (0, 0), self.turns(), self.resets()).count() as u64;
        Some(SelectedPairs::new(self, filter).below(u64::MAX) * positions_per_pair)
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
    fn below(&self, stones: u64) -> u64 {
        let to_u32 = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let Span { from, to } = self.currentmax;
        // Pairs with fewer stones and a selected currentmax.
        let pairs_below = |stones: u64| {
            let lesser =
                from.checked_sub(1).map_or(0, |below| self.region.pairs_up_to(stones, to_u32(below)));
            self.region.pairs_up_to(stones, to_u32(to)).saturating_sub(lesser)
        };
        let end = stones.min(self.stones.to.saturating_add(1));
        pairs_below(end).saturating_sub(pairs_below(self.stones.from))
    }

    /// Returns the selected pairs from index `number`, which must be at most their count.
    fn walk(self, number: u64) -> impl Iterator<Item = (u64, u32)> + use<'a> {
        let least = first_where(0..self.region.stones(), |stones| self.below(stones + 1) > number);
        // Number of pairs with the least number of stones that come before this index.
        let skipped = number - self.below(least);
        let stones = Span { from: self.stones.from.max(least), ..self.stones };
        stones.up_to(self.region.stones()).flat_map(move |stones| {
            let skipped = if stones == least { skipped } else { 0 };
            let values = Span { from: self.currentmax.from + skipped, ..self.currentmax };
            let greatest = self.region.max_currentmax(stones);
            values.up_to(greatest.into()).map(move |currentmax| (stones, currentmax as u32))
        })
    }
}

/// Returns the positions with the given stones and currentmax that a filter selects by the other fields, in natural order. They have
/// a turn from `turns`, and at most the resets of the last argument.
pub(super) fn selected_at(
    filter: &Filter,
    (stones, currentmax): (u64, u32),
    turns: &[Turn],
    [first, second]: [u8; 2],
) -> impl Iterator<Item = Position> {
    let span = |field, index| filter.span(field, index);
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
    fn groups_have_the_selected_positions_of_a_walk_in_order() {
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
    fn a_filter_restricted_to_starts_keeps_its_other_conditions() {
        let rules = rules();
        let filter = Filter::parse(&rules, true, "stones=..4").unwrap().only_starts(&rules);
        let region = rules.region().unwrap();
        let starts = region.groups(&filter).flat_map(|group| region.group(&filter, group));
        let texts: Vec<String> = starts.map(|position| position.to_string()).collect();
        assert_eq!(texts, ["1/0/1/2,1/-", "2/0/1/2,1/-", "3/0/1/2,1/-", "4/0/1/2,1/-"]);
    }
}
