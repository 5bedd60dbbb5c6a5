//! The ranks of MPI's world communicator, as the generator's connection of several processes.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bouton_generator::{Communicator, Message};
use mpi::datatype::PartitionMut;
use mpi::request::multiple_scope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives, Destination, Source};

/// The most bytes of a message, as MPI counts them in 31 bits.
const MOST: usize = 1 << 30;

/// A waiting process first polls without a pause, for `AT_ONCE`; then it sleeps between polls, longer and longer up to
/// `SELDOM`, to leave the processor to other work.
const AT_ONCE: Duration = Duration::from_micros(200);
const SELDOM: Duration = Duration::from_millis(5);

/// This rank, and the number of ranks.
#[derive(Debug)]
pub(crate) struct Ranks {
    own: usize,
    count: usize,
}

impl Ranks {
    pub(crate) fn of(world: &SimpleCommunicator) -> Self {
        Self { own: world.rank() as usize, count: world.size() as usize }
    }
}

/// Waits until all ranks have called this function.
fn meet(world: &SimpleCommunicator) {
    let began = Instant::now();
    let mut waiting = world.immediate_barrier();
    while let Err(still) = waiting.test() {
        waiting = still;
        if began.elapsed() > AT_ONCE {
            sleep((began.elapsed() / 16).min(SELDOM));
        }
    }
}

impl Communicator for Ranks {
    fn rank(&self) -> usize {
        self.own
    }

    fn size(&self) -> usize {
        self.count
    }

    fn exchange(&self, parcels: &mut [Message<'_>]) {
        let world = SimpleCommunicator::world();
        let messages = |parcel: &Message| match parcel {
            Message::To(_, bytes) => bytes.len().div_ceil(MOST),
            Message::From(_, bytes) => bytes.len().div_ceil(MOST),
        };
        let count = parcels.iter().map(messages).sum();
        // MPI keeps the order of messages from one rank to another.
        multiple_scope(count, |scope, requests| {
            for parcel in parcels {
                match parcel {
                    Message::To(peer, bytes) => {
                        let peer = world.process_at_rank(*peer as i32);
                        for bytes in bytes.chunks(MOST) {
                            requests.add(peer.immediate_send(scope, bytes));
                        }
                    }
                    Message::From(peer, bytes) => {
                        let peer = world.process_at_rank(*peer as i32);
                        for bytes in bytes.chunks_mut(MOST) {
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
        meet(&world);
        // Append a byte: MPI takes the address of an empty slice for a command.
        let bytes = [bytes, &[0]].concat();
        let mut lengths = vec![0_i32; self.count];
        world.all_gather_into(&(bytes.len() as i32), &mut lengths[..]);
        let begins: Vec<i32> =
            lengths.iter().scan(0, |end, len| Some(std::mem::replace(end, *end + len))).collect();
        let mut all = vec![0; lengths.iter().sum::<i32>() as usize];
        let places = &mut PartitionMut::new(&mut all[..], &lengths[..], &begins[..]);
        world.all_gather_varcount_into(&bytes[..], places);
        let of_one = |(&len, &begin): (&i32, &i32)| all[begin as usize..][..len as usize - 1].to_vec();
        lengths.iter().zip(&begins).map(of_one).collect()
    }
}
