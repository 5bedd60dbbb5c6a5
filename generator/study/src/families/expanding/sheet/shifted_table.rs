//! A shorter form of the table of equal resets, if fewer resets only shift its numbers.
//!
//! Often, if both players have one reset less, each lost number is less by the reset limit + 1: with a reset limit of 3, the lost numbers
//! 14 and 24 become 10 and 20. The sheet then lists the numbers for the most resets only. With fewer resets, the reader adds a multiple
//! of this step to a number before looking it up. Small numbers may not follow this rule, and get a list of their own.

use std::collections::BTreeSet;

use super::case_group::CaseGroup;
use super::outcomes::{Case, OutcomesByLimit};
use crate::sheet::lists::{in_full, lost_numbers, shorten};
use crate::sheet::{SheetBlock, SheetRow};
use crate::words::count;

/// Makes the table of equal resets in the short form, and a block for the end of the sheet that lists all numbers for the most resets,
/// without ellipses. Returns `None` if the numbers do not follow the rule, or the lists have `length` characters or more.
pub(super) fn shifted_table(
    outcomes: &OutcomesByLimit,
    groups: &[CaseGroup],
    length: usize,
) -> Option<(Vec<SheetBlock>, SheetBlock)> {
    let without_small = shifted_numbers(outcomes, false).map(|numbers| (numbers, Vec::new()));
    let with_small = || Some((shifted_numbers(outcomes, true)?, small_rows(outcomes, groups)));
    let (numbers, small) = without_small.or_else(with_small)?;
    let lists: Vec<String> = numbers.iter().map(|numbers| shorten(numbers)).collect();
    let texts = lists.iter().chain(small.iter().map(|row| &row.text));
    if texts.map(|text| text.chars().count()).sum::<usize>() >= length {
        return None;
    }
    let rows = |lists: Vec<String>| {
        let text = |list: String| if list.is_empty() { "none".to_owned() } else { list };
        let rows = outcomes.rows.iter().zip(lists);
        rows.map(|(limit, list)| SheetRow { label: limit.label(), text: text(list) }).collect()
    };
    let (step, stones) = (step(outcomes), outcomes.rules.stones());
    let with_most = by_resets(outcomes);
    let most = with_most.len() as u32 - 1;
    let most_in_words = format!("{} left for each of you", count(most.into(), "reset", "resets"));
    let mut blocks = Vec::new();
    if most > 0 {
        let fewer = (0..most).rev().map(|left| format!("{left} each: add {}", step * (most - left)));
        let mut text = format!(
            "With {most_in_words}, leave one of these. With fewer, first add {step} to what you would leave, for each \
             reset less: {}.",
            fewer.collect::<Vec<_>>().join("; ")
        );
        if numbers.iter().flatten().any(|&number| u64::from(number) > stones) {
            text.push_str(&format!(" That is what numbers above {stones} are for."));
        }
        blocks.push(SheetBlock::Text(text));
    }
    blocks.push(SheetBlock::Rows(rows(lists)));
    if !small.is_empty() {
        let text = format!(
            "With r resets each, this holds above {step}r + {step}. Up to there, leave one of these:"
        );
        blocks.extend([SheetBlock::Text(text), SheetBlock::Rows(small)]);
    }
    let with = if most > 0 { format!(", with {most_in_words}") } else { String::new() };
    let heading = format!("A once more, number by number, as far as there is room{with}");
    let all = with_most[most as usize].iter().map(|lost| in_full(&lost_numbers(lost)));
    Some((blocks, SheetBlock::Extra(heading, rows(all.collect()))))
}

/// Returns the shift of lost numbers for one reset of both players.
fn step(outcomes: &OutcomesByLimit) -> u32 {
    outcomes.rules.reset_limit() + 1
}

/// Returns the lost numbers by limit: for 0, 1, 2 and so on resets of both players, without a reset in force.
fn by_resets<'a>(outcomes: &'a OutcomesByLimit) -> Vec<&'a [Vec<bool>]> {
    let lost = |resets| outcomes.lost.get(&Case { imposed: false, own: resets, other: resets });
    (0..=u8::MAX).map_while(lost).map(Vec::as_slice).collect()
}

/// Returns the greatest number of stones that the list of small numbers has, if both players have this number of resets.
fn last_small(outcomes: &OutcomesByLimit, resets: u32) -> u32 {
    step(outcomes) * (resets + 1)
}

/// Returns the lost numbers of each row, shifted to those with the most resets; `None` if they do not follow the rule. If `lists_small`,
/// the numbers up to [`last_small`] need not follow the rule, and are omitted.
fn shifted_numbers(outcomes: &OutcomesByLimit, lists_small: bool) -> Option<Vec<Vec<u32>>> {
    let by_resets = by_resets(outcomes);
    let cases = || (0..).zip(&by_resets);
    let shift = |resets: u32| step(outcomes) * (by_resets.len() as u32 - 1 - resets);
    let end_of_small = |resets| if lists_small { last_small(outcomes, resets) + 1 } else { 0 };
    let row = |index: usize| {
        let large = |(resets, lost): (u32, &&[Vec<bool>])| -> Vec<u32> {
            let numbers = lost_numbers(&lost[index]).into_iter();
            numbers.filter(|&number| number >= end_of_small(resets)).collect()
        };
        let shifted =
            cases().flat_map(|case| large(case).into_iter().map(move |number| number + shift(case.0)));
        let shifted: BTreeSet<u32> = shifted.collect();
        // Decode the list as a reader would: among the numbers that can be left, it must give exactly the lost ones.
        let is_exact = cases().all(|(resets, lost)| {
            let can_be_left = end_of_small(resets).max(1)..lost[index].len() as u32;
            let numbers = shifted.iter().filter_map(|number| number.checked_sub(shift(resets)));
            numbers.filter(|number| can_be_left.contains(number)).eq(large((resets, lost)))
        });
        is_exact.then(|| shifted.into_iter().collect())
    };
    (0..outcomes.rows.len()).map(row).collect()
}

/// Returns the rows of small numbers of each group.
fn small_rows(outcomes: &OutcomesByLimit, groups: &[CaseGroup]) -> Vec<SheetRow> {
    let rows = groups.iter().flat_map(|group| {
        let end = last_small(outcomes, group.cases[0].own.into()) as usize + 1;
        let lost: Vec<Vec<bool>> =
            group.lost.iter().map(|lost| lost[..end.min(lost.len())].to_vec()).collect();
        CaseGroup { cases: group.cases.clone(), lost: &lost, is_whole: false }.rows(outcomes, true)
    });
    rows.collect()
}
