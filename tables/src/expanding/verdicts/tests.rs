//! Tests of verdict lines and of the staircases to which they refer, with forged arrays.

use super::*;
use crate::format::tests::forged::{self, Records};
use crate::format::width_of;

/// The start of a step, and the number of its content.
type Step = (u64, u64);

/// The content of a step: depth, take, advance, reset.
type StepContent = [u64; 4];

/// Arrays, the body that they lie in, and a row.
type Opened = (Verdicts, Body, VerdictRow);

/// Fields of a line.
const OWN: usize = 1;
const CLASS: usize = 2;
const SHIFT: usize = 3;
const DEEPER: usize = 4;

/// The arrays of a table.
#[derive(Clone)]
struct Arrays {
    lines: Vec<[u64; 5]>,
    stairs: Vec<[u64; 6]>,
    bits: Vec<u64>,
    steps: Vec<StepContent>,
}

impl Arrays {
    /// Makes arrays of one line, which has a staircase of `end` places and no others. The fields of the staircase are
    /// `wider` bits wider than necessary.
    fn of_one_line(steps: &[Step], end: u64, scale: u64, wider: u64) -> Self {
        // Padding, so that neither the first bit nor the first step has number 0.
        let steps_with_padding = [&[[9, 9, 1, 1]], &CONTENTS[..]].concat();
        let mut arrays = Self {
            lines: vec![[0, end, 0, 0, 0]],
            stairs: vec![],
            bits: vec![1; 3],
            steps: steps_with_padding,
        };
        arrays.add_staircase(steps, end, scale, wider);
        arrays
    }

    /// Adds a staircase of `end` places, and returns its number.
    fn add_staircase(&mut self, steps: &[Step], end: u64, scale: u64, wider: u64) -> u64 {
        let blocks = end.div_ceil(1 << scale);
        let begun = |block: u64| {
            let begins_before =
                |step: &&Step| step.0 < end.min(block << scale) && !step.0.is_multiple_of(1 << scale);
            steps.iter().filter(begins_before).count() as u64
        };
        let at = |place: u64| *steps.iter().rfind(|step| step.0 <= place).expect("a step begins at 0");
        let greatest = [begun(blocks), 7 * blocks, CONTENTS.len() as u64 - 1];
        let [begun_width, base, code] = greatest.map(|greatest| u64::from(width_of(greatest)) + wider);
        let widths = [begun_width.min(32), base.min(30), code.min(MAX_STAIR_CODE_BITS.into())];
        self.stairs.push([self.bits.len() as u64, scale, widths[0], widths[1], widths[2], 1]);
        let mut push = |value: u64, width: u64| (0..width).for_each(|i| self.bits.push(value >> i & 1));
        for block in 0..=blocks {
            // The base is unrelated to the depths: 7 plies more for each block.
            let fields = [begun(block), 7 * block, if block < blocks { at(block << scale).1 } else { 0 }];
            fields.into_iter().zip(widths).for_each(|(value, width)| push(value, width));
        }
        for &(place, number) in steps.iter().filter(|step| step.0 % (1 << scale) > 0 && step.0 < end) {
            push(number, widths[2]);
            push(place % (1 << scale), scale + 1);
        }
        self.stairs.len() as u64 - 1
    }

    /// Decodes the row of `classes` classes whose records begin at `first`.
    fn row(&self, first: u64, classes: u64) -> Result<Opened, Fault> {
        let body = body_of([
            forged::records(self.lines.clone()),
            forged::records(self.stairs.clone()),
            forged::records(self.bits.iter().map(|&bit| [bit])),
            forged::records(self.steps.clone()),
        ]);
        let verdicts = Verdicts::read(&body, true).unwrap().unwrap();
        let row = verdicts.row(&body, first, classes)?;
        Ok((verdicts, body, row))
    }

    /// Decodes the row of all lines.
    fn only_row(&self) -> Result<Opened, Fault> {
        self.row(0, self.lines.len() as u64)
    }

    /// Returns depth and best move on the last line.
    fn get(&self, x: u32) -> Result<(u32, Option<Move>), Fault> {
        let (verdicts, body, row) = self.only_row()?;
        verdicts.get(&body, &row, self.lines.len() as u32 - 1, x)
    }
}

/// Forges a body with these arrays of verdicts, after four others.
fn body_of(verdicts: impl IntoIterator<Item = Records>) -> Body {
    let others = std::array::from_fn::<_, 4, _>(|_| forged::records([[0]]));
    forged::body(&others.into_iter().chain(verdicts).collect::<Vec<_>>())
}

const CONTENTS: [StepContent; 6] =
    [[0, 0, 0, 0], [1, 1, 1, 0], [2, 1, 0, 1], [5, 30, 1, 0], [(1 << 30) - 1, 2, 0, 0], [0, 7, 0, 1]];

/// Returns depth and best move at a place of a staircase with these steps, by the definition.
fn expected(steps: &[Step], scale: u64, x: u32) -> (u32, Option<Move>) {
    let place = u64::from(x);
    let &(start, number) = steps.iter().rfind(|step| step.0 <= place).unwrap();
    let [depth, take, advance, reset] = CONTENTS[number as usize];
    let begins = start.max(place >> scale << scale);
    let take = take + advance * (place - begins);
    let best = (take > 0).then_some(Move { take: take as u32, reset: reset == 1 });
    ((depth + 7 * (place >> scale)) as u32, best)
}

/// Returns steps so close that blocks have as many as two reads return, and steps far apart.
fn many_steps() -> Vec<Step> {
    let places =
        [0, 1, 2, 5, 8, 9, 10, 11, 12, 13, 14, 16, 17, 31, 32, 40, 63, 64, 65, 90, 100, 127, 128, 255, 256];
    (0..).zip(places).map(|(number, place)| (place, number % 6)).collect()
}

#[test]
fn staircases_of_every_scale_and_width_read_back_at_every_place() {
    let steps = many_steps();
    let mut with_two_reads = 0;
    for scale in 0..=11 {
        for wider in [0, 1, 6, 15, 20] {
            let arrays = Arrays::of_one_line(&steps, 400, scale, wider);
            let width = arrays.stairs[0][4] as u32 + scale as u32 + 1;
            let most = (0..=400_u64 >> scale).map(|block| {
                steps.iter().filter(|step| step.0 >> scale == block && step.0 % (1 << scale) > 0).count()
            });
            let most = most.max().unwrap_or(0) as u64;
            if most > max_starts_of_block(width) {
                // Some block is refused.
                assert!((0..400).any(|x| arrays.get(x) == Err(Fault::Impossible)), "{scale} {wider}");
                continue;
            }
            with_two_reads += u64::from(most > max_starts_of_block(width) / 2);
            let (verdicts, body, row) = arrays.only_row().unwrap();
            for x in 0..400 {
                let found = verdicts.get(&body, &row, 0, x);
                assert_eq!(found, Ok(expected(&steps, scale, x)), "{scale} {wider} {x}");
            }
            assert_eq!(verdicts.get(&body, &row, 0, 400), Err(Fault::OutOfRange));
        }
    }
    assert!(with_two_reads > 0, "no block needs two reads");
}

#[test]
fn a_line_reads_the_staircase_of_another_class_from_its_own_places_on() {
    let steps = many_steps();
    for scale in [4, 6] {
        let mut arrays = Arrays::of_one_line(&steps, 11, scale, 0);
        let all = arrays.add_staircase(&steps, 400, scale, 0);
        let own = arrays.add_staircase(&steps, 50, scale, 0);
        // The second row has the meaningful records.
        arrays.lines = vec![[0; 5], [0; 5], [own, 50, 1, 33, 1000], [all, 400, 0, 0, 0]];
        let (verdicts, body, row) = arrays.row(2, 2).unwrap();
        for class in 0..2 {
            for x in 0..400 {
                let (place, deeper) = if class == 0 && x >= 50 { (x - 33, 1000) } else { (x, 0) };
                let (depth, best) = expected(&steps, scale, place);
                let found = verdicts.get(&body, &row, class, x);
                assert_eq!(found, Ok((depth + deeper, best)), "{scale} {class} {x}");
            }
        }
    }
}

/// Returns a row of two classes. Class 0 has its own staircase on all places; class 1 has its own on the places 0
/// to 2, and uses the staircase of class 0 from place 3 on.
fn two_classes() -> Arrays {
    let steps = [(0, 0), (1, 1), (4, 2)];
    let mut arrays = Arrays::of_one_line(&steps, 8, 3, 0);
    let own = arrays.add_staircase(&steps, 3, 1, 0);
    arrays.lines.push([own, 3, 0, 2, 4]);
    arrays
}

#[test]
fn a_class_beyond_the_row_is_refused() {
    // The record with its number exists, but belongs to the next row.
    let mut arrays = two_classes();
    arrays.lines.extend_from_within(..);
    arrays.lines.extend_from_within(..);
    assert!(arrays.row(0, 2).is_ok());
    for class in 2..4 {
        arrays.lines[1][CLASS] = class;
        assert_eq!(arrays.row(0, 2).unwrap_err(), Fault::Impossible, "{class}");
    }
}

#[test]
fn a_part_of_a_depth_of_more_than_30_bits_is_refused() {
    let mut arrays = two_classes();
    arrays.lines[1][DEEPER] = MAX_DEPTH;
    assert_eq!(arrays.get(3).unwrap().0, 1 + (1 << 30) - 1);
    arrays.lines[1][DEEPER] = MAX_DEPTH + 1;
    assert_eq!(arrays.get(3), Err(Fault::Impossible));
}

#[test]
fn a_place_beyond_the_other_line_s_staircase_is_refused() {
    let mut arrays = two_classes();
    assert_eq!(arrays.get(9), Ok((6, Some(Move { take: 1, reset: true }))));
    // There are bits where an entry for this place would be.
    assert_eq!(arrays.get(10), Err(Fault::OutOfRange));
    arrays.lines[0][OWN] = 7;
    assert_eq!(arrays.get(9), Err(Fault::OutOfRange));
    // A place before its beginning is refused too.
    arrays.lines[1][SHIFT] = 3;
    assert!(arrays.get(3).is_ok());
    arrays.lines[1][SHIFT] = 4;
    assert_eq!(arrays.get(3), Err(Fault::OutOfRange));
}

#[test]
fn numbers_beyond_32_bits_are_refused() {
    // An implementation that kept only the lowest 32 bits would read the valid numbers.
    for field in [OWN, CLASS, SHIFT, DEEPER] {
        let mut arrays = two_classes();
        arrays.lines[1][field] += 1 << 32;
        assert_eq!(arrays.only_row().unwrap_err(), Fault::Impossible, "{field}");
    }
    for field in [1, 2, 3, 4, 5] {
        let mut arrays = two_classes();
        arrays.stairs[1][field] += 1 << 32;
        assert_eq!(arrays.only_row().unwrap_err(), Fault::Impossible, "{field}");
    }
    let mut arrays = two_classes();
    // The step of code 1. Its take grows by one from place to place.
    arrays.steps[2][1] = u32::MAX.into();
    assert_eq!(arrays.get(3), Ok((5, Some(Move { take: u32::MAX, reset: false }))));
    assert_eq!(arrays.get(4), Err(Fault::Impossible));
}

/// Returns five blocks of eight places; two steps begin within the second block, and one within the third.
fn small() -> Arrays {
    Arrays::of_one_line(&[(0, 0), (9, 1), (12, 2), (20, 1)], 37, 3, 0)
}

#[test]
fn fields_beyond_their_limits_are_refused() {
    assert!(small().only_row().is_ok());
    for (field, most) in [(1, 24), (2, 32), (3, 30), (4, 24)] {
        let with = |value| {
            let mut arrays = small();
            // There are enough bits, whatever their content.
            arrays.bits = vec![0; 2000];
            arrays.stairs[0][field] = value;
            arrays.only_row().map(|_| ())
        };
        assert_eq!(with(most), Ok(()), "{field}");
        assert_eq!(with(most + 1), Err(Fault::Impossible), "{field}");
    }
}

#[test]
fn reading_missing_bits_is_refused() {
    let whole = small();
    for left in 0..whole.bits.len() {
        let mut arrays = whole.clone();
        arrays.bits.truncate(left);
        assert!(arrays.bits.is_empty() || arrays.only_row().is_err(), "{left}");
    }
    let mut arrays = whole.clone();
    arrays.stairs[0][0] += 1;
    assert!(arrays.only_row().is_err());
}

#[test]
fn falling_starts_and_missing_steps_are_refused() {
    let whole = small();
    let [first, _, begun, base, code, _] = whole.stairs[0].map(|field| field as usize);
    // The second block claims more earlier starts than the third one.
    let mut arrays = whole.clone();
    arrays.bits[first + begun + base + code..][..begun].fill(1);
    assert_eq!((arrays.get(8), arrays.get(16)), (Err(Fault::Impossible), whole.get(16)));
    // The first block begins with the third largest code.
    let mut arrays = whole.clone();
    arrays.bits[first + begun + base + 1..][..code - 1].fill(1);
    assert_eq!(arrays.get(0), Err(Fault::OutOfRange));
}

#[test]
fn unsorted_starts_are_answered_or_refused_without_a_panic() {
    let mut arrays = small();
    let starts = arrays.bits.len() - 3 * (arrays.stairs[0][4] + 4) as usize;
    arrays.bits[starts..].fill(1);
    assert!((0..37).all(|x| matches!(arrays.get(x), Ok(_) | Err(Fault::OutOfRange | Fault::Impossible))));
}

#[test]
fn arrays_with_wide_fields_are_refused() {
    let read = |bit: u64, step: StepContent| {
        let [lines, stairs] = [forged::records([[0]]), forged::records([[0]])];
        let body = body_of([lines, stairs, forged::records([[bit]]), forged::records([step])]);
        Verdicts::read(&body, true).map(|_| ()).map_err(|damage| damage.what)
    };
    let greatest = [MAX_DEPTH, (1 << 32) - 1, 1, 1];
    assert_eq!(read(1, greatest), Ok(()));
    assert!(read(2, greatest).unwrap_err().contains("too wide"));
    for field in 0..4 {
        let mut step = greatest;
        step[field] += 1;
        assert!(read(1, step).unwrap_err().contains("too wide"), "{field}");
    }
}

#[test]
fn a_table_without_depths_has_five_arrays_without_records() {
    let read = |arrays: [Records; 5]| Verdicts::read(&body_of(arrays), false).map(|read| read.is_some());
    assert_eq!(read(Default::default()), Ok(false));
    for array in 0..5 {
        let mut arrays: [Records; 5] = Default::default();
        arrays[array] = forged::records([[0]]);
        assert!(read(arrays).unwrap_err().what.contains("no depths in its header"), "{array}");
    }
    assert!(Verdicts::read(&body_of([Records::new(), Records::new()]), false).is_err());
}
