//! Memory maps of files, with most of the crate's unsafe code.

#[cfg(feature = "return-memory")]
mod freed_memory;
#[cfg(all(feature = "guard", target_os = "linux"))]
mod guard;

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use crate::format::{PREFIX_LEN, stated_len};
use crate::input;

#[cfg(feature = "return-memory")]
pub use freed_memory::return_freed_memory;

/// The bytes of a file: read into memory if it is small, otherwise mapped read-only.
#[derive(Debug)]
pub struct Map(Bytes);

#[derive(Debug)]
enum Bytes {
    InMemory(Vec<u8>),
    Mapped(memmap2::Mmap),
    #[cfg(all(feature = "guard", target_os = "linux"))]
    Guarded(guard::Guarded),
}

/// A file of at most this length is read into memory: opening a table of this length reads and checks all of it anyway.
const MAX_READ: u64 = 128 << 10;

impl Map {
    /// Maps or reads a file.
    ///
    /// While a map of more than 128 KiB is open, no program may truncate the file or write to it: reading a missing
    /// page ends the program that has the map. Bouton itself replaces a table by renaming a new file, which leaves open
    /// maps intact. If other programs may change the file, use `guarded`.
    pub fn open(path: &Path) -> io::Result<Self> {
        let (file, metadata) = open_regular(path)?;
        if metadata.len() <= MAX_READ {
            return read(file, metadata.len());
        }
        // SAFETY: the map is only read, as bytes, for which every pattern is valid, and all values computed from them
        // are range-checked. The caller ensures that the file does not change, as the doc comment requires.
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Self(Bytes::Mapped(map)))
    }

    /// Opens the file that a command line names: a path, like [`open`](Self::open); or a pipe, a device or `-` for
    /// standard input, like [`from_stream`](Self::from_stream).
    pub fn named(name: &Path) -> io::Result<Self> {
        if input::is_stream(name) { Self::from_stream(input::open(name)?) } else { Self::open(name) }
    }

    /// Reads a Bouton file from a stream, which may be endless. Reads the bytes that the prefix announces, and one more
    /// if there is one, which shows that the length is wrong. If the stream is not a Bouton file, reads only as many
    /// bytes as a prefix has.
    pub fn from_stream(mut stream: impl Read) -> io::Result<Self> {
        let mut bytes = Vec::new();
        stream.by_ref().take(PREFIX_LEN as u64).read_to_end(&mut bytes)?;
        if let Some(len) = stated_len(&bytes) {
            stream.take(len.saturating_sub(PREFIX_LEN as u64).saturating_add(1)).read_to_end(&mut bytes)?;
        }
        Ok(Self(Bytes::InMemory(bytes)))
    }

    /// Reads a file of at most `max_read` bytes, and maps a longer one so that no change to it ends the program.
    ///
    /// If a mapped file is truncated or cannot be read, the whole map reads as zeros from then on. After reading, call
    /// [`is_intact`](Self::is_intact), and discard the result if the map is not intact. (Systems other than Linux read
    /// every file into memory.) Fails if the file is not regular, or too many files are guarded.
    #[cfg(feature = "guard")]
    pub fn guarded(path: &Path, max_read: u64) -> io::Result<Self> {
        let (file, metadata) = open_regular(path)?;
        #[cfg(target_os = "linux")]
        if metadata.len() > max_read {
            return Ok(Self(Bytes::Guarded(guard::Guarded::new(file, &metadata)?)));
        }
        let _ = max_read;
        read(file, metadata.len())
    }

    /// Returns true if the file has not changed since it was mapped. Always true for bytes in memory, and for unguarded
    /// maps, whose changes are not detected. Takes a system call for a guarded map.
    ///
    /// Detects a file that was truncated or unreadable, or that a program wrote to with `write`. Does not detect a file
    /// whose time was set back, a write through another map that the system has not noted yet, nor every change on
    /// network file systems. If these can happen, read files into memory.
    #[cfg(feature = "guard")]
    pub fn is_intact(&self) -> bool {
        match &self.0 {
            #[cfg(target_os = "linux")]
            Bytes::Guarded(map) => map.is_intact(),
            Bytes::InMemory(_) | Bytes::Mapped(_) => true,
        }
    }

    /// Returns true if the bytes are in the program's own memory, where no change to a file affects them.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.0, Bytes::InMemory(_))
    }
}

/// Opens a regular file.
fn open_regular(path: &Path) -> io::Result<(File, Metadata)> {
    // Check the type before opening: opening a pipe might wait forever.
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let file = File::open(path)?;
    // Take the length of the opened file, which may have been replaced meanwhile.
    let metadata = file.metadata()?;
    Ok((file, metadata))
}

/// Reads a file of `len` bytes. If the file has grown, one byte more shows that the length is wrong.
fn read(file: File, len: u64) -> io::Result<Map> {
    let mut bytes = Vec::with_capacity(len as usize + 1);
    file.take(len + 1).read_to_end(&mut bytes)?;
    Ok(Map(Bytes::InMemory(bytes)))
}

/// Wraps the bytes of a file that was never on disk, such as a table just made.
impl From<Vec<u8>> for Map {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Bytes::InMemory(bytes))
    }
}

/// Copies the bytes.
impl<B: AsRef<[u8]> + ?Sized> From<&B> for Map {
    fn from(bytes: &B) -> Self {
        bytes.as_ref().to_vec().into()
    }
}

impl AsRef<[u8]> for Map {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match &self.0 {
            Bytes::InMemory(bytes) => bytes,
            Bytes::Mapped(map) => map,
            #[cfg(all(feature = "guard", target_os = "linux"))]
            Bytes::Guarded(map) => map.bytes(),
        }
    }
}

#[cfg(test)]
impl Map {
    /// Returns the bytes for changes; they must be in memory.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.0 {
            Bytes::InMemory(bytes) => bytes,
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
        (0..len).map(|index| (index % 251) as u8).collect()
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
    fn files_up_to_the_limit_are_read_and_larger_ones_guarded() {
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
    fn a_file_that_has_grown_is_read_one_byte_further() {
        let file = file_of(&bytes(10));
        assert_eq!(read(file.reopen().unwrap(), 3).unwrap().as_ref(), bytes(4));
        assert_eq!(read(file.reopen().unwrap(), 10).unwrap().as_ref(), bytes(10));
    }

    #[test]
    fn a_stream_is_read_up_to_its_stated_length() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/tables/sticks.bouton");
        let file = fs::read(path).unwrap();
        let read = |stream: &mut dyn Read| Map::from_stream(stream).unwrap().as_ref().to_vec();
        assert!(read(&mut &file[..]) == file);
        // An endless stream yields one byte too many; a stream that is not a Bouton file yields its first bytes only.
        let mut longer = file.clone();
        longer.push(7);
        assert!(read(&mut file.chain(io::repeat(7))) == longer);
        assert_eq!(read(&mut io::repeat(7)), [7; PREFIX_LEN]);
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
    fn special_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: &Path| Map::open(path).unwrap_err().kind();
        assert_eq!(refused(folder.path()), io::ErrorKind::IsADirectory);
        assert_eq!(refused(&folder.path().join("missing")), io::ErrorKind::NotFound);
        #[cfg(unix)]
        assert_eq!(refused(Path::new("/dev/null")), io::ErrorKind::InvalidInput);
    }
}
