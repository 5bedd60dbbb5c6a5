//! Tables of format 1, the first one, still open (FORMAT.md, section 9): those in `data/format-1` are right, and both
//! readers read them.

use std::fs;

use bouton_match::models::ChancesFile;
use bouton_tables::rulesets::{PRESETS, find};
use bouton_tables::{Ruleset, Table};
use bouton_tests::format_twin::{expanding, heaps};

use super::old::{check_tables, path};

const FOLDER: &str = "format-1";

/// Returns the names of the tables with their rulesets, and whether they have depths.
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
fn tables_of_format_1_open_and_are_right() {
    let all = tables();
    let has_depths = |name: &str| all.iter().any(|(of, _, depths)| of == name && *depths);
    check_tables(FOLDER, all.iter().map(|(name, ruleset, _)| (&**name, ruleset.clone())), |name, table| {
        assert_eq!((table.format(), table.header().has_depths), (1, has_depths(name)), "{name}");
    });
}

#[test]
fn the_twin_opens_tables_of_format_1() {
    for (name, ruleset, _) in tables() {
        let bytes = fs::read(path(FOLDER, &name)).unwrap();
        match ruleset {
            Ruleset::Expanding(_) => drop(expanding::Twin::read(&bytes).unwrap()),
            Ruleset::Heaps(_) => drop(heaps::Twin::read(&bytes).unwrap()),
        }
    }
}

#[test]
fn a_file_of_chances_of_format_1_opens_and_names_its_table() {
    let chances = ChancesFile::open(std::fs::read(path(FOLDER, "up-to.chances")).unwrap()).unwrap();
    chances.check_whole().unwrap();
    assert_eq!(chances.header().table, Table::map(&path(FOLDER, "up-to.bouton")).unwrap().digest());
}
