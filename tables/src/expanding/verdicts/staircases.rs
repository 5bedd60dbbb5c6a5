//! Staircases: the depths and best moves along a line (FORMAT.md, section 4.4, which has an example).
//!
//! A staircase is a list of *flights*. A flight is a group of steps that repeats: each *round* has the same steps, farther
//! up and deeper. With takes of 1 to 3, the steps "1 to 3: take 1, 2 or 3" and "4: lost, take 1" repeat every 4 places, 2
//! plies deeper each time: from place 1 on, they are one flight. A lookup finds the flight by binary search, the round by a division or a root, and
//! the step among at most sixteen.

use std::hint::select_unpredictable;

use crate::Damage;
use crate::expanding::keys::MAX_STONES_WITH_DEPTHS;
use crate::expanding::marks::narrow;
use crate::format::{Body, Fault, Packed};

/// Maximum value of each part of a depth: the sum of two fits into u32.
pub(in crate::expanding) const MAX_DEPTH: u64 = (1 << 30) - 1;
const _: () = assert!(MAX_STONES_WITH_DEPTHS <= MAX_DEPTH && 2 * MAX_DEPTH < u32::MAX as u64);

/// Maximum number of steps of a flight.
pub const MAX_STEPS_OF_FLIGHT: usize = 16;
/// Greatest increase of depth from one round to the next, in plies.
pub const MAX_RISE: u32 = 255;
/// Greatest drift, up and down: the places by which a step moves within its round, from one round to the next.
pub const MAX_DRIFT: [i64; 2] = [4, 3];

/// The greatest value of each field of a flight. Gaps below 2^30 keep the square in [`Flight::round_at`] below 2^62.
const MAX_FLIGHT: [u64; 7] = [
    u32::MAX as u64,
    MAX_DEPTH,
    MAX_DEPTH,
    1,
    MAX_RISE as u64,
    u32::MAX as u64,
    MAX_STEPS_OF_FLIGHT as u64 - 1,
];
/// The greatest value of each field of a step.
const MAX_STEP: [u64; 7] =
    [u32::MAX as u64, (MAX_DRIFT[0] + MAX_DRIFT[1]) as u64, MAX_DEPTH, u32::MAX as u64, 1, 1, 1];

/// Index of a flight's field `start`.
const START: usize = 0;

/// The arrays of staircases.
#[derive(Clone, Debug)]
pub(super) struct Staircases {
    /// The flights: start, base, gap, growth, rise, step, more.
    flights: Packed<7>,
    /// The steps: place, drift, depth, take, advance, single, reset.
    steps: Packed<7>,
}

/// A staircase: adjacent flights.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Staircase {
    first: u64,
    flights: u64,
}

/// Depth and best move at a place, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stair {
    pub(super) depth: u32,
    /// Stones that the best move takes; 0 without a move.
    pub(super) take: u32,
    pub(super) reset: bool,
}

/// Adjacent places with the same depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StairRun {
    /// Depth and best move at the first place.
    pub(super) stair: Stair,
    /// The best move takes one stone more at each further place.
    pub(super) advance: bool,
    /// The place after the last one.
    pub(super) end: u64,
}

/// A flight, as stored.
#[derive(Clone, Copy)]
struct Flight {
    start: u64,
    base: u64,
    gap: u64,
    growth: u64,
    rise: u64,
    step: u64,
    more: u64,
}

impl Flight {
    /// Returns the round of a place, and the place within the round.
    #[cfg_attr(feature = "fast", inline(always))]
    fn round_at(&self, place: u64) -> (u64, u64) {
        let Self { gap, growth, .. } = *self;
        let round = match (gap, growth) {
            (0, _) => 0,
            (_, 0) => place / gap,
            // The greatest solution of round * gap + round * (round - 1) / 2 <= place.
            _ => {
                let linear = 2 * gap - 1;
                ((linear * linear + 8 * place).isqrt() - linear) / 2
            }
        };
        (round, place - (round * gap + growth * (round * round.saturating_sub(1) / 2)))
    }

    /// Returns the number of places of a round.
    fn places_of_round(&self, round: u64) -> u64 {
        if self.gap == 0 { u64::MAX } else { self.gap + self.growth * round }
    }
}

/// A step of a round, as stored.
#[derive(Clone, Copy)]
struct Step {
    depth: u64,
    take: u64,
    advance: u64,
    /// The step has one place; then the last step before it that is not single continues.
    single: bool,
    reset: bool,
    /// The place of the round where the step begins. No packer writes one below 0.
    begin: i64,
}

impl Staircases {
    /// Locates the arrays.
    pub(super) fn read(body: &Body) -> Result<Self, Damage> {
        let (flights, steps) = (Packed::<7>::read(body, 5)?, Packed::<7>::read(body, 6)?);
        for (array, greatest, what) in [(&flights, MAX_FLIGHT, "flights"), (&steps, MAX_STEP, "steps")] {
            if (0..7).any(|field| array.greatest(field) > greatest[field]) {
                return Err(Damage::new(format!("the fields of its {what} are too wide")));
            }
        }
        Ok(Self { flights, steps })
    }

    /// Returns the staircase of these flights. Ignores `first` if there are none.
    pub(super) fn staircase(&self, first: u64, flights: u64) -> Result<Staircase, Fault> {
        if flights > 0 {
            self.flights.address(first, flights)?;
        }
        Ok(Staircase { first, flights })
    }

    /// Checks that the first flight begins at place 0, and that the others ascend and begin below `end`. If so, the answers
    /// of [`run_at`](Self::run_at) and of [`at`](Self::at) agree.
    pub(super) fn check_order(&self, body: &Body, staircase: Staircase, end: u32) -> Result<(), Fault> {
        let mut least = 0;
        for flight in 0..staircase.flights {
            let start = self.flights.field(body, staircase.first + flight, START)?;
            if start < least || flight == 0 && start > 0 || start >= end.into() {
                return Err(Fault::Impossible);
            }
            least = start + 1;
        }
        Ok(())
    }

    /// Returns the flight of place `x`, and its index in the staircase.
    #[cfg_attr(feature = "fast", inline(always))]
    fn flight(&self, body: &Body, staircase: Staircase, x: u64) -> Result<(Flight, u64), Fault> {
        let (mut index, mut left) = (0, staircase.flights);
        // Without branches, since the result of a comparison is unpredictable.
        while left > 1 {
            let half = left / 2;
            let start = self.flights.field(body, staircase.first + index + half, START)?;
            index = select_unpredictable(start <= x, index + half, index);
            left -= half;
        }
        if left == 0 {
            return Err(Fault::OutOfRange);
        }
        let [start, base, gap, growth, rise, step, more] = self.flights.get(body, staircase.first + index)?;
        if start > x {
            return Err(Fault::Impossible);
        }
        Ok((Flight { start, base, gap, growth, rise, step, more }, index))
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn step(&self, body: &Body, number: u64, round: u64) -> Result<Step, Fault> {
        let [place, drift, depth, take, advance, single, reset] = self.steps.get(body, number)?;
        // No overflow: rounds and places are below 2^32.
        let begin = place as i64 + round as i64 * (drift as i64 - MAX_DRIFT[1]);
        Ok(Step { depth, take, advance, single: single == 1, reset: reset == 1, begin })
    }

    /// Returns depth and best move at place `x`, whether the best move advances, and the number of places from x on with this
    /// depth and kind of move. The flight may end earlier.
    #[cfg_attr(feature = "fast", inline(always))]
    fn in_flight(&self, body: &Body, flight: &Flight, x: u64) -> Result<(Stair, bool, u64), Fault> {
        let (round, place) = flight.round_at(x - flight.start);
        let mut end = flight.places_of_round(round);
        let mut index = flight.more;
        let step = loop {
            let step = self.step(body, flight.step + index, round)?;
            if index == 0 {
                break Step { begin: 0, ..step };
            }
            if step.begin > place as i64 {
                end = end.min(step.begin as u64);
            } else if !step.single {
                break step;
            } else if step.begin == place as i64 {
                end = place + 1;
                break step;
            }
            index -= 1;
        };
        let take = step.take + step.advance * (place as i64 - step.begin) as u64;
        let depth = flight.base + round * flight.rise + step.depth;
        if depth > MAX_DEPTH {
            return Err(Fault::Impossible);
        }
        let stair = Stair { depth: depth as u32, take: narrow(take)?, reset: step.reset };
        Ok((stair, step.advance == 1, end - place))
    }

    /// Returns depth and best move at place `x` of a staircase.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn at(&self, body: &Body, staircase: Staircase, x: u32) -> Result<Stair, Fault> {
        let x = x.into();
        let (flight, _) = self.flight(body, staircase, x)?;
        Ok(self.in_flight(body, &flight, x)?.0)
    }

    /// Returns the run of places from `x` on that have the same depth.
    pub(super) fn run_at(&self, body: &Body, staircase: Staircase, x: u32) -> Result<StairRun, Fault> {
        let x = x.into();
        let (flight, index) = self.flight(body, staircase, x)?;
        let (stair, advance, places) = self.in_flight(body, &flight, x)?;
        let next = if index + 1 < staircase.flights {
            self.flights.field(body, staircase.first + index + 1, START)?
        } else {
            u64::MAX
        };
        // In a hostile file the next flight may begin at `x` or before, and only the first take may be none.
        let places = if advance && stair.take == 0 { 1 } else { places };
        Ok(StairRun { stair, advance, end: x.saturating_add(places).min(next).max(x + 1) })
    }
}
