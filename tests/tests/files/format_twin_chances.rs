//! `tables/FORMAT.md`, section 8, is true and complete: the twin, a reader of files of chances written from it alone,
//! reads what the library reads, and numbers every position as the library does.

use std::collections::HashSet;

use bouton_match::families::PositionNumbering;
use bouton_match::models::{Chances, ChancesFile};
use bouton_match::{Playable, Solution};
use bouton_tables::expanding::ExpandingKeys;
use bouton_tables::heaps::{HeapKeys, Take};
use bouton_tables::{Outcome, Play, Solved};
use bouton_tests::format_twin::chances::{
    Twin, expanding_number, expanding_numbers, heaps_number, heaps_numbers,
};
use bouton_tests::format_twin::expanding::Rules;
use bouton_tests::positions;

/// Writes the chances against a model, and compares every number between the two readers. `number` is the number of a
/// position according to the document, and `numbers` the count of numbers.
fn check_readers_agree<F: Playable>(
    rules: &F,
    model: &str,
    numbers: u64,
    positions: impl Iterator<Item = F::Position>,
    number: impl Fn(&F::Position) -> u64,
) {
    let solution = Solution::solve(rules).unwrap();
    let chances =
        Chances::compute(&solution, &model.parse().expect("a model"), &()).expect("they can be computed");
    let file = chances.to_file(&solution).expect("the table is whole");
    let twin = Twin::read(&file).unwrap_or_else(|refusal| panic!("{model}: {refusal}"));
    let reader = ChancesFile::open(file).expect("a fresh file opens");
    reader.check_whole().expect("a fresh file is whole");

    let (header, numbering) = (reader.header(), rules.numbering().unwrap());
    let digest = solution.table().digest();
    assert_eq!((twin.table, header.table), (digest, digest));
    assert_eq!((&twin.model, &header.model), (&chances.model().to_string(), &twin.model));
    assert_eq!((twin.numbers, header.numbers, numbering.count()), (numbers, numbers, numbers));
    for number in 0..numbers {
        assert_eq!(reader.get(number).expect("the file is whole"), twin.get(number), "{number}");
    }

    let mut found = HashSet::new();
    for position in positions {
        let (number, shown) = (number(&position), rules.show_position(&position));
        assert_eq!(numbering.of(&position), number, "{shown}");
        assert!(number < numbers, "{shown}");
        found.insert(number);
        let lost = solution.get().verdict(&position).expect("the table covers it").outcome == Outcome::Loss;
        assert_eq!(twin.get(number).is_some(), lost, "{shown}");
        let read = twin.get(number).unwrap_or(1.0);
        let exact = chances.chance_to_move(&position).expect("the table covers it");
        assert!((read - exact).abs() < 1e-7, "{shown}: {read}, where {exact} was written");
    }
    assert_eq!(found.len() as u64, numbers, "every number is that of a position");
}

/// Checks the chances of a game of Expanding Nim; `limits` are the base limit, the growth and the reset limit.
fn check_expanding(stones: u64, limits: [u32; 3], resets: [u8; 2], play: Play, model: &str) {
    let [base_limit, growth, reset_limit] = limits;
    let rules = ExpandingKeys { stones, base_limit, growth, reset_limit, resets, play }
        .rules()
        .expect("allowed rules");
    let misere = play == Play::Misere;
    let twin = Rules { stones, base_limit, growth, reset_limit, resets, misere };
    check_readers_agree(&rules, model, expanding_numbers(&twin), positions::expanding::every(&rules), |p| {
        expanding_number(&twin, (p.stones, p.currentmax), p.turn.number(), p.resets, p.imposed)
    });
}

/// Checks the chances of a heap game with one heap a move.
fn check_heaps(bounds: &[u32], take: Take, passes: u32, play: Play, model: &str) {
    let rules = HeapKeys { bounds: bounds.to_vec(), take, passes, play, ..Default::default() }
        .rules()
        .expect("allowed rules");
    let mut descending = bounds.to_vec();
    descending.sort_by(|one, other| other.cmp(one));
    let numbers = heaps_numbers(&descending, passes);
    check_readers_agree(&rules, model, numbers, positions::heaps::every(&rules), |p| {
        heaps_number(&descending, &p.heaps, p.passes.into())
    });
}

#[test]
fn both_readers_agree_on_chances_of_expanding_nim_with_equal_resets() {
    for (stones, resets) in [(1, 0), (2, 1), (31, 0), (40, 1), (60, 3)] {
        for (limits, model) in
            [([3, 1, 3], "misread:0.05"), ([4, 1, 2], "err:0.2/random"), ([1, 3, 1], "takes-one")]
        {
            check_expanding(stones, limits, [resets; 2], Play::Normal, model);
        }
    }
    check_expanding(50, [3, 1, 3], [4, 4], Play::Misere, "0.7*misread:0.05+0.3*err:0.2/random");
}

#[test]
fn both_readers_agree_on_chances_of_expanding_nim_with_unequal_resets() {
    for resets in [[0, 1], [1, 0], [3, 1], [2, 4]] {
        for limits in [[3, 1, 3], [5, 3, 4], [2, 0, 1], [4, 7, 3]] {
            for play in [Play::Normal, Play::Misere] {
                check_expanding(33, limits, resets, play, "misread:0.1");
            }
        }
    }
}

#[test]
fn both_readers_agree_on_chances_of_heap_games() {
    for play in [Play::Normal, Play::Misere] {
        check_heaps(&[9], Take::UpTo(3), 0, play, "err:0.1");
        check_heaps(&[7, 3, 5], Take::Any, 0, play, "err:0.1/random");
        check_heaps(&[3, 4, 2], Take::Any, 2, play, "random");
        check_heaps(&[2, 2, 2, 6, 1], Take::exactly(vec![1, 3, 4]), 1, play, "takes-one");
        check_heaps(&[11, 11], Take::exactly(vec![2, 5]), 3, play, "0.5*err:0.3+0.5*perfect");
    }
}

#[test]
fn both_readers_agree_on_a_file_of_several_blocks() {
    check_expanding(300, [3, 1, 3], [2, 1], Play::Normal, "err:0.1");
    check_heaps(&[30, 30, 30], Take::Any, 1, Play::Misere, "err:0.1");
}

#[test]
fn no_byte_of_a_file_of_chances_escapes_its_checksums() {
    let rules =
        ExpandingKeys { stones: 12, resets: [1, 1], ..Default::default() }.rules().expect("allowed rules");
    let solution = Solution::solve(&rules).unwrap();
    let chances =
        Chances::compute(&solution, &"err:0.1".parse().expect("a model"), &()).expect("they can be computed");
    let file = chances.to_file(&solution).expect("the table is whole");
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 0x10;
        assert!(Twin::read(&damaged).is_err(), "byte {at}");
        let found = ChancesFile::open(damaged).map(|file| file.check_whole().is_err());
        assert!(found.unwrap_or(true), "byte {at}");
    }
}
