//! Tables of Expanding Nim in format 2, from before verdicts were staircases with codes, open forever (FORMAT.md,
//! sections 2 and 4.5).

use std::fs;

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::Expanding;
use bouton_tables::{Ruleset, Table};
use bouton_tests::format_twin::expanding::Twin;

use super::format_twin::file_reads_the_same;
use super::old::{answers_as_today, are_right, path, rules_with};

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
fn they_open_and_are_right() {
    let tables = tables().map(|(name, rules)| (name, Ruleset::Expanding(rules)));
    are_right(FOLDER, tables, |name, table| {
        let header = table.header();
        assert_eq!((table.format(), header.depths), (2, true), "{name}");
        assert_eq!((header.gaps, header.stairs), (true, false), "{name}");
    });
}

#[test]
fn they_answer_as_tables_of_today_do() {
    for (name, rules) in tables() {
        let old = Table::map(&path(FOLDER, name)).unwrap();
        let made = generate_in_memory(&old.header().ruleset, true).unwrap();
        let new = Table::open(made).expect("a fresh table opens");
        assert!(new.header().stairs && !old.header().stairs, "{name}");
        answers_as_today(name, &rules, &old, &new);
    }
}

#[test]
fn both_readers_read_them_the_same() {
    for (name, rules) in tables() {
        let file = fs::read(path(FOLDER, name)).unwrap();
        let twin = Twin::read(&file).expect("the document describes old tables too");
        assert!(twin.rules().gaps && !twin.rules().stairs, "{name}");
        file_reads_the_same(file, &rules);
    }
}
