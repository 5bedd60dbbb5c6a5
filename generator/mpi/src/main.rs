//! `bouton-mpi`: makes tables of solved games by several processes, on one machine or several, which MPI starts and connects.

mod ranks;

use std::process::ExitCode;

use mpi::Threading;
use mpi::environment::processor_name;
use mpi::topology::SimpleCommunicator;
use mpi::traits::Communicator;

use self::ranks::Ranks;

/// The exit status of a process that ends all others.
const ENDED: i32 = 2;

/// Ends all processes if this one panics: they would wait for it for ever.
struct EndAll;

impl Drop for EndAll {
    fn drop(&mut self) {
        if std::thread::panicking() {
            SimpleCommunicator::world().abort(ENDED);
        }
    }
}

fn main() -> ExitCode {
    // Threads take turns: one of them at a time works with MPI.
    let Some((universe, level)) = mpi::initialize_with_threading(Threading::Serialized) else {
        eprintln!("bouton-mpi: MPI was initialized before");
        return ExitCode::from(2);
    };
    if level < Threading::Serialized {
        eprintln!(
            "bouton-mpi: this MPI is for programs of one thread; use one that was built with support of threads"
        );
        return ExitCode::from(2);
    }
    let _end_all = EndAll;
    let world = universe.world();
    let host = processor_name().unwrap_or_else(|_| "a machine without a name".to_owned());
    let (status, others_may_wait) = bouton_program::together(&Ranks::of(&world), &host);
    if others_may_wait {
        world.abort(ENDED);
    }
    status
}
