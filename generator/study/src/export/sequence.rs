//! Sequences of numbers from a table, in the form of the OEIS.

use bouton_tables::{AskError, Game, Outcome, PositionOf, Solved, Table, with_table};

use super::{ExportError, Exportable};
use crate::game_map::Mappable;
use crate::groups::{GroupedRegion, lost_in_group, map_reduce};
use crate::select::{Field, Fields, Filter};

/// A sequence that a table defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// The losing numbers of stones, ascending; n counts from 1.
    Losing,
    /// The Grundy values of heaps of n stones, n from 0.
    Grundy,
    /// The lesser heaps of lost pairs, in ascending order, without the pair of empty heaps; n counts from 1.
    Lower,
    /// The greater heaps of the same pairs, in the same order.
    Upper,
    /// The number of lost positions of n stones, n from 0.
    Counts,
    /// The number of positions of n stones, n from 0.
    Positions,
}

/// Returns the index n of the first term of a sequence, and all terms. Positions that the filter does not select do not count; Grundy
/// values ignore the filter.
///
/// # Errors
/// If the table has no such sequence, or is damaged.
pub fn sequence(table: &Table, filter: &Filter, which: Sequence) -> Result<(u64, Vec<u64>), ExportError> {
    with_table!(table.family(), |table| match which {
        Sequence::Losing => Ok((1, losing(table, filter)?)),
        Sequence::Lower => Ok((1, lost_pairs(table, filter)?.into_iter().map(|(lower, _)| lower).collect())),
        Sequence::Upper => Ok((1, lost_pairs(table, filter)?.into_iter().map(|(_, upper)| upper).collect())),
        Sequence::Counts => Ok((0, by_stones(table, filter, true)?)),
        Sequence::Positions => Ok((0, by_stones(table, filter, false)?)),
        Sequence::Grundy => Ok((0, Exportable::grundy_values(table)?.into_iter().map(u64::from).collect())),
    })
}

/// Counts the selected positions with 0, 1, 2 and so on stones in all; with `lost_only`, the lost ones among them.
fn by_stones<S>(table: &S, filter: &Filter, lost_only: bool) -> Result<Vec<u64>, ExportError>
where
    S: Solved<Game: Exportable> + Sync,
{
    let region = table.game().region()?;
    let group = |group| {
        let mut numbers: Vec<u64> = Vec::new();
        for position in region.group(filter, group) {
            let counts = if lost_only || filter.asks_for_answer() {
                let Some(outcome) = filter.outcome_of(table, &position)? else { continue };
                !lost_only || outcome == Outcome::Loss
            } else {
                // The rules alone decide which positions exist: no lookup.
                true
            };
            let stones = S::Game::level(&position).0 as usize;
            if numbers.len() <= stones {
                numbers.resize(stones + 1, 0);
            }
            numbers[stones] += u64::from(counts);
        }
        Ok(numbers)
    };
    let add = |one: Vec<u64>, other: Vec<u64>| {
        let (mut longer, shorter) = if one.len() < other.len() { (other, one) } else { (one, other) };
        longer.iter_mut().zip(shorter).for_each(|(sum, number)| *sum += number);
        longer
    };
    map_reduce(region.groups(filter), &group, &add)
}

/// Returns whether a position is lost and selected.
fn is_lost<S: Solved>(table: &S, filter: &Filter, position: &PositionOf<S>) -> Result<bool, AskError> {
    Ok(filter.outcome_of(table, position)? == Some(Outcome::Loss))
}

/// Returns the lost positions of two heaps, ascending, except the one of empty heaps: the sequences of the OEIS begin after it.
fn lost_pairs<S: Solved<Game: Exportable>>(
    table: &S,
    filter: &Filter,
) -> Result<Vec<(u64, u64)>, ExportError> {
    let heaps = |field: &Field| field.name == "heaps" && field.numbers == 2;
    let Some(field) = table.game().fields().iter().position(heaps) else {
        return Err(ExportError::NoSequence(
            "pairs are lost in games of two heaps, and this is none; --sequence losing is for one heap or pile".to_owned(),
        ));
    };
    let region = table.game().region()?;
    let mut pairs = Vec::new();
    for group in region.groups(filter) {
        for (_, position) in lost_in_group(table, &region, filter, group)?.lost {
            if is_lost(table, filter, &position)? {
                pairs.push((S::Game::number(&position, field, 0), S::Game::number(&position, field, 1)));
            }
        }
    }
    pairs.sort_unstable();
    if let Some(same) = pairs.windows(2).find(|two| two[0] == two[1]) {
        let (a, b) = same[0];
        return Err(ExportError::NoSequence(format!(
            "the pair {a},{b} is lost with several numbers of passes, and a sequence takes one; select it, for example with --starts or \
             --where passes=0"
        )));
    }
    pairs.retain(|&pair| pair != (0, 0));
    Ok(pairs)
}

/// Returns the losing numbers of stones, ascending.
fn losing<S: Solved<Game: Exportable>>(table: &S, filter: &Filter) -> Result<Vec<u64>, ExportError> {
    let example = table.game().one_line()?;
    let region = table.game().region()?;
    let mut terms = Vec::new();
    let mut last = None;
    for group in region.groups(filter) {
        for position in region.group(filter, group) {
            let stones = S::Game::number(&position, 0, 0);
            if last == Some(stones) {
                return Err(ExportError::NoSequence(format!(
                    "positions of {stones} stones are selected on several lines, and a sequence takes one line; select one, for \
                     example with --starts or --where '{example}'"
                )));
            }
            last = Some(stones);
            if is_lost(table, filter, &position)? {
                terms.push(stones);
            }
        }
    }
    Ok(terms)
}
