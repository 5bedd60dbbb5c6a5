//! Packing verdict lines (FORMAT.md, section 4.4): staircases, and lines that are another one's, shifted.

use bouton_tables::expanding::{Layout, MAX_SCALE, MAX_STARTS};

use super::{SolvedRow, Step};

/// A step of a staircase: from `start` on, up to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Run {
    start: u32,
    depth: u32,
    take: u32,
    /// Whether the best move takes one more for each further stone.
    advance: bool,
    reset: bool,
}

impl Run {
    /// Stones taken at `x`, which lies on this step.
    fn take_at(&self, x: u32) -> u32 {
        if self.advance { self.take + (x - self.start) } else { self.take }
    }
}

/// The staircases of all lines of a row.
pub(super) fn lines(layout: &Layout, solved: &SolvedRow) -> Vec<Vec<Run>> {
    let across = layout.lines();
    (0..across)
        .map(|line| {
            let (turn, cell, imposed) = (line / 2 / layout.cells(), line / 2 % layout.cells(), line % 2);
            let lane = (turn * 2 + imposed) * layout.cells() + cell;
            staircase(solved.steps.iter().skip(lane).step_by(across))
        })
        .collect()
}

/// The fewest steps for a line: each as long as it can be.
fn staircase<'a>(steps: impl Iterator<Item = &'a Step>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    // Whether the last run may be one of constant takes, or one of advancing ones; both as long as it has one
    // place.
    let (mut constant, mut advance) = (false, false);
    for (x, step) in (0..).zip(steps) {
        if let Some(run) = runs.last_mut()
            && (run.depth, run.reset) == (step.depth, step.reset)
        {
            let stays = constant && step.take == run.take;
            let goes = advance && step.take == run.take + (x - run.start);
            if stays || goes {
                (constant, advance) = (stays, goes);
                run.advance = goes;
                continue;
            }
        }
        runs.push(Run { start: x, depth: step.depth, take: step.take, advance: false, reset: step.reset });
        (constant, advance) = (true, step.take > 0);
    }
    runs
}

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
    pub(super) blocks: Vec<[u64; 3]>,
    pub(super) starts: Vec<u8>,
    pub(super) values: Vec<[u64; 4]>,
}

/// Packs the distinct lines of a row.
pub(super) fn encode(length: u32, lines: &[Vec<Run>]) -> RowVerdicts {
    let mut packed = RowVerdicts::default();
    // Lines with a whole staircase of their own: others may refer to them.
    let mut whole: Vec<u32> = Vec::new();
    for (number, line) in (0..).zip(lines) {
        let found = whole
            .iter()
            .filter_map(|&other| Some((refer(length, line, &lines[other as usize])?, other)))
            .min_by_key(|(reference, _)| reference.left);
        let record = match found {
            Some((reference, other)) if reference.left + WORTH_IT < line.len() => {
                let own = line[reference.left].start;
                let (block, scale) = packed.put(&line[..reference.left], own);
                Record { block, scale, own, other, shift: reference.shift, deeper: reference.deeper }
            }
            _ => {
                whole.push(number);
                let (block, scale) = packed.put(line, length);
                Record { block, scale, own: length, other: 0, shift: 0, deeper: 0 }
            }
        };
        packed.lines.push(record);
    }
    packed
}

/// A line seen as another one, shifted up along the stones and made deeper, but for its first `left` steps.
struct Reference {
    left: usize,
    shift: u32,
    deeper: u32,
}

/// The steps that a reference must save.
const WORTH_IT: usize = 2;
/// How many steps of the other line are tried as the counterpart of a line's last one.
const LOOK_BACK: usize = 256;

fn refer(length: u32, line: &[Run], other: &[Run]) -> Option<Reference> {
    let last = line.last()?;
    let candidates = other.partition_point(|run| run.start <= last.start);
    (0..candidates)
        .rev()
        .take(LOOK_BACK)
        .filter_map(|j| {
            let shift = last.start - other[j].start;
            let deeper = last.depth.checked_sub(other[j].depth)?;
            let same = |a: &Run, b: &Run| {
                a.start == b.start + shift
                    && a.depth == b.depth + deeper
                    && a.take == b.take
                    && a.reset == b.reset
            };
            // The last step may be cut off by the line's end: of a single place, one cannot tell whether it
            // advances.
            let alone = last.start + 1 == length;
            let ends = other.get(j + 1).is_none_or(|next| next.start + shift >= length);
            if !ends || !same(last, &other[j]) || !(alone || last.advance == other[j].advance) {
                return None;
            }
            let pairs = line.iter().rev().zip(other[..=j].iter().rev());
            let matched = 1 + pairs.skip(1).take_while(|(a, b)| same(a, b) && a.advance == b.advance).count();
            Some(Reference { left: line.len() - matched, shift, deeper })
        })
        .min_by_key(|reference| reference.left)
}

impl RowVerdicts {
    /// Stores the steps of the places before `end`; gives the number of the first block, and the scale.
    fn put(&mut self, runs: &[Run], end: u32) -> (u32, u32) {
        let first = u32::try_from(self.blocks.len()).expect("blocks are fewer than stones");
        if end == 0 {
            return (first, 0);
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
            self.put_block(runs, block, end.min(block + (1 << scale)));
        }
        (first, scale)
    }

    fn put_block(&mut self, runs: &[Run], start: u32, end: u32) {
        let first = runs.partition_point(|run| run.start <= start) - 1;
        let last = runs.partition_point(|run| run.start < end);
        let runs = &runs[first..last];
        let base = runs.iter().map(|run| run.depth).min().expect("a block has at least one step");
        self.blocks.push([self.values.len() as u64, base.into(), runs.len() as u64 - 1]);
        for (i, run) in runs.iter().enumerate() {
            let begins = run.start.max(start);
            if i > 0 {
                self.starts.push(u8::try_from(begins - start).expect("blocks span at most 128 places"));
            }
            let take = run.take_at(begins);
            self.values.push([(run.depth - base).into(), take.into(), run.advance.into(), run.reset.into()]);
        }
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
