//! Options, resources, result and error of making a table.

use std::collections::TryReserveError;
use std::io;
use std::path::Path;
use std::time::Duration;

use bouton_tables::format::Finished;
use bouton_tables::{Header, RulesetError, TooManyPositions};
use thiserror::Error;

use crate::communicator::Communicator;
use crate::work::WorkError;

/// Options on the contents of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerateOptions {
    /// Store depths.
    pub depths: bool,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self { depths: true }
    }
}

/// Memory, disk and processes that making a table may use.
#[derive(Clone, Copy, Debug)]
pub struct Resources<'a> {
    /// Memory of the whole process, in bytes. Without a work folder, the table is made in memory or not at all: solving
    /// ignores this limit, and packing a heap game ends with an error before it exceeds the limit.
    pub memory: u64,
    /// Work folder, for blocks that do not fit into memory, and for checkpoints from which a later call resumes. The
    /// solver creates the folder when first needed; the caller removes it ([`discard_work`](crate::discard_work)). Only the
    /// games for which [`memory_with_folder`](crate::memory_with_folder) returns a value use one.
    pub folder: Option<&'a Path>,
    /// Time before the first checkpoint, and the least time between two. With `None` the solver decides: the first
    /// checkpoint comes after ten seconds if it seems cheap, and after five minutes at the latest. In any case, the
    /// time between two checkpoints is at least twenty times the cost of the last one. If this and the work folder are
    /// set, heap games whose solver in memory makes no checkpoints are solved in blocks instead, if memory suffices for
    /// that.
    pub checkpoint_interval: Option<Duration>,
    /// The processes that make the table together, if there are several. This process has rank 0; the others call
    /// [`work_as_rank`](crate::work_as_rank). All of them use the same folder.
    pub communicator: Option<&'a dyn Communicator>,
}

impl Default for Resources<'_> {
    /// Memory without a limit, and no work folder.
    fn default() -> Self {
        Self { memory: u64::MAX, folder: None, checkpoint_interval: None, communicator: None }
    }
}

/// The table that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The table's header.
    pub header: Header,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// The digest that identifies the table.
    pub digest: [u8; 32],
}

impl Summary {
    pub(crate) fn new(header: Header, Finished { bytes, digest }: Finished) -> Self {
        Self { header, bytes, digest }
    }
}

/// Why no table was made.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// The ruleset has too many stones for a table with depths.
    #[error("{0}; ask for fewer stones, or omit depths")]
    Depths(RulesetError),
    /// An allocation failed.
    #[error("there is not enough memory to make the table; ask for a smaller game, or omit depths")]
    Memory,
    /// [`Control::is_cancelled`](crate::Control::is_cancelled) returned true.
    #[error("the table was not made: the run was cancelled")]
    Cancelled,
    /// The proof of the quotient (classes of heaps that are equivalent in every sum) from which the table would be made
    /// has a gap, which the text describes.
    #[error("the table was not made: {0}; this is a bug in the program")]
    Unproved(String),
    /// The work folder cannot be used.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// The sink failed.
    #[error("the table cannot be written: {0}")]
    Write(io::Error),
}

impl From<TryReserveError> for GenerateError {
    fn from(_: TryReserveError) -> Self {
        Self::Memory
    }
}

/// A table with too many positions to count needs more memory than any machine has.
impl From<TooManyPositions> for GenerateError {
    fn from(_: TooManyPositions) -> Self {
        Self::Memory
    }
}

impl From<io::Error> for GenerateError {
    fn from(error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(error) => error,
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => Self::Memory,
            Err(error) => Self::Write(error),
        }
    }
}
