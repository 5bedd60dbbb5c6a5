//! Lists of marks with gaps (FORMAT.md, section 4.3). The library's reader and the *twin*, a second reader written from
//! FORMAT.md alone, read lists of random allowed shapes in the same way, and refuse forbidden ones.

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::{Expanding, ExpandingKeys};
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
const BUCKET: usize = 1;
const WIDTH: usize = 2;
const LEAST: usize = 3;
const GAP: usize = 4;
const GAPS: usize = 5;

/// Returns rules of Expanding Nim in which only player 1 has a reset.
fn rules(stones: u32, base_limit: u32, growth: u32) -> Expanding {
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
fn table(rules: &Expanding) -> layouts::Table {
    layouts::Table::of(&Parts::of(&generate_in_memory(&rules.clone().into(), false).expect("a small table")))
}

/// A list, with lines that may refer to it.
struct RandomList {
    /// The fields of the list; the first is still 0.
    fields: [u64; 6],
    /// The bits of the marks and the gaps.
    bits: Vec<u64>,
    /// Shift and run of each line.
    lines: Vec<[u64; 2]>,
}

/// Returns a random list for rows of up to `stones` stones, in which moves of up to `stay` stones stay. Neighbouring
/// marks are at least `least` apart; within a bucket, each gap field holds the distance beyond `least`. No run reaches
/// beyond the next mark.
fn random_list(dice: &mut Dice, stones: u64, stay: u64) -> RandomList {
    let mut up_to = |most: u64| u64::from(dice.up_to(most as u32));
    // Bits of a gap field.
    let gap = [0, 1, 1, 2, 3, 7, 20, 32][up_to(7) as usize];
    let max_surplus = [3, 40][up_to(1) as usize];
    let least = (stay + 1).div_ceil(32) + up_to(max_surplus);
    // About one list in four has at most one mark in a bucket (`bucket` = `least`), its marks up to nine buckets
    // further apart, and runs up to that distance.
    let spread = if up_to(3) == 0 { least * up_to(9) } else { 0 };
    let max_extension = if spread > 0 { 0 } else { [0, least, 5 * least, 300][up_to(3) as usize] };
    let bucket = least + up_to(max_extension);
    let width = u64::from(u64::BITS - bucket.leading_zeros()) + up_to(2);
    // `needed` gap fields reach all marks of a bucket at their minimum distances; `room` of them fit into its 120 bits.
    let needed = bucket.div_ceil(least) - 1;
    let room = (120 - width).checked_div(gap).unwrap_or_else(|| needed + up_to(1 << 31));
    let (bucket, needed) = if needed <= room { (bucket, needed) } else { (least * (room + 1), room) };
    let gaps = needed + up_to(room - needed);
    let fields = [0, bucket, width, least, gap, gaps];

    let greatest = (1 << gap) - 1;
    let mut marks = vec![up_to(2 * bucket)];
    let mut excesses = Vec::new();
    while marks[marks.len() - 1] <= stones {
        excesses.push(match up_to(4) {
            0 => 0,
            1 => greatest,
            _ => up_to(greatest.min(60)),
        });
        marks.push(marks[marks.len() - 1] + least + spread + excesses[excesses.len() - 1]);
    }
    let mut bits = Vec::new();
    let mut push = |value: u64, width: u64| bits.extend((0..width).map(|bit| value >> bit & 1));
    for j in 0..=stones / bucket {
        let in_bucket: Vec<usize> = (0..marks.len()).filter(|&number| marks[number] / bucket == j).collect();
        push(in_bucket.first().map_or((1 << width) - 1, |&number| marks[number] % bucket), width);
        for number in 0..if gap == 0 { 0 } else { gaps as usize } {
            let pair = in_bucket.get(number).zip(in_bucket.get(number + 1));
            // After the last mark, the greatest gap leads beyond the bucket.
            push(pair.map_or(greatest, |(&mark, _)| excesses[mark]), gap);
        }
    }
    let longest = (32 * least - stay).min(least + spread);
    let lines = (0..24).map(|_| [up_to(30), 1 + up_to(longest - 1)]).collect();
    RandomList { fields, bits, lines }
}

#[test]
fn both_readers_agree_on_lists_of_random_shapes() {
    let mut dice = Dice::new(1905);
    let (mut lists_with_gaps, mut long_runs, mut positions_lost) = (0, 0, 0);
    for number in 0..90 {
        let rules = match number % 3 {
            0 => rules(150, 40, 0),
            1 => rules(150, 4, 1),
            _ => rules(130, 1, 90),
        };
        let mut made = table(&rules);
        let stones = u64::from(rules.stones());
        let RandomList { mut fields, bits, lines } = random_list(&mut dice, stones, stones);
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
        lists_with_gaps += u32::from(fields[GAP] > 0 && fields[GAPS] > 0);
        long_runs += u32::from(lines.iter().any(|&[_, run]| run > 4 * fields[BUCKET]));
    }
    assert!(
        lists_with_gaps > 30 && positions_lost > 10_000,
        "{lists_with_gaps} lists have gaps, {positions_lost} positions are lost"
    );
    assert!(long_runs > 5, "only {long_runs} tables have runs over several buckets");
}

/// A table that both readers refuse to open, with the twin's reason.
type InvalidTable = (layouts::Table, &'static str);

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

const CHANGES: [Change; 15] = [
    (&[(WIDTH, 33)], "an offset and a gap have at most 32 bits"),
    (&[(WIDTH, 1 << 32)], "a field is below 2^32"),
    // Gaps of more than 32 bits, in buckets of at most 120 bits: an earlier reader did not refuse these three, and its
    // sum of a mark and a gap overflowed 64 bits.
    (&[(WIDTH, 3), (GAP, 33), (GAPS, 1)], "an offset and a gap have at most 32 bits"),
    (&[(WIDTH, 3), (GAP, 64), (GAPS, 1)], "an offset and a gap have at most 32 bits"),
    (&[(WIDTH, 3), (GAP, 117), (GAPS, 1)], "an offset and a gap have at most 32 bits"),
    (&[(WIDTH, 3), (GAP, 1), (GAPS, 118)], "a bucket has at most 120 bits"),
    (&[(WIDTH, 32), (GAP, 30), (GAPS, 3)], "a bucket has at most 120 bits"),
    (&[(WIDTH, 3), (GAP, 32), (GAPS, u32::MAX as u64)], "a bucket has at most 120 bits"),
    (&[(GAP, 0), (GAPS, 1 << 32)], "a field is below 2^32"),
    (&[(BUCKET, 0)], "two marks are at least one stone apart, and at most a bucket"),
    (&[(LEAST, 0)], "two marks are at least one stone apart, and at most a bucket"),
    (&[(BUCKET, 4), (LEAST, 5)], "two marks are at least one stone apart, and at most a bucket"),
    (&[(BUCKET, 1 << 32)], "a field is below 2^32"),
    (&[(LEAST, 1 << 32), (BUCKET, 1 << 33)], "a field is below 2^32"),
    (&[(FIRST, (1 << 40) - 1)], "records, but none has number"),
];

/// Returns the table with some fields of every list changed.
fn changed(table: &layouts::Table, change: &[(usize, u64)]) -> layouts::Table {
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
    check_refusal_where_read(&two, &rules, "two marks are at least one stone apart, and at most a bucket");
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
        table.arrays[LISTS] = Array::of(vec![vec![0, 3, 2, least, 0, 0]]);
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
        for field in [FIRST, BUCKET, WIDTH, LEAST, GAP, GAPS] {
            let values =
                (0..40).map(|bit| 1 << bit).chain([0, 3, 30, 100, 116, (1 << 32) - 1, (1 << 40) - 1]);
            for value in values.skip(number).step_by(1 + number) {
                hostile::ask(&changed(&table, &[(field, value)]).seal());
                hostile::ask(&changed(&table, &[(field, value), (GAPS, 1), (WIDTH, 1)]).seal());
            }
        }
    }
}
