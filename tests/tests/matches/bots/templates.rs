//! The bot templates of the program (Python and Rust) play whole games.

use std::env;
use std::path::Path;
use std::sync::OnceLock;

use bouton_tests::children::{command, output};
use bouton_tests::programs::{run_match, workspace};
use serde_json::Value;

use super::*;

/// Returns a folder with both templates: `template.py`, and `template`, compiled as docs/bots.md says.
fn templates() -> TempDir {
    static COMPILED: OnceLock<TempDir> = OnceLock::new();
    let bots = workspace().join("lookup/match/bots");
    let compiled = COMPILED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let cargo = env::var_os("CARGO").unwrap_or_default();
        let mut rustc = command(Path::new(&cargo).with_file_name("rustc"));
        let ran = output(rustc.arg("-O").arg(bots.join("template.rs")).current_dir(folder.path()));
        let output = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && output.is_empty(), "{output}");
        folder
    });
    let folder = tempfile::tempdir().unwrap();
    fs::copy(bots.join("template.py"), folder.path().join("template.py")).unwrap();
    fs::copy(compiled.path().join("template"), folder.path().join("template")).unwrap();
    folder
}

/// Returns both as players. Each of their processes is logged.
fn players(mode: &str) -> [String; 2] {
    [("python", "python3 template.py"), ("rust", "./template")]
        .map(|(name, command)| format!("{name}=bot:echo {name} >>processes; exec {command} {mode}"))
}

/// Runs `bouton-match`, which must succeed without an error. Returns its output.
fn run(folder: &TempDir, args: &[&str]) -> String {
    let ran = run_match(folder.path(), args, b"");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
    ran.stdout
}

#[test]
fn the_templates_play_several_games_by_their_rules() {
    let folder = templates();
    for rules in [
        &["expanding", "--set", "stones=40", "--set", "reset-limit=1", "--set", "play=misere"][..],
        &["sticks"],
        &["subtraction", "--set", "bounds=9,9", "--set", "passes=2"],
        &["moore", "--set", "bounds=2,4,4", "--set", "take=3"],
    ] {
        for mode in ["", "pairing"] {
            let [python, rust] = players(mode);
            let args = [&["tournament", "table:resets", &python, &rust, "--json", "--rules"], rules];
            let report: Value = serde_json::from_str(&run(&folder, &args.concat())).unwrap();
            assert_eq!((&report["games"], &report["failures"]), (&Value::from(6), &Value::Array(vec![])));
        }
    }
}

#[test]
fn a_template_process_plays_one_game_or_all_games_of_a_pairing() {
    let folder = templates();
    // Each player is started once more, on trial, before the first game.
    for (mode, in_match, in_tournament) in [("", 1 + 3, 1 + 2 * 4), ("pairing", 1 + 1, 1 + 2)] {
        let [python, rust] = &players(mode);
        let log = folder.path().join("processes");
        let processes = |args: &[&str]| {
            run(&folder, &[args, &["--set", "stones=20", "-q"]].concat());
            let lines = fs::read_to_string(&log).unwrap();
            fs::remove_file(&log).unwrap();
            ["python", "rust"].map(|name| lines.lines().filter(|line| *line == name).count())
        };
        assert_eq!(processes(&["play", python, rust, "--games", "3"]), [in_match; 2]);
        assert_eq!(processes(&["tournament", python, rust, "greedy", "--games", "2"]), [in_tournament; 2]);
    }
}

#[test]
fn the_same_seed_plays_the_same_games_in_any_process() {
    let folder = templates();
    let games = |mode, seed| {
        let [python, rust] = players(mode);
        run(
            &folder,
            &["play", &python, &rust, "--set", "stones=90", "--games", "2", "--show", "--seed", seed],
        )
    };
    let once = games("", "5");
    assert_eq!(games("pairing", "5"), once);
    assert_ne!(games("", "6"), once);
}

#[test]
fn an_opponent_may_have_a_name_that_is_a_word_of_the_protocol() {
    let folder = templates();
    for name in ["rules", "seed", "clock", "against", "newgame", "none"] {
        for player in players("pairing") {
            let opponent = format!("{name}=greedy");
            let output = run(&folder, &["play", &player, &opponent, "--set", "stones=30", "--games", "2"]);
            assert!(!output.contains("failed"), "{name}: {output}");
        }
    }
}
