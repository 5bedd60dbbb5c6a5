//! A writer of Expanding Nim tables with staircases of any shape that the format allows (FORMAT.md, section 4.4).
//!
//! Written from the document alone, without regard to size.

use crate::format_twin::expanding::{Twin, Verdict};
use crate::seal::{Array, Parts};

use super::DecodedTable;

/// The numbers of the arrays that are read here.
const CLASSES: usize = 0;
const VERDICTS: usize = 4;

/// The greatest gap that is tried for a flight of several rounds.
const GREATEST_GAP: usize = 90;

/// The parameters of a staircase's flights.
#[derive(Clone, Copy, Debug)]
pub struct FlightShape {
    /// The greatest number of steps of a flight, 1 to 16.
    pub steps: usize,
    /// True if flights may have several rounds.
    pub rounds: bool,
    /// True if a step may have a single place, after which the step before continues.
    pub singles: bool,
    /// True if flights have steps that other steps hide, where there is room for them.
    pub hidden: bool,
    /// True if the least depth of a flight's steps is its base. Otherwise the base is 0.
    pub based: bool,
    /// The gap of a flight of one round. If it is not 0, the flight ends where its next round would begin.
    pub gap_of_one_round: u64,
    /// True if fields without a meaning have their greatest values, and records without a meaning too.
    pub noise: bool,
    /// The number of unused records before each staircase's flights, and before each flight's steps.
    pub unused: usize,
    /// True if equal lists of steps are stored once.
    pub shared: bool,
}

impl FlightShape {
    /// The plainest shape: flights of one step.
    pub const PLAIN: Self = Self {
        steps: 1,
        rounds: false,
        singles: false,
        hidden: false,
        based: false,
        gap_of_one_round: 0,
        noise: false,
        unused: 0,
        shared: false,
    };

    /// Flights as large as possible, which use every field and leave records unused.
    pub const FULL: Self = Self {
        steps: 16,
        rounds: true,
        singles: true,
        hidden: true,
        based: true,
        gap_of_one_round: (1 << 30) - 1,
        noise: true,
        unused: 2,
        shared: true,
    };
}

/// A step, by the names in FORMAT.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    place: u64,
    drift: u64,
    depth: u64,
    take: u64,
    advance: u64,
    single: u64,
    reset: u64,
}

/// A flight from the place where it starts on. Its base is 0.
#[derive(Clone, Debug)]
struct Flight {
    gap: u64,
    growth: u64,
    rise: u64,
    steps: Vec<Step>,
}

/// Rewrites a table with depths so that its staircases have these shapes.
///
/// # Panics
/// If the file is not a valid table of Expanding Nim with depths.
#[must_use]
pub fn with_flights(file: &[u8], mut shape: impl FnMut() -> FlightShape) -> DecodedTable {
    let twin = Twin::read(file).expect("a valid table");
    let mut table = DecodedTable::of(&Parts::of(file));
    let classes: Vec<u64> = table.arrays[CLASSES].records.iter().map(|record| record[0]).collect();
    let class_count = 1 + classes.iter().max().expect("lines");
    let line_of =
        |class| classes.iter().position(|&of_line| of_line == class).expect("a line of each") as u64;
    let mut writer = Writer::default();
    let mut verdicts = Vec::new();
    for (record, fields) in (0..).zip(&table.arrays[VERDICTS].records) {
        let (row, line) = (record / class_count, line_of(record % class_count));
        let [own, class, shift, deeper] = [2, 3, 4, 5].map(|field| fields[field]);
        let own_verdicts: Vec<Verdict> =
            (0..own).map(|x| twin.verdict(row, line, x).expect("depths")).collect();
        let shape = shape();
        let none = if shape.noise { [u32::MAX.into(); 2] } else { [0; 2] };
        let [first, flights] = if own == 0 { none } else { writer.write(&own_verdicts, shape) };
        verdicts.push(vec![first, flights, own, class, shift, deeper]);
    }
    table.arrays.truncate(VERDICTS);
    table.arrays.push(Array::of(verdicts));
    table.arrays.extend([Array::of(writer.flights), Array::of(writer.steps)]);
    table
}

/// The records written so far.
#[derive(Default)]
struct Writer {
    /// The records of array 5.
    flights: Vec<Vec<u64>>,
    /// The records of array 6.
    steps: Vec<Vec<u64>>,
}

impl Writer {
    /// Writes a staircase, and returns the number of its first flight and the number of its flights.
    fn write(&mut self, verdicts: &[Verdict], shape: FlightShape) -> [u64; 2] {
        if shape.noise {
            let unused = [u32::MAX.into(), (1 << 30) - 1, (1 << 30) - 1, 1, 255, u32::MAX.into(), 15];
            self.flights.extend((0..shape.unused).map(|_| unused.to_vec()));
        } else {
            self.flights.extend((0..shape.unused).map(|_| vec![0; 7]));
        }
        let first = self.flights.len();
        let mut start = 0;
        while start < verdicts.len() {
            let rest = &verdicts[start..];
            let mut flight = of_one_round(rest, shape);
            if let Some(other) =
                of_rounds(rest, shape).filter(|other| other.covers(rest) > flight.covers(rest))
            {
                flight = other;
            }
            let covered = flight.covers(rest);
            assert!(covered > 0, "a flight has its first place");
            self.write_flight(start as u64, &flight, shape);
            start += covered;
        }
        [first as u64, (self.flights.len() - first) as u64]
    }

    /// Writes a flight and its steps.
    fn write_flight(&mut self, start: u64, flight: &Flight, shape: FlightShape) {
        let Flight { gap, growth, rise, steps } = flight;
        let least = steps.iter().map(|step| step.depth).min().expect("a flight has a step");
        let base = if shape.based { least } else { 0 };
        let mut steps: Vec<Step> =
            steps.iter().map(|&step| Step { depth: step.depth - base, ..step }).collect();
        if shape.hidden {
            hide(&mut steps);
        }
        if shape.noise {
            steps[0] = Step { place: u32::MAX.into(), drift: 7, single: 1, ..steps[0] };
        }
        let steps: Vec<Vec<u64>> = steps.iter().map(|step| step.record()).collect();
        let more = steps.len() as u64 - 1;
        let known = self.steps.windows(steps.len()).position(|known| shape.shared && known == steps);
        let step = known.unwrap_or_else(|| {
            let greatest = [u32::MAX.into(), 7, (1 << 30) - 1, u32::MAX.into(), 1, 1, 1];
            let unused = if shape.noise { greatest } else { [0; 7] };
            self.steps.extend((0..shape.unused).map(|_| unused.to_vec()));
            self.steps.extend(steps);
            self.steps.len() - 1 - more as usize
        });
        self.flights.push(vec![start, base, *gap, *growth, *rise, step as u64, more]);
    }
}

/// Adds a step before each step but the first, as long as a flight has room. Both begin at the same places, so the
/// added one has none.
fn hide(steps: &mut Vec<Step>) {
    let mut number = 1;
    while number < steps.len() && steps.len() < 16 {
        let hidden = Step { depth: (1 << 30) - 1, take: u32::MAX.into(), reset: 1, ..steps[number] };
        steps.insert(number, hidden);
        number += 2;
    }
    // A step that no round reaches.
    if steps.len() < 16 {
        steps.push(Step { place: u32::MAX.into(), drift: 3, ..steps[0] });
    }
}

impl Step {
    /// Returns the fields of the record.
    fn record(self) -> Vec<u64> {
        let Self { place, drift, depth, take, advance, single, reset } = self;
        vec![place, drift, depth, take, advance, single, reset]
    }

    /// Returns whether two steps differ at most in what may change from one round to the next, and in whether the move
    /// advances.
    fn is_like(&self, other: &Self) -> bool {
        (self.take, self.single, self.reset) == (other.take, other.single, other.reset)
    }
}

impl Flight {
    /// Returns the verdict at the place `y`, counted from the start of the flight.
    fn read(&self, y: usize) -> Verdict {
        let y = y as u64;
        let begins = |k: u64| k * self.gap + self.growth * (k * k - k) / 2;
        let rounds = y.checked_div(self.gap).unwrap_or(0);
        let k = (0..=rounds).rev().find(|&k| begins(k) <= y).expect("round 0 begins at 0");
        let z = (y - begins(k)) as i64;
        let begins_at = |number: usize, step: &Step| match number {
            0 => 0,
            _ => step.place as i64 + k as i64 * (step.drift as i64 - 3),
        };
        let has = |&(number, step): &(usize, &Step)| {
            let t = z - begins_at(number, step);
            t == 0 || t > 0 && (number == 0 || step.single == 0)
        };
        let (number, step) = self.steps.iter().enumerate().rfind(has).expect("step 0 begins at 0");
        let t = (z - begins_at(number, step)) as u64;
        Verdict {
            depth: k * self.rise + step.depth,
            take: step.take + step.advance * t,
            reset: step.reset == 1,
        }
    }

    /// Returns the number of places from the start on at which the flight has these verdicts.
    fn covers(&self, verdicts: &[Verdict]) -> usize {
        verdicts.iter().enumerate().take_while(|&(y, &verdict)| self.read(y) == verdict).count()
    }
}

/// Returns a flight of one round: as many steps as the shape allows, or fewer if these have all places.
fn of_one_round(verdicts: &[Verdict], shape: FlightShape) -> Flight {
    let mut flight = Flight { gap: 0, growth: 0, rise: 0, steps: Vec::new() };
    for (z, &verdict) in verdicts.iter().enumerate() {
        if z > 0 && flight.read(z) == verdict {
            continue;
        }
        if flight.steps.len() == shape.steps {
            break;
        }
        let Verdict { depth, take, reset } = verdict;
        let next = verdicts.get(z + 1);
        let single = shape.singles && z > 0 && next.is_some_and(|&next| flight.read(z + 1) == next);
        let advances = next.is_some_and(|&next| next == Verdict { depth, take: take + 1, reset });
        flight.steps.push(Step {
            place: z as u64,
            drift: if shape.noise { 7 } else { 3 },
            depth,
            take,
            advance: u64::from(advances && !single),
            single: single.into(),
            reset: reset.into(),
        });
    }
    flight.gap = shape.gap_of_one_round;
    if shape.noise {
        (flight.growth, flight.rise) = (1, 255);
    }
    flight
}

/// Returns the flight of several rounds that has the most places, if any has two rounds.
fn of_rounds(verdicts: &[Verdict], shape: FlightShape) -> Option<Flight> {
    let gaps = 1..=GREATEST_GAP.min(verdicts.len().saturating_sub(1));
    let shapes = gaps.flat_map(|gap| [(gap, 0), (gap, 1)]).filter(|_| shape.rounds);
    let flights = shapes.filter_map(|(gap, growth)| with_gap(verdicts, gap, growth, shape));
    flights.max_by_key(|flight| flight.covers(verdicts))
}

/// Returns a flight with this gap and this growth that has all places of the rounds 0 and 1, or all places, if the
/// steps of round 0 give one.
fn with_gap(verdicts: &[Verdict], gap: usize, growth: usize, shape: FlightShape) -> Option<Flight> {
    let (round, rest) = verdicts.split_at(gap);
    let next_round = &rest[..rest.len().min(gap + growth)];
    let one_round = FlightShape { noise: false, gap_of_one_round: 0, ..shape };
    let [mut flight, next] = [round, next_round].map(|round| of_one_round(round, one_round));
    flight.gap = gap as u64;
    flight.growth = growth as u64;
    flight.rise = next.steps[0].depth.checked_sub(flight.steps[0].depth).filter(|&rise| rise < 256)?;
    for (step, next) in flight.steps.iter_mut().zip(&next.steps) {
        step.drift = (next.place + 3).checked_sub(step.place).filter(|&drift| drift < 8)?;
        step.advance |= next.advance;
        if !step.is_like(next) {
            return None;
        }
    }
    (flight.covers(verdicts) >= verdicts.len().min(gap + gap + growth)).then_some(flight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    /// Returns every verdict of a table.
    fn verdicts(twin: &Twin) -> Vec<Option<Verdict>> {
        let rules = twin.rules();
        let lines = 4 * rules.resets.iter().map(|&resets| u64::from(resets) + 1).product::<u64>();
        let places = (0..).take_while(|&m| rules.stones_at(m) > 0).flat_map(|m| {
            (0..lines).flat_map(move |line| (0..rules.stones_at(m)).map(move |x| (rules.row(m), line, x)))
        });
        places.map(|(row, line, x)| twin.verdict(row, line, x)).collect()
    }

    #[test]
    fn the_twin_reads_the_same_verdicts_from_flights_of_several_shapes() {
        let (plain, full) = (FlightShape::PLAIN, FlightShape::FULL);
        let shapes = [
            plain,
            full,
            FlightShape { noise: true, gap_of_one_round: 0, ..plain },
            FlightShape { steps: 16, rounds: true, shared: true, ..plain },
            FlightShape { steps: 5, singles: true, based: true, ..plain },
            FlightShape { steps: 3, unused: 1, gap_of_one_round: 1 << 20, ..full },
        ];
        // The flights whose rounds grow, whose steps drift, and that have a step of a single place.
        let (mut growing, mut drifting, mut single) = (0, 0, 0);
        for rules in games::expanding() {
            let file = bouton_generator::generate_in_memory(&rules.into(), true).unwrap();
            let expected = verdicts(&Twin::read(&file).unwrap());
            for shape in shapes {
                let made = with_flights(&file, || shape);
                assert_eq!(made.arrays.len(), 7);
                if !shape.noise {
                    let [flights, steps] = [5, 6].map(|array| &made.arrays[array].records);
                    growing += flights.iter().filter(|flight| flight[3] > 0).count();
                    drifting += steps.iter().filter(|step| step[1] != 3).count();
                    single += steps.iter().filter(|step| step[5] > 0).count();
                }
                let twin = Twin::read(&made.seal()).unwrap_or_else(|refusal| panic!("{shape:?}: {refusal}"));
                assert!(verdicts(&twin) == expected, "{shape:?} of {:?}", twin.rules());
            }
        }
        assert!(growing > 0 && drifting > 0 && single > 0, "{growing}, {drifting}, {single}");
    }
}
