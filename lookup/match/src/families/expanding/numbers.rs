//! The numbering of the positions of Expanding Nim, by row (currentmax), line (turn, resets, reset flag) and stones.

use std::collections::BTreeMap;

use bouton_tables::expanding::{Expanding, ExpandingLayout, ExpandingRegion, ExpandingTable, Position, Turn};
use bouton_tables::{AskError, Region, TooManyPositions};

use crate::families::{PositionLine, PositionLines, PositionNumbering};

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
    /// Returns the numbering of the positions that a table of these rules covers.
    pub(super) fn new(rules: &Expanding) -> Result<Self, TooManyPositions> {
        let mirrored = rules.resets()[0] == rules.resets()[1];
        let turns = if mirrored { &[Turn::First][..] } else { &[Turn::First, Turn::Second] };
        let region = ExpandingRegion::common(&[rules], turns)?;
        let layout = ExpandingLayout::without_open_row(rules).ok_or(TooManyPositions)?;
        let lines = if mirrored { layout.lines() / 2 } else { layout.lines() };
        let mut first_numbers = vec![0];
        let mut end = 0;
        for row in 0..layout.rows() {
            end += layout.length(row) * lines as u64;
            first_numbers.push(end);
        }
        Ok(Self { rules: rules.clone(), layout, mirrored, region, lines, first_numbers })
    }

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

    /// Returns the currentmax of a row. Row 0 stands for all values up to the floor: returns the greatest of these that
    /// can arise with this many stones left. A currentmax is at most the number of stones taken.
    fn currentmax(&self, row: usize, stones: u64) -> u32 {
        if row == 0 {
            let floor = self.layout.floor();
            u32::try_from(self.rules.stones() - stones).map_or(floor, |taken| floor.min(taken))
        } else {
            self.layout.currentmax(row)
        }
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
        self.first_numbers[row] + line as u64 * self.layout.length(row) + position.stones
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
            let length = self.layout.length(row);
            PositionLine {
                first: self.first_numbers[row] + line as u64 * length,
                length: u32::try_from(length).expect("the chances of a line fit into memory"),
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

    /// A group is the lines of a row in which the players have the same resets left; they depend on each other. Moves
    /// lead to the same row or to a later one, and never to more resets. Let r be the sum of both players' resets. Wave w
    /// computes, for each r, the groups with r resets of the row that is w - r rows before the last. Their moves lead to
    /// later rows or fewer resets, and so to earlier waves.
    fn waves(&self) -> Vec<Vec<Vec<usize>>> {
        let mut waves = BTreeMap::<usize, BTreeMap<_, Vec<usize>>>::new();
        for line in 0..self.layout.rows() * self.lines {
            let row = line / self.lines;
            let (_, mut resets, _) = self.turn_resets_flag(line % self.lines);
            if self.mirrored {
                // The mirror image of a line is in the same group.
                resets.sort_unstable();
            }
            let resets_left: usize = resets.iter().copied().map(usize::from).sum();
            let wave = waves.entry(self.layout.rows() - 1 - row + resets_left).or_default();
            wave.entry((row, resets)).or_default().push(line);
        }
        waves.into_values().map(|groups| groups.into_values().collect()).collect()
    }

    fn position(&self, line: usize, stones: u32) -> Position {
        let stones = stones.into();
        let row = line / self.lines;
        let (turn, resets, imposed) = self.turn_resets_flag(line % self.lines);
        Position { stones, currentmax: self.currentmax(row, stones), turn, resets, imposed }
    }

    fn line_and_stones(&self, position: &Position) -> (usize, u32) {
        let line = self.line(position.turn, position.resets, position.imposed);
        (self.layout.row(position.currentmax) * self.lines + line, position.stones as u32)
    }

    fn lost(&self, table: &ExpandingTable, line: usize) -> Result<Vec<u64>, AskError> {
        let row = line / self.lines;
        table.lost_up_to(&self.position(line, (self.layout.length(row) - 1) as u32))
    }
}
