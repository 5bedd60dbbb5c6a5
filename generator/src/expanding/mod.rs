//! Solving Expanding Nim.
//!
//! A move from row m (currentmax m) stays in its row if it takes at most m stones, and goes k - m rows on if
//! it takes k more: so rows are solved from the greatest currentmax down, and within a row from no stones up. Lines are solved
//! from one change to the next: outcomes by [`lists`], depths and best moves by [`depths`].

mod covers;
mod depths;
mod estimate;
mod line;
mod lists;
mod marks;
mod pack;
mod pairs;
mod row;
#[cfg(test)]
mod twin;
mod verify;

use bouton_tables::expanding::{Expanding, Layout};
use bouton_tables::format::Sink;

use self::depths::DepthSolver;
use self::lists::ListSolver;
use self::pack::{EncodedRow, TableBuilder};
use self::row::{Bytes, Run, SolvedRow};
use crate::control::check;
use crate::estimate::Trail;
use crate::generate::Solvable;
use crate::memory::Grow;
use crate::{Census, Control, GenerateError, Options, Phase, Resources, Summary, parallel};

/// Solves rows, the greatest currentmax first.
trait RowSolver {
    /// The next row.
    ///
    /// # Errors
    /// If there is not enough memory, or `control` cancels.
    fn next_row(&mut self, control: &dyn Control) -> Result<Option<SolvedRow>, GenerateError>;

    /// Counts what it keeps of the rows that it solved.
    fn count(&self, bytes: &mut Bytes);
}

/// The solver of a ruleset.
///
/// # Errors
/// If there is not enough memory.
fn solver(rules: &Expanding, depths: bool) -> Result<Box<dyn RowSolver + Send>, GenerateError> {
    Ok(if depths { Box::new(DepthSolver::new(rules)?) } else { Box::new(ListSolver::new(rules)?) })
}

/// The most bytes of solved rows that wait to be packed.
const WAITING: usize = 16 << 20;

impl Solvable for Expanding {
    /// Steps are pairs of stones and row.
    fn make(
        &self,
        options: Options,
        _: &Resources,
        sink: &mut dyn Sink,
        control: &dyn Control,
    ) -> Result<(Summary, Trail), GenerateError> {
        control.begin(Phase::Solving, steps(self));
        let mut trail = Trail::default();
        let mut table = TableBuilder::new(self, options.depths)?;
        let mut solver = solver(self, options.depths)?;
        let mut census = Census::default();
        // Packing takes longer than solving and is independent for each row: the rows solved last are packed
        // by all threads while one of them solves the next ones.
        let mut waiting = batch(&mut *solver, &mut trail, control)?;
        while !waiting.is_empty() {
            let layout = table.layout();
            let pack = |number| {
                check(control)?;
                let row: &SolvedRow = &waiting[number];
                let packed = EncodedRow::new(self, layout, row)?;
                control.advance(layout.length(row.row).into());
                Ok(packed)
            };
            let pack = || parallel::map(waiting.len(), pack);
            let (next, packed) = parallel::join(|| batch(&mut *solver, &mut trail, control), pack);
            for row in packed? {
                census = census.and(row.census);
                table.put(row);
            }
            waiting = next?;
        }
        drop(solver);
        let (summary, packed) = table.finish(census, sink)?;
        (trail.packed, trail.file) = (packed.into(), summary.bytes.into());
        Ok((summary, trail))
    }
}

/// Pairs of stones and row: those of currentmax 0, and of each currentmax that has a row of its own.
fn steps(rules: &Expanding) -> u64 {
    let floor = rules.base_limit().saturating_sub(rules.growth());
    let last = u64::from(floor) + Layout::count_rows_of_table(rules) - 1;
    let last = u32::try_from(last).unwrap_or(u32::MAX);
    rules.pairs_up_to(last) - rules.pairs_up_to(floor) + u64::from(rules.stones()) + 1
}

fn layout(rules: &Expanding) -> Result<Layout, GenerateError> {
    Layout::of_table(rules).ok_or(GenerateError::Memory)
}

/// The next rows. Notes what they take, and what the solver keeps.
fn batch(
    solver: &mut dyn RowSolver,
    trail: &mut Trail,
    control: &dyn Control,
) -> Result<Vec<SolvedRow>, GenerateError> {
    let mut rows = Vec::new();
    let mut bytes = Bytes::default();
    while bytes.sum < WAITING {
        let Some(row) = solver.next_row(control)? else { break };
        bytes.next_row(&row);
        rows.grow(row)?;
    }
    trail.handed += bytes.sum as u128;
    let mut kept = Bytes::default();
    solver.count(&mut kept);
    trail.kept = trail.kept.max(kept.sum as u128);
    Ok(rows)
}
