//! The progress bar, and notes for runs without a terminal, where the bar is hidden.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bouton_generator::{Control, Event, Phase};
use bouton_shell::Bar;
use bouton_study::Progress;
use bouton_study::words::percent;
use bouton_tables::program::note;

use crate::commands::rounded_time;
use crate::stop;

/// Returns a bar of `steps` steps with a word for the work; hidden if `quiet`.
fn new_bar(steps: u64, activity: &'static str, quiet: bool) -> Bar {
    let bar = Bar::new("{msg} {wide_bar} {done} {left}", steps, quiet);
    bar.set_message(activity);
    bar
}

/// Runs a study of `steps` steps with a bar. The study calls its callback with the number of steps done since the last call.
pub(crate) fn with_bar<T>(
    steps: u64,
    activity: &'static str,
    quiet: bool,
    study: impl FnOnce(&Progress) -> T,
) -> T {
    let bar = new_bar(steps, activity, quiet);
    let result = study(&|steps| {
        bar.inc(steps);
        Ok(())
    });
    bar.finish_and_clear();
    result
}

/// Time between notes on progress, if no bar is visible.
const BETWEEN_NOTES: Duration = Duration::from_secs(60);

/// Controls a run that makes or proves a table: shows a bar or prints notes, and cancels the run after a signal.
pub(crate) struct WorkProgressBar {
    bar: Bar,
    /// Name of the program, for notes; `None` to print none.
    program: Option<&'static str>,
    /// Time of the last note on progress.
    last_note: Mutex<Instant>,
    facts: Mutex<RunFacts>,
}

/// Statistics of a finished run, if there are any.
#[derive(Clone, Copy, Default)]
pub(crate) struct RunFacts {
    /// Bytes read from the work folder, and written to it.
    pub(crate) folder_bytes: Option<(u64, u64)>,
    /// Messages between processes, and their bytes.
    pub(crate) messages: Option<(u64, u64)>,
}

impl WorkProgressBar {
    pub(crate) fn new(program: &'static str, quiet: bool) -> Self {
        let bar = new_bar(0, "", quiet);
        let program = (!quiet).then_some(program);
        let last_note = Mutex::new(Instant::now());
        Self { bar, program, last_note, facts: Mutex::default() }
    }

    /// Clears the bar, so that later output does not follow it on its line. Returns the statistics of the run.
    pub(crate) fn finish(&self) -> RunFacts {
        self.bar.finish_and_clear();
        *lock(&self.facts)
    }

    /// Prints a note above the bar.
    fn note(&self, text: &str) {
        if let Some(program) = self.program {
            self.bar.suspend(|| note(program, &text));
        }
    }

    /// Prints a note from time to time if no bar is visible, for long runs whose output goes to a file.
    fn note_progress(&self) {
        if self.bar.is_hidden()
            && self.program.is_some()
            && let Ok(mut last_note) = self.last_note.try_lock()
            && last_note.elapsed() >= BETWEEN_NOTES
        {
            *last_note = Instant::now();
            let share = percent(self.bar.position(), self.bar.length().unwrap_or(0));
            let left = self.bar.time_left();
            let left = left.map_or(String::new(), |left| format!(", about {} left", rounded_time(left)));
            self.note(&format!("{} {share}{left}", self.bar.message()));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Control for WorkProgressBar {
    fn begin(&self, phase: Phase, steps: u64) {
        let activity = match phase {
            Phase::Solving => "solving",
            Phase::Packing => "packing",
            Phase::Writing => "writing",
            Phase::Verifying => "verifying",
        };
        self.bar.begin(steps, activity);
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
        self.note_progress();
    }

    fn report_event(&self, event: Event) {
        match event {
            Event::Resumed { done, all } => {
                self.note(&format!("resumes from a checkpoint, with {} solved", percent(done, all)));
                self.bar.done_before(self.bar.position());
            }
            Event::Stopping => {
                self.note("writes a checkpoint to resume from; a second signal ends the run at once");
            }
            Event::NotSaved(error) => {
                self.note(&format!("no checkpoint was made; the run continues: {error}"));
            }
            Event::Exchanged { messages, bytes } => lock(&self.facts).messages = Some((messages, bytes)),
            Event::FolderUsed { read, written } => lock(&self.facts).folder_bytes = Some((read, written)),
        }
    }

    fn is_cancelled(&self) -> bool {
        stop::is_requested()
    }
}
