//! Tables of Expanding Nim in an earlier form, in which lists of marks have no gaps (FORMAT.md, section 2), still open
//! and give right answers. They are in `data/without-gaps`.

use std::fs;

use bouton_generator::{VerifyOptions, generate_in_memory, verify_with};
use bouton_tables::expanding::Expanding;
use bouton_tables::{Ruleset, Table};
use bouton_tests::format_twin::expanding::Twin;
use bouton_tests::seal::Parts;

use super::format_twin::check_file;
use super::old::{check_against_new, check_tables, path, rules_with};

const FOLDER: &str = "without-gaps";

/// Returns the names of the tables with their rules. Names that end in `-bare.bouton` mark tables without depths.
fn tables() -> impl Iterator<Item = (&'static str, Expanding)> {
    let unequal = &["stones=90", "base-limit=1", "growth=3", "reset-limit=1", "resets=0,2"];
    let tables: [(&str, &[&str]); 6] = [
        ("preset.bouton", &["stones=200"]),
        ("preset-bare.bouton", &["stones=200"]),
        // Runs of lost positions that reach over several buckets of marks.
        ("wide-bare.bouton", &["stones=400", "base-limit=32", "growth=80", "reset-limit=16", "resets=1,1"]),
        ("one-row-bare.bouton", &["stones=60", "base-limit=4", "growth=0", "reset-limit=2", "resets=2,1"]),
        ("unequal.bouton", unequal),
        ("unequal-bare.bouton", unequal),
    ];
    tables.into_iter().map(|(name, settings)| (name, rules_with(settings)))
}

#[test]
fn tables_without_gaps_open_and_are_right() {
    let tables = tables().map(|(name, rules)| (name, Ruleset::Expanding(rules)));
    check_tables(FOLDER, tables, |name, table| {
        let header = table.header();
        assert_eq!((table.format(), header.has_gaps, header.has_stairs), (2, false, false), "{name}");
        assert_eq!(header.has_depths, !name.ends_with("-bare.bouton"), "{name}");
    });
}

#[test]
fn tables_without_gaps_answer_as_new_ones() {
    for (name, rules) in tables() {
        let old = Table::map(&path(FOLDER, name)).unwrap();
        let made = generate_in_memory(&old.header().ruleset, old.header().has_depths).unwrap();
        let new = Table::open(made).expect("a fresh table opens");
        assert!(new.header().has_gaps && !old.header().has_gaps, "{name}");
        check_against_new(name, &rules, &old, &new);
    }
}

#[test]
fn both_readers_agree_on_tables_without_gaps() {
    for (name, rules) in tables() {
        check_file(fs::read(path(FOLDER, name)).unwrap(), &rules);
    }
}

#[test]
fn one_table_without_gaps_has_runs_over_several_buckets() {
    let twin = Twin::read(&fs::read(path(FOLDER, "wide-bare.bouton")).unwrap()).unwrap();
    let (outcomes, lists) = (twin.numbers(1), twin.numbers(2));
    let reaches = |list: u64, run: u64| list > 0 && run > 4 * lists[2 * (list as usize - 1) + 1];
    assert!(outcomes.chunks(6).any(|outcome| reaches(outcome[2], outcome[4])));
}

#[test]
fn a_proof_by_lines_refuses_the_same_tables_as_one_by_positions() {
    // In these tables each currentmax above the floor has its own row, even if a move may take all stones.
    for name in ["unequal-bare.bouton", "one-row-bare.bouton"] {
        let valid = Parts::of(&fs::read(path(FOLDER, name)).unwrap());
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
            assert_eq!(is_right(false), by_positions, "bit {bit} of {name}");
            wrong += u32::from(!by_positions);
        }
        assert!(wrong > 100, "{wrong}");
    }
}
