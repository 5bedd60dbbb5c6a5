//! Threads that stand for the processes (MPI ranks) of a distributed run, connected by channels.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;

use bouton_generator::{Communicator, Message};

/// A rank that is a thread.
#[derive(Debug)]
pub struct ThreadRank {
    rank: usize,
    /// A channel to each rank, by number.
    to: Vec<Sender<Vec<u8>>>,
    /// A channel from each rank, by number.
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
    shared: Arc<Gathered>,
}

/// The bytes that each rank contributes to `gather`.
#[derive(Debug)]
struct Gathered {
    bytes_of_ranks: Mutex<Vec<Vec<u8>>>,
    barrier: Barrier,
}

impl ThreadRank {
    /// Returns `count` connected ranks.
    fn connected(count: usize) -> Vec<Self> {
        let bytes_of_ranks = Mutex::new(vec![Vec::new(); count]);
        let shared = Arc::new(Gathered { bytes_of_ranks, barrier: Barrier::new(count) });
        let mut ranks: Vec<Self> = (0..count)
            .map(|rank| Self { rank, to: Vec::new(), from: Vec::new(), shared: Arc::clone(&shared) })
            .collect();
        for from in 0..count {
            for to in 0..count {
                let (sender, receiver) = channel();
                ranks[from].to.push(sender);
                ranks[to].from.push(Mutex::new(receiver));
            }
        }
        ranks
    }
}

/// If a thread panics, the others would wait forever, so the whole test program aborts.
impl Drop for ThreadRank {
    fn drop(&mut self) {
        if thread::panicking() {
            std::process::abort();
        }
    }
}

impl Communicator for ThreadRank {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn exchange(&self, messages: &mut [Message<'_>]) {
        for message in messages.iter() {
            if let Message::To(other, bytes) = message {
                assert!(*other != self.rank && !bytes.is_empty());
                self.to[*other].send(bytes.to_vec()).expect("the other rank still runs");
            }
        }
        for message in messages {
            if let Message::From(other, bytes) = message {
                let sent = self.from[*other].lock().unwrap().recv().expect("the other rank still runs");
                bytes.copy_from_slice(&sent);
            }
        }
    }

    fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        self.shared.bytes_of_ranks.lock().unwrap()[self.rank] = bytes.to_vec();
        self.shared.barrier.wait();
        let all = self.shared.bytes_of_ranks.lock().unwrap().clone();
        self.shared.barrier.wait();
        all
    }
}

/// Runs `work` on `count` ranks, and returns their results by rank.
pub fn run_on_ranks<T: Send>(count: usize, work: impl Fn(&ThreadRank) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let threads: Vec<_> = ThreadRank::connected(count)
            .into_iter()
            .map(|rank| {
                let work = &work;
                scope.spawn(move || work(&rank))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no rank panics")).collect()
    })
}
