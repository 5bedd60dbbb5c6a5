//! Lists of marks (FORMAT.md, section 4.3). The library's reader and the *twin*, a second reader written from
//! FORMAT.md alone, read lists of random allowed shapes in the same way, and refuse forbidden ones.

use std::ops::Range;

use bouton_generator::{generate_in_memory, verify};
use bouton_tables::expanding::{Expanding, ExpandingKeys, Position, Turn};
use bouton_tables::{AskError, Game, MoveSet, Outcome, Solved, Table};
use bouton_tests::compare::expanding;
use bouton_tests::compare::twin::{check_refusal_on_opening, check_refusal_where_read, lost};
use bouton_tests::format_twin::expanding::Twin;
use bouton_tests::hostile;
use bouton_tests::layouts;
use bouton_tests::positions::{self, Dice};
use bouton_tests::seal::{Array, Parts};

/// Array numbers, and fields of a list (FORMAT.md, section 4.2).
const OUTCOMES: usize = 1;
const LISTS: usize = 2;
const BITS: usize = 3;
const FIRST: usize = 0;
const BLOCKS: usize = 1;
const START: usize = 2;
const BEGUN: usize = 3;
const LEAST: usize = 4;
const SPREAD: usize = 5;
const ORDER: usize = 6;

/// Returns rules of Expanding Nim in which only player 1 has a reset.
fn rules(stones: u64, base_limit: u32, growth: u32) -> Expanding {
    ExpandingKeys {
        stones,
        base_limit,
        growth,
        reset_limit: base_limit,
        resets: [1, 0],
        ..Default::default()
    }
    .rules()
    .expect("the tests use allowed rules")
}

/// Returns a table without depths.
fn table(rules: &Expanding) -> layouts::DecodedTable {
    layouts::DecodedTable::of(&Parts::of(
        &generate_in_memory(&rules.clone().into(), false).expect("a small table"),
    ))
}

/// A list, with lines that may refer to it.
struct RandomList {
    /// The fields of the list; the first is still 0.
    fields: [u64; 7],
    /// The bits of entries and changes.
    bits: Vec<u64>,
    /// Number of changes.
    changes: u32,
    /// Shift and run of each line.
    lines: Vec<[u64; 2]>,
}

/// Returns a random list for rows of up to `stones` stones, in which moves of up to `stay` stones stay. No run reaches
/// beyond the next mark.
fn random_list(dice: &mut Dice, stones: u64, stay: u64) -> RandomList {
    let mut up_to = |most: u64| u64::from(dice.up_to(most as u32));
    let max_surplus = [3, 40][up_to(1) as usize];
    let least = (stay + 1).div_ceil(32) + up_to(max_surplus);
    let spread = [0, 1, 1, 2, 3, 7, 60, 1 << 20][up_to(7) as usize];
    let fewest_bits = |number: u64| u64::from(u64::BITS - number.leading_zeros());
    let order = up_to(3);

    // For each block its first mark, the code of the gap, and the changes: after how many gaps, and the new code.
    let (mut entries, mut changes, mut count) = (Vec::new(), Vec::new(), 0);
    let mut mark = up_to(2 * least);
    let push = |bits: &mut Vec<u64>, number: u64, width: u64| {
        bits.extend((0..width).map(|bit| number >> bit & 1));
    };
    loop {
        let mut code = up_to(spread.min(6));
        entries.push([mark, code, changes.len() as u64]);
        for _ in 0..if spread == 0 { 0 } else { up_to(31) } {
            let gaps = 1 + up_to(2);
            mark += gaps * (least + code);
            let other = up_to((spread - 1).min(6));
            let zeros = fewest_bits(((gaps - 1) >> order) + 1) - 1;
            push(&mut changes, 1 << zeros, zeros + 1);
            push(&mut changes, gaps - 1 - (((1 << zeros) - 1) << order), zeros + order);
            push(&mut changes, other, fewest_bits(spread - 1));
            code = other + u64::from(other >= code);
            count += 1;
        }
        mark += (1 + up_to(2)) * (least + code);
        if mark > stones {
            break;
        }
    }
    entries.push([0, 0, changes.len() as u64]);
    let widest =
        |field: usize| entries.iter().map(|entry| fewest_bits(entry[field])).max().expect("an entry");
    let [start, begun] = [0, 2].map(|field| widest(field).max(1) + up_to(2));
    let mut bits = Vec::new();
    let blocks = entries.len() as u64 - 1;
    for entry in entries {
        for (number, width) in entry.into_iter().zip([start, fewest_bits(spread), begun]) {
            push(&mut bits, number, width);
        }
    }
    bits.extend(changes);
    let longest = (32 * least - stay).min(least);
    let lines = (0..24).map(|_| [up_to(30), 1 + up_to(longest - 1)]).collect();
    RandomList { fields: [0, blocks, start, begun, least, spread, order], bits, changes: count, lines }
}

#[test]
fn both_readers_agree_on_lists_of_random_shapes() {
    let mut dice = Dice::new(1905);
    let (mut changes_of_all, mut positions_lost) = (0, 0);
    for number in 0..90 {
        let rules = match number % 3 {
            0 => rules(150, 40, 0),
            1 => rules(150, 4, 1),
            _ => rules(130, 1, 90),
        };
        let mut made = table(&rules);
        let stones = rules.stones();
        let RandomList { mut fields, bits, changes, lines } = random_list(&mut dice, stones, stones);
        let first = u64::from(dice.up_to(9));
        fields[FIRST] = first;
        made.arrays[LISTS] = Array::of(vec![fields.to_vec()]);
        let before = (0..first).map(|_| u64::from(dice.up_to(1)));
        made.arrays[BITS] =
            Array { widths: vec![1], records: before.chain(bits).map(|bit| vec![bit]).collect() };
        let records = made.arrays[OUTCOMES].records.len();
        let record = |(record, &[shift, run]): (usize, &[u64; 2])| {
            let own = if record % 2 == 0 { 0 } else { first };
            vec![0, own, 1, shift, run, u64::from(record % 5 == 0)]
        };
        made.arrays[OUTCOMES] = Array::of((0..records).zip(lines.iter().cycle()).map(record).collect());
        let file = made.seal();
        let twin = Twin::read(&file).unwrap_or_else(|refusal| panic!("{fields:?}: {refusal}"));
        let table = Table::open(file).unwrap_or_else(|error| panic!("{fields:?}: {error}"));
        let table = expanding(&table);
        for position in positions::expanding::every(&rules) {
            let case = || format!("{position} of {rules:?} with {fields:?}");
            let expected = Outcome::from_won(!lost(&twin, &position));
            assert_eq!(table.outcome(&position).unwrap(), expected, "{}", case());
            positions_lost += u32::from(expected == Outcome::Loss);
            if position.stones % 13 > 0 {
                continue;
            }
            // These random lines may contradict each other, for example if a lost position has a winning move. The
            // library reads many places at once, and reports a contradiction as damage.
            match table.answer(&position) {
                Ok(answer) => {
                    let wins = |chosen: &_| lost(&twin, &rules.after(&position, *chosen));
                    let winning: Vec<_> = rules.moves(&position).filter(wins).collect();
                    assert!(answer.winning.iter().eq(winning), "{}", case());
                }
                Err(AskError::Damaged(_)) => {}
                Err(error) => panic!("{}: {error}", case()),
            }
        }
        changes_of_all += changes;
    }
    assert!(
        changes_of_all > 200 && positions_lost > 10_000,
        "there are {changes_of_all} changes of gap, and {positions_lost} positions are lost"
    );
}

/// A table that both readers refuse to open, with the twin's reason.
type InvalidTable = (layouts::DecodedTable, &'static str);

/// Returns tables that are refused on opening, as the number of outcome records is wrong, with the rule that each
/// violates.
fn invalid_tables() -> Vec<InvalidTable> {
    let valid = table(&rules(60, 3, 1));
    let mut all = Vec::new();
    // One row less, one row more, one record less, and no records.
    let records = valid.arrays[OUTCOMES].records.len();
    let classes = 1 + valid.arrays[0].records.iter().map(|record| record[0]).max().expect("lines") as usize;
    for count in [records - classes, records + classes, records - 1, 0] {
        let mut other = valid.clone();
        let first = other.arrays[OUTCOMES].records[0].clone();
        other.arrays[OUTCOMES].records.resize(count, first);
        all.push((other, "each row and class has an outcome record"));
    }
    all
}

#[test]
fn invalid_row_counts_are_refused_on_opening() {
    for (table, what) in invalid_tables() {
        check_refusal_on_opening(&table, what);
        hostile::ask(&table.seal());
    }
}

/// A change of every list of a table, with the twin's reason for refusing it.
type Change = (&'static [(usize, u64)], &'static str);

const CHANGES: [Change; 13] = [
    (&[(START, 41)], "a start and an order are at most 40"),
    (&[(ORDER, 41)], "a start and an order are at most 40"),
    (&[(START, 40), (BEGUN, 56), (SPREAD, 1 << 24)], "an entry has 1 to 120 bits"),
    (&[(START, 1 << 32)], "a field is below 2^32"),
    (&[(BEGUN, 57)], "the third field of an entry has at most 56 bits"),
    (&[(BEGUN, 1 << 31), (START, 0)], "the third field of an entry has at most 56 bits"),
    (&[(BEGUN, 1 << 33)], "a field is below 2^32"),
    (&[(LEAST, 0)], "a gap is at least one stone"),
    (&[(LEAST, 1 << 32)], "a field is below 2^32"),
    (&[(SPREAD, u32::MAX as u64), (START, 1), (BEGUN, 1)], "a gap is below 2^32"),
    (&[(SPREAD, 1 << 32)], "a field is below 2^32"),
    (&[(BLOCKS, 0)], "a list has a block"),
    (&[(FIRST, (1 << 40) - 1)], "records, but none has number"),
];

/// Returns the table with some fields of every list changed.
fn changed(table: &layouts::DecodedTable, change: &[(usize, u64)]) -> layouts::DecodedTable {
    let mut table = table.clone();
    let lists = &mut table.arrays[LISTS];
    for &(field, value) in change {
        lists.records.iter_mut().for_each(|record| record[field] = value);
        lists.widths[field] = 40;
    }
    table
}

#[test]
fn invalid_lists_are_refused_where_they_are_read() {
    let rules = rules(60, 3, 1);
    let valid = table(&rules);
    assert!(!valid.arrays[LISTS].records.is_empty(), "this ruleset no longer has a list of marks");
    for (change, what) in CHANGES {
        let broken = changed(&valid, change);
        check_refusal_where_read(&broken, &rules, what);
        hostile::ask(&broken.seal());
    }
    // Only the first two fields of each list have bits.
    let mut two = valid.clone();
    two.arrays[LISTS].records.iter_mut().for_each(|record| record[2..].fill(0));
    two.arrays[LISTS].widths[2..].fill(0);
    check_refusal_where_read(&two, &rules, "an entry has 1 to 120 bits");
    hostile::ask(&two.seal());
}

#[test]
fn marks_too_close_together_are_refused() {
    // A move of up to 66 stones stays in this row.
    let rules = rules(160, 66, 0);
    let mut valid = table(&rules);
    for record in &mut valid.arrays[OUTCOMES].records {
        *record = vec![0, 0, 1, 0, 1, 0, 0, 0];
    }
    valid.arrays[OUTCOMES].widths = vec![1; 8];
    valid.arrays[OUTCOMES].widths[6..].fill(0);
    valid.arrays[BITS] = Array { widths: vec![1], records: vec![vec![0]; 1000] };
    let with = |least: u64| {
        let mut table = valid.clone();
        table.arrays[LISTS] = Array::of(vec![vec![0, 1, 3, 0, least, 0, 0]]);
        table
    };
    check_refusal_where_read(&with(2), &rules, "a move reaches over at most 32 marks");
    let file = with(3).seal();
    let table = Table::open(&file).expect("a valid table opens");
    let twin = Twin::read(&file).expect("a valid table");
    for position in positions::expanding::every(&rules) {
        let outcome = expanding(&table).verdict(&position).expect("its lists are valid").outcome;
        assert_eq!(outcome, Outcome::from_won(!lost(&twin, &position)), "{position}");
    }
}

#[test]
fn a_list_with_any_changed_field_is_refused_or_answered() {
    for (number, table) in [rules(60, 3, 1), rules(200, 3, 4)].iter().map(table).enumerate() {
        for field in FIRST..=ORDER {
            let values =
                (0..40).map(|bit| 1 << bit).chain([0, 3, 30, 100, 116, (1 << 32) - 1, (1 << 40) - 1]);
            for value in values.skip(number).step_by(1 + number) {
                hostile::ask(&changed(&table, &[(field, value)]).seal());
                hostile::ask(&changed(&table, &[(field, value), (BEGUN, 1), (START, 1)]).seal());
            }
        }
    }
}

/// Returns the lost positions of each line, as runs; an error if the table contradicts itself.
fn lost_runs(table: &Table, rules: &Expanding) -> Result<Vec<Vec<Range<u64>>>, AskError> {
    let mut lines = Vec::new();
    for currentmax in 0..=rules.greatest_currentmax() {
        let stones = rules.max_stones(currentmax).expect("it arises");
        for (turn, first) in [(Turn::First, 0), (Turn::First, 1), (Turn::Second, 0), (Turn::Second, 1)] {
            for imposed in [false, true] {
                let position = Position { stones, currentmax, turn, resets: [first, 0], imposed };
                let runs = expanding(table).lost_runs(&position)?;
                lines.push(runs.collect::<Result<_, _>>().map_err(AskError::Damaged)?);
            }
        }
    }
    Ok(lines)
}

#[test]
fn the_proof_finds_each_changed_bit_of_a_list_that_changes_an_outcome() {
    for rules in [rules(1500, 3, 1), rules(1000, 3, 3), rules(800, 2, 2)] {
        let made = table(&rules);
        let open = |made: &layouts::DecodedTable| Table::open(made.seal()).expect("only bits differ");
        let right = lost_runs(&open(&made), &rules).expect("the table is right");
        assert!(verify(&open(&made)).is_ok());
        let (mut wrong, mut same) = (0, 0);
        for bit in 0..made.arrays[BITS].records.len() {
            let mut other = made.clone();
            other.arrays[BITS].records[bit][0] ^= 1;
            let other = open(&other);
            if lost_runs(&other, &rules).is_ok_and(|runs| runs == right) {
                same += 1;
            } else {
                assert!(verify(&other).is_err(), "bit {bit} of {rules:?}");
                wrong += 1;
            }
        }
        assert!(wrong > 500 && same > 0, "{wrong} bits change an outcome, {same} do not");
    }
}
