//! Progress bars. They show on a terminal only, as indicatif sees to.

use bouton_match::{Stage, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// A bar of so many steps, with a word on what is being done; hidden if `quiet`.
fn bar(template: &str, steps: u64, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr_with_hz(10));
    if quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template(template).expect("the template is fixed");
    bar.with_style(style).with_finish(ProgressFinish::AndClear)
}

/// A bar for games, of which some were played before.
pub(crate) fn of_games(games: u64, played: u64, quiet: bool) -> ProgressBar {
    let bar = bar("{msg} {wide_bar} {pos} of {len} games, {eta}", games, quiet);
    let bar = bar.with_message("playing").with_position(played);
    // Those that were played before say nothing of how long the rest takes.
    bar.reset_eta();
    bar
}

/// A bar for what is prepared before the first move.
pub(crate) struct Preparing(ProgressBar);

impl Preparing {
    pub(crate) fn new(quiet: bool) -> Self {
        Self(bar("{msg} {wide_bar} {percent}% {eta}", 0, quiet))
    }

    /// Everything is ready.
    pub(crate) fn end(&self) {
        self.0.finish_and_clear();
    }
}

impl Watch for Preparing {
    fn begin(&self, stage: Stage, steps: u64) {
        self.0.set_message(stage.to_string());
        self.0.set_length(steps);
        self.0.reset();
    }

    fn advance(&self, steps: u64) {
        self.0.inc(steps);
    }
}
