//! Solving Expanding Nim.
//!
//! A move from row m (currentmax m) stays in its row if it takes at most m stones, and goes k - m rows on if
//! it takes k more: so rows are solved from the greatest currentmax down, and within a row from no stones up.
//! All reset counts of a pair of stones and currentmax are solved at once, side by side. "Some move wins" is
//! then one combination over a window of the row that slides along with the stones, plus one place in each of
//! the few rows to which the limit reaches beyond it.

mod depths;
mod estimate;
mod growth;
mod outcomes;
mod pack;
mod verify;
mod window;

use std::io;

use bouton_tables::expanding::{Expanding, Layout};
use bouton_tables::format::{Sink, Written};
use rayon::prelude::*;

pub(crate) use estimate::estimate;
pub use pack::{EncodedRow, SolvedRow, Step, TableBuilder};

use crate::{Census, Progress};

/// Solves rows, the greatest currentmax first.
pub trait RowSolver {
    /// The next row.
    fn next_row(&mut self) -> Option<SolvedRow>;
}

/// The solver of a ruleset.
#[must_use]
pub fn solver(rules: &Expanding, depths: bool) -> Box<dyn RowSolver + Send> {
    if depths { depths::solver(rules) } else { outcomes::solver(rules) }
}

/// The most bytes of solved rows that wait to be packed.
const WAITING: usize = 64 << 20;

/// Solves a ruleset and writes its table. Progress is counted in pairs of stones and row.
///
/// # Errors
/// Whatever the sink reports, and if there is not enough memory.
pub fn generate(
    rules: &Expanding,
    depths: bool,
    progress: &Progress,
    sink: &mut dyn Sink,
) -> io::Result<Written> {
    let mut table = TableBuilder::new(rules, depths);
    let layout = table.layout().clone();
    let mut solver = solver(rules, depths);
    let mut census = Census::default();
    // Packing takes longer than solving and is independent for each row: the rows solved last are packed
    // by all threads while one of them solves the next ones.
    let mut waiting = batch(&mut *solver);
    while !waiting.is_empty() {
        let pack = || -> Vec<(EncodedRow, Census)> {
            waiting
                .par_iter()
                .map(|row| {
                    let packed = EncodedRow::new(&layout, row);
                    progress(u64::from(layout.length(row.row)));
                    (packed, census_of(rules, &layout, row))
                })
                .collect()
        };
        let (next, packed) = rayon::join(|| batch(&mut *solver), pack);
        for (row, counted) in packed {
            table.put(row);
            census = census.and(counted);
        }
        waiting = next;
    }
    table.finish(census, sink)
}

fn batch(solver: &mut dyn RowSolver) -> Vec<SolvedRow> {
    let mut rows = Vec::new();
    let mut bytes = 0;
    while bytes < WAITING {
        let Some(row) = solver.next_row() else { break };
        bytes += size_of_val(&row.lost[..]) + size_of_val(&row.steps[..]);
        rows.push(row);
    }
    rows
}

/// Counts a row, as the positions of every currentmax that shares it, with player 1 to move.
fn census_of(rules: &Expanding, layout: &Layout, row: &SolvedRow) -> Census {
    let words = layout.cells().div_ceil(64);
    let shared = if row.row == 0 { layout.floor() } else { 0 };
    let mut wins = 0;
    for (x, groups) in (0..).zip(row.lost.chunks_exact(4 * words)) {
        let lost: u64 = groups[..2 * words].iter().map(|word| u64::from(word.count_ones())).sum();
        // Currentmax m of row 0 arises with at most N - m stones.
        let pairs = u64::from(shared.min(rules.stones() - x)) + 1;
        wins += pairs * (rules.positions_per_pair() - lost);
    }
    Census { wins, deepest: row.steps.iter().map(|step| step.depth).max().unwrap_or(0) }
}
