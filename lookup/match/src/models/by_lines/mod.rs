//! Backward induction line by line ([`PositionLines`]), several times as fast as position by position.
//!
//! Problem: a position has up to `limit` moves, and the [induction](super::induction) looks each of them up. Idea:
//! nearly all moves lead to a window of neighbouring positions on another line. From one position of a line to the
//! next, the window moves by one place, so its maximum and its sum can be updated instead of computed anew.
//!
//! - A lost position needs the best chance in the window, for each plan ([`plan_windows`], [`window_best`]).
//! - A won position needs the sum of the chances after the opponent's winning replies ([`reply_sums`], [`sliding_sum`]).
//!
//! Example: with limit 3, position 10 reads places 7, 8, 9 of the next line, and position 11 reads 8, 9, 10: one new
//! place instead of three. So a position costs about constant time for each plan and kind, plus the few moves that lead
//! beyond the window.

mod known_chances;
mod line_moves;
mod plan_windows;
mod reply_sums;
mod sliding_sum;
mod stone_set;
#[cfg(test)]
mod tests;
mod window_best;

use std::collections::BTreeSet;
use std::ops::Range;

use bouton_tables::AskError;
use rayon::prelude::*;

use self::known_chances::{GroupLine, KnownChances, LineInduction};
use self::plan_windows::{LineColumns, PlanWindows};
use self::reply_sums::ReplySums;
use self::stone_set::StoneSet;
use super::stored_chance::{Opponents, StoredChance, store};
use crate::families::{PositionLine, PositionLines};
use crate::{Playable, PreparationProgress};

/// Writes the chances of all positions by number, in the form of [`stored_chance`](super::stored_chance).
pub(super) fn chances<G: Playable, T: StoredChance>(
    table: &G::Table,
    position_lines: &dyn PositionLines<G>,
    opponents: Opponents,
    chances: &mut [T],
    progress: &dyn PreparationProgress,
) -> Result<(), AskError> {
    let lines = position_lines.lines();
    let lost = (0..lines.len()).into_par_iter().map(|line| Ok(StoneSet(position_lines.lost(table, line)?)));
    let lost = lost.collect::<Result<_, AskError>>()?;
    let induction = LineInduction { table, position_lines, opponents, lines, lost };
    // Run inside the thread pool: the waits between waves take less time if the calling thread is in it.
    rayon::scope(|_| induction.run(chances, progress))
}

impl<G: Playable> LineInduction<'_, G> {
    fn run<T: StoredChance>(
        &self,
        chances: &mut [T],
        progress: &dyn PreparationProgress,
    ) -> Result<(), AskError> {
        for wave in self.position_lines.waves() {
            let done: Vec<&[T]> = (0..self.lines.len()).map(|line| &chances[self.places(line)]).collect();
            let computed = wave.par_iter().map(|group| self.group(&done, group));
            let computed: Vec<Vec<GroupLine<T>>> = computed.collect::<Result<_, AskError>>()?;
            for computed in computed.iter().flatten() {
                chances[self.places(computed.line)].copy_from_slice(&computed.chances);
                progress.advance(self.lines[computed.line].length.into());
            }
        }
        Ok(())
    }

    /// Returns the range of a line's chances in the list of all chances.
    fn places(&self, line: usize) -> Range<usize> {
        let PositionLine { first, length, .. } = self.lines[line];
        let [start, end] =
            [first, first + u64::from(length)].map(|number| number as usize * self.per_position());
        start..end
    }

    /// Computes the lines of a group. `done` has the chances of each line, by its number; only those of earlier waves
    /// are computed already.
    fn group<T: StoredChance>(&self, done: &[&[T]], group: &[usize]) -> Result<Vec<GroupLine<T>>, AskError> {
        let per_position = self.per_position();
        let length = group.first().map_or(0, |&line| self.lines[line].length);
        let new_line =
            |&line| GroupLine { line, chances: vec![T::default(); length as usize * per_position] };
        let mut known = KnownChances { induction: self, done, group: group.iter().map(new_line).collect() };
        let mut columns = self.columns(&known);
        let mut plans: Vec<PlanWindows<T>> =
            group.iter().map(|&line| PlanWindows::new(self, line, &columns)).collect();
        let mut replies: Vec<ReplySums> = group.iter().map(|&line| ReplySums::new(self, line)).collect();
        let mut output = vec![0.0; per_position];
        for stones in 0..length {
            for (index, &line) in group.iter().enumerate() {
                let position = (line, stones);
                let is_lost = self.is_lost(position);
                if is_lost {
                    plans[index].best_chances(position, &known, &columns, &mut output);
                } else {
                    replies[index].mean_chances(position, &known, &mut output)?;
                }
                let chances =
                    &mut known.group[index].chances[stones as usize * per_position..][..per_position];
                store(&output, chances);
                if !is_lost && let Some(columns) = columns.iter_mut().find(|column| column.line == line) {
                    columns.set(stones, chances, self.opponents);
                }
            }
        }
        Ok(known.group)
    }

    /// Returns the columns of all lines to which windows of the group belong. Columns of the group's own lines are still
    /// empty.
    fn columns<T: StoredChance>(&self, known: &KnownChances<G, T>) -> Vec<LineColumns<T>> {
        let next = known.group.iter().flat_map(|member| self.lines[member.line].next).flatten();
        let of_line = |line: usize| {
            let mut columns = LineColumns::new(line, self.lines[line].length, self.opponents);
            let is_done = known.group.iter().all(|member| member.line != line);
            let done = if is_done { known.done[line] } else { &[] };
            for (stones, chances) in (0..).zip(done.chunks_exact(self.per_position())) {
                if !self.is_lost((line, stones)) {
                    columns.set(stones, chances, self.opponents);
                }
            }
            columns
        };
        next.collect::<BTreeSet<usize>>().into_iter().map(of_line).collect()
    }
}
