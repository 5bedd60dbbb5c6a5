//! Staircases with codes (FORMAT.md, section 4.4, which has an example).
//!
//! A staircase is cut into blocks of equal length. A block has an *entry*, and a *start* for each step that begins
//! within it: the place and the code of the step, which is its number among the distinct steps. The entry has the code
//! of the step that is in progress when the block begins, and where the block's starts are. A lookup reads the entry,
//! and compares the place with all starts of the block at once.

use std::hint::select_unpredictable;

use super::{MAX_DEPTH, StairEntry, Stairs};
use crate::Damage;
use crate::expanding::outcomes::narrow;
use crate::format::{Body, Fault, Packed};

/// Binary logarithm of the maximum number of places of a block.
pub const MAX_STAIR_SCALE: u32 = 24;
/// Maximum number of bits of a code.
pub const MAX_STAIR_CODE_BITS: u32 = 24;
/// Maximum number of bits of a number of starts.
const MAX_BEGUN: u64 = 32;
/// Maximum number of bits of a base, which is a depth.
const MAX_BASE: u64 = 30;

/// Number of bits that one read returns.
const WINDOW: u32 = 120;
// One read returns an entry and the first field of the next one.
const _: () = assert!(2 * MAX_BEGUN + MAX_BASE + MAX_STAIR_CODE_BITS as u64 <= WINDOW as u64);

/// Returns the maximum number of starts of a block, each of `width` bits: two reads return them.
pub const fn max_starts_of_block(width: u32) -> u64 {
    2 * (WINDOW / width) as u64
}

/// The arrays of these staircases.
#[derive(Clone, Debug)]
pub(in crate::expanding) struct CodedStairs {
    /// For each line: stairs, own, class, shift, deeper. `own` is the first place of the line that uses the staircase of
    /// another class, not its own.
    pub(super) lines: Packed<5>,
    /// For each staircase: first, scale, begun, base, code, steps.
    stairs: Packed<6>,
    /// The bits of entries and starts.
    blocks: Packed<1>,
    /// The distinct steps: depth, take, advance, reset.
    steps: Packed<4>,
}

/// A staircase, decoded for queries.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::expanding) struct CodedStaircase {
    /// Bit address of the first entry.
    entries: u64,
    /// Bit address of the first start.
    starts: u64,
    /// Number of starts.
    count: u32,
    /// Number of the step that code 0 stands for.
    first_step: u32,
    /// Binary logarithm of the number of places of a block.
    scale: u8,
    /// Bits of an entry's first field, the number of starts in all blocks before.
    begun: u8,
    /// Bits of an entry's second field, a depth to add.
    base: u8,
    /// Bits of a code, which is an entry's third field.
    code: u8,
}

impl CodedStairs {
    pub(super) fn read(body: &Body) -> Result<Self, Damage> {
        let (lines, stairs) = (Packed::read(body, 4)?, Packed::read(body, 5)?);
        let (blocks, steps) = (Packed::<1>::read(body, 6)?, Packed::<4>::read(body, 7)?);
        if blocks.count() > 0 && blocks.stride() != 1 {
            return Err(Damage::new("the fields of its blocks of staircases are too wide"));
        }
        let greatest = [MAX_DEPTH, u32::MAX.into(), 1, 1];
        if (0..4).any(|field| steps.greatest(field) > greatest[field]) {
            return Err(Damage::new("the fields of its steps are too wide"));
        }
        Ok(Self { lines, stairs, blocks, steps })
    }

    /// Decodes staircase `number`, of `end` places.
    fn staircase(&self, body: &Body, number: u64, end: u64) -> Result<CodedStaircase, Fault> {
        let [first, scale, begun, base, code, steps] = self.stairs.get(body, number)?;
        let fits = scale <= MAX_STAIR_SCALE.into()
            && begun <= MAX_BEGUN
            && base <= MAX_BASE
            && code <= MAX_STAIR_CODE_BITS.into()
            && end <= u32::MAX.into();
        if !fits {
            return Err(Fault::Impossible);
        }
        let first_step = narrow(steps)?;
        let [scale, begun, base, code] = [scale, begun, base, code].map(|width| width as u8);
        let mut staircase =
            CodedStaircase { scale, begun, base, code, first_step, ..CodedStaircase::default() };
        // No product overflows: there are fewer than 2^32 entries, of at most 120 bits each.
        let blocks = end.div_ceil(1 << scale);
        let width = u64::from(staircase.entry_width());
        staircase.entries = self.blocks.address(first, (blocks + 1) * width)?;
        let last = body.bits(staircase.entries + blocks * width)? & low(begun);
        // The last entry has the greatest number of starts, so checking this number covers all.
        staircase.count = narrow(last)?;
        let starts = first + (blocks + 1) * width;
        staircase.starts = self.blocks.address(starts, last * u64::from(staircase.start_width()))?;
        Ok(staircase)
    }
}

impl CodedStaircase {
    fn entry_width(&self) -> u8 {
        self.begun + self.base + self.code
    }

    fn start_width(&self) -> u8 {
        self.code + self.scale + 1
    }

    /// Returns code and place of the last start up to `place`, among `count` starts from number `first` on; if there is
    /// none, `code` and place 0.
    ///
    /// Compares all starts at once. A start has a place in its high bits, below a zero bit. A field with `place` in the
    /// same bits and a one above, minus a start, keeps this top bit exactly if the start is at most `place`, and
    /// borrows nothing from its neighbour. For example, with 3 bits: 1 011 - 0 010 = 1 001, as 2 <= 3, and 1 011 - 0
    /// 101 = 0 110, as 5 > 3.
    #[cfg_attr(feature = "fast", inline(always))]
    fn last_start(
        &self,
        body: &Body,
        first: u64,
        count: u64,
        place: u64,
        code: u64,
    ) -> Result<(u64, u64), Fault> {
        let width = self.start_width();
        let at = self.starts + first * u64::from(width);
        let bits = count * u64::from(width);
        // Few blocks have more starts than fit into 57 bits.
        if bits > 57 {
            return self.last_of_many(body, at, count, place, code);
        }
        let starts = body.bits(at)?;
        let tops = TOPS[usize::from(width)] as u64;
        let places = (tops >> (width - 1)).wrapping_mul(place << self.code | low(self.code));
        // Bits after the last start cannot borrow from lower ones.
        let begun = (places | tops).wrapping_sub(starts & !tops) & tops & low(bits as u8);
        // Without branches, since the result is unpredictable.
        let last = (begun | 1).ilog2() as u8;
        let start = self.decode_start(starts >> (last + 1).saturating_sub(width));
        let is_none = begun == 0;
        Ok((select_unpredictable(is_none, code, start.0), select_unpredictable(is_none, 0, start.1)))
    }

    /// Decodes code and place of the start in the lowest bits.
    #[cfg_attr(feature = "fast", inline(always))]
    fn decode_start(&self, bits: u64) -> (u64, u64) {
        (bits & low(self.code), bits >> self.code & low(self.scale))
    }

    /// Returns the last start like [`last_start`](Self::last_start), for starts beyond one word, from bit `at` on.
    #[inline(never)]
    fn last_of_many(
        &self,
        body: &Body,
        mut at: u64,
        mut count: u64,
        place: u64,
        code: u64,
    ) -> Result<(u64, u64), Fault> {
        let width = self.start_width();
        let per_read = u64::from(WINDOW / u32::from(width));
        if count > 2 * per_read {
            return Err(Fault::Impossible);
        }
        if count > per_read {
            let further = at + per_read * u64::from(width);
            let (_, start) = self.decode_start(body.bits(further)?);
            (at, count) = if start <= place { (further, count - per_read) } else { (at, per_read) };
        }
        let starts = body.two_words(at)?;
        let tops = TOPS[usize::from(width)];
        let places = (tops >> (width - 1)) * u128::from(place << self.code | low(self.code));
        let tops_of_starts = tops & !(u128::MAX << (count * u64::from(width)));
        let begun = (places | tops).wrapping_sub(starts & !tops) & tops_of_starts;
        let start = |last: u32| self.decode_start((starts >> (last + 1 - u32::from(width))) as u64);
        Ok(begun.checked_ilog2().map_or((code, 0), start))
    }
}

impl Stairs for CodedStairs {
    type Staircase = CodedStaircase;

    fn record(&self, body: &Body, record: u64) -> Result<(CodedStaircase, [u64; 4]), Fault> {
        let [stairs, own, class, shift, deeper] = self.lines.get(body, record)?;
        let staircase = if own == 0 { CodedStaircase::default() } else { self.staircase(body, stairs, own)? };
        Ok((staircase, [own, class, shift, deeper]))
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn at(&self, body: &Body, stairs: &CodedStaircase, x: u32) -> Result<StairEntry, Fault> {
        let (block, place) = (u64::from(x >> stairs.scale), u64::from(x) & low(stairs.scale));
        let width = stairs.entry_width();
        let at = stairs.entries + block * u64::from(width);
        let [at_base, at_code] = [stairs.begun, stairs.begun + stairs.base];
        let [begun, base, code, next] = if width + stairs.begun <= 57 {
            let entry = body.bits(at)?;
            [entry, entry >> at_base, entry >> at_code, entry >> width]
        } else {
            let entry = body.two_words(at)?;
            [entry, entry >> at_base, entry >> at_code, entry >> width].map(|field| field as u64)
        };
        let [begun, next] = [begun, next].map(|field| field & low(stairs.begun));
        let (base, code) = (base & low(stairs.base), code & low(stairs.code));
        if begun > next || next > stairs.count.into() {
            return Err(Fault::Impossible);
        }
        let (code, start) = stairs.last_start(body, begun, next - begun, place, code)?;
        let [depth, take, advance, reset] = self.steps.get(body, u64::from(stairs.first_step) + code)?;
        // Saturating, since a damaged block may have unsorted starts.
        Ok((base + depth, take + advance * place.saturating_sub(start), reset != 0))
    }
}

/// For each width of a start, the top bits of all starts in one read.
static TOPS: [u128; 64] = {
    let mut tops = [0; 64];
    let mut width = 1;
    while width < tops.len() {
        let mut field = 1;
        while field <= WINDOW as usize / width {
            tops[width] |= 1 << (field * width - 1);
            field += 1;
        }
        width += 1;
    }
    tops
};

/// Returns a word with the lowest `bits` bits set, fewer than 64.
#[cfg_attr(feature = "fast", inline(always))]
fn low(bits: u8) -> u64 {
    (1 << bits) - 1
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::{VerdictRow, body_of};
    use super::*;
    use crate::expanding::Move;
    use crate::format::{BitWriter, forged};

    /// The start of a step, and the number of its content.
    type Step = (u64, u64);

    /// The content of a step: depth, take, advance, reset.
    type StepContent = [u64; 4];

    /// Arrays, the body that they lie in, and its row.
    type Opened = (CodedStairs, Body, VerdictRow<CodedStaircase>);

    /// The arrays of a table of one staircase.
    #[derive(Clone)]
    struct Arrays {
        lines: Vec<[u64; 5]>,
        stairs: [u64; 6],
        bits: Vec<u64>,
        steps: Vec<StepContent>,
    }

    impl Arrays {
        /// Makes a staircase of `end` places, in fields wider than necessary by `wider` bits.
        fn new(steps: &[Step], contents: &[StepContent], end: u64, scale: u64, wider: u64) -> Self {
            let blocks = end.div_ceil(1 << scale);
            let begun = |block: u64| {
                steps.iter().filter(|step| step.0 < block << scale && step.0 % (1 << scale) > 0).count()
                    as u64
            };
            let at = |place: u64| *steps.iter().rfind(|step| step.0 <= place).expect("a step begins at 0");
            let widths = [begun(blocks), 7 * blocks, contents.len() as u64 - 1]
                .map(|most| u64::from(crate::format::width_of(most)) + wider);
            let widths = [
                widths[0].min(MAX_BEGUN),
                widths[1].min(MAX_BASE),
                widths[2].min(MAX_STAIR_CODE_BITS.into()),
            ];
            let mut bits = Vec::new();
            let mut push = |value: u64, width: u64| (0..width).for_each(|i| bits.push(value >> i & 1));
            for block in 0..=blocks {
                // The base is unrelated to the depths: 7 plies more for each block.
                let fields = [begun(block), 7 * block, if block < blocks { at(block << scale).1 } else { 0 }];
                fields.into_iter().zip(widths).for_each(|(value, width)| push(value, width));
            }
            for &(place, number) in steps.iter().filter(|step| step.0 % (1 << scale) > 0) {
                push(number, widths[2]);
                push(place % (1 << scale), scale + 1);
            }
            let [begun, base, code] = widths;
            // Padding, so that neither the first bit nor the first step has number 0.
            bits.splice(0..0, [1, 1, 1]);
            let steps = [&[[9, 9, 1, 1]], contents].concat();
            Self { lines: vec![[0, end, 0, 0, 0]], stairs: [3, scale, begun, base, code, 1], bits, steps }
        }

        fn row(&self) -> Result<Opened, Fault> {
            let mut bits = BitWriter::default();
            self.bits.iter().for_each(|&bit| bits.push(bit, 1).unwrap());
            let body = body_of([
                forged::records(self.lines.clone()),
                forged::records([self.stairs]),
                forged::records(self.bits.iter().map(|&bit| [bit])),
                forged::records(self.steps.clone()),
            ]);
            let arrays = CodedStairs::read(&body).unwrap();
            let row = VerdictRow::of(&arrays, &body, 0, self.lines.len() as u64)?;
            Ok((arrays, body, row))
        }

        fn get(&self, x: u32) -> Result<(u32, Option<Move>), Fault> {
            let (arrays, body, row) = self.row()?;
            row.get(&arrays, &body, 0, x)
        }
    }

    const CONTENTS: [StepContent; 6] =
        [[0, 0, 0, 0], [1, 1, 1, 0], [2, 1, 0, 1], [5, 30, 1, 0], [(1 << 30) - 1, 2, 0, 0], [0, 7, 0, 1]];

    #[test]
    fn staircases_of_every_scale_and_width_read_back_at_every_place() {
        // Steps so close that blocks have as many as two reads return, and steps far apart.
        let places = [
            0, 1, 2, 5, 8, 9, 10, 11, 12, 13, 14, 16, 17, 31, 32, 40, 63, 64, 65, 90, 100, 127, 128, 255, 256,
        ];
        let steps: Vec<Step> = (0..).zip(places).map(|(number, place)| (place, number % 6)).collect();
        let mut with_two_reads = 0;
        for scale in 0..=11 {
            for wider in [0, 1, 6, 15, 20] {
                let arrays = Arrays::new(&steps, &CONTENTS, 400, scale, wider);
                let width = arrays.stairs[4] as u32 + scale as u32 + 1;
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
                let (arrays, body, row) = arrays.row().unwrap();
                for x in 0..400 {
                    let place = u64::from(x);
                    let &(start, number) = steps.iter().rfind(|step| step.0 <= place).unwrap();
                    let [depth, take, advance, reset] = CONTENTS[number as usize];
                    let begins = start.max(place >> scale << scale);
                    let take = take + advance * (place - begins);
                    let best = (take > 0).then_some(Move { take: take as u32, reset: reset == 1 });
                    let depth = depth + 7 * (place >> scale);
                    assert_eq!(
                        row.get(&arrays, &body, 0, x),
                        Ok((depth as u32, best)),
                        "{scale} {wider} {x}"
                    );
                }
                assert_eq!(row.get(&arrays, &body, 0, 400), Err(Fault::OutOfRange));
            }
        }
        assert!(with_two_reads > 0, "no block needs two reads");
    }

    /// Returns five blocks of eight places; two steps begin within the second block, and one within the third.
    fn small() -> Arrays {
        Arrays::new(&[(0, 0), (9, 1), (12, 2), (20, 1)], &CONTENTS, 37, 3, 0)
    }

    #[test]
    fn fields_beyond_their_limits_are_refused() {
        assert!(small().row().is_ok());
        for (field, most) in [(1, 24), (2, 32), (3, 30), (4, 24)] {
            let with = |value| {
                let mut arrays = small();
                // There are enough bits, whatever their content.
                arrays.bits = vec![0; 2000];
                arrays.stairs[field] = value;
                arrays.row().map(|_| ())
            };
            assert_eq!(with(most), Ok(()), "{field}");
            assert_eq!(with(most + 1), Err(Fault::Impossible), "{field}");
        }
        for field in [1, 2, 3, 4, 5] {
            let mut arrays = small();
            arrays.stairs[field] += 1 << 32;
            assert_eq!(arrays.row().map(|_| ()), Err(Fault::Impossible), "{field}");
        }
        let mut arrays = small();
        arrays.lines[0][1] += 1 << 32;
        assert_eq!(arrays.row().map(|_| ()), Err(Fault::Impossible));
    }

    #[test]
    fn reading_missing_bits_is_refused() {
        let whole = small();
        for left in 0..whole.bits.len() {
            let mut arrays = whole.clone();
            arrays.bits.truncate(left);
            assert!(arrays.bits.is_empty() || arrays.row().is_err(), "{left}");
        }
        let mut arrays = whole.clone();
        arrays.stairs[0] += 1;
        assert!(arrays.row().is_err());
    }

    #[test]
    fn falling_starts_and_missing_steps_are_refused() {
        let whole = small();
        let [first, _, begun, base, code, _] = whole.stairs.map(|field| field as usize);
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
        let starts = arrays.bits.len() - 3 * (arrays.stairs[4] + 4) as usize;
        arrays.bits[starts..].fill(1);
        assert!((0..37).all(|x| matches!(arrays.get(x), Ok(_) | Err(Fault::OutOfRange | Fault::Impossible))));
    }

    #[test]
    fn arrays_with_wide_fields_are_refused() {
        let read = |bit: u64, step: StepContent| {
            let [lines, stairs] = [forged::records([[0]]), forged::records([[0]])];
            CodedStairs::read(&body_of([lines, stairs, forged::records([[bit]]), forged::records([step])]))
                .map(|_| ())
                .map_err(|damage| damage.what)
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
}
