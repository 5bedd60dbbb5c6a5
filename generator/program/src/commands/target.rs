//! The file that a command writes.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use bouton_generator::WorkError;
use bouton_tables::can_write_beside;
use bouton_tables::program::unwritten;

/// The file to write: through a link, the one that it names, which is what is replaced.
pub(crate) fn behind_link(file: &Path) -> PathBuf {
    if file.is_symlink() { file.canonicalize().unwrap_or_else(|_| file.to_owned()) } else { file.to_owned() }
}

/// Checks, before any work is begun, that a file can be written. One that exists is an error, worded by `there`,
/// unless it may be replaced.
pub(crate) fn check(file: &Path, force: bool, there: &str) -> Result<(), Box<dyn Error>> {
    let shown = file.display();
    let wrong = match file.metadata() {
        _ if file == Path::new("-") => {
            "only `export` writes to standard output; name a file with -o".to_owned()
        }
        Ok(kind) if kind.is_dir() => {
            format!("{shown} is a folder; name a file in it, for example -o {shown}/NAME")
        }
        Ok(kind) if !kind.is_file() => format!("{shown} is not a regular file; name another one with -o"),
        Ok(_) if !force => format!("{shown} {there}; --force replaces it, -o names another file"),
        Err(_) if file.is_symlink() => {
            format!("{shown} is a link to nothing; remove it, or name another file with -o")
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot_write(file, &error)),
        Ok(_) | Err(_) => return can_write_beside(file).map_err(|error| cannot_write(file, &error)),
    };
    Err(wrong.into())
}

/// The error for a file that cannot be written.
pub(crate) fn cannot_write(file: &Path, error: &io::Error) -> Box<dyn Error> {
    let what_to_do = advice(error.kind()).unwrap_or(match error.kind() {
        io::ErrorKind::NotFound => "make its folder first, or name another file with -o",
        io::ErrorKind::AlreadyExists => "it was created meanwhile; --force replaces it",
        _ => "name another file with -o",
    });
    format!("cannot write {}: {}; {what_to_do}", file.display(), unwritten(error)).into()
}

/// The error for a work folder that cannot be used.
pub(crate) fn with_advice(error: WorkError) -> Box<dyn Error> {
    match &error {
        WorkError::Io { error: why, .. } => match advice(why.kind()) {
            Some(what_to_do) => format!("{error}; {what_to_do}").into(),
            None => error.into(),
        },
        _ => error.into(),
    }
}

/// What to do about a file that cannot be written.
fn advice(kind: io::ErrorKind) -> Option<&'static str> {
    match kind {
        io::ErrorKind::PermissionDenied => Some("make its folder writable, or name another file with -o"),
        io::ErrorKind::StorageFull => Some("free some space, or name a file on another disk with -o"),
        _ => None,
    }
}
