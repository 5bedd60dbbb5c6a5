//! Tables of Expanding Nim in format 2 whose verdicts are not staircases (FORMAT.md, sections 2 and 4.5) still open, and
//! give right answers. They are in `data/without-stairs`.

use std::fs;

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::Expanding;
use bouton_tables::{Ruleset, Table};
use bouton_tests::format_twin::expanding::Twin;

use super::format_twin::check_file;
use super::old::{check_against_new, check_tables, path, rules_with};

const FOLDER: &str = "without-stairs";

/// Returns the names of the tables with their rules. All have depths.
fn tables() -> impl Iterator<Item = (&'static str, Expanding)> {
    let tables: [(&str, &[&str]); 4] = [
        ("preset.bouton", &["stones=200"]),
        ("unequal.bouton", &["stones=90", "base-limit=1", "growth=3", "reset-limit=1", "resets=0,2"]),
        ("one-row.bouton", &["stones=60", "base-limit=4", "growth=0", "reset-limit=2", "resets=2,1"]),
        // The last row is open, and shared by many currentmax.
        ("misere-open.bouton", &["stones=120", "growth=40", "play=misere", "resets=1,1"]),
    ];
    tables.into_iter().map(|(name, settings)| (name, rules_with(settings)))
}

#[test]
fn tables_without_stairs_open_and_are_right() {
    let tables = tables().map(|(name, rules)| (name, Ruleset::Expanding(rules)));
    check_tables(FOLDER, tables, |name, table| {
        let header = table.header();
        assert_eq!((table.format(), header.has_depths), (2, true), "{name}");
        assert_eq!((header.has_gaps, header.has_stairs), (true, false), "{name}");
    });
}

#[test]
fn tables_without_stairs_answer_as_new_ones() {
    for (name, rules) in tables() {
        let old = Table::map(&path(FOLDER, name)).unwrap();
        let made = generate_in_memory(&old.header().ruleset, true).unwrap();
        let new = Table::open(made).expect("a fresh table opens");
        assert!(new.header().has_stairs && !old.header().has_stairs, "{name}");
        check_against_new(name, &rules, &old, &new);
    }
}

#[test]
fn both_readers_agree_on_tables_without_stairs() {
    for (name, rules) in tables() {
        let file = fs::read(path(FOLDER, name)).unwrap();
        let twin = Twin::read(&file).expect("the document describes old tables too");
        assert!(twin.rules().gaps && !twin.rules().stairs, "{name}");
        check_file(file, &rules);
    }
}
