//! Our clock on the server, and the pause before our moves.

use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub(super) struct OurClock {
    total: Duration,
    used: Duration,
    /// The pause before a move; it only ever shrinks.
    pause: Duration,
}

impl OurClock {
    pub(super) fn of(total: Duration, pause: Duration) -> Self {
        Self { total, used: Duration::ZERO, pause }
    }

    pub(super) fn add_used(&mut self, elapsed: Duration) {
        self.used += elapsed;
    }

    /// Takes the server's count of our seconds, if it is greater than ours.
    pub(super) fn sync(&mut self, seconds: f64) {
        if let Ok(server_count) = Duration::try_from_secs_f64(seconds) {
            self.used = self.used.max(server_count);
        }
    }

    /// Returns the time left after thinking about the current move for the time `thinking`.
    pub(super) fn left(&self, thinking: Duration) -> Duration {
        self.total.saturating_sub(self.used).saturating_sub(thinking)
    }

    /// Returns the pause before the next move. The pauses of the longest possible game take at most half of the time
    /// left. Example: with 60 s left and 2400 stones there are at most 1200 moves of ours, so a pause takes at most 25
    /// ms.
    pub(super) fn pause(&mut self, thinking: Duration, stones: u64) -> Duration {
        let left = self.left(thinking);
        // Each player takes at least one stone in a turn.
        let moves = u32::try_from(stones.div_ceil(2).max(1)).unwrap_or(u32::MAX);
        self.pause = self.pause.min(left / 2 / moves);
        self.pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_shrink_with_the_time_left_and_the_stones() {
        let (second, ms) = (Duration::from_secs(1), Duration::from_millis);
        let new = OurClock::of(120 * second, ms(50));
        let pause = |mut clock: OurClock, thinking, stones| clock.pause(thinking, stones);
        assert_eq!(pause(new, Duration::ZERO, 1000), ms(50));
        assert_eq!(pause(new, Duration::ZERO, 2400), ms(50));
        assert_eq!(pause(new, Duration::ZERO, 4800), ms(25));
        assert_eq!(pause(new, 60 * second, 2400), ms(25));
        let mut later = new;
        later.add_used(60 * second);
        assert_eq!(pause(later, Duration::ZERO, 2400), ms(25));
        later.sync(30.0);
        assert_eq!(pause(later, Duration::ZERO, 2400), ms(25));
        later.sync(90.0);
        assert_eq!(pause(later, Duration::ZERO, 2400), ms(12) + Duration::from_micros(500));
        for nonsense in [f64::NAN, -1.0, f64::INFINITY] {
            later.sync(nonsense);
        }
        assert_eq!(pause(later, Duration::ZERO, 1), ms(50));
        later.sync(1e9);
        assert_eq!(pause(later, Duration::ZERO, 1), Duration::ZERO);
    }

    #[test]
    fn pauses_leave_half_of_the_clock() {
        for (stones, total) in [(10_u64, 1_u64), (1000, 20), (1000, 120), (100_000, 120)] {
            let mut clock = OurClock::of(Duration::from_secs(total), Duration::from_secs(1));
            for left in (1..=stones).rev().step_by(2) {
                let pause = clock.pause(Duration::ZERO, left);
                clock.add_used(pause);
            }
            assert!(clock.used <= Duration::from_secs(total) / 2, "{stones} {total}: {:?}", clock.used);
        }
    }
}
