//! The program `bouton-mpi`: several processes make a table together, on one machine or several. MPI starts
//! and connects them.

mod ranks;

use std::process::ExitCode;

use mpi::Threading;
use mpi::environment::processor_name;
use mpi::topology::SimpleCommunicator;
use mpi::traits::Communicator as _;

use self::ranks::Ranks;

/// The exit status after a process has aborted all others.
const ABORTED: i32 = 2;

/// Aborts all processes if this one panics, as the others would wait for it forever.
struct AbortOnPanic;

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            SimpleCommunicator::world().abort(ABORTED);
        }
    }
}

fn main() -> ExitCode {
    // Only one thread at a time calls MPI.
    let Some((universe, level)) = mpi::initialize_with_threading(Threading::Serialized) else {
        eprintln!("bouton-mpi: MPI was initialized before");
        return ExitCode::from(2);
    };
    if level < Threading::Serialized {
        eprintln!(
            "bouton-mpi: this MPI supports only programs with one thread; use an MPI that was built with \
            support for threads"
        );
        return ExitCode::from(2);
    }
    let _abort_on_panic = AbortOnPanic;
    let world = universe.world();
    let host = processor_name().unwrap_or_else(|_| "a machine without a name".to_owned());
    let (status, others_may_wait) = bouton_program::run_as_rank(&Ranks::of(&world), &host);
    if others_may_wait {
        world.abort(ABORTED);
    }
    status
}
