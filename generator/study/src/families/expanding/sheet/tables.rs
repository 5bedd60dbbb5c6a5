//! The tables of a sheet: the numbers of stones to leave, by the resets of both players and by the limit.
//!
//! To keep the tables short, cases in which the same numbers of stones are lost share their rows, and neighbouring
//! limits with the same text share a row.

use std::cmp::Ordering;

use super::case_group::CaseGroup;
use super::outcomes::OutcomesByLimit;
use super::shifted_table::shifted_table;
use crate::sheet::{SheetBlock, SheetRow};
use crate::words::grouped;

/// Maximum length of a table, in characters, unless there is no shorter form.
const MAX_LENGTH: usize = 600;

/// Returns the letter by which texts refer to the table of a [lead](Case::lead): A, B and C without a reset in force, D, E and F with one.
pub(super) fn letter(lead: Ordering, imposed: bool) -> char {
    let letters = if imposed { ['D', 'E', 'F'] } else { ['A', 'B', 'C'] };
    letters[LEADS.iter().position(|&listed| listed == lead).expect("all leads are listed")]
}

/// The leads in the order of their tables.
const LEADS: [Ordering; 3] = [Ordering::Equal, Ordering::Greater, Ordering::Less];

/// Makes the tables in the order of their letters, each with its heading. If table A is shortened by shifts, its
/// numbers for the most resets are listed once more at the end.
pub(super) fn tables(outcomes: &OutcomesByLimit) -> Vec<SheetBlock> {
    let mut blocks = Vec::new();
    let mut table_in_full = None;
    for imposed in [false, true] {
        for lead in LEADS {
            let cases = outcomes.lost.iter();
            let cases = cases.filter(|(case, _)| case.imposed == imposed && case.lead() == lead);
            let groups = CaseGroup::all(cases);
            if groups.is_empty() {
                continue;
            }
            blocks.push(SheetBlock::Heading(heading(outcomes, lead, imposed)));
            let rows: Vec<SheetRow> =
                groups.iter().flat_map(|group| group.rows(outcomes, groups.len() > 1)).collect();
            let length: usize = rows.iter().map(|row| row.text.chars().count()).sum();
            let is_long_with_equal_resets = length > MAX_LENGTH && lead == Ordering::Equal;
            if is_long_with_equal_resets && imposed {
                blocks.push(SheetBlock::Text(one_move_ahead(outcomes)));
            } else if is_long_with_equal_resets
                && let Some((shifted, in_full)) = shifted_table(outcomes, &groups, length)
            {
                blocks.extend(shifted);
                table_in_full = Some(in_full);
            } else {
                blocks.push(SheetBlock::Rows(rows));
            }
        }
    }
    blocks.extend(table_in_full);
    blocks
}

fn heading(outcomes: &OutcomesByLimit, lead: Ordering, imposed: bool) -> String {
    let letter = letter(lead, imposed);
    if outcomes.lost.len() == 1 {
        return format!("{letter}: what to leave");
    }
    let move_made = if imposed { "you move with a reset, and then" } else { "you move without a reset, and" };
    let resets = match lead {
        Ordering::Equal => "as many resets left as your opponent",
        Ordering::Greater => "more resets left than your opponent",
        Ordering::Less => "fewer resets left than your opponent",
    };
    format!("{letter}: {move_made} have {resets}")
}

/// Writes the rule that replaces the table for equal resets with a reset in force: look one move ahead, in the other tables.
fn one_move_ahead(outcomes: &OutcomesByLimit) -> String {
    let most = grouped(outcomes.rules.reset_limit().into());
    let (plain, reset) = (letter(Ordering::Equal, false), letter(Ordering::Less, true));
    format!(
        "Leave a number from which your opponent, who may now take only 1 to {most}, can leave you no number of table \
         {plain} without a reset, and none of table {reset} with one."
    )
}
