//! Packing verdict lines (FORMAT.md, section 4.4): staircases, and lines that are another one's, shifted.

use std::collections::HashMap;
use std::sync::Arc;

use bouton_tables::expanding::{MAX_SCALE, MAX_STARTS};

use crate::GenerateError;
use crate::expanding::depths::{Other, Stairs};
use crate::expanding::row::Run;
use crate::memory::Grow;

/// How one line is stored. Numbers of blocks, values and lines are those within the row.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) block: u32,
    pub(super) scale: u32,
    pub(super) own: u32,
    pub(super) other: u32,
    pub(super) shift: u32,
    pub(super) deeper: u32,
}

/// The verdicts of a row, packed.
#[derive(Clone, Debug, Default)]
pub(super) struct RowVerdicts {
    pub(super) lines: Vec<Record>,
    /// The first value, the base and the number of starts of each block.
    pub(super) blocks: Vec<[u32; 3]>,
    pub(super) starts: Vec<u8>,
    pub(super) values: Vec<Step>,
}

/// A step of a block: its depth above the block's base, and its best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Step {
    depth: u32,
    take: u32,
    advance: bool,
    reset: bool,
}

impl Step {
    /// The fields of its record.
    pub(super) fn record(self) -> [u64; 4] {
        [self.depth.into(), self.take.into(), self.advance.into(), self.reset.into()]
    }
}

impl RowVerdicts {
    /// Bytes that they take, about.
    pub(super) fn bytes(&self) -> usize {
        let Self { lines, blocks, starts, values } = self;
        24 * lines.capacity() + 12 * (blocks.capacity() + values.capacity()) + starts.capacity()
    }
}

/// Packs the distinct lines of a row.
pub(super) fn encode(length: u32, lines: &[&Stairs]) -> Result<RowVerdicts, GenerateError> {
    let mut packed = RowVerdicts::default();
    // Lines with a whole staircase of their own: others refer to them.
    let wholes: HashMap<_, u32> = (0..)
        .zip(lines)
        .filter(|(_, line)| line.is_whole())
        .map(|(number, line)| (Arc::as_ptr(&line.other.runs), number))
        .collect();
    for line in lines {
        let Stairs { head, own, other: Other { runs, shift, deeper } } = line;
        let record = if line.is_whole() {
            let (block, scale) = packed.put(runs, length)?;
            Record { block, scale, own: length, other: 0, shift: 0, deeper: 0 }
        } else {
            let (block, scale) = packed.put(head, *own)?;
            let other = wholes[&Arc::as_ptr(runs)];
            Record { block, scale, own: *own, other, shift: *shift, deeper: *deeper }
        };
        packed.lines.push(record);
    }
    Ok(packed)
}

impl RowVerdicts {
    /// Stores the steps of the places before `end`; gives the number of the first block, and the scale.
    fn put(&mut self, runs: &[Run], end: u32) -> Result<(u32, u32), GenerateError> {
        let first = u32::try_from(self.blocks.len()).map_err(|_| GenerateError::Memory)?;
        if end == 0 {
            return Ok((first, 0));
        }
        let scale = (0..=MAX_SCALE)
            .filter(|&scale| most_starts(runs, scale) <= MAX_STARTS)
            .min_by_key(|&scale| {
                let blocks = u64::from(end.div_ceil(1 << scale));
                // The number of starts falls as blocks grow fewer; values are starts and blocks.
                let starts = runs.iter().filter(|run| run.start % (1 << scale) != 0).count() as u64;
                blocks * COST_OF_A_BLOCK + starts * COST_OF_A_START
            })
            .expect("a block of 8 places has at most 7 starts");
        for block in (0..end).step_by(1 << scale) {
            self.put_block(runs, block, end.min(block + (1 << scale)))?;
        }
        Ok((first, scale))
    }

    fn put_block(&mut self, runs: &[Run], start: u32, end: u32) -> Result<(), GenerateError> {
        let first = runs.partition_point(|run| run.start <= start) - 1;
        let last = runs.partition_point(|run| run.start < end);
        let runs = &runs[first..last];
        let base = runs.iter().map(|run| run.depth).min().expect("a block has at least one step");
        let value = u32::try_from(self.values.len()).map_err(|_| GenerateError::Memory)?;
        self.blocks.grow([value, base, runs.len() as u32 - 1])?;
        for (i, run) in runs.iter().enumerate() {
            let begins = run.start.max(start);
            if i > 0 {
                self.starts.grow(u8::try_from(begins - start).expect("blocks span at most 128 places"))?;
            }
            let Run { depth, advance, reset, .. } = *run;
            self.values.grow(Step { depth: depth - base, take: run.take_at(begins), advance, reset })?;
        }
        Ok(())
    }
}

/// Bits of a block with the value at its beginning, and of a further step, as they are in the tournament's
/// table: near enough to choose.
const COST_OF_A_BLOCK: u64 = 44;
const COST_OF_A_START: u64 = 24;

/// The most steps that begin within one block, not at its beginning.
fn most_starts(runs: &[Run], scale: u32) -> u64 {
    let within = runs.iter().map(|run| run.start).filter(|start| start % (1 << scale) != 0);
    let (mut block, mut count, mut most) = (u32::MAX, 0, 0);
    for start in within {
        if start >> scale != block {
            (block, count) = (start >> scale, 0);
        }
        count += 1;
        most = most.max(count);
    }
    most
}
