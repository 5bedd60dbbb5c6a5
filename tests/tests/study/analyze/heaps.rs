//! `bouton analyze` on heap games: theorems, Grundy values and quotients, compared with the literature and a naive
//! oracle.

use std::fs;

use bouton_tests::oracle::analysis::heaps::report;
use bouton_tests::oracle::diff::Rules as _;
use bouton_tests::oracle::heaps::{Keys, Rules, Take};
use proptest::prelude::*;
use rayon::prelude::*;
use serde_json::{Value, json};

use bouton_tests::programs::bouton;

use super::{analyze, generate, nearly_equal};

/// The name of the expected theorem with whether it applies, `None` if no theorem is known; and the rules: bounds,
/// take, heaps per move, equal take, passes, misère.
type Case = (Option<(&'static str, bool)>, Keys);

/// Returns the tested games, with the theorems that are known for them.
fn cases() -> Vec<Case> {
    use Take::{Any, Exactly, UpTo};
    let list = |amounts: &[u32]| Exactly(amounts.to_vec());
    let grundy = "Sprague and Grundy";
    vec![
        (Some(("Bouton", true)), (vec![3, 5, 7], Any, 1, false, 0, false)),
        (Some(("Bouton", true)), (vec![20], Any, 1, false, 0, false)),
        (Some(("Bouton, misère", true)), (vec![3, 5, 7], Any, 1, false, 0, true)),
        (Some(("Bouton, misère", true)), (vec![4; 4], Any, 1, false, 0, true)),
        (Some((grundy, true)), (vec![60], list(&[1, 3, 4]), 1, false, 0, false)),
        // Bounds with one and a half periods, with two, and with enough values to prove that the period continues
        // forever.
        (Some((grundy, true)), (vec![10], list(&[4, 3, 1]), 1, false, 0, false)),
        (Some((grundy, true)), (vec![13], list(&[4, 3, 1]), 1, false, 0, false)),
        (Some((grundy, true)), (vec![25], list(&[1, 9, 10]), 1, false, 0, false)),
        (Some((grundy, true)), (vec![1200], list(&[3, 100, 101]), 1, false, 0, false)),
        (Some((grundy, true)), (vec![1500], list(&[700, 701, 2]), 1, false, 0, false)),
        (Some((grundy, true)), (vec![12, 30], list(&[2, 5, 7]), 1, false, 0, false)),
        (Some((grundy, true)), (vec![12, 10, 11], UpTo(3), 1, false, 0, false)),
        (Some((grundy, true)), (vec![9, 40], list(&[2]), 1, false, 0, false)),
        (Some(("Bachet", true)), (vec![21], UpTo(3), 1, false, 0, true)),
        (Some(("Bachet", true)), (vec![100], UpTo(10), 1, false, 0, false)),
        (Some(("Bachet", true)), (vec![9], UpTo(1), 1, false, 0, true)),
        (Some(("Bachet", true)), (vec![5], UpTo(9), 1, false, 0, true)),
        (Some(("Bachet", false)), (vec![21], UpTo(3), 1, false, 2, true)),
        // Nothing can ever be taken.
        (Some((grundy, true)), (vec![4, 5], list(&[9]), 1, false, 0, false)),
        (Some(("Moore", true)), (vec![5, 5, 5, 5], Any, 2, false, 0, false)),
        (Some(("Moore", true)), (vec![2, 3, 4, 5], Any, 3, false, 0, false)),
        (Some(("Moore", true)), (vec![9, 8], Any, 2, false, 0, false)),
        (Some(("Wythoff", true)), (vec![20, 20], Any, 2, true, 0, false)),
        (Some(("Wythoff", true)), (vec![9, 30], Any, 2, true, 0, false)),
        // The same games with passes, or in misère play: the theorem has exceptions.
        (Some(("Bouton", false)), (vec![7, 7, 7], Any, 1, false, 1, false)),
        (Some(("Bouton, misère", false)), (vec![5, 6, 6], Any, 1, false, 2, true)),
        (Some((grundy, false)), (vec![12, 12], list(&[1, 3, 4]), 1, false, 0, true)),
        (Some((grundy, false)), (vec![15, 15], UpTo(4), 1, false, 3, false)),
        (Some(("Moore", false)), (vec![5, 5, 5], Any, 2, false, 0, true)),
        (Some(("Moore", false)), (vec![5, 5, 5], Any, 2, false, 1, false)),
        (Some(("Wythoff", false)), (vec![12, 12], Any, 2, true, 0, true)),
        (Some(("Wythoff", false)), (vec![12, 12], Any, 2, true, 1, false)),
        (Some(("Wythoff", false)), (vec![12, 12], Any, 2, true, 2, true)),
        // No theorem is known for games like these.
        (None, (vec![6, 6, 6], Any, 2, true, 0, false)),
        (None, (vec![6, 6], UpTo(3), 2, true, 0, false)),
        (None, (vec![6, 6, 6], list(&[1, 2]), 2, false, 0, false)),
        (None, (vec![6, 6, 6], UpTo(2), 3, true, 1, true)),
    ]
}

/// Checks that the report names the theorem of the case, and no exception to a theorem that applies.
fn check_theorem((theorem, keys): &Case) {
    let expected = check_report(&Rules::from(keys.clone()));
    let named = theorem.map(|(name, applies)| (json!(name), json!(applies)));
    let theory = expected["theory"].as_object();
    assert_eq!(theory.map(|theory| (theory["name"].clone(), theory["applies"].clone())), named);
    if named.is_some() {
        let none = expected["theory"]["exceptions"] == 0;
        assert!(none || expected["theory"]["applies"] == false, "a theorem holds: {expected}");
    }
}

/// Compares the program's report on a game with the oracle's, and returns it.
fn check_report(rules: &Rules) -> Value {
    let here = tempfile::tempdir().expect("a folder can be made");
    fs::write(here.path().join("t.toml"), rules.toml()).expect("it can be written");
    let digest = generate(here.path(), "t.bouton", &["t.toml"]);
    // A ruleset is solved without depths, which the report does not use.
    let bare = generate(here.path(), "bare.bouton", &["t.toml", "--no-depth"]);
    let mut expected = report(rules);
    for (table, digest) in [("t.toml", &bare), ("bare.bouton", &bare), ("t.bouton", &digest)] {
        expected["digest"] = digest.clone();
        let mut found = analyze(here.path(), &[table]);
        if let Some(grundy) = found["grundy"].as_object_mut() {
            let checked = grundy.remove("checked").and_then(|pairs| pairs.as_u64()).expect("a number");
            let pairs = pairs(rules);
            assert!((1..=pairs).contains(&checked), "{checked} of {pairs}: {rules:?}");
        }
        for (key, value) in expected.as_object().expect("an object") {
            assert!(
                found.get(key).is_some_and(|found| nearly_equal(found, value)),
                "{key} of {found}\n{expected}\n{rules:?}"
            );
        }
        assert!(nearly_equal(&found, &expected), "{found}\n{expected}\n{rules:?}");
    }
    expected
}

/// Returns the number of pairs of sizes of the two largest heaps, with the smaller size first; with a single heap the
/// other one is empty.
fn pairs(rules: &Rules) -> u64 {
    let mut bounds = [&rules.bounds[..], &[0]].concat();
    bounds.sort_by(|a, b| b.cmp(a));
    let (largest, second) = (bounds[0], bounds[1]);
    let pairs = (0..=second).flat_map(|smaller| (smaller..=largest).map(move |larger| (smaller, larger)));
    pairs.count() as u64
}

#[test]
fn theorems_and_grundy_values_agree_with_the_literature() {
    cases().par_iter().for_each(check_theorem);
}

#[test]
fn presets_agree_with_their_theorems() {
    let here = tempfile::tempdir().expect("a folder can be made");
    for (preset, name, applies) in [
        ("sticks", "Bouton, misère", true),
        ("marienbad", "Bouton, misère", true),
        ("nim", "Bouton", true),
        ("nim-misere", "Bouton, misère", true),
        ("subtraction", "Sprague and Grundy", true),
        ("moore", "Moore", true),
        ("wythoff", "Wythoff", true),
        ("nim-pass", "Bouton", false),
    ] {
        let found = analyze(here.path(), &[preset]);
        let theory = &found["theory"];
        assert_eq!((&theory["name"], &theory["applies"]), (&json!(name), &json!(applies)), "{preset}");
        assert_eq!(theory["checked"], found["positions"], "{preset}");
        let exceptions = theory["exceptions"].as_u64().expect("a number");
        assert_eq!((exceptions > 0, theory["first_exception"].is_null()), (!applies, applies), "{found}");
    }
    // The values are 0, 1, 0, 1, 2, 3, 2, and then repeat.
    let grundy = &analyze(here.path(), &["subtraction"])["grundy"];
    assert_eq!([&grundy["greatest"], &grundy["preperiod"], &grundy["period"]], [3, 0, 7]);
    assert_eq!(analyze(here.path(), &["nim-pass"])["grundy"], Value::Null);
}

/// Returns random rules of small heap games.
fn any_keys() -> impl Strategy<Value = Keys> {
    let bounds = prop::collection::vec(1..=9_u32, 1..=3).prop_map(|mut bounds| {
        // The more heaps, the smaller the bounds.
        let max = [150, 20, 8][bounds.len() - 1];
        bounds.iter_mut().for_each(|bound| *bound = (*bound * max / 9).max(1));
        bounds
    });
    let amounts = prop::collection::btree_set(1..=12_u32, 1..=4);
    // Mostly lists, because each list has its own period.
    let take = prop_oneof![
        1 => Just(Take::Any),
        1 => (1..=12_u32).prop_map(Take::UpTo),
        4 => amounts.prop_map(|amounts| Take::Exactly(amounts.into_iter().collect())),
    ];
    (bounds, take, 0..8_usize, any::<bool>(), 0..6_u32, 0..4_u32).prop_map(
        |(bounds, take, per_move, equal, passes, play)| {
            // With most values of each key, single heaps have Grundy values.
            let per_move = per_move.saturating_sub(4).clamp(1, bounds.len());
            (bounds, take, per_move, equal && per_move > 1, passes.saturating_sub(3), play == 0)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games_agree_with_the_oracle(keys in any_keys()) {
        check_report(&Rules::from(keys));
    }
}

#[test]
fn the_reason_for_heaps_without_grundy_values_is_printed_once() {
    let here = tempfile::tempdir().expect("a folder can be made");
    for (args, reason) in [
        (&["nim-pass", "--set", "size=4"][..], "by themselves: its passes belong to no heap."),
        (&["nim-misere", "--set", "size=3"], "by themselves: it is in misère play."),
        (&["moore", "--set", "size=4"], "by themselves: a move may take from several heaps."),
    ] {
        let ran = bouton(here.path(), &[&["analyze", "--quiet"], args].concat());
        let printed = ran.stdout.replace('\n', " ");
        assert!(ran.status == Some(0) && printed.contains(reason), "{args:?}: {printed}");
        assert_eq!(printed.matches("by themselves").count(), 1, "{printed}");
    }
}

#[test]
fn the_quotient_of_misere_nim_is_reported_as_json_and_one_with_passes_is_refused() {
    let here = tempfile::tempdir().expect("a folder can be made");
    let found = analyze(here.path(), &["nim-misere", "--set", "bounds=[2,2]", "--quotient"]);
    // The quotient T2 of Plambeck and Siegel: a^2 = 1, b^3 = b; a and b^2 are lost.
    assert_eq!(
        found["quotient"],
        json!({
            "elements": ["1", "a", "b", "ab", "b^2", "ab^2"],
            "lost": [1, 4],
            "heaps": [0, 1, 2],
            "products": [
                [0, 1, 2, 3, 4, 5],
                [1, 0, 3, 2, 5, 4],
                [2, 3, 4, 5, 2, 3],
                [3, 2, 5, 4, 3, 2],
                [4, 5, 2, 3, 4, 5],
                [5, 4, 3, 2, 5, 4],
            ],
        })
    );
    let ran = bouton(here.path(), &["analyze", "nim-pass", "--quotient", "-q"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("games without passes"), "{}", ran.stderr);
}

#[test]
fn long_lists_of_amounts_are_shortened_with_their_length() {
    let here = tempfile::tempdir().expect("a folder can be made");
    let amounts = |first: u32| {
        (first..first + 3000).map(|amount| (2 * amount).to_string()).collect::<Vec<_>>().join(", ")
    };
    for (file, first) in [("one.toml", 1), ("other.toml", 2)] {
        let text =
            format!("game = \"heaps\"\nbounds = [50]\nplay = \"normal\"\ntake = [{}]\n", amounts(first));
        fs::write(here.path().join(file), text).expect("it can be written");
    }
    let ran = |args: &[&str], status| {
        let ran = bouton(here.path(), args);
        assert_eq!(ran.status, Some(status), "{args:?}: {}", ran.stderr);
        assert!(ran.stdout.len() + ran.stderr.len() < 8000, "{args:?}: {} {}", ran.stdout, ran.stderr);
        ran.stdout.replace('\n', " ") + &ran.stderr
    };
    ran(&["generate", "one.toml", "-q"], 0);
    let info = ran(&["info", "one.bouton"], 0);
    assert!(info.contains("take = 2, 4, 6 ... 6000 (3000 amounts)"), "{info}");
    ran(&["analyze", "one.bouton", "-q"], 0);
    let diff = ran(&["diff", "one.toml", "other.toml"], 1);
    assert!(diff.contains("4, 6, 8 ... 6002 (3000 amounts) in B"), "{diff}");
    let setting = format!("take=[{}]", amounts(1));
    ran(&["analyze", "nim", "--set", "bounds=[50]", "--set", &setting, "-q"], 0);
    ran(&["export", "one.bouton", "-f", "cgsuite", "--where", "total=..5", "-q"], 0);
    ran(&["generate", "one.toml", "--set", "take=[1, 1]", "-q"], 2);
}
