//! Positions and moves as people type them (`tests/data/typed.json`) mean the same in the library, `bouton-lookup` and
//! `bouton-match`.

use bouton_tables::{Game, rulesets, with_rules};
use bouton_tests::programs::{bouton, lookup, run_match};
use bouton_tests::typed::TypedGame;
use serde_json::Value;

#[test]
fn the_library_reads_what_people_type() {
    for game in TypedGame::all() {
        let ruleset = rulesets::find(&game.preset, &game.settings()).expect("allowed rules").ruleset;
        with_rules!(&ruleset, |rules| check_library(rules, &game));
    }
}

/// Checks that the library reads the typed texts as the file of cases says.
fn check_library<G: Game>(rules: &G, game: &TypedGame) {
    for (typed, notation) in &game.positions {
        let read = rules.read_position(typed);
        assert_eq!(
            read.map(|position| rules.show_position(&position)).as_deref(),
            Ok(&**notation),
            "{typed}"
        );
    }
    for (typed, expected) in &game.not_positions {
        let error = rules.read_position(typed).expect_err(typed).to_string();
        assert!(error.contains(expected), "{typed}: {error}");
    }
    let start = rules.start();
    for (typed, notation) in &game.moves {
        let read = rules.read_move(&start, typed).map(|chosen| chosen.to_string());
        assert_eq!(read.as_deref(), Ok(&**notation), "{typed}");
    }
    for (typed, expected) in &game.not_moves {
        let error = rules.read_move(&start, typed).expect_err(typed).to_string();
        assert!(error.contains(expected), "{typed}: {error}");
    }
}

#[test]
fn bouton_lookup_reads_what_people_type() {
    let here = tempfile::tempdir().expect("a folder");
    for game in TypedGame::all() {
        let settings = game.settings();
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        let args: Vec<&str> =
            ["generate", &game.preset, "-o", "t.bouton", "--force"].into_iter().chain(settings).collect();
        let made = bouton(here.path(), &args);
        assert_eq!(made.status, Some(0), "{}", made.stderr);

        let batch = |texts: Vec<&String>| {
            let lines: String = texts.iter().map(|text| format!("{text}\n")).collect();
            let ran = lookup(here.path(), &["t.bouton", "--batch"], lines.as_bytes());
            let lines = ran.stdout.lines().map(|line| serde_json::from_str(line).expect("an object"));
            lines.collect::<Vec<Value>>()
        };
        for ((typed, notation), answer) in game.positions.iter().zip(batch(game.positions.keys().collect())) {
            assert_eq!(answer["position"], notation.as_str(), "{typed}: {answer}");
            assert!(answer["outcome"].is_string(), "{typed}: {answer}");
        }
        let refused = batch(game.not_positions.keys().collect());
        for ((typed, expected), answer) in game.not_positions.iter().zip(refused) {
            let error = answer["error"].as_str().expect("an error");
            assert_eq!(answer["position"], typed.as_str());
            assert!(error.contains(expected), "{typed}: {error}");
        }
    }
    // On the command line too, with blanks or without; `t.bouton` is the last game, Expanding Nim.
    for args in [&["217/9/1/4,3/R"][..], &["217", "/", "9", "/1/4", "3/reset"]] {
        let ran = lookup(here.path(), &[&["t.bouton", "--json"], args].concat(), b"");
        assert!(ran.stdout.starts_with("{\"position\":\"217/9/1/4,3/r\","), "{ran:?}");
    }
}

#[test]
fn advise_reads_what_people_type() {
    let here = tempfile::tempdir().expect("a folder");
    for game in TypedGame::all() {
        let settings = game.settings();
        let settings: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
        let advise = |more: &[&str], typed: String| {
            let args = [&["advise", &game.preset, "--second"], &settings[..], more].concat();
            run_match(here.path(), &args, typed.as_bytes())
        };
        for (typed, notation) in &game.moves {
            let record = here.path().join("record.jsonl");
            let ran = advise(&["--quiet", "--record", "record.jsonl"], format!("{typed}\n"));
            let recorded =
                std::fs::read_to_string(&record).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
            let game: Value = serde_json::from_str(&recorded).expect("one game");
            assert_eq!(game["moves"][0], notation.as_str(), "{typed}: {ran:?}");
            std::fs::remove_file(&record).expect("it is there");
        }
        let typed: String = game.not_moves.keys().map(|typed| format!("{typed}\n")).collect();
        let ran = advise(&["--quiet"], typed);
        for ((typed, expected), line) in game.not_moves.iter().zip(ran.stdout.lines()) {
            assert!(line.starts_with("error: ") && line.contains(expected), "{typed}: {line}");
        }
        for (typed, notation) in &game.positions {
            let ran = advise(&["--quiet", "--start", typed], "position\n".to_owned());
            let first = ran.stdout.lines().next().unwrap_or_default();
            // If the game is over, `advise` prints the result and reads no command.
            assert!([notation, "won", "lost"].contains(&first), "{typed}: {ran:?}");
        }
    }
}
