//! Progress bars. They show on a terminal only, as indicatif sees to.

use std::fmt::Write;
use std::time::Duration;

use bouton_match::{Stage, Watch};
use indicatif::{
    HumanDuration, ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressState, ProgressStyle,
};

/// How long we measure, at the least, before we estimate how long the rest takes.
const MEASURED: Duration = Duration::from_secs(1);

/// How long the rest takes if it goes on as fast as it did. `None` until there is enough to tell: the first steps of the work
/// say little about the others.
fn time_left(done: u64, of: u64, elapsed: Duration) -> Option<Duration> {
    let enough = done < of && done >= of.div_ceil(100) && elapsed >= MEASURED;
    enough.then(|| elapsed.mul_f64((of - done) as f64 / done as f64))
}

/// The estimate as the bar shows it. Steps that were done before the bar began do not count.
fn show_time_left(state: &ProgressState, before: u64, out: &mut dyn Write) {
    let of = state.len().unwrap_or(0).saturating_sub(before);
    if let Some(left) = time_left(state.pos().saturating_sub(before), of, state.elapsed()) {
        _ = write!(out, "{:#}", HumanDuration(left));
    }
}

/// A bar of so many steps, of which some were done before, with a word on what is being done; hidden if `quiet`.
fn bar(template: &str, steps: u64, before: u64, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr_with_hz(10));
    if quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template(template).expect("the template is fixed");
    let style = style
        .with_key("left", move |state: &ProgressState, out: &mut dyn Write| {
            show_time_left(state, before, out);
        })
        .with_key("done", |state: &ProgressState, out: &mut dyn Write| {
            // Before it is known how much there is to do, everything would seem to be done.
            if state.len().is_some_and(|steps| steps > 0) {
                _ = write!(out, "{:.0}%", state.fraction() * 100.0);
            }
        });
    bar.with_style(style).with_finish(ProgressFinish::AndClear)
}

/// A bar for games, of which some were played before.
pub(crate) fn of_games(games: u64, played: u64, quiet: bool) -> ProgressBar {
    let bar = bar("{msg} {wide_bar} {pos} of {len} games {left}", games, played, quiet);
    bar.with_message("playing").with_position(played)
}

/// A bar for what is prepared before the first move.
pub(crate) struct Preparing(ProgressBar);

impl Preparing {
    pub(crate) fn new(quiet: bool) -> Self {
        // A bar of no steps would be drawn as full.
        Self(bar("{msg} {wide_bar} {done} {left}", 1, 0, quiet))
    }

    /// Everything is ready.
    pub(crate) fn end(&self) {
        self.0.finish_and_clear();
    }
}

impl Watch for Preparing {
    fn begin(&self, stage: Stage, steps: u64) {
        // First the position: a bar that was full is not to be drawn again as full.
        self.0.reset();
        self.0.set_length(steps);
        self.0.set_message(stage.to_string());
    }

    fn advance(&self, steps: u64) {
        self.0.inc(steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_estimated_from_what_was_measured_only() {
        let seconds = Duration::from_secs;
        assert_eq!(time_left(0, 0, seconds(5)), None);
        assert_eq!(time_left(0, 100, seconds(5)), None);
        assert_eq!(time_left(9, 1000, seconds(5)), None);
        assert_eq!(time_left(50, 100, Duration::from_millis(900)), None);
        assert_eq!(time_left(100, 100, seconds(5)), None);
        assert_eq!(time_left(25, 100, seconds(2)), Some(seconds(6)));
    }
}
