//! Lost positions: the best move of each plan.

use super::line_moves::{LineMove, LineMoves, LinePosition};
use super::window_best::{ChanceColumn, WindowBest};
use super::{KnownChances, Pass};
use crate::Numbered;
use crate::models::stored_chance::{Opponents, StoredChance, sum_waiting, tie_threshold, waiting};

/// The values of a line's positions that plans compare: one column for each plan.
#[derive(Debug)]
pub(super) struct LineColumns<T> {
    pub(super) line: usize,
    plans: Vec<ChanceColumn<T>>,
}

impl<T: StoredChance> LineColumns<T> {
    pub(super) fn new(line: usize, length: u32, opponents: Opponents) -> Self {
        Self { line, plans: opponents.weights.iter().map(|_| ChanceColumn::new(length)).collect() }
    }

    pub(super) fn set(&mut self, stones: u32, chances: &[T], opponents: Opponents) {
        for (plan, against_kinds) in chances.chunks_exact(opponents.kinds.len()).enumerate() {
            self.plans[plan].set(stones, opponents.weighted(plan, against_kinds), sum_waiting(against_kinds));
        }
    }
}

/// The windows of a line, carried from one lost position to the next. Each next line has its index among the columns,
/// and the best position in the window for each plan.
#[derive(Debug)]
pub(super) struct PlanWindows<T> {
    next: [Option<(usize, Vec<WindowBest<T>>)>; 2],
}

impl<T: StoredChance> PlanWindows<T> {
    pub(super) fn new<G: Numbered>(pass: &Pass<G>, line: usize, columns: &[LineColumns<T>]) -> Self {
        let next = pass.all[line].next.map(|next| {
            let place = columns.iter().position(|columns| Some(columns.line) == next)?;
            Some((place, vec![WindowBest::new(); pass.opponents.weights.len()]))
        });
        Self { next }
    }

    /// Finds the best move of each plan in a lost position, and writes the chances after it to `found`. Breaks ties
    /// as the [`induction`](crate::models::induction) does.
    pub(super) fn respond<G: Numbered>(
        &mut self,
        pass: &Pass<G>,
        (line, stones): LinePosition,
        known: &KnownChances<T>,
        columns: &[LineColumns<T>],
        found: &mut [f64],
    ) {
        found.fill(0.0);
        if stones == 0 {
            return;
        }
        let n = pass.opponents.kinds.len();
        let moves = LineMoves::new(&pass.all[line], stones);
        let window = moves.window();
        for (plan, found) in found.chunks_exact_mut(n).enumerate() {
            let after = |step: LineMove| &known.at(moves.after(step))[plan * n..][..n];
            let raising = || moves.raising().map(|step| (step, after(step)));
            let weighted = |against_kinds: &[T]| pass.opponents.weighted(plan, against_kinds);

            let mut greatest = T::of(0.0);
            let mut raise = |chance| greatest = if chance > greatest { chance } else { greatest };
            for (place, best) in self.next.iter_mut().flatten().filter(|_| !window.is_empty()) {
                raise(best[plan].slide_to(&window, &columns[*place].plans[plan]));
            }
            raising().for_each(|(_, chances)| raise(weighted(chances)));

            let least = tie_threshold(greatest);
            let mut best: Option<(T, LineMove)> = None;
            let mut compare = |sum: T, step: LineMove| {
                if best.is_none_or(|(most, first)| sum > most || sum == most && step < first) {
                    best = Some((sum, step));
                }
            };
            for (reset, next) in self.next.iter().enumerate().filter(|_| !window.is_empty()) {
                if let Some((place, best)) = next
                    && let Some((sum, at)) =
                        best[plan].best_at_least(least, &window, &columns[*place].plans[plan])
                {
                    compare(sum, (stones - at, reset));
                }
            }
            for (step, chances) in raising() {
                if weighted(chances) >= least {
                    compare(sum_waiting(chances), step);
                }
            }
            let (_, step) = best.expect("one of the moves has the greatest chance");
            found.iter_mut().zip(after(step)).for_each(|(found, &stored)| *found = waiting(stored));
        }
    }
}
