//! What `export` does not understand or cannot do: one clear error, and nothing written.

use bouton_tests::exported::cases::{CASES, Case};
use tempfile::TempDir;

use super::{folder, refused};

const EXPANDING: Case = CASES[0];
const HEAPS: Case = CASES[12];
const PASSES: Case = CASES[20];

/// A folder with tables: `e.bouton` of Expanding Nim, `h.bouton` of three heaps, `p.bouton` of one heap and
/// passes, and `n.bouton`, of Expanding Nim without depths.
fn tables() -> TempDir {
    let here = folder();
    EXPANDING.make(here.path(), "e.bouton", true);
    HEAPS.make(here.path(), "h.bouton", true);
    PASSES.make(here.path(), "p.bouton", true);
    EXPANDING.make(here.path(), "n.bouton", false);
    here
}

#[test]
fn a_bad_filter_tells_where_and_what_was_found_and_what_is_allowed() {
    let here = tables();
    let cases: &[(&str, &str, &[&str])] = &[
        // Unknown fields, those of the other family among them.
        ("e.bouton", "colour=1", &["colour", "stones", "currentmax", "turn", "resets", "imposed", "winning"]),
        ("e.bouton", "heaps=1,2,3", &["heaps", "stones", "currentmax"]),
        ("h.bouton", "stones=1", &["stones", "heaps", "nonempty", "total"]),
        ("h.bouton", "heap1=1", &["heap1", "heaps"]),
        ("e.bouton", "Stones=1", &["Stones", "stones"]),
        ("e.bouton", "best=1", &["best", "stones"]),
        // No condition at all.
        ("e.bouton", "stones", &["stones"]),
        ("e.bouton", "=5", &["=5"]),
        ("e.bouton", "stones=5 17", &["17"]),
        // Bad numbers.
        ("e.bouton", "stones=x", &["stones", "'x'"]),
        ("e.bouton", "stones=-1", &["stones", "-1"]),
        ("e.bouton", "stones=1.5", &["stones", "1.5"]),
        ("e.bouton", "stones=5...9", &["stones", "5...9"]),
        ("e.bouton", "stones=1..2..3", &["stones", "1..2..3"]),
        ("e.bouton", "stones=1-5", &["stones", "1-5"]),
        ("e.bouton", "stones=99999999999999999999", &["stones", "99999999999999999999"]),
        ("e.bouton", "stones=**", &["stones", "**"]),
        ("h.bouton", "total=many", &["total", "many"]),
        ("h.bouton", "heaps=1,x,3", &["heaps", "x"]),
        // Nothing behind the sign.
        ("e.bouton", "stones=", &["stones"]),
        ("e.bouton", "outcome=", &["outcome", "win", "loss"]),
        ("e.bouton", "imposed=", &["imposed"]),
        ("e.bouton", "resets=", &["resets"]),
        ("e.bouton", "resets=1,", &["resets"]),
        ("h.bouton", "heaps=,1,2", &["heaps"]),
        // Ranges from more to less.
        ("e.bouton", "stones=9..3", &["stones", "9..3"]),
        ("e.bouton", "resets=0,1..0", &["resets", "1..0"]),
        ("h.bouton", "nonempty=2..1", &["nonempty", "2..1"]),
        // One field twice.
        ("e.bouton", "stones=5 stones=6", &["stones", "twice"]),
        ("e.bouton", "stones=5 turn=1 stones=5", &["stones", "twice"]),
        ("h.bouton", "heaps=*,*,* heaps=1,2,3", &["heaps", "twice"]),
        // Tuples of another length.
        ("e.bouton", "resets=1", &["resets", "'1'"]),
        ("e.bouton", "resets=1,1,1", &["resets", "1,1,1"]),
        ("e.bouton", "turn=1,2", &["turn", "1,2"]),
        ("h.bouton", "heaps=1,2", &["heaps", "1,2", "3"]),
        ("h.bouton", "heaps=1,2,3,4", &["heaps", "1,2,3,4"]),
        ("h.bouton", "total=1,2,3", &["total", "1,2,3"]),
        // Words.
        ("e.bouton", "imposed=yes", &["imposed", "yes", "-", "r"]),
        ("e.bouton", "outcome=draw", &["outcome", "draw", "win", "loss"]),
        ("h.bouton", "outcome=WIN", &["outcome", "WIN", "win", "loss"]),
        // What is wrong need not come first.
        ("e.bouton", "stones=1..9 currentmax=2 turn=x", &["turn", "'x'"]),
    ];
    for (file, filter, expected) in cases {
        for format in ["csv", "npy"] {
            refused(here.path(), &[file, "--format", format, "--where", filter], expected);
        }
    }
}

#[test]
fn a_depth_is_no_field_of_a_table_without_depths() {
    let here = tables();
    for filter in ["depth=3", "depth=*", "stones=3 depth=1.."] {
        refused(here.path(), &["n.bouton", "--format", "csv", "--where", filter], &["depth"]);
    }
}

#[test]
fn usage_that_is_wrong_is_trouble() {
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
        (&["text", "--format", "csv"], "text"),
        (&["damaged", "--format", "csv"], "damaged"),
        (&[".", "--format", "csv"], ""),
        (&["expanding", "--set", "stones=0", "--format", "csv"], "stones = 0"),
        (&["expanding", "--set", "colour=red", "--format", "csv"], "unknown key 'colour'"),
        (&["expanding", "--set", "stones=1000000000", "--format", "csv"], "memory"),
    ];
    for (args, expected) in cases {
        refused(here.path(), args, &[expected]);
    }
}

#[test]
fn a_sequence_is_refused_where_it_has_no_meaning() {
    let here = tables();
    let cases: &[(&[&str], &[&str])] = &[
        // Grundy values are of heap games in normal play, one heap a move, without passes.
        (&["e.bouton", "--sequence", "grundy"], &[]),
        (&["h.bouton", "--sequence", "grundy"], &["normal"]),
        (&["p.bouton", "--sequence", "grundy"], &["pass"]),
        (&["nim-pass", "--sequence", "grundy", "--set", "size=4"], &["pass"]),
        (&["moore", "--sequence", "grundy", "--set", "size=3"], &["heap"]),
        (&["wythoff", "--sequence", "grundy", "--set", "size=5"], &["heap"]),
        (&["nim-misere", "--sequence", "grundy", "--set", "size=4"], &["normal"]),
        // Losing numbers are of a single heap.
        (&["h.bouton", "--sequence", "losing"], &["heap"]),
        (&["h.bouton"], &["heap"]),
        (&["wythoff", "--set", "size=5"], &["heap"]),
        // And of selections with each number of stones at most once.
        (&["p.bouton"], &["stones"]),
        (&["p.bouton", "--where", "passes=0..1"], &["stones"]),
        (&["e.bouton", "--where", "currentmax=0"], &["stones"]),
        (&["e.bouton", "--where", "currentmax=0 turn=1 imposed=-"], &["stones"]),
        (&["e.bouton", "--where", "turn=1 resets=1,1 imposed=-"], &["stones"]),
        (&["e.bouton", "--where", "stones=1..5"], &["stones"]),
    ];
    for (args, expected) in cases {
        refused(here.path(), &[args, &["--format", "bfile"][..]].concat(), expected);
    }
}
