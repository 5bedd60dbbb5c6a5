//! A limit on how often the log reports the same event.

use std::time::{Duration, Instant};

/// The time of the last log entry about an event, and the number of events since then that got no entry.
#[derive(Debug, Default)]
pub(crate) struct LogThrottle {
    last: Option<Instant>,
    omitted: u64,
}

impl LogThrottle {
    /// Counts an event. If the last entry is at least `between` ago, returns the number of events without an entry
    /// since.
    pub(crate) fn count_and_admit(&mut self, now: Instant, between: Duration) -> Option<u64> {
        if self.last.is_some_and(|last| now.saturating_duration_since(last) < between) {
            self.omitted += 1;
            return None;
        }
        self.last = Some(now);
        Some(std::mem::take(&mut self.omitted))
    }
}
