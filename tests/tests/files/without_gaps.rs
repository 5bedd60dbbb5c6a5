//! Tables of Expanding Nim in format 2, from before lists had gaps, open forever (FORMAT.md, section 2).

use std::fs;

use bouton_generator::{VerifyOptions, generate_in_memory, verify_with};
use bouton_tables::expanding::Expanding;
use bouton_tables::{Ruleset, Table};
use bouton_tests::format_twin::expanding::Twin;
use bouton_tests::seal::Parts;

use super::format_twin::file_reads_the_same;
use super::old::{answers_as_today, are_right, path, rules_with};

const FOLDER: &str = "without-gaps";

/// Returns the names of the tables with their rules. Names that end in `-bare.bouton` mark tables without depths.
fn tables() -> impl Iterator<Item = (&'static str, Expanding)> {
    let unequal = &["stones=90", "base-limit=1", "growth=3", "reset-limit=1", "resets=0,2"];
    let tables: [(&str, &[&str]); 6] = [
        ("preset.bouton", &["stones=200"]),
        ("preset-bare.bouton", &["stones=200"]),
        // Marks that reach over several buckets.
        ("wide-bare.bouton", &["stones=400", "base-limit=32", "growth=80", "reset-limit=16", "resets=1,1"]),
        ("one-row-bare.bouton", &["stones=60", "base-limit=4", "growth=0", "reset-limit=2", "resets=2,1"]),
        ("unequal.bouton", unequal),
        ("unequal-bare.bouton", unequal),
    ];
    tables.into_iter().map(|(name, settings)| (name, rules_with(settings)))
}

#[test]
fn they_open_and_are_right() {
    let tables = tables().map(|(name, rules)| (name, Ruleset::Expanding(rules)));
    are_right(FOLDER, tables, |name, table| {
        let header = table.header();
        assert_eq!((table.format(), header.gaps, header.stairs), (2, false, false), "{name}");
        assert_eq!(header.depths, !name.ends_with("-bare.bouton"), "{name}");
    });
}

#[test]
fn they_answer_as_tables_of_today_do() {
    for (name, rules) in tables() {
        let old = Table::map(&path(FOLDER, name)).unwrap();
        let made = generate_in_memory(&old.header().ruleset, old.header().depths).unwrap();
        let new = Table::open(made).expect("a fresh table opens");
        assert!(new.header().gaps && !old.header().gaps, "{name}");
        answers_as_today(name, &rules, &old, &new);
    }
}

#[test]
fn both_readers_read_them_the_same() {
    for (name, rules) in tables() {
        file_reads_the_same(fs::read(path(FOLDER, name)).unwrap(), &rules);
    }
}

#[test]
fn marks_of_one_table_reach_over_several_buckets() {
    let twin = Twin::read(&fs::read(path(FOLDER, "wide-bare.bouton")).unwrap()).unwrap();
    let (outcomes, lists) = (twin.numbers(1), twin.numbers(2));
    let reaches = |list: u64, run: u64| list > 0 && run > 4 * lists[2 * (list as usize - 1) + 1];
    assert!(outcomes.chunks(6).any(|outcome| reaches(outcome[2], outcome[4])));
}

#[test]
fn a_proof_of_whole_lines_finds_what_one_of_each_position_finds() {
    // In these tables each currentmax has its own row, even if a move may take all stones.
    for name in ["unequal-bare.bouton", "one-row-bare.bouton"] {
        let good = Parts::of(&fs::read(path(FOLDER, name)).unwrap());
        let mut wrong = 0;
        for bit in (0..8 * good.body.len()).step_by(3) {
            let mut parts = good.clone();
            parts.body[bit / 8] ^= 1 << (bit % 8);
            let Ok(table) = Table::open(parts.seal()) else { continue };
            let is_right = |every_position| {
                let options = VerifyOptions { every_position, ..VerifyOptions::default() };
                verify_with(&table, &options, &()).is_ok()
            };
            let each = is_right(true);
            assert_eq!(is_right(false), each, "bit {bit} of {name}");
            wrong += u32::from(!each);
        }
        assert!(wrong > 100, "{wrong}");
    }
}
