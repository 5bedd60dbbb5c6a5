//! No file, whatever it contains, makes a table panic, overflow, loop, or exhaust memory. A *harm* is a change to a
//! valid table, which is then sealed again. The fuzz targets in `tests/fuzz` check the same.

use bouton_generator::{VerifyOptions, generate_in_memory, verify_with};
use bouton_tables::expanding::{ExpandingKeys, Position};
use bouton_tables::{AskError, Solved, Table};
use bouton_tests::compare::expanding;
use bouton_tests::harm::{self, Harm};
use bouton_tests::hostile::{self, BASES, EXPANDING};
use bouton_tests::positions;
use bouton_tests::programs::run_within;
use bouton_tests::seal::Parts;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Uses the same cases in every run, and writes no files.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1901),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Returns arbitrary changes of a table.
fn any_harm() -> impl Strategy<Value = Harm> {
    any::<[u8; Harm::BYTES]>().prop_map(Harm::new)
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn any_bytes_are_refused_or_answered(bytes in vec(any::<u8>(), 0..3000)) {
        hostile::ask(&bytes);
    }

    #[test]
    fn any_bytes_after_magic_and_version_are_refused_or_answered(bytes in vec(any::<u8>(), 0..300)) {
        let file = [&b"\x89BTN\r\n\x1a\n"[..], &[1, 0, 0, 0], &bytes].concat();
        hostile::ask(&file);
    }

    #[test]
    fn any_header_and_body_with_right_sums_are_refused_or_answered(
        header in vec(any::<u8>(), 0..40),
        body in vec(any::<u64>(), 0..400),
    ) {
        let body = body.iter().flat_map(|word| word.to_le_bytes()).collect();
        hostile::ask(&Parts { header, body }.seal());
    }

    #[test]
    fn any_body_with_a_good_header_is_refused_or_answered(
        base in 0..BASES,
        body in vec(prop_oneof![Just(0), Just(u64::MAX), 0..2000_u64, any::<u64>()], 0..400),
    ) {
        let header = hostile::base(base).header.clone();
        let body = body.iter().flat_map(|word| word.to_le_bytes()).collect();
        hostile::ask(&Parts { header, body }.seal());
    }
}

proptest! {
    #![proptest_config(config(30_000))]

    #[test]
    fn tables_with_one_harm_are_refused_or_answered(base in 0..BASES, harm in any_harm()) {
        hostile::ask(&hostile::resealed(base, &[harm]));
    }

    #[test]
    fn tables_with_many_harms_are_refused_or_answered(
        base in 0..BASES,
        harms in vec(any_harm(), 2..12),
    ) {
        hostile::ask(&hostile::resealed(base, &harms));
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn a_table_with_a_harm_is_exported_compared_and_analyzed_or_refused(base in 0..BASES, harm in any_harm()) {
        hostile::study(&hostile::resealed(base, &[harm]));
    }

    #[test]
    fn a_proof_of_a_table_with_a_harm_is_right(base in 0..BASES, harm in any_harm()) {
        hostile::prove(&hostile::resealed(base, &[harm]));
    }
}

// Regression tests. Each one repeats a harm that once broke the reader, or that the random tests above seldom make.

/// Indices of numbers in a header (FORMAT.md, section 2).
const STONES: usize = 0;
const GROWTH: usize = 2;
const POSITIONS: usize = 6;
const WINS: usize = 7;

/// Arrays of a body (FORMAT.md, sections 3 and 4.2).
const OUTCOMES: usize = 1;
const VERDICTS: usize = 4;
const STEPS: usize = 6;

/// Fields of a verdict record and of a step.
const DEEPER: usize = 5;
const DEPTH: usize = 2;
const TAKE: usize = 3;
const ADVANCE: usize = 4;
const RESET: usize = 6;

/// Returns the reason why a damaged table does not open.
fn refusal(base: usize, harms: &[Harm]) -> String {
    match Table::open(hostile::resealed(base, harms)) {
        Ok(_) => panic!("a table opened with {harms:?}"),
        Err(error) => error.to_string(),
    }
}

/// Returns all positions of a damaged table that opens, each with whether the table refuses it as damaged.
fn refused_positions(base: usize, harms: &[Harm]) -> Vec<(Position, bool)> {
    let file = hostile::resealed(base, harms);
    hostile::ask(&file);
    let table = Table::open(&file).expect("the table opens in spite of the harm");
    let table = expanding(&table);
    let is_refused = |position: Position| {
        let is_damaged = matches!(table.answer(&position), Err(AskError::Damaged(_)));
        (position, is_damaged)
    };
    positions::expanding::every(table.game()).map(is_refused).collect()
}

#[test]
fn more_rows_than_the_body_has_records_are_refused() {
    // A growth of a third of the stones makes one row for each currentmax up to the growth; after that a move may
    // take all stones.
    let (most, growth) = (
        Harm::Number { number: STONES, value: 1_000_000_000 },
        Harm::Number { number: GROWTH, value: 333_333_333 },
    );
    for base in EXPANDING {
        for harms in [&[most, growth][..], &[most, Harm::Number { number: GROWTH, value: 1 }]] {
            assert!(refusal(base, harms).contains("fewer rows than its ruleset"));
        }
    }
}

#[test]
fn more_classes_than_lines_are_refused() {
    // A row of a thousand classes for its 24 lines, with one bit a record: an earlier reader needed a thousand times
    // the file's size to unpack it.
    let records_of_a_bit = Harm::Entry { array: OUTCOMES, word: 2, value: 1 };
    let many_outcomes = Harm::Entry { array: OUTCOMES, word: 1, value: 1000 };
    let error = refusal(5, &[records_of_a_bit, many_outcomes, Harm::Stretch { words: 100 }]);
    assert!(error.contains("its lines do not fit its ruleset"), "{error}");
}

#[test]
fn more_rows_than_the_format_allows_for_its_length_are_refused() {
    // One class a row, and one bit a record: an earlier reader needed four hundred times the file's size on opening.
    let mut harms = vec![
        Harm::Number { number: STONES, value: 900_000 },
        Harm::Number { number: GROWTH, value: 300_000 },
        Harm::Entry { array: OUTCOMES, word: 2, value: 1 },
        Harm::Entry { array: OUTCOMES, word: 1, value: 300_001 },
    ];
    harms.resize(60, Harm::Stretch { words: 127 });
    let error = refusal(5, &harms);
    assert!(error.contains("fewer rows than its ruleset"), "{error}");
}

#[test]
fn more_wins_than_positions_are_refused() {
    // Subtracting these wins from the positions gave a negative number of losses.
    for value in [u64::MAX, 1_000_000] {
        assert!(refusal(2, &[Harm::Number { number: WINS, value }]).contains("wins in"));
    }
    assert!(refusal(2, &[Harm::Number { number: POSITIONS, value: 0 }]).contains("wins in 0 positions"));
}

/// Returns harms that set a field of each step.
fn each_step(field: usize, value: u64) -> impl Iterator<Item = Harm> {
    (0..5000).map(move |record| Harm::Field { array: STEPS, record, field, value })
}

#[test]
fn an_illegal_best_move_is_refused() {
    // An earlier reader gave a best move of more stones than there are.
    let too_many: Vec<Harm> = each_step(TAKE, u64::MAX).collect();
    for (position, is_refused) in refused_positions(0, &too_many) {
        assert!(is_refused, "{position}");
    }
    let none: Vec<Harm> = each_step(TAKE, 0).chain(each_step(ADVANCE, 0)).collect();
    for (position, is_refused) in refused_positions(0, &none) {
        assert_eq!(is_refused, position.stones > 0, "{position}");
    }
    // An earlier reader gave a best move with a reset that the player did not have.
    let resets: Vec<Harm> = each_step(RESET, 1).collect();
    for (position, is_refused) in refused_positions(0, &resets) {
        let has_none = position.resets[position.turn.index()] == 0 && position.stones > 0;
        assert!(is_refused >= has_none, "{position}");
    }
}

#[test]
fn a_take_of_more_than_32_bits_is_refused_and_not_truncated() {
    // Steps that begin at 2^32 - 1 stones and advance: an earlier reader took a best move of 2^32 + 1 stones for one of 1.
    let wide = Harm::Width { array: STEPS, field: TAKE, value: 32 };
    let room = [Harm::Stretch { words: 127 }; 8];
    let steps = (0..).zip(harm::fields(hostile::base(0), STEPS)).flat_map(|(record, mut fields)| {
        (fields[TAKE], fields[ADVANCE]) = (u32::MAX.into(), 1);
        (0..7).map(move |field| Harm::Field { array: STEPS, record, field, value: fields[field] })
    });
    let harms: Vec<Harm> = room.into_iter().chain([wide]).chain(steps).collect();
    for (position, is_refused) in refused_positions(0, &harms) {
        assert!(is_refused, "{position}");
    }
}

#[test]
fn fields_for_depths_of_2_to_the_30th_are_refused() {
    // In an earlier reader, adding one to these depths overflowed 32 bits.
    let few = Harm::Entry { array: STEPS, word: 1, value: 1 };
    let error = refusal(0, &[few, Harm::Width { array: STEPS, field: DEPTH, value: 31 }]);
    assert!(error.contains("too wide"), "{error}");
    // The same depths in lines that refer to less deep ones.
    let deeper =
        (0..2000).map(|record| Harm::Field { array: VERDICTS, record, field: DEEPER, value: u64::MAX });
    let wide = [Harm::Width { array: VERDICTS, field: DEEPER, value: 32 }, Harm::Stretch { words: 127 }];
    hostile::ask(&hostile::resealed(6, &wide.into_iter().chain(deeper).collect::<Vec<_>>()));
}

#[test]
fn a_proof_by_lines_refuses_the_same_tables_as_one_by_positions() {
    let unequal =
        ExpandingKeys { stones: 90, base_limit: 1, growth: 3, resets: [0, 2], ..Default::default() };
    let one_row =
        ExpandingKeys { stones: 60, base_limit: 4, growth: 0, resets: [2, 1], ..Default::default() };
    for (keys, reset_limit) in [(unequal, 1), (one_row, 2)] {
        let rules = ExpandingKeys { reset_limit, ..keys }.rules().expect("allowed rules");
        let file = generate_in_memory(&rules.clone().into(), false).expect("a small table");
        let valid = Parts::of(&file);
        let mut wrong = 0;
        for bit in (0..8 * valid.body.len()).step_by(3) {
            let mut parts = valid.clone();
            parts.body[bit / 8] ^= 1 << (bit % 8);
            let Ok(table) = Table::open(parts.seal()) else { continue };
            let is_right = |every_position| {
                let options = VerifyOptions { every_position, ..VerifyOptions::default() };
                verify_with(&table, &options, &()).is_ok()
            };
            let by_positions = is_right(true);
            assert_eq!(is_right(false), by_positions, "bit {bit} of {rules:?}");
            wrong += u32::from(!by_positions);
        }
        assert!(wrong >= 90, "{wrong}");
    }
}

#[test]
fn an_outcome_that_its_depth_contradicts_is_refused() {
    // An earlier reader gave the outcome although it refused the answer.
    let changed = Harm::Field { array: OUTCOMES, record: 0, field: 5, value: 1 };
    let unchanged = Harm::Field { array: OUTCOMES, record: 0, field: 5, value: 0 };
    let file = [changed, unchanged].map(|harm| hostile::resealed(0, &[harm]));
    let [a, b] = file.each_ref().map(|file| Table::open(file).expect("the table opens in spite of the harm"));
    let [a, b] = [expanding(&a), expanding(&b)];
    let contradicted = positions::expanding::every(a.game()).filter(|position| {
        match (a.verdict(position), b.verdict(position)) {
            (Ok(a), Ok(b)) => {
                assert_eq!(a, b, "{position}");
                false
            }
            (a, b) => {
                assert!(a.is_ok() || b.is_ok(), "{position}: one of the two is the valid table");
                true
            }
        }
    });
    assert!(contradicted.count() > 0);
}

#[test]
fn commands_answer_or_refuse_the_greatest_ruleset_without_using_much_memory() {
    // There is one row if a move may take all stones from the start.
    let most = 1_000_000_000;
    let rules = [(0, most), (1, most), (2, 0), (3, 1)].map(|(number, value)| Harm::Number { number, value });
    // A row this long does not allow the marks of the valid table.
    let no_marks = (0..100).map(|record| Harm::Field { array: OUTCOMES, record, field: 2, value: 0 });
    let harms: Vec<Harm> = rules.into_iter().chain(no_marks).collect();
    let file = hostile::resealed(5, &harms);
    assert!(Table::open(&file).is_ok());
    hostile::ask(&file);
    hostile::study(&file);
    // Commands that would need memory for each currentmax, stone or move refuse the table.
    let here = tempfile::tempdir().expect("a folder for the test");
    std::fs::write(here.path().join("t.bouton"), file).unwrap();
    for (name, args, expected) in [
        ("bouton", &["analyze", "t.bouton"][..], "memory"),
        ("bouton", &["analyze", "t.bouton", "--where", "turn=1"], "more than 1,000,000 lines are selected"),
        ("bouton-lookup", &["t.bouton", "1000000000", "--moves"], "has more than 1000000 moves"),
    ] {
        let ran = run_within(1 << 30, name, here.path(), args);
        assert!(ran.status == Some(2) && ran.stderr.contains(expected), "{args:?}: {ran:?}");
    }
    let filter = "stones=1000000000 turn=1 resets=0,0 imposed=r";
    let args = ["export", "t.bouton", "--format", "csv", "--where", filter];
    let ran = run_within(1 << 30, "bouton", here.path(), &args);
    assert_eq!((ran.status, ran.stdout.lines().count()), (Some(0), 2), "{ran:?}");
}
