//! Sequences of numbers from a table, in the form of the OEIS.

use bouton_tables::{Game, Outcome, Solved, Table, with_table};

use crate::analyze::Analyzable;
use crate::error::{Result, StudyError};
use crate::filter::{AnswerPart, Field, Fields, Filter};
use crate::game_map::Mappable;
use crate::groups::{GroupedRegion, lost_in_group, map_reduce};

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

/// Returns the number n of the first term of a sequence, and all terms. The filter restricts all sequences except Grundy values.
///
/// # Errors
/// If the table has no such sequence, or is damaged.
pub fn sequence(table: &Table, filter: &Filter, which: Sequence) -> Result<(u64, Vec<u64>)> {
    let only_lost = &filter.clone().only_outcome(Outcome::Loss);
    with_table!(table.family(), |table| match which {
        Sequence::Losing => Ok((1, losing(table, only_lost)?)),
        Sequence::Lower => Ok((1, lost_pairs(table, only_lost)?.into_iter().map(|pair| pair.0).collect())),
        Sequence::Upper => Ok((1, lost_pairs(table, only_lost)?.into_iter().map(|pair| pair.1).collect())),
        Sequence::Counts => Ok((0, counts_by_stones(table, filter, true)?)),
        Sequence::Positions => Ok((0, counts_by_stones(table, filter, false)?)),
        Sequence::Grundy => Ok((0, Analyzable::heap_values(table)?.into_iter().map(u64::from).collect())),
    })
}

/// Returns the number of selected positions with 0, 1, 2 and so on stones in all; if `lost_only`, of the lost ones among them.
fn counts_by_stones<S>(table: &S, filter: &Filter, lost_only: bool) -> Result<Vec<u64>>
where
    S: Solved<Game: Analyzable>,
{
    let region = table.game().region()?;
    let count_group = |group| {
        let mut counts: Vec<u64> = Vec::new();
        for position in region.group(filter, group) {
            // Without a condition on the answer, no lookup is needed.
            let is_counted = if lost_only || filter.restricts_answer() {
                let found = filter.look_up(table, &position, AnswerPart::Outcome)?;
                let Some((verdict, _)) = found else { continue };
                !lost_only || verdict.outcome == Outcome::Loss
            } else {
                true
            };
            let stones = S::Game::level(&position).0 as usize;
            if counts.len() <= stones {
                counts.resize(stones + 1, 0);
            }
            counts[stones] += u64::from(is_counted);
        }
        Ok(counts)
    };
    let add = |one: Vec<u64>, other: Vec<u64>| {
        let (mut longer, shorter) = if one.len() < other.len() { (other, one) } else { (one, other) };
        longer.iter_mut().zip(shorter).for_each(|(sum, count)| *sum += count);
        longer
    };
    map_reduce(region.groups(filter), &count_group, &add)
}

/// Returns the positions of two heaps that a filter of lost positions selects, ascending. Omits the position of empty heaps, as sequences in the OEIS do.
fn lost_pairs<S: Solved<Game: Analyzable>>(table: &S, filter: &Filter) -> Result<Vec<(u64, u64)>> {
    let is_two_heaps = |field: &Field| field.name == "heaps" && field.numbers == 2;
    let Some(field) = table.game().fields().iter().position(is_two_heaps) else {
        return Err(StudyError::Invalid(
            "only games of two heaps have lost pairs, and this is not one; --sequence losing is for one heap \
            or pile".to_owned(),
        ));
    };
    let region = table.game().region()?;
    let mut pairs = Vec::new();
    for group in region.groups(filter) {
        for (_, position) in lost_in_group(table, &region, filter, group)?.0 {
            if filter.look_up(table, &position, AnswerPart::Outcome)?.is_some() {
                pairs.push((S::Game::number(&position, field, 0), S::Game::number(&position, field, 1)));
            }
        }
    }
    pairs.sort_unstable();
    if let Some(&[(a, b), _]) = pairs.array_windows().find(|[one, next]| one == next) {
        return Err(StudyError::Invalid(format!(
            "the pair {a},{b} is lost with several numbers of passes, and a sequence takes one of them; \
             select it, for example with --starts or --where passes=0"
        )));
    }
    pairs.retain(|&pair| pair != (0, 0));
    Ok(pairs)
}

/// Returns the losing numbers of stones that a filter of lost positions selects, ascending.
fn losing<S: Solved<Game: Analyzable>>(table: &S, filter: &Filter) -> Result<Vec<u64>> {
    let example = table.game().line_example()?;
    let region = table.game().region()?;
    let mut terms = Vec::new();
    let mut last = None;
    for group in region.groups(filter) {
        for position in region.group(filter, group) {
            let stones = S::Game::number(&position, 0, 0);
            if last == Some(stones) {
                return Err(StudyError::Invalid(format!(
                    "positions of {stones} stones are selected on several lines, and a sequence takes one line; select one, for \
                     example with --starts or --where '{example}'"
                )));
            }
            last = Some(stones);
            if filter.look_up(table, &position, AnswerPart::Outcome)?.is_some() {
                terms.push(stones);
            }
        }
    }
    Ok(terms)
}
