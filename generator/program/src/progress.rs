//! The progress bar. It shows on a terminal only, as indicatif sees to.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
