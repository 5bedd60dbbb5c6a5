//! Work that takes long: Python goes on meanwhile, hears how far it is, and can stop it.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use bouton_generator::{Control, Phase};
use bouton_study::Stopped;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How long Ctrl-C waits at most to be noticed.
const LOOK: Duration = Duration::from_millis(50);
/// How long it takes until the progress is told again.
const TELL: Duration = Duration::from_millis(200);

const PHASES: [(Phase, &str); 4] = [
    (Phase::Solving, "solving"),
    (Phase::Packing, "packing"),
    (Phase::Writing, "writing"),
    (Phase::Verifying, "verifying"),
];

/// How far the work is, and whether it is to stop.
#[derive(Default)]
pub(crate) struct Watched {
    phase: AtomicU8,
    done: AtomicU64,
    steps: AtomicU64,
    cancelled: AtomicBool,
}

impl Control for Watched {
    fn begin(&self, phase: Phase, steps: u64) {
        let place = PHASES.iter().position(|(known, _)| *known == phase).expect("all are listed");
        self.done.store(0, Relaxed);
        self.steps.store(steps, Relaxed);
        self.phase.store(place as u8, Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }
}

impl Watched {
    /// Counts steps that are done; tells whether to go on.
    pub(crate) fn goes_on(&self, steps: u64) -> bool {
        self.advance(steps);
        !self.is_cancelled()
    }

    /// The same for questions to whole tables.
    pub(crate) fn step(&self, steps: u64) -> Result<(), Stopped> {
        if self.goes_on(steps) { Ok(()) } else { Err(Stopped) }
    }

    /// The phase, the steps that are done, and all steps of the phase; `None` before it begins.
    fn progress(&self) -> Option<(&'static str, u64, u64)> {
        let steps = self.steps.load(Relaxed);
        let (_, name) = PHASES[usize::from(self.phase.load(Relaxed))];
        (steps > 0).then(|| (name, self.done.load(Relaxed).min(steps), steps))
    }
}

/// The threads that work is divided among: each has its own. On those of others it would wait for them, and Ctrl-C with it; and a
/// process that was forked from another, as `multiprocessing` makes them, has none of its threads.
fn threads() -> PyResult<ThreadPool> {
    let made = ThreadPoolBuilder::new().build();
    made.map_err(|error| PyRuntimeError::new_err(format!("cannot begin threads: {error}")))
}

/// Does work on threads of its own. Meanwhile `progress` is called with the name of what is done, the steps that are done, and all
/// steps. An exception that it raises, and Ctrl-C, stop the work, and come out of here once it has stopped.
pub(crate) fn long<T: Send>(
    py: Python<'_>,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&Watched) -> T + Send,
) -> PyResult<T> {
    let watched = &Watched::default();
    let threads = threads()?;
    thread::scope(|scope| {
        let (sender, mut finished) = sync_channel(1);
        let working = scope.spawn(move || {
            let done = threads.install(|| work(watched));
            // Nobody waits any more if the thread that began it panicked.
            let _ = sender.send(());
            done
        });
        let (mut stopped, mut told) = (None, Instant::now());
        loop {
            let finished = &mut finished;
            match py.detach(move || finished.recv_timeout(LOOK)) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
            }
            if stopped.is_some() {
                continue;
            }
            let mut look = || {
                py.check_signals()?;
                let due = told.elapsed() >= TELL;
                if let (Some(progress), Some(now), true) = (&progress, watched.progress(), due) {
                    told = Instant::now();
                    progress.call1(now)?;
                }
                Ok(())
            };
            if let Err(error) = look() {
                watched.cancelled.store(true, Relaxed);
                stopped = Some(error);
            }
        }
        let done = working.join().map_err(|_| PyRuntimeError::new_err("a fault of the program"))?;
        if let (Some(progress), Some((phase, _, steps)), None) = (&progress, watched.progress(), &stopped) {
            progress.call1((phase, steps, steps))?;
        }
        stopped.map_or(Ok(done), Err)
    })
}
