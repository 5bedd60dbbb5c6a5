//! Packs verdict lines (FORMAT.md, section 4.4): staircases, and references to other lines.
//!
//! A staircase is cut into blocks of 2^scale places. Each block has a base depth, and each step a code for its depth
//! above the base and its best move. For example, with scale 2, the depths 3 3 3 5 | 5 5 7 7 make two blocks: base 3
//! with the steps +0 and +2, and base 5 with the steps +0 and +2. If the best moves agree too, two codes suffice. The
//! packer tries scales until the bits no longer decrease.

use std::collections::HashMap;
use std::sync::Arc;

use bouton_tables::expanding::{MAX_STAIR_CODE_BITS, MAX_STAIR_SCALE, max_starts_of_block};
use bouton_tables::format::{BitWriter, width_of};
use rustc_hash::FxHashMap;

use crate::expanding::depths::verdict_line::{ShiftedRuns, VerdictLine};
use crate::expanding::run::Run;
use crate::making::GenerateError;
use crate::memory::{Grow, collected, room};

/// The record of a verdict line. Numbers of staircases and lines count within the row.
#[derive(Clone, Debug)]
pub(super) struct VerdictRecord {
    /// Number of the line's own staircase; 0 if it has none.
    pub(super) stairs: u32,
    /// Number of places that the own staircase has.
    pub(super) own: u32,
    /// Number of the line that answers from place `own` on.
    pub(super) other: u32,
    pub(super) shift: u32,
    pub(super) deeper: u32,
}

/// The packed verdicts of a row.
#[derive(Debug, Default)]
pub(super) struct RowVerdicts {
    pub(super) lines: Vec<VerdictRecord>,
    pub(super) stairs: Vec<PackedStaircase>,
    pub(super) bits: BitWriter,
}

/// A packed staircase.
#[derive(Debug)]
pub(super) struct PackedStaircase {
    /// The staircase's first bit among the bits of the row.
    pub(super) first: u64,
    pub(super) scale: u32,
    /// Bits of an entry's number of starts.
    pub(super) begun: u32,
    /// Bits of an entry's base.
    pub(super) base: u32,
    /// Bits of a code.
    pub(super) code: u32,
    /// The step that each code stands for.
    pub(super) steps: Vec<StairStep>,
}

/// A step of a block: its depth above the block's base, and its best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StairStep {
    depth: u32,
    take: u32,
    advance: bool,
    reset: bool,
}

impl StairStep {
    /// Returns the fields of the step's record.
    pub(super) fn record(self) -> [u64; 4] {
        [self.depth.into(), self.take.into(), self.advance.into(), self.reset.into()]
    }
}

impl RowVerdicts {
    /// Estimated bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        let Self { lines, stairs, bits } = self;
        let steps = stairs.iter().map(|stairs| stairs.steps.capacity()).sum::<usize>();
        size_of::<VerdictRecord>() * lines.capacity()
            + size_of::<PackedStaircase>() * stairs.capacity()
            + size_of::<StairStep>() * steps
            + bits.len() as usize / 8
    }

    /// Stores a staircase for the places below `end`, and returns its number.
    fn add_staircase(&mut self, runs: &[Run], end: u32) -> Result<u32, GenerateError> {
        if end == 0 {
            return Ok(0);
        }
        let number = self.stairs.len() as u32;
        let staircase = StairBlocks::best(runs, end)?.write(&mut self.bits)?;
        self.stairs.grow(staircase)?;
        Ok(number)
    }
}

/// Packs the distinct lines of a row.
pub(super) fn encode(length: u32, lines: &[&VerdictLine]) -> Result<RowVerdicts, GenerateError> {
    let mut packed = RowVerdicts::default();
    // The whole lines, to which the others refer, by the address of their runs.
    let whole_lines: HashMap<_, u32> = (0..)
        .zip(lines)
        .filter(|(_, line)| line.is_whole())
        .map(|(number, line)| (Arc::as_ptr(&line.tail.runs), number))
        .collect();
    for line in lines {
        let VerdictLine { head, tail_from, tail: ShiftedRuns { runs, shift, deeper } } = line;
        let (own_runs, own, other) = if line.is_whole() {
            (&runs[..], length, 0)
        } else {
            (&head[..], *tail_from, whole_lines[&Arc::as_ptr(runs)])
        };
        let stairs = packed.add_staircase(own_runs, own)?;
        packed.lines.push(VerdictRecord { stairs, own, other, shift: *shift, deeper: *deeper });
    }
    Ok(packed)
}

/// A staircase, cut into blocks of equal length.
struct StairBlocks {
    scale: u32,
    /// For each block the number of starts before it, its base, and the number of its first step. The numbers of steps become
    /// codes in [`write`](Self::write).
    entries: Vec<[u32; 3]>,
    /// For each start its place in the block, and the number of its step.
    starts: Vec<[u32; 2]>,
    steps: FxHashMap<StairStep, u32>,
    greatest_base: u32,
}

impl StairBlocks {
    /// Returns the blocks that take the fewest bits.
    fn best(runs: &[Run], end: u32) -> Result<Self, GenerateError> {
        // A block should have about one run or more.
        let runs_len = u32::try_from(runs.len()).unwrap_or(u32::MAX).clamp(1, end);
        let greatest = width_of(u64::from(end) - 1).min(MAX_STAIR_SCALE);
        let first_scale = (end / runs_len).ilog2().min(greatest);
        let mut best: Option<(u64, Self)> = None;
        for scale in first_scale..=greatest {
            let blocks = Self::cut(runs, end, scale)?;
            let Some(bits) = blocks.bits() else { break };
            if best.as_ref().is_some_and(|(least, _)| *least <= bits) {
                break;
            }
            best = Some((bits, blocks));
        }
        // If a block has too many starts, try smaller blocks. A block of a single place has no starts.
        let mut scale = first_scale;
        while best.is_none() && scale > 0 {
            scale -= 1;
            let blocks = Self::cut(runs, end, scale)?;
            best = blocks.bits().map(|bits| (bits, blocks));
        }
        // Codes suffice for as many steps as fit into memory.
        best.map(|(_, blocks)| blocks).ok_or(GenerateError::Memory)
    }

    /// Cuts the places below `end` into blocks of 2^`scale` places.
    fn cut(runs: &[Run], end: u32, scale: u32) -> Result<Self, GenerateError> {
        let mut blocks = Self {
            scale,
            entries: room(u64::from(end >> scale) + 2)?,
            starts: Vec::new(),
            steps: FxHashMap::default(),
            greatest_base: 0,
        };
        let (mut rest, mut start) = (runs, 0);
        while start < end {
            let block_end = (u64::from(start) + (1 << scale)).min(end.into()) as u32;
            // The first run covers the block's first place, and the next one begins after that place.
            let before = rest[1..].iter().take_while(|run| run.start <= start).count();
            rest = &rest[before..];
            let within = 1 + rest[1..].iter().take_while(|run| run.start < block_end).count();
            blocks.add_block(&rest[..within], start, block_end)?;
            rest = &rest[within - 1..];
            start = block_end;
        }
        blocks.entries.grow([blocks.count()?, 0, 0])?;
        Ok(blocks)
    }

    /// Adds the block of the places from `start` to `end`, with these runs.
    fn add_block(&mut self, runs: &[Run], start: u32, end: u32) -> Result<(), GenerateError> {
        let base = runs.iter().map(|run| run.depth).min().expect("a block has a run");
        self.greatest_base = self.greatest_base.max(base);
        for (number, run) in runs.iter().enumerate() {
            let run_start = run.start.max(start);
            let run_end = runs.get(number + 1).map_or(end, |next| next.start);
            let Run { depth, reset, .. } = *run;
            // At a single place, `advance` makes no difference.
            let advance = run.advance && run_end - run_start > 1;
            let step =
                self.number(StairStep { depth: depth - base, take: run.take_at(run_start), advance, reset })?;
            if number == 0 {
                self.entries.grow([self.count()?, base, step])?;
            } else {
                self.starts.grow([run_start - start, step])?;
            }
        }
        Ok(())
    }

    /// Returns the number of starts so far.
    fn count(&self) -> Result<u32, GenerateError> {
        u32::try_from(self.starts.len()).map_err(|_| GenerateError::Memory)
    }

    /// Returns the number of a step, the next free one if the step is new.
    fn number(&mut self, step: StairStep) -> Result<u32, GenerateError> {
        self.steps.try_reserve(1)?;
        let next = self.steps.len() as u32;
        Ok(*self.steps.entry(step).or_insert(next))
    }

    /// Returns the bits of a code, of a number of starts, and of a base.
    fn widths(&self) -> [u32; 3] {
        let codes = self.steps.len() as u64;
        [codes - 1, self.starts.len() as u64, self.greatest_base.into()].map(width_of)
    }

    /// Returns the number of bits, or `None` if a block has too many starts or there are too many codes.
    fn bits(&self) -> Option<u64> {
        let [code, begun, base] = self.widths();
        let width = code + self.scale + 1;
        let max_starts =
            self.entries.windows(2).map(|entries| entries[1][0] - entries[0][0]).max().unwrap_or(0);
        let fits = code <= MAX_STAIR_CODE_BITS && u64::from(max_starts) <= max_starts_of_block(width);
        let steps = self.steps.len() as u64 * BITS_OF_A_STEP;
        let (entries, starts) = (self.entries.len() as u64, self.starts.len() as u64);
        fits.then(|| entries * u64::from(begun + base + code) + starts * u64::from(width) + steps)
    }

    /// Appends the staircase's bits to `bits`.
    fn write(self, bits: &mut BitWriter) -> Result<PackedStaircase, GenerateError> {
        let [code, begun, base] = self.widths();
        let first = bits.len();
        // Sort the steps, so that staircases with the same steps can share them.
        let mut steps = collected(self.steps.iter().map(|(&step, &number)| (step, number)))?;
        steps.sort_unstable();
        let mut codes = vec![0; steps.len()];
        (0..).zip(&steps).for_each(|(code, &(_, number))| codes[number as usize] = code);
        for [starts, of_base, step] in self.entries {
            bits.push(starts.into(), begun)?;
            bits.push(of_base.into(), base)?;
            bits.push(codes[step as usize], code)?;
        }
        for [place, step] in self.starts {
            bits.push(codes[step as usize], code)?;
            bits.push(place.into(), self.scale + 1)?;
        }
        let steps = steps.into_iter().map(|(step, _)| step).collect();
        Ok(PackedStaircase { first, scale: self.scale, begun, base, code, steps })
    }
}

/// Bits of a step's record in a large table: accurate enough to choose a scale.
const BITS_OF_A_STEP: u64 = 29;
