//! Visiting the positions of a region in parallel, in groups.
//!
//! A family can skip groups in which a filter selects nothing. Results of groups are joined in natural order, so that they do not
//! depend on the number of threads.

use std::convert::Infallible;
use std::ops::Range;

use bouton_tables::{
    AskError, Game, Outcome, PositionOf, Region, Ruleset, Solved, TooManyPositions, with_rules,
};
use rayon::prelude::*;

use crate::MOST_POSITIONS;
use crate::select::{Fields, Filter};

/// Positions of a task for one thread.
const CHUNK: u64 = 4096;

/// A region in numbered groups; a filter can exclude many groups at once.
pub(crate) trait GroupedRegion: Region<Game: Fields> {
    /// Returns the numbers of the groups that may contain selected positions, in natural order.
    fn groups(&self, _filter: &Filter) -> Range<u64> {
        0..self.count().div_ceil(CHUNK)
    }

    /// Returns the positions of a group that a filter selects by the fields of the position; ignores the fields of the answer.
    fn group(&self, filter: &Filter, group: u64) -> impl Iterator<Item = <Self::Game as Game>::Position> {
        let positions = self.walk(group * CHUNK).take(CHUNK as usize);
        positions.filter(move |position| filter.has_position::<Self::Game>(position))
    }

    /// Returns the indices of a group's positions, if they are consecutive.
    fn indices(&self, group: u64) -> Option<Range<u64>> {
        Some(group * CHUNK..self.count().min((group + 1) * CHUNK))
    }

    /// Counts the positions that a filter selects by the fields of the position. `None` if the count would have to visit more than
    /// [`MOST_POSITIONS`].
    fn selected(&self, filter: &Filter) -> Option<u64>
    where
        Self: Sync,
    {
        if !filter.asks_for_position() {
            return Some(self.count());
        }
        if self.count() > MOST_POSITIONS {
            return None;
        }
        let count = |group| Ok::<u64, Infallible>(self.group(filter, group).count() as u64);
        map_reduce(self.groups(filter), &count, &|a, b| a + b).ok()
    }
}

/// The lost positions among the selected ones of a group.
pub(crate) struct LostInGroup<P> {
    /// Each with its index among the selected positions of the group.
    pub(crate) lost: Vec<(u64, P)>,
    /// Number of positions that the filter selects by their own fields, lost or won.
    pub(crate) selected: u64,
}

/// Finds the lost positions of a group, among the positions that a filter selects by their own fields.
pub(crate) fn lost_in_group<S>(
    table: &S,
    region: &<S::Game as Game>::Region,
    filter: &Filter,
    group: u64,
) -> Result<LostInGroup<PositionOf<S>>, AskError>
where
    S: Solved<Game: Fields<Region: GroupedRegion>>,
{
    let mut lost = Vec::new();
    if let (Some(numbers), false) = (region.indices(group), filter.asks_for_position()) {
        table.each_lost(region, numbers.clone(), &mut |number, position| {
            lost.push((number - numbers.start, position));
        })?;
        return Ok(LostInGroup { lost, selected: numbers.end - numbers.start });
    }
    let mut selected = 0;
    for position in region.group(filter, group) {
        if table.outcome(&position)? == Outcome::Loss {
            lost.push((selected, position));
        }
        selected += 1;
    }
    Ok(LostInGroup { lost, selected })
}

/// Returns the last position that a filter selects by the position's own fields.
pub(crate) fn last_selected<R: GroupedRegion + Sync>(
    region: &R,
    filter: &Filter,
) -> Option<<R::Game as Game>::Position> {
    let has = |group| region.group(filter, group).next().is_some();
    last_where(region.groups(filter), &has).and_then(|group| region.group(filter, group).last())
}

/// Returns the last number for which `is_true` holds. Not generic, for the same reason as [`map_reduce`].
fn last_where(numbers: Range<u64>, is_true: &(dyn Fn(u64) -> bool + Sync)) -> Option<u64> {
    numbers.into_par_iter().find_last(|&number| is_true(number))
}

/// Counts the positions of a ruleset that a filter selects by their own fields; `long` makes the error if the count would have to
/// visit more than [`MOST_POSITIONS`].
pub(crate) fn selected<E: From<TooManyPositions>>(
    ruleset: &Ruleset,
    filter: &Filter,
    long: impl FnOnce(u64) -> E,
) -> Result<u64, E> {
    with_rules!(ruleset, |rules| {
        let region = rules.region()?;
        region.selected(filter).ok_or_else(|| long(region.count()))
    })
}

/// Calls `look` for ranges that cover the numbers below `count`, on all threads, and joins the results in ascending order.
pub(crate) fn map_reduce_chunks<T: Default + Send, E: Send>(
    count: u64,
    look: impl Fn(Range<u64>) -> Result<T, E> + Sync,
    join: impl Fn(T, T) -> T + Sync,
) -> Result<T, E> {
    let look = |chunk: u64| {
        let first = chunk * CHUNK;
        look(first..count.min(first + CHUNK))
    };
    map_reduce(0..count.div_ceil(CHUNK), &look, &join)
}

/// Calls `look` for each of some numbers, on all threads, and joins the results in ascending order.
///
/// The closures are `dyn`: otherwise the compiler would copy rayon's long code for each caller and each family.
pub(crate) fn map_reduce<T: Default + Send, E: Send>(
    numbers: Range<u64>,
    look: &(dyn Fn(u64) -> Result<T, E> + Sync),
    join: &(dyn Fn(T, T) -> T + Sync),
) -> Result<T, E> {
    // A range of usize: rayon then splits by index, and joins results of neighbours in order.
    let numbers = (numbers.start as usize..numbers.end as usize).into_par_iter();
    let look = numbers.map(|number| look(number as u64));
    look.try_reduce(T::default, |earlier, later| Ok(join(earlier, later)))
}

/// Calls `look` for each of some numbers, on all threads, and lists the results in ascending order.
pub(crate) fn map_collect<T: Send, E: Send>(
    numbers: Range<u64>,
    look: &(dyn Fn(u64) -> Result<T, E> + Sync),
) -> Result<Vec<T>, E> {
    numbers.into_par_iter().map(look).collect()
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
        // Ranges that begin and end within lines, and more questions than are answered before steps are unpacked.
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
    fn lost_positions_found_along_lines_are_those_of_single_lookups() {
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
    pub(crate) fn check_groups<G: Fields<Region: GroupedRegion + Sync>>(game: &G, text: &str) {
        let (region, filter) = (game.region().unwrap(), Filter::parse(game, true, text).unwrap());
        let in_groups = region.groups(&filter).flat_map(|group| region.group(&filter, group));
        let one_by_one = region.walk(0).filter(|position| filter.has_position::<G>(position));
        let one_by_one: Vec<G::Position> = one_by_one.collect();
        assert_eq!(region.selected(&filter), Some(one_by_one.len() as u64), "{text}");
        assert_eq!(in_groups.collect::<Vec<_>>(), one_by_one, "{text}");
    }
}
