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
    let shared: u64 =
        (1..=floor.min(rules.greatest_currentmax())).filter_map(|m| rules.most_stones(m)).map(|n| u64::from(n) + 1).sum();
    let pairs = rules.pairs() - shared;

    // What the solver keeps for each place of a row that moves may still reach: a word or a key (of 8 bytes at the most) for each turn
    // and cell. What it hands over for each place: outcomes, and steps.
    let kept = if depths { 2 * cells * 8 } else { 2 * words * 8 };
    let handed = 4 * words * 8 + if depths { 4 * cells * size_of::<Step>() as u64 } else { 0 };
    let reach = rows.min(u64::from(rules.growth()) + 1);
    // Rows wait in two batches, each of which may be one row too long; packing takes about as much again.
    let waiting = (pairs * handed).min(WAITING as u64 + places * handed);

    // Lines that are equal but for reset counts are stored once; those with equal resets are the ones of which all places count.
    let lines = 2 * cells.isqrt() + 4;
    let records = rows * lines * 9;
    let outcomes = records + pairs / u64::from(rules.base_limit().max(rules.growth()) + 8) * 2;
    let verdicts = if depths { records + pairs * 3 * u64::from(rules.growth().clamp(1, 4)) } else { 0 };
    let file = 1024 + outcomes + verdicts;
    Estimate {
        positions: rules.positions(),
        steps: pairs,
        checks: rules.pairs(),
        memory: (32 << 20) + (reach + 1) * places * kept + 4 * waiting + 16 * file,
        file,
    }
}
