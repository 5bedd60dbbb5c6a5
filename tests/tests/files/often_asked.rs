//! A small table *unpacks* itself after many questions: it decodes itself into faster arrays in memory. Its answers
//! stay the same. Each test asks one table until it is unpacked, reopens another so often that it stays packed, and
//! compares their answers.

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::Expanding;
use bouton_tables::heaps::{HeapKeys, Position, Take};
use bouton_tables::rulesets::find;
use bouton_tables::{Game, Play, Ruleset, Solved, Table};
use bouton_tests::compare::{expanding, heaps};
use bouton_tests::positions;

/// A number of questions below the threshold of unpacking, `FEW_QUESTIONS` of Expanding Nim.
const FEW: usize = 250;
/// A number of questions above the thresholds of both families.
const MANY: usize = 300;

/// Returns the rules of the preset `expanding` with some settings.
pub(crate) fn rules_with(settings: &[&str]) -> Expanding {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let Ruleset::Expanding(rules) = find("expanding", &settings).expect("a preset").ruleset else {
        panic!("rules of Expanding Nim")
    };
    rules
}

/// Checks that an unpacked table and a packed one give the same answers.
fn check_unpacked(name: &str, rules: &Expanding, file: &[u8]) {
    let unpacked = Table::open(file).expect("a sound table");
    let unpacked = expanding(&unpacked);
    let start = rules.start(rules.stones());
    (0..MANY).for_each(|_| drop(unpacked.answer(&start).expect("it has the start")));
    let positions: Vec<_> = positions::expanding::every(rules).collect();
    for positions in positions.chunks(FEW) {
        let packed = Table::open(file).expect("a sound table");
        let packed = expanding(&packed);
        for position in positions {
            assert_eq!(unpacked.answer(position), packed.answer(position), "{position} of {name}");
        }
    }
    let packed = Table::open(file).expect("a sound table");
    for position in positions::expanding::outside(rules) {
        let answer = expanding(&packed).answer(&position);
        assert!(answer.is_err() && unpacked.answer(&position) == answer, "{position} of {name}");
    }
}

#[test]
fn unpacked_tables_of_expanding_nim_answer_as_packed_ones() {
    let games: [&[&str]; 10] = [
        &["stones=150", "resets=2,1"],
        &["stones=60", "base-limit=4", "growth=0", "reset-limit=2"],
        &["stones=90", "base-limit=1", "growth=3", "reset-limit=1", "resets=0,2"],
        // Open rows that serve many values of currentmax.
        &["stones=120", "growth=40", "play=misere", "resets=1,1"],
        &["stones=100", "growth=1000", "resets=0,0"],
        &["stones=70", "growth=9", "resets=1,0"],
        // Limits above 63, the most stones of a one-word mask (`SHORT`); then a reset limit of exactly 57, the bits of
        // one read (`MAX_READ`), and a base limit of exactly 63.
        &["stones=200", "base-limit=100", "resets=1,0"],
        &["stones=200", "base-limit=150", "reset-limit=100", "growth=80", "resets=0,1"],
        &["stones=150", "base-limit=59", "growth=1", "reset-limit=57", "resets=1,1"],
        &["stones=130", "base-limit=63", "growth=0", "reset-limit=62", "resets=0,0", "play=misere"],
    ];
    for settings in games {
        let rules = rules_with(settings);
        for depths in [true, false] {
            let ruleset = Ruleset::Expanding(rules.clone());
            let file = generate_in_memory(&ruleset, depths).expect("a small table");
            check_unpacked(&format!("{settings:?}, depths {depths}"), &rules, &file);
        }
    }
}

/// A number of questions below the threshold of unpacking of heap tables.
const FEW_HEAP_QUESTIONS: usize = 30;

/// Returns heap games that together use every way in which the reader finds moves.
fn heap_games() -> Vec<HeapKeys> {
    let mut games = Vec::new();
    for bounds in [&[9][..], &[20, 20], &[3, 9], &[7; 3], &[2, 5, 9], &[5; 4], &[3; 5], &[2; 6]] {
        for take in [Take::Any, Take::UpTo(3), Take::exactly(vec![1, 2, 5])] {
            for (play, passes) in [(Play::Normal, 0), (Play::Misere, 0), (Play::Normal, 2)] {
                for heaps_per_move in 1..=3.min(bounds.len() as u32) {
                    for equal_take in if heaps_per_move > 1 { &[false, true][..] } else { &[false] } {
                        let (bounds, take) = (bounds.to_vec(), take.clone());
                        games.push(HeapKeys {
                            bounds,
                            take,
                            heaps_per_move: heaps_per_move.into(),
                            equal_take: *equal_take,
                            passes,
                            play,
                        });
                    }
                }
            }
        }
    }
    games
}

#[test]
fn unpacked_heap_tables_answer_as_packed_ones() {
    for keys in heap_games() {
        let rules = keys.rules().expect("allowed rules");
        let reversed = |position: &Position| {
            let heaps = position.heaps.iter().rev().copied().collect();
            Position { heaps, ..*position }
        };
        let all: Vec<_> =
            positions::heaps::every(&rules).flat_map(|position| [reversed(&position), position]).collect();
        for depths in [true, false] {
            let file = generate_in_memory(&Ruleset::Heaps(rules.clone()), depths).expect("a small table");
            let unpacked = Table::open(&file[..]).expect("a sound table");
            let unpacked = heaps(&unpacked);
            let start = rules.start();
            (0..MANY).for_each(|_| drop(unpacked.answer(&start).expect("it has the start")));
            for positions in all.chunks(FEW_HEAP_QUESTIONS) {
                let packed = Table::open(&file[..]).expect("a sound table");
                let packed = heaps(&packed);
                for position in positions {
                    assert_eq!(
                        unpacked.answer(position),
                        packed.answer(position),
                        "{position:?} {rules:?} {depths}"
                    );
                }
            }
            let packed = Table::open(&file[..]).expect("a sound table");
            for position in positions::heaps::outside(&rules) {
                let answer = heaps(&packed).answer(&position);
                assert!(answer.is_err() && unpacked.answer(&position) == answer, "{position:?} {rules:?}");
            }
        }
    }
}
