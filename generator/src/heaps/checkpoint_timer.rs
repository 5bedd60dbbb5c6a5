//! Decides when the next checkpoint is due: after 20 times the cost of the last one, so that checkpoints cost at most 5
//! % of the time.

use std::time::Duration;

use crate::clock::Instant;

/// The time since the last checkpoint is so many times what it has cost.
const SELDOM: u32 = 20;
/// What the first checkpoint of a run is taken to cost: bytes that a disk writes in a second.
const DISK: u64 = 200 << 20;
/// The shortest time before a checkpoint, unless the user gives another one: shorter runs need none.
const SHORTEST: Duration = Duration::from_secs(10);
/// The longest time before the first checkpoint of a run, whatever it may cost: so much work is lost at the most.
const LONGEST: Duration = Duration::from_secs(5 * 60);

/// Blocks of so many bytes in all take longer than the shortest time between two checkpoints: there will be a folder.
pub(super) const LARGE: u64 = 256 << 20;

/// Knows when the last checkpoint was made, and when the next one is due.
pub(super) struct CheckpointTimer {
    /// The shortest time before a checkpoint, if the user gives one.
    pause: Option<Duration>,
    /// When the last checkpoint ended, or the run began.
    last: Instant,
    /// What the last checkpoint of this run has cost.
    cost: Option<Duration>,
    /// Whether one could not be made.
    failed: bool,
}

impl CheckpointTimer {
    pub(super) fn new(pause: Option<Duration>) -> Self {
        Self { pause, last: Instant::now(), cost: None, failed: false }
    }

    /// Whether a checkpoint of so many bytes is due.
    pub(super) fn is_now(&self, bytes: u64) -> bool {
        self.last.elapsed() >= self.wait(bytes)
    }

    /// Whether so much time has passed that a run that is broken off is worth a checkpoint.
    pub(super) fn is_worth(&self) -> bool {
        self.last.elapsed() >= self.pause.unwrap_or(SHORTEST)
    }

    /// Notes that a checkpoint was made, which began at that time.
    pub(super) fn made(&mut self, began: Instant) {
        self.cost = Some(began.elapsed());
        self.last = Instant::now();
    }

    /// The time that it is worth to save by writing so many bytes: so much at the least, or the time that the user gives.
    pub(super) fn worth(&self, bytes: u64, least: Duration) -> Duration {
        self.pause.unwrap_or(least).max(SELDOM * guess(bytes))
    }

    /// Waits as long as if one had been made, which failed. Gives whether that is the first one.
    pub(super) fn put_off(&mut self) -> bool {
        self.last = Instant::now();
        !std::mem::replace(&mut self.failed, true)
    }

    /// The time from the last checkpoint to the next one.
    fn wait(&self, bytes: u64) -> Duration {
        match (self.cost, self.pause) {
            (Some(cost), pause) => (SELDOM * cost).max(pause.unwrap_or(SHORTEST)),
            // What it will cost is not known. Whoever gives a time wants the first one then.
            (None, Some(pause)) => pause,
            (None, None) => (SELDOM * guess(bytes)).clamp(SHORTEST, LONGEST),
        }
    }
}

/// What it is taken to cost to write so many bytes.
fn guess(bytes: u64) -> Duration {
    Duration::from_secs_f64(bytes as f64 / DISK as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn due(pause: Option<Duration>, cost: Option<Duration>) -> CheckpointTimer {
        CheckpointTimer { cost, ..CheckpointTimer::new(pause) }
    }

    #[test]
    fn the_first_checkpoint_comes_after_five_minutes_however_much_there_is_to_write() {
        let first = due(None, None);
        assert_eq!(first.wait(0), SHORTEST);
        assert_eq!(first.wait(DISK), SELDOM * SECOND);
        for bytes in [10 << 30, 100 << 30, u64::MAX] {
            assert_eq!(first.wait(bytes), LONGEST);
        }
    }

    #[test]
    fn the_first_checkpoint_comes_when_the_user_says_so() {
        for pause in [Duration::ZERO, 3 * SECOND, 86_400 * SECOND] {
            for bytes in [0, 10 << 30] {
                assert_eq!(due(Some(pause), None).wait(bytes), pause);
            }
        }
    }

    #[test]
    fn later_ones_come_after_twenty_times_what_the_last_one_has_cost() {
        let long = Some(1000 * SECOND);
        // However much there is to write: what was measured counts.
        for bytes in [0, u64::MAX] {
            assert_eq!(due(None, long).wait(bytes), 20_000 * SECOND);
            assert_eq!(due(Some(SECOND), long).wait(bytes), 20_000 * SECOND);
            assert_eq!(due(None, Some(Duration::ZERO)).wait(bytes), SHORTEST);
            assert_eq!(due(Some(60 * SECOND), Some(SECOND)).wait(bytes), 60 * SECOND);
        }
    }
}
