//! Compares packed flights with the runs of a line, at every place.

use fastrand::Rng;

use super::*;

/// Returns depth, take and reset at each place below `end`, by the definition of FORMAT.md.
fn read(row: &Flights, end: u32) -> Vec<(i64, i64, bool)> {
    let mut all = Vec::new();
    for (number, flight) in row.flights.iter().enumerate() {
        let [start, base, gap, growth, rise, step, more] = flight.record().map(|n| n as i64);
        let steps: Vec<[i64; 7]> = row.lists.steps[step as usize..=(step + more) as usize]
            .iter()
            .map(|step| step.record().map(|n| n as i64))
            .collect();
        let flight_end = row.flights.get(number + 1).map_or(end, |next| next.start);
        for y in 0..i64::from(flight_end) - start {
            let begin = |round: i64| round * gap + growth * round * (round - 1) / 2;
            let round =
                if gap == 0 { 0 } else { (0..).take_while(|&round| begin(round) <= y).last().unwrap() };
            let z = y - begin(round);
            let at = |index: usize| {
                if index == 0 { 0 } else { steps[index][0] + round * (steps[index][1] - 3) }
            };
            let lies_on =
                |&index: &usize| at(index) == z || at(index) < z && (index == 0 || steps[index][5] == 0);
            let found = (0..steps.len()).rfind(lies_on).unwrap();
            let [_, _, depth, take, advance, _, reset] = steps[found];
            all.push((base + round * rise + depth, take + advance * (z - at(found)), reset == 1));
        }
    }
    all
}

/// Packs a line, and checks each place. Returns the number of flights.
fn check(runs: &[Run], end: u32) -> usize {
    let mut row = Flights::default();
    row.add_line(runs, end).unwrap();
    let found = read(&row, end);
    let run_at = |place: u32| runs[runs.partition_point(|run| run.start <= place) - 1];
    let expected = (0..end).map(|place| {
        let run = run_at(place);
        (run.depth.into(), run.take_at(place).into(), run.reset)
    });
    assert!(found.into_iter().eq(expected), "{runs:?} {end}");
    row.flights.len()
}

#[test]
fn runs_that_repeat_with_gaps_and_drifts_are_one_flight() {
    for (gap, growth, first_place, drift, rise) in
        [(9, 0, 3, 0, 2), (40, 0, 12, 1, 2), (40, 0, 12, -1, 1), (30, 1, 10, 2, 0), (200, 1, 40, -3, 255)]
    {
        let mut runs = Vec::new();
        for round in 0_i64..9 {
            let begin = round * gap + growth * round * (round - 1) / 2;
            let depth = (1000 + rise * round) as u32;
            let mut push = |start: i64, depth, take, advance, reset| {
                runs.push(Run { start: start as u32, depth, take, advance, reset });
            };
            push(begin, depth, 1, false, false);
            push(begin + 1, depth + 1, 1, true, false);
            // A single place, after which the run before continues.
            let place = first_place + drift * round;
            push(begin + place, depth - 1, 5, false, true);
            push(begin + place + 1, depth + 1, place as u32 + 1, true, false);
        }
        let end = (9 * gap + 36 * growth) as u32;
        assert_eq!(check(&runs, end), 1, "{gap} {growth} {drift} {rise}");
        for end in 1..end {
            check(&runs, end);
        }
    }
}

#[test]
fn random_lines_read_back_at_every_place() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..3000 {
        let (round, kinds) = (rng.usize(1..5), rng.u32(1..4));
        let pattern: Vec<u32> = (0..round).map(|_| rng.u32(..)).collect();
        let (mut runs, mut start, noise) = (Vec::new(), 0, rng.u32(2..40));
        for index in 0..rng.usize(1..120) {
            let mut seed = pattern[index % round];
            if rng.u32(..noise) == 0 {
                seed = rng.u32(..);
            }
            let depth = 20 + (index / round) as u32 * (seed % 3) + seed % kinds;
            let advance = seed % 5 < 2;
            let take = if advance { 1 + seed % 2 * start } else { 1 + seed % 7 };
            runs.push(Run { start, depth, take, advance, reset: seed.is_multiple_of(11) });
            start += if seed.is_multiple_of(2) { 1 } else { 2 + seed % 9 + rng.u32(..2) * (seed % 13 / 12) };
        }
        check(&runs, start);
    }
}

#[test]
fn many_adjacent_steps_of_a_single_place_are_cut_into_flights() {
    let mut runs = vec![Run { start: 0, depth: 9, take: 1, advance: true, reset: false }];
    for index in 1..60 {
        let take = 2 * index;
        runs.push(Run { start: take - 1, depth: index, take: 3, advance: false, reset: false });
        runs.push(Run { start: take, depth: 9, take: take + 1, advance: true, reset: false });
    }
    assert!(check(&runs, 130) > 1);
}
