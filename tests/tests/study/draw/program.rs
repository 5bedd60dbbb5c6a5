//! `bouton draw`, as a user runs it: its files, the size it prints, and its help.

use std::fs;

use bouton_tests::programs::{bouton, files, run_match};
use tempfile::TempDir;

use super::pictures::RECORDED;

/// Makes an empty temporary folder.
fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

#[test]
fn every_kind_of_picture_is_drawn_and_its_size_printed() {
    let here = folder();
    fs::write(here.path().join("g.jsonl"), format!("{RECORDED}\n{RECORDED}\n")).unwrap();
    let made = bouton(here.path(), &["generate", "-q", "--set", "stones=60", "-o", "t.bouton"]);
    assert_eq!(made.status, Some(0));
    let kinds: &[&[&str]] = &[
        &["heatmap", "t.bouton"],
        &["heatmap", "t.bouton", "--of", "depth", "--where", "stones=1..50"],
        &["heatmap", "wythoff", "--set", "size=20", "--of", "winning"],
        &["diff", "t.bouton", "expanding", "--set-b", "stones=50", "--set-b", "growth=2"],
        &["starts", "t.bouton", "--where", "resets=4,*"],
        &["game-map", "sticks"],
        &["game-map", "t.bouton", "--from", "5/3/2/1,0/-"],
        &["game", "g.jsonl", "--game", "2"],
        &["game", "g.jsonl", "--table", "t.bouton"],
    ];
    for (number, kind) in kinds.iter().enumerate() {
        for ending in ["svg", "PNG", "pdf", "tex"] {
            let name = format!("{number}.{ending}");
            let draw =
                |more: &[&str]| bouton(here.path(), &[&["draw"], *kind, &["-o", &name], more].concat());
            let ran = draw(&[]);
            assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{kind:?}");
            let bytes = fs::read(here.path().join(&name)).unwrap();
            let size = ran.stdout.strip_prefix(&format!("{name}: ")).expect("the file's name comes first");
            let unit = if ["svg", "PNG"].contains(&ending) { " pixels\n" } else { " mm\n" };
            let size = size.strip_suffix(unit).expect("there is one line, with the unit");
            let (width, height) = size.split_once(" x ").unwrap();
            if ending == "pdf" {
                assert!(bytes.starts_with(b"%PDF-"), "{kind:?}");
            } else if ending == "tex" {
                let text = String::from_utf8(bytes.clone()).unwrap();
                let size = |side: &str| format!("{:.1}", side.parse::<f64>().unwrap() / 72.0 * 25.4);
                let line = text.lines().find(|line| line.contains("bp high")).unwrap();
                let sides = line.split(' ').filter_map(|word| word.strip_suffix("bp")).map(size);
                assert_eq!(sides.collect::<Vec<_>>(), [width, height], "{kind:?}");
            } else if ending == "svg" {
                let text = String::from_utf8(bytes.clone()).unwrap();
                assert!(text.contains(&format!("width=\"{width}\" height=\"{height}\"")), "{kind:?}");
            } else {
                let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()).to_string();
                assert_eq!((side(16), side(20)), (width.to_owned(), height.to_owned()), "{kind:?}");
            }
            // The file exists now, and stays unless the user allows replacing it; drawn again, it is the same.
            let again = draw(&[]);
            assert_eq!(again.status, Some(2));
            assert!(again.stderr.contains(&format!("{name} exists; --force replaces it")), "{again:?}");
            let replaced = draw(&["--force", "--quiet"]);
            assert_eq!((replaced.status, replaced.stdout.as_str()), (Some(0), ""));
            assert!(fs::read(here.path().join(&name)).unwrap() == bytes, "{kind:?}");
        }
    }
}

#[test]
fn a_png_of_scale_4_has_4_times_the_pixels_on_each_side() {
    let here = folder();
    let size = |scale: &str| {
        let name = format!("{scale}.png");
        let args = ["draw", "game-map", "sticks", "--from", "1,2,3", "--scale", scale, "-o", &name];
        let ran = bouton(here.path(), &args);
        let size = ran.stdout.trim_end().trim_end_matches(" pixels").split_once(": ").unwrap().1.to_owned();
        size.split(" x ").map(|side| side.parse().unwrap()).collect::<Vec<u32>>()
    };
    let sides = size("1");
    assert_eq!(size("4"), sides.iter().map(|side| 4 * side).collect::<Vec<_>>());
}

#[test]
fn a_match_that_was_just_recorded_is_drawn() {
    let here = folder();
    let play =
        ["play", "ada=random", "table", "--set", "stones=80", "--games", "3", "-q", "--record", "g.jsonl"];
    assert_eq!(run_match(here.path(), &play, b"").status, Some(0));
    let play = ["play", "random", "random", "--rules", "nim-pass", "-q", "--record", "g.jsonl"];
    assert_eq!(run_match(here.path(), &play, b"").status, Some(0));
    for game in ["1", "2", "3", "4"] {
        let name = format!("{game}.svg");
        let ran = bouton(here.path(), &["draw", "game", "g.jsonl", "--game", game, "-o", &name]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{game}");
        let text = fs::read_to_string(here.path().join(&name)).unwrap();
        assert!(text.contains("who moved first") && text.contains(" wins<"), "{game}");
        assert_eq!(text.contains("ada"), game != "4");
    }
}

#[test]
fn help_names_the_options_of_each_kind() {
    let here = folder();
    let help = |kind: &str| bouton(here.path(), &["draw", kind, "--help"]).stdout;
    for kind in ["heatmap", "diff", "starts", "game-map", "game"] {
        for option in ["--output", "--scale", "--force", "--quiet"] {
            assert!(help(kind).contains(option), "{kind} {option}");
        }
    }
    for (kind, option) in [
        ("heatmap", "--of"),
        ("heatmap", "--where"),
        ("heatmap", "--set"),
        ("diff", "--set-a"),
        ("diff", "--set-b"),
        ("diff", "--where"),
        ("starts", "--where"),
        ("game-map", "--from"),
        ("game", "--game"),
        ("game", "--table"),
    ] {
        assert!(help(kind).contains(option), "{kind} {option}");
    }
    assert!(files(here.path()).is_empty());
}
