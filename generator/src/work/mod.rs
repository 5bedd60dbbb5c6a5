//! The folder of a work that does not fit memory, or that outlives the process (docs/work-folder.md).
//!
//! What is worked on is cut into named blocks; what the search for classes holds is written as if it were blocks too. A block that
//! does not fit memory is written to a file; at a checkpoint all are, and a file is written that tells which belong together. No file
//! that a checkpoint names is written to again: a changed block goes to a file of another *epoch*, and the old one is removed after
//! the next checkpoint. So whenever the process ends, the folder holds the last checkpoint whole.

pub(crate) mod checked;
mod progress;
pub(crate) mod words;

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::mem;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bouton_tables::printable::shorten;
use bouton_tables::{FileLock, Ruleset};
use thiserror::Error;

use self::progress::VERSION;
pub use self::progress::{Progress, look};
pub(crate) use self::progress::{Saved, SavedBlock};
use crate::clock::Instant;

/// Why a work folder cannot be used.
#[derive(Debug, Error)]
pub enum WorkError {
    /// Another process uses it.
    #[error("{} is used by another run; wait for its end, or name another file with -o", .0.display())]
    Busy(PathBuf),
    /// Another run made it while this one had none yet.
    #[error("{} was made by another run meanwhile; start again to go on from there", .0.display())]
    Taken(PathBuf),
    /// There is something else in its place.
    #[error("{} is not a work folder: it holds no file named {PROGRESS}; remove or rename it, or name another file with -o", .0.display())]
    Foreign(PathBuf),
    /// It belongs to a table of other rules, or was written by another version.
    #[error("{} is of another table: {what} is {found} there, and {wanted} here; --restart throws it away, -o names another file", .folder.display())]
    Other {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        what: String,
        /// What it is in the folder.
        found: String,
        /// What it is in this run.
        wanted: String,
    },
    /// Another process has made it, and this one does not see it.
    #[error("{} is not the same folder here as for the first process; -o must name a file in a folder that all machines share", .0.display())]
    Unseen(PathBuf),
    /// A file is gone that the last checkpoint names.
    #[error("{} is missing, though the last checkpoint needs it; --restart throws its folder away, and begins again", .0.display())]
    Missing(PathBuf),
    /// A file is not what was written.
    #[error("{} is damaged; --restart throws its folder away, and begins again", .0.display())]
    Damaged(PathBuf),
    /// The system failed.
    #[error("cannot {doing} {}: {}", .path.display(), bouton_tables::program::unwritten(.error))]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl WorkError {
    fn io<'a>(doing: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Self + use<'a> {
        move |error| Self::Io { doing, path: path.to_owned(), error }
    }
}

/// The file that tells what belongs together.
const PROGRESS: &str = "progress";
/// How the names of blocks of lines begin.
pub(crate) const LINES: &str = "lines-";
/// The same of blocks of positions.
pub(crate) const POSITIONS: &str = "positions-";
/// The same of blocks of what positions offer.
pub(crate) const OFFERS: &str = "offers-";
/// The same of the stages of the search for classes.
pub(crate) const PACKING: &str = "packing-";
/// The file that is locked by the process that uses the folder.
const LOCK: &str = "lock";
/// How long a process waits to see what another one has written.
const TO_BE_SEEN: Duration = Duration::from_secs(10);

/// The most characters of a fact that an error shows.
const LONGEST_FACT: usize = 100;

/// The name of what tells how a work is cut.
const LAYOUT: &str = "layout";

/// What is worked on: a work folder serves no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    /// What the work is of, line by line: a name and what it is.
    pub(crate) facts: Vec<(String, String)>,
}

impl Job {
    /// The table of a ruleset. `layout` tells how it is cut into blocks.
    pub(crate) fn new(ruleset: &Ruleset, depths: bool, layout: String) -> Self {
        let fact = |name: &str, what: String| (name.to_owned(), what);
        let first = [fact("family", ruleset.family().to_owned()), fact("depths", depths.to_string())];
        let keys = ruleset.keys();
        let keys = keys.iter().map(|(name, value)| fact(name, value.to_string()));
        Self { facts: first.into_iter().chain(keys).chain([fact(LAYOUT, layout)]).collect() }
    }

    /// Whether it is the table of a ruleset, however it is cut into blocks.
    fn is_of(&self, ruleset: &Ruleset, depths: bool) -> bool {
        let layout = |(name, _): &&(String, String)| name != LAYOUT;
        let other = Self::new(ruleset, depths, String::new());
        self.facts.iter().filter(layout).eq(other.facts.iter().filter(layout))
    }
}

/// A work folder, used by this process alone.
pub(crate) struct WorkFolder {
    path: PathBuf,
    /// Held as long as the folder is used, by the process that opened it.
    lock: Option<FileLock>,
    job: Job,
    epoch: u32,
    /// Of each block that was written, the epoch of its file.
    files: BTreeMap<String, u32>,
    /// Of each block of the last checkpoint.
    saved: BTreeMap<String, u32>,
    read: AtomicU64,
    written: AtomicU64,
}

impl WorkFolder {
    /// Makes the folder, or goes on with the one that is there. Gives what its last checkpoint tells, if there is one.
    ///
    /// # Errors
    /// If it is used by another process, of another work, damaged, or cannot be read or written.
    pub(crate) fn open(path: &Path, job: Job) -> Result<(Self, Option<Saved>), WorkError> {
        if path.exists() && !is_work_folder(path)? {
            return Err(WorkError::Foreign(path.to_owned()));
        }
        fs::create_dir_all(path).map_err(WorkError::io("make", path))?;
        let mut folder = Self::new(path, job, Some(lock(path)?));
        let Some(progress) = look(path)? else { return Ok((folder, None)) };
        let saved = folder.go_on(progress)?;
        folder.remove_others()?;
        Ok((folder, Some(saved)))
    }

    /// Uses a folder that another process has opened and marked, which works on the same.
    ///
    /// # Errors
    /// If it does not bear the mark, so that it is another folder; or as [`WorkFolder::open`].
    pub(crate) fn join(path: &Path, job: Job, mark: &[u8]) -> Result<(Self, Option<Saved>), WorkError> {
        let (began, marked) = (Instant::now(), path.join(LOCK));
        // A file system of several machines may be late.
        while fs::read(&marked).ok().as_deref() != Some(mark) {
            if began.elapsed() > TO_BE_SEEN {
                return Err(WorkError::Unseen(path.to_owned()));
            }
            thread::sleep(TO_BE_SEEN / 100);
        }
        let mut folder = Self::new(path, job, None);
        let saved = look(path)?.map(|progress| folder.go_on(progress)).transpose()?;
        Ok((folder, saved))
    }

    /// Writes something into the folder by which other processes know it; gives that.
    pub(crate) fn mark(&self) -> Result<Vec<u8>, WorkError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mark = format!("used by process {} since {} s\n", process::id(), now.as_secs_f64());
        let path = self.path.join(LOCK);
        let write = |mut file: &File| {
            file.set_len(0)?;
            file.write_all(mark.as_bytes())
        };
        self.lock.as_deref().map_or(Ok(()), write).map_err(WorkError::io("write", &path))?;
        Ok(mark.into_bytes())
    }

    fn new(path: &Path, job: Job, lock: Option<FileLock>) -> Self {
        Self {
            path: path.to_owned(),
            lock,
            job,
            epoch: 1,
            files: BTreeMap::new(),
            saved: BTreeMap::new(),
            read: AtomicU64::new(0),
            written: AtomicU64::new(0),
        }
    }

    /// The files that there are now, to read from them while others are written.
    pub(crate) fn reader(&self) -> Self {
        let files = self.files.clone();
        Self { files, epoch: self.epoch, ..Self::new(&self.path, self.job.clone(), None) }
    }

    /// Checks all files that the last checkpoint names.
    ///
    /// # Errors
    /// Names the first that is missing or damaged, or cannot be read.
    pub(crate) fn check(&self) -> Result<(), WorkError> {
        let Some(progress) = look(&self.path)? else { return Ok(()) };
        progress.check(&self.path).into_iter().next().map_or(Ok(()), Err)
    }

    /// Goes on from a checkpoint.
    fn go_on(&mut self, Progress { job, saved, .. }: Progress) -> Result<Saved, WorkError> {
        self.check_job(&job)?;
        self.epoch = saved.epoch.checked_add(1).ok_or_else(|| self.contradiction())?;
        let written = saved.blocks.iter().filter(|(_, block)| block.epoch > 0);
        self.files = written.map(|(name, block)| (name.clone(), block.epoch)).collect();
        self.saved = self.files.clone();
        Ok(saved)
    }

    /// Whether another work is the same.
    fn check_job(&self, found: &Job) -> Result<(), WorkError> {
        let facts = |job: &Job| job.facts.iter().cloned().collect::<BTreeMap<_, _>>();
        let (ours, theirs) = (facts(&self.job), facts(found));
        let all = self.job.facts.iter().chain(&found.facts);
        for (what, _) in all {
            let show = |facts: &BTreeMap<String, String>| {
                facts.get(what).map_or_else(|| "not set".to_owned(), |fact| shorten(fact, LONGEST_FACT))
            };
            if ours.get(what) != theirs.get(what) {
                return Err(WorkError::Other {
                    folder: self.path.clone(),
                    what: what.clone(),
                    found: show(&theirs),
                    wanted: show(&ours),
                });
            }
        }
        Ok(())
    }

    /// Writes a block; `write` appends its content.
    pub(crate) fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut checked::Writer) -> io::Result<()>,
    ) -> Result<(), WorkError> {
        let file_name = file_name(name, self.epoch);
        let path = self.path.join(&file_name);
        let written = checked::Writer::new(&path, &file_name).and_then(|mut writer| {
            write(&mut writer)?;
            writer.finish()?.metadata()
        });
        let written = written.map_err(WorkError::io("write", &path))?;
        self.written.fetch_add(written.len(), Relaxed);
        Ok(())
    }

    /// Notes that a block was written.
    pub(crate) fn wrote(&mut self, name: String) {
        self.files.insert(name, self.epoch);
    }

    /// Takes no more note of a block: the next checkpoint does not name it.
    pub(crate) fn forget(&mut self, name: &str) {
        self.files.remove(name);
    }

    /// The names of the blocks that this process has written since the last checkpoint.
    pub(crate) fn new_files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter(|&(_, &epoch)| epoch == self.epoch).map(|(name, _)| name.as_str())
    }

    /// What to say of a checkpoint that contradicts itself.
    pub(crate) fn contradiction(&self) -> WorkError {
        WorkError::Damaged(self.path.join(PROGRESS))
    }

    /// What to say of a file of a block that contradicts itself.
    pub(crate) fn damaged(&self, name: &str) -> WorkError {
        let epoch = self.files.get(name).copied().unwrap_or(0);
        WorkError::Damaged(self.path.join(file_name(name, epoch)))
    }

    /// Whether a block was ever written. If not, it is as it was at the beginning.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Reads a part of a block that was written, of `content` bytes in all.
    pub(crate) fn read(
        &self,
        name: &str,
        content: u64,
        part: Range<u64>,
        visit: impl FnMut(&[u8]),
    ) -> Result<(), WorkError> {
        let Some(&epoch) = self.files.get(name) else {
            return Err(self.contradiction());
        };
        let file_name = file_name(name, epoch);
        let path = self.path.join(&file_name);
        self.read.fetch_add(part.end - part.start, Relaxed);
        read(&path, &file_name, content, part, visit)
    }

    /// Makes a checkpoint of all that was written, once it is on the disk ([`WorkFolder::sync`]): from now on the work goes on
    /// from here. `saved` tells how far it is.
    pub(crate) fn checkpoint(&mut self, saved: &mut Saved) -> Result<(), WorkError> {
        saved.epoch = self.epoch;
        for (name, block) in &mut saved.blocks {
            block.epoch = self.files.get(name).copied().unwrap_or(0);
        }
        let progress = Progress { job: self.job.clone(), version: VERSION, saved: mem::take(saved) };
        let text = progress.to_string();
        *saved = progress.saved;
        let path = self.path.join(PROGRESS);
        let write = bouton_tables::write_whole(&path, text.as_bytes(), true);
        write.map_err(WorkError::io("write", &path))?;
        self.follow();
        self.remove_others()
    }

    /// Takes note of a checkpoint that another process has made of what all have written.
    pub(crate) fn follow(&mut self) {
        self.saved = self.files.clone();
        self.epoch += 1;
    }

    /// Waits until all files that this process has written since the last checkpoint are on the disk.
    pub(crate) fn sync(&self) -> Result<(), WorkError> {
        // One call for all of them, where there is one.
        #[cfg(target_os = "linux")]
        {
            let synced = File::open(&self.path).and_then(|folder| Ok(rustix::fs::syncfs(folder)?));
            synced.map_err(WorkError::io("sync", &self.path))
        }
        #[cfg(not(target_os = "linux"))]
        {
            for (name, &epoch) in
                self.files.iter().filter(|&(name, epoch)| self.saved.get(name) != Some(epoch))
            {
                let path = self.path.join(file_name(name, epoch));
                File::open(&path).and_then(|file| file.sync_all()).map_err(WorkError::io("sync", &path))?;
            }
            Ok(())
        }
    }

    /// Removes the files of blocks that belong to no checkpoint any more.
    fn remove_others(&self) -> Result<(), WorkError> {
        let kept: HashSet<String> = self.saved.iter().map(|(name, &epoch)| file_name(name, epoch)).collect();
        for entry in fs::read_dir(&self.path).map_err(WorkError::io("read", &self.path))?.flatten() {
            let name = entry.file_name();
            let is_block = name.to_str().is_some_and(|name| is_block(name) && !kept.contains(name));
            if is_block {
                fs::remove_file(entry.path()).map_err(WorkError::io("remove", &entry.path()))?;
            }
        }
        Ok(())
    }

    /// Bytes read and written so far.
    pub(crate) fn volume(&self) -> (u64, u64) {
        (self.read.load(Relaxed), self.written.load(Relaxed))
    }
}

/// The file of a block in an epoch.
fn file_name(name: &str, epoch: u32) -> String {
    format!("{name}.{epoch}")
}

/// Reads a part of the content of a file that a checkpoint names.
fn read(
    path: &Path,
    file_name: &str,
    content: u64,
    part: Range<u64>,
    visit: impl FnMut(&[u8]),
) -> Result<(), WorkError> {
    match checked::read(path, file_name, content, part, visit) {
        Ok(Some(())) => Ok(()),
        Ok(None) => Err(WorkError::Damaged(path.to_owned())),
        Err(error) => Err(match error.kind() {
            io::ErrorKind::NotFound => WorkError::Missing(path.to_owned()),
            io::ErrorKind::UnexpectedEof => WorkError::Damaged(path.to_owned()),
            _ => WorkError::io("read", path)(error),
        }),
    }
}

/// Keeps a work folder from other processes.
fn lock(folder: &Path) -> Result<FileLock, WorkError> {
    let path = folder.join(LOCK);
    let busy = || WorkError::Busy(folder.to_owned());
    let file = match File::options().create(true).truncate(false).write(true).open(&path) {
        // Another run is removing the folder.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(busy()),
        opened => opened.map_err(WorkError::io("write", &path))?,
    };
    let lock = FileLock::try_new(file).ok_or_else(busy)?;
    // What is not in its place keeps nobody out: another run has removed the folder between the two.
    if lock.is_held() && !is_in_place(&lock, &path) {
        return Err(busy());
    }
    Ok(lock)
}

/// Whether an open file is the one at a path.
fn is_in_place(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;

        let which = |of_file: io::Result<fs::Metadata>| of_file.ok().map(|found| (found.dev(), found.ino()));
        which(file.metadata()) == which(path.metadata())
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Whether a file of a work folder is a block: behind the beginning its name is of digits and hyphens, and it ends in an epoch.
fn is_block(name: &str) -> bool {
    let rest = [LINES, POSITIONS, OFFERS, PACKING].iter().find_map(|kind| name.strip_prefix(kind));
    rest.and_then(|rest| rest.rsplit_once('.')).is_some_and(|(name, epoch)| {
        name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && epoch.parse::<u32>().is_ok()
    })
}

/// Whether a file is a block, or half written.
fn is_ours(name: &str) -> bool {
    is_block(name) || is_half_written(name)
}

/// Whether a file is what a run left that was killed while it wrote the file that tells what belongs together.
fn is_half_written(name: &str) -> bool {
    name.strip_prefix('.')
        .and_then(|name| name.strip_prefix(PROGRESS))
        .is_some_and(|rest| rest.ends_with(".part"))
}

/// Whether a work folder holds a checkpoint of work on a table.
pub(crate) fn is_begun(path: &Path, ruleset: &Ruleset, depths: bool) -> Result<bool, WorkError> {
    Ok(look(path)?.is_some_and(|Progress { job, .. }| job.is_of(ruleset, depths)))
}

/// Removes a work folder that holds nothing but work on a table that has been made meanwhile, or no checkpoint. The ruleset is that
/// of the game that was solved.
pub(crate) fn tidy(path: &Path, ruleset: &Ruleset, depths: bool) -> Result<(), WorkError> {
    let Some(Progress { job, .. }) = look(path)? else { return throw_away(path) };
    if job.is_of(ruleset, depths) { throw_away(path) } else { Ok(()) }
}

/// Whether there is a work folder, or one that was just made.
fn is_work_folder(path: &Path) -> Result<bool, WorkError> {
    let mut entries = fs::read_dir(path).map_err(WorkError::io("read", path))?.flatten();
    Ok(path.join(PROGRESS).exists()
        || entries.all(|entry| entry.file_name() == LOCK || entry.file_name().to_str().is_some_and(is_ours)))
}

/// Removes a work folder, which no process may use. What else is in it stays.
///
/// # Errors
/// If it is none, is used, or cannot be removed.
pub fn throw_away(path: &Path) -> Result<(), WorkError> {
    if !path.exists() {
        return Ok(());
    }
    if !is_work_folder(path)? {
        return Err(WorkError::Foreign(path.to_owned()));
    }
    let _lock = lock(path)?;
    // The file that tells what belongs together first: without it nothing does.
    let named = [path.join(PROGRESS)];
    let entries = fs::read_dir(path).map_err(WorkError::io("read", path))?.flatten();
    let blocks =
        entries.filter(|entry| entry.file_name().to_str().is_some_and(is_ours)).map(|entry| entry.path());
    for file in named.into_iter().chain(blocks).chain([path.join(LOCK)]) {
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(WorkError::io("remove", &file)(error));
            }
            _ => {}
        }
    }
    // It may be a link to a folder on another disk, which stays.
    if path.is_symlink() {
        return Ok(());
    }
    fs::remove_dir(path).map_err(WorkError::io("remove", path))
}
