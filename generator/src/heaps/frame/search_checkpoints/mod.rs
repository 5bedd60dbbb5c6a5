//! Checkpoints while a solved game is packed, from which an interrupted search for classes resumes.
//!
//! The search has the same *stages* in the same order for any memory and number of threads, so a number identifies a
//! stage. A checkpoint has the solved blocks, a file for the result of each finished stage that took long, and a file
//! for the partial result of the current stage. The first checkpoint writes the blocks that are only in memory. A
//! resumed search runs through all stages again, and loads each result that it finds: if stages 0 and 2 were written,
//! it repeats stage 1 (docs/work-folder.md).

#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;
use std::time::Duration;

use super::block::Block;
use crate::clock::Instant;
use crate::control::{Control, Event, check_cancelled};
use crate::making::GenerateError;
use crate::work::checkpoint_timer::CheckpointTimer;
use crate::work::words::{self, WordReader, WordWriter};
use crate::work::{CheckpointState, Job, PACKING, SavedBlock, WorkError, WorkFolder};

/// Results of shorter stages are not written.
const MIN_STAGE: Duration = Duration::from_secs(1);

/// First word of the file of a list of numbers. The files of other stages begin with other words (`classes/stage.rs`).
const NUMBERS: u64 = 2;

/// The work folder during packing, and the state of the next checkpoint.
pub(crate) struct PackingFolder<'a> {
    pub(super) path: &'a Path,
    /// `None` before the first checkpoint.
    pub(super) folder: Option<WorkFolder>,
    pub(super) job: Job,
    pub(super) timer: CheckpointTimer,
    /// State for the next checkpoint.
    pub(super) saved: CheckpointState,
    /// Solved blocks that are not yet in the folder, with their names.
    pub(super) unsaved: Vec<(usize, String)>,
    pub(super) unsaved_bytes: u64,
    /// All blocks are in memory, so packing can continue after a failed checkpoint.
    pub(super) in_memory: bool,
}

/// The stages of a search, and their files.
pub(crate) struct SearchCheckpoints<'a> {
    /// `None` if the user gave no folder.
    folder: Option<PackingFolder<'a>>,
    /// All solved blocks, if they are in memory.
    blocks: &'a [Option<Block>],
    /// Number of the next stage.
    next: usize,
    /// Start of the current stage.
    began: Instant,
}

impl<'a> SearchCheckpoints<'a> {
    /// Returns the checkpoints for a search in a folder, if there is one; `blocks` are those in memory.
    pub(crate) fn new(folder: Option<PackingFolder<'a>>, blocks: &'a [Option<Block>]) -> Self {
        Self { folder, blocks, next: 0, began: Instant::now() }
    }

    /// Returns a handle for reading the solved blocks, if they are not in memory.
    pub(crate) fn block_reader(&self) -> Option<WorkFolder> {
        let folder = self.folder.as_ref().filter(|folder| !folder.in_memory)?;
        folder.folder.as_ref().map(WorkFolder::reader)
    }

    /// Begins the next stage, and returns its name.
    pub(crate) fn begin_stage(&mut self) -> String {
        let name = format!("{PACKING}{:02}", self.next);
        self.next += 1;
        self.began = Instant::now();
        name
    }

    /// Runs a stage whose result is a list of numbers, or loads the result.
    pub(crate) fn numbers(
        &mut self,
        control: &dyn Control,
        find: impl FnOnce() -> Result<Vec<u64>, GenerateError>,
    ) -> Result<Vec<u64>, GenerateError> {
        let name = self.begin_stage();
        let load = |input: &mut WordReader| match input.word()? {
            NUMBERS => {
                let len = input.word()?;
                input.words(len)
            }
            _ => Err(input.damaged()),
        };
        if let Some(numbers) = self.read(&name, load)? {
            return Ok(numbers);
        }
        let found = find();
        if matches!(found, Err(GenerateError::Cancelled)) {
            self.stop(control, None)?;
        }
        let found = found?;
        self.end(&name, 8 * found.len() as u64, control, &mut |output| {
            output.write_word(NUMBERS)?;
            output.write_word(found.len() as u64)?;
            output.words(&found)
        })?;
        Ok(found)
    }

    /// Loads a stage; `None` if it was not written.
    pub(crate) fn read<T>(
        &self,
        name: &str,
        load: impl FnOnce(&mut WordReader) -> Result<T, GenerateError>,
    ) -> Result<Option<T>, GenerateError> {
        let Some(PackingFolder { folder: Some(folder), saved, .. }) = &self.folder else { return Ok(None) };
        let Some(stage) = saved.blocks.get(name).filter(|_| folder.has_file(name)) else { return Ok(None) };
        let mut input = WordReader::new(folder, name, stage.content)?;
        let loaded = load(&mut input)?;
        input.end()?;
        Ok(Some(loaded))
    }

    /// Ends a stage, whose result has about `bytes` bytes. A stage shorter than the user's interval, or than
    /// [`MIN_STAGE`] if there is none, is never written.
    pub(crate) fn end(
        &mut self,
        name: &str,
        bytes: u64,
        control: &dyn Control,
        write: &mut StageWriter,
    ) -> Result<(), GenerateError> {
        let Some(folder) = &mut self.folder else { return Ok(()) };
        let mut saved = Ok(());
        let time = self.began.elapsed();
        if folder.is_worth_saving() && time >= folder.timer.min_time_to_save(bytes, MIN_STAGE) {
            saved = folder.write(name, write);
        }
        if saved.is_ok() && folder.is_due(0) {
            saved = folder.checkpoint(self.blocks);
        }
        folder.tolerate_failure(saved, control)
    }

    /// Makes a checkpoint within a stage, if one is due. `write` writes the partial result of about `bytes` bytes.
    pub(crate) fn checkpoint(
        &mut self,
        name: &str,
        bytes: u64,
        control: &dyn Control,
        write: &mut StageWriter,
    ) -> Result<(), GenerateError> {
        let Some(folder) = self.folder.as_mut().filter(|folder| folder.is_due(bytes)) else { return Ok(()) };
        let saved = folder.write(name, write).and_then(|()| folder.checkpoint(self.blocks));
        folder.tolerate_failure(saved, control)
    }

    /// Makes a last checkpoint of a cancelled search, if that is worthwhile. `partial` is the name of the current
    /// stage, and a function that writes its partial result.
    pub(crate) fn stop(
        &mut self,
        control: &dyn Control,
        partial: Option<(&str, &mut StageWriter)>,
    ) -> Result<(), GenerateError> {
        let Some(folder) = self.folder.as_mut().filter(|folder| folder.is_worth_saving()) else {
            return Ok(());
        };
        control.report_event(Event::Stopping);
        if let Some((name, write)) = partial {
            folder.write(name, write)?;
        }
        folder.checkpoint(self.blocks)
    }

    /// Reports the bytes read from the folder and written to it. `reader` is the handle that read the solved positions.
    pub(crate) fn report_volume(&self, reader: Option<&WorkFolder>, control: &dyn Control) {
        if let Some(PackingFolder { folder: Some(folder), .. }) = &self.folder {
            let (read, written) = folder.bytes_moved();
            let read = read + reader.map_or(0, |reader| reader.bytes_moved().0);
            control.report_event(Event::FolderUsed { read, written });
        }
    }
}

/// Writes the result of a stage.
pub(crate) type StageWriter<'a> = dyn FnMut(&mut WordWriter) -> io::Result<()> + 'a;

impl PackingFolder<'_> {
    /// Opens the folder, unless it is open; creates it if necessary.
    fn open(&mut self) -> Result<(), WorkError> {
        if self.folder.is_none() {
            let (folder, saved) = WorkFolder::open(self.path, self.job.clone())?;
            if saved.is_some() {
                return Err(WorkError::Taken(self.path.to_owned()));
            }
            self.folder = Some(folder);
        }
        Ok(())
    }

    /// Writes the file of a stage, for the next checkpoint.
    fn write(&mut self, name: &str, write: &mut StageWriter) -> Result<(), GenerateError> {
        self.open()?;
        let Some(folder) = &mut self.folder else { return Ok(()) };
        match words::write(folder, name, write) {
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
    fn checkpoint(&mut self, blocks: &[Option<Block>]) -> Result<(), GenerateError> {
        let began = Instant::now();
        self.open()?;
        let Self { folder: Some(folder), unsaved, saved, timer, .. } = self else { return Ok(()) };
        for (block, name) in &*unsaved {
            if let Some(block) = &blocks[*block] {
                block.write(folder, name)?;
                folder.set_written(name.clone());
            }
        }
        folder.sync()?;
        folder.checkpoint(saved)?;
        unsaved.clear();
        self.unsaved_bytes = 0;
        timer.made(began);
        Ok(())
    }

    /// Reports whether a checkpoint is due that writes `bytes` bytes in addition to unsaved blocks.
    fn is_due(&self, bytes: u64) -> bool {
        self.timer.is_due(bytes + self.unsaved_bytes)
    }

    /// Reports whether a checkpoint is worthwhile when the work is cancelled.
    fn is_worth_saving(&self) -> bool {
        self.folder.is_some() || self.timer.is_worth_saving()
    }

    /// Ignores a failed checkpoint if everything is in memory. Reports the first failure.
    fn tolerate_failure(
        &mut self,
        saved: Result<(), GenerateError>,
        control: &dyn Control,
    ) -> Result<(), GenerateError> {
        match saved {
            Err(GenerateError::Work(error @ WorkError::Io { .. })) if self.in_memory => {
                if self.timer.put_off() {
                    control.report_event(Event::NotSaved(&error));
                }
                check_cancelled(control)
            }
            saved => saved,
        }
    }
}
