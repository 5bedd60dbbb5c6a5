//! The body and its sums (FORMAT.md, section 3): every byte is checked before it is used.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::prefix::{BLOCK, Content, PREFIX, Prefix, u32_at};
use crate::{AskError, Damage, OpenError};

/// What does not hold in a body: small, so that passing it on costs the fast paths nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The sum of a block does not fit it.
    Sum(u32),
    /// Something points to where nothing is.
    Astray,
    /// A number is none that can stand there.
    Impossible,
}

impl From<Fault> for Damage {
    fn from(fault: Fault) -> Self {
        Self::new(match fault {
            Fault::Sum(block) => format!("the sum of block {block} of its body does not fit it"),
            Fault::Astray => "a record of its body points to where nothing is".to_owned(),
            Fault::Impossible => "a record of its body has an impossible number".to_owned(),
        })
    }
}

impl From<Fault> for AskError {
    fn from(fault: Fault) -> Self {
        Self::Damaged(fault.into())
    }
}

/// The body of a file of which prefix, header and sums have been checked.
///
/// `D` is whatever holds the file: a map of it, or a vector.
#[derive(Debug)]
pub(crate) struct Body<D> {
    file: D,
    at_sums: usize,
    at_body: usize,
    len: usize,
    checked: Box<[AtomicBool]>,
    /// Blocks not checked yet. When none is left, reading costs one comparison more than reading plain
    /// memory.
    unchecked: AtomicUsize,
}

/// A body up to this length is checked at once when it is opened: 128 KiB take about 10 microseconds.
const AT_ONCE: usize = 128 << 10;

impl<D: AsRef<[u8]>> Body<D> {
    /// Opens the body of a file: checks the prefix, the header and the sums, and gives the header's bytes and
    /// the digest too.
    pub(crate) fn open(file: D, content: Content) -> Result<(Self, Vec<u8>, [u8; 32]), OpenError> {
        let bytes = file.as_ref();
        let prefix = Prefix::read(bytes, content)?;
        if crc32fast::hash(&bytes[PREFIX..prefix.at_body()]) != prefix.index_crc {
            return Err(Damage::new("the sum of its header does not fit it").into());
        }
        let header = bytes[PREFIX..prefix.at_sums()].to_vec();
        let body = Self::new(file, prefix.at_sums(), prefix.at_body(), prefix.body).map_err(Damage::from)?;
        Ok((body, header, prefix.digest))
    }

    fn new(file: D, at_sums: usize, at_body: usize, len: usize) -> Result<Self, Fault> {
        let blocks = len.div_ceil(BLOCK);
        let checked = (0..blocks).map(|_| AtomicBool::new(false)).collect();
        let body = Self { file, at_sums, at_body, len, checked, unchecked: AtomicUsize::new(blocks) };
        if len <= AT_ONCE {
            body.check_all()?;
        }
        Ok(body)
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// What holds the file.
    pub(crate) fn holder(&self) -> &D {
        &self.file
    }

    /// All bytes of the file, checked or not.
    pub(crate) fn file(&self) -> &[u8] {
        self.file.as_ref()
    }

    /// Checks every block.
    pub(crate) fn check_all(&self) -> Result<(), Fault> {
        (0..self.checked.len()).try_for_each(|block| self.check(block))
    }

    /// Checks every block, and computes the digest anew and compares it with the one stated.
    #[cfg(feature = "write")]
    pub(crate) fn check_whole(&self, digest: &[u8; 32]) -> Result<(), Damage> {
        self.check_all()?;
        if super::write::digest_of(self.file()) != *digest {
            return Err(Damage::new("its digest does not fit it"));
        }
        Ok(())
    }

    /// The eight bytes at `at`, after a check of the blocks that they lie in.
    #[inline(always)]
    pub(crate) fn word(&self, at: u64) -> Result<u64, Fault> {
        if self.unchecked.load(Ordering::Relaxed) != 0 {
            self.check_around(at)?;
        }
        // The body is the end of the file, so that this is the one bound there is. It is at most the length
        // of a file in memory, which leaves room for the sum.
        if at >= self.len as u64 {
            return Err(Fault::Astray);
        }
        let at = self.at_body + at as usize;
        match self.file.as_ref().get(at..at + 8) {
            Some(bytes) => Ok(u64::from_le_bytes(bytes.try_into().expect("eight bytes"))),
            None => Err(Fault::Astray),
        }
    }

    /// Whether the last `n` bytes, a multiple of eight, are zero.
    pub(crate) fn ends_in_zeros(&self, n: usize) -> Result<bool, Fault> {
        let last = self.len.saturating_sub(n)..self.len;
        last.step_by(8).try_fold(true, |zero, at| Ok(zero && self.word(at as u64)? == 0))
    }

    /// The bits from bit address `at` on: at least 57 of them are the body's.
    #[inline(always)]
    pub(crate) fn bits(&self, at: u64) -> Result<u64, Fault> {
        Ok(self.word(at / 8)? >> (at % 8))
    }

    #[cold]
    fn check_around(&self, at: u64) -> Result<(), Fault> {
        let last = (self.len / BLOCK).min(self.checked.len().saturating_sub(1));
        let block = |at: u64| usize::try_from(at / BLOCK as u64).unwrap_or(last).min(last);
        (block(at)..=block(at.saturating_add(7))).try_for_each(|block| self.check(block))
    }

    fn check(&self, block: usize) -> Result<(), Fault> {
        // Relaxed is enough: the bytes never change, so that no order between flag and bytes matters, and two
        // threads that check the same block find the same.
        if self.checked[block].load(Ordering::Relaxed) {
            return Ok(());
        }
        let file = self.file.as_ref();
        let start = block * BLOCK;
        let bytes = &file[self.at_body + start..self.at_body + (start + BLOCK).min(self.len)];
        if crc32fast::hash(bytes) != u32_at(file, self.at_sums + 4 * block) {
            return Err(Fault::Sum(block as u32));
        }
        if !self.checked[block].swap(true, Ordering::Relaxed) {
            self.unchecked.fetch_sub(1, Ordering::Relaxed);
        }
        Ok(())
    }
}
