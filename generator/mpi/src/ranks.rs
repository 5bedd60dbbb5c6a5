//! Implements the generator's [`Communicator`] with the ranks of MPI's world communicator.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bouton_generator::{Communicator, Message};
use mpi::datatype::PartitionMut;
use mpi::request::multiple_scope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives, Destination, Source};

/// Maximum bytes of an MPI message, as MPI counts them in 31 bits. Longer messages are sent in parts.
const MAX_PART: usize = 1 << 30;

/// A process that waits in `gather` first polls without a pause for this time. Then it sleeps between polls, longer and
/// longer, to leave the processor to other work.
const POLLING_TIME: Duration = Duration::from_micros(200);
/// Maximum pause between two polls.
const MAX_PAUSE: Duration = Duration::from_millis(5);

/// This rank, and the number of ranks.
#[derive(Debug)]
pub(crate) struct Ranks {
    rank: usize,
    size: usize,
}

impl Ranks {
    pub(crate) fn of(world: &SimpleCommunicator) -> Self {
        Self { rank: world.rank() as usize, size: world.size() as usize }
    }
}

/// Waits until all ranks have called this function.
fn wait_for_all(world: &SimpleCommunicator) {
    let start = Instant::now();
    let mut barrier = world.immediate_barrier();
    while let Err(pending) = barrier.test() {
        barrier = pending;
        if start.elapsed() > POLLING_TIME {
            sleep((start.elapsed() / 16).min(MAX_PAUSE));
        }
    }
}

impl Communicator for Ranks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn exchange(&self, messages: &mut [Message<'_>]) {
        let world = SimpleCommunicator::world();
        let parts = |message: &Message| match message {
            Message::To(_, bytes) => bytes.len().div_ceil(MAX_PART),
            Message::From(_, bytes) => bytes.len().div_ceil(MAX_PART),
        };
        let count = messages.iter().map(parts).sum();
        // MPI keeps the order of messages from one rank to another.
        multiple_scope(count, |scope, requests| {
            for message in messages {
                match message {
                    Message::To(peer, bytes) => {
                        let peer = world.process_at_rank(*peer as i32);
                        for bytes in bytes.chunks(MAX_PART) {
                            requests.add(peer.immediate_send(scope, bytes));
                        }
                    }
                    Message::From(peer, bytes) => {
                        let peer = world.process_at_rank(*peer as i32);
                        for bytes in bytes.chunks_mut(MAX_PART) {
                            requests.add(peer.immediate_receive_into(scope, bytes));
                        }
                    }
                }
            }
            requests.wait_all(&mut Vec::with_capacity(count));
        });
    }

    fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let world = SimpleCommunicator::world();
        wait_for_all(&world);
        // Append a byte: the address of an empty slice is 1, which means `MPI_IN_PLACE` in Open MPI.
        let bytes = [bytes, &[0]].concat();
        let mut lengths = vec![0_i32; self.size];
        world.all_gather_into(&(bytes.len() as i32), &mut lengths[..]);
        let starts: Vec<i32> =
            lengths.iter().scan(0, |end, len| Some(std::mem::replace(end, *end + len))).collect();
        let mut all = vec![0; lengths.iter().sum::<i32>() as usize];
        let parts = &mut PartitionMut::new(&mut all[..], &lengths[..], &starts[..]);
        world.all_gather_varcount_into(&bytes[..], parts);
        let bytes_of_rank = |(&len, &start): (&i32, &i32)| all[start as usize..][..len as usize - 1].to_vec();
        lengths.iter().zip(&starts).map(bytes_of_rank).collect()
    }
}
