//! A small table unpacks itself after many questions, and gives the same answers as before.

use std::fs;

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::Expanding;
use bouton_tables::heaps::{HeapKeys, Position, Take};
use bouton_tables::{Game, Play, Ruleset, Solved, Table};
use bouton_tests::compare::{expanding, heaps};
use bouton_tests::positions;

use super::old::{path, rules_with};

/// Numbers of questions below and above the threshold of unpacking.
const FEW: usize = 250;
const OFTEN: usize = 300;

/// Checks that an unpacked table and a packed one give the same answers.
fn answers_the_same(name: &str, rules: &Expanding, file: &[u8]) {
    let often = Table::open(file).expect("a sound table");
    let often = expanding(&often);
    let start = rules.start(rules.stones());
    (0..OFTEN).for_each(|_| drop(often.answer(&start).expect("it has the start")));
    let positions: Vec<_> = positions::expanding::every(rules).collect();
    for positions in positions.chunks(FEW) {
        let few = Table::open(file).expect("a sound table");
        let few = expanding(&few);
        for position in positions {
            assert_eq!(often.answer(position), few.answer(position), "{position} of {name}");
        }
    }
    let few = Table::open(file).expect("a sound table");
    for position in positions::expanding::outside(rules) {
        let answer = expanding(&few).answer(&position);
        assert!(answer.is_err() && often.answer(&position) == answer, "{position} of {name}");
    }
}

#[test]
fn tables_of_all_kinds_answer_as_before() {
    let games: [&[&str]; 10] = [
        &["stones=150", "resets=2,1"],
        &["stones=60", "base-limit=4", "growth=0", "reset-limit=2"],
        &["stones=90", "base-limit=1", "growth=3", "reset-limit=1", "resets=0,2"],
        // Open rows: from some number of stones on, all currentmax share one.
        &["stones=120", "growth=40", "play=misere", "resets=1,1"],
        &["stones=100", "growth=1000", "resets=0,0"],
        &["stones=70", "growth=9", "resets=1,0"],
        // Moves of more stones than a machine word has bits, and of exactly as many.
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
            answers_the_same(&format!("{settings:?}, depths {depths}"), &rules, &file);
        }
    }
}

#[test]
fn tables_of_older_programs_answer_as_before() {
    let mut tables = 0;
    for folder in ["without-stairs", "without-gaps"] {
        for entry in fs::read_dir(path(folder, "")).expect("a folder of tables") {
            let file = entry.expect("a file").path();
            if file.extension().is_none_or(|extension| extension != "bouton") {
                continue;
            }
            let bytes = fs::read(&file).expect("a table");
            let table = Table::open(&bytes[..]).expect("an old table");
            if let Ruleset::Expanding(rules) = &table.header().ruleset {
                answers_the_same(&file.display().to_string(), rules, &bytes);
                tables += 1;
            }
        }
    }
    assert!(tables > 5, "{tables}");
}

/// A number of questions below the threshold of unpacking for heap tables.
const FEW_OF_HEAPS: usize = 30;

/// Returns heap games in which the reader finds moves in each of its ways.
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
                            heaps_per_move,
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
fn tables_of_heaps_answer_as_before() {
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
            let often = Table::open(&file[..]).expect("a sound table");
            let often = heaps(&often);
            let start = rules.start();
            (0..OFTEN).for_each(|_| drop(often.answer(&start).expect("it has the start")));
            for positions in all.chunks(FEW_OF_HEAPS) {
                let few = Table::open(&file[..]).expect("a sound table");
                let few = heaps(&few);
                for position in positions {
                    assert_eq!(
                        often.answer(position),
                        few.answer(position),
                        "{position:?} {rules:?} {depths}"
                    );
                }
            }
            let few = Table::open(&file[..]).expect("a sound table");
            for position in positions::heaps::outside(&rules) {
                let answer = heaps(&few).answer(&position);
                assert!(answer.is_err() && often.answer(&position) == answer, "{position:?} {rules:?}");
            }
        }
    }
}
