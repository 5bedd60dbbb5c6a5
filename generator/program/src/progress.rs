//! The progress bar. It shows on a terminal only, as indicatif sees to.

use std::io;
use std::sync::{Mutex, PoisonError};

use bouton_generator::{Control, Event, Phase};
use bouton_tables::program::unwritten;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use crate::stop;

/// A bar of `steps` steps with a word on what is being done; hidden if `quiet`.
pub(crate) fn bar(steps: u64, doing: &'static str, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr_with_hz(10));
    if quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style =
        ProgressStyle::with_template("{msg} {wide_bar} {percent}% {eta}").expect("the template is fixed");
    bar.with_style(style).with_message(doing)
}

/// A bar for the making of a table, or its proof, which ends when the program is asked to end.
pub(crate) struct Making {
    bar: ProgressBar,
    quiet: bool,
    /// What is done with positions.
    done: &'static str,
    /// Bytes that were read from the work folder, and written to it.
    moved: Mutex<Option<(u64, u64)>>,
}

impl Making {
    pub(crate) fn new(quiet: bool) -> Self {
        let bar = bar(0, "", quiet).with_finish(ProgressFinish::AndClear);
        Self { bar, quiet, done: "solved", moved: Mutex::default() }
    }

    /// For a proof.
    pub(crate) fn of_proof() -> Self {
        Self { done: "checked", ..Self::new(false) }
    }

    /// Bytes that were read from the work folder, and written to it; `None` if there was none.
    pub(crate) fn moved(&self) -> Option<(u64, u64)> {
        *self.moved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Control for Making {
    fn begin(&self, phase: Phase, steps: u64) {
        self.bar.set_message(match phase {
            Phase::Solving => "solving",
            Phase::Packing => "packing",
            Phase::Writing => "writing",
            Phase::Verifying => "verifying",
        });
        self.bar.set_length(steps);
        self.bar.reset();
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    fn tell(&self, event: Event) {
        match event {
            Event::Resumed { done, all } if !self.quiet => {
                let (percent, word) = (100.0 * done as f64 / all.max(1) as f64, self.done);
                self.bar
                    .suspend(|| eprintln!("bouton: goes on from a checkpoint, with {percent:.1} % {word}"));
            }
            Event::NotRecorded(why) => self.bar.suspend(|| {
                let why = unwritten(&io::Error::from(why));
                eprintln!("bouton: cannot write beside the table: {why}; if this run is broken off, the next begins anew");
            }),
            Event::Moved { read, written } => {
                *self.moved.lock().unwrap_or_else(PoisonError::into_inner) = Some((read, written));
            }
            Event::Resumed { .. } => {}
        }
    }

    fn is_cancelled(&self) -> bool {
        stop::asked()
    }
}
