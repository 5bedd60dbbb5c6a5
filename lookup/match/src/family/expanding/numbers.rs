//! The numbers of the positions of Expanding Nim.

use bouton_tables::expanding::{Expanding, Layout, Position, Turn};

use crate::family::{Numbered, Numbers};

impl Numbered for Expanding {
    type Numbers = ExpandingNumbers;

    fn numbers(&self) -> ExpandingNumbers {
        ExpandingNumbers::new(self)
    }
}

/// Numbers by row, line and stones. If both players begin with the same number of resets, a position and its mirror image,
/// with the players exchanged, share a number.
#[derive(Debug)]
pub struct ExpandingNumbers {
    layout: Layout,
    stones: u32,
    resets: [u8; 2],
    /// The first number of each row, and finally the number of positions.
    starts: Vec<u64>,
}

impl ExpandingNumbers {
    fn new(rules: &Expanding) -> Self {
        let layout = Layout::new(rules);
        let mut numbers = Self { layout, stones: rules.stones(), resets: rules.resets(), starts: vec![0] };
        let lines = numbers.lines() as u64;
        let mut end = 0;
        for row in 0..numbers.layout.rows() {
            end += u64::from(numbers.layout.length(row)) * lines;
            numbers.starts.push(end);
        }
        numbers
    }

    fn mirrored(&self) -> bool {
        self.resets[0] == self.resets[1]
    }

    fn lines(&self) -> usize {
        if self.mirrored() { self.layout.lines() / 2 } else { self.layout.lines() }
    }
}

impl Numbers<Expanding> for ExpandingNumbers {
    fn count(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    fn of(&self, position: &Position) -> u64 {
        let row = self.layout.row(position.currentmax);
        let Position { turn, resets: [first, second], imposed, .. } = *position;
        let line = if self.mirrored() && turn == Turn::Second {
            self.layout.line(Turn::First, [second, first], imposed)
        } else {
            self.layout.line(turn, [first, second], imposed)
        };
        self.starts[row] + line as u64 * u64::from(self.layout.length(row)) + u64::from(position.stones)
    }

    fn layers(&self) -> impl Iterator<Item = Vec<Position>> {
        let turns = if self.mirrored() { &[Turn::First][..] } else { &[Turn::First, Turn::Second] };
        (0..=self.stones).map(move |stones| {
            let mut layer = Vec::new();
            for row in (0..self.layout.rows()).filter(|&row| stones < self.layout.length(row)) {
                // Row 0 stands for several values of currentmax, and with many stones left only the least of them can
                // arise.
                let currentmax = self.layout.currentmax(row);
                let currentmax = if row == 0 { currentmax.min(self.stones - stones) } else { currentmax };
                for &turn in turns {
                    for first in 0..=self.resets[0] {
                        for second in 0..=self.resets[1] {
                            for imposed in [false, true] {
                                let resets = [first, second];
                                layer.push(Position { stones, currentmax, turn, resets, imposed });
                            }
                        }
                    }
                }
            }
            layer
        })
    }
}
