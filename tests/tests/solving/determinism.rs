//! The same ruleset gives the same bytes with any number of threads, and the presets have the same digests as in earlier
//! versions (`tests/golden/digests.txt`).

use std::fs;
use std::path::Path;

use bouton_match::models::Chances;
use bouton_match::{Playable, Solution};
use bouton_tables::{Ruleset, Table, hex, rulesets};
use rayon::ThreadPoolBuilder;

/// Makes the table of a ruleset with this many threads.
fn generate_with(threads: usize, ruleset: &Ruleset, depths: bool) -> Vec<u8> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("the threads start");
    pool.install(|| bouton_generator::generate_in_memory(ruleset, depths).unwrap())
}

/// Returns a preset with changed settings.
fn ruleset(preset: &str, settings: &[&str]) -> Ruleset {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    rulesets::find(preset, &settings).expect("an allowed ruleset").ruleset
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let descending = ruleset("nim", &["heaps=4", "size=40", "take=[1,2,5,12]"]);
    let rulesets = [
        ruleset("expanding", &[]),
        ruleset("expanding", &["stones=200", "play=misere", "resets=[3,1]"]),
        ruleset("expanding", &["stones=300", "growth=0", "base-limit=5"]),
        // More lines than are packed at once.
        ruleset("expanding", &["growth=5"]),
        // More resets than a machine word has bits.
        ruleset("expanding", &["stones=60", "resets=[9,8]"]),
        ruleset("expanding", &["stones=1"]),
        // Take any: with more heaps than are processed at once, with passes, and from several heaps.
        ruleset("sticks", &[]),
        ruleset("nim", &["size=15"]),
        ruleset("nim-misere", &["size=9", "passes=1"]),
        ruleset("nim-pass", &["size=100"]),
        ruleset("nim-pass", &["bounds=[3,20,20,31]", "passes=2", "play=misere"]),
        ruleset("moore", &["size=9"]),
        ruleset("wythoff", &["size=90"]),
        // Few amounts, from one heap and from several.
        ruleset("subtraction", &[]),
        ruleset("subtraction", &["take=3", "bounds=[9,30,50]", "passes=2", "play=misere"]),
        ruleset("subtraction", &["heaps=1", "size=2000"]),
        ruleset("moore", &["take=2", "size=12", "passes=1"]),
        ruleset("wythoff", &["take=[1,3,4]", "size=120", "play=misere"]),
        // Heaps in descending order, with depths.
        descending.clone(),
    ];
    let table = Table::open(generate_with(1, &descending, true)).expect("a fresh table opens");
    assert!(table.header().layout.is_descending);
    for ruleset in &rulesets {
        for depths in [true, false] {
            let expected = generate_with(1, ruleset, depths);
            for threads in [2, 7] {
                assert!(
                    generate_with(threads, ruleset, depths) == expected,
                    "{ruleset:?}, {threads} threads, depths {depths}"
                );
            }
        }
    }
}

#[test]
fn files_of_chances_do_not_depend_on_the_number_of_threads() {
    fn chances_with<F: Playable>(threads: usize, rules: &F, model: &str) -> Vec<u8> {
        let model = model.parse().expect("a model");
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("the threads start");
        pool.install(|| {
            let solution = Solution::solve(rules).unwrap();
            let chances = Chances::compute(&solution, &model, &()).expect("it is not too large");
            chances.to_file(&solution).expect("the table is whole")
        })
    }
    for threads in [2, 7] {
        for (preset, model) in [("expanding", "0.7*misread:0.05+0.3*err:0.2"), ("nim", "err:0.1/random/last")]
        {
            let ruleset = ruleset(preset, &[]);
            let same = match &ruleset {
                Ruleset::Expanding(rules) => {
                    chances_with(threads, rules, model) == chances_with(1, rules, model)
                }
                Ruleset::Heaps(rules) => chances_with(threads, rules, model) == chances_with(1, rules, model),
            };
            assert!(same, "{preset}, {threads} threads");
        }
    }
}

#[test]
fn the_digests_of_the_presets_are_the_golden_ones() {
    let golden = include_str!("../../golden/digests.txt");
    let mut found = String::new();
    for preset in rulesets::PRESETS {
        for (depths, word) in [(true, "depths"), (false, "no-depths")] {
            let file = bouton_generator::generate_in_memory(&ruleset(preset.name, &[]), depths).unwrap();
            let table = Table::open(file).expect("a fresh table opens");
            table.check_whole().expect("a fresh table is whole");
            found += &format!("{} {word} {}\n", preset.name, hex(&table.digest()));
        }
    }
    assert!(
        found == golden,
        "the tables of the presets have changed.\n\
         If the format or the encoder was changed on purpose, update tests/golden/digests.txt with these lines:\n\n{found}"
    );
}

#[test]
fn the_tables_in_the_test_data_are_those_that_the_generator_makes() {
    let other = ["stones=60", "play=misere", "resets=2,1", "reset-limit=2"];
    let up_to = ["bounds=[4,4,6]", "take=3", "passes=1"];
    for (name, ruleset, depths) in [
        ("expanding", ruleset("expanding", &[]), true),
        ("expanding-bare", ruleset("expanding", &[]), false),
        ("other", ruleset("expanding", &other), true),
        ("moore", ruleset("moore", &[]), true),
        ("nim", ruleset("nim", &[]), true),
        ("nim-pass", ruleset("nim-pass", &[]), true),
        ("nim-pass-bare", ruleset("nim-pass", &[]), false),
        ("sticks", ruleset("sticks", &[]), true),
        ("up-to", ruleset("nim", &up_to), true),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/tables").join(format!("{name}.bouton"));
        let made = bouton_generator::generate_in_memory(&ruleset, depths).unwrap();
        assert!(fs::read(path).expect("a table") == made, "{name}: to update it, generate it");
    }
}
