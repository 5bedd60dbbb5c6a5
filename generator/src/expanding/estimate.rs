//! How much a table of Expanding Nim takes.

use bouton_tables::expanding::{Expanding, Layout, Step};

use super::WAITING;
use crate::Estimate;

/// Estimates a ruleset.
#[must_use]
pub(crate) fn estimate(rules: &Expanding, depths: bool) -> Estimate {
    let places = u64::from(rules.stones()) + 1;
    let rows = Layout::count_rows(rules);
    let cells = rules.positions_per_pair() / 2;
    let words = cells.div_ceil(64);
    // Pairs of stones and row: those of currentmax 0, and of each currentmax that has a row of its own.
    let floor = rules.base_limit().saturating_sub(rules.growth());
    let pairs = rules.pairs() - rules.pairs_up_to(floor) + places;

    // What the solver keeps for each place of a row that moves may still reach: a word or a key (of 8 bytes at the most) for each turn
    // and cell. What it hands over for each place: outcomes, and steps.
    let kept = if depths { 2 * cells * 8 } else { 2 * words * 8 };
    let handed = 4 * words * 8 + if depths { 4 * cells * size_of::<Step>() as u64 } else { 0 };
    let reach = rows.min(u64::from(rules.growth()));
    // Rows wait in two batches, each of which may be one row too long; packing takes about as much again.
    let waiting = (pairs * handed).min(WAITING as u64 + places * handed);

    // The file, as tables of many rulesets came out, within a factor of three: lines that reset counts do not tell apart are stored
    // once, some five for each count; nearly all marks and steps are those of a few lines.
    let lines = rows * (5 * cells.isqrt() + 1);
    let usual_limit = u64::from(rules.base_limit()).max(rows * u64::from(rules.growth()) * 3 / 5);
    let outcomes = 7 * lines + 3 * pairs / usual_limit;
    let verdicts = if depths { 20 * lines + pairs * 11 / 5 } else { 0 };
    let file = 512 + outcomes + verdicts;
    Estimate {
        positions: rules.positions(),
        steps: pairs,
        checks: rules.pairs(),
        // Two blocks of rows, and their combination.
        memory: (32 << 20) + (2 * reach + 2) * places * kept + 4 * waiting + 16 * file,
        file,
    }
}
