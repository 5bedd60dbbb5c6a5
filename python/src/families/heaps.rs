//! The columns of numbers for heap games.

use bouton_tables::heaps::{HeapRules, Move, Position};
use bouton_tables::{Answer, AskError, Game, MoveSet, Solved, Verdict};

use super::InColumns;
use crate::any_order_cache::{CacheBounds, CachedAnswer};

impl InColumns for HeapRules {
    fn radices(&self) -> Option<Vec<u32>> {
        let heaps = (0..self.heaps()).map(|_| self.greatest_bound() + 1);
        let passes = (self.passes() > 0).then(|| u32::from(self.passes()) + 1);
        Some(heaps.chain(passes).collect())
    }

    #[inline]
    fn set(&self, position: &mut Position, number: impl Fn(usize) -> u64) -> Result<(), String> {
        let passes = if self.passes() > 0 { number(self.heaps()) } else { 0 };
        position.passes = passes.try_into().map_err(|_| {
            format!("passes: found {passes}, but the table covers 0 to {} passes left", self.passes())
        })?;
        position.heaps.iter_mut().enumerate().for_each(|(row, heap)| *heap = number(row) as u32);
        Ok(())
    }

    fn move_columns(&self) -> Vec<(String, usize)> {
        let takes = (1..=self.heaps()).map(|row| (format!("take{row}"), 4));
        let passes = (self.passes() > 0).then(|| ("pass".to_owned(), 1));
        takes.chain(passes).collect()
    }

    #[inline]
    fn number_of_move(&self, chosen: Move, column: usize) -> u32 {
        if column < self.heaps() { chosen.taken_from(column) } else { chosen.is_pass().into() }
    }

    fn cache_bounds(&self) -> Option<CacheBounds<'_>> {
        (self.heaps_per_move() == 1).then(|| CacheBounds { bounds: self.bounds(), passes: self.passes() })
    }

    fn cached_answer<S: Solved<Game = Self>>(
        table: &S,
        position: &Position,
        answer: &Answer<Move, &S::WinningMoves>,
    ) -> Result<CachedAnswer, AskError> {
        let (rules, heaps) = (table.game(), &position.heaps);
        let Verdict { outcome, depth } = answer.verdict;
        let mut found = CachedAnswer {
            outcome,
            depth: depth.unwrap_or(0),
            winning: answer.winning.len() as u32,
            take: 0,
            rows: 0,
        };
        let Some(best) = answer.best else { return Ok(found) };
        let Some(best_row) = (0..heaps.len()).find(|&row| best.taken_from(row) > 0) else {
            // A pass: by convention it takes 1 stone from no row.
            return Ok(CachedAnswer { take: 1, ..found });
        };
        found.take = best.taken_from(best_row);
        let after_best =
            Verdict { outcome: outcome.reversed(), depth: depth.map(|depth| depth.saturating_sub(1)) };
        // A quick test that saves most lookups: a best move that wins can tie only with moves that win.
        let may_tie = |row| {
            let mut winning = answer.winning.iter();
            answer.winning.is_empty() || winning.any(|winning| winning.taken_from(row) == found.take)
        };
        // Returns whether a move that takes `found.take` stones from a row is as good as the best move.
        let ties = |row: usize| -> Result<bool, AskError> {
            let chosen = Move::single(row, found.take);
            Ok(heaps[row] == heaps[best_row]
                || may_tie(row)
                    && rules.is_legal(position, chosen)
                    && table.verdict(&rules.after(position, chosen))? == after_best)
        };
        for row in 0..heaps.len() {
            found.rows |= u32::from(ties(row)?) << row;
        }
        Ok(found)
    }
}
