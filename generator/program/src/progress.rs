//! The progress bar. It shows on a terminal only, as indicatif sees to.

use bouton_generator::{Control, Phase};
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

/// A bar for the making of a table, which ends when the program is asked to end.
pub(crate) struct Making(ProgressBar);

impl Making {
    pub(crate) fn new(quiet: bool) -> Self {
        Self(bar(0, "", quiet).with_finish(ProgressFinish::AndClear))
    }
}

impl Control for Making {
    fn begin(&self, phase: Phase, steps: u64) {
        self.0.set_message(match phase {
            Phase::Solving => "solving",
            Phase::Packing => "packing",
            Phase::Writing => "writing",
        });
        self.0.set_length(steps);
        self.0.reset();
    }

    fn advance(&self, steps: u64) {
        self.0.inc(steps);
    }

    fn is_cancelled(&self) -> bool {
        stop::asked()
    }
}
