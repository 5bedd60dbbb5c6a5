//! Mapping a file into memory. The only module with unsafe code.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a file: a small one is read, a large one mapped, read-only.
#[derive(Debug)]
pub struct Map(Bytes);

#[derive(Debug)]
enum Bytes {
    Read(Vec<u8>),
    Mapped(memmap2::Mmap),
}

/// A file up to this length is read: it would be checked from end to end on opening anyway, and what happens
/// to the file later cannot touch it.
const SMALL: u64 = 128 << 10;

impl Map {
    /// Maps or reads a file.
    ///
    /// As long as a map of more than 128 KiB lives, no program may shorten the file or write into it: reading
    /// what is gone ends the program. Bouton itself only ever replaces tables, by renaming a new file into
    /// their place, which leaves the map of the old one as it was. Where that cannot be relied on, read the
    /// file into a vector: a table is opened from either.
    ///
    /// # Errors
    /// If it is no ordinary file, and whatever the file system reports.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Before it is opened, which would wait for ever for the other end of a pipe.
        let kind = std::fs::metadata(path)?;
        if kind.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        if !kind.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no ordinary file"));
        }
        let mut file = File::open(path)?;
        if kind.len() <= SMALL {
            let mut bytes = Vec::with_capacity(kind.len() as usize + 1);
            file.by_ref().take(SMALL + 1).read_to_end(&mut bytes)?;
            return Ok(Self(Bytes::Read(bytes)));
        }
        // SAFETY: the map is only ever read, as bytes, of which every pattern is valid; all that is computed
        // from them is range-checked. That the file stays as it is, is the caller's to keep, as the doc
        // comment says.
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Self(Bytes::Mapped(map)))
    }
}

/// The bytes of a file that was never on disk, such as a table made on the spot.
impl From<Vec<u8>> for Map {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Bytes::Read(bytes))
    }
}

impl AsRef<[u8]> for Map {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match &self.0 {
            Bytes::Read(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}
