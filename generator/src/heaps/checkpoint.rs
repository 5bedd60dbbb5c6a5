//! Checkpoints while a solved game is packed: writes stages of the search for classes, and first any solved blocks that
//! are only in memory.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::block_cache::CachedBlock;
use super::checkpoint_timer::CheckpointTimer;
use crate::GenerateError;
use crate::clock::Instant;
use crate::work::words::{self, WordWriter};
use crate::work::{CheckpointState, Job, SavedBlock, WorkError, WorkFolder};

/// Saves what packing has found so far; and before that the blocks that are solved, as far as they are in memory only.
pub(super) struct Checkpointer<'a> {
    path: &'a Path,
    folder: Option<WorkFolder>,
    job: Job,
    due: CheckpointTimer,
    /// What a checkpoint tells.
    saved: CheckpointState,
    unsaved: Option<PendingBlocks<'a>>,
    /// Whether all blocks are in memory, so that the work goes on where it cannot be saved.
    pub(super) in_memory: bool,
}

/// Blocks that are not in the folder as they are.
struct PendingBlocks<'a> {
    bytes: u64,
    write: Box<Write<'a>>,
}

type Write<'a> = dyn Fn(&mut WorkFolder) -> Result<(), WorkError> + 'a;

impl<'a> Checkpointer<'a> {
    pub(super) fn new(
        path: &'a Path,
        folder: Option<WorkFolder>,
        job: Job,
        due: CheckpointTimer,
        saved: CheckpointState,
        in_memory: bool,
    ) -> Self {
        Self { path, folder, job, due, saved, unsaved: None, in_memory }
    }

    /// The same with the blocks that are not in the folder, of so many bytes.
    pub(super) fn with<'b, B: CachedBlock>(
        self,
        blocks: &'b [Option<B>],
        unsaved: Vec<(usize, String)>,
        bytes: u64,
    ) -> Checkpointer<'b>
    where
        'a: 'b,
    {
        let is_some = !unsaved.is_empty();
        let write = move |folder: &mut WorkFolder| {
            unsaved.iter().try_for_each(|(block, name)| {
                if let Some(block) = &blocks[*block] {
                    block.write(folder, name)?;
                    folder.wrote(name.clone());
                }
                Ok(())
            })
        };
        let unsaved = is_some.then(|| PendingBlocks { bytes, write: Box::new(write) });
        Checkpointer { unsaved, ..self }
    }

    /// The files that there are, to read from them.
    pub(super) fn reader(&self) -> Option<WorkFolder> {
        self.folder.as_ref().map(WorkFolder::reader)
    }

    /// The folder, which is made if there is none.
    fn folder(&mut self) -> Result<&mut WorkFolder, WorkError> {
        if self.folder.is_none() {
            let (folder, saved) = WorkFolder::open(self.path, self.job.clone())?;
            if saved.is_some() {
                return Err(WorkError::Taken(self.path.to_owned()));
            }
            self.folder = Some(folder);
        }
        Ok(self.folder.as_mut().expect("it was made"))
    }

    /// Where a stage is written, and the bytes of its content.
    pub(super) fn has(&self, name: &str) -> Option<(&WorkFolder, u64)> {
        let folder = self.folder.as_ref().filter(|folder| folder.has(name))?;
        Some((folder, self.saved.blocks.get(name)?.content))
    }

    /// Writes a stage: it belongs to the next checkpoint.
    pub(super) fn write(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut WordWriter) -> io::Result<()>,
    ) -> Result<(), GenerateError> {
        let written = words::write(self.folder()?, name, write);
        let folder = self.folder()?;
        match written {
            Ok(content) => {
                folder.wrote(name.to_owned());
                let block = SavedBlock { epoch: 0, done: 0, content };
                self.saved.blocks.insert(name.to_owned(), block);
                Ok(())
            }
            Err(error) => {
                // What was written of it since the last checkpoint is gone.
                folder.forget(name);
                self.saved.blocks.remove(name);
                Err(error.into())
            }
        }
    }

    /// Makes a checkpoint of all that is written.
    pub(super) fn checkpoint(&mut self) -> Result<(), GenerateError> {
        let began = Instant::now();
        self.folder()?;
        let Self { folder: Some(folder), unsaved, saved, due, .. } = self else { return Ok(()) };
        if let Some(unsaved) = unsaved {
            (unsaved.write)(folder)?;
        }
        folder.sync()?;
        folder.checkpoint(saved)?;
        *unsaved = None;
        due.made(began);
        Ok(())
    }

    /// Waits before another checkpoint as if one had been made. Gives whether this is the first one that failed.
    pub(super) fn put_off(&mut self) -> bool {
        self.due.put_off()
    }

    /// Whether a checkpoint is due that writes so many bytes besides blocks.
    pub(super) fn is_due(&self, bytes: u64) -> bool {
        self.due.is_now(bytes + self.unsaved.as_ref().map_or(0, |unsaved| unsaved.bytes))
    }

    /// Reports whether a checkpoint is worthwhile when the work is cancelled.
    pub(super) fn is_worth(&self) -> bool {
        self.folder.is_some() || self.due.is_worth()
    }

    /// Reports whether writing `bytes` is worthwhile, as it saves `time` later. Less than `least` never is, and a short
    /// run leaves no folder.
    pub(super) fn is_worth_writing(&self, bytes: u64, time: Duration, least: Duration) -> bool {
        self.is_worth() && time >= self.due.worth(bytes, least)
    }

    /// Bytes read from the folder and written to it, if there is one.
    pub(super) fn volume(&self) -> Option<(u64, u64)> {
        self.folder.as_ref().map(WorkFolder::volume)
    }
}
