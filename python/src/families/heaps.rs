//! Games of heaps.

use bouton_tables::heaps::{HeapRules, Move, Position};
use bouton_tables::{Answer, AskError, Game, MoveSet, Solved, Verdict};

use super::InColumns;
use crate::columns::Field;
use crate::sorted::{Found, Shape};

impl InColumns for HeapRules {
    fn fields(&self) -> Vec<Field> {
        let heaps = (1..=self.heaps()).map(|row| (format!("heap{row}"), None));
        let passes = (self.passes() > 0).then(|| ("passes".to_owned(), Some(self.passes().into())));
        heaps.chain(passes).collect()
    }

    fn radices(&self) -> Option<Vec<u32>> {
        let heaps = (0..self.heaps()).map(|_| self.greatest() + 1);
        let passes = (self.passes() > 0).then(|| u32::from(self.passes()) + 1);
        Some(heaps.chain(passes).collect())
    }

    #[inline]
    fn set(&self, position: &mut Position, number: impl Fn(usize) -> u32) -> Result<(), String> {
        let passes = if self.passes() > 0 { number(self.heaps()) } else { 0 };
        position.passes =
            passes.try_into().map_err(|_| format!("passes: found {passes}, expected those that are left"))?;
        position.heaps.iter_mut().enumerate().for_each(|(row, heap)| *heap = number(row));
        Ok(())
    }

    fn of_move(&self) -> Vec<(String, usize)> {
        let takes = (1..=self.heaps()).map(|row| (format!("take{row}"), 4));
        let passes = (self.passes() > 0).then(|| ("pass".to_owned(), 1));
        takes.chain(passes).collect()
    }

    #[inline]
    fn number_of_move(&self, chosen: Move, column: usize) -> u32 {
        if column < self.heaps() { chosen.taken_from(column) } else { chosen.is_pass().into() }
    }

    fn shape(&self) -> Option<Shape<'_>> {
        (self.heaps_per_move() == 1).then(|| Shape { bounds: self.bounds(), passes: self.passes() })
    }

    fn found<S: Solved<Game = Self>>(
        table: &S,
        position: &Position,
        answer: &Answer<Move, &S::Winning>,
    ) -> Result<Found, AskError> {
        let (rules, rows) = (table.game(), position.heaps.len());
        let Verdict { outcome, depth } = answer.verdict;
        let best = answer.best.unwrap_or(Move::PASS);
        let from = (0..rows).find(|&row| best.taken_from(row) > 0);
        let take = from.map_or(0, |row| best.taken_from(row));
        // Of a won position, no other moves than winning ones tie with the best.
        let mut may_tie = if answer.winning.is_empty() { u32::MAX } else { 0 };
        for chosen in answer.winning.iter() {
            let rows = (0..rows).filter(|&row| chosen.taken_from(row) == take);
            may_tie |= rows.fold(0, |rows, row| rows | 1 << row);
        }
        let after_best =
            Verdict { outcome: outcome.reversed(), depth: depth.map(|depth| depth.saturating_sub(1)) };
        let ties = |row: usize| -> Result<bool, AskError> {
            let chosen = Move::one(row, take);
            Ok(from.is_some_and(|from| position.heaps[row] == position.heaps[from])
                || from.is_some()
                    && may_tie >> row & 1 != 0
                    && rules.is_legal(position, chosen)
                    && table.verdict(&rules.after(position, chosen))? == after_best)
        };
        let mut tied = 0;
        for row in 0..rows {
            tied |= u32::from(ties(row)?) << row;
        }
        Ok(Found {
            outcome,
            depth: depth.unwrap_or(0),
            winning: answer.winning.len(),
            take,
            rows: tied,
            is_pass: answer.best.is_some() && from.is_none(),
        })
    }
}
