//! Texts in files, with a CRC-32 in the last line that shows damage.

use std::fs;
use std::io;
use std::path::Path;

use super::error::WorkError;

/// Bytes of the last line: a word, eight digits, and the end of the line.
const SEAL: usize = 15;

/// First word of the last line.
const CRC32: &str = "crc32 ";

/// Returns the last line for a text.
fn seal(text: &[u8]) -> String {
    format!("{CRC32}{:08x}\n", crc32fast::hash(text))
}

/// Appends the last line to a text.
pub(crate) fn sealed(text: String) -> String {
    let seal = seal(text.as_bytes());
    text + &seal
}

/// Returns the text without its last line; `None` if damaged.
pub(crate) fn unsealed(bytes: &[u8]) -> Option<&str> {
    let (text, stated) = bytes.split_last_chunk::<SEAL>()?;
    if stated == seal(text).as_bytes() { str::from_utf8(text).ok() } else { None }
}

/// Reads a file; `None` if there is none.
pub(crate) fn read_if_exists(path: &Path) -> Result<Option<Vec<u8>>, WorkError> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some).map_err(WorkError::io("read", path)),
    }
}
