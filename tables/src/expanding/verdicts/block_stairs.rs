//! Staircases as older programs wrote them: blocks of up to 128 places, without codes (FORMAT.md, section 4.5).
//!
//! In this file, the place in a block counts from the beginning of the block. A block stores the places at which its
//! steps begin, its *starts*, except for its first step, which begins at place 0 of the block. For place 5 and the
//! starts 1, 4 and 7, two starts are at most 5, so the step is the third of the block.

use super::{MAX_DEPTH, StairEntry, Stairs};
use crate::Damage;
use crate::expanding::outcomes::narrow;
use crate::format::{Body, Fault, Packed, low_bits};

/// The arrays of these staircases.
#[derive(Clone, Debug)]
pub(in crate::expanding) struct BlockStairs {
    /// For each line: block, scale, own, class, shift, deeper. `own` is the first place of the line that uses the
    /// staircase of another class, not its own.
    pub(super) lines: Packed<6>,
    /// For each block: the number of steps in all blocks before, a depth to add, and the number of starts.
    blocks: Packed<3>,
    starts: Packed<1>,
    /// For each step of each block, its number in `steps`; `values` in FORMAT.md.
    step_numbers: Packed<1>,
    /// The distinct steps: depth, take, advance, reset.
    steps: Packed<4>,
}

/// Binary logarithm of the maximum number of places of a block: places must fit into 7 bits.
const MAX_SCALE: u64 = 7;
/// Maximum number of starts of a block: two words hold them.
const MAX_STARTS: u64 = 16;

/// A staircase.
#[derive(Clone, Copy, Debug)]
pub(in crate::expanding) struct BlockStaircase {
    /// Number of the first block.
    block: u32,
    /// Binary logarithm of the number of places of a block.
    scale: u8,
}

impl BlockStairs {
    /// Locates the arrays.
    pub(super) fn read(body: &Body) -> Result<Self, Damage> {
        let arrays = Self {
            lines: Packed::read(body, 4)?,
            blocks: Packed::read(body, 5)?,
            starts: Packed::read(body, 6)?,
            step_numbers: Packed::read(body, 7)?,
            steps: Packed::read(body, 8)?,
        };
        if arrays.starts.count() > 0 && arrays.starts.stride() != 8 {
            return Err(Damage::new("its starts are not one byte wide"));
        }
        if arrays.blocks.greatest(1).max(arrays.steps.greatest(0)) > MAX_DEPTH {
            return Err(Damage::new("the fields of its depths are too wide"));
        }
        Ok(arrays)
    }
}

impl Stairs for BlockStairs {
    type Staircase = BlockStaircase;

    fn record(&self, body: &Body, record: u64) -> Result<(BlockStaircase, [u64; 4]), Fault> {
        let [block, scale, own, class, shift, deeper] = self.lines.get(body, record)?;
        if scale > MAX_SCALE {
            return Err(Fault::Impossible);
        }
        Ok((BlockStaircase { block: narrow(block)?, scale: scale as u8 }, [own, class, shift, deeper]))
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn at(&self, body: &Body, stairs: &BlockStaircase, x: u32) -> Result<StairEntry, Fault> {
        let block = u64::from(stairs.block) + u64::from(x >> stairs.scale);
        let [steps_before, base, start_count] = self.blocks.get(body, block)?;
        let place = u64::from(x & ((1 << stairs.scale) - 1));
        if steps_before < block || start_count > MAX_STARTS {
            return Err(Fault::Impossible);
        }
        // Each block's first step has no start. So of the steps before this block, `steps_before - block` have one.
        let at = self.starts.address(steps_before - block, start_count)? / 8;
        let bytes = u128::from(body.word(at)?) | u128::from(body.word(at + 8)?) << 64;
        let begun = count_at_most(bytes, start_count as u32, place);
        // The last start up to the place, or 0.
        let last = (bytes >> (8 * begun.saturating_sub(1))) as u64 & if begun > 0 { 0x7F } else { 0 };
        let [step] = self.step_numbers.get(body, steps_before + begun)?;
        let [depth, take, advance, reset] = self.steps.get(body, step)?;
        // Saturating, since a hostile table may have unsorted starts.
        Ok((base + depth, take + advance * place.saturating_sub(last), reset != 0))
    }
}

/// Counts the bytes among the lowest `n` of `starts` that are at most `place`. `place` is below 128. The top bit of
/// each byte is ignored: valid starts are below 128 too.
///
/// Compares all bytes at once: a byte of `(place | 0x80) - start` keeps its top bit exactly if start <= place, and
/// never borrows from its neighbour.
#[cfg_attr(feature = "fast", inline(always))]
fn count_at_most(starts: u128, n: u32, place: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let places = (place | 0x80) * ONES;
    let at_most = |word: u64, n: u32| ((places - (word & (0x7F * ONES))) >> 7) & ONES & low_bits(8 * n);
    let counts = at_most(starts as u64, n.min(8)) + at_most((starts >> 64) as u64, n.saturating_sub(8));
    counts.wrapping_mul(ONES) >> 56
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::{MAX_DEPTH, VerdictRow, body_of};
    use super::*;
    use crate::expanding::Move;
    use crate::format::forged;

    /// A step of a staircase: its start, and the depth, take, advance and reset there.
    type Step = (u32, [u64; 4]);

    /// Arrays, the body that they lie in, and its row.
    type Opened = (BlockStairs, Body, VerdictRow<BlockStaircase>);

    /// The records of verdict lines.
    #[derive(Clone, Default)]
    struct Arrays {
        lines: Vec<[u64; 6]>,
        blocks: Vec<[u64; 3]>,
        starts: Vec<[u64; 1]>,
        step_numbers: Vec<[u64; 1]>,
        steps: Vec<[u64; 4]>,
    }

    impl Arrays {
        /// Adds the blocks of a staircase, and returns the number of the first.
        fn staircase(&mut self, scale: u32, end: u32, steps: &[Step]) -> u64 {
            let first = self.blocks.len() as u64;
            for begin in (0..end).step_by(1 << scale) {
                let within: Vec<u32> = (begin..end.min(begin + (1 << scale))).collect();
                let starts = within[1..].iter().filter(|&&x| steps.iter().any(|step| step.0 == x));
                let starts: Vec<u32> = starts.copied().collect();
                // A third of the depth belongs to the block.
                let base = answer(steps, begin).0 / 3;
                self.blocks.push([self.step_numbers.len() as u64, base, starts.len() as u64]);
                self.starts.extend(starts.iter().map(|&start| [u64::from(start - begin)]));
                for start in [begin].into_iter().chain(starts) {
                    let ((depth, take, reset), [_, _, advance, _]) =
                        (answer(steps, start), step_at(steps, start).1);
                    self.step_numbers.push([self.steps.len() as u64]);
                    self.steps.push([depth - base, take, advance, reset]);
                }
            }
            first
        }

        /// Decodes the row of two classes whose records begin at `first`.
        fn row(&self, first: u64) -> Result<Opened, Fault> {
            let body = body_of([
                forged::records(self.lines.clone()),
                forged::records(self.blocks.clone()),
                // A further start, to make the field a byte wide.
                forged::records([&self.starts[..], &[[255]]].concat()),
                forged::records(self.step_numbers.clone()),
                forged::records(self.steps.clone()),
            ]);
            let arrays = BlockStairs::read(&body).unwrap();
            let row = VerdictRow::of(&arrays, &body, first, 2)?;
            Ok((arrays, body, row))
        }

        /// Returns depth and best move on line 1 of the first row.
        fn get(&self, x: u32) -> Result<(u32, Option<Move>), Fault> {
            let (arrays, body, row) = self.row(0)?;
            row.get(&arrays, &body, 1, x)
        }
    }

    fn step_at(steps: &[Step], x: u32) -> Step {
        *steps.iter().rfind(|step| step.0 <= x).expect("a step begins at 0")
    }

    /// Returns the depth, and the stones and the reset of the best move, at a place.
    fn answer(steps: &[Step], x: u32) -> (u64, u64, u64) {
        let (start, [depth, take, advance, reset]) = step_at(steps, x);
        (depth, take + advance * u64::from(x - start), reset)
    }

    /// Returns a row of two classes. Class 0 has its own staircase on all places; class 1 on the places 0 to 2, and
    /// uses that of class 0 from place 3 on.
    fn small() -> Arrays {
        let mut arrays = Arrays::default();
        let steps = [(0, [0, 0, 0, 0]), (1, [1, 1, 1, 0]), (4, [2, 1, 0, 1])];
        let block = arrays.staircase(3, 8, &steps);
        let own_block = arrays.staircase(1, 3, &steps);
        arrays.lines = vec![[block, 3, 8, 0, 0, 0], [own_block, 1, 3, 0, 2, 4]];
        arrays
    }

    #[test]
    fn staircases_of_every_scale_read_back_at_every_place() {
        // Sixteen steps begin within the first 128 places, besides the one at 0, and none after place 300, of 400.
        let starts = [1, 2, 5, 8, 16, 17, 31, 32, 40, 63, 64, 65, 90, 100, 126, 127, 128, 129, 255, 256, 300];
        let step =
            |(number, &start): (u64, &u32)| (start, [7 * number, 1 + number % 5, number % 2, number / 2 % 2]);
        let steps: Vec<Step> = [(0, [0; 4])].into_iter().chain((1..).zip(&starts).map(step)).collect();
        for scale in 0..=MAX_SCALE as u32 {
            let mut arrays = Arrays::default();
            // Padding, so that no line begins at block 0.
            arrays.staircase(2, 11, &steps);
            let all = arrays.staircase(scale, 400, &steps);
            let own_block = arrays.staircase(scale, 50, &steps);
            let records = [[own_block, scale.into(), 50, 1, 33, 1000], [all, scale.into(), 400, 0, 0, 0]];
            // The second row has the meaningful records.
            arrays.lines = [[[0; 6]; 2], records].concat();
            let (verdicts, body, row) = arrays.row(2).unwrap();
            for class in 0..2 {
                for x in 0..400 {
                    let (place, deeper) = if class == 0 && x >= 50 { (x - 33, 1000) } else { (x, 0) };
                    let (depth, take, reset) = answer(&steps, place);
                    let best = (take > 0).then_some(Move { take: take as u32, reset: reset != 0 });
                    let expected = (depth as u32 + deeper, best);
                    assert_eq!(row.get(&verdicts, &body, class, x), Ok(expected), "{scale} {class} {x}");
                }
            }
        }
    }

    #[test]
    fn a_class_beyond_the_row_is_refused() {
        // The record with its number exists, but belongs to the next row.
        let mut arrays = small();
        arrays.lines.extend_from_within(..);
        arrays.lines.extend_from_within(..);
        assert!(arrays.row(0).is_ok());
        for class in 2..4 {
            arrays.lines[1][3] = class;
            assert_eq!(arrays.row(0).unwrap_err(), Fault::Impossible, "{class}");
        }
    }

    #[test]
    fn a_part_of_a_depth_of_more_than_30_bits_is_refused() {
        let mut arrays = small();
        arrays.lines[1][5] = MAX_DEPTH;
        assert_eq!(arrays.get(3).unwrap().0, 1 + (1 << 30) - 1);
        arrays.lines[1][5] = MAX_DEPTH + 1;
        assert_eq!(arrays.get(3), Err(Fault::Impossible));
    }

    #[test]
    fn a_place_beyond_the_other_line_s_staircase_is_refused() {
        let mut arrays = small();
        assert_eq!(arrays.get(9), Ok((6, Some(Move { take: 1, reset: true }))));
        // A block for this place exists, with a step in it.
        assert_eq!(arrays.get(10), Err(Fault::OutOfRange));
        arrays.lines[0][2] = 7;
        assert_eq!(arrays.get(9), Err(Fault::OutOfRange));
        // A place before its beginning is refused too.
        arrays.lines[1][4] = 3;
        assert!(arrays.get(3).is_ok());
        arrays.lines[1][4] = 4;
        assert_eq!(arrays.get(3), Err(Fault::OutOfRange));
    }

    #[test]
    fn a_scale_above_7_is_refused() {
        for line in 0..2 {
            let mut arrays = small();
            arrays.lines[line][1] = 7;
            assert!(arrays.row(0).is_ok());
            arrays.lines[line][1] = 8;
            assert_eq!(arrays.row(0).unwrap_err(), Fault::Impossible);
        }
    }

    #[test]
    fn numbers_beyond_32_bits_are_refused() {
        // An implementation that kept only the lowest 32 bits would read the valid numbers.
        for field in [0, 2, 4] {
            let mut arrays = small();
            arrays.lines[1][field] += 1 << 32;
            assert_eq!(arrays.row(0).unwrap_err(), Fault::Impossible, "{field}");
        }
        let mut arrays = small();
        arrays.steps.iter_mut().for_each(|step| step[1] += 1 << 32);
        assert_eq!(arrays.get(1), Err(Fault::Impossible));
    }

    #[test]
    fn more_than_16_starts_in_a_block_are_refused() {
        let mut arrays = small();
        // Enough starts, none of them at place 0.
        arrays.starts.extend([[9]; 17]);
        arrays.blocks[1][2] = 16;
        assert_eq!(arrays.get(0), Ok((0, None)));
        arrays.blocks[1][2] = 17;
        assert_eq!(arrays.get(0), Err(Fault::Impossible));
    }

    #[test]
    fn fewer_steps_than_blocks_before_a_block_are_refused() {
        let mut arrays = small();
        // Block 1 may begin with step 1.
        arrays.blocks[1][0] = 1;
        assert!(arrays.get(0).is_ok());
        arrays.blocks[1][0] = 0;
        assert_eq!(arrays.get(0), Err(Fault::Impossible));
    }

    #[test]
    fn unsorted_starts_are_answered_without_a_fault() {
        let mut arrays = small();
        // Two of the starts are at most 2, so the first two in the array (1 and 6) count as begun, although 6 is beyond
        // place 2.
        arrays.blocks[0][2] = 3;
        arrays.starts.splice(0..2, [[1], [6], [2]]);
        let (verdicts, body, row) = arrays.row(0).unwrap();
        assert!(row.get(&verdicts, &body, 0, 2).is_ok());
    }

    #[test]
    fn starts_at_or_before_a_place_are_counted() {
        let starts = [1, 2, 5, 30, 31, 64, 65, 66, 67, 80, 81, 99, 100, 125, 126, 127];
        let word = u128::from_le_bytes(starts);
        for n in 0..=16 {
            for place in 0..128 {
                let expected = starts[..n].iter().filter(|&&s| u64::from(s) <= place).count() as u64;
                assert_eq!(count_at_most(word, n as u32, place), expected, "{n} {place}");
            }
        }
    }
}
