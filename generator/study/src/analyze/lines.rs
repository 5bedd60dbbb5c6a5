//! Lines of Expanding Nim along the stones.

use std::collections::BTreeMap;

use bouton_tables::expanding::{Expanding, ExpandingTable, Position, Turn};
use bouton_tables::{AskError, Outcome, Solved};
use rayon::prelude::*;
use serde::Serialize;

use super::period::{Period, period};
use crate::Stones;
use crate::select::{Choose, Filter};

/// Positions with the same currentmax, turn, resets and imposed, along the stones. The fields stand in this
/// order in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The most stones taken at once.
    pub currentmax: u32,
    /// The player to move.
    pub turn: u8,
    /// Resets that players 1 and 2 have left.
    pub resets: [u8; 2],
    /// Whether a reset is imposed.
    pub imposed: bool,
    /// The most stones, to which all was looked at.
    pub stones: u32,
    /// How many numbers of stones, from 0 on, are lost.
    pub losing: u64,
    /// Their share.
    pub density: f64,
    /// The least losing number.
    pub first: Option<u32>,
    /// The greatest.
    pub last: Option<u32>,
    /// The distances between neighbouring losing numbers, each with how often it occurs.
    pub gaps: Vec<(u32, u64)>,
    /// The longest run of winning numbers.
    pub longest_wins: Option<Run>,
    /// How the outcomes repeat themselves.
    pub period: Option<Period>,
    /// The mean distance between losing numbers, where there is no period.
    pub quasi_period: Option<f64>,
}

/// A run of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The first of them.
    pub from: u32,
    /// How many.
    pub length: u32,
}

/// The lines of a table that a filter chooses, by currentmax, turn, resets and imposed.
pub(super) fn lines<D: AsRef<[u8]> + Sync>(
    table: &ExpandingTable<D>,
    filter: &Filter,
    progress: &crate::Progress,
) -> Result<Vec<Line>, AskError> {
    let look = |of: &Position| {
        let line = line(table, of);
        progress(1);
        line
    };
    chosen(table.game(), filter).par_iter().map(look).collect()
}

/// The positions without stones of the chosen lines, in natural order.
pub(super) fn chosen(rules: &Expanding, filter: &Filter) -> Vec<Position> {
    let region = Stones::of(&[rules], &[Turn::First, Turn::Second]);
    (0..region.pairs_below(1)).flat_map(|group| region.group(filter, group)).collect()
}

fn line<D: AsRef<[u8]>>(table: &ExpandingTable<D>, of: &Position) -> Result<Line, AskError> {
    let most = table.game().most_stones(of.currentmax).unwrap_or(0);
    let lost = (0..=most)
        .map(|stones| Ok(table.verdict(&Position { stones, ..of.clone() })?.outcome == Outcome::Loss))
        .collect::<Result<Vec<bool>, AskError>>()?;
    let losing: Vec<u32> = (0..).zip(&lost).filter(|&(_, &lost)| lost).map(|(stones, _)| stones).collect();
    let mut gaps = BTreeMap::new();
    for pair in losing.windows(2) {
        *gaps.entry(pair[1] - pair[0]).or_insert(0) += 1;
    }
    let period = period(&lost);
    let quasi_period = (period.is_none() && losing.len() > 2)
        .then(|| f64::from(losing[losing.len() - 1] - losing[0]) / (losing.len() - 1) as f64);
    Ok(Line {
        currentmax: of.currentmax,
        turn: of.turn.number(),
        resets: of.resets,
        imposed: of.imposed,
        stones: most,
        losing: losing.len() as u64,
        density: losing.len() as f64 / (f64::from(most) + 1.0),
        first: losing.first().copied(),
        last: losing.last().copied(),
        gaps: gaps.into_iter().collect(),
        longest_wins: longest_wins(&lost),
        period,
        quasi_period,
    })
}

/// The longest run of places that are not lost, the first of several.
fn longest_wins(lost: &[bool]) -> Option<Run> {
    let mut longest: Option<Run> = None;
    let mut from = 0;
    for (place, &lost) in lost.iter().enumerate() {
        if lost {
            from = place + 1;
            continue;
        }
        let length = (place + 1 - from) as u32;
        if longest.is_none_or(|longest| longest.length < length) {
            longest = Some(Run { from: from as u32, length });
        }
    }
    longest
}
