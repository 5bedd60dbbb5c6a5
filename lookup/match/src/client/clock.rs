//! Our clock on the server, and how long our moves may wait.

use std::time::Duration;

/// The time that we have, and what we used of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct OurClock {
    all: Duration,
    used: Duration,
    /// The wait that is asked for.
    pause: Duration,
}

impl OurClock {
    pub(super) fn of(all: Duration, pause: Duration) -> Self {
        Self { all, used: Duration::ZERO, pause }
    }

    /// A move of ours took so long.
    pub(super) fn used(&mut self, took: Duration) {
        self.used += took;
    }

    /// The server says that we used so many seconds. The greater of the two counts holds.
    pub(super) fn hear(&mut self, seconds: f64) {
        if let Ok(said) = Duration::try_from_secs_f64(seconds) {
            self.used = self.used.max(said);
        }
    }

    /// The time left after thinking for so long.
    pub(super) fn left(&self, thought: Duration) -> Duration {
        self.all.saturating_sub(self.used).saturating_sub(thought)
    }

    /// How long the next move waits, after thinking for so long with so many stones left: at most so long that the same
    /// wait before each move of the longest game left takes half of the time left. It never becomes longer again.
    pub(super) fn pause(&mut self, thought: Duration, stones: u32) -> Duration {
        let left = self.left(thought);
        // Each player takes at least one stone in a turn.
        let moves = stones.div_ceil(2).max(1);
        self.pause = self.pause.min(left / 2 / moves);
        self.pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_covers_the_longest_game_left_twice() {
        let (second, ms) = (Duration::from_secs(1), Duration::from_millis);
        let new = OurClock::of(120 * second, ms(50));
        let pause = |mut clock: OurClock, thought, stones| clock.pause(thought, stones);
        assert_eq!(pause(new, Duration::ZERO, 1000), ms(50));
        assert_eq!(pause(new, Duration::ZERO, 2400), ms(50));
        assert_eq!(pause(new, Duration::ZERO, 4800), ms(25));
        assert_eq!(pause(new, 60 * second, 2400), ms(25));
        let mut later = new;
        later.used(60 * second);
        assert_eq!(pause(later, Duration::ZERO, 2400), ms(25));
        later.hear(30.0);
        assert_eq!(pause(later, Duration::ZERO, 2400), ms(25));
        later.hear(90.0);
        assert_eq!(pause(later, Duration::ZERO, 2400), ms(12) + Duration::from_micros(500));
        for nonsense in [f64::NAN, -1.0, f64::INFINITY] {
            later.hear(nonsense);
        }
        assert_eq!(pause(later, Duration::ZERO, 1), ms(50));
        later.hear(1e9);
        assert_eq!(pause(later, Duration::ZERO, 1), Duration::ZERO);
    }

    /// However long the game lasts, waiting alone never uses up the clock.
    #[test]
    fn waiting_leaves_half_of_the_clock() {
        for (stones, all) in [(10_u32, 1_u64), (1000, 20), (1000, 120), (100_000, 120)] {
            let mut clock = OurClock::of(Duration::from_secs(all), Duration::from_secs(1));
            for left in (1..=stones).rev().step_by(2) {
                let pause = clock.pause(Duration::ZERO, left);
                clock.used(pause);
            }
            assert!(clock.used <= Duration::from_secs(all) / 2, "{stones} {all}: {:?}", clock.used);
        }
    }
}
