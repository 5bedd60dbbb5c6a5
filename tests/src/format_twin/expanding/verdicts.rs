//! Reads depths and best moves (FORMAT.md, section 4.4). On a line, the first `own` numbers of stones have a
//! staircase: steps with one depth each, found by blocks. All others have the answer of another line, shifted and made
//! deeper.

use super::{BLOCKS, STAIRS, STEPS, Twin, VERDICTS, assert_below_2_to_the_32nd};

/// Depth and best move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Plies to the end.
    pub depth: u64,
    /// Stones that the best move takes; 0 if there is no move.
    pub take: u64,
    /// True if the best move imposes a reset.
    pub reset: bool,
}

/// A record of array 4, by the names in FORMAT.md.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// The number of the line's own staircase.
    stairs: u64,
    /// The number of stones below which the line's own staircase answers.
    own: u64,
    /// The class that answers from `own` stones on.
    class: u64,
    /// The number of stones to subtract before that class answers.
    shift: u64,
    /// The depth to add to the answer of that class.
    deeper: u64,
}

/// A staircase: the record of array 5.
#[derive(Clone, Copy, Debug)]
struct Staircase {
    /// The bit at which the entries of its blocks begin.
    first: u64,
    /// The binary logarithm of the stones in a block.
    scale: u64,
    /// The width in bits of the first field of an entry, the number of starts in all blocks before.
    begun: u64,
    /// The width in bits of the second field of an entry, a number of plies.
    base: u64,
    /// The width in bits of a code, the number of a step in array 7, counted from `steps`.
    code: u64,
    /// The record of array 7 for code 0.
    steps: u64,
}

impl Twin {
    /// Returns depth and best move of the position at `x` of a line; `None` in a table without depths.
    ///
    /// # Panics
    /// If a value is invalid.
    #[must_use]
    pub fn verdict(&self, row: u64, line: u64, x: u64) -> Option<Verdict> {
        self.header.depths.then(|| {
            let verdict = self.own_or_other_verdict(row, self.record(row, line), x);
            self.check_best(row, line, x, verdict);
            let is_lost = (verdict.depth % 2 == 1) == self.rules.misere;
            assert!(is_lost == self.lost(row, line, x), "depth and outcome agree");
            verdict
        })
    }

    /// Checks that the best move is legal.
    fn check_best(&self, row: u64, line: u64, x: u64, Verdict { take, reset, .. }: Verdict) {
        assert!(take > 0 || x == 0, "there is no move only if no stones are left");
        assert!(take <= x, "the best move takes no more stones than there are");
        let most = if line % 2 == 1 { self.rules.reset_limit.into() } else { self.rules.limit(row) };
        assert!(take <= most, "the best move takes no more stones than the limit");
        assert!(
            take == 0 || !reset || self.rules.may_reset(line),
            "a player who imposes a reset has one left"
        );
    }

    /// Returns a record of the array of verdicts.
    fn verdict_record(&self, record: u64) -> Record {
        let fields = [0, 1, 2, 3, 4].map(|field| self.field(VERDICTS, record, field));
        fields.into_iter().for_each(assert_below_2_to_the_32nd);
        let [stairs, own, class, shift, deeper] = fields;
        Record { stairs, own, class, shift, deeper }
    }

    /// Returns the verdict with `x` stones: from the record's own part, or from the class that answers the rest.
    fn own_or_other_verdict(&self, row: u64, record: u64, x: u64) -> Verdict {
        let Record { stairs, own, class, shift, deeper } = self.verdict_record(record);
        if x < own {
            return self.on_stairs(stairs, own, x);
        }
        assert!(deeper < 1 << 30, "a line is less than 2^30 deeper than another");
        let other = self.record_of_class(row, class);
        let other_x =
            x.checked_sub(shift).expect("a position that another line answers has at least `shift` stones");
        assert!(other_x < self.verdict_record(other).own, "the other line answers with its own staircase");
        let Verdict { depth, take, reset } = self.own_or_other_verdict(row, other, other_x);
        Verdict { depth: depth + deeper, take, reset }
    }

    /// Returns the staircase with this number.
    fn staircase(&self, number: u64) -> Staircase {
        let [first, scale, begun, base, code, steps] =
            [0, 1, 2, 3, 4, 5].map(|field| self.field(STAIRS, number, field));
        [scale, begun, base, code, steps].into_iter().for_each(assert_below_2_to_the_32nd);
        assert!(scale <= 24, "a block is of at most 2^24 stones");
        assert!(code <= 24, "a code has at most 24 bits");
        assert!(begun <= 32, "a number of starts has at most 32 bits");
        assert!(base <= 30, "a number of plies has at most 30 bits");
        Staircase { first, scale, begun, base, code, steps }
    }

    /// Returns the verdict at `x` of a staircase over `own` stones.
    fn on_stairs(&self, number: u64, own: u64, x: u64) -> Verdict {
        let Staircase { first, scale, begun, base, code, steps } = self.staircase(number);
        let bits = |address, width| self.body.bits(BLOCKS, address, width);
        let (j, u) = (x >> scale, x % (1 << scale));
        let entry = |j| first + j * (begun + base + code);
        let starts = bits(entry(j), begun)..bits(entry(j + 1), begun);
        assert!(starts.start <= starts.end, "a block has at least 0 starts");
        let most = 2 * (120 / (code + scale + 1));
        assert!(starts.end - starts.start <= most, "a block has at most 2 x floor(120 / f) starts");
        let first_start = entry(own.div_ceil(1 << scale) + 1);
        let start = |number| first_start + number * (code + scale + 1);
        let begun_at = starts.map(|number| (start(number), bits(start(number) + code, scale)));
        let begun_at: Vec<(u64, u64)> = begun_at.collect();
        let last = begun_at.into_iter().rfind(|&(_, place)| place <= u);
        let (code_at, begins) = last.unwrap_or((entry(j) + begun + base, 0));
        let plies = bits(entry(j) + begun, base);
        self.step(steps + bits(code_at, code), plies, u - begins)
    }

    /// Returns the verdict `offset` places after the first place of a step.
    fn step(&self, number: u64, base: u64, offset: u64) -> Verdict {
        let [depth, take, advance, reset] = [0, 1, 2, 3].map(|field| self.field(STEPS, number, field));
        [depth, take, advance, reset].into_iter().for_each(assert_below_2_to_the_32nd);
        Verdict { depth: base + depth, take: take + advance * offset, reset: reset == 1 }
    }
}
