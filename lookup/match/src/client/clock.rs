//! Our clock on the server, and the pause before our moves.

use std::time::Duration;

/// Our time in total, and the time used.
#[derive(Clone, Copy, Debug)]
pub(super) struct OurClock {
    all: Duration,
    used: Duration,
    /// The pause before a move; it only ever shrinks.
    pause: Duration,
}

impl OurClock {
    pub(super) fn of(all: Duration, pause: Duration) -> Self {
        Self { all, used: Duration::ZERO, pause }
    }

    pub(super) fn add_used(&mut self, took: Duration) {
        self.used += took;
    }

    /// Takes the server's count of our seconds, if it is greater than ours.
    pub(super) fn sync(&mut self, seconds: f64) {
        if let Ok(said) = Duration::try_from_secs_f64(seconds) {
            self.used = self.used.max(said);
        }
    }

    pub(super) fn left(&self, thought: Duration) -> Duration {
        self.all.saturating_sub(self.used).saturating_sub(thought)
    }

    /// Returns the pause before the next move. Pausing before each move of the longest possible rest of the game must
    /// take at most half of the time left. Example: with 60 s left and 2400 stones there are at most 1200 moves of
    /// ours, so a pause takes at most 25 ms.
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

    /// Waiting alone never uses up the clock, even in the longest game.
    #[test]
    fn waiting_leaves_half_of_the_clock() {
        for (stones, all) in [(10_u32, 1_u64), (1000, 20), (1000, 120), (100_000, 120)] {
            let mut clock = OurClock::of(Duration::from_secs(all), Duration::from_secs(1));
            for left in (1..=stones).rev().step_by(2) {
                let pause = clock.pause(Duration::ZERO, left);
                clock.add_used(pause);
            }
            assert!(clock.used <= Duration::from_secs(all) / 2, "{stones} {all}: {:?}", clock.used);
        }
    }
}
