//! Sequences as b-files, the text format of the On-Line Encyclopedia of Integer Sequences, compared with plain
//! computations of their definitions.

use std::collections::BTreeMap;
use std::path::Path;

use bouton_tests::exported::csv::ExportedCsv;
use bouton_tests::oracle::expanding::{Position, Rules, Verdict, solve};
use bouton_tests::programs::bouton;

use super::folder;

/// Returns the b-file that an export prints. The program must report an empty one.
fn bfile(here: &Path, args: &[&str]) -> String {
    let ran = bouton(here, &[&["export", "--format", "bfile"], args].concat());
    assert_eq!(ran.status, Some(0), "{args:?}: {}", ran.stderr);
    assert_eq!(ran.stderr.is_empty(), !ran.stdout.is_empty(), "{args:?}: {}", ran.stderr);
    ran.stdout
}

/// Formats a b-file: `n a(n)` on each line.
fn format_bfile(first: usize, terms: &[u32]) -> String {
    (first..).zip(terms).map(|(n, term)| format!("{n} {term}\n")).collect()
}

/// Returns rules of Expanding Nim with various limits, growths and resets, in normal and misère play.
fn rules() -> Vec<Rules> {
    let all = [
        (60, 3, 1, 3, [0, 0], false),
        (45, 3, 1, 3, [1, 1], false),
        (40, 3, 1, 2, [2, 1], false),
        (40, 3, 1, 1, [0, 2], true),
        (60, 4, 0, 2, [1, 0], false),
        (60, 4, 0, 4, [0, 0], true),
        (50, 2, 2, 1, [1, 1], false),
        (50, 1, 5, 1, [0, 0], false),
        (30, 1, 1000, 1, [1, 1], true),
        // All starts of the next game are won, and the only start of the last one is lost.
        (5, 9, 1, 9, [0, 0], false),
        (1, 3, 1, 3, [1, 1], true),
    ];
    all.map(Rules::from).to_vec()
}

/// Returns the rules as arguments of the program.
fn args(rules: &Rules) -> Vec<String> {
    let [first, second] = rules.resets;
    let settings = [
        format!("stones={}", rules.stones),
        format!("base-limit={}", rules.base_limit),
        format!("growth={}", rules.growth),
        format!("reset-limit={}", rules.reset_limit),
        format!("resets={first},{second}"),
        format!("play={}", if rules.misere { "misere" } else { "normal" }),
    ];
    let settings = settings.into_iter().flat_map(|setting| ["--set".to_owned(), setting]);
    ["expanding".to_owned()].into_iter().chain(settings).collect()
}

/// Returns the numbers of stones of the lost positions that the predicate selects.
fn lost(verdicts: &BTreeMap<Position, Verdict>, is_selected: impl Fn(&Position) -> bool) -> Vec<u32> {
    let lost = verdicts.iter().filter(|(position, verdict)| is_selected(position) && !verdict.win);
    lost.map(|(position, _)| position.stones).collect()
}

/// Returns the b-file that an export of these rules prints.
fn bfile_of_rules(rules: &Rules, more: &[&str]) -> String {
    let args = args(rules);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    bfile(folder().path(), &[&args, more].concat())
}

#[test]
fn losing_starts_of_expanding_nim_agree_with_the_oracle() {
    for rules in rules() {
        let verdicts = solve(&rules);
        let is_a_start = |p: &Position| {
            let is_before_first_move =
                (p.currentmax, p.turn, p.resets, p.imposed) == (0, 1, rules.resets, false);
            p.stones > 0 && is_before_first_move
        };
        let expected = lost(&verdicts, is_a_start);
        for more in [&[][..], &["--starts"], &["--sequence", "losing"], &["--starts", "--outcome", "loss"]] {
            assert_eq!(bfile_of_rules(&rules, more), format_bfile(1, &expected), "{rules:?} {more:?}");
        }
        // The terms of a selection are numbered from 1, too.
        let selected: Vec<u32> =
            expected.iter().copied().filter(|stones| (9..=33).contains(stones)).collect();
        if rules.stones >= 9 {
            assert_eq!(
                bfile_of_rules(&rules, &["--starts", "--where", "stones=9..33"]),
                format_bfile(1, &selected),
                "{rules:?}"
            );
        }
    }
}

#[test]
fn losing_numbers_of_a_line_agree_with_the_oracle() {
    for rules in rules().into_iter().filter(|rules| rules.stones > 1) {
        let verdicts = solve(&rules);
        let [first, second] = rules.resets;
        for (currentmax, turn, imposed) in [(0, 1, false), (0, 2, true), (1, 2, false), (1, 1, true)] {
            let expected = lost(&verdicts, |p| {
                (p.currentmax, p.turn, p.resets, p.imposed) == (currentmax, turn, [first, second], imposed)
            });
            let sign = if imposed { "r" } else { "-" };
            let line = format!("currentmax={currentmax} turn={turn} resets={first},{second} imposed={sign}");
            // Zero stones count like any other number.
            assert_eq!(expected.contains(&0), !rules.misere);
            assert_eq!(
                bfile_of_rules(&rules, &["--where", &line]),
                format_bfile(1, &expected),
                "{rules:?} {line}"
            );
        }
    }
}

/// The amounts that a move may take from a heap.
#[derive(Clone, Copy, Debug)]
enum Take {
    Any,
    UpTo(u32),
    Exactly(&'static [u32]),
}

const TAKES: [(Take, &str); 9] = [
    (Take::Any, "take=any"),
    (Take::UpTo(1), "take=1"),
    (Take::UpTo(5), "take=5"),
    (Take::Exactly(&[1, 3, 4]), "take=[1,3,4]"),
    (Take::Exactly(&[2, 5]), "take=[2,5]"),
    (Take::Exactly(&[7]), "take=[7]"),
    (Take::Exactly(&[2, 3, 11]), "take=[11,2,3]"),
    (Take::Exactly(&[1, 2, 5, 10, 20]), "take=[1,2,5,10,20]"),
    // More than any heap has.
    (Take::Exactly(&[100]), "take=[100]"),
];

impl Take {
    /// Returns the sizes that a move can leave.
    fn sizes_after(self, heap: u32) -> Vec<u32> {
        let allowed = |amount: &u32| match self {
            Self::Any => true,
            Self::UpTo(max) => *amount <= max,
            Self::Exactly(amounts) => amounts.contains(amount),
        };
        (1..=heap).filter(allowed).map(|amount| heap - amount).collect()
    }

    /// Returns whether each single heap of up to `max` stones is lost.
    fn lost(self, max: u32, misere: bool) -> Vec<bool> {
        let mut lost: Vec<bool> = Vec::new();
        for heap in 0..=max {
            let sizes_after = self.sizes_after(heap);
            let stuck_wins = sizes_after.is_empty() && misere;
            lost.push(!stuck_wins && sizes_after.iter().all(|&left| !lost[left as usize]));
        }
        lost
    }

    /// Returns the Grundy value of each heap of up to `max` stones: the least value that no move reaches.
    fn grundy(self, max: u32) -> Vec<u32> {
        let mut values: Vec<u32> = Vec::new();
        for heap in 0..=max {
            let reached: Vec<u32> =
                self.sizes_after(heap).iter().map(|&left| values[left as usize]).collect();
            values.push((0..).find(|value| !reached.contains(value)).expect("there is one"));
        }
        values
    }
}

/// Returns the sizes of the lost heaps.
fn losing_numbers(lost: &[bool]) -> Vec<u32> {
    (0..).zip(lost).filter(|(_, lost)| **lost).map(|(stones, _)| stones).collect()
}

#[test]
fn losing_numbers_of_one_heap_agree_with_the_definition() {
    let here = folder();
    for (take, setting) in TAKES {
        for (play, misere) in [("play=normal", false), ("play=misere", true)] {
            for (max, bounds) in [(60, "bounds=[60]"), (1, "bounds=[1]")] {
                let args = ["sticks", "--set", bounds, "--set", setting, "--set", play];
                let expected = format_bfile(1, &losing_numbers(&take.lost(max, misere)));
                for more in [&[][..], &["--sequence", "losing"], &["--starts"], &["--outcome", "loss"]] {
                    let found = bfile(here.path(), &[&args[..], more].concat());
                    assert_eq!(found, expected, "{args:?} {more:?}");
                }
            }
        }
    }
}

#[test]
fn with_passes_losing_numbers_are_listed_for_one_count_of_passes() {
    let here = folder();
    let with_passes = |more: &[&str]| {
        let args = ["subtraction", "--set", "bounds=[40]", "--set", "passes=2"];
        bfile(here.path(), &[&args[..], more].concat())
    };
    // A pass keeps the heap and uses one pass; without stones no pass is allowed.
    let take = Take::Exactly(&[1, 3, 4]);
    let mut lost_by_passes = vec![take.lost(40, false)];
    for _ in 0..2 {
        let (lost_with_fewer, mut lost) = (&lost_by_passes[lost_by_passes.len() - 1], Vec::<bool>::new());
        for heap in 0..=40 {
            let pass_wins = heap > 0 && lost_with_fewer[heap as usize];
            lost.push(!pass_wins && take.sizes_after(heap).iter().all(|&left| !lost[left as usize]));
        }
        lost_by_passes.push(lost);
    }
    for (passes, lost) in lost_by_passes.iter().enumerate() {
        let found = with_passes(&["--where", &format!("passes={passes}")]);
        assert_eq!(found, format_bfile(1, &losing_numbers(lost)), "{passes} passes");
    }
    assert_eq!(with_passes(&["--starts"]), with_passes(&["--where", "passes=2"]));
}

#[test]
fn grundy_values_agree_with_the_definition_for_1_to_3_heaps() {
    let here = folder();
    for (take, setting) in TAKES {
        for (max, bounds) in [
            (70, "bounds=[70]"),
            (1, "bounds=[1]"),
            (25, "bounds=[25,25]"),
            (25, "bounds=[4,25]"),
            (14, "bounds=[14,14,14]"),
            (14, "bounds=[2,14,9]"),
        ] {
            let args = ["nim", "--set", bounds, "--set", setting, "--sequence", "grundy"];
            assert_eq!(bfile(here.path(), &args), format_bfile(0, &take.grundy(max)), "{args:?}");
        }
    }
}

#[test]
fn sequences_are_equal_with_and_without_depths() {
    let here = folder();
    let of_file = |file, sequence| bfile(here.path(), &[file, "--sequence", sequence]);
    for (preset, settings, sequences) in [
        ("expanding", &["stones=60"][..], &["losing"][..]),
        ("subtraction", &["bounds=[50]"], &["losing", "grundy"]),
        ("subtraction", &["bounds=[20,30]"], &["grundy"]),
    ] {
        let settings: Vec<&str> = settings.iter().flat_map(|&setting| ["--set", setting]).collect();
        for (file, more) in [("t.bouton", "--quiet"), ("n.bouton", "--no-depth")] {
            let args = [&["generate", preset, "-o", file, "--force", more], &settings[..]].concat();
            assert_eq!(bouton(here.path(), &args).status, Some(0));
        }
        for sequence in sequences {
            assert_eq!(of_file("t.bouton", sequence), of_file("n.bouton", sequence), "{preset} {sequence}");
        }
    }
}

#[test]
fn both_wythoff_sequences_are_a000201_and_a001950_and_beatty_sequences() {
    let folder = folder();
    let here = folder.path();
    let [lower, upper] =
        ["lower", "upper"].map(|sequence_name| bfile(here, &["wythoff", "--sequence", sequence_name, "-q"]));
    // A000201 and A001950, whose offset is 1.
    assert!(
        lower.starts_with(&format_bfile(1, &[1, 3, 4, 6, 8, 9, 11, 12, 14, 16, 17, 19, 21, 22, 24])),
        "{lower}"
    );
    assert!(
        upper.starts_with(&format_bfile(1, &[2, 5, 7, 10, 13, 15, 18, 20, 23, 26, 28, 31, 34, 36, 39])),
        "{upper}"
    );
    let golden_ratio = f64::midpoint(1.0, 5.0_f64.sqrt());
    let count = lower.lines().count();
    assert!(count > 70);
    let beatty = |ratio: f64| -> Vec<u32> { (1..=count).map(|n| (n as f64 * ratio) as u32).collect() };
    assert_eq!(lower, format_bfile(1, &beatty(golden_ratio)));
    assert_eq!(upper, format_bfile(1, &beatty(golden_ratio * golden_ratio)));
}

#[test]
fn pairs_are_listed_only_for_two_heaps_and_one_count_of_passes() {
    let folder = folder();
    let here = folder.path();
    let check_refused = |args: &[&str], expected: &str| {
        let ran = bouton(here, &[&["export", "--format", "bfile", "-q"], args].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    };
    check_refused(&["nim", "--sequence", "lower"], "games of two heaps");
    check_refused(&["expanding", "--set", "stones=20", "--sequence", "upper"], "games of two heaps");
    check_refused(&["wythoff"], "--sequence lower");
    let passes = ["nim", "--set", "bounds=[9,9]", "--set", "passes=1", "--sequence", "lower"];
    check_refused(&[&passes[..], &["--where", ""]].concat(), "--where passes=0");
    // The lost positions of two-heap Nim: equal heaps; with a pass, an odd heap and the next greater one.
    let of = |with: &str| bfile(here, &[&passes[..], &["--where", with, "-q"]].concat());
    assert_eq!(of("passes=0"), format_bfile(1, &(1..=9).collect::<Vec<u32>>()));
    assert_eq!(of("passes=1"), format_bfile(1, &[1, 3, 5, 7]));
}

#[test]
fn counts_by_stones_agree_with_the_exported_rows() {
    let folder = folder();
    let here = folder.path();
    for (ruleset, filter) in [
        (&["nim", "--set", "heaps=3", "--set", "size=12"][..], ""),
        (&["wythoff", "--set", "size=30"], "heaps=5..,*"),
        (&["nim-pass", "--set", "size=6"], "passes=1 outcome=win"),
        (&["expanding", "--set", "stones=30", "--set", "resets=1,1"], ""),
    ] {
        let filter = ["--where", filter];
        let rows = bouton(here, &[&["export"], ruleset, &filter, &["-f", "csv"]].concat()).stdout;
        let csv = ExportedCsv::read(&rows);
        let stones = |row: &Vec<String>| match csv.has("stones") {
            true => csv.number(row, "stones"),
            false => csv.heaps(row).iter().sum(),
        };
        let max = csv.rows.iter().map(stones).max().expect("rows");
        let by_stones = |wanted: &dyn Fn(&Vec<String>) -> bool| -> Vec<u32> {
            let of = |n| csv.rows.iter().filter(|row| stones(row) == n && wanted(row)).count() as u32;
            (0..=max).map(of).collect()
        };
        let sequence =
            |sequence_name| bfile(here, &[ruleset, &filter, &["--sequence", sequence_name]].concat());
        let lost = by_stones(&|row| csv.cell(row, "outcome") == "loss");
        assert_eq!(sequence("counts"), format_bfile(0, &lost), "{ruleset:?}");
        assert_eq!(sequence("positions"), format_bfile(0, &by_stones(&|_| true)), "{ruleset:?}");
    }
}

#[test]
fn offset_numbers_the_terms_and_differences_subtracts_neighbours() {
    let folder = folder();
    let here = folder.path();
    let of = |more: &[&str]| {
        bfile(
            here,
            &[&["subtraction", "--set", "heaps=1", "--set", "size=12", "--set", "take=3"], more].concat(),
        )
    };
    assert_eq!(of(&[]), "1 0\n2 4\n3 8\n4 12\n");
    assert_eq!(of(&["--offset", "0"]), "0 0\n1 4\n2 8\n3 12\n");
    assert_eq!(of(&["--offset", "-1"]), "-1 0\n0 4\n1 8\n2 12\n");
    assert_eq!(of(&["--differences"]), "1 4\n2 4\n3 4\n");
    assert!(of(&["--sequence", "grundy", "--differences"]).starts_with("0 1\n1 1\n2 1\n3 -3\n4 1\n"));
    // Neighbouring lower terms of Wythoff's pairs differ by one or two, upper ones by two or three.
    for (sequence_name, allowed) in [("lower", ["1", "2"]), ("upper", ["2", "3"])] {
        let differences = bfile(here, &["wythoff", "--sequence", sequence_name, "--differences"]);
        assert!(
            differences.lines().all(|line| allowed.contains(&line.split(' ').nth(1).unwrap())),
            "{differences}"
        );
    }
    for (args, expected) in [
        (&["-f", "csv", "--differences"][..], "--differences needs --format bfile"),
        (&["-f", "npy", "-o", "t.npy", "--offset", "3"], "--offset needs --format bfile"),
        (&["-f", "bfile", "--offset", "x"], "'x'"),
    ] {
        let ran = bouton(here, &[&["export", "sticks"], args].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
    let ran = bouton(
        here,
        &["export", "subtraction", "--set", "heaps=1", "--set", "size=1", "-f", "bfile", "--differences"],
    );
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), ""));
    assert!(ran.stderr.contains("fewer than two terms"), "{}", ran.stderr);
}
