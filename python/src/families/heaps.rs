//! Games of heaps.

use bouton_tables::heaps::{HeapRules, Move, Position};

use super::InColumns;
use crate::columns::Field;

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
}
