//! Files of numbers one after the other, each with its least byte first, that are read in the order in which they were written.

use std::io;

use super::checked::Writer;
use super::{WorkError, WorkFolder};
use crate::GenerateError;
use crate::memory::room;

/// Bytes that are read at a time.
const AT_A_TIME: u64 = 1 << 20;

/// Numbers that are being written.
pub(crate) struct Output<'a, 'b> {
    writer: &'a mut Writer<'b>,
    /// Bytes so far.
    bytes: u64,
}

impl Output<'_, '_> {
    pub(crate) fn word(&mut self, word: u64) -> io::Result<()> {
        self.put(&word.to_le_bytes())
    }

    /// A number of four bytes.
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

/// Writes numbers to a file of the folder. Gives the bytes of its content.
pub(crate) fn write(
    folder: &WorkFolder,
    name: &str,
    write: impl FnOnce(&mut Output) -> io::Result<()>,
) -> Result<u64, WorkError> {
    let mut content = 0;
    folder.write(name, |writer| {
        let mut output = Output { writer, bytes: 0 };
        write(&mut output)?;
        content = output.bytes;
        Ok(())
    })?;
    Ok(content)
}

/// Numbers that were written, to be read.
pub(crate) struct Input<'a> {
    folder: &'a WorkFolder,
    name: &'a str,
    /// Bytes of the content, and how many of them were asked of the file.
    content: u64,
    asked: u64,
    buffer: Vec<u8>,
    /// Bytes of the buffer that were read.
    used: usize,
}

impl<'a> Input<'a> {
    pub(crate) fn new(folder: &'a WorkFolder, name: &'a str, content: u64) -> Result<Self, GenerateError> {
        Ok(Self { folder, name, content, asked: 0, buffer: room(AT_A_TIME + 8)?, used: 0 })
    }

    pub(crate) fn word(&mut self) -> Result<u64, GenerateError> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    pub(crate) fn half(&mut self) -> Result<u32, GenerateError> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    /// So many words.
    pub(crate) fn words(&mut self, count: u64) -> Result<Vec<u64>, GenerateError> {
        self.expect(count, 8)?;
        let mut words = room(count)?;
        for _ in 0..count {
            words.push(self.word()?);
        }
        Ok(words)
    }

    /// What to say of a file that contradicts itself.
    pub(crate) fn damaged(&self) -> GenerateError {
        self.folder.damaged(self.name).into()
    }

    /// That so many numbers of so many bytes follow at the least.
    pub(crate) fn expect(&self, count: u64, bytes: u64) -> Result<(), GenerateError> {
        let left = self.content - self.asked + (self.buffer.len() - self.used) as u64;
        if count <= left / bytes { Ok(()) } else { Err(self.damaged()) }
    }

    /// That all was read.
    pub(crate) fn end(&self) -> Result<(), GenerateError> {
        let is_end = self.asked == self.content && self.used == self.buffer.len();
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
        let part = self.asked..self.content.min(self.asked + AT_A_TIME);
        self.asked = part.end;
        let buffer = &mut self.buffer;
        self.folder.read(self.name, self.content, part, |bytes| buffer.extend_from_slice(bytes))?;
        Ok(())
    }
}
