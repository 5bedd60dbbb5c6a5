//! Tables of Expanding Nim written place by place, whatever is said of any place: every line is a class of its own, and
//! a step is one number of stones (FORMAT.md, section 4).
//!
//! Written from the document alone, and with no thought for length.

use std::collections::HashMap;

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::{Expanding, Layout, Position, Turn};
use bouton_tables::{Outcome, Play, Ruleset, Solved, Table};

use crate::compare::expanding;
use crate::headers::{self, Entry};
use crate::seal::{Array, Parts, body};

/// What a table says of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Whether the position is lost. A table with depths is written with what the parity of the depth says.
    pub is_lost: bool,
    /// Plies to the end.
    pub depth: u32,
    /// Stones that the best move takes; 0 if there is no move.
    pub take: u32,
    /// Whether it imposes a reset.
    pub reset: bool,
}

/// A table that can be changed place by place.
#[derive(Clone, Debug)]
pub struct Written {
    /// The entries of its header.
    pub header: Vec<Entry>,
    /// Whether the taker of the last stone loses.
    pub misere: bool,
    /// Whether it has depths.
    pub depths: bool,
    /// What it says, by row, line, and stones.
    pub rows: Vec<Vec<Vec<Place>>>,
}

/// A block of a staircase has as many stones as two to the power of this: all but one begin a further step.
const SCALE: u32 = 4;

impl Written {
    /// The table of a ruleset, as it is right.
    ///
    /// # Panics
    /// If it cannot be made.
    #[must_use]
    pub fn of(rules: &Expanding, depths: bool) -> Self {
        let file = generate_in_memory(&Ruleset::Expanding(rules.clone()), depths).expect("a small table");
        let header = headers::entries(&Parts::of(&file).header).expect("a good header");
        let table = Table::open(file).expect("a fresh table opens");
        let table = expanding(&table);
        let place = |position: &Position| {
            let answer = table.answer(position).expect("the table has the position");
            let (take, reset) = answer.best.map_or((0, false), |best| (best.take, best.reset));
            let depth = answer.verdict.depth.unwrap_or(0);
            Place { is_lost: answer.verdict.outcome == Outcome::Loss, depth, take, reset }
        };
        let layout = Layout::of_table(rules).expect("there is memory");
        let row = |row| {
            // In row 0 all stones may be left.
            let currentmax = if row == 0 { 0 } else { layout.currentmax(row) };
            let mut lines = vec![Vec::new(); layout.lines()];
            for (turn, first, second, imposed) in line_parts(rules) {
                let resets = [first, second];
                let at = |stones| place(&Position { stones, currentmax, turn, resets, imposed });
                lines[layout.line(turn, resets, imposed)] = (0..layout.length(row)).map(at).collect();
            }
            lines
        };
        let rows = (0..layout.rows()).map(row).collect();
        Self { header, misere: rules.play() == Play::Misere, depths, rows }
    }

    /// Row, line and stones of every place.
    #[must_use]
    pub fn places(&self) -> Vec<[usize; 3]> {
        let mut places = Vec::new();
        for (row, lines) in self.rows.iter().enumerate() {
            for (line, of_line) in lines.iter().enumerate() {
                places.extend((0..of_line.len()).map(|stones| [row, line, stones]));
            }
        }
        places
    }

    /// The file.
    #[must_use]
    pub fn seal(&self) -> Vec<u8> {
        let lines = self.rows[0].len() as u64;
        let (mut outcomes, mut bits) = (Vec::new(), Vec::new());
        let mut staircases = Staircases::default();
        for line in self.rows.iter().flatten() {
            outcomes.push(vec![bits.len() as u64, line.len() as u64, 0, 0, 0, 0]);
            bits.extend(line.iter().map(|place| vec![u64::from(self.is_lost(place))]));
            if self.depths {
                staircases.add(line);
            }
        }
        let Staircases { verdicts, blocks, starts, values, steps, .. } = staircases;
        let array = |width, records: Vec<Vec<u64>>| match records.len() {
            0 => Array::of(records),
            _ => Array { widths: vec![width], records },
        };
        let arrays = [
            Array::of((0..lines).map(|line| vec![line]).collect()),
            Array::of(outcomes),
            Array::of(Vec::new()),
            array(1, bits),
            Array::of(verdicts),
            Array::of(blocks),
            array(8, starts),
            Array::of(values),
            Array::of(steps),
        ];
        Parts { header: headers::header(&self.header), body: body(&arrays) }.seal()
    }

    fn is_lost(&self, place: &Place) -> bool {
        if self.depths { (place.depth % 2 == 1) == self.misere } else { place.is_lost }
    }
}

/// Turn, both players' resets left, and whether a reset binds: of every line.
fn line_parts(rules: &Expanding) -> impl Iterator<Item = (Turn, u8, u8, bool)> {
    let [most, other] = rules.resets();
    let turns = [Turn::First, Turn::Second].into_iter();
    let resets = turns.flat_map(move |turn| {
        (0..=most).flat_map(move |first| (0..=other).map(move |second| (turn, first, second)))
    });
    resets.flat_map(|(turn, first, second)| [false, true].map(|imposed| (turn, first, second, imposed)))
}

/// The arrays of verdicts.
#[derive(Default)]
struct Staircases {
    verdicts: Vec<Vec<u64>>,
    blocks: Vec<Vec<u64>>,
    starts: Vec<Vec<u64>>,
    values: Vec<Vec<u64>>,
    steps: Vec<Vec<u64>>,
    /// The number of each step.
    numbers: HashMap<Vec<u64>, u64>,
}

impl Staircases {
    /// Adds a line that answers for itself.
    fn add(&mut self, line: &[Place]) {
        self.verdicts.push(vec![self.blocks.len() as u64, SCALE.into(), line.len() as u64, 0, 0, 0]);
        for block in line.chunks(1 << SCALE) {
            self.blocks.push(vec![self.values.len() as u64, 0, block.len() as u64 - 1]);
            self.starts.extend((1..block.len() as u64).map(|start| vec![start]));
            for place in block {
                let step = vec![place.depth.into(), place.take.into(), 0, place.reset.into()];
                let number = *self.numbers.entry(step.clone()).or_insert(self.steps.len() as u64);
                if number == self.steps.len() as u64 {
                    self.steps.push(step);
                }
                self.values.push(vec![number]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format_twin::expanding::Twin;
    use crate::games;

    #[test]
    fn a_table_written_place_by_place_says_the_same() {
        for rules in games::expanding() {
            for depths in [true, false] {
                let written = Written::of(&rules, depths);
                let file = written.seal();
                let twin = Twin::read(&file).expect("it is written as the document says");
                for [row, line, stones] in written.places() {
                    let place = written.rows[row][line][stones];
                    let [row, line, stones] = [row, line, stones].map(|number| number as u64);
                    assert_eq!(twin.lost(row, line, stones), place.is_lost);
                    let verdict = twin.verdict(row, line, stones);
                    let found = verdict.map(|found| (found.depth, found.take, found.reset));
                    assert_eq!(found, depths.then_some((place.depth.into(), place.take.into(), place.reset)));
                }
                let table = Table::open(file).expect("it is whole");
                bouton_generator::verify(&table, &|_| {}).expect("it is right");
            }
        }
    }
}
