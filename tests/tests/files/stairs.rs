//! Verdicts as staircases (FORMAT.md, section 4.4). The library's reader and the *twin*, a second reader written from
//! FORMAT.md alone, read staircases of random allowed shapes in the same way, and refuse forbidden ones.

use bouton_generator::generate_in_memory;
use bouton_tables::Play;
use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tests::compare::twin::{Content, check_refusal_on_opening, check_refusal_where_read, refusals};
use bouton_tests::hostile;
use bouton_tests::layouts;
use bouton_tests::layouts::stairs::{StairShape, with_staircases};
use bouton_tests::positions::Dice;
use bouton_tests::seal::{Array, Parts};

use super::format_twin::check_file;

/// Array numbers (FORMAT.md, section 4.2).
const OUTCOMES: usize = 1;
const VERDICTS: usize = 4;
const STAIRS: usize = 5;
const BLOCKS: usize = 6;
const STEPS: usize = 7;

/// Fields of a verdict record.
const NUMBER: usize = 0;
const OWN: usize = 1;
const CLASS: usize = 2;
const SHIFT: usize = 3;
const DEEPER: usize = 4;

/// Fields of a staircase.
const FIRST: usize = 0;
const SCALE: usize = 1;
const BEGUN: usize = 2;
const BASE: usize = 3;
const CODE: usize = 4;
const FIRST_STEP: usize = 5;

/// Fields of a step.
const DEPTH: usize = 0;
const TAKE: usize = 1;
const ADVANCE: usize = 2;
const RESET: usize = 3;

/// Returns rules of Expanding Nim; the reset limit is the base limit.
fn rules(stones: u64, base_limit: u32, growth: u32, resets: [u8; 2], play: Play) -> Expanding {
    ExpandingKeys { stones, base_limit, growth, reset_limit: base_limit, resets, play }
        .rules()
        .expect("the tests use allowed rules")
}

/// Returns rules whose lines have staircases of several blocks, and refer to others.
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
fn table_with_shape(rules: &Expanding, scale: u64, widths: [u64; 3]) -> layouts::DecodedTable {
    with_staircases(&file(rules, true), || StairShape { scale, widths })
}

#[test]
fn both_readers_agree_on_staircases_of_random_shapes() {
    let mut dice = Dice::new(1928);
    for number in 0..24 {
        let rules = match number % 4 {
            0 => default_rules(),
            1 => rules(150, 4, 0, [1, 1], Play::Misere),
            2 => rules(200, 3, 4, [0, 1], Play::Normal),
            _ => rules(130, 1, 90, [1, 0], Play::Misere),
        };
        let mut up_to = |most: u32| u64::from(dice.up_to(most));
        let shape = || {
            let widths = [32, 30, 24].map(|most: u32| match up_to(2) {
                0 => 0,
                1 => u64::from(most),
                _ => up_to(most),
            });
            StairShape { scale: [0, 1, 3, 4, 7, 24][up_to(5) as usize], widths }
        };
        check_file(with_staircases(&file(&rules, true), shape).seal(), &rules);
    }
}

#[test]
fn invalid_directories_are_refused_on_opening() {
    let valid = table(&default_rules());
    let changed = |change: fn(&mut Vec<Array>)| {
        let mut table = valid.clone();
        change(&mut table.arrays);
        table
    };
    // A table without depths whose last array has a record.
    let mut shallow = layouts::DecodedTable::of(&Parts::of(&file(&default_rules(), false)));
    *shallow.arrays.last_mut().expect("it has nine arrays") = Array::of(vec![vec![1]]);
    for (table, what) in [
        (shallow, "without depths, the arrays of verdicts are empty"),
        (changed(|arrays| arrays[BLOCKS].widths[0] = 2), "bits are one bit wide"),
        (changed(|arrays| arrays[STEPS].widths[DEPTH] = 31), STEPS_FIT),
        (changed(|arrays| arrays[STEPS].widths[TAKE] = 33), STEPS_FIT),
        (changed(|arrays| arrays[STEPS].widths[ADVANCE] = 2), STEPS_FIT),
        (changed(|arrays| arrays[STEPS].widths[RESET] = 2), STEPS_FIT),
        (changed(|arrays| arrays[BLOCKS].widths[1] = 1), "the widths after the last field are 0"),
        (changed(|arrays| drop(arrays[VERDICTS].records.pop())), "each row and class has a verdict record"),
        (changed(|arrays| arrays[VERDICTS].records.clear()), "each row and class has a verdict record"),
        (changed(|arrays| arrays[OUTCOMES].records.clear()), "each row and class has an outcome record"),
    ] {
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
        widths[field] = 40;
    }
    // A table with wider steps does not open.
    if array == STEPS {
        widths.iter_mut().zip([30, 32, 1, 1]).for_each(|(width, most)| *width = most.min(*width));
    }
    table
}

/// The twin's reasons for refusing fields.
const STEPS_FIT: &str = "steps are in fields of at most 30, 32, 1 and 1 bits";
const BELOW: &str = "a field is below 2^32";
const SCALE_AT_MOST: &str = "a block is of at most 2^24 stones";
const CODE_AT_MOST: &str = "a code has at most 24 bits";
const BEGUN_AT_MOST: &str = "a number of starts has at most 32 bits";
const BASE_AT_MOST: &str = "a number of plies has at most 30 bits";
const NO_RECORD: &str = "records, but none has number";

/// An array, new values of fields in each of its records, and the twin's reason for refusing them.
type Change = (usize, &'static [(usize, u64)], &'static str);

/// Changes of a valid table that both readers must refuse where they read the changed fields.
const CHANGES: [Change; 29] = [
    (STAIRS, &[(FIRST, (1 << 40) - 1)], NO_RECORD),
    (STAIRS, &[(SCALE, 25)], SCALE_AT_MOST),
    // Shifting by this scale overflowed in an earlier reader.
    (STAIRS, &[(SCALE, 64)], SCALE_AT_MOST),
    (STAIRS, &[(SCALE, u32::MAX as u64)], SCALE_AT_MOST),
    (STAIRS, &[(SCALE, 1 << 32)], BELOW),
    (STAIRS, &[(SCALE, (1 << 32) + 4)], BELOW),
    (STAIRS, &[(CODE, 25)], CODE_AT_MOST),
    (STAIRS, &[(CODE, u32::MAX as u64)], CODE_AT_MOST),
    (STAIRS, &[(CODE, 1 << 32)], BELOW),
    (STAIRS, &[(BEGUN, 33)], BEGUN_AT_MOST),
    (STAIRS, &[(BEGUN, 64)], BEGUN_AT_MOST),
    (STAIRS, &[(BEGUN, u32::MAX as u64)], BEGUN_AT_MOST),
    (STAIRS, &[(BEGUN, 1 << 32)], BELOW),
    (STAIRS, &[(BASE, 31)], BASE_AT_MOST),
    (STAIRS, &[(BASE, 64)], BASE_AT_MOST),
    (STAIRS, &[(BASE, u32::MAX as u64)], BASE_AT_MOST),
    (STAIRS, &[(BASE, 1 << 32)], BELOW),
    (STAIRS, &[(FIRST_STEP, u32::MAX as u64)], NO_RECORD),
    (STAIRS, &[(FIRST_STEP, 1 << 32)], BELOW),
    (VERDICTS, &[(NUMBER, u32::MAX as u64)], NO_RECORD),
    (VERDICTS, &[(NUMBER, 1 << 32)], BELOW),
    (VERDICTS, &[(OWN, 1 << 32)], BELOW),
    (VERDICTS, &[(CLASS, u32::MAX as u64)], "classes, but none has number"),
    (VERDICTS, &[(SHIFT, u32::MAX as u64)], "has at least `shift` stones"),
    (VERDICTS, &[(DEEPER, 1 << 30)], "a line is less than 2^30 deeper than another"),
    (VERDICTS, &[(OWN, 0), (SHIFT, 0), (CLASS, 0)], "the other line answers with its own staircase"),
    (STEPS, &[(TAKE, 0), (ADVANCE, 0)], "there is no move only if no stones are left"),
    (STEPS, &[(TAKE, 61)], "the best move takes no more stones than there are"),
    (VERDICTS, &[(OWN, 1 << 32), (DEEPER, 1 << 32)], BELOW),
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
fn fields_at_their_limits_are_not_refused() {
    let rules = default_rules();
    for (scale, widths) in [(24, [32, 30, 24]), (24, [0; 3]), (0, [32, 30, 24]), (0, [0; 3])] {
        check_file(table_with_shape(&rules, scale, widths).seal(), &rules);
    }
    // With these fields the reader reads wrong bits, but it must not report the fields as too large.
    let valid = table(&rules);
    for (change, limit) in [
        ((SCALE, 24), SCALE_AT_MOST),
        ((CODE, 24), CODE_AT_MOST),
        ((BEGUN, 32), BEGUN_AT_MOST),
        ((BASE, 30), BASE_AT_MOST),
    ] {
        let table = changed(&valid, STAIRS, &[change]);
        let reasons = refusals(&table, &rules, Content::Undefined, limit);
        assert!(reasons.iter().all(|reason| !reason.contains(limit)), "{change:?}: {reasons:?}");
        hostile::ask(&table.seal());
    }
}

/// Sets a field of `width` bits in the blocks of the staircases.
fn set(table: &mut layouts::DecodedTable, address: u64, width: u64, value: u64) {
    for bit in 0..width {
        table.arrays[BLOCKS].records[(address + bit) as usize][0] = value >> bit & 1;
    }
}

/// Reads a field of `width` bits at a bit address of the blocks.
fn field(table: &layouts::DecodedTable, address: u64, width: u64) -> u64 {
    (0..width).map(|bit| table.arrays[BLOCKS].records[(address + bit) as usize][0] << bit).sum()
}

/// For each pair of neighbouring blocks of a staircase, replaces the second block's number of earlier starts by the
/// number that `replace` computes from the first block's. Checks that each changed table refuses some position for the
/// reason `what`. Returns the number of changed tables.
fn check_other_starts(
    rules: &Expanding,
    valid: &layouts::DecodedTable,
    what: &str,
    replace: impl Fn(u64, &[u64]) -> Option<u64>,
) -> usize {
    let (mut changed_tables, stairs) = (0, &valid.arrays[STAIRS].records);
    for (number, stairs) in (0..).zip(stairs) {
        // The line's own staircase may have only one block.
        let line = valid.arrays[VERDICTS].records.iter().find(|line| line[NUMBER] == number && line[OWN] > 0);
        let Some(line) = line else { continue };
        let entry = |j| stairs[FIRST] + j * (stairs[BEGUN] + stairs[BASE] + stairs[CODE]);
        for j in 0..line[OWN].div_ceil(1 << stairs[SCALE]) {
            let Some(value) = replace(field(valid, entry(j), stairs[BEGUN]), stairs) else { continue };
            let mut table = valid.clone();
            set(&mut table, entry(j + 1), stairs[BEGUN], value);
            let reasons = refusals(&table, rules, Content::Undefined, what);
            assert!(
                reasons.iter().any(|reason| reason.contains(what)),
                "{what}: no position is refused for this reason: {reasons:?}"
            );
            hostile::ask(&table.seal());
            changed_tables += 1;
        }
    }
    changed_tables
}

#[test]
fn numbers_of_starts_that_fall_or_are_too_large_are_refused() {
    // In this game few lines have their own staircases, and these have several blocks.
    let rules = rules(40, 3, 0, [0, 0], Play::Normal);
    let mut valid = table_with_shape(&rules, 3, [32, 0, 0]);
    // The bits after the last start exist.
    valid.arrays[BLOCKS].records.extend(vec![vec![0]; 250]);
    let falls = |before: u64, _: &[u64]| before.checked_sub(1);
    let fallen = check_other_starts(&rules, &valid, "a block has at least 0 starts", falls);
    let too_many =
        |before: u64, stairs: &[u64]| Some(before + 2 * (120 / (stairs[CODE] + stairs[SCALE] + 1)) + 1);
    let most = "a block has at most 2 x floor(120 / f) starts";
    let changed_tables = check_other_starts(&rules, &valid, most, too_many);
    assert!(fallen > 0 && changed_tables > fallen, "{fallen} fall, {changed_tables} are too many");
    // The largest allowed number of starts is not refused.
    let at_limit =
        |before: u64, stairs: &[u64]| Some(before + 2 * (120 / (stairs[CODE] + stairs[SCALE] + 1)));
    for (number, stairs) in valid.arrays[STAIRS].records.iter().enumerate() {
        let mut table = valid.clone();
        let width = stairs[BEGUN] + stairs[BASE] + stairs[CODE];
        let before = field(&table, stairs[FIRST], stairs[BEGUN]);
        let value = at_limit(before, stairs).expect("a number");
        set(&mut table, stairs[FIRST] + width, stairs[BEGUN], value);
        let reasons = refusals(&table, &rules, Content::Undefined, &format!("staircase {number}"));
        assert!(reasons.iter().all(|reason| !reason.contains(most)), "{reasons:?}");
    }
}

#[test]
fn bits_and_steps_beyond_the_last_are_refused() {
    let rules = default_rules();
    let valid = table(&rules);
    for (array, divisor) in [(BLOCKS, 2), (BLOCKS, 3), (STEPS, 2), (STEPS, 4), (STAIRS, 2)] {
        let mut table = valid.clone();
        let records = &mut table.arrays[array].records;
        records.truncate(records.len() - records.len().div_ceil(divisor));
        check_refusal_where_read(&table, &rules, NO_RECORD);
        hostile::ask(&table.seal());
    }
    // Only the last step missing, and all steps missing.
    for left in [valid.arrays[STEPS].records.len() - 1, 0] {
        let mut table = valid.clone();
        table.arrays[STEPS].records.truncate(left);
        check_refusal_where_read(&table, &rules, NO_RECORD);
    }
    for array in [STAIRS, BLOCKS] {
        let mut table = valid.clone();
        table.arrays[array].records.clear();
        check_refusal_where_read(&table, &rules, NO_RECORD);
    }
    // A code beyond the steps, with codes wider than necessary.
    let mut table = table_with_shape(&rules, 4, [0, 0, 24]);
    let [first, begun, base] = [FIRST, BEGUN, BASE].map(|field| table.arrays[STAIRS].records[0][field]);
    set(&mut table, first + begun + base, 24, (1 << 24) - 1);
    check_refusal_where_read(&table, &rules, NO_RECORD);
}

#[test]
fn a_table_with_any_changed_stair_field_is_refused_or_answered() {
    let wide = rules(200, 3, 4, [1, 0], Play::Misere);
    let tables = [table(&default_rules()), table(&wide), table_with_shape(&default_rules(), 5, [32, 30, 24])];
    for (number, table) in tables.iter().enumerate() {
        for (array, fields) in [(STAIRS, 0..6), (VERDICTS, 0..5), (STEPS, 0..4)] {
            for field in fields {
                let values =
                    (0..40).map(|bit| 1 << bit).chain([0, 3, 24, 25, 30, 31, (1 << 32) - 1, (1 << 40) - 1]);
                for value in values.skip(number).step_by(1 + number) {
                    hostile::ask(&changed(table, array, &[(field, value)]).seal());
                    if array == STAIRS {
                        let narrow = changed(table, array, &[(field, value), (BEGUN, 3), (CODE, 1)]);
                        hostile::ask(&narrow.seal());
                    }
                }
            }
        }
    }
    // Every bit of the blocks by itself, then all of them.
    let small = table(&rules(30, 3, 1, [0, 0], Play::Normal));
    for bit in 0..small.arrays[BLOCKS].records.len() {
        let mut table = small.clone();
        table.arrays[BLOCKS].records[bit][0] ^= 1;
        hostile::ask(&table.seal());
    }
    for value in [0, 1] {
        let mut table = small.clone();
        table.arrays[BLOCKS].records.fill(vec![value]);
        hostile::ask(&table.seal());
    }
}
