//! A writer of Expanding Nim tables with staircases of any shape that the format allows (FORMAT.md, section 4.4).
//!
//! Written from the document alone, without regard to size.

use crate::format_twin::expanding::{Twin, Verdict};
use crate::seal::{Array, Parts};

use super::DecodedTable;

/// The numbers of the arrays that are read here.
const CLASSES: usize = 0;
const VERDICTS: usize = 4;

/// The parameters of a staircase, by the names in FORMAT.md.
#[derive(Clone, Copy, Debug)]
pub struct StairShape {
    /// The scale; if a block would have too many starts, the next smaller scale that fits.
    pub scale: u64,
    /// The minimum widths in bits of the fields of an entry: `begun`, `base` and `code`.
    pub widths: [u64; 3],
}

/// The fields of a step: depth, take, advance, reset.
type Step = [u64; 4];

/// A block: its least depth, and its steps with the places where they begin.
type Block = (u64, Vec<(u64, Step)>);

/// Rewrites a table with depths so that its staircases have these shapes.
///
/// # Panics
/// If the file is not a valid table of Expanding Nim with depths.
#[must_use]
pub fn with_staircases(file: &[u8], mut shape: impl FnMut() -> StairShape) -> DecodedTable {
    let twin = Twin::read(file).expect("a valid table");
    let mut table = DecodedTable::of(&Parts::of(file));
    let classes: Vec<u64> = table.arrays[CLASSES].records.iter().map(|record| record[0]).collect();
    let class_count = 1 + classes.iter().max().expect("lines");
    let line_of =
        |class| classes.iter().position(|&of_line| of_line == class).expect("a line of each") as u64;
    let mut writer = Writer::default();
    let mut verdicts = Vec::new();
    for (record, fields) in (0..).zip(&table.arrays[VERDICTS].records) {
        let (row, line) = (record / class_count, line_of(record % class_count));
        let [own, class, shift, deeper] = [1, 2, 3, 4].map(|field| fields[field]);
        let own_verdicts: Vec<Verdict> =
            (0..own).map(|x| twin.verdict(row, line, x).expect("depths")).collect();
        let stairs = if own == 0 { 0 } else { writer.write(&own_verdicts, shape()) };
        verdicts.push(vec![stairs, own, class, shift, deeper]);
    }
    table.arrays.truncate(VERDICTS);
    table.arrays.push(Array::of(verdicts));
    table.arrays.extend(writer.arrays());
    table
}

/// The staircases written so far, with their bits and steps.
#[derive(Default)]
struct Writer {
    /// The records of array 5.
    stairs: Vec<Vec<u64>>,
    /// The bits of array 6.
    bits: Vec<u64>,
    /// The records of array 7.
    steps: Vec<Vec<u64>>,
}

impl Writer {
    /// Writes a staircase, and returns its number.
    fn write(&mut self, verdicts: &[Verdict], StairShape { mut scale, widths }: StairShape) -> u64 {
        let (blocks, codes, code) = loop {
            let blocks: Vec<Block> = verdicts.chunks(1 << scale).map(block).collect();
            let mut codes: Vec<Step> =
                blocks.iter().flat_map(|(_, steps)| steps).map(|&(_, step)| step).collect();
            codes.sort_unstable();
            codes.dedup();
            let code = widths[2].max(width(codes.len() as u64 - 1));
            let most = 2 * (120 / (code + scale + 1));
            if blocks.iter().all(|(_, steps)| steps.len() as u64 - 1 <= most) {
                break (blocks, codes, code);
            }
            scale -= 1;
        };
        let starts: u64 = blocks.iter().map(|(_, steps)| steps.len() as u64 - 1).sum();
        let plies = blocks.iter().map(|&(plies, _)| plies).max().unwrap_or(0);
        let (begun, base) = (widths[0].max(width(starts)), widths[1].max(width(plies)));
        let code_of = |step| codes.iter().position(|&code| code == step).expect("it is one of them") as u64;

        // The format allows unused bits between staircases.
        let number = self.stairs.len() as u64;
        self.field(u64::MAX, number % 5);
        self.stairs.push(vec![self.bits.len() as u64, scale, begun, base, code, self.steps.len() as u64]);
        let mut before = 0;
        for (plies, steps) in &blocks {
            self.field(before, begun);
            self.field(*plies, base);
            self.field(code_of(steps[0].1), code);
            before += steps.len() as u64 - 1;
        }
        self.field(before, begun);
        // These fields have no meaning, so any bits are allowed.
        self.field(u64::MAX, base + code);
        for &(place, step) in blocks.iter().flat_map(|(_, steps)| &steps[1..]) {
            self.field(code_of(step), code);
            self.field(place, scale);
            self.field(0, 1);
        }
        self.steps.extend(codes.into_iter().map(|step| step.to_vec()));
        number
    }

    /// Writes a field of `width` bits.
    fn field(&mut self, value: u64, width: u64) {
        self.bits.extend((0..width).map(|bit| value >> bit & 1));
    }

    /// Returns the arrays of staircases, of bits and of steps.
    fn arrays(self) -> [Array; 3] {
        let bits = self.bits.into_iter().map(|bit| vec![bit]).collect();
        [Array::of(self.stairs), Array { widths: vec![1], records: bits }, Array::of(self.steps)]
    }
}

/// Returns the number of bits that a number needs.
fn width(number: u64) -> u64 {
    (u64::BITS - number.leading_zeros()).into()
}

/// Splits a block into steps. The first step begins at place 0.
fn block(verdicts: &[Verdict]) -> Block {
    let plies = verdicts.iter().map(|verdict| verdict.depth).min().unwrap_or(0);
    let mut steps: Vec<(u64, Step)> = Vec::new();
    for (place, &Verdict { depth, take, reset }) in (0..).zip(verdicts) {
        let (depth, reset) = (depth - plies, u64::from(reset));
        if let Some((begins, step)) = steps.last_mut() {
            let offset = place - *begins;
            // The second place of a step shows whether it advances.
            let advance = if offset == 1 { take.saturating_sub(step[1]) } else { step[2] };
            if advance <= 1
                && [depth, take, advance, reset] == [step[0], step[1] + advance * offset, advance, step[3]]
            {
                step[2] = advance;
                continue;
            }
        }
        steps.push((place, [depth, take, 0, reset]));
    }
    (plies, steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    /// Returns every verdict of a table.
    fn verdicts(twin: &Twin) -> Vec<Option<Verdict>> {
        let rules = twin.rules();
        let lines = 4 * rules.resets.iter().map(|&resets| u64::from(resets) + 1).product::<u64>();
        let places = (0..).take_while(|&m| rules.stones_at(m) > 0).flat_map(|m| {
            (0..lines).flat_map(move |line| (0..rules.stones_at(m)).map(move |x| (rules.row(m), line, x)))
        });
        places.map(|(row, line, x)| twin.verdict(row, line, x)).collect()
    }

    #[test]
    fn the_twin_reads_the_same_verdicts_from_staircases_of_several_shapes() {
        let shapes = [
            StairShape { scale: 0, widths: [0; 3] },
            StairShape { scale: 3, widths: [0; 3] },
            StairShape { scale: 7, widths: [5, 9, 4] },
            StairShape { scale: 24, widths: [32, 30, 24] },
        ];
        for rules in games::expanding() {
            let file = bouton_generator::generate_in_memory(&rules.into(), true).unwrap();
            let expected = verdicts(&Twin::read(&file).unwrap());
            for shape in shapes {
                let made = with_staircases(&file, || shape);
                assert_eq!(made.arrays.len(), 8);
                let twin = Twin::read(&made.seal()).unwrap_or_else(|refusal| panic!("{shape:?}: {refusal}"));
                assert!(verdicts(&twin) == expected, "{shape:?} of {:?}", twin.rules());
            }
        }
    }
}
