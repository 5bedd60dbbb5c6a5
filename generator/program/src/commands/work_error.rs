//! Adds advice to errors of work folders.

use std::error::Error;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use bouton_generator::WorkError;
use bouton_shell::advice_on_writing;
use bouton_tables::printable::printable_path;

/// Appends advice to an I/O error. The other errors contain their own advice.
pub(crate) fn with_advice(error: WorkError) -> Box<dyn Error> {
    let WorkError::Io { error: why, path, .. } = &error else { return error.into() };
    let foreign_owner = if is_forbidden(&error) { foreign_owner_message(path) } else { None };
    match (foreign_owner, advice_on_writing(why.kind())) {
        (Some(foreign_owner), _) => format!("{error}; {foreign_owner}: name another file with -o").into(),
        (None, Some(advice)) => format!("{error}; {advice}").into(),
        (None, None) => error.into(),
    }
}

/// Returns whether the system denies access to the work folder, so that the same command would fail again.
pub(crate) fn is_forbidden(error: &WorkError) -> bool {
    let WorkError::Io { error, .. } = error else { return false };
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Returns "PATH belongs to USER" if the file, or the folder that contains it, belongs to another user.
fn foreign_owner_message(file: &Path) -> Option<String> {
    let own = rustix::process::geteuid().as_raw();
    let with_owner = |path: &Path| Some((path.to_owned(), path.metadata().ok()?.uid()));
    let mut paths = [file.parent(), Some(file)].into_iter().flatten().filter_map(with_owner);
    let (path, user) = paths.find(|&(_, user)| user != own)?;
    Some(format!("{} belongs to {}", printable_path(&path), user_name(user)))
}

/// Returns a user's name from `/etc/passwd`, or "user NUMBER".
fn user_name(user: u32) -> String {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let named = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(user)).then(|| name.to_owned())
    });
    named.unwrap_or_else(|| format!("user {user}"))
}
