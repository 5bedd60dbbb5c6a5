//! `bouton export` refuses invalid filters, arguments and sequences with a clear error, and writes nothing.

use bouton_tests::exported::cases::{CASES, Case};
use bouton_tests::programs::bouton;
use bouton_tests::seal::Parts;
use tempfile::TempDir;

use super::{check_refused, folder};

const EXPANDING: Case = CASES[0];
const HEAPS: Case = CASES[12];
const PASSES: Case = CASES[20];

/// Makes a folder with tables: `e.bouton` of Expanding Nim, `h.bouton` of three heaps, `p.bouton` of one heap and
/// passes, and `n.bouton` of Expanding Nim without depths.
fn tables() -> TempDir {
    let here = folder();
    EXPANDING.make(here.path(), "e.bouton", true);
    HEAPS.make(here.path(), "h.bouton", true);
    PASSES.make(here.path(), "p.bouton", true);
    EXPANDING.make(here.path(), "n.bouton", false);
    here
}

#[test]
fn an_invalid_filter_is_refused_with_the_character_the_text_and_the_allowed_values() {
    const NOTHING: &str = "found nothing";
    const NUMBERS: &[&str] = &["7", "1..20", "5..", "..9", "*"];
    let here = tables();
    // The table, the filter, the character at which the error is, the text found there, and other texts that the
    // message must contain.
    let cases: &[(&str, &str, usize, &str, &[&str])] = &[
        // Unknown fields, including those of the other family.
        ("e.bouton", "colour=1", 1, "'colour'", &["stones", "currentmax", "turn", "resets", "imposed"]),
        ("e.bouton", "heaps=1,2,3", 1, "'heaps'", &["stones", "outcome", "depth", "winning"]),
        ("h.bouton", "stones=1", 1, "'stones'", &["heaps", "nonempty", "total", "outcome", "winning"]),
        ("h.bouton", "heap1=1", 1, "'heap1'", &["heaps"]),
        ("e.bouton", "Stones=1", 1, "'Stones'", &["stones"]),
        ("e.bouton", "best=1", 1, "'best'", &["stones"]),
        ("e.bouton", "=5", 1, NOTHING, &["stones"]),
        ("e.bouton", "stones=5 colour=1", 10, "'colour'", &["stones"]),
        // A missing condition.
        ("e.bouton", "stones", 1, "'stones'", &["FIELD=VALUE"]),
        ("e.bouton", "stones=5 17", 10, "'17'", &["FIELD=VALUE"]),
        // Bad numbers.
        ("e.bouton", "stones=x", 8, "'x'", NUMBERS),
        ("e.bouton", "stones=-1", 8, "'-1'", NUMBERS),
        ("e.bouton", "stones=+1", 8, "'+1'", NUMBERS),
        ("e.bouton", "stones=1.5", 8, "'1.5'", NUMBERS),
        ("e.bouton", "stones=0x1f", 8, "'0x1f'", NUMBERS),
        ("e.bouton", "stones=1-5", 8, "'1-5'", NUMBERS),
        ("e.bouton", "stones=x..5", 8, "'x'", NUMBERS),
        ("e.bouton", "stones=5..x", 11, "'x'", NUMBERS),
        ("e.bouton", "stones=5..*", 11, "'*'", NUMBERS),
        ("e.bouton", "stones=5...9", 11, "'.9'", NUMBERS),
        ("e.bouton", "stones=1..2..3", 8, "'1..2..3'", NUMBERS),
        ("e.bouton", "stones=..", 8, NOTHING, NUMBERS),
        ("e.bouton", "stones=**", 8, "'**'", NUMBERS),
        ("e.bouton", "turn=1 stones=\u{e9}", 15, "'\u{e9}'", NUMBERS),
        ("h.bouton", "total=many", 7, "'many'", NUMBERS),
        ("h.bouton", "heaps=1,x,3", 9, "'x'", NUMBERS),
        ("e.bouton", "resets=0..1,y", 13, "'y'", NUMBERS),
        // A missing value.
        ("e.bouton", "stones=", 8, NOTHING, NUMBERS),
        ("e.bouton", "stones= turn=1", 8, NOTHING, NUMBERS),
        ("e.bouton", "outcome=", 9, NOTHING, &["win", "loss"]),
        ("e.bouton", "imposed=", 9, NOTHING, &["-", "r"]),
        ("e.bouton", "resets=1,", 10, NOTHING, NUMBERS),
        ("h.bouton", "heaps=,1,2", 7, NOTHING, NUMBERS),
        // Ranges from more to less.
        ("e.bouton", "stones=9..3", 8, "'9..3'", &["lesser number"]),
        ("e.bouton", "resets=0,1..0", 10, "'1..0'", &["lesser number"]),
        ("h.bouton", "nonempty=2..1", 10, "'2..1'", &["lesser number"]),
        // One field twice.
        ("e.bouton", "stones=5 stones=6", 10, "'stones'", &["once"]),
        ("e.bouton", "stones=5 turn=1 stones=5", 17, "'stones'", &["once"]),
        ("h.bouton", "heaps=*,*,* heaps=1,2,3", 13, "'heaps'", &["once"]),
        // Tuples of another length.
        ("e.bouton", "resets=1", 8, "'1'", &["resets", "2"]),
        ("e.bouton", "resets=", 8, NOTHING, NUMBERS),
        ("e.bouton", "resets=1,1,1", 8, "'1,1,1'", &["resets", "2"]),
        ("e.bouton", "turn=1,2", 6, "'1,2'", &[]),
        ("h.bouton", "heaps=1,2", 7, "'1,2'", &["heaps", "3"]),
        ("h.bouton", "heaps=1,2,3,4", 7, "'1,2,3,4'", &["heaps", "3"]),
        ("h.bouton", "total=1,2,3", 7, "'1,2,3'", &[]),
        // Words.
        ("e.bouton", "imposed=yes", 9, "'yes'", &["-", "r"]),
        ("e.bouton", "outcome=draw", 9, "'draw'", &["win", "loss"]),
        ("h.bouton", "outcome=WIN", 9, "'WIN'", &["win", "loss"]),
        // The error need not be in the first condition.
        ("e.bouton", "stones=1..9 currentmax=2 turn=x", 31, "'x'", NUMBERS),
    ];
    for (file, filter, character, found, allowed) in cases {
        let prefix = format!("--where, at character {character}: ");
        for format in ["csv", "npy"] {
            let expected = [&[prefix.as_str(), found][..], allowed].concat();
            check_refused(here.path(), &[file, "--format", format, "--where", filter], &expected);
        }
    }
}

#[test]
fn a_filter_by_depth_is_refused_for_a_table_without_depths() {
    let here = tables();
    for filter in ["depth=3", "depth=*", "stones=3 depth=1.."] {
        check_refused(here.path(), &["n.bouton", "--format", "csv", "--where", filter], &["depth"]);
    }
}

#[test]
fn invalid_arguments_are_refused() {
    let here = tables();
    std::fs::write(here.path().join("text"), "no table").expect("it can be written");
    let mut damaged = std::fs::read(here.path().join("e.bouton")).expect("it is there");
    *damaged.last_mut().expect("a byte") ^= 1;
    std::fs::write(here.path().join("damaged"), damaged).expect("it can be written");
    let cases: &[(&[&str], &str)] = &[
        (&["e.bouton"], "--format"),
        (&["e.bouton", "--format", "xml"], "csv"),
        (&["e.bouton", "--format", "CSV"], "csv"),
        (&["--format", "csv"], ""),
        (&["e.bouton", "h.bouton", "--format", "csv"], "h.bouton"),
        (&["e.bouton", "--format", "csv", "--outcome", "draw"], "draw"),
        (&["e.bouton", "--format", "bfile", "--sequence", "primes"], "primes"),
        (&["e.bouton", "--format", "csv", "--frobnicate"], "--frobnicate"),
        (&["chess", "--format", "csv"], "chess"),
        (&["missing.bouton", "--format", "csv"], "missing.bouton"),
        (&["text", "--format", "csv"], "not a TOML file"),
        (&["damaged", "--format", "csv"], "damaged"),
        (&[".", "--format", "csv"], ""),
        (&["expanding", "--set", "stones=0", "--format", "csv"], "stones = 0"),
        (&["expanding", "--set", "colour=red", "--format", "csv"], "unknown key 'colour'"),
        (&["expanding", "--set", "stones=1000000000", "--where", "stones=..2", "--format", "csv"], "memory"),
        (
            &[
                "nim",
                "--set",
                "heaps=16",
                "--set",
                "size=63",
                "--no-depth",
                "--where",
                "total=3",
                "-f",
                "csv",
            ],
            "searched for among 21,566,576,904,406,820 positions, at most 1,000,000,000,000",
        ),
    ];
    for (args, expected) in cases {
        check_refused(here.path(), args, &[expected]);
    }
}

#[test]
fn more_rows_than_a_disk_holds_are_refused_before_solving() {
    let here = tables();
    let args = ["export", "expanding", "--set", "stones=100000000", "--no-depth", "-f", "csv", "-o", "never"];
    let ran = bouton(here.path(), &args);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""));
    for part in [
        "94,280,910,036,900 positions are selected; their rows take at least 686.0 TiB",
        "the disk of never has",
        "--where or --starts",
    ] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
}

#[test]
fn a_sequence_is_refused_for_games_that_do_not_have_it() {
    let here = tables();
    let cases: &[(&[&str], &[&str])] = &[
        // This sequence exists for heap games in normal play, one heap a move, without passes.
        (&["e.bouton", "--sequence", "grundy"], &[]),
        (&["h.bouton", "--sequence", "grundy"], &["normal"]),
        (&["p.bouton", "--sequence", "grundy"], &["pass"]),
        (&["nim-pass", "--sequence", "grundy", "--set", "size=4"], &["pass"]),
        (&["moore", "--sequence", "grundy", "--set", "size=3"], &["heap"]),
        (&["wythoff", "--sequence", "grundy", "--set", "size=5"], &["heap"]),
        (&["nim-misere", "--sequence", "grundy", "--set", "size=4"], &["normal"]),
        // Losing numbers exist for a single heap.
        (&["h.bouton", "--sequence", "losing"], &["heap"]),
        (&["h.bouton"], &["heap"]),
        (&["wythoff", "--set", "size=5"], &["heap"]),
        // The selection must have each number of stones at most once.
        (&["p.bouton", "--where", "passes=0..1"], &["stones"]),
        (&["e.bouton", "--where", "currentmax=0"], &["stones"]),
        (&["e.bouton", "--where", "currentmax=0 turn=1 imposed=-"], &["stones"]),
        (&["e.bouton", "--where", "turn=1 resets=1,1 imposed=-"], &["stones"]),
        (&["e.bouton", "--where", "stones=1..5"], &["stones"]),
    ];
    for (args, expected) in cases {
        check_refused(here.path(), &[args, &["--format", "bfile"][..]].concat(), expected);
    }
}

#[test]
fn grundy_values_that_a_table_contradicts_are_refused() {
    let here = folder();
    let path = |file: &str| here.path().join(file);
    let parts_of_table = |file: &str, take: &'static [&'static str]| {
        Case { preset: "nim", settings: take }.make(here.path(), file, false);
        Parts::of(&std::fs::read(path(file)).expect("it was made"))
    };
    for (rules_of_header, rules_of_body) in [
        (&["bounds=[9]", "take=2"][..], &["bounds=[9]", "take=3"][..]),
        (&["bounds=[6,6]", "take=2"], &["bounds=[6,6]", "take=3"]),
        (&["bounds=[5,5,5]", "take=any"], &["bounds=[5,5,5]", "take=any", "play=misere"]),
        // Single heaps are the same under both rulesets; two heaps show the difference.
        (&["bounds=[5,5,5]", "take=any"], &["bounds=[5,5,5]", "take=any", "heaps-per-move=2"]),
    ] {
        let (valid, wrong) =
            (parts_of_table("valid", rules_of_header), parts_of_table("other", rules_of_body));
        // The header names one ruleset, and the outcomes are those of the other.
        std::fs::write(path("wrong"), Parts { header: valid.header, body: wrong.body }.seal())
            .expect("it can be written");
        let args = |file| ["export", file, "--format", "bfile", "--sequence", "grundy"];
        assert_eq!(bouton(here.path(), &args("valid")).status, Some(0), "{rules_of_header:?}");
        let ran = bouton(here.path(), &args("wrong"));
        assert_eq!(ran.status, Some(1), "{rules_of_header:?} {rules_of_body:?}: {ran:?}");
        assert!(ran.stdout.is_empty() && ran.stderr.contains("wrong"), "{rules_of_header:?}: {ran:?}");
    }
}
