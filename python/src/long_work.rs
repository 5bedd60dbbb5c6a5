//! Runs long work on other threads while Python continues, reports progress, and stops on Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bouton_generator::{Control, Phase};
use bouton_study::Stopped;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Interval of checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);
/// Minimum interval between calls of the progress callback.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// The progress of the work, and the request to stop it.
#[derive(Default)]
pub(crate) struct WorkControl {
    /// The name of the phase, and all its steps.
    phase: Mutex<(&'static str, u64)>,
    /// Finished steps of the phase.
    done: AtomicU64,
    cancelled: AtomicBool,
}

impl Control for WorkControl {
    fn begin(&self, phase: Phase, steps: u64) {
        let name = match phase {
            Phase::Solving => "solving",
            Phase::Packing => "packing",
            Phase::Writing => "writing",
            Phase::Verifying => "verifying",
        };
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = (name, steps);
        self.done.store(0, Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }
}

impl WorkControl {
    /// Counts finished steps; returns whether the work may continue.
    pub(crate) fn may_continue(&self, steps: u64) -> bool {
        self.advance(steps);
        !self.is_cancelled()
    }

    /// [`may_continue`](Self::may_continue) in the form that `bouton_study` expects.
    pub(crate) fn step(&self, steps: u64) -> Result<(), Stopped> {
        if self.may_continue(steps) { Ok(()) } else { Err(Stopped) }
    }

    /// Returns the name of the phase, its finished steps and all its steps; `None` before the first phase.
    fn progress(&self) -> Option<(&'static str, u64, u64)> {
        let (name, steps) = *self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        (steps > 0).then(|| (name, self.done.load(Relaxed).min(steps), steps))
    }
}

/// Makes a thread pool for one piece of work. With one pool for all work, this work and Ctrl-C would wait for other work, and a process
/// forked by `multiprocessing` could not work at all, since it has none of its parent's threads.
fn thread_pool() -> PyResult<ThreadPool> {
    let pool = ThreadPoolBuilder::new().build();
    pool.map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))
}

/// Runs `work` on threads of its own. Meanwhile calls `progress` with the name of the phase, its finished steps and all its steps. An
/// exception from `progress`, or Ctrl-C, stops the work. The function returns this exception once the work has stopped.
pub(crate) fn run_long<T: Send>(
    py: Python<'_>,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&WorkControl) -> T + Send,
) -> PyResult<T> {
    let control = &WorkControl::default();
    let threads = thread_pool()?;
    thread::scope(|scope| {
        let (sender, mut finished) = sync_channel(1);
        let working = scope.spawn(move || {
            let done = threads.install(|| work(control));
            // The receiver is gone if the calling thread panicked.
            let _ = sender.send(());
            done
        });
        let (mut stopped, mut last_call) = (None, Instant::now());
        loop {
            let finished = &mut finished;
            match py.detach(move || finished.recv_timeout(SIGNAL_INTERVAL)) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
            }
            if stopped.is_some() {
                continue;
            }
            let mut report = || {
                py.check_signals()?;
                let is_due = last_call.elapsed() >= PROGRESS_INTERVAL;
                if let (Some(progress), Some(now), true) = (&progress, control.progress(), is_due) {
                    last_call = Instant::now();
                    progress.call1(now)?;
                }
                Ok(())
            };
            if let Err(error) = report() {
                control.cancelled.store(true, Relaxed);
                stopped = Some(error);
            }
        }
        let done = working.join().map_err(|_| PyRuntimeError::new_err("a fault of the program"))?;
        if let (Some(progress), Some((phase, _, steps)), None) = (&progress, control.progress(), &stopped) {
            progress.call1((phase, steps, steps))?;
        }
        stopped.map_or(Ok(done), Err)
    })
}
