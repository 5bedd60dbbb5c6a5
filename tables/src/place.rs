//! Putting a file in its place: whole or absent.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::FileLock;

/// A file that is being written beside its target, under a hidden name: `.NAME.RANDOM.part`. It is removed when it
/// is dropped before it was put in its place.
///
/// The process that writes it holds a lock on it, which ends with the process, however that ends. A part that is
/// not locked was left behind, and the next [`Part::beside`] the same target removes it. Unlike a process id, a
/// lock cannot pass to another process, and network file systems share it between machines. Where a file system
/// has no locks, or each machine has its own, keep to one machine that writes a target at a time: in the first case
/// leftovers stay, in the second the other machine's part may be removed, and its run then fails.
#[derive(Debug)]
pub struct Part {
    file: NamedTempFile,
    target: PathBuf,
}

/// Why a finished file is not in its place.
#[derive(Debug)]
pub struct NotPlaced {
    /// What the file system reports; [`io::ErrorKind::AlreadyExists`] if the place is taken.
    pub error: io::Error,
    /// The file. There is none if only the folder could not be synced: the file is in its place then.
    pub part: Option<Part>,
}

/// Length of the random part of a name.
const RANDOM: usize = 6;
/// How a name ends.
const ENDING: &str = ".part";

impl Part {
    /// Begins a file, and removes what killed processes left of the same one.
    ///
    /// # Errors
    /// Whatever the file system reports.
    pub fn beside(target: &Path) -> io::Result<Self> {
        remove_leftovers(target);
        let prefix = prefix_of(target);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(ENDING).rand_bytes(RANDOM);
        // A temporary file is private by default; a table is like any other file that the user makes.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        loop {
            let file = builder.tempfile_in(folder_of(target))?;
            let locked = file.as_file().try_lock();
            // Between the two, another process may have taken it for a leftover.
            let lost = matches!(locked, Err(TryLockError::WouldBlock)) || !file.path().exists();
            if !lost {
                return Ok(Self { file, target: target.to_owned() });
            }
        }
    }

    /// The file, open for reading and writing.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Where it is now.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Puts the finished file in its place, so that it is there whole or not at all, whatever happens: synced,
    /// renamed, and the folder synced. With `replace` false, a target that is there is left alone.
    ///
    /// # Errors
    /// Whatever the file system reports.
    pub fn place(self, replace: bool) -> Result<(), NotPlaced> {
        let Self { file, target } = self;
        if let Err(error) = file.as_file().sync_all() {
            return Err(NotPlaced { error, part: Some(Self { file, target }) });
        }
        let placed = if replace { file.persist(&target) } else { file.persist_noclobber(&target) };
        if let Err(tempfile::PersistError { error, file }) = placed {
            return Err(NotPlaced { error, part: Some(Self { file, target }) });
        }
        sync_folder(&target).map_err(|error| NotPlaced { error, part: None })
    }

    /// Keeps the finished file beside its target, under the first name that is free of `NAME-2.ENDING`,
    /// `NAME-3.ENDING` and so on, which is returned.
    ///
    /// # Errors
    /// Whatever the file system reports.
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
                Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => file = taken.file,
                Err(error) => return Err(error.error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// Writes a file into its place, as [`Part::place`] does.
///
/// # Errors
/// Whatever the file system reports. The target is untouched then; but if the last step fails, which is to
/// sync the folder, the new file is in its place.
pub fn write_whole(path: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    write_whole_by(path, replace, |part| part.file().write_all(bytes))
}

/// The same of what `write` writes.
///
/// # Errors
/// Whatever the file system or `write` reports.
pub fn write_whole_by<E: From<io::Error>>(
    path: &Path,
    replace: bool,
    write: impl FnOnce(&mut Part) -> Result<(), E>,
) -> Result<(), E> {
    let mut part = Part::beside(path)?;
    write(&mut part)?;
    Ok(part.place(replace).map_err(|not_placed| not_placed.error)?)
}

/// Whether [`write_whole`] could begin: finds out by making, and removing, a file beside the target.
///
/// # Errors
/// Whatever the file system reports.
pub fn can_write_beside(path: &Path) -> io::Result<()> {
    Part::beside(path)?.file.close()
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// How the names of all parts of a target begin.
fn prefix_of(target: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(target.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

fn is_part(name: &OsStr, prefix: &OsStr) -> bool {
    name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes()).is_some_and(is_random)
}

/// Whether this is what follows the prefix in the name of a part.
fn is_random(rest: &[u8]) -> bool {
    let random = rest.strip_suffix(ENDING.as_bytes());
    random.is_some_and(|random| random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric))
}

/// Whether a file is named like a [`Part`] of some target, and its process has ended.
///
/// A part whose process lives is locked. So is one that cannot be opened, as far as can be told.
#[must_use]
pub fn is_left_behind(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    let prefix = name.as_encoded_bytes().len().checked_sub(RANDOM + ENDING.len());
    let is_named = prefix.is_some_and(|prefix| {
        let (prefix, rest) = name.as_encoded_bytes().split_at(prefix);
        prefix.starts_with(b".") && prefix.ends_with(b".") && prefix.len() > 2 && is_random(rest)
    });
    is_named && unheld(file).is_some()
}

/// Opens and locks a part that nobody holds.
fn unheld(file: &Path) -> Option<FileLock> {
    fs::symlink_metadata(file).ok().filter(fs::Metadata::is_file)?;
    let file = File::options().read(true).write(true).open(file).ok()?;
    FileLock::try_new(file).filter(FileLock::is_held)
}

/// Removes the parts of a target that nobody holds. What cannot be looked at or removed stays: it is in nobody's
/// way.
fn remove_leftovers(target: &Path) {
    let prefix = prefix_of(target);
    let Ok(entries) = fs::read_dir(folder_of(target)) else { return };
    for entry in entries.flatten() {
        if is_part(&entry.file_name(), &prefix)
            && let Some(_locked) = unheld(&entry.path())
        {
            // While it is locked: whoever has just made it finds that it is gone.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The rename itself is on disk only when the folder is. Not every system can open a folder; there the rename
/// stands.
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
    fn parts_of_dead_processes_are_removed_and_nothing_else() {
        let here = tempfile::tempdir().unwrap();
        let target = here.path().join("t.bouton");
        let mut living = Part::beside(&target).unwrap();
        living.file().write_all(b"half").unwrap();
        let others =
            [".t.bouton.part", ".t.bouton.abcde.part", ".t.bouton.a.bcde.part", ".u.bouton.abcdef.part"];
        for name in others.into_iter().chain([".t.bouton.abcdef.part", ".t.bouton.ABC123.part"]) {
            fs::write(here.path().join(name), "half").unwrap();
        }
        fs::create_dir(here.path().join(".t.bouton.folder.part")).unwrap();
        let left = |name: &&String| is_left_behind(&here.path().join(name));
        let found = names(here.path());
        let found: Vec<&String> = found.iter().filter(left).collect();
        // One has a name as parts of the target `t` have.
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
    fn a_file_whose_place_is_taken_can_be_kept_under_a_name_that_is_free() {
        let here = tempfile::tempdir().unwrap();
        for (target, expected) in [("t.bouton", ["t-2.bouton", "t-3.bouton"]), ("t", ["t-2", "t-3"])] {
            let target = here.path().join(target);
            fs::write(&target, "other").unwrap();
            for expected in expected {
                let mut part = Part::beside(&target).unwrap();
                part.file().write_all(b"finished").unwrap();
                let NotPlaced { error, part } = part.place(false).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
                assert_eq!(part.unwrap().keep().unwrap(), here.path().join(expected));
                assert_eq!(fs::read(here.path().join(expected)).unwrap(), b"finished");
                assert_eq!(fs::read(&target).unwrap(), b"other");
            }
        }
        assert_eq!(names(here.path()), ["t", "t-2", "t-2.bouton", "t-3", "t-3.bouton", "t.bouton"]);
    }

    #[test]
    fn where_no_file_can_be_the_reason_is_told() {
        let here = tempfile::tempdir().unwrap();
        let target = here.path().join("folder/t.bouton");
        let kind = |error: io::Error| error.kind();
        assert_eq!(can_write_beside(&target).map_err(kind), Err(io::ErrorKind::NotFound));
        fs::create_dir(here.path().join("folder")).unwrap();
        assert!(can_write_beside(&target).is_ok());
        assert_eq!(names(&here.path().join("folder")), [""; 0]);
        // The folder goes away while the file is written.
        let part = Part::beside(&target).unwrap();
        fs::remove_dir_all(here.path().join("folder")).unwrap();
        assert_eq!(part.keep().map_err(kind), Err(io::ErrorKind::NotFound));
        assert_eq!(
            [folder_of(Path::new("t")), folder_of(Path::new("a/t"))],
            [Path::new("."), Path::new("a")]
        );
    }
}
