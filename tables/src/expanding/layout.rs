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
    #[must_use]
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
    #[must_use]
    pub fn count_rows(rules: &Expanding) -> u64 {
        let floor = rules.base_limit().saturating_sub(rules.growth());
        u64::from(rules.greatest_currentmax().saturating_sub(floor)) + 1
    }

    /// The currentmax of row 0: all from 0 to this one share it.
    #[must_use]
    pub fn floor(&self) -> u32 {
        self.floor
    }

    /// The currentmax that stands for a row.
    #[must_use]
    pub fn currentmax(&self, row: usize) -> u32 {
        self.floor + u32::try_from(row).expect("rows are fewer than stones")
    }

    /// The row of a currentmax; it may lie beyond the last.
    #[inline]
    #[must_use]
    pub fn row(&self, currentmax: u32) -> usize {
        currentmax.saturating_sub(self.floor) as usize
    }

    /// Number of values that stones can have in a row; 0 for a row that there is not.
    #[inline]
    #[must_use]
    pub fn length(&self, row: usize) -> u32 {
        self.lengths.get(row).copied().unwrap_or(0)
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.lengths.len()
    }

    /// Number of cells: pairs of both players' resets.
    #[must_use]
    pub fn cells(&self) -> usize {
        (self.cells[0] * self.cells[1]) as usize
    }

    /// Number of lines of a row.
    #[must_use]
    pub fn lines(&self) -> usize {
        4 * self.cells()
    }

    /// Number of cells in which player 1's resets are the same.
    #[must_use]
    pub fn cells_across(&self) -> usize {
        self.cells[1] as usize
    }

    /// The line of a turn, reset counts and reset flag.
    #[inline]
    #[must_use]
    pub fn line(&self, turn: Turn, resets: [u8; 2], imposed: bool) -> usize {
        let [first, second] = resets.map(usize::from);
        let [firsts, seconds] = self.cells.map(|n| n as usize);
        ((turn.index() * firsts + first) * seconds + second) * 2 + usize::from(imposed)
    }

    /// The line on which a position lies.
    #[inline]
    #[must_use]
    pub fn line_of(&self, position: &Position) -> usize {
        self.line(position.turn, position.resets, position.imposed)
    }
}
