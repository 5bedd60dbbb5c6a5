//! Progress of long preparations before the first move.

use bouton_generator::{Control, Phase};
use bouton_shell::Bar;

/// Progress callbacks. They are called often, from any thread, and should cost little. `()` ignores the progress, and
/// a bar shows it.
pub trait PreparationProgress: Sync {
    /// Begins a stage of this many steps, with its name; the previous stage is over.
    fn begin(&self, _stage: &'static str, _steps: u64) {}

    /// Reports this many further steps of the stage.
    fn advance(&self, _steps: u64) {}
}

impl PreparationProgress for () {}

impl PreparationProgress for Bar {
    fn begin(&self, stage: &'static str, steps: u64) {
        self.begin(steps, stage);
    }

    fn advance(&self, steps: u64) {
        self.inc(steps);
    }
}

/// Passes the generator's progress on to a [`PreparationProgress`].
pub(crate) struct GeneratorProgress<'a>(pub(crate) &'a dyn PreparationProgress);

impl Control for GeneratorProgress<'_> {
    fn begin(&self, phase: Phase, steps: u64) {
        let stage = match phase {
            Phase::Solving => "solving",
            Phase::Packing | Phase::Writing | Phase::Verifying => "packing",
        };
        self.0.begin(stage, steps);
    }

    fn advance(&self, steps: u64) {
        self.0.advance(steps);
    }
}
