//! Watching over the making of a table, or its proof: how far it is, and whether to go on.

use std::io::{self, Read, Seek, SeekFrom, Write};

use bouton_tables::format::Sink;

use crate::{GenerateError, WorkError};

/// What is being done to make a table, or to prove one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Positions are solved.
    Solving,
    /// What was solved is searched for what is the same.
    Packing,
    /// The file is written, and read back for its digest.
    Writing,
    /// Positions are checked.
    Verifying,
}

/// What happens while a table is made or proved, and users want to know.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The work goes on from a checkpoint or a record. Its steps count as done in this run.
    Resumed {
        /// Steps that are done.
        done: u64,
        /// Steps in all.
        all: u64,
    },
    /// The work was cancelled, and a checkpoint is written.
    Stopping,
    /// A checkpoint could not be written. All is in memory, so that the work goes on.
    NotSaved(&'a WorkError),
    /// Several processes have worked together.
    Exchanged {
        /// Messages that were sent with what was found out.
        messages: u64,
        /// Bytes of them.
        bytes: u64,
    },
    /// The work folder was used.
    Moved {
        /// Bytes that were read from it.
        read: u64,
        /// Bytes that were written to it.
        written: u64,
    },
    /// It cannot be recorded how far the work is, for this reason: it goes on without.
    NotRecorded(io::ErrorKind),
}

/// Watches over the making of a table, or its proof. Its methods are called from any thread, often, and should cost little.
///
/// `()` lets it run to its end unwatched.
pub trait Control: Sync {
    /// A phase begins, which takes so many steps; the one before is over. A phase may come more than once.
    fn begin(&self, phase: Phase, steps: u64) {
        let _ = (phase, steps);
    }

    /// So many more steps of the phase are done.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }

    /// Something happened.
    fn tell(&self, event: Event<'_>) {
        let _ = event;
    }

    /// Whether to stop. Once it says so, it must not change its mind.
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl Control for () {}

/// Stops if the control says so.
pub(crate) fn check(control: &dyn Control) -> Result<(), GenerateError> {
    if control.is_cancelled() { Err(GenerateError::Cancelled) } else { Ok(()) }
}

/// A sink that can be cancelled, and whose bytes are steps.
pub(crate) struct Watched<'a> {
    pub(crate) sink: &'a mut dyn Sink,
    pub(crate) control: &'a dyn Control,
}

impl Watched<'_> {
    fn step(&self, bytes: usize) -> io::Result<usize> {
        if self.control.is_cancelled() {
            // Not as interrupted, after which one tries again.
            return Err(io::Error::other(GenerateError::Cancelled));
        }
        self.control.advance(bytes as u64);
        Ok(bytes)
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sink.write(bytes)?;
        self.step(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.sink.read(bytes)?;
        self.step(read)
    }
}

impl Seek for Watched<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.sink.seek(to)
    }
}

impl Sink for Watched<'_> {
    fn reserve(&mut self, bytes: u64) -> io::Result<()> {
        // Written once, and read once.
        self.control.begin(Phase::Writing, 2 * bytes);
        self.sink.reserve(bytes)
    }
}

/// Asks a control whether to stop, from time to time: often enough to be prompt, and so seldom that it costs
/// nothing.
pub(crate) struct Patience<'a> {
    control: &'a dyn Control,
    left: usize,
}

/// Units of work between two questions: about so many nanoseconds, or a few times as many.
const BETWEEN: usize = 1 << 17;

impl<'a> Patience<'a> {
    pub(crate) fn new(control: &'a dyn Control) -> Self {
        Self { control, left: BETWEEN }
    }

    /// Notes that so much work is about to be done.
    #[inline(always)]
    pub(crate) fn spend(&mut self, work: usize) -> Result<(), GenerateError> {
        match self.left.checked_sub(work) {
            Some(left) => self.left = left,
            None => self.ask()?,
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn ask(&mut self) -> Result<(), GenerateError> {
        self.left = BETWEEN;
        check(self.control)
    }
}
