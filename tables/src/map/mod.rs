//! Mapping a file into memory. Unsafe code is here, and in `prefetch`.

#[cfg(all(feature = "guard", target_os = "linux"))]
mod guard;
#[cfg(feature = "release")]
mod release;

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use crate::format::{PREFIX, stated_len};
use crate::input;

#[cfg(feature = "release")]
pub use release::release_large;

/// The bytes of a file: a small one is read, a large one mapped, read-only.
#[derive(Debug)]
pub struct Map(Bytes);

#[derive(Debug)]
enum Bytes {
    Read(Vec<u8>),
    Mapped(memmap2::Mmap),
    #[cfg(all(feature = "guard", target_os = "linux"))]
    Guarded(guard::Guarded),
}

/// A file up to this length is read: it would be checked from end to end on opening anyway, and what happens
/// to the file later cannot touch it.
const SMALL: u64 = 128 << 10;

impl Map {
    /// Maps or reads a file.
    ///
    /// As long as a map of more than 128 KiB lives, no program may shorten the file or write into it: reading
    /// what is gone ends the program. Bouton itself only ever replaces tables, by renaming a new file into
    /// their place, which leaves the map of the old one as it was. Where that cannot be relied on, take
    /// `guarded`.
    ///
    /// # Errors
    /// If it is not a regular file, and whatever the file system reports.
    pub fn open(path: &Path) -> io::Result<Self> {
        let (file, kind) = open_ordinary(path)?;
        if kind.len() <= SMALL {
            return read(file, kind.len());
        }
        // SAFETY: the map is only ever read, as bytes, of which every pattern is valid; all that is computed
        // from them is range-checked. That the file stays as it is, is the caller's to keep, as the doc
        // comment says.
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Self(Bytes::Mapped(map)))
    }

    /// What a command line names: a file as [`open`](Self::open) has it; `-`, which is standard input; or a pipe or device. Of what is
    /// no file, no more is read than its first bytes say that it has, and one byte.
    ///
    /// # Errors
    /// If it is a folder, and whatever the file system reports.
    pub fn named(name: &Path) -> io::Result<Self> {
        if input::is_stream(name) { Self::from_stream(input::open(name)?) } else { Self::open(name) }
    }

    /// Reads a file of ours from what need not end: as many bytes as its first ones say that it has, and one, which is too many.
    ///
    /// # Errors
    /// If there is not enough memory, and whatever the reader reports.
    pub fn from_stream(mut stream: impl Read) -> io::Result<Self> {
        let mut bytes = Vec::new();
        stream.by_ref().take(PREFIX as u64).read_to_end(&mut bytes)?;
        if let Some(len) = stated_len(&bytes) {
            stream.take(len.saturating_sub(PREFIX as u64).saturating_add(1)).read_to_end(&mut bytes)?;
        }
        Ok(Self(Bytes::Read(bytes)))
    }

    /// Reads a file of up to `small` bytes into memory, and maps a larger one so that the program survives whatever
    /// happens to it.
    ///
    /// Where a mapped file was cut short, or cannot be read, the map reads as zeros from then on, all of it. Whoever
    /// reads asks [`is_intact`](Self::is_intact) afterwards, and throws away what he read if it is not. (Systems other
    /// than Linux read every file into memory.)
    ///
    /// # Errors
    /// If it is not a regular file, too many files are mapped so, and whatever the file system reports.
    #[cfg(feature = "guard")]
    pub fn guarded(path: &Path, small: u64) -> io::Result<Self> {
        let (file, kind) = open_ordinary(path)?;
        #[cfg(target_os = "linux")]
        if kind.len() > small {
            return Ok(Self(Bytes::Guarded(guard::Guarded::new(file, &kind)?)));
        }
        let _ = small;
        read(file, kind.len())
    }

    /// Whether all that was read so far is what the file held when it was mapped: always so of bytes that were
    /// read, and not known of a map that is not guarded. Costs a system call for one that is.
    ///
    /// It tells of a file that was cut short, that could not be read, or that was written to by a program that says
    /// so to the system as it writes. Not of one whose time was set back afterwards, of writing through another map
    /// before the system notes it, nor always of files on network file systems: where such things happen, read files
    /// into memory.
    #[cfg(feature = "guard")]
    #[must_use]
    pub fn is_intact(&self) -> bool {
        match &self.0 {
            #[cfg(target_os = "linux")]
            Bytes::Guarded(map) => map.is_intact(),
            Bytes::Read(_) | Bytes::Mapped(_) => true,
        }
    }

    /// Whether the bytes are the program's own, so that nothing that happens to a file can touch them.
    #[must_use]
    pub fn is_in_memory(&self) -> bool {
        matches!(self.0, Bytes::Read(_))
    }
}

fn open_ordinary(path: &Path) -> io::Result<(File, Metadata)> {
    // Before it is opened, which would wait for ever for the other end of a pipe.
    let kind = std::fs::metadata(path)?;
    if kind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if !kind.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let file = File::open(path)?;
    // What was opened, which may be another one by now.
    let kind = file.metadata()?;
    Ok((file, kind))
}

fn read(file: File, len: u64) -> io::Result<Map> {
    let mut bytes = Vec::with_capacity(len as usize + 1);
    file.take(len + 1).read_to_end(&mut bytes)?;
    Ok(Map(Bytes::Read(bytes)))
}

/// The bytes of a file that was never on disk, such as a table made on the spot.
impl From<Vec<u8>> for Map {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Bytes::Read(bytes))
    }
}

/// A copy of bytes.
impl<B: AsRef<[u8]> + ?Sized> From<&B> for Map {
    fn from(bytes: &B) -> Self {
        bytes.as_ref().to_vec().into()
    }
}

impl AsRef<[u8]> for Map {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match &self.0 {
            Bytes::Read(bytes) => bytes,
            Bytes::Mapped(map) => map,
            #[cfg(all(feature = "guard", target_os = "linux"))]
            Bytes::Guarded(map) => map.bytes(),
        }
    }
}

#[cfg(test)]
impl Map {
    /// The bytes, which must be in memory, to change.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.0 {
            Bytes::Read(bytes) => bytes,
            _ => panic!("mapped bytes cannot be changed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn file_of(bytes: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, bytes).unwrap();
        file
    }

    fn bytes(len: usize) -> Vec<u8> {
        (0..len).map(|place| (place % 251) as u8).collect()
    }

    #[test]
    fn up_to_128_kib_are_read_and_more_is_mapped() {
        for (len, in_memory) in [(0, true), (1, true), (131_072, true), (131_073, false)] {
            let map = Map::open(file_of(&bytes(len)).path()).unwrap();
            assert_eq!(map.is_in_memory(), in_memory, "{len}");
            assert!(map.as_ref() == bytes(len), "{len}");
        }
    }

    #[test]
    #[cfg(all(feature = "guard", target_os = "linux"))]
    fn up_to_so_many_bytes_are_read_and_more_is_guarded() {
        for (len, in_memory) in [(999, true), (1000, true), (1001, false)] {
            let file = file_of(&bytes(len));
            let map = Map::guarded(file.path(), 1000).unwrap();
            assert!(map.is_intact() && map.is_in_memory() == in_memory, "{len}");
            assert!(map.as_ref() == bytes(len), "{len}");
            file.as_file().set_len(10).unwrap();
            assert_eq!(map.is_intact(), in_memory, "{len}");
        }
    }

    #[test]
    fn a_file_that_has_grown_meanwhile_is_read_one_byte_further() {
        // So that its length is seen to be wrong.
        let file = file_of(&bytes(10));
        assert_eq!(read(file.reopen().unwrap(), 3).unwrap().as_ref(), bytes(4));
        assert_eq!(read(file.reopen().unwrap(), 10).unwrap().as_ref(), bytes(10));
    }

    #[test]
    fn of_a_stream_as_much_is_read_as_it_says_that_it_has() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/format-1/sticks.bouton");
        let file = fs::read(path).unwrap();
        let read = |stream: &mut dyn Read| Map::from_stream(stream).unwrap().as_ref().to_vec();
        assert!(read(&mut &file[..]) == file);
        // What does not end is too long by one byte; what is none of ours is only begun.
        let mut longer = file.clone();
        longer.push(7);
        assert!(read(&mut file.chain(io::repeat(7))) == longer);
        assert_eq!(read(&mut io::repeat(7)), [7; PREFIX]);
        assert!(read(&mut &file[..100]) == file[..100] && read(&mut &file[..9]) == file[..9]);
        assert_eq!(read(&mut io::empty()), []);
    }

    #[test]
    #[cfg(unix)]
    fn a_device_can_be_named() {
        assert_eq!(Map::named(Path::new("/dev/null")).unwrap().as_ref(), []);
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Map::named(folder.path()).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert!(Map::named(file_of(&bytes(131_073)).path()).is_ok_and(|map| !map.is_in_memory()));
    }

    #[test]
    fn what_is_no_ordinary_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: &Path| Map::open(path).unwrap_err().kind();
        assert_eq!(refused(folder.path()), io::ErrorKind::IsADirectory);
        assert_eq!(refused(&folder.path().join("missing")), io::ErrorKind::NotFound);
        #[cfg(unix)]
        assert_eq!(refused(Path::new("/dev/null")), io::ErrorKind::InvalidInput);
    }
}
