//! Tests of opening and answers, with forged tables.

use super::super::ExpandingKeys;
use super::*;
use crate::format::tests::forged::{self, Records, records};
use crate::{FamilyTable, Table};

const CLASSES: usize = 0;
const OUTCOMES: usize = 1;
const BITS: usize = 3;
const VERDICTS: usize = 4;
const FLIGHTS: usize = 5;
const STEPS: usize = 6;

/// The parts of a table file.
#[derive(Clone)]
struct Parts {
    keys: ExpandingKeys,
    depths: bool,
    arrays: [Records; 7],
    /// Minimum length in bytes of directory and arrays.
    min_len: u64,
}

impl Parts {
    /// Returns a table with `classes` classes in each row. Every position is lost at depth 0, like the end of the game.
    fn flat(keys: ExpandingKeys, depths: bool, classes: u64) -> Self {
        let rules = keys.clone().rules().unwrap();
        let layout = ExpandingLayout::for_table(&rules).unwrap();
        let (rows, lines) = (layout.rows() as u64, layout.lines() as u64);
        let end = keys.stones + 1;
        let mut arrays: [Records; 7] = Default::default();
        arrays[CLASSES] = records((0..lines).map(|line| [line % classes]));
        arrays[OUTCOMES] = records((0..rows * classes).map(|_| [0, 0, 0, 0, 0, 1]));
        if depths {
            arrays[VERDICTS] = records((0..rows * classes).map(|_| [0, 1, end, 0, 0, 0]));
            // One step for all places. A record has at least one bit.
            arrays[FLIGHTS] = records([[0, 0, 1, 0, 0, 0, 0]]);
            arrays[STEPS] = records([[0, 1, 0, 0, 0, 0, 0]]);
        }
        Self { keys, depths, arrays, min_len: 0 }
    }

    /// Returns the table of 10 stones with takes of 1 to 3, in which multiples of 4 are lost. The second of two classes
    /// has a staircase of its own for up to 4 stones; from 5 on, it equals the first class 4 stones lower, at greater
    /// depth.
    fn fours() -> Self {
        let keys = ExpandingKeys { stones: 10, growth: 0, resets: [0; 2], ..Default::default() };
        let lost = (0..11).map(|x| [u64::from(x % 4 == 0)]);
        let arrays = [
            records([[0], [1], [0], [1]]),
            records([[0, 11, 0, 0, 0, 0], [0, 11, 0, 0, 0, 0]]),
            Records::new(),
            records(lost),
            records([[0, 2, 11, 0, 0, 0], [2, 2, 5, 0, 4, 2]]),
            // Fields: start, base, gap, growth, rise, step, more.
            records([
                [0, 0, 0, 0, 0, 0, 1],
                [4, 2, 4, 0, 2, 2, 1],
                [0, 0, 0, 0, 0, 0, 1],
                [4, 2, 0, 0, 0, 2, 0],
            ]),
            // Fields: place, drift, depth, take, advance, single, reset.
            records([
                [0, 0, 0, 0, 0, 0, 0],
                [1, 3, 1, 1, 1, 0, 0],
                [0, 0, 0, 1, 0, 0, 0],
                [1, 3, 1, 1, 1, 0, 0],
            ]),
        ];
        Self { keys, depths: true, arrays, min_len: 0 }
    }

    fn file(&self) -> Vec<u8> {
        let header = forged::header(self.keys.clone().rules().unwrap(), self.depths);
        forged::file(&header, &self.arrays, self.min_len)
    }

    /// Returns the error on opening, if there is one.
    fn refusal(&self) -> Option<String> {
        Table::open(self.file()).err().map(|error| error.to_string())
    }
}

fn expanding(table: &Table) -> &ExpandingTable {
    match table.family() {
        FamilyTable::Expanding(table) => table,
        FamilyTable::Heaps(_) => panic!("another family"),
    }
}

/// Returns keys of a game with several rows, of 24 lines each.
fn with_rows() -> ExpandingKeys {
    ExpandingKeys { stones: 40, resets: [1, 2], ..Default::default() }
}

#[test]
fn damage_not_found_on_opening_is_found_by_a_full_check() {
    let file = Parts { min_len: 300_000, ..Parts::fours() }.file();
    let table = Table::open(&file[..]).unwrap();
    assert_eq!((table.check_sums(), table.check_whole(), table.file_len()), (Ok(()), Ok(()), file.len()));
    let mut damaged = file.clone();
    damaged[file.len() - 10_000] ^= 1;
    let damaged = Table::open(damaged).unwrap();
    let sum = damaged.check_sums().unwrap_err();
    assert!(sum.what.contains("the checksum of block"), "{sum}");
    assert_eq!(damaged.check_whole(), Err(sum));
    // A file with a wrong digest and valid checksums.
    let mut other = file;
    other[24] ^= 1;
    let sum = crc32fast::hash(&other[..60]).to_le_bytes();
    other[60..64].copy_from_slice(&sum);
    let other = Table::open(other).unwrap();
    assert_eq!(other.check_sums(), Ok(()));
    assert!(other.check_whole().unwrap_err().what.contains("digest"));
}

#[test]
fn a_table_answers_its_positions_and_no_others() {
    let table = Table::open(Parts::fours().file()).unwrap();
    let table = expanding(&table);
    let mut answered = 0;
    for (stones, currentmax) in (0..13).flat_map(|stones| (0..13).map(move |max| (stones, max))) {
        for (turn, imposed) in [(Turn::First, false), (Turn::First, true), (Turn::Second, false)] {
            for resets in [[0, 0], [1, 0], [0, 1]] {
                let position = Position { stones, currentmax, turn, resets, imposed };
                if let Err(error) = table.game().check(&position) {
                    assert_eq!(table.answer(&position), Err(error.clone().into()), "{position}");
                    assert_eq!(table.verdict(&position), Err(error.clone().into()), "{position}");
                    assert_eq!(table.lost_up_to(&position), Err(error.into()), "{position}");
                    continue;
                }
                let depth = (stones / 4 * 2 + u64::from(stones % 4 > 0)) as u32;
                let take = if stones % 4 > 0 { stones % 4 } else { stones.min(1) };
                let best = (take > 0).then_some(Move { take: take as u32, reset: false });
                let verdict = Verdict { outcome: Outcome::from_won(stones % 4 > 0), depth: Some(depth) };
                let answer = table.answer(&position).unwrap();
                assert_eq!((answer.verdict, answer.best), (verdict, best), "{position}");
                assert!(answer.winning.iter().eq(best.filter(|_| verdict.outcome == Outcome::Win)));
                assert_eq!(table.verdict(&position), Ok(verdict), "{position}");
                let multiples = 0b1_0001_0001 & ((2 << stones) - 1);
                assert_eq!(table.lost_up_to(&position), Ok(vec![multiples]), "{position}");
                answered += 1;
            }
        }
    }
    // Up to 10, 9, 8 and 7 stones at currentmax 0, 1, 2 and 3.
    assert_eq!(answered, 3 * (11 + 10 + 9 + 8));
}

#[test]
fn a_best_move_that_is_not_legal_is_damage() {
    let at_one_stone = |step: [u64; 4]| {
        let mut parts = Parts::fours();
        let [depth, take, advance, reset] = step;
        parts.arrays[STEPS][1][..7].copy_from_slice(&[1, 3, depth, take, advance, 0, reset]);
        let table = Table::open(parts.file()).unwrap();
        let table = expanding(&table);
        table.answer(&Position { stones: 1, ..table.game().start(10) }).map(|answer| answer.best)
    };
    assert_eq!(at_one_stone([1, 1, 1, 0]), Ok(Some(Move { take: 1, reset: false })));
    for (step, why) in [
        ([1, 2, 1, 0], "more than there are"),
        ([1, 1, 1, 1], "a reset where none is left"),
        ([1, 0, 0, 0], "none where there are moves"),
    ] {
        let error = at_one_stone(step).unwrap_err().to_string();
        assert!(error.contains("disagree"), "{why}: {error}");
    }
}

#[test]
fn a_table_in_which_all_positions_are_lost_answers_a_finished_game() {
    for (depths, classes) in [(true, 1), (true, 24), (false, 1), (false, 24)] {
        let table = Table::open(Parts::flat(with_rows(), depths, classes).file()).unwrap();
        let table = expanding(&table);
        assert_eq!(table.has_depths(), depths);
        let finished = Position { currentmax: 5, ..table.game().start(0) };
        let verdict = Verdict { outcome: Outcome::Loss, depth: depths.then_some(0) };
        assert_eq!(table.verdict(&finished), Ok(verdict));
        assert_eq!(table.answer(&finished).unwrap().verdict, verdict);
    }
}

#[test]
fn winning_moves_of_more_stones_than_a_word_has_bits_are_found() {
    let keys = ExpandingKeys { base_limit: 100, reset_limit: 70, ..with_rows() };
    let table = Table::open(Parts::flat(ExpandingKeys { stones: 150, ..keys }, false, 1).file()).unwrap();
    let table = expanding(&table);
    for (stones, imposed) in [(150, false), (80, false), (150, true)] {
        let position = Position { stones, imposed, ..table.game().start(0) };
        // Every next position is lost in this table.
        assert!(table.answer(&position).unwrap().winning.iter().eq(table.game().moves(&position)));
    }
}

#[test]
fn the_lost_positions_of_a_line_have_a_bit_each() {
    let keys = ExpandingKeys { stones: 150, ..with_rows() };
    let table = Table::open(Parts::flat(keys, false, 1).file()).unwrap();
    let table = expanding(&table);
    for stones in [0, 62, 63, 64, 127, 128, 150] {
        let words = table.lost_up_to(&table.game().start(stones)).unwrap();
        assert_eq!(words.len() as u64, stones / 64 + 1, "{stones}");
        let (last, full) = words.split_last().unwrap();
        assert!(full.iter().all(|&word| word == u64::MAX), "{stones}");
        assert_eq!(*last, u64::MAX >> (63 - stones % 64), "{stones}");
    }
}

#[test]
fn a_pool_of_bits_with_other_widths_is_refused() {
    let refusal = |value| {
        let mut parts = Parts::fours();
        parts.arrays[BITS][0][0] = value;
        parts.refusal()
    };
    assert_eq!(refusal(1), None);
    assert!(refusal(2).unwrap().contains("the fields of its pool of bits are too wide"));
}

#[test]
fn nonzero_padding_is_refused() {
    for (back, ends_wrong) in [(1, true), (8, true), (9, true), (16, true), (17, false)] {
        // Zeros fill the body, so nothing else is wrong.
        let file = Parts { min_len: 1000, ..Parts::fours() }.file();
        let file = forged::resealed(file, |body| body[body.len() - back] = 1);
        let found = Table::open(file).err().map(|error| error.to_string());
        assert_eq!(found.is_some(), ends_wrong, "{back}");
        assert!(found.is_none_or(|error| error.contains("its last bytes are not zero")), "{back}");
    }
}

#[test]
fn the_number_of_records_must_match_rows_and_classes() {
    let refused = |depths, change: &dyn Fn(&mut [Records; 7])| {
        let mut parts = Parts::flat(with_rows(), depths, 3);
        change(&mut parts.arrays);
        parts.refusal().unwrap()
    };
    let with_more = |array: usize, more: usize| {
        move |arrays: &mut [Records; 7]| {
            let record = arrays[array][0];
            arrays[array].extend(vec![record; more]);
        }
    };
    let number = Parts::flat(with_rows(), true, 1).arrays[OUTCOMES].len();
    for depths in [true, false] {
        // Change the records of outcome lines, but not those of verdict lines.
        assert!(refused(depths, &with_more(CLASSES, 1)).contains("its lines do not fit its ruleset"));
        assert!(refused(depths, &with_more(OUTCOMES, 1)).contains("its lines do not fit its ruleset"));
        assert!(refused(depths, &|arrays| arrays[OUTCOMES].truncate(number - 1)).contains("fewer rows"));
        assert!(refused(depths, &|arrays| arrays[CLASSES].truncate(23)).contains("its lines do not fit"));
    }
    for change in [number, 1] {
        assert!(refused(true, &with_more(VERDICTS, change)).contains("its lines of depths do not fit"));
    }
    assert!(refused(true, &|arrays| arrays[VERDICTS].clear()).contains("its lines of depths do not fit"));
    let depths = |arrays: &mut [Records; 7]| arrays[VERDICTS] = arrays[OUTCOMES].clone();
    assert!(refused(false, &depths).contains("it has lines of depths, but no depths in its header"));
    assert!(
        Parts::flat(with_rows(), false, 25).refusal().unwrap().contains("its lines do not fit its ruleset")
    );
}

#[test]
fn a_line_of_a_class_that_its_row_does_not_have_is_refused() {
    let mut parts = Parts::flat(with_rows(), true, 3);
    for class in [3, 4] {
        parts.arrays[CLASSES][5][0] = class;
        let expected = format!("line 5 is of class {class}, of 3");
        assert!(parts.refusal().unwrap().contains(&expected));
    }
}

#[test]
fn each_row_beyond_65536_takes_four_bytes_of_the_body() {
    assert_eq!([0, 65_536, 65_537, 70_000].map(min_body_len), [0, 0, 4, 17_856]);
    // After a move of m stones, up to 209,998 - m are left, and a move may take m + 70,000: all of them from 69,999 on.
    let keys = ExpandingKeys { stones: 209_998, base_limit: 1, reset_limit: 1, ..Default::default() };
    let keys = ExpandingKeys { growth: 70_000, ..keys };
    let rules = keys.clone().rules().unwrap();
    assert_eq!(ExpandingLayout::count_rows(&rules), 70_000);
    let least = min_body_len(70_000) - PADDING as u64;
    let flat = Parts::flat(keys, false, 1);
    assert_eq!(Parts { min_len: least, ..flat.clone() }.refusal(), None);
    let refusal = Parts { min_len: least - 8, ..flat }.refusal().unwrap();
    assert!(refusal.contains("fewer rows than its ruleset"), "{refusal}");
}
