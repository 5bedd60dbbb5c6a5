//! Runs of places with the same depth. A verdict line is a list of such runs.

/// A run of consecutive places on a line with the same depth, and with the same best move except for the number of
/// stones taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Run {
    /// First place. The run ends where the next one begins.
    pub(super) start: u32,
    /// Plies to the end.
    pub(super) depth: u32,
    /// Stones that the best move takes at `start`; 0 if there is no move.
    pub(super) take: u32,
    /// True if the best move takes one stone more at each further place, and so always leaves the same number. If false,
    /// the best move takes the same number everywhere.
    pub(super) advance: bool,
    /// True if the best move imposes a reset.
    pub(super) reset: bool,
}

impl Run {
    /// Returns the stones that the best move takes at a place of the run.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn take_at(&self, place: u32) -> u32 {
        if self.advance { self.take + (place - self.start) } else { self.take }
    }
}
