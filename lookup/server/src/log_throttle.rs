//! A limit on how often the log reports the same event.

use std::time::Duration;

use tokio::time::Instant;

/// The time of the last log entry about an event, and the number of events since then that got no entry.
#[derive(Debug)]
pub(crate) struct LogThrottle {
    /// Minimum time between two log entries.
    interval: Duration,
    last: Option<Instant>,
    omitted: u64,
}

impl LogThrottle {
    /// Allows an entry after each interval.
    pub(crate) fn every(interval: Duration) -> Self {
        Self { interval, last: None, omitted: 0 }
    }

    /// Counts an event. If a log entry is due, returns the number of events without an entry since the last one.
    pub(crate) fn admit(&mut self) -> Option<u64> {
        let now = Instant::now();
        if self.last.is_some_and(|last| now.duration_since(last) < self.interval) {
            self.omitted += 1;
            return None;
        }
        self.last = Some(now);
        Some(std::mem::take(&mut self.omitted))
    }
}
