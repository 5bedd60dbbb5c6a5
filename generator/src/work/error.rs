//! Why a work folder cannot be used.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::names::PROGRESS;

/// Why a work folder cannot be used.
#[derive(Debug, Error)]
pub enum WorkError {
    /// Another process uses the folder.
    #[error("{} is used by another run; wait for its end, or name another file with -o", .0.display())]
    Busy(PathBuf),
    /// Another run has created the folder after this run started without one.
    #[error("{} was created by another run meanwhile; start again to resume from there", .0.display())]
    Taken(PathBuf),
    /// The path is not a work folder.
    #[error("{} is not a work folder: it has no file named {PROGRESS}; remove or rename it, or name another \
        file with -o", .0.display())]
    Foreign(PathBuf),
    /// The folder belongs to another table, or to another version.
    #[error("{} belongs to another table: {what} is {found} there, and {wanted} here; --restart discards it, \
        -o names another file", .folder.display())]
    Other {
        /// The folder.
        folder: PathBuf,
        /// The fact that differs.
        what: String,
        /// Its value in the folder.
        found: String,
        /// Its value in this run.
        wanted: String,
    },
    /// Rank 0 has created the folder, but this process does not see it.
    #[error("{} is not the same folder here as for the first process; -o must name a file in a folder that all machines share", .0.display())]
    Unseen(PathBuf),
    /// A file of the last checkpoint is missing.
    #[error("{} is missing, though the last checkpoint needs it; --restart discards its folder and starts \
        over", .0.display())]
    Missing(PathBuf),
    /// A file is damaged.
    #[error("{} is damaged; --restart discards its folder and starts over", .0.display())]
    Damaged(PathBuf),
    /// The operating system reports an error.
    #[error("cannot {doing} {}: {}", .path.display(), bouton_tables::program::unwritten(.error))]
    Io {
        /// The operation that failed.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
}

impl WorkError {
    pub(super) fn io<'a>(doing: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Self + use<'a> {
        move |error| Self::Io { doing, path: path.to_owned(), error }
    }
}
