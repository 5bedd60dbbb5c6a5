//! Atomic writing of files: a file has its final name when it is complete, and not before.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::FileLock;

/// A file being written, a *part*, in the folder of its target and under a hidden name: `.NAME.RANDOM.part`. Dropping a
/// part removes it, unless [`place`](Self::place) or [`keep`](Self::keep) has renamed it.
///
/// The writing process holds a lock on the part; the lock ends with the process, even if killed. A part without a lock
/// is a leftover, which the next [`PartFile::beside`] for the same target removes. Unlike a process id, a lock cannot
/// pass to another process, and network file systems share locks between machines. If the file system has no locks,
/// leftovers stay. If each machine has its own locks, one machine may remove another machine's part, whose run then
/// fails. On such file systems, let only one machine at a time write a target.
#[derive(Debug)]
pub struct PartFile {
    file: NamedTempFile,
    target: PathBuf,
}

/// A finished file that could not be renamed to its target.
#[derive(Debug)]
pub struct PlacementError {
    /// The error of the file system; [`io::ErrorKind::AlreadyExists`] if the target exists.
    pub error: io::Error,
    /// The part. `None` if the file was renamed, and only syncing the folder failed.
    pub part: Option<PartFile>,
}

/// Length of RANDOM in a name.
const RANDOM: usize = 6;
/// End of a name.
const ENDING: &str = ".part";

impl PartFile {
    /// Creates a part beside a target, and removes the target's leftovers of killed processes.
    pub fn beside(target: &Path) -> io::Result<Self> {
        remove_leftovers(target);
        let mut prefix = OsString::from(".");
        prefix.push(target.file_name().unwrap_or_default());
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(ENDING).rand_bytes(RANDOM);
        // Temporary files are private by default, but a table should have the user's usual permissions.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        loop {
            let file = builder.tempfile_in(folder_of(target))?;
            let locked = file.as_file().try_lock();
            // Between creating and locking, another process may have removed the part as a leftover.
            let is_lost = matches!(locked, Err(TryLockError::WouldBlock)) || !file.path().exists();
            if !is_lost {
                return Ok(Self { file, target: target.to_owned() });
            }
        }
    }

    /// Returns the file, open for reading and writing.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Returns the path of the part.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Renames the finished file to its target: syncs the file, renames it, and syncs the folder. Unless `replace` is
    /// set, an existing target stays, and is an error.
    pub fn place(self, replace: bool) -> Result<(), PlacementError> {
        let Self { file, target } = self;
        if let Err(error) = file.as_file().sync_all() {
            return Err(PlacementError { error, part: Some(Self { file, target }) });
        }
        let placed = if replace { file.persist(&target) } else { file.persist_noclobber(&target) };
        if let Err(tempfile::PersistError { error, file }) = placed {
            return Err(PlacementError { error, part: Some(Self { file, target }) });
        }
        sync_folder(&target).map_err(|error| PlacementError { error, part: None })
    }

    /// Renames the finished file to the first free name, `NAME-2.EXTENSION`, `NAME-3.EXTENSION` and so on, and returns
    /// its path.
    pub fn keep(self) -> io::Result<PathBuf> {
        let Self { mut file, target } = self;
        for number in 2_u32.. {
            let mut name = target.file_stem().unwrap_or_default().to_owned();
            name.push(format!("-{number}"));
            if let Some(ending) = target.extension() {
                name.push(".");
                name.push(ending);
            }
            let other = target.with_file_name(name);
            match file.persist_noclobber(&other) {
                Ok(_) => {
                    sync_folder(&other)?;
                    return Ok(other);
                }
                Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => file = failed.file,
                Err(failed) => return Err(failed.error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// Writes a file atomically, as [`PartFile::place`] does. After an error the target is untouched, unless only syncing the
/// folder failed.
pub fn write_whole(path: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    write_whole_by(path, replace, |part| part.file().write_all(bytes))
}

/// Writes a file atomically, with the content that `write` writes.
pub fn write_whole_by<E: From<io::Error>>(
    path: &Path,
    replace: bool,
    write: impl FnOnce(&mut PartFile) -> Result<(), E>,
) -> Result<(), E> {
    let mut part = PartFile::beside(path)?;
    write(&mut part)?;
    Ok(part.place(replace).map_err(|not_placed| not_placed.error)?)
}

/// Checks that a part can be created beside a target, by creating and removing one.
pub fn can_write_beside(path: &Path) -> io::Result<()> {
    PartFile::beside(path)?.file.close()
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns the name of the target, if this is the name of a part.
fn target_name(part: &OsStr) -> Option<&[u8]> {
    let name = part.as_encoded_bytes().strip_prefix(b".")?.strip_suffix(ENDING.as_bytes())?;
    let (target, random) = name.split_at_checked(name.len().checked_sub(RANDOM)?)?;
    random.iter().all(u8::is_ascii_alphanumeric).then_some(target.strip_suffix(b".")?)
}

/// Returns true if a file is a leftover: it has the name of a [`PartFile`], and no process holds a lock on it. A file
/// that cannot be opened counts as locked.
pub fn is_left_behind(file: &Path) -> bool {
    file.file_name().and_then(target_name).is_some_and(|target| !target.is_empty())
        && lock_part(file).is_some()
}

/// Opens and locks a part. `None` if another process has locked it, or the file system has no locks.
fn lock_part(file: &Path) -> Option<FileLock> {
    fs::symlink_metadata(file).ok().filter(fs::Metadata::is_file)?;
    let file = File::options().read(true).write(true).open(file).ok()?;
    FileLock::try_new(file).filter(FileLock::is_held)
}

/// Removes the leftovers of a target. Errors are ignored, since a leftover that stays is harmless.
fn remove_leftovers(target: &Path) {
    let name = target.file_name().unwrap_or_default().as_encoded_bytes();
    let Ok(entries) = fs::read_dir(folder_of(target)) else { return };
    for entry in entries.flatten() {
        if target_name(&entry.file_name()) == Some(name)
            && let Some(_lock) = lock_part(&entry.path())
        {
            // Remove it while locked; its creator, if alive, notices that the file is gone.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Syncs the folder of a file, which makes a rename durable. Does nothing if the system cannot open a folder.
fn sync_folder(path: &Path) -> io::Result<()> {
    match File::open(folder_of(path)) {
        Ok(folder) => folder.sync_all(),
        Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn leftovers_of_dead_processes_are_removed_and_nothing_else() {
        let here = tempfile::tempdir().unwrap();
        let target = here.path().join("t.bouton");
        let mut living = PartFile::beside(&target).unwrap();
        living.file().write_all(b"half").unwrap();
        let others =
            [".t.bouton.part", ".t.bouton.abcde.part", ".t.bouton.a.bcde.part", ".u.bouton.abcdef.part"];
        for name in others.into_iter().chain([".t.bouton.abcdef.part", ".t.bouton.ABC123.part"]) {
            fs::write(here.path().join(name), "half").unwrap();
        }
        fs::create_dir(here.path().join(".t.bouton.folder.part")).unwrap();
        let is_left = |name: &&String| is_left_behind(&here.path().join(name));
        let found = names(here.path());
        let found: Vec<&String> = found.iter().filter(is_left).collect();
        // `.t.bouton.part` can be a part of the target `t`, with `bouton` for RANDOM.
        let expected =
            [".t.bouton.ABC123.part", ".t.bouton.abcdef.part", ".t.bouton.part", ".u.bouton.abcdef.part"];
        assert_eq!(found, expected);
        write_whole(&target, b"whole", false).unwrap();
        let mut expected: Vec<String> = others.map(String::from).into();
        expected.extend([".t.bouton.folder.part", "t.bouton"].map(String::from));
        expected.push(living.path().file_name().unwrap().to_str().unwrap().to_owned());
        expected.sort();
        assert_eq!(names(here.path()), expected);
        living.place(true).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"half");
    }

    #[test]
    fn a_finished_file_can_be_kept_under_a_free_name() {
        let here = tempfile::tempdir().unwrap();
        for (target, expected) in [("t.bouton", ["t-2.bouton", "t-3.bouton"]), ("t", ["t-2", "t-3"])] {
            let target = here.path().join(target);
            fs::write(&target, "other").unwrap();
            for expected in expected {
                let mut part = PartFile::beside(&target).unwrap();
                part.file().write_all(b"finished").unwrap();
                let PlacementError { error, part } = part.place(false).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
                assert_eq!(part.unwrap().keep().unwrap(), here.path().join(expected));
                assert_eq!(fs::read(here.path().join(expected)).unwrap(), b"finished");
                assert_eq!(fs::read(&target).unwrap(), b"other");
            }
        }
        assert_eq!(names(here.path()), ["t", "t-2", "t-2.bouton", "t-3", "t-3.bouton", "t.bouton"]);
    }

    #[test]
    fn a_target_in_a_missing_folder_is_refused() {
        let here = tempfile::tempdir().unwrap();
        let target = here.path().join("folder/t.bouton");
        let kind = |error: io::Error| error.kind();
        assert_eq!(can_write_beside(&target).map_err(kind), Err(io::ErrorKind::NotFound));
        fs::create_dir(here.path().join("folder")).unwrap();
        assert!(can_write_beside(&target).is_ok());
        assert_eq!(names(&here.path().join("folder")), [""; 0]);
        // Remove the folder while the file is being written.
        let part = PartFile::beside(&target).unwrap();
        fs::remove_dir_all(here.path().join("folder")).unwrap();
        assert_eq!(part.keep().map_err(kind), Err(io::ErrorKind::NotFound));
        assert_eq!(
            [folder_of(Path::new("t")), folder_of(Path::new("a/t"))],
            [Path::new("."), Path::new("a")]
        );
    }
}
