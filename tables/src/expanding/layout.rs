//! Rows, lines and classes: where in a table a position lies (FORMAT.md, section 4.1).

use super::position::{Position, Turn};
use super::rules::Expanding;

/// The rows and lines of a ruleset.
#[derive(Clone, Debug)]
pub struct Layout {
    floor: u32,
    /// Length of each row.
    lengths: Vec<u32>,
    cells: [u32; 2],
}

impl Layout {
    /// The layout of a table of these rules. Takes memory in proportion to the number of rows: `None` if there is not
    /// enough.
    pub fn try_new(rules: &Expanding) -> Option<Self> {
        let floor = rules.base_limit().saturating_sub(rules.growth());
        let last = rules.greatest_currentmax().max(floor);
        let mut lengths = Vec::new();
        lengths.try_reserve_exact((last - floor) as usize + 1).ok()?;
        lengths.extend((floor..=last).map(|m| match rules.most_stones(m) {
            Some(most) if m > floor => most + 1,
            // Row 0 serves every currentmax up to `floor`, 0 included, at which all stones can remain.
            _ => rules.stones() + 1,
        }));
        let cells = rules.resets().map(|r| u32::from(r) + 1);
        Some(Self { floor, lengths, cells })
    }

    /// Number of rows of a table of these rules, without making its layout.
    pub fn count_rows(rules: &Expanding) -> u64 {
        let floor = rules.base_limit().saturating_sub(rules.growth());
        u64::from(rules.greatest_currentmax().saturating_sub(floor)) + 1
    }

    /// The currentmax of row 0: all from 0 to this one share it.
    pub fn floor(&self) -> u32 {
        self.floor
    }

    /// The currentmax that stands for a row.
    pub fn currentmax(&self, row: usize) -> u32 {
        self.floor + u32::try_from(row).expect("rows are fewer than stones")
    }

    /// The row of a currentmax; it may lie beyond the last.
    #[inline]
    pub fn row(&self, currentmax: u32) -> usize {
        currentmax.saturating_sub(self.floor) as usize
    }

    /// Number of values that stones can have in a row; 0 for a row that there is not.
    #[inline]
    pub fn length(&self, row: usize) -> u32 {
        self.lengths.get(row).copied().unwrap_or(0)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.lengths.len()
    }

    /// Number of cells: pairs of both players' resets.
    pub fn cells(&self) -> usize {
        (self.cells[0] * self.cells[1]) as usize
    }

    /// Number of lines of a row.
    pub fn lines(&self) -> usize {
        4 * self.cells()
    }

    /// Number of cells in which player 1's resets are the same.
    pub fn cells_across(&self) -> usize {
        self.cells[1] as usize
    }

    /// The line of a turn, reset counts and reset flag.
    #[inline]
    pub fn line(&self, turn: Turn, resets: [u8; 2], imposed: bool) -> usize {
        let [first, second] = resets.map(usize::from);
        let [firsts, seconds] = self.cells.map(|n| n as usize);
        ((turn.index() * firsts + first) * seconds + second) * 2 + usize::from(imposed)
    }

    /// The line on which a position lies.
    #[inline]
    pub fn line_of(&self, position: &Position) -> usize {
        self.line(position.turn, position.resets, position.imposed)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::expanding::ExpandingKeys;

    fn rules(base_limit: u32, growth: u32) -> Expanding {
        let keys = ExpandingKeys { stones: 40, resets: [2, 1], base_limit, growth, ..Default::default() };
        ExpandingKeys { reset_limit: base_limit, ..keys }.rules().unwrap()
    }

    #[test]
    fn there_is_a_row_for_each_currentmax_above_the_floor_and_one_for_the_others() {
        for (base_limit, growth, floor) in [(3, 1, 2), (3, 0, 3), (5, 2, 3), (2, 7, 0), (40, 1, 39)] {
            let (rules, shown) = (rules(base_limit, growth), format!("{base_limit} and {growth}"));
            let layout = Layout::try_new(&rules).unwrap();
            assert_eq!(
                (layout.floor(), layout.rows() as u64),
                (floor, Layout::count_rows(&rules)),
                "{shown}"
            );
            assert_eq!(layout.length(layout.rows()), 0, "{shown}");
            for currentmax in 0..=rules.greatest_currentmax() {
                let row = layout.row(currentmax);
                assert_eq!(row, currentmax.saturating_sub(floor) as usize, "{shown}");
                assert_eq!(layout.currentmax(row), currentmax.max(floor), "{shown}");
                let most = if currentmax > floor { rules.most_stones(currentmax).unwrap() } else { 40 };
                assert_eq!(layout.length(row), most + 1, "{shown}, {currentmax}");
            }
        }
    }

    #[test]
    fn each_turn_cell_and_flag_has_a_line_of_its_own() {
        let layout = Layout::try_new(&rules(3, 1)).unwrap();
        assert_eq!((layout.cells(), layout.cells_across(), layout.lines()), (6, 2, 24));
        let mut lines = BTreeSet::new();
        for turn in [Turn::First, Turn::Second] {
            for (resets, imposed) in
                (0..6).flat_map(|cell| [([cell / 2, cell % 2], false), ([cell / 2, cell % 2], true)])
            {
                let position = Position { stones: 9, currentmax: 3, turn, resets, imposed };
                assert_eq!(layout.line_of(&position), layout.line(turn, resets, imposed));
                lines.insert(layout.line(turn, resets, imposed));
            }
        }
        assert!(lines.into_iter().eq(0..24));
    }
}
