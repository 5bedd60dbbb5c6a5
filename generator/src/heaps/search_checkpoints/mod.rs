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
use crate::control::check_cancelled;
use crate::heaps::checkpoint::Checkpointer;
use crate::heaps::edges::{EdgeList, from_wide, wide};
use crate::heaps::pack::ClassEdge;
use crate::heaps::refine::ClassDictionary;
use crate::memory::room;
use crate::work::words::{WordReader, WordWriter};
use crate::work::{PACKING, WorkFolder};
use crate::{Control, Event, GenerateError, WorkError};

/// Results of shorter stages are not written.
const MIN_STAGE: Duration = Duration::from_secs(1);

/// First word of a stage's file: the kind of its content.
const GIVEN_UP: u64 = 0;
const COMPLETE: u64 = 1;
const PARTIAL: u64 = 2;
const NUMBERS: u64 = 3;

/// State of a stage that computes the classes of multisets.
pub(super) enum StageState<D> {
    /// The stage has found too many classes.
    GivenUp,
    /// The edges to all multisets, and the steps of all classes.
    Complete(EdgeList, Vec<ClassEdge>),
    /// The classes and edges of the first multisets.
    Partial(D, EdgeList),
}

impl<D: ClassDictionary> StageState<D> {
    /// Reads the stage for `multisets` multisets, whose classes have `width` steps each.
    fn load(multisets: u64, width: usize, input: &mut WordReader) -> Result<Self, GenerateError> {
        let kind = input.word()?;
        if kind == GIVEN_UP {
            return Ok(Self::GivenUp);
        }
        let edges = EdgeList::load(multisets, input)?;
        let (classes, stage) = match kind {
            COMPLETE if edges.len() == multisets => {
                let len = input.word()?;
                input.check_left(len, 8)?;
                let mut steps = room(len)?;
                for _ in 0..len {
                    steps.push(from_wide(input.word()?));
                }
                (steps.len() / width, Self::Complete(edges, steps))
            }
            PARTIAL => {
                let all = D::load(input)?;
                (all.len(), Self::Partial(all, edges))
            }
            _ => return Err(input.damaged()),
        };
        let (Self::Complete(edges, _) | Self::Partial(_, edges)) = &stage else { return Ok(stage) };
        if edges.iter().any(|edge| edge.class as usize >= classes) {
            return Err(input.damaged());
        }
        Ok(stage)
    }
}

pub(super) fn save_given_up(output: &mut WordWriter) -> io::Result<()> {
    output.write_word(GIVEN_UP)
}

pub(super) fn save_complete(
    output: &mut WordWriter,
    edges: &EdgeList,
    steps: &[ClassEdge],
) -> io::Result<()> {
    output.write_word(COMPLETE)?;
    edges.save(output)?;
    output.write_word(steps.len() as u64)?;
    steps.iter().try_for_each(|&step| output.write_word(wide(step)))
}

pub(super) fn save_partial<D: ClassDictionary>(
    output: &mut WordWriter,
    classes: &D,
    edges: &EdgeList,
) -> io::Result<()> {
    output.write_word(PARTIAL)?;
    edges.save(output)?;
    classes.save(output)
}

/// The stages of a search, and their files.
pub(super) struct SearchCheckpoints<'a> {
    /// `None` without a folder.
    checkpointer: Option<Checkpointer<'a>>,
    /// Number of the next stage.
    next: usize,
    /// Start of the current stage.
    began: Instant,
}

impl<'a> SearchCheckpoints<'a> {
    pub(super) fn new(checkpointer: Option<Checkpointer<'a>>) -> Self {
        Self { checkpointer, next: 0, began: Instant::now() }
    }

    /// Begins the next stage, and returns its name.
    fn begin_stage(&mut self) -> String {
        let name = format!("{PACKING}{:02}", self.next);
        self.next += 1;
        self.began = Instant::now();
        name
    }

    /// Begins the stage that finds the classes of `multisets` multisets, with `width` steps each. Returns the stage's
    /// name and state.
    pub(super) fn begin<D: ClassDictionary>(
        &mut self,
        multisets: u64,
        width: usize,
    ) -> Result<(String, StageState<D>), GenerateError> {
        let name = self.begin_stage();
        let stage = match self.read(&name, |input| StageState::load(multisets, width, input))? {
            Some(stage) => stage,
            None => StageState::Partial(D::default(), EdgeList::with_capacity(multisets)?),
        };
        Ok((name, stage))
    }

    /// Runs a stage whose result is a list of numbers, or loads the result.
    pub(super) fn numbers(
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
    fn read<T>(
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
    pub(super) fn end(
        &mut self,
        name: &str,
        bytes: u64,
        control: &dyn Control,
        write: impl FnOnce(&mut WordWriter) -> io::Result<()>,
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
    pub(super) fn checkpoint(
        &mut self,
        name: &str,
        bytes: u64,
        control: &dyn Control,
        write: impl FnOnce(&mut WordWriter) -> io::Result<()>,
    ) -> Result<(), GenerateError> {
        let Some(checkpointer) = self.checkpointer.as_mut().filter(|checkpointer| checkpointer.is_due(bytes))
        else {
            return Ok(());
        };
        let saved = checkpointer.write(name, write).and_then(|()| checkpointer.checkpoint());
        self.tolerate_failure(saved, control)
    }

    /// Makes a last checkpoint of a cancelled search, if that is worthwhile. `save` writes the stage's partial result.
    pub(super) fn stop(
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
    pub(super) fn tell_volume(&self, reader: Option<&WorkFolder>, control: &dyn Control) {
        if let Some((read, written)) = self.checkpointer.as_ref().and_then(Checkpointer::volume) {
            let read = read + reader.map_or(0, |reader| reader.bytes_moved().0);
            control.report_event(Event::FolderUsed { read, written });
        }
    }
}
