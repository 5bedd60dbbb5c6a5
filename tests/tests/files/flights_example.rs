//! The example of a flight in FORMAT.md, section 4.4, written record by record into a table: both readers give the
//! answers of the section's text. In the same table, they read random flights in the same way.

use std::panic::catch_unwind;

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::{Expanding, ExpandingKeys, Move, Position, Turn};
use bouton_tables::{AskError, Outcome, Solved, Table};
use bouton_tests::compare::twin::{lost, panic_message, verdict};
use bouton_tests::format_twin::expanding::Twin;
use bouton_tests::layouts;
use bouton_tests::positions::Dice;
use bouton_tests::seal::{Array, Parts};

/// Array numbers (FORMAT.md, section 4.2).
const CLASSES: usize = 0;
const OUTCOMES: usize = 1;
const BITS: usize = 3;
const VERDICTS: usize = 4;
const FLIGHTS: usize = 5;
const STEPS: usize = 6;

/// A flight for the places before the example, the flight of the example, and one of player 2. Fields: start, base, gap,
/// growth, rise, step, more.
const EXAMPLE_FLIGHTS: [[u64; 7]; 3] = [[0, 0, 0, 0, 0, 0, 1], [5, 2, 4, 1, 2, 2, 2], [0, 0, 0, 0, 0, 5, 0]];

/// The steps of the three flights: two, the three of the example, and one. Fields: place, drift, depth, take, advance,
/// single, reset.
const EXAMPLE_STEPS: [[u64; 7]; 6] = [
    [0, 0, 0, 0, 0, 0, 0],
    [1, 3, 1, 1, 1, 0, 0],
    [0, 0, 0, 1, 0, 0, 0],
    [1, 3, 1, 1, 1, 0, 0],
    [2, 4, 0, 5, 0, 1, 0],
    [0, 0, 1, 1, 0, 0, 0],
];

/// The first step of the example.
const FIRST_STEP: usize = 2;
/// The field of a step that says how many stones its move takes.
const TAKE: usize = 3;

/// Expected depth, and stones that the best move takes, at each place x of player 1's line: its own staircase for x
/// from 0 to 26, and player 2's line for 27 and 28.
const EXPECTED: [(u32, u32); 29] = [
    // The first flight.
    (0, 0),
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    // Round 0. The third step begins at its place 2.
    (2, 1),
    (3, 1),
    (2, 5),
    (3, 3),
    // Round 1: the third step is at its place 3.
    (4, 1),
    (5, 1),
    (5, 2),
    (4, 5),
    (5, 4),
    // Round 2.
    (6, 1),
    (7, 1),
    (7, 2),
    (7, 3),
    (6, 5),
    (7, 5),
    // Round 3.
    (8, 1),
    (9, 1),
    (9, 2),
    (9, 3),
    (9, 4),
    (8, 5),
    (9, 6),
    // The other line.
    (3, 1),
    (3, 1),
];

/// Returns rules without resets, so that player 1's lines can be one class and player 2's another. Each number of
/// stones that the first move takes leads to another row, so that the outcomes of player 2 can be any.
fn rules() -> Expanding {
    ExpandingKeys {
        stones: 28,
        base_limit: 9,
        growth: 10,
        reset_limit: 9,
        resets: [0, 0],
        ..Default::default()
    }
    .rules()
    .expect("the test uses allowed rules")
}

/// The number of rows: row 9 is the first one in which a move may take all stones.
const ROWS: u64 = 10;

/// Returns an array of records.
fn records<const N: usize>(records: &[[u64; N]]) -> Array {
    Array::of(records.iter().map(|record| record.to_vec()).collect())
}

/// Returns the table with the staircases of both players, and these steps. Player 2's outcomes are chosen so that
/// player 1's are those of the example.
fn table_with(steps: &[[u64; 7]]) -> layouts::DecodedTable {
    let file = generate_in_memory(&rules().into(), true).expect("a small table");
    let mut table = layouts::DecodedTable::of(&Parts::of(&file));
    table.arrays[CLASSES] = records(&[[0], [0], [1], [1]]);
    let is_won = |depth: u32| depth % 2 == 1;
    let mut bits: Vec<u64> = EXPECTED.iter().map(|&(depth, _)| u64::from(!is_won(depth))).collect();
    let mut outcomes = vec![[0, 29, 0, 0, 0, 0]];
    for row in 0..ROWS {
        // Player 2, whom the best moves of player 1 leave in a lost position.
        outcomes.push([bits.len() as u64, 29, 0, 0, 0, 0]);
        bits.extend((0..29).map(|x| {
            let won = |&(depth, take): &(u32, u32)| is_won(depth) && u64::from(take) == row;
            u64::from(EXPECTED.get((x + row) as usize).is_some_and(won))
        }));
        // Player 1 in the next row.
        outcomes.push([0; 6]);
    }
    outcomes.pop();
    table.arrays[OUTCOMES] = records(&outcomes);
    table.arrays[BITS] = records(&bits.iter().map(|&bit| [bit]).collect::<Vec<_>>());
    let mut verdicts = vec![[2, 1, 29, 0, 0, 0]; outcomes.len()];
    verdicts[0] = [0, 2, 27, 1, 2, 2];
    table.arrays[VERDICTS] = records(&verdicts);
    table.arrays[FLIGHTS] = records(&EXAMPLE_FLIGHTS);
    table.arrays[STEPS] = records(steps);
    table
}

/// Returns the position before the first move, without resets.
fn at(stones: u64) -> Position {
    Position { stones, currentmax: 0, turn: Turn::First, resets: [0, 0], imposed: false }
}

/// Checks that both readers refuse the best move with this number of stones, the twin for the reason `what`.
fn check_refused(file: &[u8], stones: u64, what: &str) {
    let table = Table::open(file).expect("the table opens");
    let answer = bouton_tests::compare::expanding(&table).answer(&at(stones));
    assert!(matches!(answer, Err(AskError::Damaged(_))), "{answer:?}");
    let twin = Twin::read(file).expect("the table opens");
    let panic = catch_unwind(|| verdict(&twin, &at(stones))).expect_err("the twin refuses it");
    let message = panic_message(&*panic);
    assert!(message.contains(what), "{message}");
}

#[test]
fn both_readers_answer_as_the_example_says() {
    let file = table_with(&EXAMPLE_STEPS).seal();
    let twin = Twin::read(&file).unwrap_or_else(|refusal| panic!("{refusal}"));
    let table = Table::open(&file[..]).expect("the table is valid");
    let table = bouton_tests::compare::expanding(&table);
    for (x, (depth, take)) in (0..).zip(EXPECTED) {
        let position = at(x);
        let answer = table.answer(&position);
        let best = (take > 0).then_some(Move { take, reset: false });
        assert_eq!(verdict(&twin, &position), Some((depth, best)), "{position}");
        assert_eq!(lost(&twin, &position), depth % 2 == 0, "{position}");
        let answer = answer.unwrap_or_else(|error| panic!("{position}: {error}"));
        assert_eq!((answer.verdict.depth, answer.best), (Some(depth), best), "{position}");
        assert_eq!(answer.verdict.outcome, Outcome::from_won(depth % 2 == 1), "{position}");
        assert_eq!(table.verdict(&position), Ok(answer.verdict), "{position}");
    }
}

#[test]
fn a_best_move_of_no_stones_is_refused_if_stones_are_left() {
    let mut steps = EXAMPLE_STEPS;
    steps[FIRST_STEP][TAKE] = 0;
    let file = table_with(&steps).seal();
    for begins in [5, 9, 14, 20] {
        check_refused(&file, begins, "there is no move only if no stones are left");
    }
}

/// Replaces the flights of player 1 by random ones, which may be as no generator writes them. All depths are even, and
/// player 1 loses everywhere.
fn with_random_flights(dice: &mut Dice, table: &layouts::DecodedTable) -> layouts::DecodedTable {
    let mut up_to = |most: u32| u64::from(dice.up_to(most));
    let mut table = table.clone();
    // The first flight is for the position without stones.
    let (mut flights, mut steps) = (vec![[0; 7]], vec![[0; 7], [0, 3, 1, 1, 0, 0, 0]]);
    let most = up_to(3) as u32;
    let mut start = 1;
    while start < 27 {
        let more = up_to(4);
        flights.push([start, 2 * up_to(3), up_to(8), up_to(1), 2 * up_to(2), steps.len() as u64, more]);
        steps.extend((0..=more).map(|_| {
            let advance = u64::from(up_to(most) > 1);
            [up_to(9), up_to(7), 2 * up_to(4), 1 + up_to(most), advance, up_to(1), 0]
        }));
        start += 1 + up_to(26);
    }
    let own = flights.len() as u64;
    flights.push([0, 0, 0, 0, 0, 1, 0]);
    table.arrays[FLIGHTS] = records(&flights);
    table.arrays[STEPS] = records(&steps);
    let Array { widths, records } = &mut table.arrays[VERDICTS];
    records.iter_mut().for_each(|verdict| verdict[..2].copy_from_slice(&[own, 1]));
    records[0] = vec![0, own, 29, 0, 0, 0];
    widths.fill(10);
    let Array { widths, records } = &mut table.arrays[OUTCOMES];
    records.iter_mut().for_each(|outcome| outcome.fill(0));
    records[0][5] = 1;
    widths[5] = 1;
    table
}

#[test]
fn both_readers_agree_on_random_flights() {
    let (mut dice, example) = (Dice::new(5), table_with(&EXAMPLE_STEPS));
    let (mut whole, mut answers, mut refusals) = (0, 0, 0);
    for _ in 0..3000 {
        let made = with_random_flights(&mut dice, &example);
        let shown = format!("{:?} {:?}", made.arrays[FLIGHTS].records, made.arrays[STEPS].records);
        let file = made.seal();
        let twin = Twin::read(&file).unwrap_or_else(|refusal| panic!("{shown}: {refusal}"));
        let table = Table::open(file).expect("the table is valid");
        let table = bouton_tests::compare::expanding(&table);
        let before = refusals;
        for position in (0..=28).map(at) {
            let read = catch_unwind(|| verdict(&twin, &position).expect("depths"));
            match (read, table.answer(&position)) {
                (Ok((depth, best)), Ok(answer)) => {
                    assert_eq!(
                        (Some(depth), best),
                        (answer.verdict.depth, answer.best),
                        "{position}: {shown}"
                    );
                    assert_eq!(table.verdict(&position), Ok(answer.verdict), "{position}: {shown}");
                    answers += 1;
                }
                (Err(_), Err(AskError::Damaged(_))) => refusals += 1,
                (read, answer) => panic!("{position}: {read:?} and {answer:?}: {shown}"),
            }
        }
        whole += u32::from(refusals == before);
    }
    assert!(whole > 100 && answers > refusals && refusals > 100, "{whole}, {answers}, {refusals}");
}
