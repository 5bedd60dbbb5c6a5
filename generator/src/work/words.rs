//! Blocks of little-endian numbers in the work folder, read in the order in which they were written. A *word* has 64 bits,
//! a *half* 32.

use std::io;

use super::WorkFolder;
use super::checked::PieceWriter;
use super::error::WorkError;
use crate::making::GenerateError;
use crate::memory::room;

/// Bytes read from the file at once.
const READ_SIZE: u64 = 1 << 20;

/// Writes the numbers of a block.
pub(crate) struct WordWriter<'a, 'b>(&'a mut PieceWriter<'b>);

impl WordWriter<'_, '_> {
    pub(crate) fn write_word(&mut self, word: u64) -> io::Result<()> {
        self.0.write(&word.to_le_bytes())
    }

    pub(crate) fn write_half(&mut self, half: u32) -> io::Result<()> {
        self.0.write(&half.to_le_bytes())
    }

    pub(crate) fn words(&mut self, words: &[u64]) -> io::Result<()> {
        words.iter().try_for_each(|&word| self.write_word(word))
    }
}

/// Writes a block of numbers. Returns the length of its content in bytes.
pub(crate) fn write(
    folder: &WorkFolder,
    name: &str,
    mut write: impl FnMut(&mut WordWriter) -> io::Result<()>,
) -> Result<u64, WorkError> {
    folder.write(name, &mut |writer| write(&mut WordWriter(writer)))
}

/// Reads the numbers of a block.
pub(crate) struct WordReader<'a> {
    folder: &'a WorkFolder,
    name: &'a str,
    /// Length of the content, in bytes.
    content: u64,
    /// Offset up to which the content was read into the buffer.
    buffered: u64,
    buffer: Vec<u8>,
    /// Bytes of the buffer that were consumed.
    consumed: usize,
}

impl<'a> WordReader<'a> {
    pub(crate) fn new(folder: &'a WorkFolder, name: &'a str, content: u64) -> Result<Self, GenerateError> {
        Ok(Self { folder, name, content, buffered: 0, buffer: room(READ_SIZE + 8)?, consumed: 0 })
    }

    pub(crate) fn word(&mut self) -> Result<u64, GenerateError> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    pub(crate) fn half(&mut self) -> Result<u32, GenerateError> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    /// Reads `count` words.
    pub(crate) fn words(&mut self, count: u64) -> Result<Vec<u64>, GenerateError> {
        self.check_left(count, 8)?;
        let mut words = room(count)?;
        for _ in 0..count {
            words.push(self.word()?);
        }
        Ok(words)
    }

    pub(crate) fn damaged(&self) -> GenerateError {
        self.folder.damaged(self.name).into()
    }

    /// Returns an error unless at least `count` numbers of `size` bytes follow. Call this before an allocation of `count`
    /// items.
    pub(crate) fn check_left(&self, count: u64, size: u64) -> Result<(), GenerateError> {
        let left = self.content - self.buffered + (self.buffer.len() - self.consumed) as u64;
        if count <= left / size { Ok(()) } else { Err(self.damaged()) }
    }

    /// Returns an error unless all content was consumed.
    pub(crate) fn end(&self) -> Result<(), GenerateError> {
        let is_end = self.buffered == self.content && self.consumed == self.buffer.len();
        if is_end { Ok(()) } else { Err(self.damaged()) }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], GenerateError> {
        if self.buffer.len() - self.consumed < N {
            self.fill()?;
        }
        let Some(bytes) = self.buffer[self.consumed..].first_chunk() else { return Err(self.damaged()) };
        self.consumed += N;
        Ok(*bytes)
    }

    fn fill(&mut self) -> Result<(), GenerateError> {
        self.buffer.drain(..self.consumed);
        self.consumed = 0;
        let part = self.buffered..self.content.min(self.buffered + READ_SIZE);
        self.buffered = part.end;
        let buffer = &mut self.buffer;
        self.folder.read(self.name, self.content, part, &mut |bytes| buffer.extend_from_slice(bytes))?;
        Ok(())
    }
}
