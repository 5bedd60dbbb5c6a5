//! The numbering of the positions of Expanding Nim, by row (currentmax), line (turn, resets, reset flag) and stones.

use bouton_tables::expanding::{Expanding, ExpandingLayout, ExpandingRegion, ExpandingTable, Position, Turn};
use bouton_tables::{AskError, Region};

use crate::families::{Numbered, PositionLine, PositionLines, PositionNumbering};

impl Numbered for Expanding {
    type Numbering = ExpandingNumbers;

    const HAS_LINES: bool = true;

    fn numbering(&self) -> ExpandingNumbers {
        let layout = ExpandingLayout::without_open_row(self).expect("a table has few enough rows");
        let mirrored = self.resets()[0] == self.resets()[1];
        let turns = if mirrored { &[Turn::First][..] } else { &[Turn::First, Turn::Second] };
        let region = ExpandingRegion::common(&[self], turns).expect("a table has few enough positions");
        let lines = if mirrored { layout.lines() / 2 } else { layout.lines() };
        let mut first_numbers = vec![0];
        let mut end = 0;
        for row in 0..layout.rows() {
            end += u64::from(layout.length(row)) * lines as u64;
            first_numbers.push(end);
        }
        ExpandingNumbers { rules: self.clone(), layout, mirrored, region, lines, first_numbers }
    }

    fn max_starts(&self) -> u64 {
        self.stones().into()
    }

    fn starts(&self) -> Vec<Position> {
        (1..=self.stones()).map(|stones| self.start(stones)).collect()
    }
}

/// The numbering by row, line and stones. If both players start with equally many resets, a position and its mirror
/// image, with the players exchanged, share a number.
#[derive(Debug)]
pub struct ExpandingNumbers {
    rules: Expanding,
    layout: ExpandingLayout,
    mirrored: bool,
    /// The positions, without mirror images.
    region: ExpandingRegion,
    /// Lines per row; a line and its mirror image count as one.
    lines: usize,
    /// The first number of each row, and at the end the count of all numbers.
    first_numbers: Vec<u64>,
}

impl ExpandingNumbers {
    /// Returns the index of a line within its row.
    #[inline]
    fn line(&self, turn: Turn, resets: [u8; 2], imposed: bool) -> usize {
        let [first, second] = resets;
        if self.mirrored && turn == Turn::Second {
            self.layout.line(Turn::First, [second, first], imposed)
        } else {
            self.layout.line(turn, resets, imposed)
        }
    }

    /// Returns turn, resets and reset flag of a line, given its index within its row.
    fn turn_resets_flag(&self, line: usize) -> (Turn, [u8; 2], bool) {
        let (turn, resets) = self.layout.turn_and_resets(line);
        (turn, resets, line % 2 == 1)
    }

    /// Returns the currentmax of a row. Row 0 stands for all values up to the floor; returns the greatest one that can
    /// arise with this many stones left, that is, at most the stones taken.
    fn currentmax(&self, row: usize, stones: u32) -> u32 {
        if row == 0 {
            self.layout.floor().min(self.rules.stones() - stones)
        } else {
            self.layout.currentmax(row)
        }
    }

    /// Returns the groups of a row, by the sum of both players' resets. The lines of a group depend on each other.
    fn groups(&self) -> Vec<Vec<Vec<usize>>> {
        let [most_first, most_second] = self.rules.resets();
        let mut groups = vec![Vec::new(); usize::from(most_first) + usize::from(most_second) + 1];
        for first in 0..=most_first {
            for second in 0..=most_second {
                let lines = [Turn::First, Turn::Second]
                    .map(|turn| [false, true].map(|imposed| self.line(turn, [first, second], imposed)));
                let mut group = lines.concat();
                group.sort_unstable();
                group.dedup();
                let with_this_sum: &mut Vec<_> = &mut groups[usize::from(first) + usize::from(second)];
                // Mirror images are the same lines.
                if !self.mirrored || first <= second {
                    with_this_sum.push(group);
                }
            }
        }
        groups
    }
}

impl PositionNumbering<Expanding> for ExpandingNumbers {
    fn count(&self) -> u64 {
        self.first_numbers.last().copied().unwrap_or(0)
    }

    #[inline]
    fn of(&self, position: &Position) -> u64 {
        let row = self.layout.row(position.currentmax);
        let line = self.line(position.turn, position.resets, position.imposed);
        self.first_numbers[row]
            + line as u64 * u64::from(self.layout.length(row))
            + u64::from(position.stones)
    }

    fn layers(&self) -> impl Iterator<Item = Vec<Position>> {
        let mut positions = self.region.walk(0).peekable();
        (0..=self.region.stones()).map(move |stones| {
            // In row 0, list only the positions with the greatest currentmax.
            let least_listed = self.currentmax(0, stones);
            let layer = std::iter::from_fn(|| positions.next_if(|position| position.stones == stones));
            layer.filter(|position| position.currentmax >= least_listed).collect()
        })
    }

    fn position_lines(&self) -> Option<&dyn PositionLines<Expanding>> {
        Some(self)
    }
}

/// A row has a line for each turn, pair of resets and reset flag. Moves of up to the row's currentmax stay in the row.
impl PositionLines<Expanding> for ExpandingNumbers {
    fn lines(&self) -> Vec<PositionLine> {
        let make_line = |row: usize, line: usize| {
            let (turn, resets, imposed) = self.turn_resets_flag(line);
            let stay = self.layout.currentmax(row);
            let index = |line: usize| row * self.lines + line;
            let mut after_reset = resets;
            let reset = after_reset[turn.index()].checked_sub(1).map(|left| {
                after_reset[turn.index()] = left;
                index(self.line(turn.other(), after_reset, true))
            });
            PositionLine {
                length: self.layout.length(row),
                limit: self.rules.limit(stay, imposed),
                stay,
                next: [Some(index(self.line(turn.other(), resets, false))), reset],
                // Currentmax grows by one from row to row.
                rise: self.lines,
                // A misread position has a currentmax of at most the floor, so it is on the same line of row 0.
                misread: if imposed { line } else { index(line) },
            }
        };
        (0..self.layout.rows())
            .flat_map(|row| (0..self.lines).map(move |line| make_line(row, line)))
            .collect()
    }

    /// Moves lead to the same row or to a later one, and never to more resets. Let r be the sum of both players'
    /// resets. Wave w computes, for each r, the groups with r resets of the row that is w - r rows before the last.
    /// Their moves lead to later rows or fewer resets, and so to earlier waves.
    fn waves(&self) -> Vec<Vec<Vec<usize>>> {
        let (groups, rows) = (self.groups(), self.layout.rows());
        let wave = |wave: usize| {
            let with_resets = groups.iter().zip((0..=wave).rev());
            let groups_and_rows = with_resets
                .filter_map(|(groups, rows_after)| Some((groups, rows.checked_sub(rows_after + 1)?)));
            let group_of_row =
                |row: usize, group: &Vec<usize>| group.iter().map(|line| row * self.lines + line).collect();
            groups_and_rows
                .flat_map(|(groups, row)| groups.iter().map(move |group| group_of_row(row, group)))
                .collect()
        };
        (0..rows + groups.len() - 1).map(wave).collect()
    }

    fn position(&self, line: usize, stones: u32) -> Position {
        let row = line / self.lines;
        let (turn, resets, imposed) = self.turn_resets_flag(line % self.lines);
        Position { stones, currentmax: self.currentmax(row, stones), turn, resets, imposed }
    }

    fn line_and_stones(&self, position: &Position) -> (usize, u32) {
        let line = self.line(position.turn, position.resets, position.imposed);
        (self.layout.row(position.currentmax) * self.lines + line, position.stones)
    }

    fn lost(&self, table: &ExpandingTable, line: usize) -> Result<Vec<u64>, AskError> {
        let row = line / self.lines;
        table.lost_up_to(&self.position(line, self.layout.length(row) - 1))
    }
}
