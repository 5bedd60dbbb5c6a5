//! Files that can be read from any offset, with checksums that show damage.
//!
//! The content is cut into pieces of [`PIECE`] bytes; the last one may be shorter. A CRC-32 in four little-endian bytes
//! follows each piece. The CRC-32 covers the file's name, the number of the piece and the piece, so a renamed file and
//! exchanged pieces count as damaged.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use crc32fast::Hasher;

use super::error::WorkError;

/// Bytes of a piece.
pub(crate) const PIECE: usize = 1 << 16;
/// Bytes of a checksum.
const SUM: usize = 4;

/// Removes a file, if there is one.
pub(crate) fn remove_if_exists(path: &Path) -> Result<(), WorkError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(WorkError::io("remove", path)(error)),
        _ => Ok(()),
    }
}

/// Returns the checksum of a piece of the file `name`.
fn sum(name: &str, number: u64, piece: &[u8]) -> [u8; SUM] {
    let mut hasher = Hasher::new();
    hasher.update(name.as_bytes());
    hasher.update(&number.to_le_bytes());
    hasher.update(piece);
    hasher.finalize().to_le_bytes()
}

/// Returns the length of a file whose content has `content_len` bytes.
pub(crate) fn len_of_file(content_len: u64) -> u64 {
    content_len + content_len.div_ceil(PIECE as u64) * SUM as u64
}

/// Writes a file with checksums.
pub(crate) struct PieceWriter<'a> {
    file: BufWriter<File>,
    name: &'a str,
    /// Number of complete pieces.
    pieces: u64,
    /// Content of the piece that is not complete yet.
    piece: Vec<u8>,
}

impl<'a> PieceWriter<'a> {
    pub(crate) fn new(path: &Path, name: &'a str) -> Result<Self, WorkError> {
        // A run that was interrupted before its checkpoint may have left a file of this name: replace it. Never write
        // through a link.
        remove_if_exists(path)?;
        let file = BufWriter::with_capacity(
            PIECE + SUM,
            File::create_new(path).map_err(WorkError::io("write", path))?,
        );
        Ok(Self { file, name, pieces: 0, piece: Vec::with_capacity(PIECE) })
    }

    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PIECE - self.piece.len()));
            self.piece.extend_from_slice(now);
            bytes = later;
            if self.piece.len() == PIECE {
                self.end_piece()?;
            }
        }
        Ok(())
    }

    fn end_piece(&mut self) -> io::Result<()> {
        self.file.write_all(&self.piece)?;
        self.file.write_all(&sum(self.name, self.pieces, &self.piece))?;
        self.pieces += 1;
        self.piece.clear();
        Ok(())
    }

    /// Finishes the file, without syncing it. Returns the length of its content.
    pub(crate) fn finish(mut self) -> io::Result<u64> {
        let content_len = self.pieces * PIECE as u64 + self.piece.len() as u64;
        if !self.piece.is_empty() {
            self.end_piece()?;
        }
        self.file.flush()?;
        Ok(content_len)
    }
}

/// Reads the bytes `range` of a file's content, which has `content_len` bytes in all, and calls `visit` for each piece
/// of the range.
///
/// # Errors
/// If the file is missing, is damaged, or cannot be read; `visit` may have been called for earlier pieces.
pub(crate) fn read(
    path: &Path,
    name: &str,
    content_len: u64,
    range: Range<u64>,
    visit: &mut dyn FnMut(&[u8]),
) -> Result<(), WorkError> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => WorkError::Missing(path.to_owned()),
        io::ErrorKind::UnexpectedEof => WorkError::Damaged(path.to_owned()),
        _ => WorkError::io("read", path)(error),
    };
    let damaged = || Err(WorkError::Damaged(path.to_owned()));
    let mut file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.len() != len_of_file(content_len) {
        return damaged();
    }
    let piece = PIECE as u64;
    let mut buffer = vec![0; PIECE + SUM];
    let first = range.start / piece;
    file.seek(SeekFrom::Start(first * (piece + SUM as u64))).map_err(failed)?;
    for number in first..range.end.div_ceil(piece) {
        let start = number * piece;
        let len = piece.min(content_len - start) as usize;
        let read = &mut buffer[..len + SUM];
        file.read_exact(read).map_err(failed)?;
        let (bytes, stated) = read.split_at(len);
        if sum(name, number, bytes) != stated {
            return damaged();
        }
        let offset = |position: u64| position.saturating_sub(start).min(len as u64) as usize;
        visit(&bytes[offset(range.start)..offset(range.end)]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_range_can_be_read_and_damage_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("name");
        let content: Vec<u8> = (0..2 * PIECE + 100).map(|at| (at * at / 7) as u8).collect();
        let mut writer = PieceWriter::new(&path, "name").unwrap();
        content.chunks(1000).for_each(|chunk| writer.write(chunk).unwrap());
        let all = content.len() as u64;
        assert_eq!(writer.finish().unwrap(), all);
        assert_eq!(fs::metadata(&path).unwrap().len(), len_of_file(all));
        let read_range = |name: &str, range: Range<u64>| {
            let mut found = Vec::new();
            match read(&path, name, all, range, &mut |bytes| found.extend_from_slice(bytes)) {
                Ok(()) => Some(found),
                Err(WorkError::Damaged(_)) => None,
                Err(error) => panic!("{error}"),
            }
        };
        let piece = PIECE as u64;
        for (from, to) in
            [(0, all), (0, 0), (all, all), (5, 6), (piece - 1, piece + 1), (piece, 2 * piece), (1, all - 1)]
        {
            assert_eq!(read_range("name", from..to).as_deref(), Some(&content[from as usize..to as usize]));
        }
        assert_eq!(read_range("other", 0..1), None, "a file of another name");
        let whole = fs::read(&path).unwrap();
        for at in [0, PIECE - 1, PIECE, PIECE + 3, 2 * PIECE + 8, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            assert_eq!(read_range("name", 0..all), None, "byte {at}");
        }
        let (first, rest) = whole.split_at(PIECE + SUM);
        let (second, last) = rest.split_at(PIECE + SUM);
        fs::write(&path, [second, first, last].concat()).unwrap();
        assert_eq!(read_range("name", 0..all), None, "two pieces are exchanged");
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert_eq!(read_range("name", 0..1), None, "a file cut short");
    }
}
