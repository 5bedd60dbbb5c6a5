//! Solves Expanding Nim.
//!
//! A *row* holds all positions of one currentmax m (row 0: of all up to the floor; the open row: of all greater ones,
//! too); a *line* holds the positions of a row that differ only in their stones. A move of at most m stones stays in
//! the row, and a move of k > m stones leads to the row of currentmax k. The solvers therefore go through the rows from
//! the greatest currentmax down, and along each line from 0 stones up.
//!
//! For example, with base-limit 3 and growth 1, 10 stones at currentmax 4 allow moves of 1 to 5 stones. Moves of 1 to 4
//! lead to the places 9 to 6 of the same row. The move of 5 leads to place 5 of the row of currentmax 5, which is
//! already solved.
//!
//! A solver does not visit each position: it jumps along a line from one change to the next. [`outcomes`] finds the lost
//! positions; [`depths`] finds depths and best moves.

mod covers;
mod depths;
mod estimate;
mod marks;
mod outcome_line;
mod outcomes;
mod pack;
mod pairs;
mod row;
mod run;
#[cfg(test)]
mod tests;
mod varint;
mod verify;

use bouton_tables::expanding::{Expanding, ExpandingLayout};
use bouton_tables::format::Sink;

use self::depths::DepthSolver;
use self::outcomes::OutcomeSolver;
use self::pack::{EncodedRow, RowStore, write_table};
use self::row::{LineBytes, RowSolver, SolvedRow, layout};
use crate::census::Census;
use crate::control::{Control, Phase, check_cancelled};
use crate::family::{Measurement, Solvable};
use crate::making::{GenerateError, GenerateOptions, Resources, Summary};
use crate::memory::{Grow, capped};
use crate::parallel;

/// Returns the solver for a ruleset.
fn solver(rules: &Expanding, depths: bool) -> Result<Box<dyn RowSolver + Send>, GenerateError> {
    Ok(if depths { Box::new(DepthSolver::new(rules)?) } else { Box::new(OutcomeSolver::new(rules)?) })
}

/// A batch ends as soon as its solved rows take this many bytes.
const BATCH_BYTES: usize = 1 << 20;

impl Solvable for Expanding {
    /// Solves and packs. A step of progress is a number of stones in a row.
    fn make(
        &self,
        options: GenerateOptions,
        _: &Resources,
        sink: &mut dyn Sink,
        control: &dyn Control,
    ) -> Result<(Summary, Measurement), GenerateError> {
        if options.depths {
            self.check_depths().map_err(GenerateError::Depths)?;
        }
        control.begin(Phase::Solving, steps(self));
        let mut measurement = Measurement::default();
        let layout = &layout(self)?;
        let mut packed_rows = RowStore::default();
        let mut solver = solver(self, options.depths)?;
        let mut census = Census::default();
        // Packing a row takes longer than solving one, and rows are packed independently. All threads pack one batch of
        // rows while one of them solves the next batch.
        let mut rows = (0..layout.rows()).rev();
        let mut batch = next_batch(&mut *solver, &mut rows, &mut measurement, control)?;
        while !batch.is_empty() {
            let pack_row = |number| {
                check_cancelled(control)?;
                let row: &SolvedRow = &batch[number];
                let packed = EncodedRow::new(self, layout, row)?;
                control.advance(layout.length(row.row));
                Ok(packed)
            };
            let pack = || parallel::map(batch.len(), pack_row);
            let solve = || next_batch(&mut *solver, &mut rows, &mut measurement, control);
            let (next, packed) = parallel::join(solve, pack);
            packed_rows.add(packed?.inspect(|row| census = census.and(row.census)))?;
            batch = next?;
        }
        drop(solver);
        let header = census.header(self.clone().into(), options.depths);
        let (summary, packed) = write_table(layout, packed_rows, header, sink)?;
        (measurement.packed, measurement.file) = (packed.into(), summary.bytes.into());
        Ok((summary, measurement))
    }
}

/// Returns the sum of the lengths of the table's rows.
fn steps(rules: &Expanding) -> u64 {
    let floor = rules.base_limit().saturating_sub(rules.growth());
    let last = u64::from(floor) + ExpandingLayout::count_rows(rules) - 1;
    let last = u32::try_from(last).unwrap_or(u32::MAX);
    capped(rules.pairs_up_to(last) - rules.pairs_up_to(floor) + u128::from(rules.stones()) + 1)
}

/// Solves the next batch of the rows with these numbers, and records the memory of the batch and of the solver in
/// `measurement`.
fn next_batch(
    solver: &mut dyn RowSolver,
    numbers: &mut impl Iterator<Item = usize>,
    measurement: &mut Measurement,
    control: &dyn Control,
) -> Result<Vec<SolvedRow>, GenerateError> {
    let mut rows = Vec::new();
    let mut bytes = LineBytes::default();
    while bytes.sum < BATCH_BYTES {
        let Some(number) = numbers.next() else { break };
        let row = solver.solve(number, control)?;
        bytes.add_row(&row)?;
        rows.grow(row)?;
    }
    measurement.handed_over += bytes.sum as u128;
    let mut kept = LineBytes::default();
    solver.add_bytes(&mut kept)?;
    measurement.kept = measurement.kept.max(kept.sum as u128);
    Ok(rows)
}
