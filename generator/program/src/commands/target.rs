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
    let WorkError::Io { error: why, path, .. } = &error else { return error.into() };
    let other = if is_forbidden(&error) { owner::other_of(path) } else { None };
    match (other, advice(why.kind())) {
        (Some(other), _) => format!("{error}; {other}: name another file with -o").into(),
        (None, Some(what_to_do)) => format!("{error}; {what_to_do}").into(),
        (None, None) => error.into(),
    }
}

/// Whether a work folder may not be written to: the same command meets the same again.
pub(crate) fn is_forbidden(error: &WorkError) -> bool {
    let kind = match error {
        WorkError::Io { error, .. } => error.kind(),
        _ => return false,
    };
    matches!(kind, io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Whose a file is.
mod owner {
    use std::path::Path;

    /// To which other user a file of a work folder, or the folder, belongs.
    #[cfg(unix)]
    pub(super) fn other_of(file: &Path) -> Option<String> {
        use std::os::unix::fs::MetadataExt;

        use bouton_tables::printable::printable_path;

        let own = rustix::process::geteuid().as_raw();
        let owned = |path: &Path| Some((path.to_owned(), path.metadata().ok()?.uid()));
        let all = [file.parent(), Some(file)].into_iter().flatten().filter_map(owned);
        let (path, user) = all.into_iter().find(|&(_, user)| user != own)?;
        Some(format!("{} belongs to {}", printable_path(&path), name(user)))
    }

    #[cfg(not(unix))]
    pub(super) fn other_of(_: &Path) -> Option<String> {
        None
    }

    /// The name of a user, as far as the system's list of users says.
    #[cfg(unix)]
    fn name(user: u32) -> String {
        let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        let named = users.lines().find_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            (fields.nth(1)?.parse() == Ok(user)).then(|| name.to_owned())
        });
        named.unwrap_or_else(|| format!("user {user}"))
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
