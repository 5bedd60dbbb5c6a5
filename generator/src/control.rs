//! Progress, events and cancellation while a table is made or proved.

use std::io::{self, Read, Seek, SeekFrom, Write};

use bouton_tables::format::Sink;

use crate::making::GenerateError;
use crate::work::WorkError;

/// A phase of making or proving a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The solver computes positions.
    Solving,
    /// The packer searches the solved positions for equivalence classes.
    Packing,
    /// The writer writes the file, and reads it back for its digest.
    Writing,
    /// The proof checks positions.
    Verifying,
}

/// An event that users want to know about.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The work resumes from a checkpoint, whose steps count as done.
    Resumed {
        /// Steps done.
        done: u64,
        /// Steps in all.
        all: u64,
    },
    /// The work was cancelled; a checkpoint follows.
    Stopping,
    /// A checkpoint could not be written. Everything is in memory, so the work continues.
    NotSaved(&'a WorkError),
    /// Several processes have exchanged results.
    Exchanged {
        /// Messages with results.
        messages: u64,
        /// Bytes of these messages.
        bytes: u64,
    },
    /// The work folder was used.
    FolderUsed {
        /// Bytes read from the folder.
        read: u64,
        /// Bytes written to the folder.
        written: u64,
    },
}

/// Observes and cancels work. Any thread calls these methods, and often, so they should be cheap.
///
/// `()` observes nothing and never cancels.
#[expect(unused_variables, reason = "the default methods do nothing")]
pub trait Control: Sync {
    /// A phase of `steps` steps begins, which ends the previous one. A phase may come more than once.
    fn begin(&self, phase: Phase, steps: u64) {}

    /// `steps` more steps of the phase are done.
    fn advance(&self, steps: u64) {}

    /// An event happened.
    fn report_event(&self, event: Event<'_>) {}

    /// Reports whether to stop. After the first `true`, every answer must be `true`.
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl Control for () {}

/// Returns an error if the control has cancelled.
pub(crate) fn check_cancelled(control: &dyn Control) -> Result<(), GenerateError> {
    if control.is_cancelled() { Err(GenerateError::Cancelled) } else { Ok(()) }
}

/// Reports one of `parts` equal parts of `steps` steps as done: the part with number `part`, from 0. All parts together
/// are exactly `steps` steps.
pub(crate) fn advance_by_part(control: &dyn Control, steps: u64, part: usize, parts: usize) {
    let done = |parts_done: usize| (u128::from(steps) * parts_done as u128 / parts as u128) as u64;
    control.advance(done(part + 1) - done(part));
}

/// A sink that the control can cancel. Each byte written or read is a step.
pub(crate) struct CancellableSink<'a> {
    pub(crate) sink: &'a mut dyn Sink,
    pub(crate) control: &'a dyn Control,
}

impl CancellableSink<'_> {
    /// Reports bytes as done, unless the control has cancelled.
    fn step(&self, bytes: usize) -> io::Result<usize> {
        if self.control.is_cancelled() {
            // `ErrorKind::Interrupted` would make the caller try again.
            return Err(io::Error::other(GenerateError::Cancelled));
        }
        self.control.advance(bytes as u64);
        Ok(bytes)
    }
}

impl Write for CancellableSink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sink.write(bytes)?;
        self.step(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

impl Read for CancellableSink<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.sink.read(bytes)?;
        self.step(read)
    }
}

impl Seek for CancellableSink<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.sink.seek(to)
    }
}

impl Sink for CancellableSink<'_> {
    fn reserve(&mut self, bytes: u64) -> io::Result<()> {
        // Each byte is written once and read once.
        self.control.begin(Phase::Writing, 2 * bytes);
        self.sink.reserve(bytes)
    }
}

/// Polls a control for cancellation: often enough to react at once, rarely enough to cost nothing.
pub(crate) struct CancelCheck<'a> {
    control: &'a dyn Control,
    /// Units of work until the next poll.
    left: usize,
}

/// Units of work between two polls. A unit takes one to a few nanoseconds.
const POLL_INTERVAL: usize = 1 << 17;

impl<'a> CancelCheck<'a> {
    pub(crate) fn new(control: &'a dyn Control) -> Self {
        Self { control, left: POLL_INTERVAL }
    }

    /// Accounts for `work` units that follow; polls when enough have accumulated.
    #[inline(always)]
    pub(crate) fn spend(&mut self, work: usize) -> Result<(), GenerateError> {
        match self.left.checked_sub(work) {
            Some(left) => self.left = left,
            None => self.poll()?,
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn poll(&mut self) -> Result<(), GenerateError> {
        self.left = POLL_INTERVAL;
        check_cancelled(self.control)
    }
}
