//! The best move in a lost position, for each plan. A plan weighs the kinds of opponents in its own way, see
//! [`Opponents`].
//!
//! Nearly all moves lead to a *window*, adjacent places on another line ([`line_moves`](super::line_moves)). Its best
//! place is carried along the line, so in most lost positions only one new place is compared instead of all moves. The
//! moves beyond the window are compared one by one.

use super::known_chances::{KnownChances, LineInduction};
use super::line_moves::{LineMove, LinePosition};
use super::window_best::{ChanceColumn, WindowBest};
use crate::Playable;
use crate::models::stored_chance::{Opponents, StoredChance, sum_waiting, tie_threshold, write_waiting};

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

/// The windows that the moves from a line lead to: the first without, the second with a reset; `None` if there are no
/// such moves. Each has the index of the columns of its line, and the best place for each plan.
#[derive(Debug)]
pub(super) struct PlanWindows<T> {
    windows: [Option<(usize, Vec<WindowBest<T>>)>; 2],
}

impl<T: StoredChance> PlanWindows<T> {
    pub(super) fn new<G: Playable>(
        induction: &LineInduction<G>,
        line: usize,
        columns: &[LineColumns<T>],
    ) -> Self {
        let windows = induction.lines[line].next.map(|next| {
            let index = columns.iter().position(|column| Some(column.line) == next)?;
            Some((index, vec![WindowBest::default(); induction.opponents.weights.len()]))
        });
        Self { windows }
    }

    /// Writes the chances after each plan's best move in a lost position to `output`. Breaks ties as the
    /// [`induction`](crate::models::induction) does.
    pub(super) fn best_chances<G: Playable>(
        &mut self,
        position: LinePosition,
        known: &KnownChances<G, T>,
        columns: &[LineColumns<T>],
        output: &mut [f64],
    ) {
        output.fill(0.0);
        let (_, stones) = position;
        if stones == 0 {
            return;
        }
        let opponents = known.induction.opponents;
        let n = opponents.kinds.len();
        let moves = known.induction.moves(position);
        let window = moves.window();
        for (plan, output) in output.chunks_exact_mut(n).enumerate() {
            let after = |chosen: LineMove| &known.at(moves.after(chosen))[plan * n..][..n];
            let beyond_window = || moves.beyond_window().map(|chosen| (chosen, after(chosen)));
            let weighted = |against_kinds: &[T]| opponents.weighted(plan, against_kinds);

            let mut greatest = T::default();
            let mut keep_greatest = |chance| greatest = if chance > greatest { chance } else { greatest };
            // The window is empty if every move leads beyond it (`stay` is 0).
            for (index, windows) in self.windows.iter_mut().flatten().filter(|_| !window.is_empty()) {
                keep_greatest(windows[plan].slide_to(&window, &columns[*index].plans[plan]));
            }
            beyond_window().for_each(|(_, chances)| keep_greatest(weighted(chances)));

            // The first look found the greatest chance; this one breaks ties.
            let least_tied = tie_threshold(greatest);
            let mut best: Option<(T, LineMove)> = None;
            let mut compare = |sum: T, chosen: LineMove| {
                if best.is_none_or(|(best_sum, best_move)| {
                    sum > best_sum || sum == best_sum && chosen < best_move
                }) {
                    best = Some((sum, chosen));
                }
            };
            for (reset, windows) in self.windows.iter().enumerate().filter(|_| !window.is_empty()) {
                if let Some((index, windows)) = windows
                    && let Some((sum, at)) =
                        windows[plan].best_with_at_least(least_tied, &window, &columns[*index].plans[plan])
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
            write_waiting(after(chosen), output);
        }
    }
}
