//! The processes that make one table together, behind a trait: MPI in production, threads in tests.

use std::fmt;

/// A message between two processes.
#[derive(Debug)]
pub enum Message<'a> {
    /// Bytes to send to the process with this rank.
    To(usize, &'a [u8]),
    /// Buffer for the bytes from the process with this rank.
    From(usize, &'a mut [u8]),
}

/// The processes that make a table together, as one of them sees them. Their ranks count from 0. Rank 0 writes the table.
///
/// All processes call the same methods in the same order with matching arguments. A call returns once the other
/// processes have made the calls that it depends on. All processes have the same byte order.
///
/// A process that fails leaves the others waiting. The launcher must then end all of them, as MPI does.
pub trait Communicator: fmt::Debug + Sync {
    /// The rank of this process, less than [`size`](Self::size).
    fn rank(&self) -> usize;

    /// The number of processes, at least 1.
    fn size(&self) -> usize;

    /// Sends and receives messages. Messages from one process to another arrive in the order of sending, and have the
    /// lengths of the receiver's buffers. No message is empty, and none goes to its sender.
    fn exchange(&self, messages: &mut [Message<'_>]);

    /// Returns the bytes of every process, by rank, to every process (`MPI_Allgather`).
    fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>>;
}
