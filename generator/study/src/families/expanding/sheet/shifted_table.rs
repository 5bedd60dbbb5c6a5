//! A shorter form of the table of equal resets, if fewer resets only shift its numbers.
//!
//! Often, if both players have one reset less, each lost number is less by the reset limit + 1: with a reset limit of 3, the lost numbers
//! 14 and 24 become 10 and 20. The sheet then lists the numbers for the most resets only. With fewer resets, the reader adds a multiple
//! of this step to a number before looking it up. Small numbers may not follow this rule, and get a list of their own.

use super::case_group::CaseGroup;
use super::outcomes::{Case, OutcomesByLimit};
use crate::sheet::lists::{in_full, lost_numbers, shorten};
use crate::sheet::{SheetBlock, SheetRow};
use crate::words::count;

/// The table of equal resets in the short form.
pub(super) struct ShiftedTable {
    /// The shift for one reset of both players: reset limit + 1.
    step: u32,
    /// The greatest number of resets that each player has.
    most_resets: u8,
    /// The label of each limit, and its lost numbers, shifted to those with the most resets.
    rows: Vec<(String, Vec<u32>)>,
    /// The lost numbers up to `step * (resets + 1)`, if they do not follow the rule.
    small: Vec<SheetRow>,
}

impl ShiftedTable {
    /// Makes the table, with a list of small numbers if necessary; `None` if the numbers do not follow the rule.
    pub(super) fn of(outcomes: &OutcomesByLimit, groups: &[CaseGroup]) -> Option<Self> {
        if groups.iter().flat_map(|group| &group.cases).any(|case| case.own != case.other) {
            return None;
        }
        Self::make(outcomes, groups, false).or_else(|| Self::make(outcomes, groups, true))
    }

    /// Makes the table, with or without a list of small numbers.
    fn make(outcomes: &OutcomesByLimit, groups: &[CaseGroup], lists_small: bool) -> Option<Self> {
        let step = outcomes.rules.reset_limit() + 1;
        let cases = groups.iter().flat_map(|group| group.cases.iter().map(move |case| (case, group.lost)));
        let cases: Vec<(&Case, &[Vec<bool>])> = cases.collect();
        let most_resets = cases.iter().map(|(case, _)| case.own).max()?;
        let shift = |case: &Case| step * u32::from(most_resets - case.own);
        let last_small = |case: &Case| if lists_small { step * (u32::from(case.own) + 1) } else { 0 };
        let mut rows = Vec::new();
        for (index, row) in outcomes.rows.iter().enumerate() {
            let large = |case: &Case, lost: &[Vec<bool>]| -> Vec<u32> {
                lost_numbers(&lost[index]).into_iter().filter(|&number| number > last_small(case)).collect()
            };
            let shifted = cases
                .iter()
                .flat_map(|(case, lost)| large(case, lost).into_iter().map(|number| number + shift(case)));
            let mut shifted: Vec<u32> = shifted.collect();
            shifted.sort_unstable();
            shifted.dedup();
            // Decode the list as a reader would: among the numbers that can be left, it must give exactly the lost ones.
            for (case, lost) in &cases {
                let numbers = shifted.iter().filter_map(|number| number.checked_sub(shift(case)));
                let can_be_left = last_small(case) + 1..lost[index].len() as u32;
                let decoded: Vec<u32> = numbers.filter(|number| can_be_left.contains(number)).collect();
                if decoded != large(case, lost) {
                    return None;
                }
            }
            rows.push((row.label(), shifted));
        }
        let small = if lists_small { small_rows(outcomes, groups, last_small) } else { Vec::new() };
        Some(Self { step, most_resets, rows, small })
    }

    /// Returns the number of characters in the lists.
    pub(super) fn length(&self) -> usize {
        let rows = self.rows.iter().map(|(_, numbers)| shorten(numbers).chars().count());
        rows.chain(self.small.iter().map(|row| row.text.chars().count())).sum()
    }

    /// Returns the parts of the sheet that show the table, for a game with this number of stones.
    pub(super) fn blocks(&self, stones: u32) -> Vec<SheetBlock> {
        let mut blocks = Vec::new();
        let (step, most) = (self.step, self.most_resets);
        if most > 0 {
            let fewer = (0..most).rev();
            let fewer = fewer.map(|left| format!("{left} each: add {}", step * u32::from(most - left)));
            let mut text = format!(
                "With {} left for each of you, leave one of these. With fewer, first add {step} to what you would leave, for each \
                 reset less: {}.",
                resets(most),
                fewer.collect::<Vec<_>>().join("; ")
            );
            if self.rows.iter().flat_map(|(_, numbers)| numbers).any(|&number| number > stones) {
                text.push_str(&format!(" That is what numbers above {stones} are for."));
            }
            blocks.push(SheetBlock::Text(text));
        }
        let rows = self.rows.iter().map(|(label, numbers)| row(label.clone(), numbers, shorten));
        blocks.push(SheetBlock::Rows(rows.collect()));
        if !self.small.is_empty() {
            let text = format!(
                "With r resets each, this holds above {step}r + {step}. Up to there, leave one of these:"
            );
            blocks.extend([SheetBlock::Text(text), SheetBlock::Rows(self.small.clone())]);
        }
        blocks
    }

    /// Makes the block at the end of the sheet that lists all numbers for the most resets, without ellipses.
    pub(super) fn in_full(
        &self,
        outcomes: &OutcomesByLimit,
        groups: &[CaseGroup],
        letter: char,
    ) -> Option<SheetBlock> {
        let group = groups.iter().find(|group| group.cases[0].own == self.most_resets)?;
        let rows = outcomes.rows.iter().zip(group.lost);
        let rows = rows.map(|(limit, lost)| row(limit.label(), &lost_numbers(lost), in_full));
        let with = match self.most_resets {
            0 => String::new(),
            most => format!(", with {} left for each of you", resets(most)),
        };
        let heading = format!("{letter} once more, number by number, as far as there is room{with}");
        Some(SheetBlock::Extra(heading, rows.collect()))
    }
}

fn resets(number: u8) -> String {
    count(number.into(), "reset", "resets")
}

/// Makes a row from numbers, which `list` writes.
fn row(label: String, numbers: &[u32], list: fn(&[u32]) -> String) -> SheetRow {
    SheetRow { label, text: if numbers.is_empty() { "none".to_owned() } else { list(numbers) } }
}

/// Returns the rows of small numbers, up to `last_small` of each case.
fn small_rows(
    outcomes: &OutcomesByLimit,
    groups: &[CaseGroup],
    last_small: impl Fn(&Case) -> u32,
) -> Vec<SheetRow> {
    let rows = groups.iter().flat_map(|group| {
        let end = last_small(&group.cases[0]) as usize + 1;
        let lost: Vec<Vec<bool>> =
            group.lost.iter().map(|lost| lost[..end.min(lost.len())].to_vec()).collect();
        CaseGroup { cases: group.cases.clone(), lost: &lost, is_whole: false }.rows(outcomes, true)
    });
    rows.collect()
}
