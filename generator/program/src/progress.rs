//! The progress bar. It shows on a terminal only, as indicatif sees to.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bouton_generator::{Control, Event, Phase};
use bouton_shell::Bar;
use bouton_study::Stopped;
use bouton_tables::program::{note, unwritten};

use crate::commands::roughly;
use crate::stop;

/// A bar of `steps` steps with a word on what is being done; hidden if `quiet`.
pub(crate) fn bar(steps: u64, doing: &'static str, quiet: bool) -> Bar {
    let bar = Bar::new("{msg} {wide_bar} {done} {left}", steps, quiet);
    bar.set_message(doing);
    bar
}

/// Shows the steps of a question to a table on a bar.
pub(crate) fn on_bar(bar: &Bar) -> impl Fn(u64) -> Result<(), Stopped> + Sync {
    |steps| {
        bar.inc(steps);
        Ok(())
    }
}

/// How often it is noted how far the work is, where no bar can be seen.
const BETWEEN_NOTES: Duration = Duration::from_secs(60);

/// A bar for the making of a table, or its proof, which ends when the program is asked to end.
pub(crate) struct Making {
    bar: Bar,
    /// The name of the program that says what happens; `None` if nothing is to be said.
    program: Option<&'static str>,
    /// What is done with positions.
    done: &'static str,
    noted: Mutex<Instant>,
    told: Mutex<Told>,
}

/// What was told of a run, if it was.
#[derive(Clone, Copy, Default)]
pub(crate) struct Told {
    /// Bytes that were read from the work folder, and written to it.
    pub(crate) moved: Option<(u64, u64)>,
    /// Messages between processes, and their bytes.
    pub(crate) exchanged: Option<(u64, u64)>,
}

impl Making {
    pub(crate) fn new(program: &'static str, quiet: bool) -> Self {
        let bar = bar(0, "", quiet);
        let program = (!quiet).then_some(program);
        let noted = Mutex::new(Instant::now());
        Self { bar, program, done: "solved", noted, told: Mutex::default() }
    }

    /// For a proof.
    pub(crate) fn of_proof(program: &'static str, quiet: bool) -> Self {
        Self { done: "checked", ..Self::new(program, quiet) }
    }

    /// Ends the work: clears the bar, so that what is printed next does not stand below it. Returns what was told of the run.
    pub(crate) fn end(&self) -> Told {
        self.bar.finish_and_clear();
        *lock(&self.told)
    }

    fn say(&self, what: &str) {
        if let Some(program) = self.program {
            self.bar.suspend(|| note(program, &what));
        }
    }

    /// Says from time to time how far the work is, if no bar shows that: a run of many hours writes to a file.
    fn note_progress(&self) {
        let due = |noted: &mut MutexGuard<Instant>| noted.elapsed() >= BETWEEN_NOTES;
        if self.bar.is_hidden()
            && self.program.is_some()
            && let Ok(mut noted) = self.noted.try_lock()
            && due(&mut noted)
        {
            *noted = Instant::now();
            let share = 100.0 * self.bar.position() as f64 / self.bar.length().unwrap_or(0).max(1) as f64;
            let left = self.bar.time_left();
            let left = left.map_or(String::new(), |left| format!(", about {} left", roughly(left)));
            self.say(&format!("{} {share:.1} %{left}", self.bar.message()));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Control for Making {
    fn begin(&self, phase: Phase, steps: u64) {
        let doing = match phase {
            Phase::Solving => "solving",
            Phase::Packing => "packing",
            Phase::Writing => "writing",
            Phase::Verifying => "verifying",
        };
        self.bar.begin(steps, doing);
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
        self.note_progress();
    }

    fn tell(&self, event: Event) {
        match event {
            Event::Resumed { done, all } => {
                let percent = 100.0 * done as f64 / all.max(1) as f64;
                self.say(&format!("goes on from a checkpoint, with {percent:.1} % {}", self.done));
                self.bar.done_before(self.bar.position());
            }
            Event::NotRecorded(why) => {
                let why = unwritten(&io::Error::from(why));
                self.say(&format!(
                    "cannot write beside the table: {why}; if this run is broken off, the next begins anew"
                ));
            }
            Event::Stopping => {
                self.say("writes a checkpoint, to go on from; a second signal ends it at once");
            }
            Event::NotSaved(error) => {
                self.say(&format!("no checkpoint was made, and the work goes on: {error}"));
            }
            Event::Exchanged { messages, bytes } => lock(&self.told).exchanged = Some((messages, bytes)),
            Event::Moved { read, written } => lock(&self.told).moved = Some((read, written)),
        }
    }

    fn is_cancelled(&self) -> bool {
        stop::asked()
    }
}
