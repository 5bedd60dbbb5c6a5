//! Rows and lines: the location of a position in a table (FORMAT.md, section 4.1).
//!
//! A *row* has all positions of one currentmax, and row 0 those of all values up to the *floor*, which do not raise the
//! limit: with base limit 3 and growth 1, the floor is 2, and currentmax 5 has row 3. If the limit grows, the last row of
//! a table is *open*: it also serves every greater currentmax. A *line* of a row has the positions of one turn, reset
//! counts and reset flag. The table states which lines are equal in every row and so share a *class*.

use super::position::{Position, Turn};
use super::rules::{Expanding, first_where};

/// The rows and lines of a ruleset.
#[derive(Clone, Debug)]
pub struct ExpandingLayout {
    /// The greatest currentmax of row 0.
    floor: u32,
    /// Length of each row: the number of values that stones can have in it.
    lengths: Vec<u64>,
    /// True if the last row also serves every greater currentmax.
    is_last_open: bool,
    /// Number of values that each player's resets can have.
    reset_values: [u32; 2],
}

impl ExpandingLayout {
    /// Returns the layout of a table. If the limit grows, every currentmax whose limit always allows taking all stones
    /// left shares the last row. `None` if memory is short.
    pub fn for_table(rules: &Expanding) -> Option<Self> {
        Self::with_last(rules, Self::last_of_table(rules), rules.growth() > 0)
    }

    /// Returns the layout without an open row: row 0, and a row for each currentmax above the floor. Files of chances
    /// number positions by this layout. `None` if memory is short.
    pub fn without_open_row(rules: &Expanding) -> Option<Self> {
        Self::with_last(rules, Self::greatest_currentmax(rules), false)
    }

    /// Returns the layout whose last row is that of the currentmax `last`.
    fn with_last(rules: &Expanding, last: u32, is_last_open: bool) -> Option<Self> {
        let floor = floor(rules);
        let mut lengths = Vec::new();
        lengths.try_reserve_exact((last - floor) as usize + 1).ok()?;
        lengths.extend((floor..=last).map(|currentmax| length(rules, currentmax)));
        let reset_values = rules.resets().map(|resets| u32::from(resets) + 1);
        Some(Self { floor, lengths, is_last_open, reset_values })
    }

    /// Returns the number of rows of [`for_table`](Self::for_table), without building the layout.
    pub fn count_rows(rules: &Expanding) -> u64 {
        u64::from(Self::last_of_table(rules) - floor(rules)) + 1
    }

    /// Returns the greatest currentmax that can arise, at least the floor.
    fn greatest_currentmax(rules: &Expanding) -> u32 {
        rules.greatest_currentmax().max(floor(rules))
    }

    /// Returns the first currentmax, from the floor on, whose limit always allows taking all stones left; the floor if
    /// the limit never grows.
    fn last_of_table(rules: &Expanding) -> u32 {
        // The limit grows with currentmax, and the number of stones left falls. The limit of the greatest currentmax
        // allows taking all stones left, as a move could raise this currentmax otherwise. If the limit never grows, the
        // floor is the greatest currentmax.
        first_where(floor(rules)..Self::greatest_currentmax(rules), |currentmax| {
            u64::from(rules.limit(currentmax, false)) >= length(rules, currentmax) - 1
        })
    }

    /// Returns the greatest currentmax of row 0, which serves all values from 0.
    pub fn floor(&self) -> u32 {
        self.floor
    }

    /// Returns the currentmax of a row: the floor for row 0, the least one for the open row.
    pub fn currentmax(&self, row: usize) -> u32 {
        self.floor + u32::try_from(row).expect("a row is at most the greatest currentmax")
    }

    /// Returns the row of a currentmax. It may lie after the last row, unless the last row is open.
    #[inline]
    pub fn row(&self, currentmax: u32) -> usize {
        let row = currentmax.saturating_sub(self.floor) as usize;
        if self.is_last_open { row.min(self.lengths.len() - 1) } else { row }
    }

    /// Returns true if a row is open: it also serves every greater currentmax.
    #[inline]
    pub fn is_open(&self, row: usize) -> bool {
        self.is_last_open && row + 1 == self.lengths.len()
    }

    /// Returns the least currentmax of the open row, or `u32::MAX` if no row is open.
    #[inline]
    pub fn least_open_currentmax(&self) -> u32 {
        if self.is_last_open { self.currentmax(self.lengths.len() - 1) } else { u32::MAX }
    }

    /// Returns the maximum number of stones that a move takes without leaving a row.
    pub fn stay(&self, row: usize) -> u32 {
        // In the open row, the limit allows taking all stones, and has 32 bits. In other rows, currentmax has.
        let stones = u32::try_from(self.length(row).saturating_sub(1)).unwrap_or(u32::MAX);
        if self.is_open(row) { stones } else { self.currentmax(row).min(stones) }
    }

    /// Returns the number of values of stones in a row; 0 if the row does not exist.
    #[inline]
    pub fn length(&self, row: usize) -> u64 {
        self.lengths.get(row).copied().unwrap_or(0)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.lengths.len()
    }

    /// Returns the number of pairs of both players' resets left.
    pub fn reset_pairs(&self) -> usize {
        (self.reset_values[0] * self.reset_values[1]) as usize
    }

    /// Returns the number of lines of a row.
    pub fn lines(&self) -> usize {
        4 * self.reset_pairs()
    }

    /// Returns the line of a turn, a pair of reset counts and a reset flag.
    #[inline]
    pub fn line(&self, turn: Turn, resets: [u8; 2], imposed: bool) -> usize {
        let [first, second] = resets.map(usize::from);
        let [firsts, seconds] = self.reset_values.map(|n| n as usize);
        ((turn.index() * firsts + first) * seconds + second) * 2 + usize::from(imposed)
    }

    /// Returns the player to move on a line, and the resets left.
    pub fn turn_and_resets(&self, line: usize) -> (Turn, [u8; 2]) {
        let [firsts, seconds] = self.reset_values.map(|n| n as usize);
        let pair = line / 2;
        let turn = if pair / seconds / firsts == 0 { Turn::First } else { Turn::Second };
        (turn, [pair / seconds % firsts, pair % seconds].map(|left| left as u8))
    }

    /// Returns the line of a position.
    #[inline]
    pub fn line_of(&self, position: &Position) -> usize {
        self.line(position.turn, position.resets, position.imposed)
    }
}

/// Returns the greatest currentmax that does not raise the limit.
fn floor(rules: &Expanding) -> u32 {
    rules.base_limit().saturating_sub(rules.growth())
}

/// Returns the length of the row of a currentmax that is at least the floor.
fn length(rules: &Expanding, currentmax: u32) -> u64 {
    match rules.max_stones(currentmax) {
        Some(most) if currentmax > floor(rules) => most + 1,
        // Row 0 serves every currentmax up to the floor, 0 included, at which all stones can remain.
        _ => rules.stones() + 1,
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
    fn each_currentmax_above_the_floor_has_a_row_and_the_others_share_one() {
        for (base_limit, growth, floor) in [(3, 1, 2), (3, 0, 3), (5, 2, 3), (2, 7, 0), (40, 1, 39)] {
            let (rules, shown) = (rules(base_limit, growth), format!("{base_limit} and {growth}"));
            let layout = ExpandingLayout::without_open_row(&rules).unwrap();
            let rows = rules.greatest_currentmax().max(floor) - floor + 1;
            assert_eq!((layout.floor(), layout.rows()), (floor, rows as usize), "{shown}");
            assert_eq!(layout.length(layout.rows()), 0, "{shown}");
            for currentmax in 0..=rules.greatest_currentmax() {
                let row = layout.row(currentmax);
                assert_eq!(row, currentmax.saturating_sub(floor) as usize, "{shown}");
                assert_eq!(layout.currentmax(row), currentmax.max(floor), "{shown}");
                let most = if currentmax > floor { rules.max_stones(currentmax).unwrap() } else { 40 };
                assert_eq!(layout.length(row), most + 1, "{shown}, {currentmax}");
            }
        }
    }

    #[test]
    fn the_open_row_serves_every_greater_currentmax() {
        for (base_limit, growth) in [(3, 1), (3, 0), (5, 2), (2, 7), (40, 1), (1, 39), (1, 40), (7, 100)] {
            let (rules, shown) = (rules(base_limit, growth), format!("{base_limit} and {growth}"));
            let all = ExpandingLayout::without_open_row(&rules).unwrap();
            let layout = ExpandingLayout::for_table(&rules).unwrap();
            let is_open = |row: &usize| {
                growth > 0 && u64::from(rules.limit(all.currentmax(*row), false)) + 1 >= all.length(*row)
            };
            let first = (0..all.rows()).find(is_open);
            assert_eq!(layout.rows(), first.map_or(1, |first| first + 1), "{shown}");
            assert_eq!(layout.rows() as u64, ExpandingLayout::count_rows(&rules), "{shown}");
            for row in 0..layout.rows() {
                let most = layout.length(row) - 1;
                assert_eq!(
                    (layout.length(row), layout.currentmax(row)),
                    (all.length(row), all.currentmax(row))
                );
                assert_eq!(layout.is_open(row), first == Some(row), "{shown}");
                let stay = if layout.is_open(row) { most } else { most.min(layout.currentmax(row).into()) };
                assert_eq!(u64::from(layout.stay(row)), stay, "{shown}");
            }
            for currentmax in 0..=rules.greatest_currentmax() {
                assert_eq!(layout.row(currentmax), all.row(currentmax).min(layout.rows() - 1), "{shown}");
            }
            let open_from = first.map_or(u32::MAX, |first| all.currentmax(first));
            assert_eq!(layout.least_open_currentmax(), open_from, "{shown}");
        }
    }

    #[test]
    fn each_turn_pair_of_resets_and_flag_has_a_line_of_its_own() {
        let layout = ExpandingLayout::for_table(&rules(3, 1)).unwrap();
        assert_eq!((layout.reset_pairs(), layout.lines()), (6, 24));
        let mut lines = BTreeSet::new();
        for turn in [Turn::First, Turn::Second] {
            for (resets, imposed) in
                (0..6).flat_map(|pair| [([pair / 2, pair % 2], false), ([pair / 2, pair % 2], true)])
            {
                let position = Position { stones: 9, currentmax: 3, turn, resets, imposed };
                assert_eq!(layout.line_of(&position), layout.line(turn, resets, imposed));
                lines.insert(layout.line(turn, resets, imposed));
            }
        }
        assert!(lines.into_iter().eq(0..24));
    }
}
