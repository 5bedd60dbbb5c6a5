//! `--estimate` predicts the memory for making a table and the length of the file: at least as much as is used (95 %
//! for files), and at most twice as much.

use bouton_tests::programs::{bouton, run_within};
#[cfg(target_os = "linux")]
use bouton_tests::programs::{peak_memory, start_bouton};

/// Rulesets of many kinds: small and large ones for each solver, with and without depths.
const RULESETS: [&str; 45] = [
    "expanding",
    "expanding --no-depth",
    "expanding --set stones=100",
    "expanding --set stones=10000",
    "expanding --set stones=10000 --no-depth",
    "expanding --set stones=100000 --no-depth",
    "expanding --set resets=15,15",
    "expanding --set growth=30",
    "expanding --set growth=100 --set stones=5000",
    "expanding --set growth=300 --set stones=10000 --no-depth",
    "expanding --set growth=3 --set stones=1000000 --set play=misere --no-depth",
    "expanding --set growth=1000000",
    "expanding --set growth=1000000 --no-depth",
    "expanding --set stones=11 --set base-limit=1000000000",
    "expanding --set stones=500 --set base-limit=40 --set growth=40 --set resets=7,7",
    "expanding --set stones=5000 --set growth=0 --set resets=3,3",
    "expanding --set stones=2000 --set play=misere --set growth=3",
    "expanding --set stones=3000 --set growth=7 --set resets=1,0 --set base-limit=10",
    "sticks",
    "nim-misere",
    "moore",
    "wythoff",
    "nim-pass",
    "subtraction",
    "nim --set heaps=6 --set size=63",
    "nim --set heaps=6 --set size=63 --no-depth",
    "nim --set heaps=4 --set size=100",
    "nim --set bounds=[10000000]",
    "nim --set bounds=[10000000] --set take=5",
    "nim --set bounds=[3000000,3000000] --no-depth",
    "nim --set bounds=[10000000] --set take=5 --no-depth",
    "nim --set heaps=5 --set size=79 --set take=[1,2,5,12] --no-depth",
    "nim --set heaps=4 --set size=79 --set take=[1,2,5,12]",
    "nim --set heaps=5 --set size=59 --set take=[1,2,5,12]",
    // Files whose length does not grow in proportion to that of smaller games.
    "nim --set heaps=5 --set size=63 --set take=[2,4,7]",
    "nim --set heaps=7 --set size=40",
    "nim --set heaps=8 --set size=31",
    "nim --set heaps=5 --set size=50 --set take=[1,3,4] --no-depth",
    "nim --set heaps=3 --set size=200 --set passes=2",
    "nim --set heaps=3 --set size=300 --set take=[1,3,4] --set passes=1 --no-depth",
    "nim --set heaps=4 --set size=20 --set heaps-per-move=2",
    "nim --set heaps=16 --set size=3",
    "nim --set bounds=[3,3,1000,1000]",
    "nim --set heaps=5 --set size=40 --set play=misere --set passes=1",
    "nim --set bounds=[5,10,20,40,80] --set play=misere",
];

/// Returns the number of bytes after a label in the output of `--estimate` and `generate`.
fn bytes(printed: &str, label: &str) -> f64 {
    let line =
        printed.lines().find_map(|line| line.trim().strip_prefix(label)).expect("the label is printed");
    let mut words = line.split_whitespace().filter(|&word| word != "about");
    let number: f64 = words.next().expect("a number").replace(',', "").parse().expect("a number");
    let units = ["bytes", "KiB", "MiB", "GiB"];
    let unit = words.next().map(|unit| unit.trim_end_matches(','));
    let unit = unit.and_then(|unit| units.iter().position(|&other| other == unit)).expect("a unit");
    number * 1024_f64.powi(unit as i32)
}

#[test]
#[cfg(target_os = "linux")]
fn memory_and_file_take_at_least_half_of_the_estimate_and_hardly_more_than_it() {
    let here = tempfile::tempdir().unwrap();
    for ruleset in RULESETS {
        let run = |more: &[&str]| {
            let args = ["generate", "--threads", "2"].into_iter().chain(ruleset.split(' '));
            let ran = bouton(here.path(), &args.chain(more.iter().copied()).collect::<Vec<_>>());
            assert_eq!(ran.status, Some(0), "{ruleset}: {ran:?}");
            ran.stdout
        };
        let estimated = run(&["--estimate"]);
        assert!(estimated.contains("\ntime       about "), "{estimated}");
        let used = run(&["-o", "t.bouton", "--force"]);
        // File lengths are printed with one decimal, so 5 % less is allowed. `profile.test` in Cargo.toml builds the
        // generator as one codegen unit: built as several, a program takes a MiB more, and may exceed the estimate.
        for (estimate_word, used_word, least) in [("memory", "memory", 1.0), ("file", "size", 0.95)] {
            let (estimated, used) = (bytes(&estimated, estimate_word), bytes(&used, used_word));
            let ratio = estimated / used;
            assert!(
                (least..=2.0).contains(&ratio),
                "{estimate_word}, {ruleset}: {estimated} bytes estimated, {used} taken: {ratio}"
            );
        }
    }
}

#[test]
fn a_table_estimated_as_too_large_is_tried_with_allow_memory() {
    let here = tempfile::tempdir().unwrap();
    let limit = 380 << 20;
    let sets = ["--set", "bounds=[15000000]", "--set", "take=5", "--set", "passes=1"];
    let args = [&["generate", "nim", "-o", "t.bouton"][..], &sets].concat();
    let refused = run_within(limit, "bouton", here.path(), &args);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("of memory, and"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--allow-memory"), "{}", refused.stderr);
    assert_eq!(std::fs::read_dir(here.path()).unwrap().count(), 0);
    // The program tries it, and the end shows whether it succeeded.
    let tried = run_within(limit, "bouton", here.path(), &[&args[..], &["--allow-memory"]].concat());
    assert!(!tried.stderr.contains(" of memory, and "), "{tried:?}");
    assert!(matches!(tried.status, Some(0 | 2)) && !tried.stderr.contains("panicked"), "{tried:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn under_a_limit_of_address_space_a_run_is_refused_or_uses_a_work_folder() {
    let here = tempfile::tempdir().unwrap();
    // The blocks are large, and each of two threads takes address space.
    let args = [
        "generate",
        "nim",
        "--set",
        "heaps=10",
        "--set",
        "size=22",
        "--threads",
        "2",
        "-o",
        "t.bouton",
        "--force",
    ];
    let (mut refused, mut in_folder, mut made) = (0, 0, 0);
    for limit in [160, 220, 240, 260, 280, 300, 320, 400] {
        let ran = run_within(limit << 20, "bouton", here.path(), &args);
        if ran.status == Some(0) {
            made += 1;
            in_folder += u32::from(ran.stdout.contains("are kept in t.bouton.work"));
        } else {
            // Refused before the run began.
            refused += 1;
            assert!(ran.status == Some(2) && ran.stderr.contains(" are available; "), "{limit}: {ran:?}");
        }
    }
    assert!(refused > 0 && in_folder > 0 && made > in_folder, "{refused}, {in_folder}, {made}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_refused_run_stays_within_its_memory() {
    let here = tempfile::tempdir().unwrap();
    let games: [&[&str]; 4] = [
        &["moore", "--set", "heaps=3", "--set", "size=100"],
        &["nim", "--set", "heaps=3", "--set", "size=100", "--set", "take=5"],
        &["nim", "--set", "heaps=4", "--set", "size=40", "--set", "take=3"],
        &["nim", "--set", "heaps=8", "--set", "size=15", "--set", "take=3", "--set", "passes=1"],
    ];
    for game in games {
        let more = ["--memory", "13MiB", "--threads", "2"];
        let mut child = start_bouton(here.path(), &[&["generate"], game, &more].concat());
        let taken = peak_memory(&mut child);
        assert_eq!(child.wait().unwrap().code(), Some(2), "{game:?}");
        assert!((1..=13 << 20).contains(&taken), "{game:?}: {taken} bytes taken");
    }
}

#[test]
fn a_table_too_large_by_its_rules_alone_is_refused_without_a_trial() {
    let here = tempfile::tempdir().unwrap();
    let args =
        ["generate", "nim", "--set", "heaps=6", "--set", "size=31", "--set", "passes=1", "--memory", "10MiB"];
    let refused = bouton(here.path(), &args);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("takes at least "), "{refused:?}");
    assert!(refused.stderr.contains("of memory, and 10.0 MiB are available"), "{refused:?}");
}
