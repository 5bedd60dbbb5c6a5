//! Files of little-endian numbers, read in the order of writing.

use std::io;

use super::checked::PieceWriter;
use super::{WorkError, WorkFolder};
use crate::GenerateError;
use crate::memory::room;

const READ_SIZE: u64 = 1 << 20;

pub(crate) struct WordWriter<'a, 'b> {
    writer: &'a mut PieceWriter<'b>,
    bytes: u64,
}

impl WordWriter<'_, '_> {
    pub(crate) fn word(&mut self, word: u64) -> io::Result<()> {
        self.put(&word.to_le_bytes())
    }

    pub(crate) fn half(&mut self, half: u32) -> io::Result<()> {
        self.put(&half.to_le_bytes())
    }

    pub(crate) fn words(&mut self, words: &[u64]) -> io::Result<()> {
        words.iter().try_for_each(|&word| self.word(word))
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        self.writer.write(bytes)
    }
}

/// Writes numbers to a file of the folder. Returns the bytes of its content.
pub(crate) fn write(
    folder: &WorkFolder,
    name: &str,
    write: impl FnOnce(&mut WordWriter) -> io::Result<()>,
) -> Result<u64, WorkError> {
    let mut content = 0;
    folder.write(name, |writer| {
        let mut output = WordWriter { writer, bytes: 0 };
        write(&mut output)?;
        content = output.bytes;
        Ok(())
    })?;
    Ok(content)
}

pub(crate) struct WordReader<'a> {
    folder: &'a WorkFolder,
    name: &'a str,
    /// Bytes of the content, and how many of them were read into the buffer.
    content: u64,
    requested: u64,
    buffer: Vec<u8>,
    /// Bytes of the buffer that were consumed.
    used: usize,
}

impl<'a> WordReader<'a> {
    pub(crate) fn new(folder: &'a WorkFolder, name: &'a str, content: u64) -> Result<Self, GenerateError> {
        Ok(Self { folder, name, content, requested: 0, buffer: room(READ_SIZE + 8)?, used: 0 })
    }

    pub(crate) fn word(&mut self) -> Result<u64, GenerateError> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    pub(crate) fn half(&mut self) -> Result<u32, GenerateError> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    /// Reads `count` words.
    pub(crate) fn words(&mut self, count: u64) -> Result<Vec<u64>, GenerateError> {
        self.expect(count, 8)?;
        let mut words = room(count)?;
        for _ in 0..count {
            words.push(self.word()?);
        }
        Ok(words)
    }

    pub(crate) fn damaged(&self) -> GenerateError {
        self.folder.damaged(self.name).into()
    }

    /// Returns an error unless at least `count` numbers of `bytes` bytes follow. Call this before an allocation of
    /// `count` items.
    pub(crate) fn expect(&self, count: u64, bytes: u64) -> Result<(), GenerateError> {
        let left = self.content - self.requested + (self.buffer.len() - self.used) as u64;
        if count <= left / bytes { Ok(()) } else { Err(self.damaged()) }
    }

    /// Returns an error unless everything was read.
    pub(crate) fn end(&self) -> Result<(), GenerateError> {
        let is_end = self.requested == self.content && self.used == self.buffer.len();
        if is_end { Ok(()) } else { Err(self.damaged()) }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], GenerateError> {
        if self.buffer.len() - self.used < N {
            self.fill()?;
        }
        let Some(bytes) = self.buffer[self.used..].first_chunk() else { return Err(self.damaged()) };
        self.used += N;
        Ok(*bytes)
    }

    fn fill(&mut self) -> Result<(), GenerateError> {
        self.buffer.drain(..self.used);
        self.used = 0;
        let part = self.requested..self.content.min(self.requested + READ_SIZE);
        self.requested = part.end;
        let buffer = &mut self.buffer;
        self.folder.read(self.name, self.content, part, |bytes| buffer.extend_from_slice(bytes))?;
        Ok(())
    }
}
