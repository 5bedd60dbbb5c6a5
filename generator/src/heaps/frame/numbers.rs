//! Blocks of numbers: in pages of memory, and in files of the work folder.

use std::io;

use bytemuck::Pod;
use memmap2::MmapMut;

use crate::making::GenerateError;
use crate::memory::len;
use crate::work::checked::PieceWriter;

/// A number that files store in little-endian order.
pub(crate) trait FileNumber: Pod + Default {
    const BYTES: usize;

    fn put(numbers: &[Self], bytes: &mut [u8]);

    /// Reads the numbers in `bytes`.
    fn take(bytes: &[u8]) -> impl Iterator<Item = Self>;
}

macro_rules! stored {
    ($($number:ty)*) => {$(
        impl FileNumber for $number {
            const BYTES: usize = size_of::<Self>();

            fn put(numbers: &[Self], bytes: &mut [u8]) {
                for (bytes, number) in bytes.chunks_exact_mut(Self::BYTES).zip(numbers) {
                    bytes.copy_from_slice(&number.to_le_bytes());
                }
            }

            fn take(bytes: &[u8]) -> impl Iterator<Item = Self> {
                bytes.as_chunks().0.iter().map(|&bytes| Self::from_le_bytes(bytes))
            }
        }
    )*};
}

stored!(u8 u32 i8 i16 i32 i64);

/// For blocks without sizes.
impl FileNumber for () {
    const BYTES: usize = 0;

    fn put(_: &[Self], _: &mut [u8]) {}

    fn take(_: &[u8]) -> impl Iterator<Item = Self> {
        std::iter::empty()
    }
}

/// Bytes of a page of memory.
pub(crate) const PAGE: u64 = 4096;

/// Returns zeroed pages for `bytes` bytes, at least one page.
pub(crate) fn pages(bytes: u64) -> Result<MmapMut, GenerateError> {
    MmapMut::map_anon(len(bytes.max(PAGE))?).map_err(|_| GenerateError::Memory)
}

/// Decodes `bytes` into the next numbers of the iterator.
pub(crate) fn read_numbers<'a, N: FileNumber + 'a>(
    numbers: &mut impl Iterator<Item = &'a mut N>,
    bytes: &[u8],
) {
    N::take(bytes).zip(numbers).for_each(|(value, number)| *number = value);
}

/// Numbers converted per write.
const NUMBERS_PER_WRITE: usize = 1 << 14;

pub(crate) fn write_numbers<N: FileNumber>(numbers: &[N], writer: &mut PieceWriter) -> io::Result<()> {
    let mut bytes = vec![0; NUMBERS_PER_WRITE * N::BYTES];
    for numbers in numbers.chunks(NUMBERS_PER_WRITE) {
        let bytes = &mut bytes[..numbers.len() * N::BYTES];
        N::put(numbers, bytes);
        writer.write(bytes)?;
    }
    Ok(())
}
