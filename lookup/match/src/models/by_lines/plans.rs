//! Lost positions: the best move of each plan.

use super::best::{Best, Column};
use super::moves::{Moves, Place, Step};
use super::{Known, Pass};
use crate::Numbered;
use crate::models::stored::{Opponents, Stored, least_equal, sum_waiting, waiting};

/// What plans compare of the positions of a line.
#[derive(Debug)]
pub(super) struct Columns<T> {
    pub(super) line: usize,
    plans: Vec<Column<T>>,
}

impl<T: Stored> Columns<T> {
    pub(super) fn new(line: usize, length: u32, opponents: Opponents) -> Self {
        Self { line, plans: opponents.weights.iter().map(|_| Column::new(length)).collect() }
    }

    /// Enters the chances of a position.
    pub(super) fn set(&mut self, stones: u32, chances: &[T], opponents: Opponents) {
        for (plan, against_kinds) in chances.chunks_exact(opponents.kinds.len()).enumerate() {
            self.plans[plan].set(stones, opponents.own(plan, against_kinds), sum_waiting(against_kinds));
        }
    }
}

/// What is carried along a line for its lost positions: for each of the next lines the place of its columns, and for each
/// plan the best position in the window.
#[derive(Debug)]
pub(super) struct Plans<T> {
    next: [Option<(usize, Vec<Best<T>>)>; 2],
}

impl<T: Stored> Plans<T> {
    pub(super) fn new<G: Numbered>(pass: &Pass<G>, line: usize, columns: &[Columns<T>]) -> Self {
        let next = pass.all[line].next.map(|next| {
            let place = columns.iter().position(|columns| Some(columns.line) == next)?;
            Some((place, vec![Best::new(); pass.opponents.weights.len()]))
        });
        Self { next }
    }

    /// Finds the best move of each plan in a lost position, and the chances after it. The rule for moves that are equally
    /// good is that of the [`induction`](crate::models::induction) move by move.
    pub(super) fn respond<G: Numbered>(
        &mut self,
        pass: &Pass<G>,
        (line, stones): Place,
        known: &Known<T>,
        columns: &[Columns<T>],
        found: &mut [f64],
    ) {
        found.fill(0.0);
        if stones == 0 {
            return;
        }
        let n = pass.opponents.kinds.len();
        let moves = Moves::new(&pass.all[line], stones);
        let window = moves.window();
        for (plan, found) in found.chunks_exact_mut(n).enumerate() {
            let after = |step: Step| &known.at(moves.after(step))[plan * n..][..n];
            let raising = || moves.raising().map(|step| (step, after(step)));
            let own = |against_kinds: &[T]| pass.opponents.own(plan, against_kinds);

            let mut greatest = T::of(0.0);
            let mut raise = |chance| greatest = if chance > greatest { chance } else { greatest };
            for (place, best) in self.next.iter_mut().flatten().filter(|_| !window.is_empty()) {
                raise(best[plan].move_to(&window, &columns[*place].plans[plan]));
            }
            raising().for_each(|(_, chances)| raise(own(chances)));

            let least = least_equal(greatest);
            let mut best: Option<(T, Step)> = None;
            let mut compare = |sum: T, step: Step| {
                if best.is_none_or(|(most, first)| sum > most || sum == most && step < first) {
                    best = Some((sum, step));
                }
            };
            for (reset, next) in self.next.iter().enumerate().filter(|_| !window.is_empty()) {
                if let Some((place, best)) = next
                    && let Some((sum, at)) =
                        best[plan].with_at_least(least, &window, &columns[*place].plans[plan])
                {
                    compare(sum, (stones - at, reset));
                }
            }
            for (step, chances) in raising() {
                if own(chances) >= least {
                    compare(sum_waiting(chances), step);
                }
            }
            let (_, step) = best.expect("one of the moves has the greatest chance");
            found.iter_mut().zip(after(step)).for_each(|(found, &stored)| *found = waiting(stored));
        }
    }
}
