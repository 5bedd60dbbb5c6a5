//! Tables of the family expanding (FORMAT.md, section 4).

pub(super) mod rules;
mod verdicts;

pub use rules::Rules;
pub use verdicts::Verdict;

use super::body::Body;
use super::header::{self, Header, open};
use super::{Refusal, must};

/// The numbers of the arrays.
const CLASSES: usize = 0;
const OUTCOMES: usize = 1;
const LISTS: usize = 2;
const BITS: usize = 3;
const VERDICTS: usize = 4;
const FLIGHTS: usize = 5;
const STEPS: usize = 6;
/// The number of fields in a record of each array.
const FIELDS: [usize; 7] = [1, 6, 7, 1, 6, 7, 7];
/// The greatest widths of the fields of flights and of steps.
const FLIGHT_WIDTHS: [u8; 7] = [32, 30, 30, 1, 8, 32, 4];
const STEP_WIDTHS: [u8; 7] = [32, 3, 30, 32, 1, 1, 1];

/// A list of marks, ascending numbers in blocks: the record of array 2.
#[derive(Clone, Copy, Debug)]
struct List {
    /// The bit of the pool at which the first entry begins.
    first: u64,
    /// The number of blocks.
    blocks: u64,
    /// The widths in bits of the first and the last field of an entry.
    start: u64,
    begun: u64,
    /// The gap of code 0, and the greatest code.
    least: u64,
    spread: u64,
    /// The order of the Exp-Golomb code of a number of gaps: after z zeros and a one, the number has z + `order` bits.
    order: u64,
}

/// A decoded table file, valid as far as checksums and directory can show. A lookup that meets invalid contents
/// panics.
#[derive(Clone, Debug)]
pub struct Twin {
    header: Header,
    rules: Rules,
    body: Body,
    classes: u64,
}

impl Twin {
    /// Decodes a file.
    ///
    /// # Errors
    /// If the prefix, a checksum, the header or the directory is invalid.
    pub fn read(file: &[u8]) -> Result<Self, Refusal> {
        let (header, body) = open(file)?;
        let header::Rules::Expanding(rules) = header.rules.clone() else {
            return Err("the game is not Expanding Nim".to_owned());
        };
        must(
            rules.rows() <= 65_536 + body.len() as u64 / 4,
            "there are no more rows than the file has room for",
        )?;
        let body = Body::read(body, &FIELDS)?;
        let is_of_bits = |array| body.records(array) == 0 || body.widths(array)[0] == 1;
        must(is_of_bits(BITS), "bits are one bit wide")?;
        let [lines, outcomes, verdicts] = [CLASSES, OUTCOMES, VERDICTS].map(|array| body.records(array));
        let classes = outcomes / rules.rows();
        must(lines == rules.lines(), "each line has a class")?;
        must(classes <= lines, "there are no more classes than lines")?;
        must(
            classes > 0 && outcomes.is_multiple_of(rules.rows()),
            "each row and class has an outcome record",
        )?;
        if header.depths {
            check_verdict_widths(&body)?;
            must(verdicts == outcomes, "each row and class has a verdict record")?;
        } else {
            let are_empty = (VERDICTS..FIELDS.len()).all(|array| body.records(array) == 0);
            must(are_empty, "without depths, the arrays of verdicts are empty")?;
        }
        must(
            (0..lines).all(|line| body.field(CLASSES, line, 0) < classes),
            "the number of a class is below their count",
        )?;
        Ok(Self { header, rules, body, classes })
    }

    /// Returns the decoded header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the ruleset.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Reads a field of a record.
    fn field(&self, array: usize, record: u64, field: usize) -> u64 {
        self.body.field(array, record, field)
    }

    /// Returns every field of every record of an array, in order.
    #[must_use]
    pub fn numbers(&self, array: usize) -> Vec<u64> {
        self.body.numbers(array)
    }

    /// Reads a number of `width` bits from the pool.
    fn pool(&self, address: u64, width: u64) -> u64 {
        self.body.bits(BITS, address, width)
    }

    /// Returns the index of the record for a line of a row, in the arrays with one record per row and class.
    fn record(&self, row: u64, line: u64) -> u64 {
        self.record_of_class(row, self.field(CLASSES, line, 0))
    }

    /// Returns the record of a class in a row.
    fn record_of_class(&self, row: u64, class: u64) -> u64 {
        assert!(class < self.classes, "there are {} classes, but none has number {class}", self.classes);
        row * self.classes + class
    }

    /// Returns whether the position at `x` of a line is lost for the player to move.
    #[must_use]
    pub fn lost(&self, row: u64, line: u64, x: u64) -> bool {
        let record = self.record(row, line);
        let [head, own, list, shift, run, tail] =
            [0, 1, 2, 3, 4, 5].map(|field| self.field(OUTCOMES, record, field));
        [list, run, tail].into_iter().for_each(assert_below_2_to_the_32nd);
        if x < own {
            return self.pool(head + x, 1) == 1;
        }
        let covered = list > 0 && {
            assert!(run > 0, "a mark covers something");
            let list = self.list(list - 1);
            let reach = self.rules.stay(row) + run;
            assert!(reach <= 32 * list.least, "a move reaches over at most 32 marks");
            self.is_covered(list, x, shift, run)
        };
        (tail == 1) != covered
    }

    /// Reads a list of marks.
    fn list(&self, number: u64) -> List {
        let [first, blocks, start, begun, least, spread, order] =
            [0, 1, 2, 3, 4, 5, 6].map(|field| self.field(LISTS, number, field));
        [blocks, start, begun, least, spread, order].into_iter().for_each(assert_below_2_to_the_32nd);
        assert!(start <= 40 && order <= 40, "a start and an order are at most 40");
        assert!(begun <= 56, "the third field of an entry has at most 56 bits");
        assert!((1..=120).contains(&(start + bits_of(spread) + begun)), "an entry has 1 to 120 bits");
        assert!(blocks > 0, "a list has a block");
        assert!(1 <= least, "a gap is at least one stone");
        assert!(least + (1 << bits_of(spread)) < 1 << 32, "a gap is below 2^32");
        List { first, blocks, start, begun, least, spread, order }
    }

    /// Returns whether a mark of a list covers `x`.
    fn is_covered(&self, list: List, x: u64, shift: u64, run: u64) -> bool {
        // A mark y covers x when x - shift - run < y <= x - shift, so only the blocks of such y matter.
        let Some(last) = x.checked_sub(shift) else { return false };
        let least = (last + 1).saturating_sub(run);
        let [from, to] = [least, last].map(|number| {
            let begins = |&j: &u64| self.first_mark(list, j) <= number;
            (0..list.blocks).take_while(begins).last().unwrap_or(0)
        });
        (from..=to).any(|j| self.marks_in(list, j, last).iter().any(|mark| (least..=last).contains(mark)))
    }

    /// Returns the first mark of a block.
    fn first_mark(&self, list: List, j: u64) -> u64 {
        self.pool(list.first + j * (list.start + bits_of(list.spread) + list.begun), list.start)
    }

    /// Returns the marks up to `most` in a block of a list.
    fn marks_in(&self, list: List, j: u64, most: u64) -> Vec<u64> {
        let List { first, blocks, start, begun, least, spread, order } = list;
        let entry = start + bits_of(spread) + begun;
        let changes = first + (blocks + 1) * entry;
        let begins = |j: u64| changes + self.pool(first + (j + 1) * entry - begun, begun);
        let (mut next, end) = (begins(j), begins(j + 1));
        assert!(next <= end, "the changes of a block come after those of the blocks before");
        let mut mark = self.first_mark(list, j);
        let block_end = if j + 1 == blocks { 1 << 40 } else { self.first_mark(list, j + 1) };
        assert!(j + 1 == blocks || mark + least <= block_end, "blocks are at least a gap apart");
        let mut code = self.pool(first + j * entry + start, bits_of(spread));
        let mut marks = Vec::new();
        let mut progressions = 0;
        while mark < block_end && mark <= most {
            progressions += 1;
            assert!(progressions <= 32, "a block has at most 32 progressions");
            let gap = least + code;
            let mut gaps = u64::MAX;
            if next < end {
                let mut take = |width: u64| {
                    next += width;
                    self.pool(next - width, width)
                };
                let mut zeros = 0;
                while take(1) == 0 {
                    zeros += 1;
                    assert!(zeros + order <= 40, "a number of gaps has at most 40 bits");
                }
                gaps = 1 + (((1 << zeros) - 1) << order) + take(zeros + order);
                let other = take(bits_of(spread.saturating_sub(1)));
                code = if other < code { other } else { other + 1 };
                assert!(next <= end, "a change ends with the changes of its block");
            }
            while mark < block_end && mark <= most && gaps > 0 {
                marks.push(mark);
                mark += gap;
                gaps -= 1;
            }
        }
        marks
    }
}

/// Returns the fewest bits that hold a number.
fn bits_of(number: u64) -> u64 {
    u64::from(64 - number.leading_zeros())
}

/// Checks the widths that the format requires of the fields of flights and steps.
fn check_verdict_widths(body: &Body) -> Result<(), Refusal> {
    let fit = |array, most: [u8; 7]| body.widths(array).iter().zip(most).all(|(&width, most)| width <= most);
    must(fit(FLIGHTS, FLIGHT_WIDTHS), "flights are in fields of at most 32, 30, 30, 1, 8, 32 and 4 bits")?;
    must(fit(STEPS, STEP_WIDTHS), "steps are in fields of at most 32, 3, 30, 32, 1, 1 and 1 bits")
}

/// Checks a field that is neither the number of a bit nor a place of an outcome line.
fn assert_below_2_to_the_32nd(field: u64) {
    assert!(field < 1 << 32, "a field is below 2^32 unless it is the number of a bit or a place");
}
