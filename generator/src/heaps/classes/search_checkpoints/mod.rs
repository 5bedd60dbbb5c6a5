//! Checkpoints of the search for classes, from which an interrupted search resumes.
//!
//! The search has the same stages in the same order for any memory and number of threads, so a number identifies a
//! stage. A checkpoint writes the partial result of the current stage. The result of a finished stage is written if the
//! stage took long. A resumed search runs through all stages again, and loads each result that it finds: if stages 0
//! and 2 were written, it repeats stage 1 (docs/work-folder.md).

#[cfg(test)]
mod tests;

use std::io;
use std::time::Duration;

use crate::clock::Instant;
use crate::control::{Control, Event, check_cancelled};
use crate::heaps::frame::checkpoint::Checkpointer;
use crate::making::GenerateError;
use crate::work::words::{WordReader, WordWriter};
use crate::work::{PACKING, WorkError, WorkFolder};

/// Results of shorter stages are not written.
const MIN_STAGE: Duration = Duration::from_secs(1);

/// First word of the file of a list of numbers. The files of other stages begin with other words (`stage.rs`).
const NUMBERS: u64 = 3;

/// The stages of a search, and their files.
pub(crate) struct SearchCheckpoints<'a> {
    /// `None` without a folder.
    checkpointer: Option<Checkpointer<'a>>,
    /// Number of the next stage.
    next: usize,
    /// Start of the current stage.
    began: Instant,
}

impl<'a> SearchCheckpoints<'a> {
    pub(crate) fn new(checkpointer: Option<Checkpointer<'a>>) -> Self {
        Self { checkpointer, next: 0, began: Instant::now() }
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
            self.stop(control, |_| Ok(()))?;
        }
        let found = found?;
        self.end(&name, 8 * found.len() as u64, control, |output| {
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
        let Some((folder, content)) = self.checkpointer.as_ref().and_then(|writer| writer.stage_file(name))
        else {
            return Ok(None);
        };
        let mut input = WordReader::new(folder, name, content)?;
        let loaded = load(&mut input)?;
        input.end()?;
        Ok(Some(loaded))
    }

    /// Ends a stage, whose result has about `bytes` bytes.
    pub(crate) fn end(
        &mut self,
        name: &str,
        bytes: u64,
        control: &dyn Control,
        write: impl FnMut(&mut WordWriter) -> io::Result<()>,
    ) -> Result<(), GenerateError> {
        let Some(checkpointer) = &mut self.checkpointer else { return Ok(()) };
        let mut saved = Ok(());
        if checkpointer.is_worth_writing(bytes, self.began.elapsed(), MIN_STAGE) {
            saved = checkpointer.write(name, write);
        }
        if saved.is_ok() && checkpointer.is_due(0) {
            saved = checkpointer.checkpoint();
        }
        self.tolerate_failure(saved, control)
    }

    /// Makes a checkpoint within a stage, if one is due. `write` writes the partial result of about `bytes` bytes.
    pub(crate) fn checkpoint(
        &mut self,
        name: &str,
        bytes: u64,
        control: &dyn Control,
        write: impl FnMut(&mut WordWriter) -> io::Result<()>,
    ) -> Result<(), GenerateError> {
        let Some(checkpointer) = self.checkpointer.as_mut().filter(|checkpointer| checkpointer.is_due(bytes))
        else {
            return Ok(());
        };
        let saved = checkpointer.write(name, write).and_then(|()| checkpointer.checkpoint());
        self.tolerate_failure(saved, control)
    }

    /// Makes a last checkpoint of a cancelled search, if that is worthwhile. `save` writes the stage's partial result.
    pub(crate) fn stop(
        &mut self,
        control: &dyn Control,
        save: impl FnOnce(&mut Checkpointer) -> Result<(), GenerateError>,
    ) -> Result<(), GenerateError> {
        let Some(checkpointer) =
            self.checkpointer.as_mut().filter(|checkpointer| checkpointer.is_worth_saving())
        else {
            return Ok(());
        };
        control.report_event(Event::Stopping);
        save(checkpointer)?;
        checkpointer.checkpoint()
    }

    /// Ignores a failed checkpoint if everything is in memory. Reports the first failure.
    fn tolerate_failure(
        &mut self,
        saved: Result<(), GenerateError>,
        control: &dyn Control,
    ) -> Result<(), GenerateError> {
        match (saved, &mut self.checkpointer) {
            (Err(GenerateError::Work(error @ WorkError::Io { .. })), Some(checkpointer))
                if checkpointer.in_memory =>
            {
                if checkpointer.put_off() {
                    control.report_event(Event::NotSaved(&error));
                }
                check_cancelled(control)
            }
            (saved, _) => saved,
        }
    }

    /// Reports the bytes read from the folder and written to it. `reader` is the handle that read the solved positions.
    pub(crate) fn report_volume(&self, reader: Option<&WorkFolder>, control: &dyn Control) {
        if let Some((read, written)) = self.checkpointer.as_ref().and_then(Checkpointer::volume) {
            let read = read + reader.map_or(0, |reader| reader.bytes_moved().0);
            control.report_event(Event::FolderUsed { read, written });
        }
    }
}
