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
        let table = Table::open(&file).expect("a good table opens");
        table.check_whole().expect("a good table is whole");
        let answer = |position: G::Position| {
            let answer = G::table_of(&table).answer(&position).expect("a good table answers");
            (position, answer)
        };
        let answers = positions.map(answer).collect();
        Self { file, answers }
    }

    /// Returns the tables with and without depths, with all their answers.
    fn both(rules: &G) -> [Self; 2] {
        [true, false].map(|depths| Self::new(rules, depths, rules.every()))
    }

    /// Returns a table too long to be checked on opening, with its answers at random positions.
    fn long(rules: &G, questions: usize) -> Self {
        let mut dice = Dice::new(1901);
        let asked: Vec<G::Position> = (0..questions).map(|_| rules.any(&mut dice)).collect();
        let valid = Self::new(rules, true, asked.into_iter());
        assert!(valid.body() > 128 << 10, "the table is checked at once");
        valid
    }

    /// Returns the length of the body.
    fn body(&self) -> usize {
        u64::from_le_bytes(*self.file[16..].first_chunk().expect("a good file is long enough")) as usize
    }

    /// Returns the offset of the body.
    fn at_body(&self) -> usize {
        self.file.len() - self.body()
    }

    /// Opens a damaged copy. If it opens, checks that its answers are right or refused, and that a check of the whole
    /// finds the damage. Returns the number of refused answers.
    fn survives(&self, damaged: &[u8]) -> Result<usize, OpenError> {
        assert!(damaged != self.file, "this is no damage");
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
    fn every_change(&self, which: impl Fn(usize) -> bool) -> usize {
        let places: Vec<usize> = (0..self.file.len()).filter(|&at| which(at)).collect();
        let changed = |damaged: &mut Vec<u8>, &at: &usize| {
            let changes = 1..=u8::MAX;
            let opened = changes.filter(|change| {
                damaged[at] = self.file[at] ^ change;
                self.survives(damaged).is_ok()
            });
            let opened = opened.count();
            damaged[at] = self.file[at];
            opened
        };
        places.par_iter().map_init(|| self.file.clone(), changed).sum()
    }

    /// Cuts the file at every length, and makes it longer.
    fn every_length(&self) {
        for length in 0..self.file.len() {
            assert!(Table::open(&self.file[..length]).is_err(), "cut at {length} bytes");
        }
        for more in [&[0][..], &[1], &[0; 8], &[0; 4096]] {
            assert!(Table::open([&self.file[..], more].concat()).is_err(), "{} bytes more", more.len());
        }
    }

    /// Changes bytes in every block of a long table.
    fn every_block(&self) {
        let starts: Vec<usize> = (self.at_body()..self.file.len()).step_by(4096).collect();
        let survived = starts.par_iter().map(|&start| {
            let mut dice = Dice::new(start as u64);
            let end = (start + 4096).min(self.file.len());
            // A single byte, some bytes, most bytes.
            [1, 30, 4096].map(|bytes| {
                let mut damaged = self.file.clone();
                for _ in 0..bytes {
                    let at = start + dice.up_to((end - start - 1) as u32) as usize;
                    damaged[at] = self.file[at] ^ (1 + dice.up_to(254) as u8);
                }
                self.survives(&damaged)
            })
        });
        let survived: Vec<_> = survived.collect::<Vec<_>>().into_iter().flatten().collect();
        let refused: Vec<usize> =
            survived.iter().filter_map(|survived| survived.as_ref().ok().copied()).collect();
        // Only damage to the directory, which opening reads, prevents opening; other blocks are checked when a
        // question reads them.
        assert!(refused.len() + 3 * 2 >= survived.len(), "{} of {} open", refused.len(), survived.len());
        let all = self.answers.len();
        let some = refused.iter().filter(|&&refused| 0 < refused && refused < all).count();
        assert!(
            some * 10 > refused.len() * 9,
            "{some} of {} answer some questions and refuse some",
            refused.len()
        );
    }
}

fn rules(stones: u32, base_limit: u32, growth: u32, resets: [u8; 2], play: Play) -> Expanding {
    ExpandingKeys { stones, base_limit, growth, reset_limit: base_limit.min(66), resets, play }
        .rules()
        .expect("allowed rules")
}

fn small_tables() -> impl Iterator<Item = ValidTable<Expanding>> {
    let rules = [
        rules(60, 3, 1, [4, 4], Play::Normal),
        rules(40, 3, 2, [1, 0], Play::Misere),
        rules(50, 4, 0, [2, 1], Play::Normal),
        rules(160, 70, 1, [1, 0], Play::Misere),
        rules(1, 1, 0, [0, 0], Play::Normal),
    ];
    rules.into_iter().flat_map(|rules| ValidTable::both(&rules))
}

fn small_tables_of_heaps() -> impl Iterator<Item = ValidTable<HeapRules>> {
    games::heaps().into_iter().flat_map(|rules| ValidTable::both(&rules))
}

fn long_table() -> ValidTable<Expanding> {
    ValidTable::long(&rules(1000, 3, 5, [4, 4], Play::Normal), 20_000)
}

fn long_table_of_heaps() -> ValidTable<HeapRules> {
    // With a pass left, almost no two sets of heaps share a class.
    let rules =
        HeapKeys { bounds: vec![80; 4], passes: 1, ..Default::default() }.rules().expect("allowed rules");
    ValidTable::long(&rules, 3000)
}

#[test]
fn every_byte_of_a_small_table_changed_to_every_other_value_is_noticed_on_opening() {
    small_tables().for_each(|valid| assert_eq!(valid.every_change(|_| true), 0));
    small_tables_of_heaps().for_each(|valid| assert_eq!(valid.every_change(|_| true), 0));
}

#[test]
fn small_tables_cut_at_every_length_or_made_longer_do_not_open() {
    small_tables().for_each(|valid| valid.every_length());
    small_tables_of_heaps().for_each(|valid| valid.every_length());
}

#[test]
fn every_byte_of_the_preset_changed_is_noticed_on_opening() {
    for depths in [true, false] {
        let valid = ValidTable::new(&rules(1000, 3, 1, [4, 4], Play::Normal), depths, std::iter::empty());
        let opened = (0..valid.file.len()).into_par_iter().map_init(
            || valid.file.clone(),
            |damaged, at| {
                damaged[at] ^= 1 << (at % 8);
                let opened = valid.survives(damaged).is_ok();
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
        assert_eq!(valid.every_change(|at| at < valid.at_body()), 0);
        valid.every_length();
    }
    check(&long_table());
    check(&long_table_of_heaps());
}

#[test]
fn a_long_table_refuses_what_lies_in_a_changed_block_and_answers_the_rest_right() {
    long_table().every_block();
    long_table_of_heaps().every_block();
}

#[test]
fn every_position_of_a_long_table_is_answered_right_or_refused() {
    let valid = long_table();
    let table = Table::open(&valid.file).expect("a good table opens");
    let rules = expanding(&table).game();
    let mut damaged = valid.file.clone();
    // The steps of staircases lie three quarters into the body.
    let at = valid.file.len() - valid.body() / 4;
    damaged[at] ^= 0x10;
    let damaged = Table::open(damaged).expect("the damage lies behind the directory");
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
fn blocks_that_have_changed_places_are_noticed() {
    fn check<G: GameUnderTest>(valid: &ValidTable<G>) {
        let mut damaged = valid.file.clone();
        let (front, back) = damaged.split_at_mut(valid.at_body() + 20 * 4096);
        front[valid.at_body() + 10 * 4096..][..4096].swap_with_slice(&mut back[..4096]);
        assert!(valid.survives(&damaged).expect("the directory is whole") > 0);
    }
    check(&long_table());
    check(&long_table_of_heaps());
}

#[test]
fn a_file_cut_short_does_not_open_from_the_disk() {
    let valid = long_table();
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("cut.bouton");
    let length = valid.file.len();
    for kept in [0, 1, 7, 8, 63, 64, 65, 4096, length / 2, length - 1] {
        std::fs::write(&path, &valid.file[..kept]).expect("the folder takes it");
        let error = Table::map(&path).expect_err("it is cut").to_string();
        assert!(error.contains("generate"), "an error says what to do: {error}");
    }
    std::fs::write(&path, &valid.file).expect("the folder takes it");
    Table::map(&path).expect("it is whole").check_whole().expect("it is whole");
    assert!(matches!(Table::map(folder.path()), Err(OpenError::Io { .. })), "a folder is no table");
}
