//! `bouton check`: its verdict on a claim agrees with the rows that `bouton export` prints, on which the same claim is
//! evaluated in Rust.

use std::path::Path;

use bouton_tests::exported::csv::ExportedCsv;
use bouton_tests::programs::{ProgramRun, bouton, files};
use serde_json::Value;

/// A claim about a game in two forms: as an expression of `bouton check`, and as a Rust function of an exported row.
struct Claim {
    /// The ruleset as arguments of the program.
    ruleset: &'static [&'static str],
    /// Selects the positions to check, as `--where` does.
    filter: &'static str,
    expression: &'static str,
    /// True if the claim characterizes the lost positions, instead of holding at all positions.
    of_lost: bool,
    is_true: fn(&Row<'_>) -> bool,
}

/// A row of an export.
struct Row<'a> {
    csv: &'a ExportedCsv,
    cells: &'a [String],
}

impl Row<'_> {
    /// Returns the number in a column.
    fn number(&self, column: &str) -> u32 {
        self.csv.number(self.cells, column)
    }

    /// Returns the sizes of the heaps.
    fn heaps(&self) -> Vec<u32> {
        self.csv.heaps(self.cells)
    }

    /// Returns whether the position is lost.
    fn is_lost(&self) -> bool {
        self.csv.cell(self.cells, "outcome") == "loss"
    }

    /// Returns the total number of stones.
    fn stones(&self) -> u32 {
        if self.csv.has("stones") { self.number("stones") } else { self.heaps().iter().sum() }
    }
}

fn xor(heaps: &[u32]) -> u32 {
    heaps.iter().fold(0, |sum, heap| sum ^ heap)
}

/// Returns whether a pair of heaps is lost in Wythoff's game, without computing roots. Lost pair `n` consists of the
/// least number in no earlier pair, and of this number plus `n`: 0,0; 1,2; 3,5; 4,7.
fn is_wythoff_pair(lesser: u32, greater: u32) -> bool {
    let mut taken = vec![false; 1000];
    for n in 0..=greater {
        let least = taken.iter().position(|&taken| !taken).unwrap() as u32;
        if (lesser, greater) == (least, least + n) {
            return true;
        }
        for heap in [least, least + n] {
            taken[heap as usize] = true;
        }
    }
    false
}

const fn claim(
    ruleset: &'static [&'static str],
    filter: &'static str,
    expression: &'static str,
    of_lost: bool,
    is_true: fn(&Row<'_>) -> bool,
) -> Claim {
    Claim { ruleset, filter, expression, of_lost, is_true }
}

const NIM: &[&str] = &["nim", "--set", "heaps=4", "--set", "size=9"];
const MISERE: &[&str] = &["nim-misere", "--set", "heaps=3", "--set", "size=9"];
const PASS: &[&str] = &["nim-pass", "--set", "size=9"];
const WYTHOFF: &[&str] = &["wythoff", "--set", "size=90"];
const TAKE: &[&str] = &["subtraction", "--set", "heaps=2", "--set", "size=30", "--set", "take=[1,2,5]"];
const ONE: &[&str] = &["subtraction", "--set", "heaps=1", "--set", "size=50"];
const EXPANDING: &[&str] = &["expanding", "--set", "stones=40", "--set", "resets=2,1"];

#[rustfmt::skip]
const CLAIMS: &[Claim] = &[
    claim(NIM, "", "xor(heaps) == 0", true, |row| xor(&row.heaps()) == 0),
    claim(NIM, "", "xor(heaps[0], heaps[1], heaps[2], heaps[3]) == 0", true, |row| xor(&row.heaps()) == 0),
    claim(NIM, "heaps=3,*,1..4,*", "heaps[0] == heaps[1] and heaps[2] == heaps[3]", true, |row| {
        let heaps = row.heaps();
        heaps[0] == heaps[1] && heaps[2] == heaps[3]
    }),
    claim(NIM, "", "grundy == xor(heaps)", false, |_| true),
    claim(NIM, "total=..12", "depth <= total and (won or winning == 0)", false, |row| row.number("depth") <= row.stones()),
    claim(NIM, "", "winning % 2 == 1 or lost", false, |row| row.number("winning") % 2 == 1 || row.is_lost()),
    claim(MISERE, "", "xor(heaps) == (1 if max(heaps) <= 1 else 0)", true, |row| {
        xor(&row.heaps()) == u32::from(row.heaps().iter().all(|&heap| heap <= 1))
    }),
    claim(MISERE, "", "xor(heaps) == 0", true, |row| xor(&row.heaps()) == 0),
    claim(PASS, "passes=1", "xor(heaps) == 1", true, |row| xor(&row.heaps()) == 1),
    claim(PASS, "", "lost == (xor(heaps) == passes) or nonempty < 3", false, |row| {
        row.is_lost() == (xor(&row.heaps()) == row.number("passes")) || row.heaps().iter().filter(|&&heap| heap > 0).count() < 3
    }),
    claim(WYTHOFF, "", "heaps[0] == floor((heaps[1] - heaps[0]) * (1 + sqrt(5)) / 2)", true, |row| {
        let heaps = row.heaps();
        is_wythoff_pair(heaps[0], heaps[1])
    }),
    claim(TAKE, "", "mod(total, 3) == 0", true, |row| row.stones() % 3 == 0),
    claim(TAKE, "total=..9 outcome=win", "won and sorted(heaps)[1] - min(heaps) != abs(-3)", false, |row| {
        row.heaps()[1] - row.heaps()[0] != 3
    }),
    claim(ONE, "", "heaps[0] % 4 == 0", true, |row| row.stones() % 4 == 0),
    claim(EXPANDING, "", "stones % 4 == 0 and not imposed", true, |row| row.stones() % 4 == 0 && row.number("imposed") == 0),
    claim(EXPANDING, "turn=1", "lost or winning > 0 and sum(resets) <= 3 and turn == 1", false, |_| true),
    claim(ONE, "", "heaps == [4] or 8 == heaps.0 and 'max' != \"min\"", true, |row| [4, 8].contains(&row.stones())),
    claim(EXPANDING, "stones=..9", "resets == 2 * [0] and [0] * 2 == resets and -1 < resets[1]", true, |row| {
        row.number("resets1") == 0 && row.number("resets2") == 0
    }),
    claim(EXPANDING, "stones=5..", "currentmax < resets[0] + stones // 2", true, |row| {
        row.number("currentmax") < row.number("resets1") + row.stones() / 2
    }),
];

/// Runs `bouton check`.
fn check(here: &Path, args: &[&str]) -> ProgramRun {
    bouton(here, &[&["check"], args].concat())
}

#[test]
fn claims_are_true_or_have_the_exceptions_that_exported_rows_have() {
    let here = tempfile::tempdir().expect("a folder can be made");
    let (mut holding, mut failing) = (0, 0);
    for Claim { ruleset, filter, expression, of_lost, is_true } in CLAIMS {
        let filter = ["--where", filter];
        let rows = |format| {
            let args = [&["export"], *ruleset, &filter, &["--format", format, "--quiet"]].concat();
            bouton(here.path(), &args).stdout
        };
        let (csv, lines) = (ExportedCsv::read(&rows("csv")), rows("jsonl"));
        // The exceptions among won and lost positions: the numbers of stones and passes, and the index of the row.
        let mut exceptions = [Vec::new(), Vec::new()];
        for (index, cells) in csv.rows.iter().enumerate() {
            let row = Row { csv: &csv, cells };
            if is_true(&row) != (!*of_lost || row.is_lost()) {
                let passes = if csv.has("passes") { row.number("passes") } else { 0 };
                exceptions[usize::from(row.is_lost())].push((row.stones(), passes, index));
            }
        }
        let ran = check(here.path(), &[*ruleset, &[*expression], &filter, &["--json"]].concat());
        let found: Value =
            serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{expression}: {ran:?}"));
        let holds = exceptions.iter().all(Vec::is_empty);
        *(if holds { &mut holding } else { &mut failing }) += 1;
        assert_eq!(ran.status, Some(if holds { 0 } else { 1 }), "{expression}: {found}");
        assert_eq!(found["expression"], *expression);
        assert_eq!(found["about"], if *of_lost { "lost" } else { "all" });
        assert_eq!(found["positions"], csv.rows.len());
        assert_eq!(found["lost"], csv.rows.iter().filter(|cells| Row { csv: &csv, cells }.is_lost()).count());
        let position = |index: usize| {
            let line: Value = serde_json::from_str(lines.lines().nth(index).unwrap()).unwrap();
            line["position"].clone()
        };
        for (key, exceptions) in [("won_exceptions", &exceptions[0]), ("lost_exceptions", &exceptions[1])] {
            let found = &found[key];
            assert_eq!(found["count"], exceptions.len(), "{expression}: {found}");
            let first = exceptions.first().map(|&(_, _, index)| position(index));
            let smallest = exceptions.iter().min().map(|&(_, _, index)| position(index));
            assert_eq!(found["first"], Value::from(first), "{expression}: {found}");
            assert_eq!(found["smallest"], Value::from(smallest), "{expression}: {found}");
        }
    }
    assert!(holding > 6 && failing > 5, "{holding} claims hold and {failing} fail");
}

#[test]
fn exceptions_are_counted_and_the_first_and_smallest_are_printed() {
    let here = tempfile::tempdir().expect("a folder can be made");
    let ran = check(here.path(), &["sticks", "xor(heaps) == 0", "--set", "play=normal"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (
            Some(0),
            "sticks play=normal: a position is lost if and only if xor(heaps) == 0\n\
             True at each of 88 positions, 12 of them lost.\n"
        )
    );
    let ran = check(here.path(), &["sticks", "xor(heaps) == 0"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (
            Some(1),
            "sticks: a position is lost if and only if xor(heaps) == 0\n\
             False at 4 positions; checked: 88 positions, 12 of them lost.\n  \
             2 lost, where the expression is false; the first and smallest 0,0,1\n  \
             2 won, where it is true; the first and smallest 0,0,0\n"
        )
    );
    let ran = check(here.path(), &["sticks", "won or total < 6"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stdout.contains("\n  9 lost; the first and smallest 1,2,3\n"), "{}", ran.stdout);
    let ran = check(here.path(), &["sticks", "won", "--quiet"]);
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (Some(1), "", ""));
    // A start is before the first move; in Expanding Nim, it has all resets.
    let ran = check(here.path(), &["expanding", "--set", "stones=30", "currentmax == 0", "--starts"]);
    assert!(ran.stdout.contains("checked: 30 positions, "), "{}", ran.stdout);
}

#[test]
fn an_invalid_claim_gets_a_clear_error() {
    let here = tempfile::tempdir().expect("a folder can be made");
    let made = bouton(here.path(), &["generate", "sticks", "--no-depth", "-o", "t.bouton", "--quiet"]);
    assert_eq!(made.status, Some(0), "{}", made.stderr);
    let before = files(here.path());
    let long = format!("{}lost", "not ".repeat(249));
    let too_long = format!("{long} and true");
    let parentheses = "(".repeat(1000);
    let cases: &[(&[&str], &str)] = &[
        (&["sticks", "xor(heap) == 0"], "found the unknown name 'heap'; the names are heaps,"),
        (&["sticks", "stones == 0"], "found the unknown name 'stones'"),
        (&["expanding", "heaps[0] == 0"], "found the unknown name 'heaps'; the names are stones,"),
        (&["sticks", "xr(heaps) == 0"], "and the functions xor, sum, "),
        (
            &["sticks", "xor(heaps) = 0"],
            "at character 12: unexpected input after expression; write == for `is equal to`",
        ),
        (&["sticks", "heaps[0] ^ 3 == 0"], "at character 10: unexpected character; write xor(a, b)"),
        (&["sticks", "lost && won"], "at character 6: unexpected character; write `and`"),
        (&["sticks", "lost || won"], "; write `or`"),
        (&["sticks", "!lost"], "at character 1: unexpected character; write `not`"),
        (&["sticks", ""], "at character 1: unexpected end of input"),
        (&["sticks", "depth =="], "at character 9: unexpected end of input"),
        (&["sticks", "lost == true)"], "at character 13: "),
        (&["sticks", &parentheses], "the expression, at character "),
        (&["sticks", &too_long], "has 1009 characters, and at most 1000 are read"),
        (&["sticks", "xor == 0"], "xor is a function; write its arguments in parentheses, as in max(3, 5)"),
        (&["sticks", "total == (sum)"], "sum is a function;"),
        (
            &["sticks", "heaps == 0"],
            "the expression compares heaps, which is a list, with 0; write heaps[0], sum(heaps) or max(heaps), or compare heaps \
             with a list",
        ),
        (&["sticks", "not (total != heaps)"], "compares heaps, which is a list, with total;"),
        (&["expanding", "stones % 4 == 0 and 0.5 < resets"], "compares resets, which is a list, with 0.5;"),
        (
            &["sticks", "xor(heaps)"],
            "at 0,0,0: it is 0, expected true or false; write for example xor(heaps) \
            == 0",
        ),
        (&["sticks", "total"], "it is 0, expected true or false"),
        (&["sticks", "heaps[3] == 0"], "at 0,0,0: an index is out of range"),
        (
            &["sticks", "6 // total == 2"],
            "at 0,0,0: unable to calculate 6 // 0; exclude such positions with --where",
        ),
        (&["sticks", "total % 0 == 2"], "unable to calculate 0 % 0"),
        (&["sticks", "mod(total, 0) == 2"], "unable to calculate 0 mod 0"),
        (&["sticks", "sqrt(0 - 1) == 2"], "a negative number, -1, has no square root"),
        (&["sticks", "floor(2.0 ** 70) == 2"], "is too large to be rounded"),
        (&["sticks", "xor(0.5) == 2"], "0.5 is not a whole number"),
        (&["sticks", "xor() == 2"], "xor needs at least one number"),
        (&["sticks", "max([]) == 2"], "max needs at least one number"),
        (&["sticks", "sum('ab') == 2"], "ab is not a number"),
        (&["sticks", "sum(9223372036854775807, 1) == 2"], "a sum is too large"),
        (&["sticks", "heaps|sort == 2"], "filter sort is unknown; the functions are xor, "),
        (&["sticks", "grundy == 0"], "misère play"),
        (&["t.bouton", "depth == 0"], "the expression uses depths, but the table has none"),
        (&["t.bouton", "lost", "--where", "depth=1"], "the table has no depths"),
        (
            &["sticks", "lost", "--where", "heaps=9,9,9"],
            "no position of sticks is selected: there is nothing to check",
        ),
        (&["sticks", "lost", "--where", "colour=red"], "colour"),
        (&["nim", "--set", "heaps=16", "--set", "size=63", "lost"], "check a smaller game"),
        (&["missing.bouton", "lost"], "missing.bouton"),
        (&["sticks"], "EXPRESSION"),
    ];
    for (args, expected) in cases {
        let ran = check(here.path(), args);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: no '{expected}' in {}", ran.stderr);
    }
    assert_eq!(files(here.path()), before);
    // The longest allowed expression, deeply nested.
    let ran = check(here.path(), &["sticks", &long]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
}

#[test]
fn a_claim_about_answers_is_checked_everywhere_and_the_output_says_how_to_restrict_it_to_lost_positions() {
    let here = tempfile::tempdir().expect("a folder can be made");
    let ran = check(here.path(), &["wythoff", "grundy == 0", "--set", "size=9"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    let printed = ran.stdout.replace('\n', " ");
    assert!(
        printed.contains("The expression names grundy, so it is checked at every position."),
        "{printed}"
    );
    assert!(printed.contains("lost == (grundy == 0)"), "{printed}");
    for (expression, status) in [("lost == (grundy == 0)", 0), ("heaps[0] == heaps[1]", 1)] {
        let ran = check(here.path(), &["wythoff", expression, "--set", "size=9"]);
        assert_eq!(
            (ran.status, ran.stdout.contains("The expression names")),
            (Some(status), false),
            "{}",
            ran.stdout
        );
    }
}
