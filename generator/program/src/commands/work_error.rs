//! Adds advice to errors of work folders.

use std::error::Error;
use std::io;

use bouton_generator::WorkError;
use bouton_shell::advice_on_writing;
use bouton_tables::printable::printable_path;

/// Returns the error with advice on what to do.
pub(crate) fn with_advice(error: WorkError) -> Box<dyn Error> {
    let WorkError::Io { error: why, path, .. } = &error else { return error.into() };
    let other = if is_forbidden(&error) { owner::other_of(path) } else { None };
    match (other, advice_on_writing(why.kind())) {
        (Some(other), _) => format!("{error}; {other}: name another file with -o").into(),
        (None, Some(what_to_do)) => format!("{error}; {what_to_do}").into(),
        (None, None) => error.into(),
    }
}

/// Returns whether writing to the work folder is not permitted, so that the same command would fail again.
pub(crate) fn is_forbidden(error: &WorkError) -> bool {
    let kind = match error {
        WorkError::Io { error, .. } => error.kind(),
        _ => return false,
    };
    matches!(kind, io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Owners of files.
mod owner {
    use std::path::Path;

    /// Returns the message if the folder or a file of it belongs to another user.
    #[cfg(unix)]
    pub(super) fn other_of(file: &Path) -> Option<String> {
        use std::os::unix::fs::MetadataExt;

        use super::printable_path;

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

    /// Returns a user's name from `/etc/passwd`, or "user NUMBER".
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
