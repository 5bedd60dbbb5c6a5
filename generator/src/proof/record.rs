//! The progress of a proof in blocks, and the file that records it.
//!
//! The file is text: the table's digest, the division into blocks, the set of checked blocks, their counts, and a CRC-32.
//! Each write replaces the file atomically, and any process may rely on a record that another one wrote. So several processes
//! may prove the same table at once: none replaces a record that is more advanced than its own.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::str::Lines;

use bouton_tables::{hex, write_whole};
use thiserror::Error;

use super::counts::Counts;
use crate::making::GenerateError;
use crate::memory::{filled, room};
use crate::work::WorkError;
use crate::work::checked::remove_if_exists;
use crate::work::sealed::{ends_sealed, read_if_exists, sealed, unsealed};

/// Beginning of the file, before the version.
const PREFIX: &str = "bouton verification ";
/// The version of the file.
const VERSION: u32 = 1;
/// Blocks in a word of the set.
const WORD: u64 = u64::BITS as u64;

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
    #[error(transparent)]
    Io(#[from] WorkError),
}

/// The progress of a proof in blocks, as its record states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedProof {
    /// Digest of the table, in hexadecimal.
    digest: String,
    /// Number of blocks, and positions in each except the last.
    division: [u64; 2],
    /// Number of positions in the table.
    positions: u64,
    /// A bit for each block, set if the block is checked.
    checked: Vec<u64>,
    /// Counts of the positions in the checked blocks.
    counts: Counts,
}

impl RecordedProof {
    /// Returns the beginning of a proof of the table with this digest. `division` is the number of blocks, and the
    /// positions in each.
    pub(crate) fn new(digest: &[u8; 32], division: [u64; 2], positions: u64) -> Result<Self, GenerateError> {
        let checked = filled(division[0].div_ceil(WORD), 0)?;
        Ok(Self { digest: hex(digest), division, positions, checked, counts: Counts::default() })
    }

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
        self.counts
    }

    /// Returns the share of checked positions, between 0 and 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.counts.positions as f64 / self.positions.max(1) as f64
    }

    /// Reports whether a block is checked.
    pub(crate) fn contains(&self, block: u32) -> bool {
        let [word, bit] = [u64::from(block) / WORD, u64::from(block) % WORD];
        self.checked.get(word as usize).is_some_and(|word| word >> bit & 1 == 1)
    }

    /// Adds checked blocks, and their counts.
    ///
    /// # Panics
    /// If a block is checked already, as it would count twice; or if the proof has no such block.
    pub(crate) fn add(&mut self, blocks: &[u32], counts: Counts) {
        for &block in blocks {
            assert!(
                u64::from(block) < self.division[0] && !self.contains(block),
                "block {block} is checked already, or does not exist"
            );
            self.checked[(u64::from(block) / WORD) as usize] |= 1 << (u64::from(block) % WORD);
        }
        self.counts = self.counts.and(counts);
    }

    /// Returns the number of checked blocks.
    fn checked_blocks(&self) -> u32 {
        self.checked.iter().map(|word| word.count_ones()).sum()
    }

    /// Reads the record of the same proof at `path`; `None` if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or belongs to another table or version.
    pub(crate) fn read(&self, path: &Path) -> Result<Option<Self>, RecordError> {
        let Some(written) = read_proof_record(path)? else { return Ok(None) };
        let show = |[blocks, len]: [u64; 2]| format!("{blocks} of {len} positions");
        let facts = [
            ("the table", written.digest.clone(), self.digest.clone()),
            ("the number of blocks", show(written.division), show(self.division)),
        ];
        for (what, found, wanted) in facts {
            if found != wanted {
                return Err(RecordError::Other { path: path.to_owned(), what, found, wanted });
            }
        }
        Ok(Some(written))
    }

    /// Writes the record, unless another process has recorded more blocks of the same proof.
    ///
    /// # Errors
    /// Any error of the system. The file is then unchanged.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        match self.read(path) {
            Ok(Some(written)) if written.checked_blocks() > self.checked_blocks() => Ok(()),
            _ => write_whole(path, self.text()?.as_bytes(), true),
        }
    }

    /// Returns the text of the file.
    fn text(&self) -> io::Result<String> {
        let Self { digest, division: [blocks, len], positions, checked, counts } = self;
        let Counts { positions: done, wins, deepest } = counts;
        let mut text = String::new();
        // Reserve for all of the text: 16 digits for each word, and less than 512 bytes of other fields.
        text.try_reserve_exact(16 * checked.len() + 512)?;
        text += &format!(
            "{PREFIX}{VERSION}\ntable {digest}\nblocks {blocks} {len}\npositions {done} {positions}\n\
             wins {wins}\ndeepest {deepest}\nchecked "
        );
        for word in checked {
            let _ = write!(text, "{word:016x}");
        }
        text.push('\n');
        Ok(sealed(text))
    }

    /// Parses the lines after the version; `None` if they contradict themselves.
    fn parse(mut lines: Lines) -> Option<Self> {
        let [digest] = fields(lines.next(), "table")?;
        let [blocks, len] = fields(lines.next(), "blocks")?;
        let [done, positions] = fields(lines.next(), "positions")?;
        let [wins] = fields(lines.next(), "wins")?;
        let [deepest] = fields(lines.next(), "deepest")?;
        let [set] = fields(lines.next(), "checked")?;
        lines.next().is_none().then_some(())?;
        let blocks: u32 = blocks.parse().ok()?;
        // The allocation is bounded by the length of the text.
        let mut checked = room((set.len() / 16) as u64).ok()?;
        for start in (0..set.len()).step_by(16) {
            checked.push(u64::from_str_radix(set.get(start..start + 16)?, 16).ok()?);
        }
        let counts = Counts {
            positions: done.parse().ok()?,
            wins: wins.parse().ok()?,
            deepest: deepest.parse().ok()?,
        };
        let division = [blocks.into(), len.parse().ok()?];
        let (digest, positions) = (digest.to_owned(), positions.parse().ok()?);
        let proof = Self { digest, division, positions, checked, counts };
        let has_other_blocks = proof.checked.len() as u64 != division[0].div_ceil(WORD)
            || (0..WORD as u32).any(|more| blocks.checked_add(more).is_some_and(|at| proof.contains(at)));
        let is_possible =
            !has_other_blocks && counts.wins <= counts.positions && counts.positions <= positions;
        is_possible.then_some(proof)
    }
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

/// Parses a file; `None` if damaged. The error is its version, if this is another one.
fn parse(file: &[u8]) -> Option<Result<RecordedProof, u32>> {
    let mut lines = unsealed(file)?.lines();
    let version = lines.next()?.strip_prefix(PREFIX)?.parse().ok()?;
    if version == VERSION { RecordedProof::parse(lines).map(Ok) } else { Some(Err(version)) }
}

/// Reads the record of a verification; `None` if there is no file.
///
/// # Errors
/// If the file cannot be read, is damaged, or has another version.
pub fn read_proof_record(path: &Path) -> Result<Option<RecordedProof>, RecordError> {
    let Some(file) = read_if_exists(path)? else { return Ok(None) };
    let written = parse(&file).ok_or_else(|| RecordError::Damaged(path.to_owned()))?;
    written.map(Some).map_err(|version| RecordError::Other {
        path: path.to_owned(),
        what: "the version of the record",
        found: version.to_string(),
        wanted: VERSION.to_string(),
    })
}

/// Removes the record of a verification, if there is one, damaged or not.
///
/// # Errors
/// If the file is not a record, or cannot be removed.
pub fn discard_record(path: &Path) -> Result<(), RecordError> {
    if read_if_exists(path)?.is_some_and(|bytes| !is_record(&bytes)) {
        return Err(RecordError::Foreign(path.to_owned()));
    }
    Ok(remove_if_exists(path)?)
}

/// Reports whether a file is a record, even if its beginning or its end is damaged.
fn is_record(bytes: &[u8]) -> bool {
    let begins_as_one = bytes.iter().zip(PREFIX.as_bytes()).all(|(byte, expected)| byte == expected);
    begins_as_one || ends_sealed(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(positions: u64) -> Counts {
        Counts { positions, wins: positions / 2, deepest: positions as u32 % 7 }
    }

    fn written(blocks: u32) -> RecordedProof {
        let mut proof = RecordedProof::new(&[7; 32], [blocks.into(), 16], 1000).unwrap();
        for block in (0..blocks).filter(|block| block % 3 == 1) {
            proof.add(&[block], counts(10));
        }
        proof
    }

    #[test]
    fn a_record_is_read_back_and_each_changed_bit_is_found() {
        for blocks in [1, 63, 64, 65, 200] {
            let written = written(blocks);
            let text = written.text().unwrap();
            assert_eq!(parse(text.as_bytes()), Some(Ok(written)));
            for at in 0..text.len() {
                for bit in 0..8 {
                    let mut damaged = text.clone().into_bytes();
                    damaged[at] ^= 1 << bit;
                    assert_eq!(parse(&damaged), None, "byte {at}");
                }
                assert_eq!(parse(&text.as_bytes()[..at]), None, "cut at {at}");
            }
        }
    }

    #[test]
    fn a_record_that_contradicts_itself_is_refused_even_with_a_right_sum() {
        let text = written(65).text().unwrap();
        let body = unsealed(text.as_bytes()).unwrap();
        let parse = |body: &str| parse(sealed(body.to_owned()).as_bytes());
        assert!(parse(body).is_some());
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
            assert!(forged == body || parse(&forged).is_none(), "{is}");
        }
        let other = body.replacen("verification 1", "verification 2", 1);
        assert_eq!(parse(&other), Some(Err(2)));
    }

    #[test]
    fn a_block_cannot_be_added_twice_or_beyond_the_last_one() {
        let mut proof = RecordedProof::new(&[7; 32], [70, 16], 1000).unwrap();
        proof.add(&[3, 69], counts(5));
        proof.add(&[64], counts(2));
        assert!(proof.contains(69) && !proof.contains(4) && !proof.contains(7000));
        assert_eq!((proof.checked_blocks(), proof.counts()), (3, counts(5).and(counts(2))));
        for wrong in [3, 70, 1000] {
            let mut proof = proof.clone();
            assert!(std::panic::catch_unwind(move || proof.add(&[wrong], counts(1))).is_err(), "{wrong}");
        }
    }
}
