//! Tables of format 1, made before there was another, are opened for ever (FORMAT.md, section 9).

use std::fs;
use std::path::{Path, PathBuf};

use bouton_generator::verify;
use bouton_match::models::ChancesFile;
use bouton_tables::rulesets::{PRESETS, find};
use bouton_tables::{Ruleset, Table, hex};
use bouton_tests::format_twin::{expanding, heaps};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/format-1").join(name)
}

/// The names of the tables, their rulesets, and whether they hold depths.
fn tables() -> Vec<(String, Ruleset, bool)> {
    let ruleset = |preset: &str, settings: &[&str]| {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        find(preset, &settings).unwrap().ruleset
    };
    let mut tables: Vec<_> = PRESETS
        .iter()
        .flat_map(|preset| {
            let named =
                |ending, depths| (format!("{}{ending}", preset.name), ruleset(preset.name, &[]), depths);
            [named(".bouton", true), named("-bare.bouton", false)]
        })
        .collect();
    let other = ["stones=60", "play=misere", "resets=2,1", "reset-limit=2"];
    tables.push(("other.bouton".to_owned(), ruleset("expanding", &other), true));
    let up_to = ["bounds=[4,4,6]", "take=3", "passes=1"];
    tables.push(("up-to.bouton".to_owned(), ruleset("nim", &up_to), true));
    tables
}

#[test]
fn they_open_and_are_right() {
    let mut digests: Vec<String> = Vec::new();
    for (name, ruleset, depths) in tables() {
        let table = Table::map(&path(&name)).unwrap();
        assert_eq!((table.format(), &table.header().ruleset, table.header().depths), (1, &ruleset, depths));
        table.check_whole().unwrap();
        verify(&table, &|_| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
        digests.push(format!("{} {name}\n", hex(&table.digest())));
    }
    digests.sort();
    assert_eq!(digests.concat(), fs::read_to_string(path("digests.txt")).unwrap());
}

#[test]
fn the_second_reader_opens_them_too() {
    for (name, ruleset, _) in tables() {
        let bytes = fs::read(path(&name)).unwrap();
        match ruleset {
            Ruleset::Expanding(_) => drop(expanding::Twin::read(&bytes).unwrap()),
            Ruleset::Heaps(_) => drop(heaps::Twin::read(&bytes).unwrap()),
        }
    }
}

#[test]
fn a_file_of_chances_opens_beside_its_table() {
    let chances = ChancesFile::open(std::fs::read(path("up-to.chances")).unwrap()).unwrap();
    chances.check_whole().unwrap();
    assert_eq!(chances.header().table, Table::map(&path("up-to.bouton")).unwrap().digest());
}
