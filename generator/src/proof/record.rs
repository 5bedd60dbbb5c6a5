//! The set of checked blocks of a proof, and the file that records this set.
//!
//! The file is text: the table's digest, the division into blocks, the set of checked blocks, their counts, and a CRC-32.
//! Each write replaces the file atomically, and any process may rely on a record that another one wrote. So several processes
//! may prove the same table at once: none replaces a record that is more advanced than its own.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bouton_tables::{hex, write_whole};
use thiserror::Error;

use super::counts::Counts;
use crate::making::GenerateError;
use crate::memory::{filled, room};
use crate::work::checked::remove_if_exists;

/// The version of the file.
const VERSION: u32 = 1;
/// Blocks in a word of the set.
const WORD: usize = u64::BITS as usize;

/// Why the record of a verification cannot be used.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The record belongs to another table, or to another version.
    #[error("{} belongs to another verification: {what} is {found} there, and {wanted} here; --restart \
        discards it and starts over", .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// The field that differs.
        what: &'static str,
        /// Its value in the file.
        found: String,
        /// Its value here.
        wanted: String,
    },
    /// The file is damaged.
    #[error("{} is damaged, or not the record of a verification; --restart discards it and starts over", .0.display())]
    Damaged(PathBuf),
    /// The file is not a record, so it is not removed.
    #[error("{} is not the record of a verification; remove or rename it", .0.display())]
    Foreign(PathBuf),
    /// The operating system reports an error.
    #[error("cannot {doing} {}: {}", .path.display(), bouton_tables::program::unwritten(.error))]
    Io {
        /// The operation that failed.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
}

/// The checked blocks of a proof, and the counts of their positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Number of blocks of the proof.
    blocks: u32,
    /// A bit for each block, set if the block is checked.
    set: Vec<u64>,
    counts: Counts,
}

impl Checked {
    /// Returns the empty set, for a proof with `blocks` blocks.
    ///
    /// # Errors
    /// If memory is short.
    pub fn new(blocks: u32) -> Result<Self, GenerateError> {
        let set = filled(u64::from(blocks).div_ceil(WORD as u64), 0)?;
        Ok(Self { blocks, set, counts: Counts::default() })
    }

    /// Reports whether a block is checked.
    #[must_use]
    pub fn contains(&self, block: u32) -> bool {
        let block = block as usize;
        self.set.get(block / WORD).is_some_and(|word| word >> (block % WORD) & 1 == 1)
    }

    /// Adds checked blocks, and their counts.
    ///
    /// # Panics
    /// If a block is in the set already, as it would count twice; or if the proof has no such block.
    pub fn add(&mut self, blocks: &[u32], counts: Counts) {
        for &block in blocks {
            assert!(
                block < self.blocks && !self.contains(block),
                "block {block} is in the set already, or does not exist"
            );
            self.set[block as usize / WORD] |= 1 << (block as usize % WORD);
        }
        self.counts = self.counts.and(counts);
    }

    /// Returns the number of checked blocks.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.set.iter().map(|word| word.count_ones()).sum()
    }

    /// Reports whether no block is checked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the counts of the checked blocks.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

/// The file that records the progress of a proof; [`BlockProof::record`](crate::heaps::BlockProof::record) returns one.
#[derive(Clone, Debug)]
pub struct ProofRecord {
    path: PathBuf,
    /// Digest of the table, in hexadecimal.
    digest: String,
    /// Number of blocks, and positions in each except the last.
    division: [u64; 2],
    /// Number of positions in the table.
    positions: u64,
}

impl ProofRecord {
    /// Returns the record at `path` for a table with this digest. `division` is the number of blocks, and the positions in
    /// each.
    pub(crate) fn new(path: &Path, digest: &[u8; 32], division: [u64; 2], positions: u64) -> Self {
        Self { path: path.to_owned(), digest: hex(digest), division, positions }
    }

    /// Reads the checked blocks; `None` if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or belongs to another table or version.
    pub fn read(&self) -> Result<Option<Checked>, RecordError> {
        let Some(written) = read_proof_record(&self.path)? else { return Ok(None) };
        let show = |[blocks, len]: [u64; 2]| format!("{blocks} of {len} positions");
        let facts = [
            ("the table", written.digest.clone(), self.digest.clone()),
            ("the number of blocks", show(written.division), show(self.division)),
        ];
        for (what, found, wanted) in facts {
            if found != wanted {
                return Err(RecordError::Other { path: self.path.clone(), what, found, wanted });
            }
        }
        Ok(Some(written.checked))
    }

    /// Writes the checked blocks, unless another process has recorded more blocks of the same proof.
    ///
    /// # Errors
    /// Any error of the system. The file is then unchanged.
    pub fn write(&self, checked: &Checked) -> io::Result<()> {
        if let Ok(Some(written)) = read_proof_record(&self.path)
            && (&written.digest, written.division) == (&self.digest, self.division)
            && written.checked.len() > checked.len()
        {
            return Ok(());
        }
        let text = text(&self.digest, self.division, self.positions, checked)?;
        write_whole(&self.path, text.as_bytes(), true)
    }

    /// Removes the file, if there is one.
    ///
    /// # Errors
    /// Any error of the system.
    pub fn remove(&self) -> io::Result<()> {
        remove_if_exists(&self.path)
    }
}

/// Removes the record of a verification, if there is one, damaged or not.
///
/// # Errors
/// If the file is not a record, or cannot be removed.
pub fn discard_record(path: &Path) -> Result<(), RecordError> {
    let io = |doing| move |error| RecordError::Io { doing, path: path.to_owned(), error };
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(io("read")(error)),
        Ok(bytes) if !is_record(&bytes) => return Err(RecordError::Foreign(path.to_owned())),
        Ok(_) => {}
    }
    remove_if_exists(path).map_err(io("remove"))
}

/// Reports whether a file is a record, even if its beginning or its end is damaged.
fn is_record(bytes: &[u8]) -> bool {
    let ends_in_sum =
        bytes.len().checked_sub(15).is_some_and(|last_line| bytes[last_line..].starts_with(b"crc32 "));
    bytes.is_empty() || bytes.starts_with(&PREFIX.as_bytes()[..bytes.len().min(PREFIX.len())]) || ends_in_sum
}

/// Contents of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedProof {
    digest: String,
    division: [u64; 2],
    positions: u64,
    checked: Checked,
}

/// Beginning of the file, before the version.
const PREFIX: &str = "bouton verification ";

impl RecordedProof {
    /// Returns the digest of the table, in hexadecimal.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the number of positions in the table.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Returns the counts of the checked positions.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.checked.counts
    }

    /// Returns the share of checked positions, between 0 and 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.counts().positions as f64 / self.positions.max(1) as f64
    }
}

/// Returns the text of the file.
fn text(digest: &str, [blocks, len]: [u64; 2], positions: u64, checked: &Checked) -> io::Result<String> {
    let Counts { positions: done, wins, deepest } = checked.counts;
    let mut text = String::new();
    // Reserve for all of the text: 16 digits for each word, and less than 512 bytes of other fields.
    text.try_reserve_exact(16 * checked.set.len() + 512)?;
    text += &format!(
        "{PREFIX}{VERSION}\ntable {digest}\nblocks {blocks} {len}\npositions {done} {positions}\nwins {wins}\n\
         deepest {deepest}\nchecked "
    );
    for word in &checked.set {
        let _ = write!(text, "{word:016x}");
    }
    text.push('\n');
    let sum = crc32fast::hash(text.as_bytes());
    text += &format!("crc32 {sum:08x}\n");
    Ok(text)
}

/// Returns the fields of a line that begins with `word`.
fn fields<'a, const N: usize>(line: Option<&'a str>, word: &str) -> Option<[&'a str; N]> {
    let mut fields = line?.split(' ');
    (fields.next()? == word).then_some(())?;
    let mut all = [""; N];
    for field in &mut all {
        *field = fields.next()?;
    }
    fields.next().is_none().then_some(all)
}

/// Parses the file into version and contents; `None` if damaged. The contents of other versions are not parsed.
fn parse(text: &str) -> Option<(u32, Option<RecordedProof>)> {
    let (body, sum) = text.rsplit_once("crc32 ")?;
    if format!("{:08x}\n", crc32fast::hash(body.as_bytes())) != sum {
        return None;
    }
    let mut lines = body.lines();
    let version = lines.next()?.strip_prefix(PREFIX)?.parse().ok()?;
    if version != VERSION {
        return Some((version, None));
    }
    let [digest] = fields(lines.next(), "table")?;
    let [blocks, len] = fields(lines.next(), "blocks")?;
    let [done, positions] = fields(lines.next(), "positions")?;
    let [wins] = fields(lines.next(), "wins")?;
    let [deepest] = fields(lines.next(), "deepest")?;
    let [set] = fields(lines.next(), "checked")?;
    lines.next().is_none().then_some(())?;
    let blocks: u32 = blocks.parse().ok()?;
    // The allocation is bounded by the length of the text.
    let mut words = room((set.len() / 16) as u64).ok()?;
    for start in (0..set.len()).step_by(16) {
        words.push(u64::from_str_radix(set.get(start..start + 16)?, 16).ok()?);
    }
    let counts =
        Counts { positions: done.parse().ok()?, wins: wins.parse().ok()?, deepest: deepest.parse().ok()? };
    let checked = Checked { blocks, set: words, counts };
    let has_other_blocks = checked.set.len() as u64 != u64::from(blocks).div_ceil(WORD as u64)
        || (0..WORD as u32).any(|more| blocks.checked_add(more).is_some_and(|block| checked.contains(block)));
    let positions = positions.parse().ok()?;
    if has_other_blocks || counts.wins > counts.positions || counts.positions > positions {
        return None;
    }
    let division = [blocks.into(), len.parse().ok()?];
    Some((version, Some(RecordedProof { digest: digest.to_owned(), division, positions, checked })))
}

/// Reads the record of a verification; `None` if there is no file.
///
/// # Errors
/// If the file cannot be read, is damaged, or has another version.
pub fn read_proof_record(path: &Path) -> Result<Option<RecordedProof>, RecordError> {
    let damaged = || RecordError::Damaged(path.to_owned());
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Err(damaged()),
        Err(error) => return Err(RecordError::Io { doing: "read", path: path.to_owned(), error }),
    };
    match parse(&text).ok_or_else(damaged)? {
        (_, Some(written)) => Ok(Some(written)),
        (version, None) => Err(RecordError::Other {
            path: path.to_owned(),
            what: "the version of the record",
            found: version.to_string(),
            wanted: VERSION.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(positions: u64) -> Counts {
        Counts { positions, wins: positions / 2, deepest: positions as u32 % 7 }
    }

    fn written(blocks: u32) -> RecordedProof {
        let mut checked = Checked::new(blocks).unwrap();
        for block in (0..blocks).filter(|block| block % 3 == 1) {
            checked.add(&[block], counts(10));
        }
        RecordedProof { digest: "07ab".to_owned(), division: [blocks.into(), 16], positions: 1000, checked }
    }

    fn text_of(RecordedProof { digest, division, positions, checked }: &RecordedProof) -> String {
        text(digest, *division, *positions, checked).unwrap()
    }

    #[test]
    fn a_record_is_read_back_and_each_changed_bit_is_found() {
        for blocks in [1, 63, 64, 65, 200] {
            let written = written(blocks);
            let text = text_of(&written);
            assert_eq!(parse(&text), Some((VERSION, Some(written))));
            for at in 0..text.len() {
                for bit in 0..8 {
                    let mut damaged = text.clone().into_bytes();
                    damaged[at] ^= 1 << bit;
                    let read = String::from_utf8(damaged).ok().and_then(|text| parse(&text));
                    assert_eq!(read, None, "byte {at}");
                }
                assert_eq!(parse(&text[..at]), None, "cut at {at}");
            }
        }
    }

    #[test]
    fn a_record_that_contradicts_itself_is_refused_even_with_a_right_sum() {
        let text = text_of(&written(65));
        let body = text.rsplit_once("crc32 ").unwrap().0;
        let sealed = |body: &str| parse(&format!("{body}crc32 {:08x}\n", crc32fast::hash(body.as_bytes())));
        assert!(sealed(body).is_some());
        for (was, is) in [
            ("blocks 65", "blocks 64"),
            ("blocks 65", "blocks 129"),
            ("blocks 65", "blocks 4294967295"),
            ("wins ", "wins -"),
            ("deepest ", "deeper "),
            ("checked ", "checked f"),
            // A block beyond the last one.
            ("0000000000000000\n", "0000000000000002\n"),
            ("positions ", "positions 1 "),
        ] {
            assert!(body.contains(was) || was.starts_with('0'), "{was}");
            let forged = body.replacen(was, is, 1);
            assert!(forged == body || sealed(&forged).is_none(), "{is}");
        }
        let other = body.replacen("verification 1", "verification 2", 1);
        assert_eq!(sealed(&other), Some((2, None)));
    }

    #[test]
    fn a_block_cannot_be_added_twice_or_beyond_the_last_one() {
        let mut checked = Checked::new(70).unwrap();
        checked.add(&[3, 69], counts(5));
        checked.add(&[64], counts(2));
        assert!(checked.contains(69) && !checked.contains(4) && !checked.contains(7000));
        assert_eq!((checked.len(), checked.counts()), (3, counts(5).and(counts(2))));
        for wrong in [3, 70, 1000] {
            let mut checked = checked.clone();
            assert!(std::panic::catch_unwind(move || checked.add(&[wrong], counts(1))).is_err(), "{wrong}");
        }
    }
}
