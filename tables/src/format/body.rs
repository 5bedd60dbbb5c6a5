//! The body and its sums (FORMAT.md, section 3): every byte is checked before it is used.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::prefix::{BLOCK, u32_at};
use crate::Damage;

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
    /// Blocks not checked yet. When none is left, reading costs one comparison more than reading plain memory.
    unchecked: AtomicUsize,
}

/// A body up to this length is checked at once when it is opened: 128 KiB take about 10 microseconds.
const AT_ONCE: usize = 128 << 10;

impl<D: AsRef<[u8]>> Body<D> {
    pub(crate) fn new(file: D, at_sums: usize, at_body: usize, len: usize) -> Result<Self, Damage> {
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

    /// All bytes of the file, checked or not.
    pub(crate) fn file(&self) -> &[u8] {
        self.file.as_ref()
    }

    /// Checks every block.
    pub(crate) fn check_all(&self) -> Result<(), Damage> {
        (0..self.checked.len()).try_for_each(|block| self.check(block))
    }

    /// The eight bytes at `at`, after a check of the blocks that they lie in.
    #[inline]
    pub(crate) fn word(&self, at: u64) -> Result<u64, Damage> {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        if self.unchecked.load(Ordering::Relaxed) != 0 {
            self.check_around(at)?;
        }
        let bytes = self.file.as_ref().get(self.at_body..).and_then(|body| body.get(at..)?.first_chunk());
        match bytes {
            Some(bytes) => Ok(u64::from_le_bytes(*bytes)),
            None => Err(Damage::new("it points beyond its end")),
        }
    }

    #[cold]
    fn check_around(&self, at: usize) -> Result<(), Damage> {
        let last = at.saturating_add(7) / BLOCK;
        (at / BLOCK..=last.min(self.checked.len().saturating_sub(1))).try_for_each(|block| self.check(block))
    }

    fn check(&self, block: usize) -> Result<(), Damage> {
        // Relaxed is enough: the bytes never change, so that no order between flag and bytes matters, and two threads that
        // check the same block find the same.
        if self.checked[block].load(Ordering::Relaxed) {
            return Ok(());
        }
        let file = self.file.as_ref();
        let start = block * BLOCK;
        let bytes = &file[self.at_body + start..self.at_body + (start + BLOCK).min(self.len)];
        if crc32fast::hash(bytes) != u32_at(file, self.at_sums + 4 * block) {
            return Err(Damage::new(format!("the sum of bytes {start} to {} of its body does not fit them", start + bytes.len() - 1)));
        }
        if !self.checked[block].swap(true, Ordering::Relaxed) {
            self.unchecked.fetch_sub(1, Ordering::Relaxed);
        }
        Ok(())
    }
}
