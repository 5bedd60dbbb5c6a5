//! Decides when the next checkpoint is due.
//!
//! The pause after a checkpoint is at least 20 times its cost, so checkpoints take at most 5 % of the time. Example: a
//! checkpoint that took 3 s is followed by a pause of 60 s. Before the first checkpoint, its cost is estimated from its
//! bytes.

use std::time::Duration;

use crate::clock::Instant;

/// Minimum pause after a checkpoint, as a multiple of its cost.
const MIN_PAUSE_PER_COST: u32 = 20;
/// Assumed speed of a disk, to estimate costs that were not measured.
const DISK_BYTES_PER_SECOND: u64 = 200 << 20;
/// Minimum pause, unless the user sets another: shorter runs need no checkpoint.
const MIN_WAIT: Duration = Duration::from_secs(10);
/// Maximum time before the first checkpoint, whatever its cost, unless the user sets an interval. Limits the work that
/// can be lost.
const MAX_FIRST_WAIT: Duration = Duration::from_secs(5 * 60);

/// A game with this many bytes of blocks surely runs long enough for a checkpoint, so its folder is created at once.
pub(crate) const LARGE: u64 = 256 << 20;

/// Clock and settings for the next checkpoint.
pub(crate) struct CheckpointTimer {
    /// The user's checkpoint interval.
    interval: Option<Duration>,
    /// End of the last checkpoint, or start of the run.
    last: Instant,
    /// Cost of the last checkpoint of this run.
    cost: Option<Duration>,
    /// A checkpoint has failed.
    has_failed: bool,
}

impl CheckpointTimer {
    pub(crate) fn new(interval: Option<Duration>) -> Self {
        Self { interval, last: Instant::now(), cost: None, has_failed: false }
    }

    /// Reports whether a checkpoint of `bytes` bytes is due.
    pub(crate) fn is_due(&self, bytes: u64) -> bool {
        self.last.elapsed() >= self.wait(bytes)
    }

    /// Reports whether cancelled work is worth saving: enough time has passed since the last checkpoint.
    pub(crate) fn is_worth_saving(&self) -> bool {
        self.last.elapsed() >= self.interval.unwrap_or(MIN_WAIT)
    }

    /// Records a checkpoint that started at `began`.
    pub(crate) fn made(&mut self, began: Instant) {
        self.cost = Some(began.elapsed());
        self.last = Instant::now();
    }

    /// Returns how long a stage must have run for its result of `bytes` bytes to be worth writing: at least the user's
    /// interval, or `least` if there is none.
    pub(crate) fn min_time_to_save(&self, bytes: u64, least: Duration) -> Duration {
        self.interval.unwrap_or(least).max(MIN_PAUSE_PER_COST * estimated_cost(bytes))
    }

    /// Restarts the pause after a failed checkpoint. Returns true for the first failure.
    pub(crate) fn put_off(&mut self) -> bool {
        self.last = Instant::now();
        !std::mem::replace(&mut self.has_failed, true)
    }

    /// Returns the pause before the next checkpoint.
    fn wait(&self, bytes: u64) -> Duration {
        match (self.cost, self.interval) {
            (Some(cost), interval) => (MIN_PAUSE_PER_COST * cost).max(interval.unwrap_or(MIN_WAIT)),
            // The cost is unknown. A user's interval also sets the time of the first checkpoint.
            (None, Some(interval)) => interval,
            (None, None) => (MIN_PAUSE_PER_COST * estimated_cost(bytes)).clamp(MIN_WAIT, MAX_FIRST_WAIT),
        }
    }
}

/// Estimates the time for writing a checkpoint.
fn estimated_cost(bytes: u64) -> Duration {
    Duration::from_secs_f64(bytes as f64 / DISK_BYTES_PER_SECOND as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn timer(interval: Option<Duration>, cost: Option<Duration>) -> CheckpointTimer {
        CheckpointTimer { cost, ..CheckpointTimer::new(interval) }
    }

    #[test]
    fn without_an_interval_the_first_checkpoint_comes_within_five_minutes() {
        let first = timer(None, None);
        assert_eq!(first.wait(0), MIN_WAIT);
        assert_eq!(first.wait(DISK_BYTES_PER_SECOND), MIN_PAUSE_PER_COST * SECOND);
        for bytes in [10 << 30, 100 << 30, u64::MAX] {
            assert_eq!(first.wait(bytes), MAX_FIRST_WAIT);
        }
    }

    #[test]
    fn the_users_interval_sets_the_time_of_the_first_checkpoint() {
        for interval in [Duration::ZERO, 3 * SECOND, 86_400 * SECOND] {
            for bytes in [0, 10 << 30] {
                assert_eq!(timer(Some(interval), None).wait(bytes), interval);
            }
        }
    }

    #[test]
    fn a_checkpoint_is_followed_by_a_pause_of_twenty_times_its_cost() {
        let long = Some(1000 * SECOND);
        // The measured cost counts, not the bytes.
        for bytes in [0, u64::MAX] {
            assert_eq!(timer(None, long).wait(bytes), 20_000 * SECOND);
            assert_eq!(timer(Some(SECOND), long).wait(bytes), 20_000 * SECOND);
            assert_eq!(timer(None, Some(Duration::ZERO)).wait(bytes), MIN_WAIT);
            assert_eq!(timer(Some(60 * SECOND), Some(SECOND)).wait(bytes), 60 * SECOND);
        }
    }
}
