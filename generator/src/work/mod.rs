//! The work folder: blocks that do not fit into memory, and checkpoints from which a later process resumes
//! (docs/work-folder.md).
//!
//! Solvers cut their data into named blocks; the search for classes writes its data as blocks too. A checkpoint writes
//! all changed blocks, then replaces the file `progress`, which names the files of the checkpoint. Files of a
//! checkpoint never change: a changed block goes to a file of the next *epoch* (`lines-03-01.6` after `lines-03-01.5`),
//! and the old file is removed after the next checkpoint. So the folder always has the files of the last checkpoint, even
//! if the process is killed at any moment.

pub(crate) mod checked;
pub(crate) mod checkpoint_timer;
mod error;
mod names;
mod progress;
mod sealed;
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

use self::checked::{PieceWriter, len_of_file};
pub use self::error::WorkError;
pub(crate) use self::names::{LINES, OFFERS, PACKING, POSITIONS};
use self::names::{LOCK, PROGRESS, file_name, is_block, is_own_file};
use self::progress::VERSION;
pub(crate) use self::progress::{CheckpointState, Job, SavedBlock};
pub use self::progress::{WorkProgress, read_work_progress};
use crate::clock::Instant;

/// Time limit for another process's file to become visible on a shared file system.
const VISIBILITY_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of characters of a fact in an error message.
const MAX_FACT_CHARS: usize = 100;

/// An open work folder.
pub(crate) struct WorkFolder {
    path: PathBuf,
    /// The lock of the process that opened the folder; `None` in processes that joined.
    lock: Option<FileLock>,
    job: Job,
    /// Epoch of the next checkpoint, and of the files written now.
    epoch: u32,
    /// Epoch of the current file of each written block.
    files: BTreeMap<String, u32>,
    /// Epoch of the file of each block in the last checkpoint.
    saved: BTreeMap<String, u32>,
    /// Bytes read so far.
    read: AtomicU64,
    /// Bytes written so far.
    written: AtomicU64,
}

impl WorkFolder {
    /// Creates the folder, or opens an existing one. Also returns its last checkpoint, if there is one.
    pub(crate) fn open(path: &Path, job: Job) -> Result<(Self, Option<CheckpointState>), WorkError> {
        if path.exists() && !is_work_folder(path)? {
            return Err(WorkError::Foreign(path.to_owned()));
        }
        fs::create_dir_all(path).map_err(WorkError::io("make", path))?;
        let mut folder = Self::new(path, job, Some(lock(path)?));
        let Some(progress) = read_work_progress(path)? else { return Ok((folder, None)) };
        let saved = folder.resume(progress)?;
        folder.remove_old_files()?;
        Ok((folder, Some(saved)))
    }

    /// Opens a folder that another process of the same run has opened and marked. Fails if the mark does not appear,
    /// which shows that this is a different folder.
    pub(crate) fn join(
        path: &Path,
        job: Job,
        mark: &[u8],
    ) -> Result<(Self, Option<CheckpointState>), WorkError> {
        let (start, marked) = (Instant::now(), path.join(LOCK));
        // A shared file system may be slow to show the mark.
        while fs::read(&marked).ok().as_deref() != Some(mark) {
            if start.elapsed() > VISIBILITY_TIMEOUT {
                return Err(WorkError::Unseen(path.to_owned()));
            }
            thread::sleep(VISIBILITY_TIMEOUT / 100);
        }
        let mut folder = Self::new(path, job, None);
        let saved = read_work_progress(path)?.map(|progress| folder.resume(progress)).transpose()?;
        Ok((folder, saved))
    }

    /// Writes a mark into the folder, by which other processes recognize it, and returns the mark.
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

    /// Returns a handle to the current files, for reading while this one writes others.
    pub(crate) fn reader(&self) -> Self {
        let files = self.files.clone();
        Self { files, epoch: self.epoch, ..Self::new(&self.path, self.job.clone(), None) }
    }

    /// Checks all files of the last checkpoint. An error names the first missing, damaged or unreadable file.
    pub(crate) fn check(&self) -> Result<(), WorkError> {
        let Some(progress) = read_work_progress(&self.path)? else { return Ok(()) };
        progress.check(&self.path).into_iter().next().map_or(Ok(()), Err)
    }

    /// Resumes from a checkpoint.
    fn resume(
        &mut self,
        WorkProgress { job, saved, .. }: WorkProgress,
    ) -> Result<CheckpointState, WorkError> {
        self.check_job(&job)?;
        self.epoch = saved.epoch.checked_add(1).ok_or_else(|| self.contradiction())?;
        let written = saved.blocks.iter().filter(|(_, block)| block.epoch > 0);
        self.files = written.map(|(name, block)| (name.clone(), block.epoch)).collect();
        self.saved = self.files.clone();
        Ok(saved)
    }

    /// Returns an error if the folder belongs to other work.
    fn check_job(&self, found: &Job) -> Result<(), WorkError> {
        let facts = |job: &Job| job.facts.iter().cloned().collect::<BTreeMap<_, _>>();
        let (ours, theirs) = (facts(&self.job), facts(found));
        for (what, _) in self.job.facts.iter().chain(&found.facts) {
            let show = |facts: &BTreeMap<String, String>| {
                facts.get(what).map_or_else(|| "not set".to_owned(), |fact| shorten(fact, MAX_FACT_CHARS))
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

    /// Writes a block; `write` appends its content. Returns the length of the content.
    pub(crate) fn write(
        &self,
        name: &str,
        write: &mut dyn FnMut(&mut PieceWriter) -> io::Result<()>,
    ) -> Result<u64, WorkError> {
        let file_name = file_name(name, self.epoch);
        let path = self.path.join(&file_name);
        let mut writer = PieceWriter::new(&path, &file_name)?;
        let written = write(&mut writer).and_then(|()| writer.finish());
        let content_len = written.map_err(WorkError::io("write", &path))?;
        self.written.fetch_add(len_of_file(content_len), Relaxed);
        Ok(content_len)
    }

    /// Makes the file of this epoch the current file of a block.
    pub(crate) fn set_written(&mut self, name: String) {
        self.files.insert(name, self.epoch);
    }

    /// Excludes a block from the next checkpoint.
    pub(crate) fn exclude(&mut self, name: &str) {
        self.files.remove(name);
    }

    /// Returns the names of the blocks written since the last checkpoint.
    pub(crate) fn new_files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter(|&(_, &epoch)| epoch == self.epoch).map(|(name, _)| name.as_str())
    }

    /// Returns the error for a checkpoint that contradicts itself.
    pub(crate) fn contradiction(&self) -> WorkError {
        WorkError::Damaged(self.path.join(PROGRESS))
    }

    /// Returns the error for a block's file that contradicts itself.
    pub(crate) fn damaged(&self, name: &str) -> WorkError {
        let epoch = self.files.get(name).copied().unwrap_or(0);
        WorkError::Damaged(self.path.join(file_name(name, epoch)))
    }

    /// Reports whether a block has a current file. Otherwise it is in its initial state, or excluded.
    pub(crate) fn has_file(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Reads the bytes `range` of a written block's content, which has `content_len` bytes in all.
    pub(crate) fn read(
        &self,
        name: &str,
        content_len: u64,
        range: Range<u64>,
        visit: &mut dyn FnMut(&[u8]),
    ) -> Result<(), WorkError> {
        let Some(&epoch) = self.files.get(name) else {
            return Err(self.contradiction());
        };
        let file_name = file_name(name, epoch);
        let path = self.path.join(&file_name);
        self.read.fetch_add(range.end - range.start, Relaxed);
        checked::read(&path, &file_name, content_len, range, visit)
    }

    /// Makes a checkpoint of all written blocks. Call [`WorkFolder::sync`] first, so that the blocks are on disk before
    /// `progress` names them. `saved` is the progress of the work.
    pub(crate) fn checkpoint(&mut self, saved: &mut CheckpointState) -> Result<(), WorkError> {
        saved.epoch = self.epoch;
        for (name, block) in &mut saved.blocks {
            block.epoch = self.files.get(name).copied().unwrap_or(0);
        }
        let progress = WorkProgress { job: self.job.clone(), version: VERSION, saved: mem::take(saved) };
        let text = progress.to_string();
        *saved = progress.saved;
        let path = self.path.join(PROGRESS);
        let write = bouton_tables::write_whole(&path, text.as_bytes(), true);
        write.map_err(WorkError::io("write", &path))?;
        self.begin_next_epoch();
        self.remove_old_files()
    }

    /// Updates this handle after rank 0 has made a checkpoint of all blocks.
    pub(crate) fn begin_next_epoch(&mut self) {
        self.saved = self.files.clone();
        self.epoch += 1;
    }

    /// Waits until all files written by this process since the last checkpoint are on disk.
    pub(crate) fn sync(&self) -> Result<(), WorkError> {
        // Sync the whole file system with one call.
        #[cfg(target_os = "linux")]
        {
            let synced = File::open(&self.path).and_then(|folder| Ok(rustix::fs::syncfs(folder)?));
            synced.map_err(WorkError::io("sync", &self.path))
        }
        #[cfg(not(target_os = "linux"))]
        {
            for name in self.new_files() {
                let path = self.path.join(file_name(name, self.epoch));
                File::open(&path).and_then(|file| file.sync_all()).map_err(WorkError::io("sync", &path))?;
            }
            Ok(())
        }
    }

    /// Removes the files of blocks that do not belong to the last checkpoint.
    fn remove_old_files(&self) -> Result<(), WorkError> {
        let kept: HashSet<String> = self.saved.iter().map(|(name, &epoch)| file_name(name, epoch)).collect();
        for entry in fs::read_dir(&self.path).map_err(WorkError::io("read", &self.path))?.flatten() {
            let name = entry.file_name();
            let is_old = name.to_str().is_some_and(|name| is_block(name) && !kept.contains(name));
            if is_old {
                fs::remove_file(entry.path()).map_err(WorkError::io("remove", &entry.path()))?;
            }
        }
        Ok(())
    }

    /// Returns the bytes read and written so far.
    pub(crate) fn bytes_moved(&self) -> (u64, u64) {
        (self.read.load(Relaxed), self.written.load(Relaxed))
    }
}

/// Locks a work folder against other processes.
fn lock(folder: &Path) -> Result<FileLock, WorkError> {
    let path = folder.join(LOCK);
    let busy = || WorkError::Busy(folder.to_owned());
    let file = match File::options().create(true).truncate(false).write(true).open(&path) {
        // Another run is removing the folder.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(busy()),
        opened => opened.map_err(WorkError::io("write", &path))?,
    };
    let lock = FileLock::try_new(file).ok_or_else(busy)?;
    // If another run has removed the folder since the file was opened, this lock excludes nobody.
    if lock.is_held() && !is_in_place(&lock, &path) {
        return Err(busy());
    }
    Ok(lock)
}

/// Reports whether an open file is the file at a path.
fn is_in_place(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;

        let id = |file: io::Result<fs::Metadata>| file.ok().map(|file| (file.dev(), file.ino()));
        id(file.metadata()) == id(path.metadata())
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Reports whether a work folder has a checkpoint of this table.
pub(crate) fn has_checkpoint(path: &Path, ruleset: &Ruleset, depths: bool) -> Result<bool, WorkError> {
    Ok(read_work_progress(path)?.is_some_and(|WorkProgress { job, .. }| job.is_for(ruleset, depths)))
}

/// Removes the work folder of a table that is already complete, if its checkpoint is of this table or it has none.
/// Keeps a folder with the checkpoint of another table. `ruleset` is the game that was solved.
pub(crate) fn remove_finished_work(path: &Path, ruleset: &Ruleset, depths: bool) -> Result<(), WorkError> {
    let Some(WorkProgress { job, .. }) = read_work_progress(path)? else { return discard_work(path) };
    if job.is_for(ruleset, depths) { discard_work(path) } else { Ok(()) }
}

/// Reports whether a folder is a work folder: it has `progress`, or only files of a new work folder.
fn is_work_folder(path: &Path) -> Result<bool, WorkError> {
    let mut entries = fs::read_dir(path).map_err(WorkError::io("read", path))?.flatten();
    Ok(path.join(PROGRESS).exists()
        || entries
            .all(|entry| entry.file_name() == LOCK || entry.file_name().to_str().is_some_and(is_own_file)))
}

/// Removes a work folder that no process uses. Foreign files in the folder stay.
///
/// # Errors
/// If this is not a work folder, a process uses it, or it cannot be removed.
pub fn discard_work(path: &Path) -> Result<(), WorkError> {
    if !path.exists() {
        return Ok(());
    }
    if !is_work_folder(path)? {
        return Err(WorkError::Foreign(path.to_owned()));
    }
    let _lock = lock(path)?;
    // `progress` goes first: without it, the other files have no meaning.
    let entries = fs::read_dir(path).map_err(WorkError::io("read", path))?.flatten();
    let own_files = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_own_file));
    let own_files = own_files.map(|entry| entry.path());
    for file in [path.join(PROGRESS)].into_iter().chain(own_files).chain([path.join(LOCK)]) {
        checked::remove_if_exists(&file)?;
    }
    // Keep a symbolic link, and the folder on another disk to which it leads.
    if path.is_symlink() {
        return Ok(());
    }
    fs::remove_dir(path).map_err(WorkError::io("remove", path))
}
