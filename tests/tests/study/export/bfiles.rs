//! Sequences as b-files, compared with their plain definitions.

use std::collections::BTreeMap;
use std::path::Path;

use bouton_tests::exported::sheet::Sheet;
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
fn listed(first: usize, numbers: &[u32]) -> String {
    (first..).zip(numbers).map(|(n, number)| format!("{n} {number}\n")).collect()
}

/// Returns rules of Expanding Nim of every kind: limits, growths, resets, both kinds of play.
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
        // All starts are won in the first game; the only start of the second is lost.
        (5, 9, 1, 9, [0, 0], false),
        (1, 3, 1, 3, [1, 1], true),
    ];
    all.map(Rules::from).to_vec()
}

/// Returns the rules as arguments.
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

/// Returns the stones of the lost positions among some positions.
fn lost(verdicts: &BTreeMap<Position, Verdict>, among: impl Fn(&Position) -> bool) -> Vec<u32> {
    let lost = verdicts.iter().filter(|(position, verdict)| among(position) && !verdict.win);
    lost.map(|(position, _)| position.stones).collect()
}

/// Returns the b-file for some rules.
fn of_rules(rules: &Rules, more: &[&str]) -> String {
    let args = args(rules);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    bfile(folder().path(), &[&args, more].concat())
}

#[test]
fn losing_starts_of_expanding_nim_are_those_of_the_plain_rules() {
    for rules in rules() {
        let verdicts = solve(&rules);
        let is_a_start = |p: &Position| {
            let begins = (p.currentmax, p.turn, p.resets, p.imposed) == (0, 1, rules.resets, false);
            p.stones > 0 && begins
        };
        let expected = lost(&verdicts, is_a_start);
        for more in [&[][..], &["--starts"], &["--sequence", "losing"], &["--starts", "--outcome", "loss"]] {
            assert_eq!(of_rules(&rules, more), listed(1, &expected), "{rules:?} {more:?}");
        }
        // A selection is numbered from 1 again.
        let some: Vec<u32> = expected.iter().copied().filter(|stones| (9..=33).contains(stones)).collect();
        if rules.stones >= 9 {
            assert_eq!(
                of_rules(&rules, &["--starts", "--where", "stones=9..33"]),
                listed(1, &some),
                "{rules:?}"
            );
        }
    }
}

#[test]
fn losing_numbers_of_a_line_are_those_of_the_plain_rules() {
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
            assert_eq!(of_rules(&rules, &["--where", &line]), listed(1, &expected), "{rules:?} {line}");
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
    fn after(self, heap: u32) -> Vec<u32> {
        let allowed = |amount: &u32| match self {
            Self::Any => true,
            Self::UpTo(most) => *amount <= most,
            Self::Exactly(amounts) => amounts.contains(amount),
        };
        (1..=heap).filter(allowed).map(|amount| heap - amount).collect()
    }

    /// Returns whether each single heap of up to `most` stones is lost.
    fn lost(self, most: u32, misere: bool) -> Vec<bool> {
        let mut lost: Vec<bool> = Vec::new();
        for heap in 0..=most {
            let after = self.after(heap);
            let stuck_wins = after.is_empty() && misere;
            lost.push(!stuck_wins && after.iter().all(|&left| !lost[left as usize]));
        }
        lost
    }

    /// Returns the Grundy value of each heap of up to `most` stones: the least value that no move reaches.
    fn grundy(self, most: u32) -> Vec<u32> {
        let mut values: Vec<u32> = Vec::new();
        for heap in 0..=most {
            let reached: Vec<u32> = self.after(heap).iter().map(|&left| values[left as usize]).collect();
            values.push((0..).find(|value| !reached.contains(value)).expect("there is one"));
        }
        values
    }
}

fn numbers(lost: &[bool]) -> Vec<u32> {
    (0..).zip(lost).filter(|(_, lost)| **lost).map(|(stones, _)| stones).collect()
}

#[test]
fn losing_numbers_of_one_heap_are_those_of_the_definition() {
    let here = folder();
    for (take, setting) in TAKES {
        for (play, misere) in [("play=normal", false), ("play=misere", true)] {
            for (most, bounds) in [(60, "bounds=[60]"), (1, "bounds=[1]")] {
                let args = ["sticks", "--set", bounds, "--set", setting, "--set", play];
                let expected = listed(1, &numbers(&take.lost(most, misere)));
                for more in [&[][..], &["--sequence", "losing"], &["--starts"], &["--outcome", "loss"]] {
                    let found = bfile(here.path(), &[&args[..], more].concat());
                    assert_eq!(found, expected, "{args:?} {more:?}");
                }
            }
        }
    }
}

#[test]
fn with_passes_losing_numbers_are_those_of_one_count_of_passes() {
    let here = folder();
    let with_passes = |more: &[&str]| {
        let args = ["subtraction", "--set", "bounds=[40]", "--set", "passes=2"];
        bfile(here.path(), &[&args[..], more].concat())
    };
    // A pass keeps the heap and uses one pass; without stones no pass is allowed.
    let take = Take::Exactly(&[1, 3, 4]);
    let mut of_passes = vec![take.lost(40, false)];
    for _ in 0..2 {
        let (fewer, mut lost) = (&of_passes[of_passes.len() - 1], Vec::<bool>::new());
        for heap in 0..=40 {
            let pass_wins = heap > 0 && fewer[heap as usize];
            lost.push(!pass_wins && take.after(heap).iter().all(|&left| !lost[left as usize]));
        }
        of_passes.push(lost);
    }
    for (passes, lost) in of_passes.iter().enumerate() {
        let found = with_passes(&["--where", &format!("passes={passes}")]);
        assert_eq!(found, listed(1, &numbers(lost)), "{passes} passes");
    }
    assert_eq!(with_passes(&["--starts"]), with_passes(&["--where", "passes=2"]));
}

#[test]
fn grundy_values_are_those_of_the_definition_for_any_number_of_heaps() {
    let here = folder();
    for (take, setting) in TAKES {
        for (most, bounds) in [
            (70, "bounds=[70]"),
            (1, "bounds=[1]"),
            (25, "bounds=[25,25]"),
            (25, "bounds=[4,25]"),
            (14, "bounds=[14,14,14]"),
            (14, "bounds=[2,14,9]"),
        ] {
            let args = ["nim", "--set", bounds, "--set", setting, "--sequence", "grundy"];
            assert_eq!(bfile(here.path(), &args), listed(0, &take.grundy(most)), "{args:?}");
        }
    }
}

#[test]
fn a_sequence_takes_no_depths() {
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
fn both_wythoff_sequences_are_those_of_the_encyclopedia_and_beattys() {
    let folder = folder();
    let here = folder.path();
    let [lower, upper] = ["lower", "upper"].map(|which| bfile(here, &["wythoff", "--sequence", which, "-q"]));
    // A000201 and A001950, whose offset is 1.
    assert!(
        lower.starts_with(&listed(1, &[1, 3, 4, 6, 8, 9, 11, 12, 14, 16, 17, 19, 21, 22, 24])),
        "{lower}"
    );
    assert!(
        upper.starts_with(&listed(1, &[2, 5, 7, 10, 13, 15, 18, 20, 23, 26, 28, 31, 34, 36, 39])),
        "{upper}"
    );
    let golden = f64::midpoint(1.0, 5.0_f64.sqrt());
    let count = lower.lines().count();
    assert!(count > 70);
    let beatty = |ratio: f64| -> Vec<u32> { (1..=count).map(|n| (n as f64 * ratio) as u32).collect() };
    assert_eq!(lower, listed(1, &beatty(golden)));
    assert_eq!(upper, listed(1, &beatty(golden * golden)));
}

#[test]
fn pairs_are_lost_in_games_of_two_heaps_only_and_with_one_number_of_passes() {
    let folder = folder();
    let here = folder.path();
    let refused = |args: &[&str], expected: &str| {
        let ran = bouton(here, &[&["export", "--format", "bfile", "-q"], args].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    };
    refused(&["nim", "--sequence", "lower"], "games of two heaps");
    refused(&["expanding", "--set", "stones=20", "--sequence", "upper"], "games of two heaps");
    refused(&["wythoff"], "--sequence lower");
    let passes = ["nim", "--set", "bounds=[9,9]", "--set", "passes=1", "--sequence", "lower"];
    refused(&[&passes[..], &["--where", ""]].concat(), "--where passes=0");
    // Two-heap Nim: equal heaps are lost; with a pass, an odd heap and the next greater one.
    let of = |with: &str| bfile(here, &[&passes[..], &["--where", with, "-q"]].concat());
    assert_eq!(of("passes=0"), listed(1, &(1..=9).collect::<Vec<u32>>()));
    assert_eq!(of("passes=1"), listed(1, &[1, 3, 5, 7]));
}

#[test]
fn counts_by_stones_are_those_of_the_rows_and_add_up() {
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
        let sheet = Sheet::read(&rows);
        let stones = |row: &Vec<String>| match sheet.has("stones") {
            true => sheet.number(row, "stones"),
            false => sheet.heaps(row).iter().sum(),
        };
        let most = sheet.rows.iter().map(stones).max().expect("rows");
        let by_stones = |wanted: &dyn Fn(&Vec<String>) -> bool| -> Vec<u32> {
            let of = |n| sheet.rows.iter().filter(|row| stones(row) == n && wanted(row)).count() as u32;
            (0..=most).map(of).collect()
        };
        let sequence = |which| bfile(here, &[ruleset, &filter, &["--sequence", which]].concat());
        let lost = by_stones(&|row| sheet.cell(row, "outcome") == "loss");
        assert_eq!(sequence("counts"), listed(0, &lost), "{ruleset:?}");
        assert_eq!(sequence("positions"), listed(0, &by_stones(&|_| true)), "{ruleset:?}");
    }
}

#[test]
fn terms_are_numbered_from_a_chosen_offset_and_have_differences() {
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
    for (which, allowed) in [("lower", ["1", "2"]), ("upper", ["2", "3"])] {
        let differences = bfile(here, &["wythoff", "--sequence", which, "--differences"]);
        assert!(
            differences.lines().all(|line| allowed.contains(&line.split(' ').nth(1).unwrap())),
            "{differences}"
        );
    }
    for (args, expected) in [
        (&["-f", "csv", "--differences"][..], "--differences goes with --format bfile only"),
        (&["-f", "npy", "-o", "t.npy", "--offset", "3"], "--offset goes with --format bfile only"),
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
