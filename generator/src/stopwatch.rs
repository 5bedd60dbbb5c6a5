//! How long work takes if the machine does nothing else meanwhile.

use std::fs;
use std::time::Duration;

use crate::clock::Instant;
use crate::parallel;

/// Measures the time of work that all threads share.
pub(crate) struct Stopwatch {
    began: Instant,
    used: Option<Used>,
}

/// What the threads of this process have had of the processors, all together.
#[derive(Clone, Copy)]
struct Used {
    /// For how long they ran.
    ran: Duration,
    /// For how long they were ready to run, and waited while other programs did.
    waited: Duration,
}

/// Where threads have waited more than this share of the time for which they ran, the machine was busy with something else.
const BUSY: f64 = 0.1;

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { used: Used::now(), began: Instant::now() }
    }

    /// The time since the start. If the machine was busy with something else, the time for which a thread ran: how long they wait for a
    /// thread that waits says nothing of the work.
    pub(crate) fn read(&self) -> Duration {
        let elapsed = self.began.elapsed();
        let (Some(before), Some(now)) = (self.used, Used::now()) else { return elapsed };
        let (ran, waited) = (now.ran.saturating_sub(before.ran), now.waited.saturating_sub(before.waited));
        if waited > ran.mul_f64(BUSY) { elapsed.min(ran / parallel::threads() as u32) } else { elapsed }
    }
}

impl Used {
    /// `None` where the system does not say.
    fn now() -> Option<Self> {
        let mut used = Self { ran: Duration::ZERO, waited: Duration::ZERO };
        for thread in fs::read_dir("/proc/self/task").ok()?.flatten() {
            // A thread that has ended since does not count.
            let Ok(told) = fs::read_to_string(thread.path().join("schedstat")) else { continue };
            let mut told =
                told.split_ascii_whitespace().map(|number| number.parse().map(Duration::from_nanos));
            used.ran += told.next()?.ok()?;
            used.waited += told.next()?.ok()?;
        }
        Some(used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_time_is_told_than_has_passed() {
        let (began, watch) = (Instant::now(), Stopwatch::start());
        let mut last = Duration::ZERO;
        for turn in 0..1000_u64 {
            last = last.max(watch.read());
            std::hint::black_box(turn.pow(3));
        }
        assert!(last <= began.elapsed());
    }
}
