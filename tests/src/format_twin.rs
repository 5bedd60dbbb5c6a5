//! A second reader of table files, written from `tables/FORMAT.md` alone: slow, naive, and sharing no code
//! with the first. Where the two part, one of them is wrong, or the document is.

mod header;

pub use header::Header;

/// Why a file is refused.
pub type Refusal = String;

/// Depth and best move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Plies to the end.
    pub depth: u64,
    /// Stones that the best move takes; 0 where there is no move.
    pub take: u64,
    /// Whether the best move imposes a reset.
    pub reset: bool,
}

/// One entry of the directory.
#[derive(Clone, Debug)]
struct Array {
    start: u64,
    records: u64,
    widths: [u8; 8],
}

const CLASSES: usize = 0;
const OUTCOMES: usize = 1;
const LISTS: usize = 2;
const BITS: usize = 3;
const VERDICTS: usize = 4;
const BLOCKS: usize = 5;
const STARTS: usize = 6;
const VALUES: usize = 7;
const STEPS: usize = 8;
/// How many fields a record of each array has.
const FIELDS: [usize; 9] = [1, 6, 2, 1, 6, 3, 1, 1, 4];

/// A table file, checked as a whole and taken apart. What the checksums cannot know, a lookup finds, and
/// panics.
#[derive(Clone, Debug)]
pub struct Twin {
    header: Header,
    body: Vec<u8>,
    arrays: Vec<Array>,
    classes: u64,
}

fn must(holds: bool, what: &str) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(format!("this must hold and does not: {what}")) }
}

/// The little-endian number in some bytes, at most eight.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number * 256 + u64::from(byte))
}

impl Twin {
    /// Takes a file apart.
    ///
    /// # Errors
    /// If the prefix, a checksum, the header or the directory is not as it must be.
    pub fn read(file: &[u8]) -> Result<Self, Refusal> {
        let (prefix, behind) = file.split_at_checked(64).ok_or("the file is shorter than a prefix")?;
        must(prefix[..8] == *b"\x89BTN\r\n\x1a\n", "the magic")?;
        must(number(&prefix[60..64]) == u64::from(crc32fast::hash(&prefix[..60])), "the prefix's CRC")?;
        must(number(&prefix[8..12]) == 1, "the version is 1")?;
        let header_length = number(&prefix[12..16]);
        let body_length = number(&prefix[16..24]);
        must(header_length <= 65_536, "the header is at most 65,536 bytes")?;
        must(
            body_length >= 16 && body_length.is_multiple_of(8),
            "the body is at least 16 bytes and a multiple of 8",
        )?;
        let sums_length = 4 * u128::from(body_length.div_ceil(4096));
        let length = 64 + u128::from(header_length) + sums_length + u128::from(body_length);
        must(file.len() as u128 == length, "the length is that of the four parts")?;
        must(prefix[24..56] == *blake3::hash(behind).as_bytes(), "the digest")?;
        // Both lengths fit: their sum is the length of the file in memory.
        let (head, body) = behind.split_at(behind.len() - body_length as usize);
        must(number(&prefix[56..60]) == u64::from(crc32fast::hash(head)), "the CRC of header and sums")?;
        let (header, sums) = head.split_at(header_length as usize);
        for (block, sum) in body.chunks(4096).zip(sums.chunks(4)) {
            must(number(sum) == u64::from(crc32fast::hash(block)), "the CRC of each block")?;
        }
        must(body[body.len() - 16..] == [0; 16], "the last 16 bytes are zero")?;
        let header = Header::read(header)?;
        let arrays = directory(body)?;
        let [lines, outcomes, verdicts] = [CLASSES, OUTCOMES, VERDICTS].map(|array| arrays[array].records);
        let classes = outcomes / header.rows();
        must(lines == header.lines(), "each line has a class")?;
        must(classes <= lines, "there are no more classes than lines")?;
        must(
            classes > 0 && outcomes.is_multiple_of(header.rows()),
            "each row and class has an outcome record",
        )?;
        must(
            arrays[BLOCKS].widths[1] <= 30 && arrays[STEPS].widths[0] <= 30,
            "depths are in fields of at most 30 bits",
        )?;
        must(verdicts == if header.depths { outcomes } else { 0 }, "and with depths a verdict record")?;
        let twin = Self { header, body: body.to_vec(), arrays, classes };
        must(
            (0..lines).all(|line| twin.field(CLASSES, line, 0) < classes),
            "the class of a line is one of them",
        )?;
        Ok(twin)
    }

    /// What the header says.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// A field of a record, bit by bit.
    fn field(&self, array: usize, record: u64, field: usize) -> u64 {
        let Array { start, records, widths } = &self.arrays[array];
        assert!(record < *records, "array {array} has {records} records and not number {record}");
        let width_of = |fields: &[u8]| fields.iter().map(|&width| u64::from(width)).sum::<u64>();
        let address = 8 * start + record * width_of(widths) + width_of(&widths[..field]);
        (0..u64::from(widths[field])).map(|i| self.bit(address + i) << i).sum()
    }

    /// Every field of every record of an array, in order.
    #[must_use]
    pub fn numbers(&self, array: usize) -> Vec<u64> {
        let records = 0..self.arrays[array].records;
        records
            .flat_map(|record| (0..FIELDS[array]).map(move |field| self.field(array, record, field)))
            .collect()
    }

    fn bit(&self, address: u64) -> u64 {
        u64::from(self.body[(address / 8) as usize] >> (address % 8) & 1)
    }

    /// A number of `width` bits of the pool.
    fn pool(&self, address: u64, width: u32) -> u64 {
        (0..u64::from(width)).map(|i| self.field(BITS, address + i, 0) << i).sum()
    }

    /// The number of the record for a line of a row, in the arrays that have one for each row and class.
    fn record(&self, row: u64, line: u64) -> u64 {
        self.record_of_class(row, self.field(CLASSES, line, 0))
    }

    fn record_of_class(&self, row: u64, class: u64) -> u64 {
        assert!(class < self.classes, "there are {} classes and not number {class}", self.classes);
        row * self.classes + class
    }

    /// Whether the position at `x` of a line is lost for the player to move.
    #[must_use]
    pub fn lost(&self, row: u64, line: u64, x: u64) -> bool {
        let record = self.record(row, line);
        let [head, own, list, shift, run, tail] =
            [0, 1, 2, 3, 4, 5].map(|field| self.field(OUTCOMES, record, field));
        if x < own {
            return self.pool(head + x, 1) == 1;
        }
        let covered = list > 0 && self.marked(list - 1, x, shift, run);
        (tail == 1) != covered
    }

    /// Whether a mark of a list covers `x`.
    fn marked(&self, list: u64, x: u64, shift: u64, run: u64) -> bool {
        let [first, bucket] = [0, 1].map(|field| self.field(LISTS, list, field));
        assert!((1..1 << 28).contains(&bucket), "a bucket is of 1 to 2^28 - 1 numbers");
        let width = u64::BITS - bucket.leading_zeros();
        // A mark y covers x when x - shift - run < y <= x - shift: only the buckets that hold such y matter.
        let Some(last) = x.checked_sub(shift) else { return false };
        let least = (last + 1).saturating_sub(run);
        (least / bucket..=last / bucket).any(|j| {
            let within = self.pool(first + j * u64::from(width), width);
            let mark = j * bucket + within;
            within != bucket && (least..=last).contains(&mark)
        })
    }

    /// Depth and best move of the position at `x` of a line; `None` in a table without depths.
    #[must_use]
    pub fn verdict(&self, row: u64, line: u64, x: u64) -> Option<Verdict> {
        self.header.depths.then(|| self.own_or_other_verdict(row, self.record(row, line), x))
    }

    fn own_or_other_verdict(&self, row: u64, record: u64, x: u64) -> Verdict {
        let [block, scale, own, class, shift, deeper] =
            [0, 1, 2, 3, 4, 5].map(|field| self.field(VERDICTS, record, field));
        if x < own {
            assert!(scale <= 7, "a block is of at most 128 stones");
            return self.step(block + (x >> scale), x % (1 << scale));
        }
        assert!(deeper < 1 << 30, "a line is less than 2^30 deeper than another");
        let other = self.record_of_class(row, class);
        let there = x - shift;
        assert!(there < self.field(VERDICTS, other, 2), "the other line answers with its own staircase");
        let Verdict { depth, take, reset } = self.own_or_other_verdict(row, other, there);
        Verdict { depth: depth + deeper, take, reset }
    }

    /// The step that holds at `u` of a block.
    fn step(&self, block: u64, u: u64) -> Verdict {
        let [value, base, starts] = [0, 1, 2].map(|field| self.field(BLOCKS, block, field));
        let first = value - block;
        assert!(starts <= 16, "a block has at most 16 steps that do not begin it");
        let begun: Vec<u64> =
            (0..starts).map(|i| self.field(STARTS, first + i, 0)).filter(|&start| start <= u).collect();
        let begins = begun.last().copied().unwrap_or(0);
        let step = self.field(VALUES, value + begun.len() as u64, 0);
        let [depth, take, advance, reset] = [0, 1, 2, 3].map(|field| self.field(STEPS, step, field));
        Verdict { depth: base + depth, take: take + advance * (u - begins), reset: reset == 1 }
    }
}

/// The nine entries at the beginning of the body.
fn directory(body: &[u8]) -> Result<Vec<Array>, Refusal> {
    let entries = body.get(..9 * 24).ok_or("the body is shorter than its directory")?;
    let mut arrays = Vec::new();
    for (entry, fields) in entries.chunks(24).zip(FIELDS) {
        let mut widths = [0; 8];
        widths.copy_from_slice(&entry[16..]);
        let (start, records) = (number(&entry[..8]), number(&entry[8..16]));
        let width: u32 = widths.iter().map(|&width| u32::from(width)).sum();
        must(start.is_multiple_of(8), "an array begins at a multiple of 8")?;
        must(widths.iter().all(|&width| width <= 40), "a field is at most 40 bits wide")?;
        must(widths[fields..].iter().all(|&width| width == 0), "the widths of no field are 0")?;
        must(records == 0 || width > 0, "a record has at least one bit")?;
        let end = 8 * u128::from(start) + u128::from(records) * u128::from(width);
        must(end <= 8 * (body.len() as u128 - 16), "an array ends before the last 16 bytes")?;
        arrays.push(Array { start, records, widths });
    }
    for (array, width) in [(BITS, 1), (STARTS, 8)] {
        let Array { records, widths, .. } = arrays[array];
        must(records == 0 || widths[0] == width, "bits are one bit wide and starts are eight")?;
    }
    Ok(arrays)
}
