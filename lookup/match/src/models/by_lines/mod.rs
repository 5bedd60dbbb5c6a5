//! The same induction line by line ([`Lines`]), which is several times as fast.
//!
//! Along a line, the chances that a position needs are those of a window of another line, and a few more. The window moves
//! with the position: in a lost position the player wants the best of the window ([`best`]), and in a won position the chances
//! after the opponent's winning replies are added up ([`sliding_sum`]).

mod best;
mod moves;
mod plans;
mod replies;
mod sliding_sum;
mod stone_set;
#[cfg(test)]
mod tests;

use bouton_tables::AskError;
use rayon::prelude::*;

use self::moves::Place;
use self::plans::{Columns, Plans};
use self::replies::Replies;
use self::stone_set::StoneSet;
use super::stored::{Opponents, Stored};
use crate::families::{Line, Lines};
use crate::{Numbered, Watch};

/// Writes the chances of all positions by their numbers, as [`induction`](super::induction) has them. `watch` hears how many
/// positions are done.
///
/// # Errors
/// If the table is damaged.
pub(super) fn chances<G: Numbered, T: Stored>(
    table: &G::Table,
    lines: &dyn Lines<G>,
    opponents: Opponents,
    chances: &mut [T],
    watch: &dyn Watch,
) -> Result<(), AskError> {
    let all = lines.all();
    let lost = (0..all.len()).into_par_iter().map(|line| Ok(StoneSet::new(lines.lost(table, line)?)));
    let lost = lost.collect::<Result<_, AskError>>()?;
    let pass = Pass { table, lines, opponents, all, lost };
    // The threads wait for each other after each wave, which takes less if this one is one of them.
    rayon::scope(|_| pass.run(chances, watch))
}

/// What is the same for all lines.
struct Pass<'a, G: Numbered> {
    table: &'a G::Table,
    lines: &'a dyn Lines<G>,
    opponents: Opponents<'a>,
    all: Vec<Line>,
    /// The lost positions of each line.
    lost: Vec<StoneSet>,
}

/// A line of a group that is being computed.
struct Part<'a, T> {
    line: usize,
    chances: &'a mut [T],
}

impl<G: Numbered> Pass<'_, G> {
    /// The number of chances of a position.
    fn each(&self) -> usize {
        self.opponents.each()
    }

    fn run<T: Stored>(&self, chances: &mut [T], watch: &dyn Watch) -> Result<(), AskError> {
        let mut left = chances;
        let mut of_lines: Vec<&mut [T]> = Vec::with_capacity(self.all.len());
        for line in &self.all {
            of_lines.push(
                left.split_off_mut(..line.length as usize * self.each()).expect("a chance for each number"),
            );
        }
        for wave in self.lines.waves() {
            // What is being written leaves `of_lines`, from which all threads read.
            let mut groups: Vec<Vec<Part<T>>> = Vec::with_capacity(wave.len());
            for group in wave {
                let parts =
                    group.into_iter().map(|line| Part { line, chances: std::mem::take(&mut of_lines[line]) });
                groups.push(parts.collect());
            }
            groups.par_iter_mut().try_for_each(|group| self.group(&of_lines, group))?;
            for part in groups.into_iter().flatten() {
                watch.advance(self.all[part.line].length.into());
                of_lines[part.line] = part.chances;
            }
        }
        Ok(())
    }

    /// Computes the lines of a group, when those of earlier waves are `done`.
    fn group<T: Stored>(&self, done: &[&mut [T]], group: &mut [Part<T>]) -> Result<(), AskError> {
        let mut columns = self.columns(done, group);
        let mut plans: Vec<Plans<T>> =
            group.iter().map(|part| Plans::new(self, part.line, &columns)).collect();
        let mut replies: Vec<Replies> = group.iter().map(|part| Replies::new(self, part.line)).collect();
        let mut found = vec![0.0; self.each()];
        let length = group.first().map_or(0, |part| self.all[part.line].length);
        for stones in 0..length {
            for at in 0..group.len() {
                let known = Known { each: self.each(), done, group };
                let place = (group[at].line, stones);
                let is_lost = self.is_lost(place);
                if is_lost {
                    plans[at].respond(self, place, &known, &columns, &mut found);
                } else {
                    replies[at].weigh(self, place, &known, &mut found)?;
                }
                let chances = &mut group[at].chances[stones as usize * self.each()..][..self.each()];
                chances.iter_mut().zip(&found).for_each(|(chance, &found)| *chance = T::of(found));
                if !is_lost && let Some(columns) = columns.iter_mut().find(|columns| columns.line == place.0)
                {
                    columns.set(stones, chances, self.opponents);
                }
            }
        }
        Ok(())
    }

    fn is_lost(&self, (line, stones): Place) -> bool {
        self.lost[line].contains(stones)
    }

    /// The columns of all lines to which moves lead from a group; those of the group itself have no entries yet.
    fn columns<T: Stored>(&self, done: &[&mut [T]], group: &[Part<T>]) -> Vec<Columns<T>> {
        let mut next: Vec<usize> = group.iter().flat_map(|part| self.all[part.line].next).flatten().collect();
        next.sort_unstable();
        next.dedup();
        let of_line = |line: usize| {
            let mut columns = Columns::new(line, self.all[line].length, self.opponents);
            for (stones, chances) in (0..).zip(done[line].chunks_exact(self.each())) {
                if !self.is_lost((line, stones)) {
                    columns.set(stones, chances, self.opponents);
                }
            }
            columns
        };
        next.into_iter().map(of_line).collect()
    }
}

/// The chances that are known while a group is computed.
#[derive(Clone, Copy)]
struct Known<'a, T> {
    /// The number of chances of a position.
    each: usize,
    /// Those of earlier waves; nothing for the lines of the group.
    done: &'a [&'a mut [T]],
    group: &'a [Part<'a, T>],
}

impl<'a, T> Known<'a, T> {
    fn line(&self, line: usize) -> &'a [T] {
        match self.group.iter().find(|part| part.line == line) {
            Some(part) => part.chances,
            None => self.done[line],
        }
    }

    fn at(&self, (line, stones): Place) -> &'a [T] {
        &self.line(line)[stones as usize * self.each..][..self.each]
    }
}
