//! `bouton sheet`, as a user runs it: its files, refusals and the digest on the sheet.

use std::fs;

use bouton_tests::programs::{bouton, files};

#[test]
fn a_sheet_is_named_after_its_game_and_replaced_with_force_only() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert_eq!(
        bouton(here, &["generate", "-q", "--set", "stones=12", "-o", "twelve.bouton"]).status,
        Some(0)
    );
    for (args, file, expected) in [
        (&["twelve.bouton"][..], "twelve-sheet.pdf", "210.0 x 297.0 mm"),
        (&["sticks", "--paper", "letter"], "sticks-sheet.pdf", "215.9 x 279.4 mm"),
        (&["expanding"], "expanding-sheet.pdf", "2 pages of 210.0 x 297.0 mm"),
        (&["sticks", "-o", "s.svg"], "s.svg", "794 x 1123 pixels"),
        (&["sticks", "-o", "s.png"], "s.png", "1588 x 2246 pixels"),
        (&["sticks", "-o", "s.tex"], "s.tex", "210.0 x 297.0 mm"),
        (&["expanding", "-o", "e.svg"], "e.svg", "794 x 2246 pixels"),
    ] {
        let sheet = |more: &[&str]| bouton(here, &[&["sheet"], args, more].concat());
        let ran = sheet(&[]);
        let expected = format!("{file}: {expected}\n");
        assert_eq!((ran.status, ran.stdout, ran.stderr), (Some(0), expected, String::new()), "{args:?}");
        let bytes = fs::read(here.join(file)).unwrap();
        let again = sheet(&[]);
        assert_eq!(again.status, Some(2));
        assert!(again.stderr.contains(&format!("{file} exists; --force replaces it")), "{again:?}");
        let replaced = sheet(&["--force", "--quiet"]);
        assert_eq!((replaced.status, replaced.stdout), (Some(0), String::new()));
        assert!(fs::read(here.join(file)).unwrap() == bytes, "{args:?}: the same table makes the same bytes");
    }
}

#[test]
fn an_impossible_sheet_is_refused_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (args, expected) in [
        (&["sticks", "-o", "s.txt"][..], "s.txt does not end in .svg, .png, .pdf or .tex"),
        (&["sticks", "--paper", "a5"], "[possible values: a4, letter]"),
        (&["stix"], "stix"),
        (&["expanding", "--set", "stones=100000"], "make one of a smaller game"),
        (&["..", "-o", "s.pdf"], ".."),
        (&["missing.bouton"], "missing.bouton"),
        (&["sticks", "-o", "no/s.pdf"], "make its folder first"),
    ] {
        let ran = bouton(here, &[&["sheet"], args].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
    assert!(files(here).is_empty());
}

#[test]
fn a_sheet_shows_the_digest_of_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert_eq!(bouton(here, &["generate", "sticks", "-q"]).status, Some(0));
    let info = bouton(here, &["info", "sticks.bouton", "--json"]).stdout;
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    let digest = info["digest"].as_str().unwrap();
    assert_eq!(bouton(here, &["sheet", "sticks.bouton", "-o", "s.svg"]).status, Some(0));
    assert!(
        fs::read_to_string(here.join("s.svg")).unwrap().contains(&format!("with depths of digest {digest}"))
    );
    assert_eq!(bouton(here, &["sheet", "sticks", "-o", "r.svg"]).status, Some(0));
    assert!(fs::read_to_string(here.join("r.svg")).unwrap().contains("without depths of digest"));
}
