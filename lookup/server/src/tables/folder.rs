//! Watches the folder of tables: serves new and replaced files, and forgets removed ones.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use bouton_answers::OwnRules;
use bouton_tables::printable::{printable, printable_path};
use bouton_tables::{Map, OpenError, Table};
use thiserror::Error;
use tracing::{info, warn};

use super::{Catalog, ServedTable, is_digest};

/// Extension of a table file.
const ENDING: &str = "bouton";
/// Name of a file that has only the extension.
const NAMELESS: &str = ".bouton";

#[derive(Debug)]
pub(crate) struct TableFolder {
    path: PathBuf,
    /// Maximum size of a file that is read into memory, in bytes.
    max_in_memory: u64,
    /// Maximum number of steps for one answer.
    max_answer_steps: u64,
    /// State of each file, by the name of its table.
    files: BTreeMap<String, FileState>,
    /// Whether the last scan could not read the folder.
    is_unreadable: bool,
}

/// Candidate files by the name of their table, each with its path, and its stamp or an error.
type FoundFiles = BTreeMap<String, (PathBuf, Result<FileStamp, LoadError>)>;

#[derive(Debug, Default)]
struct FileState {
    /// Stamp at the last scan; `None` if the file could not be examined.
    seen: Option<FileStamp>,
    /// Stamp when the file was last opened, successfully or not; `None` to open the file at the next scan.
    opened: Option<FileStamp>,
}

/// Identifies the state of a file. Replacing or writing the file changes the stamp: device, inode, length, and the times
/// of the last changes of its content and of its inode.
type FileStamp = (u64, u64, u64, (i64, i64), (i64, i64));

fn stamp(file: &Metadata) -> FileStamp {
    let (content, inode) = ((file.mtime(), file.mtime_nsec()), (file.ctime(), file.ctime_nsec()));
    (file.dev(), file.ino(), file.len(), content, inode)
}

impl TableFolder {
    /// Scans a folder for the first time. Also returns the number of candidate files.
    pub(crate) fn open(
        path: PathBuf,
        max_in_memory: u64,
        max_answer_steps: u64,
        catalog: &Catalog,
    ) -> io::Result<(Self, usize)> {
        let files = BTreeMap::new();
        let mut folder = Self { path, max_in_memory, max_answer_steps, files, is_unreadable: false };
        let found = folder.list()?;
        let number = found.len();
        folder.update(found, catalog, true);
        Ok((folder, number))
    }

    /// Scans the folder again. Opens a file only if it is unchanged since the last scan: otherwise it may still be
    /// being written.
    pub(crate) fn scan(&mut self, catalog: &Catalog) {
        match self.list() {
            Ok(found) => {
                if std::mem::take(&mut self.is_unreadable) {
                    info!(folder = %printable_path(&self.path), "the folder can be read again");
                }
                self.update(found, catalog, false);
            }
            Err(error) if !self.is_unreadable => {
                self.is_unreadable = true;
                let folder = printable_path(&self.path);
                warn!(%folder, %error, "the folder cannot be read; the tables served so far stay");
            }
            Err(_) => {}
        }
        for table in catalog.all() {
            if !table.is_intact() {
                let reason =
                    "its file was changed in place while it was mapped; rename a valid table to its name";
                warn!(table = &*printable(&table.about.name), reason, "a table is served no longer");
                catalog.withdraw(&table.about.name);
                catalog.refuse(&table.about.name, reason);
                // Open the file again at the next scan: after a mere read error of the disk, it is still valid.
                if let Some(known) = self.files.get_mut(&table.about.name) {
                    known.opened = None;
                }
            }
        }
    }

    /// Lists the candidate files by the name of their table.
    fn list(&self) -> io::Result<FoundFiles> {
        let mut found = BTreeMap::new();
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            // Report `.bouton`, although it is a hidden file without an extension: its author meant a table.
            if path.file_name().is_some_and(|name| name == NAMELESS) {
                found.insert(NAMELESS.to_owned(), (path, Err(LoadError::Nameless)));
                continue;
            }
            if path.extension().is_none_or(|ending| ending != ENDING) {
                continue;
            }
            // Hidden files are not served.
            let Some(stem) = path.file_stem().filter(|stem| !stem.as_bytes().starts_with(b".")) else {
                continue;
            };
            match stem.to_str() {
                Some(name) => {
                    let Some(file) = examine(name, &path) else { continue };
                    found.insert(name.to_owned(), (path, file));
                }
                // A file whose name is the escaped form of this name takes precedence.
                None => {
                    found.entry(escaped_name(stem)).or_insert((path, Err(LoadError::NotText)));
                }
            }
        }
        Ok(found)
    }

    /// Updates the catalog after a scan. Opens changed files only if they are unchanged since the last scan, or
    /// `at_once`.
    fn update(&mut self, found: FoundFiles, catalog: &Catalog, at_once: bool) {
        for (name, _) in self.files.extract_if(.., |name, _| !found.contains_key(name)) {
            info!(table = &*printable(&name), "a table is gone");
            catalog.remove(&name);
        }
        for (name, (path, stamp)) in found {
            let known = self.files.entry(name.clone()).or_default();
            let loaded = match stamp {
                Err(error) => {
                    *known = FileState::default();
                    if matches!(error, LoadError::Dangling) {
                        // The target of the link is gone, and its table with it.
                        catalog.withdraw(&name);
                    }
                    Err(error)
                }
                Ok(stamp) => {
                    let is_settled = at_once || known.seen == Some(stamp);
                    known.seen = Some(stamp);
                    if !is_settled || known.opened == Some(stamp) {
                        continue;
                    }
                    let loaded = load(&name, &path, self.max_in_memory, self.max_answer_steps);
                    // Retry an unreadable file at the next scan, even if it does not change.
                    let is_final = matches!(loaded, Ok(_) | Err(LoadError::Open(_)));
                    known.opened = is_final.then_some(stamp);
                    loaded
                }
            };
            match loaded {
                Ok(table) => {
                    info!(table = &*printable(&name), digest = table.about.digest, "a table is served");
                    catalog.put(table);
                }
                Err(error) => {
                    // The reason also goes to clients, so it must not name the path.
                    let reason = error.to_string();
                    if catalog.refuse(&name, &reason) {
                        let file = printable_path(&path);
                        warn!(table = &*printable(&name), %file, reason, "a file is refused");
                    }
                }
            }
        }
    }
}

/// Returns the stamp of a candidate file, or the reason why it cannot be a table; `None` if it is gone by now.
fn examine(name: &str, path: &Path) -> Option<Result<FileStamp, LoadError>> {
    if OwnRules::is_spelled(name) {
        return Some(Err(LoadError::NamedAsRules));
    }
    if is_digest(name) {
        return Some(Err(LoadError::NamedAsDigest));
    }
    match fs::metadata(path) {
        Ok(kind) => Some(Ok(stamp(&kind))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::symlink_metadata(path).is_ok().then_some(Err(LoadError::Dangling))
        }
        Err(error) => Some(Err(error.into())),
    }
}

/// Returns a file name with bytes that are not UTF-8 escaped as `\xff`.
fn escaped_name(name: &OsStr) -> String {
    let chunks = name.as_bytes().utf8_chunks();
    chunks.map(|chunk| format!("{}{}", chunk.valid(), chunk.invalid().escape_ascii())).collect()
}

/// The reason why a file cannot be served.
#[derive(Debug, Error)]
enum LoadError {
    #[error("its file cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("its file was changed while it was checked")]
    Changed,
    #[error("its file is a link to a file that is not there; restore that file, or remove the link")]
    Dangling,
    #[error("names that begin with own: are those of own rules; rename it")]
    NamedAsRules,
    #[error("names of 64 hexadecimal digits are those of digests; rename it")]
    NamedAsDigest,
    #[error("it has no name before .bouton; rename it")]
    Nameless,
    #[error("its name is not UTF-8, so nobody can ask for it; rename it")]
    NotText,
}

/// Opens a table, and checks every byte of it.
fn load(
    name: &str,
    path: &Path,
    max_in_memory: u64,
    max_answer_steps: u64,
) -> Result<ServedTable, LoadError> {
    let table = Table::open(Map::guarded(path, max_in_memory)?)?;
    table.check_whole().map_err(OpenError::from)?;
    let table = ServedTable::new(name.to_owned(), table, "file", max_answer_steps);
    // Check this last: the description of the table was read from the file too.
    if table.is_intact() { Ok(table) } else { Err(LoadError::Changed) }
}
