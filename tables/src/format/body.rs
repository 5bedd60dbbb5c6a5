//! The body of a file. Each block has a checksum, verified before its first byte is used (FORMAT.md, section 3).

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde::de::DeserializeOwned;

use super::codec::decode_serde;
use super::prefix::{BLOCK_LEN, Content, PREFIX_LEN, Prefix, bytes_at};
use crate::prefetch::prefetch;
use crate::{AskError, Damage, Map, OpenError};

/// Damage in a body. A small type, so that the fast paths return it at no cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The checksum of the block with this number is wrong.
    Sum(u32),
    /// A reference points outside of its array.
    OutOfRange,
    /// A number is invalid where it stands.
    Impossible,
}

impl From<Fault> for Damage {
    fn from(fault: Fault) -> Self {
        Self::new(match fault {
            Fault::Sum(block) => format!("the checksum of block {block} of its body is wrong"),
            Fault::OutOfRange => "a record of its body points out of range".to_owned(),
            Fault::Impossible => "a record of its body has an impossible number".to_owned(),
        })
    }
}

impl From<Fault> for AskError {
    fn from(fault: Fault) -> Self {
        Self::Damaged(fault.into())
    }
}

/// The body of a file whose prefix, header and sums have been verified.
#[derive(Debug)]
pub struct Body {
    file: Map,
    digest: [u8; 32],
    /// Offset of the sums in the file.
    at_sums: usize,
    /// Offset of the body in the file.
    at_body: usize,
    len: usize,
    /// For each block, true if it has been checked.
    checked: Box<[AtomicBool]>,
    /// Number of blocks not checked yet. Once it is 0, a read costs one comparison more than plain memory.
    unchecked: AtomicUsize,
    /// The checksums on opening, if every read must check copies of its blocks. No block then counts as checked.
    sums_on_opening: Option<Box<[u32]>>,
}

/// A body of at most this length is checked on opening, which takes about 10 microseconds for 128 KiB.
const MAX_CHECKED_ON_OPENING: usize = 128 << 10;

impl Body {
    /// Opens the body of a file, which must have this content. Checks the prefix, and the checksums of the header and
    /// of a short body. The blocks of a long body are checked before their first use, and the digest only by
    /// `check_whole`.
    pub fn open(file: impl Into<Map>, content: Content) -> Result<Self, OpenError> {
        let file = file.into();
        let bytes = file.as_ref();
        let prefix = Prefix::read(bytes, content)?;
        if crc32fast::hash(&bytes[PREFIX_LEN..prefix.at_body()]) != prefix.index_crc {
            return Err(Damage::new("the checksum of its header is wrong").into());
        }
        let blocks = prefix.body.div_ceil(BLOCK_LEN);
        let body = Self {
            file,
            digest: prefix.digest,
            at_sums: prefix.at_sums(),
            at_body: prefix.at_body(),
            len: prefix.body,
            checked: (0..blocks).map(|_| AtomicBool::new(false)).collect(),
            unchecked: AtomicUsize::new(blocks),
            sums_on_opening: None,
        };
        if body.len <= MAX_CHECKED_ON_OPENING {
            body.check_all().map_err(Damage::from)?;
        }
        Ok(body)
    }

    pub(crate) fn header_bytes(&self) -> &[u8] {
        &self.file()[PREFIX_LEN..self.at_sums]
    }

    /// Decodes the header.
    pub fn header<T: DeserializeOwned>(&self) -> Result<T, Damage> {
        decode_serde(self.header_bytes())
    }

    /// Returns the digest stated in the file.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Returns the length of the body in bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn holder(&self) -> &Map {
        &self.file
    }

    /// Returns all bytes of the file, checked or not.
    pub(crate) fn file(&self) -> &[u8] {
        self.file.as_ref()
    }

    /// Makes each later read copy the blocks that it needs, check the copies and read from them. If a file changes
    /// under a map, a read then returns either correct bytes or a fault. Such a read takes about a microsecond.
    pub(crate) fn check_every_read(&mut self) {
        self.sums_on_opening = Some((0..self.checked.len()).map(|block| self.sum(block)).collect());
        self.unchecked = AtomicUsize::new(usize::MAX);
    }

    /// Checks every block now.
    pub fn check_all(&self) -> Result<(), Fault> {
        (0..self.checked.len()).try_for_each(|block| self.check(block))
    }

    /// Checks every block, and compares the digest with the one stated in the file.
    #[cfg(feature = "write")]
    pub fn check_whole(&self) -> Result<(), Damage> {
        self.check_all()?;
        if *blake3::hash(&self.file()[PREFIX_LEN..]).as_bytes() != self.digest {
            return Err(Damage::new("its digest is wrong"));
        }
        Ok(())
    }

    /// Returns the eight bytes at `at`, after checking their blocks.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn word(&self, at: u64) -> Result<u64, Fault> {
        if self.unchecked.load(Ordering::Relaxed) != 0 {
            if let Some(sums) = &self.sums_on_opening {
                return self.checked_copy(at, sums);
            }
            self.check_around(at)?;
        }
        self.bytes(at).map(u64::from_le_bytes)
    }

    /// Returns the bytes from `at` on, whose blocks must have been checked.
    #[cfg_attr(feature = "fast", inline(always))]
    fn bytes<const N: usize>(&self, at: u64) -> Result<[u8; N], Fault> {
        // The body ends the file, so this is the only bound to check. `len` is at most the length of a slice, so the
        // sum below cannot overflow.
        if at >= self.len as u64 {
            return Err(Fault::OutOfRange);
        }
        let at = self.at_body + at as usize;
        match self.file.as_ref().get(at..at + N) {
            Some(bytes) => Ok(bytes.try_into().expect("as many bytes")),
            None => Err(Fault::OutOfRange),
        }
    }

    /// Returns true if the last `n` bytes are zero. `n` is a multiple of eight.
    pub fn ends_in_zeros(&self, n: usize) -> Result<bool, Fault> {
        let last = self.len.saturating_sub(n)..self.len;
        last.step_by(8).try_fold(true, |zero, at| Ok(zero && self.word(at as u64)? == 0))
    }

    /// Returns the bits from bit address `at` on: at least 57 valid ones.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn bits(&self, at: u64) -> Result<u64, Fault> {
        Ok(self.word(at / 8)? >> (at % 8))
    }

    /// Returns the bits from bit address `at` on: at least 121 valid ones.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn two_words(&self, at: u64) -> Result<u128, Fault> {
        let from = at / 8;
        if self.unchecked.load(Ordering::Relaxed) != 0 {
            let low = u128::from(self.word(from)?);
            return Ok((low | u128::from(self.word(from + 8)?) << 64) >> (at % 8));
        }
        Ok(u128::from_le_bytes(self.bytes(from)?) >> (at % 8))
    }

    /// Prefetches a bit. Any address is allowed.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn prefetch(&self, bit: u64) {
        if let Some(byte) = self.file.as_ref().get(self.at_body.saturating_add((bit / 8) as usize)) {
            prefetch(byte);
        }
    }

    /// Checks the blocks of the eight bytes at `at`.
    #[cold]
    fn check_around(&self, at: u64) -> Result<(), Fault> {
        let last = self.checked.len() - 1;
        let block = |at: u64| usize::try_from(at / BLOCK_LEN as u64).unwrap_or(last).min(last);
        (block(at)..=block(at.saturating_add(7))).try_for_each(|block| self.check(block))
    }

    /// Returns the eight bytes at `at`, from checked copies of their blocks.
    #[cold]
    fn checked_copy(&self, at: u64, sums: &[u32]) -> Result<u64, Fault> {
        let mut word = [0; 8];
        let from = usize::try_from(at).map_err(|_| Fault::OutOfRange)?;
        let to = from.checked_add(8).filter(|&to| to <= self.len).ok_or(Fault::OutOfRange)?;
        for (block, &sum) in sums.iter().enumerate().take((to - 1) / BLOCK_LEN + 1).skip(from / BLOCK_LEN) {
            let start = block * BLOCK_LEN;
            let end = (start + BLOCK_LEN).min(self.len);
            let mut copy = [0; BLOCK_LEN];
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

    /// Returns the checksum of a block stated in the file.
    fn sum(&self, block: usize) -> u32 {
        u32::from_le_bytes(bytes_at(self.file.as_ref(), self.at_sums + 4 * block))
    }

    /// Checks a block, unless it has been checked.
    fn check(&self, block: usize) -> Result<(), Fault> {
        // Relaxed suffices: the bytes never change, so their order relative to the flag does not matter, and two
        // threads that check the same block get the same result.
        if self.checked[block].load(Ordering::Relaxed) {
            return Ok(());
        }
        let start = block * BLOCK_LEN;
        let bytes =
            &self.file.as_ref()[self.at_body + start..self.at_body + (start + BLOCK_LEN).min(self.len)];
        if crc32fast::hash(bytes) != self.sum(block) {
            return Err(Fault::Sum(block as u32));
        }
        if !self.checked[block].swap(true, Ordering::Relaxed) {
            self.unchecked.fetch_sub(1, Ordering::Relaxed);
        }
        Ok(())
    }
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::tests::forged::{file, records};
    use super::*;

    const LEN: usize = MAX_CHECKED_ON_OPENING + 8;
    const LAST: u32 = (LEN / BLOCK_LEN) as u32;

    /// Returns a file with a body of this many bytes, in which all words differ except the last two.
    fn numbered(bytes: usize) -> Vec<u8> {
        // Each word of 64 bits is two fields. The directory takes three words.
        let words = bytes as u64 / 8 - 5;
        file(&"some header", &[records((3..words + 3).map(|n| [1 + (n & 0xFFFF) + (1 << 31), 1 << 31]))], 0)
    }

    fn open(file: Vec<u8>) -> Result<Body, OpenError> {
        Body::open(file, Content::Table)
    }

    /// Returns a body too long to be checked on opening.
    fn long() -> Body {
        let body = open(numbered(LEN)).unwrap();
        assert_eq!(body.len(), LEN);
        body
    }

    /// Reads the word at an address byte by byte.
    fn plain(body: &Body, at: usize) -> u64 {
        let bytes = &body.file()[body.file().len() - LEN..];
        (0..8).map(|i| u64::from(bytes[at + i]) << (8 * i)).sum()
    }

    #[test]
    fn words_and_bits_are_read_at_their_address_however_blocks_are_checked() {
        let checked = long();
        checked.check_all().unwrap();
        let mut each_time = long();
        each_time.check_every_read();
        for body in [&long(), &checked, &each_time] {
            for middle in [0, 24, BLOCK_LEN, 2 * BLOCK_LEN, 17 * BLOCK_LEN, LEN - 16] {
                for at in middle.saturating_sub(20)..(middle + 20).min(LEN - 7) {
                    assert_eq!(body.word(at as u64), Ok(plain(body, at)), "{at}");
                    for bit in 0..8 {
                        assert_eq!(
                            body.bits((8 * at + bit) as u64),
                            Ok(plain(body, at) >> bit),
                            "{at} {bit}"
                        );
                    }
                }
            }
            for at in
                [LEN as u64 - 7, LEN as u64 - 1, LEN as u64, LEN as u64 + 1, 1 << 40, u64::MAX - 7, u64::MAX]
            {
                assert_eq!(body.word(at), Err(Fault::OutOfRange), "{at}");
            }
        }
    }

    #[test]
    fn a_block_is_checked_once_and_before_it_is_read() {
        let body = long();
        let unchecked = || body.unchecked.load(Ordering::Relaxed);
        assert_eq!(unchecked(), LAST as usize + 1);
        body.word(BLOCK_LEN as u64 - 8).unwrap();
        body.word(0).unwrap();
        assert_eq!(unchecked(), LAST as usize);
        body.word(BLOCK_LEN as u64 - 7).unwrap();
        assert_eq!(unchecked(), LAST as usize - 1);
        // Past the end, the last block is checked.
        body.word(u64::MAX).unwrap_err();
        assert_eq!(unchecked(), LAST as usize - 2);
        body.check_all().unwrap();
        body.check_all().unwrap();
        assert_eq!(unchecked(), 0);
    }

    #[test]
    fn a_damaged_block_is_named_by_every_read_that_needs_it_and_by_no_other() {
        for each_time in [false, true] {
            for (block, byte) in [(0, 0), (3, 3 * BLOCK_LEN + 9), (LAST, LEN - 1)] {
                let mut damaged = long();
                let at_body = damaged.at_body;
                damaged.file.bytes_mut()[at_body + byte] ^= 1;
                if each_time {
                    damaged.check_every_read();
                }
                let begin = block as usize * BLOCK_LEN;
                let end = (begin + BLOCK_LEN).min(LEN);
                for at in [begin, end - 8].into_iter().chain(begin.checked_sub(7)) {
                    assert_eq!(damaged.word(at as u64), Err(Fault::Sum(block)), "{at}");
                }
                assert!(begin < 8 || damaged.word(begin as u64 - 8).is_ok());
                assert!(end == LEN || damaged.word(end as u64).is_ok());
                assert_eq!(damaged.check_all(), Err(Fault::Sum(block)));
                assert!(damaged.check_whole().is_err());
            }
        }
    }

    #[test]
    fn a_later_change_of_a_block_is_found_if_every_read_checks_its_block() {
        let mut body = long();
        body.check_every_read();
        assert_eq!(body.word(8), Ok(plain(&body, 8)));
        body.check_all().unwrap();
        let (at_body, at_sums) = (body.at_body, body.at_sums);
        body.file.bytes_mut()[at_body] ^= 1;
        assert_eq!(body.word(8), Err(Fault::Sum(0)));
        // The read fails even if the stated checksum changes too.
        let sum = crc32fast::hash(&body.file()[at_body..at_body + BLOCK_LEN]);
        body.file.bytes_mut()[at_sums..at_sums + 4].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(body.word(8), Err(Fault::Sum(0)));
    }

    #[test]
    fn up_to_128_kib_are_checked_when_a_file_is_opened() {
        for (bytes, at_once) in [(MAX_CHECKED_ON_OPENING, true), (MAX_CHECKED_ON_OPENING + 8, false)] {
            let mut file = numbered(bytes);
            *file.last_mut().unwrap() = 1;
            let found = open(file).map(|body| body.len());
            assert_eq!(found.is_err(), at_once, "{found:?}");
        }
    }

    #[test]
    fn a_body_returns_the_header_and_the_digest_of_its_file() {
        let file = numbered(1000);
        let body = open(file.clone()).unwrap();
        assert_eq!(body.header::<String>(), Ok("some header".to_owned()));
        assert_eq!(body.digest()[..], file[24..56]);
        assert_eq!(body.digest(), *blake3::hash(&file[64..]).as_bytes());
        assert_eq!((body.file(), body.holder().as_ref()), (&file[..], &file[..]));
        body.check_whole().unwrap();
        // Only the digest is wrong.
        let body = open(crate::format::tests::forged::resealed(file, |body| body[100] ^= 1)).unwrap();
        body.check_all().unwrap();
        assert!(body.check_whole().unwrap_err().to_string().contains("digest"));
    }

    #[test]
    fn a_header_with_a_wrong_checksum_is_refused() {
        let good = numbered(1000);
        for at in [64, 75, 76, 79] {
            let mut file = good.clone();
            file[at] ^= 1;
            let error = open(file).unwrap_err().to_string();
            assert!(error.contains("the checksum of its header is wrong"), "{error}");
        }
    }

    #[test]
    fn zeros_at_the_end_are_recognized() {
        let body = open(numbered(1000)).unwrap();
        assert_eq!(
            [0, 8, 16, 24, 1000, 2000].map(|n| body.ends_in_zeros(n)),
            [true, true, true, false, false, false].map(Ok)
        );
    }

    #[test]
    fn faults_say_what_is_wrong() {
        let text = |fault: Fault| Damage::from(fault).to_string();
        assert!(text(Fault::Sum(7)).contains("block 7"));
        assert!(text(Fault::OutOfRange).contains("out of range"));
        assert!(text(Fault::Impossible).contains("impossible number"));
        assert_eq!(AskError::from(Fault::OutOfRange), AskError::Damaged(Fault::OutOfRange.into()));
    }
}
