//! Tests of `bouton export` against docs/outputs.md: its rows, filters, sequences, Grundy values, output files and
//! refusals.

mod bfiles;
mod filters;
mod grundy;
mod numpy;
mod output;
mod refusals;
mod round_trip;

use std::path::Path;

use bouton_tests::programs::{bouton, files};
use tempfile::TempDir;

/// Makes an empty temporary folder.
fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

/// Returns the output of an export, which must print nothing to standard error.
fn export(here: &Path, args: &[&str]) -> String {
    let ran = bouton(here, &[&["export"], args].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
    ran.stdout
}

/// Checks that an export fails, writes nothing, and that its error contains each of these texts.
fn check_refused(here: &Path, args: &[&str], expected: &[&str]) {
    let before = files(here);
    for more in [&[][..], &["-o", "never"]] {
        let ran = bouton(here, &[&["export"], args, more].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {}", ran.stderr);
        for part in expected {
            assert!(ran.stderr.contains(part), "{args:?}: no '{part}' in: {}", ran.stderr);
        }
        assert_eq!(files(here), before, "{args:?}");
    }
}
