//! Progress bars.

use bouton_match::{PreparationProgress, Stage};
use bouton_shell::Bar;

/// Makes a bar for games; some may have been played earlier.
pub(crate) fn of_games(games: u64, played: u64, quiet: bool) -> Bar {
    let bar = Bar::new("{msg} {wide_bar} {pos} of {len} games {left}", games, quiet);
    bar.set_message("playing");
    bar.set_position(played);
    bar.done_before(played);
    bar
}

/// A bar for the preparations before the first move.
pub(crate) struct StageBar(Bar);

impl StageBar {
    pub(crate) fn new(quiet: bool) -> Self {
        Self(Bar::new("{msg} {wide_bar} {done} {left}", 0, quiet))
    }

    pub(crate) fn end(&self) {
        self.0.finish_and_clear();
    }
}

impl PreparationProgress for StageBar {
    fn begin(&self, stage: Stage, steps: u64) {
        self.0.begin(steps, stage.to_string());
    }

    fn advance(&self, steps: u64) {
        self.0.inc(steps);
    }
}
