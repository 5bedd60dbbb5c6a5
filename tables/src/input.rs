//! Inputs that a command line names: a file, a pipe or device, or `-` for standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::printable::printable_path;

/// Returns true if a name is `-`, which means standard input or output.
pub fn is_dash(name: &Path) -> bool {
    name.as_os_str() == "-"
}

/// Returns the name of an input for messages.
pub fn display_name(name: &Path) -> String {
    if is_dash(name) { "standard input".to_owned() } else { printable_path(name) }
}

/// Returns true if a name stands for standard input, a pipe or a device: readable once only, and perhaps endless.
pub fn is_stream(name: &Path) -> bool {
    is_dash(name) || name.metadata().is_ok_and(|kind| !kind.is_file() && !kind.is_dir())
}

/// Opens an input by name. Opening a pipe waits for its writer.
pub fn open(name: &Path) -> io::Result<Box<dyn Read>> {
    if is_dash(name) {
        return Ok(Box::new(io::stdin()));
    }
    if name.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    Ok(Box::new(File::open(name)?))
}

/// The names of the presets, for programs without the feature `rulesets`.
pub(crate) const PRESET_NAMES: [&str; 9] =
    ["expanding", "sticks", "marienbad", "nim", "nim-misere", "subtraction", "moore", "wythoff", "nim-pass"];
