//! Shared helpers for tables that older programs wrote.

use std::fs;
use std::path::{Path, PathBuf};

use bouton_generator::verify;
use bouton_tables::expanding::Expanding;
use bouton_tables::rulesets::find;
use bouton_tables::{Header, MoveSet, Ruleset, Solved, Table, hex};
use bouton_tests::compare::expanding;
use bouton_tests::positions;

/// Returns the path of a file in the tests' data.
pub(crate) fn path(folder: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(folder).join(name)
}

/// Returns the rules of the preset `expanding` with some settings.
pub(crate) fn rules_with(settings: &[&str]) -> Expanding {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let Ruleset::Expanding(rules) = find("expanding", &settings).expect("a preset").ruleset else {
        panic!("rules of Expanding Nim")
    };
    rules
}

/// Checks that the tables of a folder open, have these rulesets, and are right, and that `check` holds for each. Also
/// checks that the folder's list of digests names exactly these tables.
pub(crate) fn check_tables<'a>(
    folder: &str,
    tables: impl IntoIterator<Item = (&'a str, Ruleset)>,
    check: impl Fn(&str, &Table),
) {
    let mut digests: Vec<String> = Vec::new();
    for (name, ruleset) in tables {
        let table = Table::map(&path(folder, name)).unwrap();
        check(name, &table);
        assert_eq!(table.header().ruleset, ruleset, "{name}");
        table.check_whole().unwrap();
        verify(&table, &|_| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
        digests.push(format!("{} {name}\n", hex(&table.digest())));
    }
    digests.sort();
    assert_eq!(digests.concat(), fs::read_to_string(path(folder, "digests.txt")).unwrap());
}

/// Checks that an old table of these rules gives the same answers as a new one.
pub(crate) fn check_against_new(name: &str, rules: &Expanding, old: &Table, new: &Table) {
    let facts = |header: &Header| (header.positions, header.wins, header.deepest);
    assert_eq!(facts(old.header()), facts(new.header()), "{name}");
    let (old, new) = (expanding(old), expanding(new));
    for position in positions::expanding::every(rules) {
        assert_eq!(old.verdict(&position), new.verdict(&position), "{position} of {name}");
        let (old, new) = (old.answer(&position).unwrap(), new.answer(&position).unwrap());
        assert_eq!((old.verdict, old.best), (new.verdict, new.best), "{position} of {name}");
        assert!(old.winning.iter().eq(new.winning.iter()), "{position} of {name}");
    }
}
