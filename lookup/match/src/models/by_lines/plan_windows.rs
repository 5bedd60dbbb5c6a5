//! The best move in lost positions, for each plan: each way to weigh the kinds of opponents, see [`Opponents`].
//!
//! The best position in a [window](WindowBest) is carried along a line, so most positions compare one new position
//! instead of all moves. The moves beyond the window are compared one by one.

use super::line_moves::{LineMove, LineMoves, LinePosition};
use super::window_best::{ChanceColumn, WindowBest};
use super::{KnownChances, Pass};
use crate::Numbered;
use crate::models::stored_chance::{Opponents, StoredChance, chance_waiting, sum_waiting, tie_threshold};

/// For each plan, the values by which it compares the positions of a line.
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

/// The windows of a line, carried from one lost position to the next. For each of the (up to two) lines that moves lead
/// to, without and with a reset: the index of its columns, and for each plan the best position of the window.
#[derive(Debug)]
pub(super) struct PlanWindows<T> {
    next: [Option<(usize, Vec<WindowBest<T>>)>; 2],
}

impl<T: StoredChance> PlanWindows<T> {
    pub(super) fn new<G: Numbered>(pass: &Pass<G>, line: usize, columns: &[LineColumns<T>]) -> Self {
        let next = pass.lines[line].next.map(|next| {
            let index = columns.iter().position(|column| Some(column.line) == next)?;
            Some((index, vec![WindowBest::new(); pass.opponents.weights.len()]))
        });
        Self { next }
    }

    /// Writes the chances after each plan's best move in a lost position to `output`. Breaks ties as the
    /// [`induction`](crate::models::induction) does.
    pub(super) fn best_chances<G: Numbered>(
        &mut self,
        pass: &Pass<G>,
        (line, stones): LinePosition,
        known: &KnownChances<T>,
        columns: &[LineColumns<T>],
        output: &mut [f64],
    ) {
        output.fill(0.0);
        if stones == 0 {
            return;
        }
        let n = pass.opponents.kinds.len();
        let moves = LineMoves::new(&pass.lines[line], stones);
        let window = moves.window();
        for (plan, output) in output.chunks_exact_mut(n).enumerate() {
            let after = |chosen: LineMove| &known.at(moves.after(chosen))[plan * n..][..n];
            let beyond_window = || moves.beyond_window().map(|chosen| (chosen, after(chosen)));
            let weighted = |against_kinds: &[T]| pass.opponents.weighted(plan, against_kinds);

            let mut greatest = T::from_f64(0.0);
            let mut keep_greatest = |chance| greatest = if chance > greatest { chance } else { greatest };
            // The window is empty if every move leads beyond it (`stay` is 0).
            for (index, best) in self.next.iter_mut().flatten().filter(|_| !window.is_empty()) {
                keep_greatest(best[plan].slide_to(&window, &columns[*index].plans[plan]));
            }
            beyond_window().for_each(|(_, chances)| keep_greatest(weighted(chances)));

            // The first pass found the greatest chance; this one breaks ties.
            let least_tied = tie_threshold(greatest);
            let mut best: Option<(T, LineMove)> = None;
            let mut compare = |sum: T, chosen: LineMove| {
                if best.is_none_or(|(best_sum, best_move)| {
                    sum > best_sum || sum == best_sum && chosen < best_move
                }) {
                    best = Some((sum, chosen));
                }
            };
            for (reset, next) in self.next.iter().enumerate().filter(|_| !window.is_empty()) {
                if let Some((index, best)) = next
                    && let Some((sum, at)) =
                        best[plan].best_at_least(least_tied, &window, &columns[*index].plans[plan])
                {
                    compare(sum, (stones - at, reset));
                }
            }
            for (chosen, chances) in beyond_window() {
                if weighted(chances) >= least_tied {
                    compare(sum_waiting(chances), chosen);
                }
            }
            let (_, chosen) = best.expect("one of the moves has the greatest chance");
            output
                .iter_mut()
                .zip(after(chosen))
                .for_each(|(output, &stored)| *output = chance_waiting(stored));
        }
    }
}
