//! Solving tasks side by side.

use std::sync::Mutex;

use super::block::Size;
use super::cell::Cell;
use super::layout::Task;
use super::store::{Store, lock};
use super::task::Solver;
use crate::control::check;
use crate::{Census, Control, GenerateError, parallel};

/// What was done so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Counted {
    /// What its positions count.
    pub(super) census: Census,
    pub(super) steps: u64,
}

/// Solves tasks that have nothing to do with each other, and adds to what is counted.
pub(super) fn run<C: Cell, S: Size>(
    solver: &Solver<C>,
    store: &Store<C, S>,
    tasks: &[Task],
    counted: &Mutex<Counted>,
    control: &dyn Control,
) -> Result<(), GenerateError> {
    let solve = |at: usize| {
        // A task that is begun is ended, so that a checkpoint can follow.
        check(control)?;
        let [one, two, three]: Task = tasks[at];
        let wanted = [[one, two], [one, three], [two, three]];
        let census = store.with(wanted, |blocks, which| solver.solve(tasks[at], blocks, which));
        let steps = solver.layout.steps(tasks[at]);
        let mut counted = lock(counted);
        store.set_done(tasks[at]);
        *counted = Counted { census: counted.census.and(census), steps: counted.steps + steps };
        control.advance(steps);
        Ok(())
    };
    parallel::reduce(tasks.len(), solve, |(), ()| Ok(()))
}
