//! The board of a heap game, and its plane: its two greatest heaps.

use bouton_tables::heaps::{HeapRules, Position};

use super::{Axis, Board, Lies, Plane};

/// The most columns and rows of a map.
const WIDTH: u32 = 120;

impl Board for HeapRules {
    fn lies(&self, position: &Position) -> Lies {
        Lies::Heaps { heaps: position.heaps.to_vec(), passes: position.passes }
    }

    fn plane(&self, position: &Position) -> Plane {
        let mut rows: Vec<usize> = (0..position.heaps.len()).collect();
        // Of equal heaps the upper rows: sorting keeps their order.
        rows.sort_by_key(|&row| std::cmp::Reverse(position.heaps[row]));
        rows.truncate(2);
        rows.sort_unstable();
        let axis = |&row: &usize| {
            let name = format!("stones in row {}", row + 1);
            Axis::around(name, Some(row + 1), position.heaps[row], self.greatest(), WIDTH)
        };
        Plane { x: axis(&rows[0]), y: rows.get(1).map(axis) }
    }

    fn at(&self, around: &Position, plane: &Plane, x: u32, y: u32) -> Option<Position> {
        let mut position = *around;
        for (axis, size) in [(Some(&plane.x), x), (plane.y.as_ref(), y)] {
            if let Some(row) = axis.and_then(|axis| axis.row) {
                position.heaps[row - 1] = size;
            }
        }
        self.fits(&position.heaps).then_some(position)
    }
}
