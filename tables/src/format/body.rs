//! The body and its sums (FORMAT.md, section 3): every byte is checked before it is used.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde::de::DeserializeOwned;

use super::codec::decode_serde;
use super::prefix::{BLOCK, Content, PREFIX, Prefix, u32_at};
use crate::{AskError, Damage, OpenError};

/// What does not hold in a body: small, so that passing it on costs the fast paths nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
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

/// The body of a file whose prefix, header and sums have been checked.
///
/// `D` is whatever holds the file: a map of it, or a vector.
#[derive(Debug)]
pub struct Body<D> {
    file: D,
    version: u32,
    digest: [u8; 32],
    at_sums: usize,
    at_body: usize,
    len: usize,
    checked: Box<[AtomicBool]>,
    /// Blocks not checked yet. When none is left, reading costs one comparison more than reading plain
    /// memory.
    unchecked: AtomicUsize,
    /// If every read is to check its block again, in a copy: the sums as they were, since the file's may change with
    /// its blocks. Then no block ever counts as checked.
    kept_sums: Option<Box<[u32]>>,
}

/// A body up to this length is checked at once when it is opened: 128 KiB take about 10 microseconds.
const AT_ONCE: usize = 128 << 10;

impl<D: AsRef<[u8]>> Body<D> {
    /// Opens the body of a file that should have this content. Checks all but the blocks of a long body, which
    /// are checked when they are first needed.
    ///
    /// # Errors
    /// If the file has other content, is one of another format version, or is damaged.
    pub fn open(file: D, content: Content) -> Result<Self, OpenError> {
        let bytes = file.as_ref();
        let prefix = Prefix::read(bytes, content)?;
        if crc32fast::hash(&bytes[PREFIX..prefix.at_body()]) != prefix.index_crc {
            return Err(Damage::new("the sum of its header does not fit it").into());
        }
        let blocks = prefix.body.div_ceil(BLOCK);
        let body = Self {
            file,
            version: prefix.version,
            digest: prefix.digest,
            at_sums: prefix.at_sums(),
            at_body: prefix.at_body(),
            len: prefix.body,
            checked: (0..blocks).map(|_| AtomicBool::new(false)).collect(),
            unchecked: AtomicUsize::new(blocks),
            kept_sums: None,
        };
        if body.len <= AT_ONCE {
            body.check_all().map_err(Damage::from)?;
        }
        Ok(body)
    }

    /// The bytes of the header.
    pub(crate) fn header_bytes(&self) -> &[u8] {
        &self.file()[PREFIX..self.at_sums]
    }

    /// The header.
    ///
    /// # Errors
    /// If it does not decode.
    pub fn header<T: DeserializeOwned>(&self) -> Result<T, Damage> {
        decode_serde(self.header_bytes())
    }

    /// The version of the format in which the file is written.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The digest, as the file states it.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Length of the body in bytes.
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

    /// From now on each read copies the blocks that it needs, checks the copies and reads from them, so that a file
    /// that changes under a map gives either the right bytes or a fault. A read then takes about a microsecond.
    pub(crate) fn check_every_read(&mut self) {
        self.kept_sums = Some((0..self.checked.len()).map(|block| self.sum(block)).collect());
        self.unchecked = AtomicUsize::new(usize::MAX);
    }

    /// Checks every block now.
    ///
    /// # Errors
    /// Names the first one that is damaged.
    pub fn check_all(&self) -> Result<(), Fault> {
        (0..self.checked.len()).try_for_each(|block| self.check(block))
    }

    /// Checks every block, computes the digest anew and compares it with the one stated.
    ///
    /// # Errors
    /// If either does not hold.
    #[cfg(feature = "write")]
    pub fn check_whole(&self) -> Result<(), Damage> {
        self.check_all()?;
        if super::write::digest_of(self.file()) != self.digest {
            return Err(Damage::new("its digest does not fit it"));
        }
        Ok(())
    }

    /// The eight bytes at `at`, after a check of the blocks that they lie in.
    #[inline(always)]
    pub(crate) fn word(&self, at: u64) -> Result<u64, Fault> {
        if self.unchecked.load(Ordering::Relaxed) != 0 {
            if let Some(sums) = &self.kept_sums {
                return self.checked_copy(at, sums);
            }
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
    ///
    /// # Errors
    /// If the block that they lie in is damaged.
    pub fn ends_in_zeros(&self, n: usize) -> Result<bool, Fault> {
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

    /// The eight bytes at `at`, from copies of their blocks that are checked.
    #[cold]
    fn checked_copy(&self, at: u64, sums: &[u32]) -> Result<u64, Fault> {
        let mut word = [0; 8];
        let from = usize::try_from(at).ok().filter(|&at| at < self.len).ok_or(Fault::Astray)?;
        let to = from.checked_add(8).filter(|&to| to <= self.len).ok_or(Fault::Astray)?;
        for (block, &sum) in sums.iter().enumerate().take((to - 1) / BLOCK + 1).skip(from / BLOCK) {
            let start = block * BLOCK;
            let end = (start + BLOCK).min(self.len);
            let mut copy = [0; BLOCK];
            let copy = &mut copy[..end - start];
            copy.copy_from_slice(&self.file.as_ref()[self.at_body + start..self.at_body + end]);
            if crc32fast::hash(copy) != sum {
                return Err(Fault::Sum(block as u32));
            }
            let (first, last) = (from.max(start), to.min(end));
            word[first - from..last - from].copy_from_slice(&copy[first - start..last - start]);
        }
        Ok(u64::from_le_bytes(word))
    }

    /// What the file says is the sum of a block.
    fn sum(&self, block: usize) -> u32 {
        u32_at(self.file.as_ref(), self.at_sums + 4 * block)
    }

    fn check(&self, block: usize) -> Result<(), Fault> {
        // Relaxed is enough: the bytes never change, so that no order between flag and bytes matters, and two
        // threads that check the same block find the same.
        if self.checked[block].load(Ordering::Relaxed) {
            return Ok(());
        }
        let start = block * BLOCK;
        let bytes = &self.file.as_ref()[self.at_body + start..self.at_body + (start + BLOCK).min(self.len)];
        if crc32fast::hash(bytes) != self.sum(block) {
            return Err(Fault::Sum(block as u32));
        }
        if !self.checked[block].swap(true, Ordering::Relaxed) {
            self.unchecked.fetch_sub(1, Ordering::Relaxed);
        }
        Ok(())
    }
}
