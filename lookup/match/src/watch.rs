//! Progress of long preparations before the first move.

use std::fmt;

use bouton_generator::{Control, Phase};

/// A stage of the preparations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Solving a game.
    Solving,
    /// Packing its table.
    Packing,
    /// Computing the chances against models.
    Chances,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Solving => "solving",
            Self::Packing => "packing",
            Self::Chances => "chances",
        })
    }
}

/// Progress callbacks. They are called often, from any thread, and should cost little. `()` ignores them.
pub trait PreparationProgress: Sync {
    /// Begins a stage of this many steps; the previous stage is over.
    fn begin(&self, _stage: Stage, _steps: u64) {}

    /// Reports this many further steps of the stage.
    fn advance(&self, _steps: u64) {}
}

impl PreparationProgress for () {}

/// Passes the generator's progress on to a [`PreparationProgress`].
pub(crate) struct Solving<'a>(pub(crate) &'a dyn PreparationProgress);

impl Control for Solving<'_> {
    fn begin(&self, phase: Phase, steps: u64) {
        let stage = match phase {
            Phase::Solving => Stage::Solving,
            Phase::Packing | Phase::Writing | Phase::Verifying => Stage::Packing,
        };
        self.0.begin(stage, steps);
    }

    fn advance(&self, steps: u64) {
        self.0.advance(steps);
    }
}
