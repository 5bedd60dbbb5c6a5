//! Visits the positions of a region in parallel, in groups of consecutive positions.
//!
//! A family can skip groups in which a filter selects nothing. Results of groups are combined in natural order.

use std::ops::Range;

use bouton_tables::{AskError, Game, Outcome, PositionOf, Region, Ruleset, Solved, with_rules};
use rayon::prelude::*;

use crate::MAX_POSITIONS;
use crate::error::{Result, check_count};
use crate::filter::{Fields, Filter};

/// Number of positions that a thread visits before it takes the next ones.
const CHUNK: u64 = 4096;

/// A region divided into numbered groups.
pub(crate) trait GroupedRegion: Region<Game: Fields> {
    /// Returns the numbers of the groups that may contain selected positions. By default, these are all groups.
    fn groups(&self, _filter: &Filter) -> Range<u64> {
        0..self.count().div_ceil(CHUNK)
    }

    /// Returns the positions of a group that a filter selects by their own fields, whatever their answers.
    fn group(&self, filter: &Filter, group: u64) -> impl Iterator<Item = <Self::Game as Game>::Position> {
        let positions = self.walk(group * CHUNK).take(CHUNK as usize);
        positions.filter(move |position| filter.selects_position::<Self::Game>(position))
    }

    /// Returns the indices of a group's positions; `None` if they are not consecutive.
    fn indices(&self, group: u64) -> Option<Range<u64>> {
        Some(group * CHUNK..self.count().min((group + 1) * CHUNK))
    }

    /// Counts the positions that a filter selects by their own fields; `None` if it would have to visit more than [`MAX_POSITIONS`].
    fn count_selected(&self, filter: &Filter) -> Option<u64> {
        if !filter.restricts_position() {
            return Some(self.count());
        }
        if self.count() > MAX_POSITIONS {
            return None;
        }
        let count = |group| Ok(self.group(filter, group).count() as u64);
        map_reduce(self.groups(filter), &count, &|a, b| a + b).ok()
    }
}

/// The lost positions of a group, each with its index among the selected ones.
type LostInGroup<S> = Vec<(u64, PositionOf<S>)>;

/// Finds the lost positions of a group that a filter selects by their own fields. Also returns the number of selected
/// positions, lost or won.
pub(crate) fn lost_in_group<S>(
    table: &S,
    region: &<S::Game as Game>::Region,
    filter: &Filter,
    group: u64,
) -> Result<(LostInGroup<S>, u64), AskError>
where
    S: Solved<Game: Fields<Region: GroupedRegion>>,
{
    let mut lost = Vec::new();
    if let (Some(indices), false) = (region.indices(group), filter.restricts_position()) {
        table.each_lost(region, indices.clone(), &mut |index, position| {
            lost.push((index - indices.start, position));
        })?;
        return Ok((lost, indices.end - indices.start));
    }
    let mut selected = 0;
    for position in region.group(filter, group) {
        if table.outcome(&position)? == Outcome::Loss {
            lost.push((selected, position));
        }
        selected += 1;
    }
    Ok((lost, selected))
}

/// Returns the last position that a filter selects by the position's own fields.
pub(crate) fn last_selected<R: GroupedRegion>(
    region: &R,
    filter: &Filter,
) -> Option<<R::Game as Game>::Position> {
    // `dyn` for the same reason as in [`map_reduce`].
    let has_selected: &(dyn Fn(&u64) -> bool + Sync) = &|&group| region.group(filter, group).next().is_some();
    let group = region.groups(filter).into_par_iter().find_last(has_selected)?;
    region.group(filter, group).last()
}

/// Counts the positions of a ruleset that a filter selects by their own fields. If the count would have to visit more than
/// [`MAX_POSITIONS`], `message` makes the error from the number of all positions and this limit.
pub(crate) fn count_selected(
    ruleset: &Ruleset,
    filter: &Filter,
    message: impl FnOnce(&str, &str) -> String,
) -> Result<u64> {
    with_rules!(ruleset, |rules| {
        let region = rules.region()?;
        region.count_selected(filter).map_or_else(|| check_count(region.count(), MAX_POSITIONS, message), Ok)
    })
}

/// Calls `map` for ranges that cover the numbers below `count`, on all threads, and combines neighbouring results with `reduce`.
pub(crate) fn map_reduce_chunks<T: Default + Send>(
    count: u64,
    map: impl Fn(Range<u64>) -> Result<T> + Sync,
    reduce: impl Fn(T, T) -> T + Sync,
) -> Result<T> {
    let map = |chunk: u64| map(chunk * CHUNK..count.min((chunk + 1) * CHUNK));
    map_reduce(0..count.div_ceil(CHUNK), &map, &reduce)
}

/// Calls `map` for each number, on all threads, and combines neighbouring results with `reduce`.
///
/// The closures are `dyn`: otherwise the compiler would copy rayon's long code for each caller and each family.
pub(crate) fn map_reduce<T: Default + Send>(
    numbers: Range<u64>,
    map: &(dyn Fn(u64) -> Result<T> + Sync),
    reduce: &(dyn Fn(T, T) -> T + Sync),
) -> Result<T> {
    // Only a range of usize is an indexed iterator, whose results rayon combines in order.
    let numbers = (numbers.start as usize..numbers.end as usize).into_par_iter();
    let results = numbers.map(|number| map(number as u64));
    results.try_reduce(T::default, |earlier, later| Ok(reduce(earlier, later)))
}

#[cfg(test)]
pub(crate) mod tests {
    use bouton_generator::generate_in_memory;
    use bouton_tables::rulesets::find;
    use bouton_tables::{Table, with_table};

    use super::*;

    /// Checks the lost positions of ranges against single lookups.
    fn check_lost<S: Solved<Game: Fields<Region: GroupedRegion>>>(table: &S, name: &str) {
        let region = table.game().region().unwrap();
        let positions: Vec<_> = region.walk(0).collect();
        let lost = |position: &PositionOf<S>| table.outcome(position).unwrap() == Outcome::Loss;
        let count = positions.len() as u64;
        // The ranges begin and end within lines. After this many lookups, the table has unpacked its staircases.
        let ranges = (0..40).map(|number| (number * count / 40)..((number + 3) * count / 41).min(count));
        for range in ranges.chain([0..count, count..count, 0..0]).filter(|range| range.start <= range.end) {
            let mut found = Vec::new();
            table
                .each_lost(&region, range.clone(), &mut |number, position| found.push((number, position)))
                .unwrap();
            let all = range.clone().map(|number| (number, positions[number as usize].clone()));
            let expected: Vec<_> = all.filter(|(_, position)| lost(position)).collect();
            assert!(found == expected, "{name}: {range:?}");
        }
    }

    #[test]
    fn lost_positions_found_along_lines_agree_with_single_lookups() {
        for (preset, settings) in [
            ("sticks", &[][..]),
            ("nim", &["bounds=[40]"]),
            ("nim", &["bounds=[1,3,30]", "passes=1", "play=misere"]),
            ("nim", &["bounds=[7,7,7,7,7]", "passes=1"]),
            ("nim", &["bounds=[1,1,1,1,1,1,1,1]", "passes=2"]),
            ("nim", &["bounds=[30,30,30]"]),
            ("subtraction", &["bounds=[30]", "take=[2,5]", "passes=3"]),
            ("subtraction", &["bounds=[2,5,9]", "take=2", "passes=1"]),
            ("subtraction", &["bounds=[12,12,12]", "take=[1,2,5,12]"]),
            ("subtraction", &["bounds=[63,63]", "take=[2,4,7]"]),
            ("wythoff", &["size=40"]),
            ("moore", &["size=5"]),
            ("expanding", &["stones=9"]),
        ] {
            let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
            let ruleset = find(preset, &settings).unwrap().ruleset;
            for depths in [true, false] {
                let table = Table::open(generate_in_memory(&ruleset, depths).unwrap()).unwrap();
                with_table!(table.family(), |table| check_lost(
                    table,
                    &format!("{preset} {settings:?} {depths}")
                ));
            }
        }
    }

    /// Checks the groups of a region against a filter applied to one position at a time.
    pub(crate) fn check_groups<G: Fields<Region: GroupedRegion>>(game: &G, text: &str) {
        let (region, filter) = (game.region().unwrap(), Filter::parse(game, true, text).unwrap());
        let in_groups = region.groups(&filter).flat_map(|group| region.group(&filter, group));
        let one_by_one = region.walk(0).filter(|position| filter.selects_position::<G>(position));
        let one_by_one: Vec<G::Position> = one_by_one.collect();
        assert_eq!(region.count_selected(&filter), Some(one_by_one.len() as u64), "{text}");
        assert_eq!(in_groups.collect::<Vec<_>>(), one_by_one, "{text}");
    }
}
