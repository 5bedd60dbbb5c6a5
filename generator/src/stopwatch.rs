//! Measures how long work would take on an otherwise idle machine.

use std::fs;
use std::time::Duration;

use crate::clock::Instant;
use crate::parallel;

/// Measures the time of work that all threads share.
pub(crate) struct Stopwatch {
    began: Instant,
    /// Processor time at the start; `None` if unknown.
    processor_time: Option<ProcessorTime>,
}

/// Processor time of all threads of this process together.
#[derive(Clone, Copy)]
struct ProcessorTime {
    /// Time running.
    ran: Duration,
    /// Time ready to run, but waiting for a processor.
    waited: Duration,
}

/// If threads waited for more than this share of their running time, other programs kept the machine busy.
const MAX_WAITING_SHARE: f64 = 0.1;

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { processor_time: ProcessorTime::now(), began: Instant::now() }
    }

    /// Returns the time since the start. If other programs kept the machine busy, returns the average running time of a
    /// thread instead, which excludes the waiting.
    pub(crate) fn read(&self) -> Duration {
        let elapsed = self.began.elapsed();
        let (Some(before), Some(now)) = (self.processor_time, ProcessorTime::now()) else { return elapsed };
        let (ran, waited) = (now.ran.saturating_sub(before.ran), now.waited.saturating_sub(before.waited));
        if waited > ran.mul_f64(MAX_WAITING_SHARE) {
            elapsed.min(ran / parallel::threads() as u32)
        } else {
            elapsed
        }
    }
}

impl ProcessorTime {
    /// Reads `/proc`; `None` on systems without it.
    fn now() -> Option<Self> {
        let mut used = Self { ran: Duration::ZERO, waited: Duration::ZERO };
        for thread in fs::read_dir("/proc/self/task").ok()?.flatten() {
            // Skip a thread that has just ended.
            let Ok(fields) = fs::read_to_string(thread.path().join("schedstat")) else { continue };
            let mut fields =
                fields.split_ascii_whitespace().map(|number| number.parse().map(Duration::from_nanos));
            used.ran += fields.next()?.ok()?;
            used.waited += fields.next()?.ok()?;
        }
        Some(used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_time_is_measured_than_has_passed() {
        let (began, stopwatch) = (Instant::now(), Stopwatch::start());
        let mut last = Duration::ZERO;
        for round in 0..1000_u64 {
            last = last.max(stopwatch.read());
            std::hint::black_box(round.pow(3));
        }
        assert!(last <= began.elapsed());
    }
}
