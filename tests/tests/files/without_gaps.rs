//! Tables of Expanding Nim in format 2 from before their lists had gaps are opened for ever (FORMAT.md, section 2).

use std::fs;
use std::path::{Path, PathBuf};

use bouton_generator::{VerifyOptions, generate_in_memory, verify, verify_with};
use bouton_tables::expanding::Expanding;
use bouton_tables::rulesets::find;
use bouton_tables::{Header, MoveSet, Ruleset, Solved, Table, hex};
use bouton_tests::compare::expanding;
use bouton_tests::format_twin::expanding::Twin;
use bouton_tests::positions;
use bouton_tests::seal::Parts;

use super::format_twin::file_reads_the_same;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/without-gaps").join(name)
}

/// The names of the tables, and their rules. Those that end in `-bare` have no depths.
fn tables() -> impl Iterator<Item = (&'static str, Expanding)> {
    let unequal = &["stones=90", "base-limit=1", "growth=3", "reset-limit=1", "resets=0,2"];
    let tables: [(&str, &[&str]); 6] = [
        ("preset", &["stones=200"]),
        ("preset-bare", &["stones=200"]),
        // Marks that reach over several buckets.
        ("wide-bare", &["stones=400", "base-limit=32", "growth=80", "reset-limit=16", "resets=1,1"]),
        ("one-row-bare", &["stones=60", "base-limit=4", "growth=0", "reset-limit=2", "resets=2,1"]),
        ("unequal", unequal),
        ("unequal-bare", unequal),
    ];
    tables.into_iter().map(|(name, settings)| (name, rules_with(settings)))
}

/// The preset's rules with some settings.
pub(crate) fn rules_with(settings: &[&str]) -> Expanding {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let Ruleset::Expanding(rules) = find("expanding", &settings).expect("a preset").ruleset else {
        panic!("rules of Expanding Nim")
    };
    rules
}

/// Checks that an old table of these rules answers as a new one does.
pub(crate) fn answers_as_today<A: AsRef<[u8]>, B: AsRef<[u8]>>(
    name: &str,
    rules: &Expanding,
    old: &Table<A>,
    new: &Table<B>,
) {
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

#[test]
fn they_open_and_are_right() {
    let mut digests: Vec<String> = Vec::new();
    for (name, rules) in tables() {
        let table = Table::map(&path(&format!("{name}.bouton"))).unwrap();
        let header = table.header();
        assert_eq!((table.format(), header.gaps, header.depths), (2, false, !name.ends_with("-bare")));
        assert!(!header.stairs, "{name}");
        assert_eq!(header.ruleset, Ruleset::Expanding(rules));
        table.check_whole().unwrap();
        verify(&table, &|_| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
        digests.push(format!("{} {name}.bouton\n", hex(&table.digest())));
    }
    digests.sort();
    assert_eq!(digests.concat(), fs::read_to_string(path("digests.txt")).unwrap());
}

#[test]
fn they_answer_as_tables_of_today_do() {
    for (name, rules) in tables() {
        let old = Table::map(&path(&format!("{name}.bouton"))).unwrap();
        let made = generate_in_memory(&old.header().ruleset, old.header().depths).unwrap();
        let new = Table::open(made).expect("a fresh table opens");
        assert!(new.header().gaps && !old.header().gaps, "{name}");
        answers_as_today(name, &rules, &old, &new);
    }
}

#[test]
fn both_readers_read_them_the_same() {
    for (name, rules) in tables() {
        file_reads_the_same(fs::read(path(&format!("{name}.bouton"))).unwrap(), &rules);
    }
}

#[test]
fn in_one_of_them_marks_reach_over_several_buckets() {
    let twin = Twin::read(&fs::read(path("wide-bare.bouton")).unwrap()).unwrap();
    let (outcomes, lists) = (twin.numbers(1), twin.numbers(2));
    let reaches = |list: u64, run: u64| list > 0 && run > 4 * lists[2 * (list as usize - 1) + 1];
    assert!(outcomes.chunks(6).any(|outcome| reaches(outcome[2], outcome[4])));
}

#[test]
fn a_proof_of_whole_lines_finds_what_one_of_each_position_finds() {
    // Each currentmax has a row of its own here, also those at which all may be taken.
    for name in ["unequal-bare.bouton", "one-row-bare.bouton"] {
        let good = Parts::of(&fs::read(path(name)).unwrap());
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
