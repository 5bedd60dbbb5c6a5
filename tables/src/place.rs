//! Putting a file in its place: whole or absent.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Puts a file in its place so that it is there whole or not at all, whatever happens: written beside its
/// target, synced, renamed, and the folder synced. With `replace` false an existing target is left alone and
/// is an error.
///
/// # Errors
/// Whatever the file system reports. The target is untouched then; but if the last step fails, which is to
/// sync the folder, the new file is in its place.
pub fn write_whole(path: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    write_whole_by(path, replace, |file| file.write_all(bytes))
}

/// The same of what `write` writes.
///
/// # Errors
/// Whatever the file system or `write` reports.
pub fn write_whole_by<E: From<io::Error>>(
    path: &Path,
    replace: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut part = part_of(path)?;
    write(&mut part)?;
    part.as_file().sync_all()?;
    let placed = if replace { part.persist(path) } else { part.persist_noclobber(path) };
    placed.map_err(|error| error.error)?;
    // The rename itself is on disk only when the folder is. Not every system can open a folder; there the
    // rename stands.
    if let Ok(folder) = File::open(folder_of(path)) {
        folder.sync_all()?;
    }
    Ok(())
}

/// Whether [`write_whole`] could begin: finds out by making, and removing, a file beside the target.
///
/// # Errors
/// Whatever the file system reports.
pub fn can_write_beside(path: &Path) -> io::Result<()> {
    part_of(path)?.close()
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A temporary file beside a target.
fn part_of(path: &Path) -> io::Result<NamedTempFile> {
    let prefix = format!(".{}.", path.file_name().unwrap_or_default().to_string_lossy());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    // A temporary file is private by default; a table is like any other file that the user makes.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder_of(path))
}
