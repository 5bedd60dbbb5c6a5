//! Pictures are equal to the files in `tests/golden/draw`, which were reviewed.
//!
//! After an intended change, `cargo test -p bouton-tests --test study -- --ignored renew` draws them again.
//! Look at each one before you commit it.

use std::fs;
use std::path::PathBuf;

use bouton_draw::svg;
use bouton_tests::programs::workspace;

use super::pictures;

/// Returns the folder of the reviewed pictures.
fn folder() -> PathBuf {
    workspace().join("tests/golden/draw")
}

#[test]
fn pictures_equal_the_reviewed_ones() {
    for (name, scene) in pictures::small() {
        let path = folder().join(format!("{name}.svg"));
        let golden = fs::read_to_string(&path).unwrap_or_default();
        // Without assert_eq, which would print both pictures.
        assert!(svg(&scene) == golden, "{} differs; golden.rs says how to renew it", path.display());
    }
}

#[test]
#[ignore = "it changes files of the project"]
fn renew() {
    fs::create_dir_all(folder()).unwrap();
    for (name, scene) in pictures::small() {
        fs::write(folder().join(format!("{name}.svg")), svg(&scene)).unwrap();
    }
}
