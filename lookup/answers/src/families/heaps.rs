//! The board of a heap game, and its plane: the two largest heaps.

use bouton_tables::heaps::{Heap, HeapRules, Move, Position, Take};
use bouton_tables::{Game, PositionError};

use crate::board::{Axis, Board, BoardView, MoveView, Plane, RowTake};
use crate::budget::{LookUpCost, USUAL_STEPS};

/// Maximum number of columns, and of rows, of the part of a plane that the page shows.
const MAX_WIDTH: u64 = 120;

/// Maximum number of stones of a game that takes a few minutes.
const MAX_SMALL_STONES: u64 = 24;
/// Starts of games that take a few minutes: with three heaps, with two, and with one; for each number of heaps, the best first.
const SMALL_STARTS: &str = "3,5,7 3,5,6 3,5,8 2,5,7 7,9 6,9 8,9 9,9 21 20 19";

impl Board for HeapRules {
    fn cost(&self) -> LookUpCost {
        // If a move takes any number from one heap, then for each heap at most one size makes the position lost while
        // the others stay. The table stores this size, so each heap needs one read.
        let steps = match self.heaps_per_move() == 1 && *self.take() == Take::Any {
            true => self.heaps() as u64,
            false => self.moves(&self.start()).take(USUAL_STEPS as usize).count() as u64,
        };
        // A verdict costs as much as an answer: the depth of a won position follows from a lost successor, found by a search.
        LookUpCost::new(steps, steps)
    }

    fn read_foreign_position(&self, text: &str) -> Result<Position, PositionError> {
        let Some(notation) = Self::notation_of_position(text) else { return self.read_position(text) };
        let (mut heaps, passes) =
            notation.split_once('/').map_or((&*notation, None), |(heaps, passes)| (heaps, Some(passes)));
        // Drop trailing empty heaps, which rules with more heaps write, and `/0`, which rules with passes write.
        while heaps.split(',').count() > self.heaps()
            && let Some(fewer) = heaps.strip_suffix(",0")
        {
            heaps = fewer;
        }
        match passes {
            None => self.read_position(heaps),
            Some("0") if self.passes() == 0 => self.read_position(heaps),
            Some(passes) => self.read_position(&format!("{heaps}/{passes}")),
        }
    }

    fn small_starts(&self) -> Vec<Position> {
        let start = self.start();
        if start.heaps.iter().map(|&heap| u64::from(heap)).sum::<u64>() <= MAX_SMALL_STONES {
            return vec![start];
        }
        // Use as many heaps as the game has, up to three; reading a position leaves the others empty.
        let sized = SMALL_STARTS.split(' ').filter(|heaps| heaps.split(',').count() == self.heaps().min(3));
        sized.filter_map(|heaps| self.read_position(heaps).ok()).chain([start]).collect()
    }

    fn move_view(&self, chosen: Move) -> MoveView {
        let takes = chosen.takes().map(|(row, stones)| RowTake { row: Some(row + 1), stones });
        MoveView { takes: takes.collect(), reset: false }
    }

    fn board_view(&self, position: &Position) -> BoardView {
        let (heaps, passes) = (position.heaps.to_vec(), position.passes);
        BoardView { heaps: Some(heaps), passes: Some(passes), ..BoardView::default() }
    }

    fn plane(&self, position: &Position, [x, y]: [Option<u64>; 2]) -> Plane {
        let mut rows: Vec<usize> = (0..position.heaps.len()).collect();
        // The sort is stable: among equal heaps it chooses the upper rows.
        rows.sort_by_key(|&row| std::cmp::Reverse(position.heaps[row]));
        rows.truncate(2);
        rows.sort_unstable();
        let axis = |row: usize, near| {
            let name = format!("stones in row {}", row + 1);
            let [at, most] = [position.heaps[row], self.greatest_bound()].map(u64::from);
            Axis::around(name, Some(row + 1), at, near, most, MAX_WIDTH)
        };
        Plane { x: axis(rows[0], x), y: rows.get(1).map(|&row| axis(row, y)) }
    }

    fn position_at(&self, around: &Position, plane: &Plane, x: u64, y: u64) -> Option<Position> {
        let mut position = *around;
        for (axis, size) in [(Some(&plane.x), x), (plane.y.as_ref(), y)] {
            if let Some(row) = axis.and_then(|axis| axis.row) {
                position.heaps[row - 1] = Heap::try_from(size).ok()?;
            }
        }
        self.fits(&position.heaps).then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::HeapKeys;

    use super::*;

    #[test]
    fn a_position_of_other_rules_is_read_if_these_rules_have_it() {
        let rules = |heaps: usize, passes| {
            HeapKeys { bounds: vec![7; heaps], passes, ..Default::default() }.rules().unwrap()
        };
        let read = |rules: &HeapRules, text: &str| {
            rules.read_foreign_position(text).map(|read| rules.show_position(&read)).ok()
        };
        let (plain, passing) = (rules(3, 0), rules(3, 2));
        assert_eq!(read(&plain, "3,5,7").as_deref(), Some("3,5,7"));
        assert_eq!(read(&plain, "3-5-7-0").as_deref(), Some("3,5,7"));
        assert_eq!(read(&plain, "3,5,7,0,0").as_deref(), Some("3,5,7"));
        assert_eq!(read(&plain, "3,5,7,0/0").as_deref(), Some("3,5,7"));
        assert_eq!(read(&plain, "3,5,7/1"), None, "a pass left is another position");
        assert_eq!(read(&plain, "3,0,5,7"), None, "without the empty heap, 5 and 7 would be in other rows");
        assert_eq!(read(&passing, "3,5,7,0/0").as_deref(), Some("3,5,7/0"));
        assert_eq!(read(&passing, "3,5,7,0/1").as_deref(), Some("3,5,7/1"));
        assert_eq!(read(&passing, "3,5/1").as_deref(), Some("3,5,0/1"));
    }
}
