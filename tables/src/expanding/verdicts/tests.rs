//! Tests of verdict lines and of the staircases to which they refer, with forged arrays.

use super::*;
use crate::format::tests::forged::{self, Records};

/// A step: place, drift, depth, take, advance, single, reset.
type Step = [u64; 7];

/// A flight: start, base, gap, growth, rise; and its steps.
type Flight = ([u64; 5], Vec<Step>);

/// Arrays, the body that they lie in, and a row.
type Opened = (Verdicts, Body, VerdictRow);

/// Fields of a line.
const FIRST: usize = 0;
const FLIGHTS: usize = 1;
const OWN: usize = 2;
const CLASS: usize = 3;
const SHIFT: usize = 4;
const DEEPER: usize = 5;

/// The arrays of a table.
#[derive(Clone)]
struct Arrays {
    lines: Vec<[u64; 6]>,
    flights: Vec<[u64; 7]>,
    steps: Vec<Step>,
}

impl Arrays {
    /// Makes arrays of one line, which has these flights on `end` places and refers to no other line.
    fn of_one_line(flights: &[Flight], end: u64) -> Self {
        // Padding, so that neither the first flight nor the first step has number 0.
        let mut arrays =
            Self { lines: vec![], flights: vec![[9, 9, 9, 1, 9, 9, 0]], steps: vec![[9, 3, 9, 9, 1, 1, 1]] };
        let [first, count] = arrays.add_staircase(flights);
        arrays.lines.push([first, count, end, 0, 0, 0]);
        arrays
    }

    /// Adds a staircase, and returns the number of its first flight and the number of flights.
    fn add_staircase(&mut self, flights: &[Flight]) -> [u64; 2] {
        let first = self.flights.len() as u64;
        for ([start, base, gap, growth, rise], steps) in flights {
            let (step, more) = (self.steps.len() as u64, steps.len() as u64 - 1);
            self.flights.push([*start, *base, *gap, *growth, *rise, step, more]);
            self.steps.extend(steps);
        }
        [first, flights.len() as u64]
    }

    /// Decodes the row of `classes` classes whose records begin at `first`.
    fn row(&self, first: u64, classes: u64) -> Result<Opened, Fault> {
        let body = body_of([
            forged::records(self.lines.clone()),
            forged::records(self.flights.clone()),
            forged::records(self.steps.clone()),
        ]);
        let verdicts = Verdicts::read(&body, true).unwrap().unwrap();
        let row = verdicts.row(&body, first, classes)?;
        Ok((verdicts, body, row))
    }

    /// Decodes the row of all lines.
    fn only_row(&self) -> Result<Opened, Fault> {
        self.row(0, self.lines.len() as u64)
    }

    /// Returns depth and best move on the last line.
    fn get(&self, x: u32) -> Result<(u32, Option<Move>), Fault> {
        let (verdicts, body, row) = self.only_row()?;
        verdicts.get(&body, &row, self.lines.len() as u32 - 1, x)
    }
}

/// Forges a body with these arrays of verdicts, after four others.
fn body_of(verdicts: impl IntoIterator<Item = Records>) -> Body {
    let others = std::array::from_fn::<_, 4, _>(|_| forged::records([[0]]));
    forged::body(&others.into_iter().chain(verdicts).collect::<Vec<_>>())
}

/// Returns depth and best move at each of `end` places, by the definition: from place to place, and from round to round.
fn expected(flights: &[Flight], end: u32) -> Vec<(u32, Option<Move>)> {
    let mut all = Vec::new();
    for (number, ([start, base, gap, growth, rise], steps)) in flights.iter().enumerate() {
        let flight_end = flights.get(number + 1).map_or(end.into(), |next| next.0[0]);
        // The round of the place, and the beginnings of this round and of the next one.
        let (mut round, mut begin, mut next) = (0, *start, start + gap);
        for x in *start..flight_end {
            if x == next && *gap > 0 {
                round += 1;
                (begin, next) = (next, next + gap + growth * round);
            }
            let begins = |(index, step): (usize, &Step)| match index {
                0 => begin as i64,
                _ => begin as i64 + step[0] as i64 + round as i64 * (step[1] as i64 - 3),
            };
            let lies_on = |&(index, step): &(usize, &Step)| {
                let at = begins((index, step));
                at == x as i64 || at < x as i64 && (index == 0 || step[5] == 0)
            };
            let found = steps.iter().enumerate().rfind(lies_on).unwrap();
            let [_, _, depth, take, advance, _, reset] = *found.1;
            let take = take + advance * (x as i64 - begins(found)) as u64;
            let best = (take > 0).then_some(Move { take: take as u32, reset: reset == 1 });
            all.push(((base + round * rise + depth) as u32, best));
        }
    }
    all
}

/// Returns flights of all kinds: of one round and of many, which grow or not, with drifting and single steps.
fn many_flights() -> Vec<Flight> {
    vec![
        ([0, 0, 0, 0, 0], vec![[7, 5, 0, 0, 0, 1, 0]]),
        ([1, 1, 0, 0, 0], vec![[0, 0, 0, 1, 1, 0, 0], [3, 3, 5, 2, 0, 0, 1], [4, 0, 1, 1, 1, 0, 0]]),
        ([9, 40, 10, 0, 2], vec![[0, 0, 0, 3, 1, 0, 0], [2, 4, 1, 1, 0, 1, 0], [9, 2, 4, 5, 1, 0, 1]]),
        ([47, 7, 1, 1, 255], vec![[0, 0, 9, 1, 1, 0, 0], [1, 3, 1, 4, 0, 1, 0]]),
        ([100, 900, 3, 0, 0], vec![[0, 0, 0, 2, 0, 0, 0]]),
        (
            [101, 3, 50, 1, 1],
            (0..16).map(|n| [3 * n, 3, n, 16 - n, n % 2, u64::from(n % 3 == 1), n % 2]).collect(),
        ),
        ([300, (1 << 30) - 4, 60, 0, 1], vec![[0, 0, 0, 1, 1, 0, 0], [20, 0, 1, 1, 0, 0, 1]]),
    ]
}

#[test]
fn flights_of_all_kinds_read_back_at_every_place() {
    let flights = many_flights();
    let expected = expected(&flights, 420);
    let (verdicts, body, row) = Arrays::of_one_line(&flights, 420).only_row().unwrap();
    for (x, &expected) in (0..).zip(&expected) {
        assert_eq!(verdicts.get(&body, &row, 0, x), Ok(expected), "{x}");
    }
    assert_eq!(verdicts.get(&body, &row, 0, 420), Err(Fault::OutOfRange));
    // A run from any place agrees with the answer at each of its places.
    for x in 0..420 {
        let VerdictRun { start, end, depth, best, advance } = verdicts.run(&body, &row, 0, x).unwrap();
        assert!(start == x && end > x && end <= 420, "{x} {end}");
        for place in start..end {
            let take = best.map_or(0, |best| best.take) + if advance { place - start } else { 0 };
            let best = best.map(|best| Move { take, ..best });
            assert_eq!((depth, best), expected[place as usize], "{x} {place}");
        }
    }
}

#[test]
fn the_round_of_each_place_is_found_up_to_the_longest_flights() {
    for (gap, growth) in [(1, 0), (1, 1), (2, 1), (7, 1), (1000, 1), (MAX_DEPTH, 0), (MAX_DEPTH, 1)] {
        let flight = ([0, 0, gap, growth, 1], vec![[0, 0, 0, 1, 1, 0, 0]]);
        let (verdicts, body, row) = Arrays::of_one_line(&[flight], u32::MAX.into()).only_row().unwrap();
        let begin = |round: u64| round * gap + growth * (round * round.saturating_sub(1) / 2);
        let last_round = (0..32).rev().fold(0, |round, bit| {
            let more = round + (1 << bit);
            if begin(more) < u32::MAX.into() && more <= MAX_DEPTH { more } else { round }
        });
        for round in [0, 1, 2, 3, last_round / 2, last_round - 1, last_round] {
            let (first, next) = (begin(round), begin(round + 1));
            for x in [first, first + 1, next - 1] {
                if round <= last_round && (first..next).contains(&x) && x < u32::MAX.into() {
                    let best = Move { take: (x - first) as u32 + 1, reset: false };
                    let found = verdicts.get(&body, &row, 0, x as u32);
                    assert_eq!(found, Ok((round as u32, Some(best))), "{gap} {growth} {round} {x}");
                }
            }
        }
    }
}

#[test]
fn a_line_reads_the_staircase_of_another_class_from_its_own_places_on() {
    let flights = many_flights();
    let expected = expected(&flights, 300);
    let mut arrays = Arrays::of_one_line(&flights, 11);
    let [first, count] = arrays.add_staircase(&flights[..6]);
    // The second row has the meaningful records.
    arrays.lines = vec![[0; 6], [0; 6], [first, 3, 50, 1, 33, 1000], [first, count, 300, 0, 0, 0]];
    let (verdicts, body, row) = arrays.row(2, 2).unwrap();
    let all = Arrays::of_one_line(&flights[..3], 50).only_row().unwrap();
    for x in 0..300 {
        assert_eq!(verdicts.get(&body, &row, 1, x), Ok(expected[x as usize]), "{x}");
        let found = verdicts.get(&body, &row, 0, x);
        if x < 50 {
            assert_eq!(found, all.0.get(&all.1, &all.2, 0, x), "{x}");
        } else {
            let (depth, best) = expected[x as usize - 33];
            assert_eq!(found, Ok((depth + 1000, best)), "{x}");
        }
        // A run ends with the staircase.
        let VerdictRun { end, .. } = verdicts.run(&body, &row, 0, x).unwrap();
        assert!(end <= if x < 50 { 50 } else { 333 }, "{x} {end}");
    }
}

/// Returns a row of two classes. Class 0 has its own staircase on all places; class 1 has its own on the places 0
/// to 2, and uses the staircase of class 0 from place 3 on.
fn two_classes() -> Arrays {
    let steps = vec![[0, 0, 0, 0, 0, 0, 0], [1, 3, 1, 1, 1, 0, 0], [4, 3, 2, 1, 0, 0, 1]];
    let mut arrays = Arrays::of_one_line(&[([0, 0, 0, 0, 0], steps.clone())], 8);
    let [first, count] = arrays.add_staircase(&[([0, 0, 0, 0, 0], steps)]);
    arrays.lines.push([first, count, 3, 0, 2, 4]);
    arrays
}

#[test]
fn a_class_beyond_the_row_is_refused() {
    // The record with its number exists, but belongs to the next row.
    let mut arrays = two_classes();
    arrays.lines.extend_from_within(..);
    arrays.lines.extend_from_within(..);
    assert!(arrays.row(0, 2).is_ok());
    for class in 2..4 {
        arrays.lines[1][CLASS] = class;
        assert_eq!(arrays.row(0, 2).unwrap_err(), Fault::Impossible, "{class}");
    }
}

#[test]
fn a_part_of_a_depth_of_more_than_30_bits_is_refused() {
    let mut arrays = two_classes();
    arrays.lines[1][DEEPER] = MAX_DEPTH;
    assert_eq!(arrays.get(3).unwrap().0, 1 + (1 << 30) - 1);
    arrays.lines[1][DEEPER] = MAX_DEPTH + 1;
    assert_eq!(arrays.get(3), Err(Fault::Impossible));
    // Base, rise and depth together.
    let flight = ([0, MAX_DEPTH - 3, 2, 0, 1], vec![[0, 0, 1, 1, 0, 0, 0]]);
    let arrays = Arrays::of_one_line(&[flight], 9);
    assert_eq!(arrays.get(5).unwrap().0, (1 << 30) - 1);
    assert_eq!(arrays.get(6), Err(Fault::Impossible));
}

#[test]
fn a_place_beyond_the_other_line_s_staircase_is_refused() {
    let mut arrays = two_classes();
    assert_eq!(arrays.get(9), Ok((6, Some(Move { take: 1, reset: true }))));
    assert_eq!(arrays.get(10), Err(Fault::OutOfRange));
    arrays.lines[0][OWN] = 7;
    assert_eq!(arrays.get(9), Err(Fault::OutOfRange));
    // A place before its beginning is refused too.
    arrays.lines[1][SHIFT] = 3;
    assert!(arrays.get(3).is_ok());
    arrays.lines[1][SHIFT] = 4;
    assert_eq!(arrays.get(3), Err(Fault::OutOfRange));
}

#[test]
fn numbers_beyond_32_bits_are_refused() {
    // An implementation that kept only the lowest 32 bits would read the valid numbers.
    for field in [OWN, CLASS, SHIFT, DEEPER] {
        let mut arrays = two_classes();
        arrays.lines[1][field] += 1 << 32;
        assert_eq!(arrays.only_row().unwrap_err(), Fault::Impossible, "{field}");
    }
    for field in [FIRST, FLIGHTS] {
        let mut arrays = two_classes();
        arrays.lines[1][field] += 1 << 32;
        assert_eq!(arrays.only_row().unwrap_err(), Fault::OutOfRange, "{field}");
    }
    let mut arrays = two_classes();
    // A step whose take grows by one from place to place.
    arrays.steps[2][3] = u32::MAX.into();
    assert_eq!(arrays.get(3), Ok((5, Some(Move { take: u32::MAX, reset: false }))));
    assert_eq!(arrays.get(4), Err(Fault::Impossible));
}

#[test]
fn missing_flights_and_steps_are_refused() {
    let valid = two_classes();
    let with = |change: fn(&mut Arrays)| {
        let mut arrays = valid.clone();
        change(&mut arrays);
        arrays.get(1)
    };
    assert!(with(|_| ()).is_ok());
    assert_eq!(with(|arrays| arrays.lines[1][FLIGHTS] = 0), Err(Fault::OutOfRange));
    assert_eq!(with(|arrays| arrays.lines[1][FLIGHTS] += 1), Err(Fault::OutOfRange));
    assert_eq!(with(|arrays| arrays.lines[1][FIRST] += 1), Err(Fault::OutOfRange));
    assert_eq!(with(|arrays| arrays.flights[2][5] += 1), Err(Fault::OutOfRange));
    assert_eq!(with(|arrays| arrays.flights[2][6] += 1), Err(Fault::OutOfRange));
    // The first flight begins after the place.
    assert_eq!(with(|arrays| arrays.flights[2][0] = 2), Err(Fault::Impossible));
    // A line without places of its own may have any first fields.
    let mut arrays = valid.clone();
    arrays.lines[1] = [77, 77, 0, 0, 0, 0];
    assert_eq!(arrays.get(1), Ok((1, Some(Move { take: 1, reset: false }))));
}

#[test]
fn unsorted_flights_and_steps_before_their_round_are_answered_or_refused_without_a_panic() {
    let mut flights = many_flights();
    flights.swap(1, 4);
    flights[2].1[1][1] = 0;
    flights[5].1.iter_mut().for_each(|step| step[1] = 0);
    let (verdicts, body, row) = Arrays::of_one_line(&flights, 420).only_row().unwrap();
    for x in 0..420 {
        let found = verdicts.get(&body, &row, 0, x);
        assert!(matches!(found, Ok(_) | Err(Fault::OutOfRange | Fault::Impossible)), "{x} {found:?}");
        // Each run has at least one place, so that a visit of all runs ends.
        assert!(verdicts.run(&body, &row, 0, x).is_ok_and(|run| run.end > x) || found.is_err(), "{x}");
    }
}

#[test]
fn flights_in_another_order_are_found_by_a_check() {
    let check = |flights: &[Flight]| {
        let (verdicts, body, row) = Arrays::of_one_line(flights, 420).only_row().unwrap();
        verdicts.check_order(&body, &row, 0)
    };
    let flights = many_flights();
    assert_eq!(check(&flights), Ok(()));
    for changed in 0..flights.len() {
        for start in [0, 1, 9, 420] {
            let mut other = flights.clone();
            other[changed].0[0] = start;
            let is_ascending = other[0].0[0] == 0 && other.is_sorted_by(|a, b| a.0[0] < b.0[0]);
            let expected = if is_ascending && start < 420 { Ok(()) } else { Err(Fault::Impossible) };
            assert_eq!(check(&other), expected, "{changed} {start}");
        }
    }
}

#[test]
fn fields_beyond_their_limits_are_refused() {
    let read = |flight: [u64; 7], step: Step| {
        let body = body_of([forged::records([[0]]), forged::records([flight]), forged::records([step])]);
        Verdicts::read(&body, true).map(|_| ()).map_err(|damage| damage.what)
    };
    let greatest = (
        [(1 << 32) - 1, (1 << 30) - 1, (1 << 30) - 1, 1, 255, (1 << 32) - 1, 15],
        [(1 << 32) - 1, 7, (1 << 30) - 1, (1 << 32) - 1, 1, 1, 1],
    );
    assert_eq!(read(greatest.0, greatest.1), Ok(()));
    for field in 0..7 {
        let (mut flight, mut step) = greatest;
        flight[field] += 1;
        assert!(
            read(flight, step).unwrap_err().contains("the fields of its flights are too wide"),
            "{field}"
        );
        step[field] += 1;
        assert!(
            read(greatest.0, step).unwrap_err().contains("the fields of its steps are too wide"),
            "{field}"
        );
    }
}

#[test]
fn a_table_without_depths_has_three_arrays_without_records() {
    let read = |arrays: [Records; 3]| Verdicts::read(&body_of(arrays), false).map(|read| read.is_some());
    assert_eq!(read(Default::default()), Ok(false));
    for array in 0..3 {
        let mut arrays: [Records; 3] = Default::default();
        arrays[array] = forged::records([[0]]);
        assert!(read(arrays).unwrap_err().what.contains("no depths in its header"), "{array}");
    }
}
