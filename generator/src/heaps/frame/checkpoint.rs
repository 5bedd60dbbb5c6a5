//! Writes checkpoints while a solved game is packed.
//!
//! Packing runs in *stages* (`search_checkpoints`). A checkpoint has the results of stages, one file each, and the
//! solved blocks. The first checkpoint also writes the blocks that are only in memory.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::block::Block;
use super::numbers::FileNumber;
use crate::clock::Instant;
use crate::making::GenerateError;
use crate::work::checkpoint_timer::CheckpointTimer;
use crate::work::words::{self, WordWriter};
use crate::work::{CheckpointState, Job, SavedBlock, WorkError, WorkFolder};

/// The work folder during packing, and the state of the next checkpoint.
pub(crate) struct Checkpointer<'a> {
    path: &'a Path,
    folder: Option<WorkFolder>,
    job: Job,
    timer: CheckpointTimer,
    /// State for the next checkpoint.
    saved: CheckpointState,
    /// `None` if all blocks are in the folder.
    unsaved: Option<PendingBlocks<'a>>,
    /// All blocks are in memory, so packing can continue after a failed checkpoint.
    pub(crate) in_memory: bool,
}

/// Solved blocks that are not yet in the folder.
struct PendingBlocks<'a> {
    bytes: u64,
    write: Box<Write<'a>>,
}

type Write<'a> = dyn Fn(&mut WorkFolder) -> Result<(), WorkError> + 'a;

impl<'a> Checkpointer<'a> {
    pub(crate) fn new(
        path: &'a Path,
        folder: Option<WorkFolder>,
        job: Job,
        timer: CheckpointTimer,
        saved: CheckpointState,
        in_memory: bool,
    ) -> Self {
        Self { path, folder, job, timer, saved, unsaved: None, in_memory }
    }

    /// Adds the blocks that are not yet in the folder, `bytes` bytes in all.
    pub(crate) fn with_unsaved<'b, C: FileNumber + Sync, S: FileNumber + Sync>(
        self,
        blocks: &'b [Option<Block<C, S>>],
        unsaved: Vec<(usize, String)>,
        bytes: u64,
    ) -> Checkpointer<'b>
    where
        'a: 'b,
    {
        let any_unsaved = !unsaved.is_empty();
        let write = move |folder: &mut WorkFolder| {
            unsaved.iter().try_for_each(|(block, name)| {
                if let Some(block) = &blocks[*block] {
                    block.write(folder, name)?;
                    folder.set_written(name.clone());
                }
                Ok(())
            })
        };
        let unsaved = any_unsaved.then(|| PendingBlocks { bytes, write: Box::new(write) });
        Checkpointer { unsaved, ..self }
    }

    /// Returns a handle for reading the files.
    pub(crate) fn reader(&self) -> Option<WorkFolder> {
        self.folder.as_ref().map(WorkFolder::reader)
    }

    /// Returns the folder; creates it if necessary.
    fn folder(&mut self) -> Result<&mut WorkFolder, WorkError> {
        if self.folder.is_none() {
            let (folder, saved) = WorkFolder::open(self.path, self.job.clone())?;
            if saved.is_some() {
                return Err(WorkError::Taken(self.path.to_owned()));
            }
            self.folder = Some(folder);
        }
        Ok(self.folder.as_mut().expect("the folder is open"))
    }

    /// Returns the folder and the length of a stage's file; `None` if the stage was not written.
    pub(crate) fn stage_file(&self, name: &str) -> Option<(&WorkFolder, u64)> {
        let folder = self.folder.as_ref().filter(|folder| folder.has_file(name))?;
        Some((folder, self.saved.blocks.get(name)?.content))
    }

    /// Writes the file of a stage, for the next checkpoint.
    pub(crate) fn write(
        &mut self,
        name: &str,
        write: impl FnMut(&mut WordWriter) -> io::Result<()>,
    ) -> Result<(), GenerateError> {
        let written = words::write(self.folder()?, name, write);
        let folder = self.folder()?;
        match written {
            Ok(content) => {
                folder.set_written(name.to_owned());
                let block = SavedBlock { epoch: 0, done: 0, content };
                self.saved.blocks.insert(name.to_owned(), block);
                Ok(())
            }
            Err(error) => {
                // The failed write may have destroyed the version written since the last checkpoint.
                folder.exclude(name);
                self.saved.blocks.remove(name);
                Err(error.into())
            }
        }
    }

    /// Makes a checkpoint of all written stages and blocks.
    pub(crate) fn checkpoint(&mut self) -> Result<(), GenerateError> {
        let began = Instant::now();
        self.folder()?;
        let Self { folder: Some(folder), unsaved, saved, timer, .. } = self else { return Ok(()) };
        if let Some(unsaved) = unsaved {
            (unsaved.write)(folder)?;
        }
        folder.sync()?;
        folder.checkpoint(saved)?;
        *unsaved = None;
        timer.made(began);
        Ok(())
    }

    /// Restarts the pause after a failed checkpoint. Returns true for the first failure.
    pub(crate) fn put_off(&mut self) -> bool {
        self.timer.put_off()
    }

    /// Reports whether a checkpoint is due that writes `bytes` bytes in addition to unsaved blocks.
    pub(crate) fn is_due(&self, bytes: u64) -> bool {
        self.timer.is_due(bytes + self.unsaved.as_ref().map_or(0, |unsaved| unsaved.bytes))
    }

    /// Reports whether a checkpoint is worthwhile when the work is cancelled.
    pub(crate) fn is_worth_saving(&self) -> bool {
        self.folder.is_some() || self.timer.is_worth_saving()
    }

    /// Reports whether it is worthwhile to write the result of a stage that took `time` and has `bytes` bytes. A stage
    /// shorter than the user's interval, or than `least` if there is none, is never written.
    pub(crate) fn is_worth_writing(&self, bytes: u64, time: Duration, least: Duration) -> bool {
        self.is_worth_saving() && time >= self.timer.min_time_to_save(bytes, least)
    }

    /// Returns the bytes read and written; `None` without a folder.
    pub(crate) fn volume(&self) -> Option<(u64, u64)> {
        self.folder.as_ref().map(WorkFolder::bytes_moved)
    }
}
