//! `tables/FORMAT.md` is true and complete: the twin, a reader of heap tables written from it alone, gives the
//! library's answers.

use std::collections::BTreeSet;

use bouton_tables::heaps::{HeapTable, Position};
use bouton_tables::{Game, MoveSet, Outcome, Ruleset, Solved, Table};
use bouton_tests::compare::heaps;
use bouton_tests::compare::heaps::{ruleset, to_move};
use bouton_tests::format_twin::example::Listing;
use bouton_tests::format_twin::heaps::{Answer, Loss, Twin, groups, rank};
use bouton_tests::oracle::heaps::{Rules, Take, positions};
use bouton_tests::seal::Parts;
use rayon::prelude::*;

/// Returns the bytes of the table that the generator makes.
fn bytes(rules: &Rules, depths: bool) -> Vec<u8> {
    bouton_generator::generate_in_memory(&Ruleset::Heaps(ruleset(rules)), depths).unwrap()
}

/// Generates a table, and compares the two readers' answers for every position of it.
fn check_readers_agree(rules: &Rules, depths: bool) {
    check_file(&bytes(rules, depths), rules, depths);
}

/// Compares the two readers' answers for every position of a table.
pub(crate) fn check_file(file: &[u8], rules: &Rules, depths: bool) {
    let twin = Twin::read(file).unwrap_or_else(|refusal| panic!("{rules:?}, {depths}: {refusal}"));
    let table = Table::open(file.to_vec()).expect("a fresh table opens");
    assert_eq!((twin.rules(), twin.header().depths), (rules, depths));
    let (mut counted, mut wins, mut deepest) = (0, 0, 0);
    for position in positions(rules) {
        let answer = twin.answer(&position.heaps, position.passes);
        counted += 1;
        wins += u64::from(!answer.lost);
        deepest = deepest.max(answer.depth.unwrap_or(0));
        for rows in orders(&position.heaps) {
            let answer = twin.answer(&rows, position.passes);
            check_answer(heaps(&table), &rows, position.passes, &answer);
            let loss = twin.loss_in_order(&rows, position.passes);
            assert_eq!(loss.is_some(), answer.lost, "{rows:?}/{} of {rules:?}", position.passes);
            if let Some(Loss { depth, stones }) = loss {
                assert_eq!(depth, answer.depth.unwrap_or(0), "{rows:?}/{} of {rules:?}", position.passes);
                let best = answer.best.filter(|_| depths).map_or(0, |best| u64::from(best.stones()));
                assert_eq!(stones, best, "{rows:?}/{} of {rules:?}", position.passes);
            }
        }
    }
    let header = twin.header();
    assert_eq!((counted, wins, deepest), (header.positions, header.wins, header.deepest.into()), "{rules:?}");
}

/// Returns some orders of ascending heaps. Each heap comes first in one of them, and last in one.
pub(crate) fn orders(heaps: &[u32]) -> BTreeSet<Vec<u32>> {
    let rotated = (0..heaps.len()).map(|by| [&heaps[by..], &heaps[..by]].concat());
    rotated.flat_map(|rows| [rows.clone(), rows.into_iter().rev().collect()]).collect()
}

/// Compares the library's answer about a position with the expected answer.
fn check_answer(table: &HeapTable, rows: &[u32], passes: u32, expected: &Answer) {
    let case = || format!("{rows:?}/{passes} of {:?}, depths {}", table.game(), table.has_depths());
    let passes = u8::try_from(passes).expect("at most 15");
    let position = Position { heaps: rows.iter().copied().collect(), passes };
    let answer = table.answer(&position).unwrap_or_else(|error| panic!("{}: {error}", case()));
    assert_eq!(answer.verdict, table.verdict(&position).expect("the same again"), "{}", case());
    assert_eq!(answer.verdict.outcome, Outcome::from_won(!expected.lost), "{}", case());
    assert_eq!(answer.verdict.depth.map(u64::from), expected.depth, "{}", case());
    assert_eq!(answer.best, expected.best.as_ref().map(to_move), "{}", case());
    let winning: Vec<_> = expected.winning.iter().map(to_move).collect();
    assert_eq!(answer.winning.iter().collect::<Vec<_>>(), winning, "{}", case());
}

/// Returns the rules of Nim, for the tests to modify.
pub(crate) fn nim(bounds: &[u32]) -> Rules {
    let bounds = bounds.to_vec();
    Rules {
        bounds,
        take: Take::Any,
        heaps_per_move: 1,
        exactly: vec![],
        equal_take: false,
        passes: 0,
        misere: false,
    }
}

/// Returns many rules with these bounds: every kind of take, up to three heaps a move, and up to two passes.
fn grid(bounds: &[u32]) -> Vec<Rules> {
    let mut all = Vec::new();
    for take in [Take::Any, Take::UpTo(2), Take::Exactly(vec![1, 3, 4]), Take::Exactly(vec![2])] {
        for heaps_per_move in 1..=bounds.len().min(3) {
            for equal_take in [false, true].into_iter().filter(|&equal| !equal || heaps_per_move > 1) {
                for (passes, misere) in (0..=2).flat_map(|passes| [(passes, false), (passes, true)]) {
                    let take = take.clone();
                    all.push(Rules { take, heaps_per_move, equal_take, passes, misere, ..nim(bounds) });
                }
            }
        }
    }
    all
}

/// Checks that both readers agree on the tables of each [`grid`] of rules, with and without depths.
fn check_all_rules(bounds: &[&[u32]]) {
    let all: Vec<Rules> = bounds.iter().flat_map(|bounds| grid(bounds)).collect();
    all.par_iter().for_each(|rules| {
        check_readers_agree(rules, true);
        check_readers_agree(rules, false);
    });
}

#[test]
fn both_readers_agree_on_equal_bounds() {
    check_all_rules(&[&[1], &[7], &[1, 1], &[4, 4], &[2, 2, 2], &[4, 4, 4], &[2; 4], &[1; 5], &[2; 5]]);
}

#[test]
fn both_readers_agree_on_unequal_bounds() {
    check_all_rules(&[&[1, 6], &[3, 5], &[2, 3, 6], &[1, 4, 4], &[1, 1, 2, 5], &[1, 1, 1, 2, 3]]);
}

#[test]
fn both_readers_agree_on_more_stones_than_fit_a_byte() {
    for (take, passes) in [(Take::Any, 15), (Take::UpTo(300), 0), (Take::Exactly(vec![1, 300]), 1)] {
        for depths in [true, false] {
            check_readers_agree(&Rules { take: take.clone(), passes, ..nim(&[400]) }, depths);
        }
    }
    for misere in [false, true] {
        check_readers_agree(&Rules { misere, ..nim(&[2, 300]) }, true);
    }
}

/// Returns rulesets, each with two facts about its table with depths: how many heaps its stem has, and whether the stem
/// stores records.
fn shapes() -> Vec<(Rules, usize, bool)> {
    let up_to_2 = |bounds: &[u32]| Rules { take: Take::UpTo(2), ..nim(bounds) };
    vec![
        // Without targets, so edges add all heaps that are not in the stem. The stem has all heaps, all but one, fewer,
        // or none.
        (up_to_2(&[2, 2, 2]), 3, true),
        (Rules { heaps_per_move: 3, equal_take: true, passes: 2, ..up_to_2(&[4, 4, 4]) }, 3, true),
        (Rules { passes: 2, ..up_to_2(&[2, 2, 2]) }, 2, true),
        (Rules { heaps_per_move: 3, passes: 2, misere: true, ..up_to_2(&[2, 2, 2, 2]) }, 2, true),
        (Rules { heaps_per_move: 2, passes: 2, ..up_to_2(&[1, 2, 2]) }, 1, true),
        (Rules { heaps_per_move: 3, passes: 1, ..up_to_2(&[2, 2, 2]) }, 0, true),
        (Rules { take: Take::Exactly(vec![1, 3]), ..nim(&[3]) }, 1, true),
        // Targets directly after a stem of all heaps but one. First stems without records, then with.
        (nim(&[6]), 0, false),
        (nim(&[2, 3, 6]), 2, false),
        (Rules { passes: 2, ..nim(&[5, 5, 5]) }, 2, false),
        (Rules { heaps_per_move: 2, ..nim(&[3, 3]) }, 1, true),
        (Rules { misere: true, ..nim(&[1, 1, 1, 1]) }, 3, true),
        // Targets after edges: the stem has fewer heaps.
        (Rules { heaps_per_move: 3, ..nim(&[3, 3, 3, 3]) }, 2, true),
        (Rules { heaps_per_move: 2, passes: 1, ..nim(&[1, 3, 3]) }, 1, true),
        (Rules { heaps_per_move: 2, passes: 2, misere: true, ..nim(&[1, 2, 3]) }, 0, true),
    ]
}

#[test]
fn both_readers_agree_on_every_shape_of_a_file() {
    for (rules, stem, records) in shapes() {
        let twin = Twin::read(&bytes(&rules, true)).expect("the document describes the file");
        let shape = (twin.stem(), !twin.numbers(0).is_empty());
        assert_eq!(shape, (stem, records), "this ruleset no longer has a table of this shape: {rules:?}");
        check_readers_agree(&rules, true);
        check_readers_agree(&rules, false);
    }
}

/// The records of a stem of one heap have the same bits as those of level 0 after an empty stem. So the test moves them
/// from the stem to level 0. The generator never writes a stem without records before edges.
#[test]
fn both_readers_agree_on_a_stem_without_records_before_edges() {
    for (rules, ..) in shapes().into_iter().filter(|&(_, stem, records)| (stem, records) == (1, true)) {
        let mut parts = Parts::of(&bytes(&rules, true));
        assert_eq!(parts.body[24..48], [0; 24], "no level 0");
        parts.body.copy_within(..24, 24);
        parts.body[..24].fill(0);
        let file = parts.seal();
        let twin = Twin::read(&file).expect("the document describes the file");
        assert_eq!((twin.stem(), twin.numbers(0)), (0, vec![]));
        check_file(&file, &rules, true);
    }
}

/// Requirements of the document that the library does not check on opening.
const CHECKED_WHEN_READ: [&str; 5] = [
    "the entry of an array without records is zero",
    "bits outside of the arrays are zero",
    "the number of a class is below their count",
    "the number of a segment is below their count",
    "without depths there are none",
];

/// With any changed byte of header or directory, both readers refuse the same files, apart from [`CHECKED_WHEN_READ`].
#[test]
fn both_readers_refuse_the_same_changed_bytes() {
    shapes().par_iter().for_each(|(rules, ..)| {
        let parts = Parts::of(&bytes(rules, true));
        check_same_changes_are_refused(&parts, 1 + rules.bounds.len(), &format!("{rules:?}"));
    });
}

/// Checks that both readers refuse the same changes of one file, whose body has this many arrays.
pub(crate) fn check_same_changes_are_refused(parts: &Parts, arrays: usize, case: &str) {
    let check_refusal = |parts: &Parts, changed: &str| {
        let file = parts.seal();
        let is_open = Table::open(&file[..]).is_ok();
        let is_checked_when_read =
            |refusal: &String| CHECKED_WHEN_READ.iter().any(|end| refusal.ends_with(end));
        match Twin::read(&file) {
            Ok(_) => assert!(is_open, "only the library refuses {changed}"),
            Err(refusal) => {
                assert!(
                    !is_open || is_checked_when_read(&refusal),
                    "only the twin refuses {changed}: {refusal}"
                );
            }
        }
    };
    let directory = 24 * arrays;
    let mut changed = parts.clone();
    changed.header.push(0);
    check_refusal(&changed, &format!("a longer header, {case}"));
    for entry in (0..directory).step_by(24) {
        let mut changed = parts.clone();
        changed.body[entry..entry + 24].fill(0);
        check_refusal(&changed, &format!("the entry at {entry} as zero, {case}"));
    }
    for value in 0..=255 {
        for at in 0..parts.header.len() {
            let mut changed = parts.clone();
            changed.header[at] = value;
            check_refusal(&changed, &format!("byte {at} of the header as {value}, {case}"));
        }
        for at in 0..directory {
            let mut changed = parts.clone();
            changed.body[at] = value;
            check_refusal(&changed, &format!("byte {at} of the body as {value}, {case}"));
        }
    }
}

#[test]
fn multisets_are_ranked_in_dictionary_order() {
    assert_eq!((groups(&[7, 5, 3]), rank(&[7, 5, 3], &[7, 5, 3])), (88, 87));
    for bounds in [&[][..], &[4], &[3, 3, 3], &[6, 3, 2], &[5, 5, 2, 1]] {
        let ascending: Vec<u32> = bounds.iter().rev().copied().collect();
        let mut all: Vec<Vec<u32>> = positions(&nim(&ascending)).into_iter().map(|p| p.heaps).collect();
        all.iter_mut().for_each(|group| group.reverse());
        all.sort();
        let ranks: Vec<u64> = all.iter().map(|group| rank(bounds, group)).collect();
        assert_eq!(ranks, (0..groups(bounds)).collect::<Vec<_>>(), "{bounds:?}");
    }
}

/// Returns the rules of the worked example.
fn example() -> Rules {
    Rules { heaps_per_move: 2, passes: 1, ..nim(&[1, 3, 3]) }
}

#[test]
fn the_generator_makes_the_worked_example() {
    let (listed, made) = (Listing::of_section(7).bytes(), bytes(&example(), true));
    let show = |bytes: &[u8]| bytes.chunks(8).map(|chunk| format!("{chunk:02X?}\n")).collect::<String>();
    assert!(listed == made, "FORMAT.md lists\n{}and the generator makes\n{}", show(&listed), show(&made));
}

#[test]
fn the_comments_of_the_worked_example_are_true() {
    let listing = Listing::of_section(7);
    let twin = Twin::read(&listing.bytes()).expect("the document describes its example");
    for (number, array) in [(0, "stem"), (2, "level 1"), (3, "level 2")] {
        assert_eq!(listing.numbers(array), twin.numbers(number), "{array}");
    }
}

#[test]
fn the_worked_example_answers_as_its_text_says() {
    let twin = Twin::read(&Listing::of_section(7).bytes()).expect("the document describes its example");
    assert_eq!((twin.stem(), groups(&[3]), rank(&[3], &[2])), (1, 4, 2));
    let rules = ruleset(&example());
    let summary = |text: &str| {
        let position = rules.parse_position(text).expect("a position of the example");
        let rows: Vec<u32> = position.heaps.iter().copied().collect();
        let answer = twin.answer(&rows, position.passes.into());
        let moves = answer.winning.iter().chain(&answer.best).map(|chosen| to_move(chosen).to_string());
        let outcome = if answer.lost { "lost" } else { "won" };
        format!("{outcome} {}: {}", answer.depth.expect("depths"), moves.collect::<Vec<_>>().join(" "))
    };
    assert_eq!(summary("1,2,1/1"), "lost 4: pass");
    assert_eq!(summary("1,2,1/0"), "won 3: 2:1 2:1");
    assert_eq!(summary("1,1,1/0"), "lost 2: 1:1");
    assert_eq!(summary("1,2,3/1"), "won 5: 2:1+3:1 3:2 2:1+3:1");
    assert_eq!(twin.loss_in_order(&[2, 1, 1], 1), Some(Loss { depth: 4, stones: 0 }));
    assert_eq!(twin.loss_in_order(&[1, 1, 1], 0), Some(Loss { depth: 2, stones: 1 }));
    assert_eq!(twin.loss_in_order(&[3, 2, 1], 1), None);
}

#[test]
fn no_byte_of_a_file_escapes_its_checksums() {
    let whole = bytes(&example(), true);
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        assert!(Twin::read(&damaged).is_err(), "byte {at}");
    }
}
