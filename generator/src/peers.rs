//! Several processes that make one table.

use std::fmt;

/// What travels between two processes.
#[derive(Debug)]
pub enum Parcel<'a> {
    /// Bytes for another process.
    To(usize, &'a [u8]),
    /// Room for the bytes that another process sends.
    From(usize, &'a mut [u8]),
}

/// The processes that make a table together, as one of them sees them. They are numbered from 0. The first one writes the table.
///
/// All of them call the same methods in the same order, with what belongs together: each returns once the others have called
/// it as far as needed. The processes have the same byte order.
///
/// A process that fails leaves the others waiting: whoever runs them ends them all then, as MPI does.
pub trait Peers: fmt::Debug + Sync {
    /// The number of this process, less than the count.
    fn own(&self) -> usize;

    /// How many processes there are, 1 or more.
    fn count(&self) -> usize;

    /// Sends and receives parcels. Those from one process to another come in the order in which they are sent, and have the
    /// lengths that the receiver has made room for. None goes to this process itself, and none is empty.
    fn exchange(&self, parcels: &mut [Parcel<'_>]);

    /// Gives all processes the bytes of all, by number.
    fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>>;
}

/// Whether this process writes the table.
pub(crate) fn is_first(peers: Option<&dyn Peers>) -> bool {
    peers.is_none_or(|peers| peers.own() == 0)
}
