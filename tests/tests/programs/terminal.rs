//! Output on a terminal, output that cannot be written, and some errors and reports of `bouton`.
#![cfg(target_os = "linux")]

use bouton_tests::programs::{bouton, run_in_bash};
use bouton_tests::terminal::run_on_terminal;
use tempfile::{TempDir, tempdir};

/// Makes a folder with the table of 3-5-7.
fn sticks() -> TempDir {
    let here = tempdir().unwrap();
    assert_eq!(bouton(here.path(), &["generate", "sticks", "-q"]).status, Some(0));
    here
}

#[test]
fn a_progress_bar_is_cleared_before_the_result_is_printed() {
    let here = sticks();
    for (name, args, first) in [
        ("bouton", "generate sticks -o t.bouton", "t.bouton: every position of sticks, solved"),
        ("bouton", "verify sticks.bouton", "sticks.bouton is right: each of its 88 positions"),
        ("bouton", "check sticks.bouton lost==lost", "sticks.bouton: at every position"),
        ("bouton", "diff sticks marienbad", "sticks and marienbad"),
        ("bouton", "export sticks -f csv --starts", "heaps"),
        ("bouton-match", "play table random --rules sticks", "game 1: table moves first"),
        ("bouton-match", "tournament table random --rules sticks --start 3,5,7", "2 games from 1 start"),
        ("bouton-match", "chances sticks.bouton --model err:0.1", "sticks.chances: the best response"),
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        let (_, screen) = run_on_terminal(80, name, here.path(), &args);
        let top = screen.lines().next().unwrap_or_default();
        assert!(!screen.contains('█') && !screen.contains('░'), "{args:?}:\n{screen}");
        assert!(
            !top.is_empty() && (top.starts_with(first) || args[0] == "diff" || args[0] == "export"),
            "{args:?}:\n{screen}"
        );
    }
}

#[test]
fn sentences_and_errors_are_wrapped_at_the_width_of_the_terminal() {
    let here = sticks();
    for (name, args, line) in [
        ("bouton-lookup", "sticks.bouton 3,5,7 --explain", "The columns with a 1 in the nim-sum have"),
        ("bouton", "info sticks.bouton", "  size       303 bytes, 3.4432 bytes a"),
        ("bouton", "generate wythof", "bouton: there is no preset 'wythof';"),
        ("bouton", "generate --threads 0", "error: invalid value '0' for '--threads"),
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        let (_, screen) = run_on_terminal(42, name, here.path(), &args);
        assert!(screen.lines().any(|shown| shown.trim_end() == line), "{args:?}:\n{screen}");
    }
    // A file or pipe gets whole lines.
    let explained =
        run_in_bash("\"$0\" \"$@\"", "bouton-lookup", here.path(), &["sticks.bouton", "3,5,7", "--explain"]);
    assert!(explained.stdout.lines().any(|line| line.len() > 200), "{}", explained.stdout);
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let here = sticks();
    for (name, args) in [
        ("bouton", "--help"),
        ("bouton", "--version"),
        ("bouton", "generate --help"),
        ("bouton", "generate sticks -o -"),
        ("bouton", "generate sticks --estimate"),
        ("bouton", "rules --list"),
        ("bouton", "rules sticks --json"),
        ("bouton", "info sticks.bouton"),
        ("bouton", "verify sticks.bouton --json"),
        ("bouton", "export sticks.bouton -f csv"),
        ("bouton", "completions bash"),
        ("bouton", "man"),
        ("bouton-lookup", "--help"),
        ("bouton-lookup", "--version"),
        ("bouton-lookup", "sticks.bouton 3,5,7 --json"),
        ("bouton-match", "--version"),
        ("bouton-match", "man"),
        ("bouton-match", "play table random --rules sticks"),
        ("bouton-server", "--help"),
        ("bouton-server", "--man"),
    ] {
        let words: Vec<&str> = args.split(' ').collect();
        for to in ["> /dev/full", ">&-", "1< /dev/null"] {
            let ran = run_in_bash(&format!("\"$0\" \"$@\" {to}"), name, here.path(), &words);
            assert_eq!(ran.status, Some(2), "{name} {args} {to}: {ran:?}");
            assert!(ran.stderr.contains("cannot write standard output: "), "{name} {args} {to}: {ran:?}");
        }
        // Redirecting to /dev/null discards output without an error.
        let ran = run_in_bash("\"$0\" \"$@\" > /dev/null", name, here.path(), &words);
        assert_eq!(ran.status, Some(0), "{name} {args}: {ran:?}");
    }
}

#[test]
fn for_a_key_given_as_an_option_the_error_names_the_setting() {
    let here = tempdir().unwrap();
    for (args, setting) in [
        (&["generate", "--stones", "100"][..], "--set stones=100"),
        (&["generate", "--base-limit=5"], "--set base-limit=5"),
        (&["export", "nim", "-f", "csv", "--heaps", "3"], "--set heaps=3"),
        // This option is no key, so the error suggests the most similar option.
        (&["draw", "heatmap", "nim", "-o", "a.svg", "--size-", "3"], "--size"),
        (&["diff", "nim", "nim", "--passes", "1"], "--set-a passes=1"),
    ] {
        let ran = bouton(here.path(), args);
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert!(ran.stderr.contains(setting), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn an_estimate_can_be_printed_as_json() {
    let here = tempdir().unwrap();
    let ran = bouton(here.path(), &["generate", "sticks", "--estimate", "--json"]);
    let estimate: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&estimate["positions"], ran.stdout.lines().count()), (&88.into(), 1));
    assert!(estimate["memory"].as_u64() > Some(0) && estimate["file"].as_u64() > Some(0), "{estimate}");
}

#[test]
fn a_file_in_place_of_a_folder_for_pages_is_refused() {
    let here = sticks();
    let ran = bouton(here.path(), &["man", "sticks.bouton"]);
    assert_eq!(
        (ran.status, &*ran.stderr),
        (Some(2), "bouton: sticks.bouton is a file; name a folder for the pages\n")
    );
}
