//! Watching over what takes long before the first move.

use std::fmt;

use bouton_generator::{Control, Phase};

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A game is solved.
    Solving,
    /// Its table is packed.
    Packing,
    /// The chances against models are computed.
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

/// Hears how far the preparations are. Its methods are called from any thread, often, and should cost little. `()` does not
/// listen.
pub trait Watch: Sync {
    /// A stage begins, which takes so many steps; the one before is over.
    fn begin(&self, stage: Stage, steps: u64) {
        let _ = (stage, steps);
    }

    /// So many more steps of the stage are done.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }
}

impl Watch for () {}

/// Tells what the generator does.
pub(crate) struct Solving<'a>(pub(crate) &'a dyn Watch);

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
