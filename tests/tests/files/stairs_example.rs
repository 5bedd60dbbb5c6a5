//! The example of a staircase in FORMAT.md, section 4.4, written bit by bit into a table: both readers give the
//! answers of the section's text.

use std::panic::catch_unwind;

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::{Expanding, ExpandingKeys, Move, Position, Turn};
use bouton_tables::{AskError, Outcome, Solved, Table};
use bouton_tests::compare::twin::{lost, panic_message, verdict};
use bouton_tests::format_twin::expanding::Twin;
use bouton_tests::layouts;
use bouton_tests::seal::{Array, Parts};

/// Array numbers (FORMAT.md, section 4.2).
const CLASSES: usize = 0;
const OUTCOMES: usize = 1;
const BITS: usize = 3;
const VERDICTS: usize = 4;
const STAIRS: usize = 5;
const BLOCKS: usize = 6;
const STEPS: usize = 7;

/// The entries and the starts of the example, followed by the staircase of player 2: two entries of one bit.
const BLOCK_BITS: &str = "00 000 00  10 110 10  11 000 00  10 1000 0  01 0100 0  10 0110 0    1 0";

/// The steps: the three codes of the example, then the one of player 2. Fields: depth, take, advance, reset.
const EXAMPLE_STEPS: [[u64; 4]; 4] = [[0, 0, 0, 0], [1, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 0]];

/// Expected depth, and stones that the best move takes, at each place x of player 1's line: its own staircase for x
/// from 0 to 19, and player 2's line for 20 and 21.
const EXPECTED: [(u32, u32); 22] = [
    // Code 0 from place 0 on.
    (0, 0),
    // Code 1 from place 1 on.
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 5),
    (1, 6),
    (1, 7),
    (1, 8),
    (1, 9),
    (1, 10),
    (1, 11),
    (1, 12),
    (1, 13),
    (1, 14),
    (1, 15),
    // Block 1: code 1 from place 0 on, at 3 plies.
    (4, 1),
    (4, 2),
    // Code 2 from place 2 on.
    (3, 1),
    (3, 2),
    // The other line.
    (3, 1),
    (3, 1),
];

/// Returns rules with one row and no resets, so that player 1's lines can be one class and player 2's another.
fn rules() -> Expanding {
    ExpandingKeys {
        stones: 21,
        base_limit: 15,
        growth: 0,
        reset_limit: 15,
        resets: [0, 0],
        ..Default::default()
    }
    .rules()
    .expect("the test uses allowed rules")
}

/// Returns an array of bits, written as digits 0 and 1 with any separators.
fn digits(bits: &str) -> Array {
    let bits = bits.bytes().filter(u8::is_ascii_digit).map(|digit| vec![u64::from(digit - b'0')]);
    Array { widths: vec![1], records: bits.collect() }
}

/// Returns an array of records.
fn records<const N: usize>(records: &[[u64; N]]) -> Array {
    Array::of(records.iter().map(|record| record.to_vec()).collect())
}

/// Returns the table with the staircases of both players, and these steps. Player 2's outcomes are chosen so that
/// player 1's are those of the example.
fn table_with(steps: &[[u64; 4]]) -> layouts::DecodedTable {
    let file = generate_in_memory(&rules().into(), true).expect("a small table");
    let mut table = layouts::DecodedTable::of(&Parts::of(&file));
    table.arrays[CLASSES] = records(&[[0], [0], [1], [1]]);
    table.arrays[OUTCOMES] = records(&[[0, 22, 0, 0, 0, 0], [22, 22, 0, 0, 0, 0]]);
    let player_1 = EXPECTED.map(|(depth, _)| if depth % 2 == 0 { '1' } else { '0' });
    // By the best moves, player 1 leaves none of up to 15 stones, 17 of 18 or 19, and 19 or 20 of 20 or 21.
    let player_2 = (0..22).map(|x| if [0, 17, 19, 20].contains(&x) { '1' } else { '0' });
    table.arrays[BITS] = digits(&player_1.into_iter().chain(player_2).collect::<String>());
    table.arrays[VERDICTS] = records(&[[0, 20, 1, 2, 2], [1, 22, 0, 0, 0]]);
    // Fields: first, scale, begun, base, code, steps.
    table.arrays[STAIRS] = records(&[[0, 4, 2, 3, 2, 0], [42, 24, 0, 1, 0, 3]]);
    table.arrays[BLOCKS] = digits(BLOCK_BITS);
    table.arrays[STEPS] = records(steps);
    table
}

/// Returns the position before the first move, without resets.
fn at(stones: u64) -> Position {
    Position { stones, currentmax: 0, turn: Turn::First, resets: [0, 0], imposed: false }
}

#[test]
fn both_readers_answer_as_the_example_says() {
    let file = table_with(&EXAMPLE_STEPS).seal();
    let twin = Twin::read(&file).unwrap_or_else(|refusal| panic!("{refusal}"));
    let table = Table::open(file).expect("the table is valid");
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
    // A step that takes no stone at its first place, here code 2.
    let mut steps = EXAMPLE_STEPS;
    steps[2][1] = 0;
    let file = table_with(&steps).seal();
    let table = Table::open(&file[..]).expect("the table opens");
    let answer = bouton_tests::compare::expanding(&table).answer(&at(18));
    assert!(matches!(answer, Err(AskError::Damaged(_))), "{answer:?}");
    let twin = Twin::read(&file).expect("the table opens");
    let panic = catch_unwind(|| verdict(&twin, &at(18))).expect_err("the twin refuses it");
    let message = panic_message(&*panic);
    assert!(message.contains("there is no move only if no stones are left"), "{message}");
}
