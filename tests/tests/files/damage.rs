//! A damaged table never gives a wrong answer: either it does not open, or it refuses to answer from the damaged
//! part. A check of the whole table always finds the damage.

use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tables::heaps::{HeapKeys, HeapRules};
use bouton_tables::{AskError, OpenError, Play, Solved, Table};
use bouton_tests::compare::expanding;
use bouton_tests::games;
use bouton_tests::positions::{self, AnswerOf, Dice, GameUnderTest};
use rayon::prelude::*;

/// A valid table with its answers.
struct ValidTable<G: GameUnderTest> {
    file: Vec<u8>,
    answers: Vec<(G::Position, AnswerOf<G>)>,
}

impl<G: GameUnderTest> ValidTable<G> {
    /// Returns the table of some rules, with its answers at some positions.
    fn new(rules: &G, depths: bool, positions: impl Iterator<Item = G::Position>) -> Self {
        let file = bouton_generator::generate_in_memory(&rules.ruleset(), depths).unwrap();
        let table = Table::open(&file).expect("a valid table opens");
        table.check_whole().expect("a valid table is whole");
        let answer = |position: G::Position| {
            let answer = G::table_of(&table).answer(&position).expect("a valid table answers");
            (position, answer)
        };
        let answers = positions.map(answer).collect();
        Self { file, answers }
    }

    /// Returns the tables with and without depths, with all their answers.
    fn with_and_without_depths(rules: &G) -> [Self; 2] {
        [true, false].map(|depths| Self::new(rules, depths, rules.every()))
    }

    /// Returns a table too long to be checked on opening, with its answers at random positions.
    fn long(rules: &G, questions: usize) -> Self {
        let mut dice = Dice::new(1901);
        let asked: Vec<G::Position> = (0..questions).map(|_| rules.random_position(&mut dice)).collect();
        let valid = Self::new(rules, true, asked.into_iter());
        assert!(valid.body_len() > 128 << 10, "the table is so short that opening checks it");
        valid
    }

    /// Returns the length of the body.
    fn body_len(&self) -> usize {
        u64::from_le_bytes(*self.file[16..].first_chunk().expect("a valid file is long enough")) as usize
    }

    /// Returns the offset of the body.
    fn body_start(&self) -> usize {
        self.file.len() - self.body_len()
    }

    /// Opens a damaged copy. If it opens, checks that each answer is right or refused, and that `check_whole` finds the
    /// damage. Returns the number of refused answers.
    fn check_damaged(&self, damaged: &[u8]) -> Result<usize, OpenError> {
        assert!(damaged != self.file, "the copy is not damaged");
        let table = Table::open(damaged)?;
        let refused =
            self.answers.iter().filter(|(position, right)| match G::table_of(&table).answer(position) {
                Ok(answer) => {
                    assert_eq!(&answer, right, "a wrong answer at {position:?}");
                    false
                }
                Err(AskError::Damaged(_)) => true,
                Err(AskError::Position(error)) => panic!("the table has the position {position:?}: {error}"),
            });
        let refused = refused.count();
        table.check_whole().expect_err("a damaged table is not whole");
        Ok(refused)
    }

    /// Changes every byte that `which` selects to every other value. Returns the number of changed files that opened.
    fn count_opened_changes(&self, which: impl Fn(usize) -> bool) -> usize {
        let offsets: Vec<usize> = (0..self.file.len()).filter(|&at| which(at)).collect();
        let changed = |damaged: &mut Vec<u8>, &at: &usize| {
            let changes = 1..=u8::MAX;
            let opened = changes.filter(|change| {
                damaged[at] = self.file[at] ^ change;
                self.check_damaged(damaged).is_ok()
            });
            let opened = opened.count();
            damaged[at] = self.file[at];
            opened
        };
        offsets.par_iter().map_init(|| self.file.clone(), changed).sum()
    }

    /// Checks that the file does not open if cut at any length, or made longer.
    fn check_every_length(&self) {
        for length in 0..self.file.len() {
            assert!(Table::open(&self.file[..length]).is_err(), "cut at {length} bytes");
        }
        for more in [&[0][..], &[1], &[0; 8], &[0; 4096]] {
            assert!(Table::open([&self.file[..], more].concat()).is_err(), "{} bytes more", more.len());
        }
    }

    /// Changes bytes in every block of a long table, one block at a time, and checks that nearly all changed tables
    /// refuse some answers and give the others.
    fn check_every_block(&self) {
        let starts: Vec<usize> = (self.body_start()..self.file.len()).step_by(4096).collect();
        let checked = starts.par_iter().map(|&start| {
            let mut dice = Dice::new(start as u64);
            let end = (start + 4096).min(self.file.len());
            // A single byte, some bytes, most bytes.
            [1, 30, 4096].map(|bytes| {
                let mut damaged = self.file.clone();
                for _ in 0..bytes {
                    let at = start + dice.up_to((end - start - 1) as u32) as usize;
                    damaged[at] = self.file[at] ^ (1 + dice.up_to(254) as u8);
                }
                self.check_damaged(&damaged)
            })
        });
        let checked: Vec<_> = checked.collect::<Vec<_>>().into_iter().flatten().collect();
        let refused: Vec<usize> =
            checked.iter().filter_map(|checked| checked.as_ref().ok().copied()).collect();
        // Opening reads at most two blocks, each damaged in three ways; questions check the other blocks.
        assert!(refused.len() + 3 * 2 >= checked.len(), "{} of {} open", refused.len(), checked.len());
        let all = self.answers.len();
        let some = refused.iter().filter(|&&refused| 0 < refused && refused < all).count();
        assert!(
            some * 10 > refused.len() * 9,
            "{some} of {} answer some questions and refuse some",
            refused.len()
        );
    }
}

/// Returns rules of Expanding Nim. The reset limit is the base limit, but at most 66.
fn rules(stones: u64, base_limit: u32, growth: u32, resets: [u8; 2], play: Play) -> Expanding {
    ExpandingKeys { stones, base_limit, growth, reset_limit: base_limit.min(66), resets, play }
        .rules()
        .expect("allowed rules")
}

/// Makes small tables of Expanding Nim, each with and without depths.
fn small_tables() -> impl Iterator<Item = ValidTable<Expanding>> {
    let rules = [
        rules(60, 3, 1, [4, 4], Play::Normal),
        rules(40, 3, 2, [1, 0], Play::Misere),
        rules(50, 4, 0, [2, 1], Play::Normal),
        rules(160, 70, 1, [1, 0], Play::Misere),
        rules(1, 1, 0, [0, 0], Play::Normal),
    ];
    rules.into_iter().flat_map(|rules| ValidTable::with_and_without_depths(&rules))
}

/// Makes small tables of heap games, each with and without depths.
fn small_tables_of_heaps() -> impl Iterator<Item = ValidTable<HeapRules>> {
    games::heaps().into_iter().flat_map(|rules| ValidTable::with_and_without_depths(&rules))
}

/// Makes an undamaged table of Expanding Nim that is too long to be checked on opening.
fn long_table() -> ValidTable<Expanding> {
    ValidTable::long(&rules(1000, 3, 5, [4, 4], Play::Normal), 20_000)
}

/// Makes an undamaged table of a heap game that is too long to be checked on opening.
fn long_table_of_heaps() -> ValidTable<HeapRules> {
    // With a pass left, almost no two sets of heaps share a class.
    let rules =
        HeapKeys { bounds: vec![80; 4], passes: 1, ..Default::default() }.rules().expect("allowed rules");
    ValidTable::long(&rules, 3000)
}

#[test]
fn every_byte_of_a_small_table_changed_to_every_other_value_is_noticed_on_opening() {
    small_tables().for_each(|valid| assert_eq!(valid.count_opened_changes(|_| true), 0));
    small_tables_of_heaps().for_each(|valid| assert_eq!(valid.count_opened_changes(|_| true), 0));
}

#[test]
fn small_tables_cut_at_every_length_or_made_longer_do_not_open() {
    small_tables().for_each(|valid| valid.check_every_length());
    small_tables_of_heaps().for_each(|valid| valid.check_every_length());
}

#[test]
fn a_flipped_bit_in_any_byte_of_the_preset_is_noticed_on_opening() {
    for depths in [true, false] {
        let valid = ValidTable::new(&rules(1000, 3, 1, [4, 4], Play::Normal), depths, std::iter::empty());
        let opened = (0..valid.file.len()).into_par_iter().map_init(
            || valid.file.clone(),
            |damaged, at| {
                damaged[at] ^= 1 << (at % 8);
                let opened = valid.check_damaged(damaged).is_ok();
                damaged[at] = valid.file[at];
                opened
            },
        );
        assert!(!opened.any(|opened| opened));
    }
}

#[test]
fn a_long_table_does_not_open_with_any_byte_before_its_body_changed_or_with_another_length() {
    fn check<G: GameUnderTest>(valid: &ValidTable<G>) {
        assert_eq!(valid.count_opened_changes(|at| at < valid.body_start()), 0);
        valid.check_every_length();
    }
    check(&long_table());
    check(&long_table_of_heaps());
}

#[test]
fn a_long_table_refuses_answers_from_a_damaged_block_and_gives_the_others() {
    long_table().check_every_block();
    long_table_of_heaps().check_every_block();
}

#[test]
fn after_damage_each_position_of_a_long_table_gets_the_right_answer_or_none() {
    let valid = long_table();
    let table = Table::open(&valid.file).expect("a valid table opens");
    let rules = expanding(&table).game();
    let mut damaged = valid.file.clone();
    // The steps of flights lie three quarters into the body.
    let at = valid.file.len() - valid.body_len() / 4;
    damaged[at] ^= 0x10;
    let damaged = Table::open(damaged).expect("opening does not read the damaged block");
    let every_one = (0..=rules.greatest_currentmax()).into_par_iter().map(|m| {
        let refused = positions::expanding::every_at(rules, m).filter(|position| {
            match expanding(&damaged).answer(position) {
                Ok(answer) => {
                    assert_eq!(Ok(answer), expanding(&table).answer(position), "{position}");
                    false
                }
                Err(error) => {
                    assert!(matches!(error, AskError::Damaged(_)), "{position}: {error}");
                    true
                }
            }
        });
        refused.count()
    });
    let refused: usize = every_one.sum();
    assert!(0 < refused && (refused as u64) < rules.positions(), "{refused} refused");
}

#[test]
fn swapped_blocks_are_noticed() {
    fn check<G: GameUnderTest>(valid: &ValidTable<G>) {
        let mut damaged = valid.file.clone();
        let (front, back) = damaged.split_at_mut(valid.body_start() + 20 * 4096);
        front[valid.body_start() + 10 * 4096..][..4096].swap_with_slice(&mut back[..4096]);
        assert!(valid.check_damaged(&damaged).expect("opening does not read the swapped blocks") > 0);
    }
    check(&long_table());
    check(&long_table_of_heaps());
}

#[test]
fn a_truncated_file_cannot_be_mapped() {
    let valid = long_table();
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("cut.bouton");
    let length = valid.file.len();
    for length in [0, 1, 7, 8, 63, 64, 65, 4096, length / 2, length - 1] {
        std::fs::write(&path, &valid.file[..length]).expect("the test can write to its folder");
        let error = Table::map(&path).expect_err("it is cut").to_string();
        assert!(error.contains("generate"), "an error says what to do: {error}");
    }
    std::fs::write(&path, &valid.file).expect("the test can write to its folder");
    Table::map(&path).expect("it is whole").check_whole().expect("it is whole");
    assert!(matches!(Table::map(folder.path()), Err(OpenError::Io { .. })), "a folder is no table");
}
