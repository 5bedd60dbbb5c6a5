//! What a command line names to read from: a file, a pipe, or `-`, which is standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::printable::printable_path;

/// Whether a name on a command line means standard input, or standard output: `-`.
#[must_use]
pub fn is_dash(name: &Path) -> bool {
    name.as_os_str() == "-"
}

/// What to call the input in messages.
#[must_use]
pub fn shown(name: &Path) -> String {
    if is_dash(name) { "standard input".to_owned() } else { printable_path(name) }
}

/// Whether a name is that of no ordinary file or folder, but of standard input, a pipe or a device: it can be read once, and need not
/// end.
#[must_use]
pub fn is_stream(name: &Path) -> bool {
    is_dash(name) || name.metadata().is_ok_and(|kind| !kind.is_file() && !kind.is_dir())
}

/// Opens what is named. A pipe into which nobody writes yet is waited for.
///
/// # Errors
/// If it is a folder, and whatever the file system reports.
pub fn open(name: &Path) -> io::Result<Box<dyn Read>> {
    if is_dash(name) {
        return Ok(Box::new(io::stdin()));
    }
    if name.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    Ok(Box::new(File::open(name)?))
}

/// The names of the presets, which are no files; also where their rules are not compiled in.
pub(crate) const PRESET_NAMES: [&str; 9] =
    ["expanding", "sticks", "marienbad", "nim", "nim-misere", "subtraction", "moore", "wythoff", "nim-pass"];
