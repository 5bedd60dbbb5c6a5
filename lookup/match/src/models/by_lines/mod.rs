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

use bouton_tables::AskError;
use rayon::prelude::*;

use self::known_chances::{GroupLine, KnownChances, LineInduction};
use self::plan_windows::{LineColumns, PlanWindows};
use self::reply_sums::ReplySums;
use self::stone_set::StoneSet;
use super::stored_chance::{Opponents, StoredChance, store};
use crate::families::{PositionLine, PositionLines};
use crate::{Numbered, PreparationProgress};

/// Writes the chances of all positions by number, in the form of [`stored_chance`](super::stored_chance).
pub(super) fn chances<G: Numbered, T: StoredChance>(
    table: &G::Table,
    position_lines: &dyn PositionLines<G>,
    opponents: Opponents,
    chances: &mut [T],
    progress: &dyn PreparationProgress,
) -> Result<(), AskError> {
    let lines = position_lines.lines();
    let lost =
        (0..lines.len()).into_par_iter().map(|line| Ok(StoneSet::new(position_lines.lost(table, line)?)));
    let lost = lost.collect::<Result<_, AskError>>()?;
    let induction = LineInduction { table, position_lines, opponents, lines, lost };
    // Run inside the thread pool: the waits between waves take less time if the calling thread is in it.
    rayon::scope(|_| induction.run(chances, progress))
}

impl<G: Numbered> LineInduction<'_, G> {
    fn run<T: StoredChance>(
        &self,
        chances: &mut [T],
        progress: &dyn PreparationProgress,
    ) -> Result<(), AskError> {
        let mut rest = chances;
        let of_line = |line: &PositionLine| {
            let count = line.length as usize * self.per_position();
            rest.split_off_mut(..count).expect("a chance for each number")
        };
        let mut line_chances: Vec<&mut [T]> = self.lines.iter().map(of_line).collect();
        for wave in self.position_lines.waves() {
            // Lines being written are moved out of `line_chances`, from which all threads read.
            let mut take = |line| GroupLine { line, chances: std::mem::take(&mut line_chances[line]) };
            let members = |group: Vec<usize>| group.into_iter().map(&mut take).collect();
            let mut groups: Vec<Vec<GroupLine<T>>> = wave.into_iter().map(members).collect();
            groups.par_iter_mut().try_for_each(|group| self.group(&line_chances, group))?;
            for member in groups.into_iter().flatten() {
                progress.advance(self.lines[member.line].length.into());
                line_chances[member.line] = member.chances;
            }
        }
        Ok(())
    }

    /// Computes the lines of a group. `done` holds the lines of earlier waves.
    fn group<T: StoredChance>(&self, done: &[&mut [T]], group: &mut [GroupLine<T>]) -> Result<(), AskError> {
        let mut columns = self.columns(done, group);
        let mut plans: Vec<PlanWindows<T>> =
            group.iter().map(|member| PlanWindows::new(self, member.line, &columns)).collect();
        let mut replies: Vec<ReplySums> =
            group.iter().map(|member| ReplySums::new(self, member.line)).collect();
        let per_position = self.per_position();
        let mut output = vec![0.0; per_position];
        let length = group.first().map_or(0, |member| self.lines[member.line].length);
        for stones in 0..length {
            for index in 0..group.len() {
                let known = KnownChances { induction: self, done, group };
                let position = (group[index].line, stones);
                let is_lost = self.is_lost(position);
                if is_lost {
                    plans[index].best_chances(position, &known, &columns, &mut output);
                } else {
                    replies[index].mean_chances(position, &known, &mut output)?;
                }
                let chances = &mut group[index].chances[stones as usize * per_position..][..per_position];
                store(&output, chances);
                if !is_lost && let Some(columns) = columns.iter_mut().find(|column| column.line == position.0)
                {
                    columns.set(stones, chances, self.opponents);
                }
            }
        }
        Ok(())
    }

    /// Returns the columns of all lines to which windows of the group belong. Columns of the group's own lines are still
    /// empty.
    fn columns<T: StoredChance>(&self, done: &[&mut [T]], group: &[GroupLine<T>]) -> Vec<LineColumns<T>> {
        let mut next: Vec<usize> =
            group.iter().flat_map(|member| self.lines[member.line].next).flatten().collect();
        next.sort_unstable();
        next.dedup();
        let of_line = |line: usize| {
            let mut columns = LineColumns::new(line, self.lines[line].length, self.opponents);
            for (stones, chances) in (0..).zip(done[line].chunks_exact(self.per_position())) {
                if !self.is_lost((line, stones)) {
                    columns.set(stones, chances, self.opponents);
                }
            }
            columns
        };
        next.into_iter().map(of_line).collect()
    }
}
