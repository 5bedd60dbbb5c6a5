//! A shorter form of the table of equal resets, if fewer resets only shift its numbers.
//!
//! Often, one reset less for both players makes each lost number less by reset limit + 1. The sheet then lists the numbers for the
//! most resets only; with fewer, the reader adds a multiple of this step before looking up. Small numbers may not follow this rule,
//! and get a list of their own.

use super::outcomes::{Case, OutcomesByLimit};
use super::tables::CaseGroup;
use crate::sheet::lists::{in_full, numbers, shortened};
use crate::sheet::{SheetBlock, SheetRow};
use crate::words::count;

/// The table of equal resets in the short form.
pub(super) struct ShiftedTable {
    /// The shift for one reset of both players: reset limit + 1.
    step: u32,
    /// The most resets of each player.
    most: u8,
    /// The lost numbers of each limit, shifted to the most resets.
    rows: Vec<(String, Vec<u32>)>,
    /// The lost numbers up to `step * (resets + 1)`, if they do not follow the rule.
    small: Vec<SheetRow>,
    /// The most stones of the game.
    stones: u32,
}

impl ShiftedTable {
    /// Makes the table, with small numbers apart if necessary; `None` if the numbers do not follow the rule.
    pub(super) fn of(of: &OutcomesByLimit, groups: &[CaseGroup]) -> Option<Self> {
        if groups.iter().flat_map(|group| &group.cases).any(|case| case.own != case.other) {
            return None;
        }
        Self::with(of, groups, false).or_else(|| Self::with(of, groups, true))
    }

    fn with(of: &OutcomesByLimit, groups: &[CaseGroup], small_apart: bool) -> Option<Self> {
        let step = of.rules.reset_limit() + 1;
        let cases = groups.iter().flat_map(|group| group.cases.iter().map(move |case| (case, group.lost)));
        let cases: Vec<(&Case, &[Vec<bool>])> = cases.collect();
        let most = cases.iter().map(|(case, _)| case.own).max()?;
        let more = |case: &Case| step * u32::from(most - case.own);
        let apart = |case: &Case| if small_apart { step * (u32::from(case.own) + 1) } else { 0 };
        let mut rows = Vec::new();
        for (place, row) in of.rows.iter().enumerate() {
            let large = |case: &Case, lost: &[Vec<bool>]| -> Vec<u32> {
                numbers(&lost[place]).into_iter().filter(|&number| number > apart(case)).collect()
            };
            let all = cases
                .iter()
                .flat_map(|(case, lost)| large(case, lost).into_iter().map(|number| number + more(case)));
            let mut all: Vec<u32> = all.collect();
            all.sort_unstable();
            all.dedup();
            // Decode the list as a reader would: among the numbers that can be left, it must give exactly the lost ones.
            for (case, lost) in &cases {
                let lower = all.iter().filter_map(|number| number.checked_sub(more(case)));
                let can_be_left = apart(case) + 1..lost[place].len() as u32;
                let read: Vec<u32> = lower.filter(|number| can_be_left.contains(number)).collect();
                if read != large(case, lost) {
                    return None;
                }
            }
            rows.push((row.label(), all));
        }
        let small = if small_apart { small(of, groups, apart) } else { Vec::new() };
        Some(Self { step, most, rows, small, stones: of.rules.stones() })
    }

    /// Returns the letters of its lists.
    pub(super) fn length(&self) -> usize {
        let rows = self.rows.iter().map(|(_, numbers)| shortened(numbers).chars().count());
        rows.chain(self.small.iter().map(|row| row.text.chars().count())).sum()
    }

    pub(super) fn blocks(&self) -> Vec<SheetBlock> {
        let mut blocks = Vec::new();
        let step = self.step;
        if self.most > 0 {
            let fewer = (0..self.most).rev();
            let fewer = fewer.map(|left| format!("{left} each: add {}", step * u32::from(self.most - left)));
            let mut text = format!(
                "With {} left for each of you, leave one of these. With fewer, first add {step} to what you would leave, for each \
                 reset less: {}.",
                resets(self.most),
                fewer.collect::<Vec<_>>().join("; ")
            );
            if self.rows.iter().flat_map(|(_, numbers)| numbers).any(|&number| number > self.stones) {
                text.push_str(&format!(" That is what numbers above {} are for.", self.stones));
            }
            blocks.push(SheetBlock::Text(text));
        }
        let rows = self.rows.iter().map(|(label, numbers)| {
            let text = if numbers.is_empty() { "none".to_owned() } else { shortened(numbers) };
            SheetRow { label: label.clone(), text }
        });
        blocks.push(SheetBlock::Rows(rows.collect()));
        if !self.small.is_empty() {
            let text = format!(
                "With r resets each, that is so above {step}r + {step}. Up to there, leave one of these:"
            );
            blocks.extend([SheetBlock::Text(text), SheetBlock::Rows(self.small.clone())]);
        }
        blocks
    }

    /// Makes the block that lists all numbers for the most resets, without ellipses.
    pub(super) fn in_full(
        &self,
        of: &OutcomesByLimit,
        groups: &[CaseGroup],
        letter: char,
    ) -> Option<SheetBlock> {
        let first = groups.iter().find(|group| group.cases[0].own == self.most)?;
        let rows = of.rows.iter().zip(first.lost).map(|(row, lost)| {
            let all = numbers(lost);
            let text = if all.is_empty() { "none".to_owned() } else { in_full(&all) };
            SheetRow { label: row.label(), text }
        });
        let with = match self.most {
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

/// Returns the rows of small numbers.
fn small(of: &OutcomesByLimit, groups: &[CaseGroup], apart: impl Fn(&Case) -> u32) -> Vec<SheetRow> {
    let rows = groups.iter().flat_map(|group| {
        let end = apart(&group.cases[0]) as usize + 1;
        let lost: Vec<Vec<bool>> =
            group.lost.iter().map(|lost| lost[..end.min(lost.len())].to_vec()).collect();
        CaseGroup { cases: group.cases.clone(), lost: &lost, whole: false }.rows(of, true)
    });
    rows.collect()
}
