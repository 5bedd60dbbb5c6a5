//! A small table that is asked often is unpacked, and answers as it did before.

use std::fs;

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::Expanding;
use bouton_tables::{Game, Ruleset, Solved, Table};
use bouton_tests::compare::expanding;
use bouton_tests::positions;

use super::old::{path, rules_with};

/// Fewer questions than a table is unpacked at, and more.
const FEW: usize = 250;
const OFTEN: usize = 300;

/// Checks that a table answers as one does of which few questions are asked.
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
    // Positions that it does not have.
    let mut beyond = 0;
    let further = [(40, 0, 0), (0, 40, 0), (1, 1, 1), (u32::MAX / 2, 0, 0), (0, u32::MAX / 2, 0)];
    for (position, (stones, currentmax, resets)) in
        positions.iter().step_by(97).flat_map(|position| further.map(|by| (position, by)))
    {
        let mut other = position.clone();
        other.stones += stones;
        other.currentmax += currentmax;
        other.resets = other.resets.map(|left| left + resets);
        if rules.check(&other).is_err() {
            let few = Table::open(file).expect("a sound table");
            assert_eq!(often.answer(&other), expanding(&few).answer(&other), "{other} of {name}");
            beyond += 1;
        }
    }
    assert!(beyond > 0, "{name}");
}

#[test]
fn tables_of_all_kinds_answer_as_before() {
    let games: [&[&str]; 10] = [
        &["stones=150", "resets=2,1"],
        &["stones=60", "base-limit=4", "growth=0", "reset-limit=2"],
        &["stones=90", "base-limit=1", "growth=3", "reset-limit=1", "resets=0,2"],
        // Rows that are open: from some number of stones taken on all share one.
        &["stones=120", "growth=40", "play=misere", "resets=1,1"],
        &["stones=100", "growth=1000", "resets=0,0"],
        &["stones=70", "growth=9", "resets=1,0"],
        // Moves of more stones than come in a word, and of just as many as a mask has bits.
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
