//! Finds flights: steps of a verdict line that repeat (FORMAT.md, section 4.4).
//!
//! From round to round, each step begins farther up by the gap of the round and by a small drift of its own, and is deeper by
//! the same number of plies. For example, the steps of one line begin at 5644, 5645 and 5670, then at 5853, 5854 and 5880, and
//! so on: rounds of three steps with the gap 209, in which the last step drifts by 1. That last step has a single place,
//! after which the second one continues. The packer tries rounds of up to eight steps, and takes the flight with the most steps
//! for its bits. Cost: at most eight scans of each flight.

use std::hash::BuildHasher;
use std::ops::Range;

use bouton_tables::expanding::{MAX_DRIFT, MAX_RISE, MAX_STEPS_OF_FLIGHT};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::line_steps::{LineStep, LineSteps, MAX_SINGLES, Takes};
use crate::expanding::run::Run;
use crate::making::GenerateError;
use crate::memory::Grow;

/// Maximum number of steps of a round that are tried. More steps would save few bits.
const MAX_STEPS_TRIED: usize = 8;
// A step that is not single, and the single steps after it, fit into a round.
const _: () = assert!(MAX_SINGLES < MAX_STEPS_TRIED && MAX_STEPS_TRIED <= MAX_STEPS_OF_FLIGHT);

/// Bits of a flight and of a step in a large table: accurate enough to compare flights.
const BITS_OF_A_FLIGHT: usize = 68;
const BITS_OF_A_STEP: usize = 40;

/// A flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedFlight {
    start: u32,
    base: u32,
    shape: RoundShape,
    /// The steps of a round, in [`StepLists::steps`].
    steps: StepList,
}

impl PackedFlight {
    /// Returns the fields of the flight's record.
    pub(super) fn record(&self) -> [u64; 7] {
        let RoundShape { gap, growth, rise } = self.shape;
        let StepList { first, count } = self.steps;
        [self.start, self.base, gap, growth, rise, first, count - 1].map(u64::from)
    }
}

/// The difference between a round and the next one.
#[derive(Clone, Copy, Debug, Default)]
struct RoundShape {
    /// Number of places of round 0; 0 if there is only one round.
    gap: u32,
    /// Places by which each round is longer than the one before.
    growth: u32,
    /// Plies by which each round is deeper than the one before.
    rise: u32,
}

/// A step of a flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PackedStep {
    place: u32,
    drift: u8,
    depth: u32,
    take: u32,
    advance: bool,
    single: bool,
    reset: bool,
}

impl PackedStep {
    /// Returns the fields of the step's record.
    pub(super) fn record(self) -> [u64; 7] {
        let Self { place, drift, depth, take, advance, single, reset } = self;
        [place.into(), drift.into(), depth.into(), take.into(), advance.into(), single.into(), reset.into()]
    }
}

/// Adjacent steps.
#[derive(Clone, Copy, Debug)]
struct StepList {
    first: u32,
    count: u32,
}

impl StepList {
    fn of(self, steps: &[PackedStep]) -> &[PackedStep] {
        &steps[self.first as usize..][..self.count as usize]
    }
}

/// Distinct lists of steps.
#[derive(Debug, Default)]
struct StepLists {
    steps: Vec<PackedStep>,
    lists: HashTable<StepList>,
}

impl StepLists {
    fn find(&self, steps: &[PackedStep]) -> Option<StepList> {
        let hash = FxBuildHasher.hash_one(steps);
        self.lists.find(hash, |list| list.of(&self.steps) == steps).copied()
    }

    /// Returns the list with these steps, which is added if it is new.
    fn find_or_add(&mut self, steps: &[PackedStep]) -> Result<StepList, GenerateError> {
        if let Some(list) = self.find(steps) {
            return Ok(list);
        }
        let first = u32::try_from(self.steps.len()).map_err(|_| GenerateError::Memory)?;
        let list = StepList { first, count: steps.len() as u32 };
        self.steps.grow_by(steps.iter().copied())?;
        let hash = |list: &StepList| FxBuildHasher.hash_one(list.of(&self.steps));
        self.lists.try_reserve(1, hash).map_err(|_| GenerateError::Memory)?;
        self.lists.insert_unique(hash(&list), list, hash);
        Ok(list)
    }
}

/// The flights of some staircases. Flights with equal steps share them.
#[derive(Debug, Default)]
pub(super) struct Flights {
    flights: Vec<PackedFlight>,
    lists: StepLists,
}

impl Flights {
    pub(super) fn count(&self) -> usize {
        self.flights.len()
    }

    /// Returns the records of flights.
    pub(super) fn flights(&self) -> impl Iterator<Item = [u64; 7]> + Clone {
        self.flights.iter().map(PackedFlight::record)
    }

    /// Returns the records of steps.
    pub(super) fn steps(&self) -> impl Iterator<Item = [u64; 7]> + Clone {
        self.lists.steps.iter().map(|step| step.record())
    }

    /// Estimated bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        let StepLists { steps, lists } = &self.lists;
        size_of::<PackedFlight>() * self.flights.capacity()
            + size_of::<PackedStep>() * steps.capacity()
            + (size_of::<StepList>() + 1) * lists.capacity()
    }

    /// Adds some flights of others.
    pub(super) fn append(&mut self, others: &Self, range: Range<usize>) -> Result<(), GenerateError> {
        for flight in &others.flights[range] {
            // Records refer to flights by numbers of 32 bits.
            if self.flights.len() >= u32::MAX as usize {
                return Err(GenerateError::Memory);
            }
            let steps = self.lists.find_or_add(flight.steps.of(&others.lists.steps))?;
            self.flights.grow(PackedFlight { steps, ..*flight })?;
        }
        Ok(())
    }

    /// Adds the flights of the places below `end`. `runs` may have more.
    pub(super) fn add_line(&mut self, runs: &[Run], end: u32) -> Result<(), GenerateError> {
        let line = LineSteps::of(&runs[..runs.partition_point(|run| run.start < end)], end)?;
        let mut first = 0;
        while first < line.steps.len() {
            let (best, steps) = self.best_flight(&line, first);
            let flight = PackedFlight {
                start: line.steps[first].start,
                base: best.base(&line),
                shape: best.shape,
                steps: self.lists.find_or_add(&steps)?,
            };
            self.flights.grow(flight)?;
            first = best.end;
        }
        Ok(())
    }

    /// Returns the flight from step `first` on that has the most steps for its bits, and the steps of a round.
    fn best_flight(&self, line: &LineSteps, first: usize) -> (Candidate, Vec<PackedStep>) {
        let mut best: Option<(Candidate, Vec<PackedStep>, usize)> = None;
        for round in 1..=MAX_STEPS_TRIED.min(line.steps.len() - first) {
            let Some(next) = Candidate::new(line, first, round) else { continue };
            let steps = next.steps(line);
            let is_new = self.lists.find(&steps).is_none();
            let bits = BITS_OF_A_FLIGHT + if is_new { BITS_OF_A_STEP * steps.len() } else { 0 };
            let is_last = next.end == line.steps.len();
            if best.as_ref().is_none_or(|best| (next.end - first) * best.2 > (best.0.end - first) * bits) {
                best = Some((next, steps, bits));
            }
            if is_last {
                break;
            }
        }
        let (best, steps, _) =
            best.expect("few single steps are adjacent, so some round ends before another step");
        (best, steps)
    }

    /// Frees memory that is only needed to add flights.
    pub(super) fn finish(&mut self) {
        self.lists.lists = HashTable::new();
        self.flights.shrink();
        self.lists.steps.shrink();
    }
}

/// A flight that begins with a given step of the line and has a given number of steps in a round.
struct Candidate {
    /// Number of the first step.
    first: usize,
    shape: RoundShape,
    /// Number of steps in a round.
    round: usize,
    drifts: [i64; MAX_STEPS_TRIED],
    takes: [Takes; MAX_STEPS_TRIED],
    /// Number of the step after the last one.
    end: usize,
}

impl Candidate {
    /// Returns the longest such flight; `None` if it would end before a single step.
    fn new(line: &LineSteps, first: usize, round: usize) -> Option<Self> {
        let second = first + round;
        let mut takes = [Takes::default(); MAX_STEPS_TRIED];
        takes.iter_mut().zip(&line.steps[first..second]).for_each(|(takes, step)| *takes = step.takes);
        let (shape, drifts) = (RoundShape::default(), [0; MAX_STEPS_TRIED]);
        let mut flight = Self { first, shape, round, drifts, takes, end: second };
        if let Some(shape) = flight.shape_of_rounds(line) {
            flight.shape = shape;
            flight.set_drifts(line);
            flight.repeat(line);
        }
        line.may_begin(flight.end).then_some(flight)
    }

    /// Returns the shape of the rounds, given the first steps of rounds 1 and 2.
    fn shape_of_rounds(&self, line: &LineSteps) -> Option<RoundShape> {
        let [second, third] = [1, 2].map(|round| self.first + round * self.round);
        let rise = line.steps.get(second)?.depth.checked_sub(line.steps[self.first].depth)?;
        let gap = line.start(second) - line.start(self.first);
        let grows = third < line.steps.len() && line.start(third) - line.start(second) == gap + 1;
        (rise <= MAX_RISE).then_some(RoundShape { gap: gap as u32, growth: grows.into(), rise })
    }

    /// Sets the drifts, given the steps of round 1. A step that moved farther keeps drift 0, and ends the flight.
    fn set_drifts(&mut self, line: &LineSteps) {
        let second = self.first + self.round;
        let [most_up, most_down] = MAX_DRIFT;
        for step in 1..self.round.min(line.steps.len() - second) {
            let drift = line.start(second + step) - self.begin_of(line, second + step);
            if (-most_down..=most_up).contains(&drift) {
                self.drifts[step] = drift;
            }
        }
    }

    /// Returns the place where the flight would begin a step of the line.
    fn begin_of(&self, line: &LineSteps, step: usize) -> i64 {
        let (round, within) = (self.round_of(step), (step - self.first) % self.round);
        let [gap, growth] = [self.shape.gap, self.shape.growth].map(i64::from);
        let moved = round * (gap + self.drifts[within]) + growth * (round * (round - 1) / 2);
        line.start(self.first + within) + moved
    }

    fn round_of(&self, step: usize) -> i64 {
        ((step - self.first) / self.round) as i64
    }

    /// Lets the flight end after the last step that belongs to it.
    fn repeat(&mut self, line: &LineSteps) {
        let second = self.first + self.round;
        for (step, own) in line.steps.iter().enumerate().skip(second) {
            let within = (step - self.first) % self.round;
            let before = &line.steps[self.first + within];
            let depth = i64::from(before.depth) + i64::from(self.shape.rise) * self.round_of(step);
            let belongs = self.begin_of(line, step) == own.start.into()
                && (depth, before.reset, before.single) == (own.depth.into(), own.reset, own.single);
            let Some(takes) = self.takes[within].and(own.takes).filter(|_| belongs) else { break };
            self.takes[within] = takes;
            self.end = step + 1;
        }
        while self.end > second && (self.has_step_before_end(line) || !line.may_begin(self.end)) {
            self.end -= 1;
        }
        if self.end == second {
            (self.shape, self.drifts) = (RoundShape::default(), [0; MAX_STEPS_TRIED]);
        }
    }

    /// Returns whether a step after the flight's last one would begin before the flight's end: an absent step of the last
    /// round, or the first step of the next round.
    fn has_step_before_end(&self, line: &LineSteps) -> bool {
        let next_round = self.first + (self.end - self.first).next_multiple_of(self.round);
        (self.end..=next_round).any(|step| self.begin_of(line, step) < line.start(self.end))
    }

    /// Returns the least depth of round 0.
    fn base(&self, line: &LineSteps) -> u32 {
        let depths = line.steps[self.first..][..self.round].iter().map(|step| step.depth);
        depths.min().expect("a round has at least one step")
    }

    /// Returns the steps of a round.
    fn steps(&self, line: &LineSteps) -> Vec<PackedStep> {
        let base = self.base(line);
        let step = |(index, takes): (usize, &Takes)| {
            let LineStep { start, depth, reset, single, .. } = line.steps[self.first + index];
            PackedStep {
                place: start - line.steps[self.first].start,
                drift: if index == 0 { 0 } else { (self.drifts[index] + MAX_DRIFT[1]) as u8 },
                depth: depth - base,
                take: takes.constant.or(takes.advance).expect("at least one way is possible"),
                advance: takes.constant.is_none(),
                single,
                reset,
            }
        };
        self.takes[..self.round].iter().enumerate().map(step).collect()
    }
}

#[cfg(test)]
mod tests;
