//! Threads that stand for the processes of a distributed run.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;

use bouton_generator::{Communicator, Message};

/// A rank that is a thread.
#[derive(Debug)]
pub struct ThreadPeer {
    own: usize,
    /// Channels to and from each of the other ranks.
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
    shared: Arc<SharedNotes>,
}

/// Notes that all ranks can read.
#[derive(Debug)]
struct SharedNotes {
    notes: Mutex<Vec<Vec<u8>>>,
    all_are_here: Barrier,
}

impl ThreadPeer {
    /// Returns `count` connected ranks.
    fn connected(count: usize) -> Vec<Self> {
        let notes = Mutex::new(vec![Vec::new(); count]);
        let shared = Arc::new(SharedNotes { notes, all_are_here: Barrier::new(count) });
        let mut peers: Vec<Self> = (0..count)
            .map(|own| Self { own, to: Vec::new(), from: Vec::new(), shared: Arc::clone(&shared) })
            .collect();
        for from in 0..count {
            for to in 0..count {
                let (sender, receiver) = channel();
                peers[from].to.push(sender);
                peers[to].from.push(Mutex::new(receiver));
            }
        }
        peers
    }
}

/// If a thread panics, the others would wait forever, so the whole test program aborts.
impl Drop for ThreadPeer {
    fn drop(&mut self) {
        if thread::panicking() {
            std::process::abort();
        }
    }
}

impl Communicator for ThreadPeer {
    fn rank(&self) -> usize {
        self.own
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn exchange(&self, parcels: &mut [Message<'_>]) {
        for parcel in parcels.iter() {
            if let Message::To(peer, bytes) = parcel {
                assert!(*peer != self.own && !bytes.is_empty());
                self.to[*peer].send(bytes.to_vec()).expect("the other goes on");
            }
        }
        for parcel in parcels {
            if let Message::From(peer, bytes) = parcel {
                let sent = self.from[*peer].lock().unwrap().recv().expect("the other goes on");
                bytes.copy_from_slice(&sent);
            }
        }
    }

    fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        self.shared.notes.lock().unwrap()[self.own] = bytes.to_vec();
        self.shared.all_are_here.wait();
        let all = self.shared.notes.lock().unwrap().clone();
        self.shared.all_are_here.wait();
        all
    }
}

/// Runs `work` on `count` ranks, and returns their results by rank.
pub fn run_on_ranks<T: Send>(count: usize, work: impl Fn(&ThreadPeer) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let threads: Vec<_> = ThreadPeer::connected(count)
            .into_iter()
            .map(|peer| {
                let work = &work;
                scope.spawn(move || work(&peer))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    })
}
