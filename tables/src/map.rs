//! Mapping a file into memory. The only module with unsafe code.

use std::fs::File;
use std::io;
use std::path::Path;

/// A file, mapped read-only.
#[derive(Debug)]
pub struct Map(memmap2::Mmap);

impl Map {
    /// Maps a file.
    ///
    /// As long as the map lives, no program may shorten the file or write into it; Bouton itself only ever replaces tables, by
    /// renaming a new file into their place, which leaves the map of the old one as it was. Where that cannot be relied
    /// on, read the file into a vector: a table is opened from either.
    ///
    /// # Errors
    /// Whatever the file system reports.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        // SAFETY: the map is only ever read, as bytes, of which every pattern is valid; all that is computed from them is
        // range-checked. That the file stays as it is, is the caller's to keep, as the doc comment says.
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Self(map))
    }
}

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
