//! `bouton export --format npy`, as NumPy reads it.
//!
//! These tests run Python scripts, and need a Python with NumPy: `python3`, or the program named by the environment
//! variable `PYTHON`. `.ci/run` sets it.

use std::fs;
use std::path::Path;
use std::process::Output;

use bouton_tables::{Ruleset, Table};
use bouton_tests::children::{command, output};
use bouton_tests::exported::cases::{CASES, Case};
use bouton_tests::exported::csv::ExportedCsv;
use bouton_tests::programs::{bouton, workspace};
use tempfile::TempDir;

/// Makes an empty temporary folder.
fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

/// Exports a selection to `file.npy` and `file.csv`.
fn export(here: &Path, args: &[&str]) {
    for (format, file) in [("npy", "file.npy"), ("csv", "file.csv")] {
        let args = [&["export", "--format", format, "--force", "-o", file], args].concat();
        let ran = bouton(here, &args);
        assert_eq!(ran.status, Some(0), "{args:?}: {}", ran.stderr);
    }
}

/// Runs the script that compares the two files, which have all rows of this ruleset, or a selection of them.
fn run_check(here: &Path, rules: &Ruleset, depths: bool, is_whole: bool) -> Output {
    let yes_or_no = |flag: bool| if flag { "yes" } else { "no" };
    let (family, heaps, passes) = match rules {
        Ruleset::Expanding(_) => ("expanding", 0, false),
        Ruleset::Heaps(rules) => ("heaps", rules.heaps(), rules.passes() > 0),
    };
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let mut command = command(python);
    command.arg(workspace().join("tests/python/check_npy.py")).current_dir(here);
    output(command.args([
        "file.npy",
        "file.csv",
        family,
        &heaps.to_string(),
        yes_or_no(passes),
        yes_or_no(depths),
        yes_or_no(is_whole),
    ]))
}

/// Checks that the script finds no difference between the two files.
fn check_arrays(here: &Path, rules: &Ruleset, depths: bool, is_whole: bool, context: &str) {
    let Output { status, stderr, .. } = run_check(here, rules, depths, is_whole);
    assert!(status.success(), "{context}: {}", String::from_utf8_lossy(&stderr));
}

/// Returns the number of rows in `file.csv`.
fn rows(here: &Path) -> usize {
    fs::read_to_string(here.join("file.csv")).expect("it was written").lines().count() - 1
}

#[test]
#[ignore = "needs python3 with numpy"]
fn arrays_have_the_columns_types_and_rows_of_the_csv_files() {
    for case in CASES {
        for depths in [true, false] {
            let here = folder();
            case.make(here.path(), "t.bouton", depths);
            export(here.path(), &["t.bouton"]);
            assert!(rows(here.path()) > 0);
            check_arrays(here.path(), &case.ruleset(), depths, true, &format!("{case:?}, depths {depths}"));
        }
    }
}

#[test]
#[ignore = "needs python3 with numpy"]
fn a_large_ruleset_is_exported_whole() {
    let here = folder();
    let case = Case { preset: "expanding", settings: &["stones=200"] };
    export(here.path(), &case.args());
    let Ruleset::Expanding(rules) = case.ruleset() else { panic!("it is Expanding Nim") };
    // Tables count each position once; exports list it with either player to move.
    assert_eq!(rows(here.path()) as u64, 2 * rules.positions());
    check_arrays(here.path(), &case.ruleset(), true, true, "200 stones");
}

#[test]
#[ignore = "needs python3 with numpy"]
fn selections_and_empty_selections_are_exported_as_arrays() {
    for (case, filters) in [
        (CASES[0], &["--starts", "stones=21 turn=2", "stones=31..", "winning=0 outcome=loss"][..]),
        (CASES[9], &["--starts", "winning=10..", "resets=11,0 stones=9", "outcome=loss depth=1000.."]),
        (CASES[12], &["--starts", "heaps=0..3,5,*", "total=0", "nonempty=4.."]),
        (CASES[25], &["--starts", "total=0", "nonempty=16", "total=17"]),
    ] {
        let (here, mut empty) = (folder(), 0);
        case.make(here.path(), "t.bouton", true);
        for filter in filters {
            let selection: &[&str] = if filter.starts_with('-') { &[filter] } else { &["--where", filter] };
            export(here.path(), &[&["t.bouton"], selection].concat());
            empty += usize::from(rows(here.path()) == 0);
            check_arrays(here.path(), &case.ruleset(), true, false, &format!("{case:?} {filter}"));
        }
        assert!((1..filters.len()).contains(&empty), "some are empty: {empty} of {}", filters.len());
    }
}

#[test]
#[ignore = "needs python3 with numpy"]
fn the_check_finds_each_kind_of_difference() {
    let here = folder();
    let case = CASES[12];
    case.make(here.path(), "t.bouton", true);
    let table = Table::map(&here.path().join("t.bouton")).expect("it opens");
    let rules = &table.header().ruleset;
    let export_and_read = || {
        export(here.path(), &["t.bouton"]);
        let read = |file| fs::read(here.path().join(file)).expect("it was written");
        (read("file.npy"), String::from_utf8(read("file.csv")).expect("ASCII"))
    };
    let check_refused = |npy: &[u8], csv: &str, expected: &str| {
        fs::write(here.path().join("file.npy"), npy).expect("it can be written");
        fs::write(here.path().join("file.csv"), csv).expect("it can be written");
        let Output { status, stderr, .. } = run_check(here.path(), rules, true, true);
        let errors = String::from_utf8_lossy(&stderr);
        assert!(!status.success() && errors.contains(expected), "no '{expected}' in: {errors}");
    };
    let (npy, csv) = export_and_read();
    check_arrays(here.path(), rules, true, true, "as exported");
    // Changes the first byte of the last row, which is the lowest byte of a heap, and its last byte.
    let bytes_per_row = {
        let rows = ExportedCsv::read(&csv).rows.len();
        let start = 10 + usize::from(u16::from_le_bytes([npy[8], npy[9]]));
        assert_eq!((npy.len() - start) % rows, 0);
        (npy.len() - start) / rows
    };
    for index in [npy.len() - bytes_per_row, npy.len() - 1] {
        let mut changed = npy.clone();
        changed[index] ^= 1;
        check_refused(&changed, &csv, "the csv file has");
    }
    let last = csv.trim_end().rfind('\n').expect("many lines") + 1;
    check_refused(&npy, &csv[..last], "shape");
    check_refused(&npy, &csv.replacen("heap1", "heap0", 1), "column names");
    check_refused(&[&npy[..], b"\n"].concat(), &csv, "bytes of the file");
    let text = |from: &str, to: &str| {
        let start = npy.windows(from.len()).position(|bytes| bytes == from.as_bytes()).expect("it is there");
        [&npy[..start], to.as_bytes(), &npy[start + from.len()..]].concat()
    };
    check_refused(&text("heap1", "heap0"), &csv, "names of the fields");
    check_refused(&text("<u4", "<i4"), &csv, "type of heap1");
    // A header that is one byte longer: valid, but not aligned.
    let mut longer = npy.clone();
    let end = 10 + usize::from(u16::from_le_bytes([npy[8], npy[9]]));
    longer.insert(end - 1, b' ');
    longer[8] += 1;
    check_refused(&longer, &csv, "modulo 64");
}
