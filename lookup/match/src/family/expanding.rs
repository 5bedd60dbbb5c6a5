//! Playing Expanding Nim.

use bouton_tables::expanding::{Expanding, ExpandingTable, Layout, Move, Position, Turn};
use bouton_tables::{Family as TableFamily, Map, PositionError, Ruleset, Table};

use super::{Family, Numbers, sticks};

/// Sticks in one line of a picture.
const IN_A_LINE: u32 = 50;

impl Family for Expanding {
    type Table = ExpandingTable<Map>;
    type Numbers = ExpandingNumbers;

    fn ruleset(&self) -> Ruleset {
        Ruleset::Expanding(self.clone())
    }

    fn of_table(table: &Table<Map>) -> Option<&ExpandingTable<Map>> {
        match table.family() {
            TableFamily::Expanding(table) => Some(table),
            TableFamily::Heaps(_) => None,
        }
    }

    fn plays_like(&self, other: &Self) -> bool {
        let keys = |rules: &Self| (rules.base_limit(), rules.growth(), rules.reset_limit(), rules.play());
        keys(self) == keys(other)
    }

    fn check(&self, position: &Position) -> Result<(), PositionError> {
        self.check(position)
    }

    fn start(&self) -> Position {
        self.start(self.stones())
    }

    fn misread(&self, position: &Position) -> Position {
        let mut believed = position.clone();
        if position.imposed {
            // As if the lowered limit came from currentmax: where 3 stones may be taken, and growth is 1, as
            // if nobody had taken more than 2.
            let believed_most = self.base_limit().saturating_sub(self.growth());
            believed.currentmax = position.currentmax.min(believed_most);
        }
        believed
    }

    fn can_be_misread(&self) -> bool {
        true
    }

    fn in_order(_: &Position) -> Option<Position> {
        None
    }

    fn out_of_order(_: &Position, chosen: Move) -> Move {
        chosen
    }

    fn with_reset(chosen: Move) -> Option<Move> {
        Some(Move { reset: true, ..chosen })
    }

    fn numbers(&self) -> ExpandingNumbers {
        ExpandingNumbers::new(self)
    }

    fn picture(&self, position: &Position) -> String {
        let Position { stones, currentmax, turn, resets, imposed } = *position;
        let mut lines: Vec<String> = Vec::new();
        let mut left = stones;
        while left > IN_A_LINE && stones <= super::MOST_STICKS {
            lines.push(sticks(IN_A_LINE));
            left -= IN_A_LINE;
        }
        lines.push(sticks(left));
        let limit = self.limit(currentmax, imposed);
        let most = limit.min(stones);
        let why = if imposed { ", as a reset binds this turn" } else { "" };
        let left = resets[turn.index()];
        let theirs = resets[turn.other().index()];
        format!(
            "{}\n{stones} left; take 1 to {most}{why}; resets left: yours {left}, the opponent's {theirs}",
            lines.join("\n")
        )
    }
}

/// Numbers by row, line and stones. Where both players have as many resets to begin with, a position and the
/// same with the players changed share a number.
#[derive(Debug)]
pub struct ExpandingNumbers {
    layout: Layout,
    stones: u32,
    resets: [u8; 2],
    /// Where the numbers of each row begin, and at last where they end.
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
                // Row 0 stands for several values of currentmax, of which only the least go with the most
                // stones.
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
