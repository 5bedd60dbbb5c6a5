//! Staircases: the depths and best moves along a line (FORMAT.md, section 4.4, which has an example).
//!
//! A staircase is cut into blocks of equal length. A block has an *entry*, and a *start* for each step that begins
//! within it. A start has the place and the *code* of its step: the number of the step among the distinct steps, counted
//! from the staircase's first. An entry has the number of starts in all blocks before, a depth to add, and the code of
//! the step that is in progress when the block begins. A lookup reads the entry, and compares the place with all starts
//! of the block at once.

use std::hint::select_unpredictable;

use crate::Damage;
use crate::expanding::keys::MAX_STONES_WITH_DEPTHS;
use crate::expanding::marks::narrow;
use crate::format::{Body, Fault, Packed};

/// Maximum value of each part of a depth: the sum of three, plus one, fits into u32.
pub(in crate::expanding) const MAX_DEPTH: u64 = (1 << 30) - 1;
const _: () = assert!(MAX_STONES_WITH_DEPTHS <= MAX_DEPTH && 3 * MAX_DEPTH < u32::MAX as u64);

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

/// The arrays of staircases.
#[derive(Clone, Debug)]
pub(super) struct Staircases {
    /// The staircases: first, scale, begun, base, code, steps.
    stairs: Packed<6>,
    /// The bits of entries and starts.
    blocks: Packed<1>,
    /// The distinct steps: depth, take, advance, reset.
    steps: Packed<4>,
}

/// A staircase, decoded for queries.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Staircase {
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

impl Staircases {
    /// Locates the arrays.
    pub(super) fn read(body: &Body) -> Result<Self, Damage> {
        let (stairs, blocks) = (Packed::read(body, 5)?, Packed::<1>::read(body, 6)?);
        let steps = Packed::<4>::read(body, 7)?;
        if blocks.count() > 0 && blocks.stride() != 1 {
            return Err(Damage::new("the fields of its blocks of staircases are too wide"));
        }
        let greatest = [MAX_DEPTH, u32::MAX.into(), 1, 1];
        if (0..4).any(|field| steps.greatest(field) > greatest[field]) {
            return Err(Damage::new("the fields of its steps are too wide"));
        }
        Ok(Self { stairs, blocks, steps })
    }

    /// Decodes staircase `number`, of `end` places. Without places, the number has no meaning.
    pub(super) fn decode(&self, body: &Body, number: u64, end: u32) -> Result<Staircase, Fault> {
        if end == 0 {
            return Ok(Staircase::default());
        }
        let [first, scale, begun, base, code, steps] = self.stairs.get(body, number)?;
        let fits = scale <= MAX_STAIR_SCALE.into()
            && begun <= MAX_BEGUN
            && base <= MAX_BASE
            && code <= MAX_STAIR_CODE_BITS.into();
        if !fits {
            return Err(Fault::Impossible);
        }
        let first_step = narrow(steps)?;
        let [scale, begun, base, code] = [scale, begun, base, code].map(|width| width as u8);
        let mut staircase = Staircase { scale, begun, base, code, first_step, ..Staircase::default() };
        // No product overflows: there are fewer than 2^32 entries, of at most 120 bits each.
        let blocks = u64::from(end).div_ceil(1 << scale);
        let width = u64::from(staircase.entry_width());
        staircase.entries = self.blocks.address(first, (blocks + 1) * width)?;
        let last = body.bits(staircase.entries + blocks * width)? & low(begun);
        // The last entry has the greatest number of starts, so checking this number covers all.
        staircase.count = narrow(last)?;
        let starts = first + (blocks + 1) * width;
        staircase.starts = self.blocks.address(starts, last * u64::from(staircase.start_width()))?;
        Ok(staircase)
    }

    /// Returns the depth at place `x` of a staircase, the stones of the best move (0 without a move), and its reset.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn at(&self, body: &Body, staircase: &Staircase, x: u32) -> Result<(u64, u64, bool), Fault> {
        let (block, place) = (u64::from(x >> staircase.scale), u64::from(x) & low(staircase.scale));
        let width = staircase.entry_width();
        let at = staircase.entries + block * u64::from(width);
        let [at_base, at_code] = [staircase.begun, staircase.begun + staircase.base];
        let [begun, base, code, next] = if width + staircase.begun <= 57 {
            let entry = body.bits(at)?;
            [entry, entry >> at_base, entry >> at_code, entry >> width]
        } else {
            let entry = body.two_words(at)?;
            [entry, entry >> at_base, entry >> at_code, entry >> width].map(|field| field as u64)
        };
        let [begun, next] = [begun, next].map(|field| field & low(staircase.begun));
        let (base, code) = (base & low(staircase.base), code & low(staircase.code));
        if begun > next || next > staircase.count.into() {
            return Err(Fault::Impossible);
        }
        let (code, start) = staircase.last_start(body, begun, next - begun, place, code)?;
        let [depth, take, advance, reset] = self.steps.get(body, u64::from(staircase.first_step) + code)?;
        // Saturating, since a damaged block may have unsorted starts.
        Ok((base + depth, take + advance * place.saturating_sub(start), reset != 0))
    }
}

impl Staircase {
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
