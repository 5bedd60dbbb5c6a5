//! Verdicts as flights of steps (FORMAT.md, section 4.4). The library's reader and the *twin*, a second reader written
//! from FORMAT.md alone, read flights of random allowed shapes in the same way, and refuse forbidden ones.

use bouton_generator::generate_in_memory;
use bouton_tables::Play;
use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tests::compare::twin::{Content, check_refusal_on_opening, check_refusal_where_read, refusals};
use bouton_tests::hostile;
use bouton_tests::layouts;
use bouton_tests::layouts::flights::{FlightShape, with_flights};
use bouton_tests::positions::Dice;
use bouton_tests::seal::{Array, Parts};

use super::format_twin::check_file;

/// Array numbers (FORMAT.md, section 4.2).
const OUTCOMES: usize = 1;
const VERDICTS: usize = 4;
const FLIGHTS: usize = 5;
const STEPS: usize = 6;

/// Fields of a verdict record.
const FIRST: usize = 0;
const COUNT: usize = 1;
const OWN: usize = 2;
const CLASS: usize = 3;
const SHIFT: usize = 4;
const DEEPER: usize = 5;

/// Fields of a flight.
const BASE: usize = 1;
const GAP: usize = 2;
const RISE: usize = 4;
const STEP: usize = 5;
const MORE: usize = 6;

/// Fields of a step.
const DEPTH: usize = 2;
const TAKE: usize = 3;
const ADVANCE: usize = 4;
const RESET: usize = 6;

/// The greatest widths of the fields of a flight and of a step.
const FLIGHT_WIDTHS: [u8; 7] = [32, 30, 30, 1, 8, 32, 4];
const STEP_WIDTHS: [u8; 7] = [32, 3, 30, 32, 1, 1, 1];

/// Returns rules of Expanding Nim; the reset limit is the base limit.
fn rules(stones: u64, base_limit: u32, growth: u32, resets: [u8; 2], play: Play) -> Expanding {
    ExpandingKeys { stones, base_limit, growth, reset_limit: base_limit, resets, play }
        .rules()
        .expect("the tests use allowed rules")
}

/// Returns rules whose lines have staircases of several flights, and refer to others.
fn default_rules() -> Expanding {
    rules(60, 3, 1, [1, 0], Play::Normal)
}

/// Returns the bytes of the table that the generator makes.
fn file(rules: &Expanding, depths: bool) -> Vec<u8> {
    generate_in_memory(&rules.clone().into(), depths).expect("a small table")
}

/// Returns a table with depths.
fn table(rules: &Expanding) -> layouts::DecodedTable {
    layouts::DecodedTable::of(&Parts::of(&file(rules, true)))
}

/// Returns a table whose staircases all have this shape.
fn table_with_shape(rules: &Expanding, shape: FlightShape) -> layouts::DecodedTable {
    with_flights(&file(rules, true), || shape)
}

#[test]
fn both_readers_agree_on_flights_of_random_shapes() {
    let mut dice = Dice::new(1928);
    for number in 0..24 {
        let rules = match number % 4 {
            0 => default_rules(),
            1 => rules(150, 4, 0, [1, 1], Play::Misere),
            2 => rules(200, 3, 4, [0, 1], Play::Normal),
            _ => rules(130, 1, 90, [1, 0], Play::Misere),
        };
        let mut up_to = |most: u32| dice.up_to(most) as usize;
        let shape = || FlightShape {
            steps: 1 + up_to(15),
            rounds: up_to(3) > 0,
            singles: up_to(2) > 0,
            hidden: up_to(2) == 0,
            based: up_to(1) == 0,
            gap_of_one_round: [0, 0, 200, (1 << 30) - 1][up_to(3)],
            noise: up_to(1) == 0,
            unused: up_to(3),
            shared: up_to(1) == 0,
        };
        check_file(with_flights(&file(&rules, true), shape).seal(), &rules);
    }
}

/// The twin's reasons for refusing a directory.
const FLIGHTS_FIT: &str = "flights are in fields of at most 32, 30, 30, 1, 8, 32 and 4 bits";
const STEPS_FIT: &str = "steps are in fields of at most 32, 3, 30, 32, 1, 1 and 1 bits";
const OUTCOME_FOR_EACH: &str = "each row and class has an outcome record";
const VERDICT_FOR_EACH: &str = "each row and class has a verdict record";

#[test]
fn invalid_directories_are_refused_on_opening() {
    let valid = table(&default_rules());
    let changed = |change: fn(&mut Vec<Array>)| {
        let mut table = valid.clone();
        change(&mut table.arrays);
        table
    };
    let mut tables = vec![
        (changed(|arrays| arrays[FLIGHTS].widths[7] = 1), "the widths after the last field are 0"),
        (changed(|arrays| arrays[VERDICTS].widths[6] = 1), "the widths after the last field are 0"),
        (changed(|arrays| drop(arrays[VERDICTS].records.pop())), VERDICT_FOR_EACH),
        (changed(|arrays| arrays[VERDICTS].records.clear()), VERDICT_FOR_EACH),
        (changed(|arrays| arrays[OUTCOMES].records.clear()), OUTCOME_FOR_EACH),
    ];
    // Tables without depths in which an array has a record.
    for array in VERDICTS..=STEPS {
        let mut shallow = layouts::DecodedTable::of(&Parts::of(&file(&default_rules(), false)));
        shallow.arrays[array] = Array::of(vec![vec![1]]);
        tables.push((shallow, "without depths, the arrays of verdicts are empty"));
    }
    for (array, widths, what) in [(FLIGHTS, FLIGHT_WIDTHS, FLIGHTS_FIT), (STEPS, STEP_WIDTHS, STEPS_FIT)] {
        for (field, width) in widths.into_iter().enumerate() {
            let mut table = valid.clone();
            table.arrays[array].widths[field] = width + 1;
            tables.push((table, what));
        }
    }
    for (table, what) in tables {
        check_refusal_on_opening(&table, what);
        hostile::ask(&table.seal());
    }
}

/// Returns the table with some fields of every record of an array changed.
fn changed(table: &layouts::DecodedTable, array: usize, change: &[(usize, u64)]) -> layouts::DecodedTable {
    let mut table = table.clone();
    let Array { widths, records } = &mut table.arrays[array];
    for &(field, value) in change {
        records.iter_mut().for_each(|record| record[field] = value);
        // A table with wider fields of flights or steps does not open.
        widths[field] = match array {
            FLIGHTS => FLIGHT_WIDTHS[field],
            STEPS => STEP_WIDTHS[field],
            _ => 40,
        };
    }
    table
}

/// The twin's reasons for refusing fields.
const BELOW: &str = "a field is below 2^32";
const DEPTH_BELOW: &str = "a depth is below 2^30";
const NO_RECORD: &str = "records, but none has number";
const NO_MOVE: &str = "there is no move only if no stones are left";
const NO_RESET: &str = "a player who imposes a reset has one left";
const TOO_MANY: &str = "the best move takes no more stones than there are";
const NOT_OWN: &str = "the other line answers with its own staircase";

/// An array, new values of fields in each of its records, and the twin's reason for refusing them.
type Change = (usize, &'static [(usize, u64)], &'static str);

/// Changes of a valid table that both readers must refuse where they read the changed fields.
const CHANGES: [Change; 19] = [
    (VERDICTS, &[(FIRST, u32::MAX as u64)], NO_RECORD),
    (VERDICTS, &[(FIRST, 1 << 32)], BELOW),
    (VERDICTS, &[(COUNT, 1 << 32)], BELOW),
    (VERDICTS, &[(OWN, 1 << 32)], BELOW),
    (VERDICTS, &[(CLASS, u32::MAX as u64)], "classes, but none has number"),
    (VERDICTS, &[(CLASS, 1 << 32)], BELOW),
    (VERDICTS, &[(SHIFT, u32::MAX as u64)], "has at least `shift` stones"),
    (VERDICTS, &[(SHIFT, 1 << 32)], BELOW),
    (VERDICTS, &[(DEEPER, 1 << 30)], "a line is less than 2^30 deeper than another"),
    (VERDICTS, &[(DEEPER, 1 << 32)], BELOW),
    (VERDICTS, &[(OWN, 0), (SHIFT, 0), (CLASS, 0)], NOT_OWN),
    (VERDICTS, &[(OWN, 1 << 32), (DEEPER, 1 << 32)], BELOW),
    (FLIGHTS, &[(STEP, u32::MAX as u64)], NO_RECORD),
    (FLIGHTS, &[(STEP, u32::MAX as u64), (MORE, 15)], NO_RECORD),
    (FLIGHTS, &[(GAP, 0), (BASE, (1 << 30) - 1), (MORE, 0), (STEP, 1)], DEPTH_BELOW),
    (STEPS, &[(TAKE, 0), (ADVANCE, 0)], NO_MOVE),
    (STEPS, &[(TAKE, 61)], TOO_MANY),
    (STEPS, &[(TAKE, u32::MAX as u64)], TOO_MANY),
    (STEPS, &[(RESET, 1)], NO_RESET),
];

#[test]
fn invalid_fields_are_refused_where_they_are_read() {
    let rules = default_rules();
    let valid = table(&rules);
    for (array, change, what) in CHANGES {
        let broken = changed(&valid, array, change);
        check_refusal_where_read(&broken, &rules, what);
        hostile::ask(&broken.seal());
    }
    // Depths that contradict the outcomes.
    let mut odd = valid;
    odd.arrays[STEPS].records.iter_mut().for_each(|step| step[DEPTH] ^= 1);
    odd.arrays[STEPS].widths[DEPTH] = odd.arrays[STEPS].widths[DEPTH].max(1);
    check_refusal_where_read(&odd, &rules, "depth and outcome agree");
}

#[test]
fn advancing_from_the_greatest_take_is_refused() {
    // With this step at all places of every line, an earlier reader overflowed.
    let rules = default_rules();
    let steps = changed(&table(&rules), STEPS, &[(TAKE, u32::MAX.into()), (ADVANCE, 1)]);
    let broken = changed(&steps, FLIGHTS, &[(GAP, 0), (MORE, 0)]);
    check_refusal_where_read(&broken, &rules, TOO_MANY);
    hostile::ask(&broken.seal());
}

#[test]
fn depths_of_2_to_the_30th_are_refused_and_smaller_ones_are_not() {
    let rules = default_rules();
    let plain = table_with_shape(&rules, FlightShape { steps: 16, rounds: true, ..FlightShape::PLAIN });
    // The base changes, so that the greatest depth is even and below the limit, or the least is at the limit.
    let deepest = plain.arrays[STEPS].records.iter().map(|step| step[DEPTH]).max().expect("steps");
    let last = (1 << 30) - 1 - deepest;
    let below = changed(&plain, FLIGHTS, &[(BASE, last - last % 2), (GAP, 0)]);
    let reasons = refusals(&below, &rules, Content::Undefined, DEPTH_BELOW);
    assert!(reasons.iter().all(|reason| !reason.contains(DEPTH_BELOW)), "{reasons:?}");
    // Steps that are too deep by themselves, with the base, or because of their round.
    let mut deep = changed(&plain, STEPS, &[(DEPTH, (1 << 30) - 1)]);
    deep = changed(&deep, FLIGHTS, &[(BASE, 1)]);
    check_refusal_where_read(&deep, &rules, DEPTH_BELOW);
    let one_round = changed(&plain, FLIGHTS, &[(BASE, (1 << 30) - 2), (GAP, 1), (RISE, 255)]);
    let reasons = refusals(&one_round, &rules, Content::Undefined, DEPTH_BELOW);
    assert!(reasons.iter().any(|reason| reason.contains(DEPTH_BELOW)), "{reasons:?}");
    for table in [below, deep, one_round] {
        hostile::ask(&table.seal());
    }
}

#[test]
fn fields_at_their_limits_are_not_refused() {
    // The records that no position uses, and the fields without a meaning, are as great as they can be.
    let rules = default_rules();
    for gap_of_one_round in [0, (1 << 30) - 1] {
        let table = table_with_shape(&rules, FlightShape { gap_of_one_round, ..FlightShape::FULL });
        assert_eq!(table.arrays[FLIGHTS].widths, FLIGHT_WIDTHS);
        assert_eq!(table.arrays[STEPS].widths, STEP_WIDTHS);
        check_file(table.seal(), &rules);
    }
}

#[test]
fn flights_and_steps_beyond_the_last_are_refused() {
    let rules = default_rules();
    let valid = table(&rules);
    for array in [FLIGHTS, STEPS] {
        let records = valid.arrays[array].records.len();
        for left in [records - 1, records - records.div_ceil(4), records / 2, 1, 0] {
            let mut table = valid.clone();
            table.arrays[array].records.truncate(left);
            check_refusal_where_read(&table, &rules, NO_RECORD);
            hostile::ask(&table.seal());
        }
    }
    // More flights, or more steps of a flight, than there are.
    let mut table = valid.clone();
    let Array { widths, records } = &mut table.arrays[FLIGHTS];
    records.last_mut().expect("flights")[STEP] = valid.arrays[STEPS].records.len() as u64;
    widths[STEP] = 32;
    check_refusal_where_read(&table, &rules, NO_RECORD);
}

#[test]
fn a_table_with_any_changed_flight_field_is_refused_or_answered() {
    let wide = rules(200, 3, 4, [1, 0], Play::Misere);
    let tables =
        [table(&default_rules()), table(&wide), table_with_shape(&default_rules(), FlightShape::FULL)];
    for (number, table) in tables.iter().enumerate() {
        for (array, fields) in [(VERDICTS, 0..6), (FLIGHTS, 0..7), (STEPS, 0..7)] {
            for field in fields {
                let values = (0..40).map(|bit| 1 << bit).chain([
                    0,
                    3,
                    15,
                    255,
                    (1 << 30) - 1,
                    (1 << 32) - 1,
                    (1 << 40) - 1,
                ]);
                for value in values.skip(number).step_by(1 + number) {
                    let broken = changed(table, array, &[(field, value)]);
                    hostile::ask(&broken.seal());
                }
            }
        }
    }
    // Every field of every record by itself.
    let small = table(&rules(30, 3, 1, [0, 0], Play::Normal));
    for array in [VERDICTS, FLIGHTS, STEPS] {
        let Array { widths, records } = &small.arrays[array];
        for (record, fields) in records.iter().enumerate() {
            for (field, &width) in widths[..fields.len()].iter().enumerate() {
                for bit in 0..width {
                    let mut table = small.clone();
                    table.arrays[array].records[record][field] ^= 1 << bit;
                    hostile::ask(&table.seal());
                }
            }
        }
    }
}
