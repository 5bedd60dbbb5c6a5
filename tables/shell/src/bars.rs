//! Progress bars with an estimate of the time left. indicatif shows them on a terminal only.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use indicatif::{
    HumanDuration, ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressState, ProgressStyle,
};

/// The time left is estimated after this time.
const MIN_ELAPSED: Duration = Duration::from_secs(1);

/// The time left is estimated after this time if less than a hundredth is done.
const MIN_ELAPSED_EARLY: Duration = Duration::from_secs(60);

/// Estimates the time left from the steps done in this run. `None` until the estimate is reliable.
fn time_left(done: u64, total: u64, elapsed: Duration) -> Option<Duration> {
    let min_elapsed = if done >= total.div_ceil(100) { MIN_ELAPSED } else { MIN_ELAPSED_EARLY };
    let is_reliable = (1..total).contains(&done) && elapsed >= min_elapsed;
    is_reliable.then(|| elapsed.mul_f64((total - done) as f64 / done as f64))
}

/// A progress bar.
#[derive(Clone, Debug)]
pub struct Bar {
    bar: ProgressBar,
    /// Number of steps that earlier runs have done.
    done_before: Arc<AtomicU64>,
}

impl Bar {
    /// Creates a bar of `steps` steps, hidden if `quiet`. In the template, `{done}` is the part done in percent, and
    /// `{left}` the time left, empty until it is known. The template must be valid.
    pub fn new(template: &str, steps: u64, quiet: bool) -> Self {
        // indicatif draws a bar of 0 steps as full.
        let bar = ProgressBar::with_draw_target(Some(steps.max(1)), ProgressDrawTarget::stderr_with_hz(10));
        if quiet {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let done_before = Arc::new(AtomicU64::new(0));
        let shared = Arc::clone(&done_before);
        let style = ProgressStyle::with_template(template).expect("the template is fixed");
        let style = style
            .with_key("left", move |state: &ProgressState, out: &mut dyn Write| {
                let [done, total] = [state.pos(), state.len().unwrap_or(0)]
                    .map(|steps| steps.saturating_sub(shared.load(Relaxed)));
                if let Some(left) = time_left(done, total, state.elapsed()) {
                    _ = write!(out, "{:#}", HumanDuration(left));
                }
            })
            .with_key("done", |state: &ProgressState, out: &mut dyn Write| {
                // While the number of steps is unknown, the fraction would be 100%.
                if state.len().is_some_and(|steps| steps > 1) {
                    _ = write!(out, "{:.0}%", state.fraction() * 100.0);
                }
            });
        Self { bar: bar.with_style(style).with_finish(ProgressFinish::AndClear), done_before }
    }

    /// Restarts the bar with other steps and another message.
    pub fn begin(&self, steps: u64, doing: impl Into<std::borrow::Cow<'static, str>>) {
        // Reset the position first, so that a full bar is not drawn again.
        self.bar.reset();
        self.done_before.store(0, Relaxed);
        self.bar.set_length(steps.max(1));
        self.bar.set_message(doing);
    }

    /// Marks steps as done by an earlier run: they count as done, but not for the speed.
    pub fn done_before(&self, steps: u64) {
        self.done_before.store(steps, Relaxed);
        self.bar.reset_elapsed();
    }

    /// Returns the estimate of the time left; `None` until it is known.
    pub fn time_left(&self) -> Option<Duration> {
        let [done, total] = [self.bar.position(), self.bar.length().unwrap_or(0)]
            .map(|steps| steps.saturating_sub(self.done_before.load(Relaxed)));
        time_left(done, total, self.bar.elapsed())
    }
}

impl std::ops::Deref for Bar {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.bar
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_estimated_once_enough_is_done() {
        let seconds = Duration::from_secs;
        assert_eq!(time_left(0, 0, seconds(5)), None);
        assert_eq!(time_left(0, 100, seconds(5)), None);
        assert_eq!(time_left(9, 1000, seconds(59)), None);
        assert_eq!(time_left(9, 900, seconds(60)), Some(seconds(5940)));
        assert_eq!(time_left(50, 100, Duration::from_millis(900)), None);
        assert_eq!(time_left(100, 100, seconds(5)), None);
        assert_eq!(time_left(25, 100, seconds(2)), Some(seconds(6)));
    }

    #[test]
    fn earlier_steps_do_not_count_for_the_speed() {
        let bar = Bar::new("{msg} {wide_bar} {done} {left}", 1000, true);
        bar.inc(900);
        bar.done_before(900);
        assert_eq!(bar.time_left(), None);
        bar.begin(10, "again");
        assert_eq!((bar.position(), bar.length(), bar.time_left()), (0, Some(10), None));
    }
}
