//! Decides when the next checkpoint is due: after 20 times the cost of the last one, so that checkpoints cost at most 5
//! % of the time.

use std::time::Duration;

use crate::clock::Instant;

/// Minimum time since the last checkpoint, as a multiple of its cost.
const MIN_PAUSE_PER_COST: u32 = 20;
/// Bytes that a disk writes in a second: guess for the cost of the first checkpoint.
const DISK_BYTES_PER_SECOND: u64 = 200 << 20;
/// Minimum time before a checkpoint, unless the user sets another: shorter runs need none.
const MIN_WAIT: Duration = Duration::from_secs(10);
/// Maximum time before the first checkpoint, whatever its cost: limits the work that can be lost.
const MAX_FIRST_WAIT: Duration = Duration::from_secs(5 * 60);

/// A game with this many bytes of blocks surely runs long enough for a checkpoint, so create the folder at once.
pub(super) const LARGE: u64 = 256 << 20;

/// Times checkpoints.
pub(super) struct CheckpointTimer {
    /// The user's checkpoint interval.
    pause: Option<Duration>,
    /// End of the last checkpoint, or start of the run.
    last: Instant,
    /// Cost of the last checkpoint of this run.
    cost: Option<Duration>,
    /// A checkpoint has failed.
    failed: bool,
}

impl CheckpointTimer {
    pub(super) fn new(pause: Option<Duration>) -> Self {
        Self { pause, last: Instant::now(), cost: None, failed: false }
    }

    /// Reports whether a checkpoint of `bytes` bytes is due.
    pub(super) fn is_due(&self, bytes: u64) -> bool {
        self.last.elapsed() >= self.wait(bytes)
    }

    /// Reports whether the run is long enough to be worth a checkpoint when it is cancelled.
    pub(super) fn is_worth_saving(&self) -> bool {
        self.last.elapsed() >= self.pause.unwrap_or(MIN_WAIT)
    }

    /// Records a checkpoint that started at `began`.
    pub(super) fn made(&mut self, began: Instant) {
        self.cost = Some(began.elapsed());
        self.last = Instant::now();
    }

    /// Returns the least time whose loss justifies writing `bytes` bytes: at least `least`, or the user's interval.
    pub(super) fn worth(&self, bytes: u64, least: Duration) -> Duration {
        self.pause.unwrap_or(least).max(MIN_PAUSE_PER_COST * guess(bytes))
    }

    /// Waits as after a successful checkpoint. Returns whether this is the first failure.
    pub(super) fn put_off(&mut self) -> bool {
        self.last = Instant::now();
        !std::mem::replace(&mut self.failed, true)
    }

    /// Returns the time from the last checkpoint to the next one.
    fn wait(&self, bytes: u64) -> Duration {
        match (self.cost, self.pause) {
            (Some(cost), pause) => (MIN_PAUSE_PER_COST * cost).max(pause.unwrap_or(MIN_WAIT)),
            // The cost is unknown. A user's interval also sets the time of the first checkpoint.
            (None, Some(pause)) => pause,
            (None, None) => (MIN_PAUSE_PER_COST * guess(bytes)).clamp(MIN_WAIT, MAX_FIRST_WAIT),
        }
    }
}

/// Estimates the time for writing `bytes` bytes.
fn guess(bytes: u64) -> Duration {
    Duration::from_secs_f64(bytes as f64 / DISK_BYTES_PER_SECOND as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn timer(pause: Option<Duration>, cost: Option<Duration>) -> CheckpointTimer {
        CheckpointTimer { cost, ..CheckpointTimer::new(pause) }
    }

    #[test]
    fn the_first_checkpoint_comes_after_five_minutes_however_much_there_is_to_write() {
        let first = timer(None, None);
        assert_eq!(first.wait(0), MIN_WAIT);
        assert_eq!(first.wait(DISK_BYTES_PER_SECOND), MIN_PAUSE_PER_COST * SECOND);
        for bytes in [10 << 30, 100 << 30, u64::MAX] {
            assert_eq!(first.wait(bytes), MAX_FIRST_WAIT);
        }
    }

    #[test]
    fn the_first_checkpoint_comes_when_the_user_says_so() {
        for pause in [Duration::ZERO, 3 * SECOND, 86_400 * SECOND] {
            for bytes in [0, 10 << 30] {
                assert_eq!(timer(Some(pause), None).wait(bytes), pause);
            }
        }
    }

    #[test]
    fn later_ones_come_after_twenty_times_what_the_last_one_has_cost() {
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
