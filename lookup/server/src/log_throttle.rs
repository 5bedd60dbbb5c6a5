//! What the log tells seldom, however often it happens.

use std::time::{Duration, Instant};

/// When the log told of something, and how often it was left out since.
#[derive(Debug, Default)]
pub(crate) struct Seldom {
    told: Option<Instant>,
    left_out: u64,
}

impl Seldom {
    /// Whether the log may tell of it now, if it has not `between` before; and how often it left it out.
    pub(crate) fn tell(&mut self, now: Instant, between: Duration) -> Option<u64> {
        if self.told.is_some_and(|told| now.saturating_duration_since(told) < between) {
            self.left_out += 1;
            return None;
        }
        self.told = Some(now);
        Some(std::mem::take(&mut self.left_out))
    }
}
