//! `bouton` and `bouton-lookup` with heap games, as users run them.

use std::path::Path;

use bouton_tests::programs::{bouton, lookup};
use tempfile::TempDir;

/// Makes a folder with the tables of some presets, and verifies each one.
fn tables(presets: &[&str]) -> TempDir {
    let here = tempfile::tempdir().expect("a folder can be made");
    for preset in presets {
        let made = bouton(here.path(), &["generate", preset]);
        assert_eq!((made.status, made.stderr.as_str()), (Some(0), ""), "{preset}");
        assert!(made.stdout.contains("To look a position up (heaps"), "{}", made.stdout);
        let verified = bouton(here.path(), &["verify", &format!("{preset}.bouton")]);
        assert_eq!(verified.status, Some(0), "{preset}: {}", verified.stderr);
    }
    here
}

/// Returns the output of the lookup program.
fn answer(here: &Path, args: &[&str]) -> String {
    let ran = lookup(here, args, b"");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
    ran.stdout
}

#[test]
fn answers_keep_the_order_of_the_heaps() {
    let here = tables(&["sticks"]);
    let json = |position| answer(here.path(), &["sticks.bouton", position, "--json"]);
    assert_eq!(
        json("3,5,7"),
        "{\"position\":\"3,5,7\",\"outcome\":\"win\",\"depth\":14,\"best\":\"1:1\",\"winning\":[\"1:1\",\"2:1\",\"3:1\"]}\n"
    );
    assert_eq!(
        json("7,1,2"),
        "{\"position\":\"7,1,2\",\"outcome\":\"win\",\"depth\":6,\"best\":\"1:4\",\"winning\":[\"1:4\"]}\n"
    );
    // The player who took the last stick has lost.
    assert_eq!(
        json("0"),
        "{\"position\":\"0,0,0\",\"outcome\":\"win\",\"depth\":0,\"best\":null,\"winning\":[]}\n"
    );
    let moves = answer(here.path(), &["sticks.bouton", "2,2,0", "--moves"]);
    assert!(moves.starts_with("2,2,0: the player to move loses in 3 plies.\n"), "{moves}");
    let listed = "     1:1  loses  2 plies left\n     2:1  loses  2 plies left\n     1:2  loses  2 plies left\n     2:2  loses  2 plies left\n";
    assert!(moves.ends_with(listed), "{moves}");
}

#[test]
fn heaps_may_have_blanks_between_and_around_them() {
    let here = tables(&["nim-pass"]);
    let ask = |position: &[&str]| answer(here.path(), &[&["nim-pass.bouton", "--json"], position].concat());
    for (typed, notation) in [
        (&["3 5 7"][..], "3,5,7"),
        (&["3", "5", "7"], "3,5,7"),
        (&[" 3, 5 ,7\t"], "3,5,7"),
        (&["3 5 7 / 0"], "3,5,7/0"),
        (&["3", "5/1"], "3,5/1"),
    ] {
        assert_eq!(ask(typed), ask(&[notation]), "{typed:?}");
    }
    let error = |typed| lookup(here.path(), &["nim-pass.bouton", typed], b"").stderr;
    assert!(
        error("3,,5").contains("this is a heap game: a position looks like 31,31,31/1"),
        "{}",
        error("3,,5")
    );
    assert!(error("217/9/1/4,3/-").contains("this is a heap game"));
    let batch = lookup(here.path(), &["nim-pass.bouton", "--batch"], b" 3 5 7 \n3,5,7\n");
    let lines: Vec<&str> = batch.stdout.lines().collect();
    assert_eq!((batch.status, lines[0]), (Some(0), lines[1]));
}

#[test]
fn a_batch_answers_each_line_and_reports_bad_ones() {
    let here = tables(&["nim-pass"]);
    let ran = lookup(here.path(), &["nim-pass.bouton", "--batch"], b"1,2,0/1\n1,2,0/0\n40,1\n1,2/2\n");
    assert_eq!(ran.status, Some(2));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "{\"position\":\"1,2,0/1\",\"outcome\":\"loss\",\"depth\":4,\"best\":\"pass\",\"winning\":[]}"
    );
    assert!(lines[1].contains("\"best\":\"2:1\",\"winning\":[\"2:1\"]"), "{}", lines[1]);
    assert!(lines[2].contains("\"error\":\"heaps: found 40,1,0, but the table covers"), "{}", lines[2]);
    assert!(lines[3].contains("\"error\":\"passes: found 2, but the table covers 0 to 1"), "{}", lines[3]);
}

#[test]
fn explanations_give_the_argument_of_the_game() {
    let here = tables(&["sticks", "nim", "subtraction", "moore", "wythoff", "nim-pass"]);
    for (table, position, expected) in [
        (
            "sticks",
            "3,5,7",
            &["misère play", "nim-sum      1   0 0 1", "1:1 makes 2 of 3 in row 1: 3 xor 1 is 2"][..],
        ),
        ("sticks", "1,4,5", &["The nim-sum is 0, and no move keeps it at 0"]),
        ("sticks", "0,1,5", &["misère play departs from normal play", "an odd number"]),
        ("sticks", "1,0,1", &["The position has 2 heaps of one stone: the number is even"]),
        ("sticks", "0,0,0", &["No move is left, which is a win"]),
        ("nim", "1,2,4,8,16", &["nim-sum     31   1 1 1 1 1", "5:1 makes 15 of 16 in row 5"]),
        ("nim", "0,0,0,0,0", &["No move is left, which is a loss"]),
        ("subtraction", "5,2,1", &["0, 1, 0, 1, 2, 3", "row 1        5      3   1 1"]),
        ("moore", "15,3,9,2", &["a multiple of 3", "ones mod 3          2 1 0 0", "1:12+3:8 makes 3 of 15"]),
        ("moore", "1,1,1,0", &["All are multiples of 3"]),
        ("wythoff", "10,17", &["(0,0) (1,2) (3,5) (4,7) (6,10)", "pair number 4"]),
        ("wythoff", "5,3", &["This is (3,5), pair number 2"]),
        (
            "nim-pass",
            "3,5,6/1",
            &[
                "Bouton knows no theorem that decides these rules",
                "3:4 leads to 3,5,2/1",
                "pass  3,5,2/0  2:4     3,1,2/0",
            ],
        ),
        ("nim-pass", "1,2,0/1", &["Every move has an answer", "2:1   1,1,0/1  pass    1,1,0/0"]),
    ] {
        let shown = answer(here.path(), &[&format!("{table}.bouton"), position, "--explain"]);
        let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in expected {
            let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(flat.contains(&part), "{table} {position}: no '{part}' in\n{shown}");
        }
    }
}

#[test]
fn an_explanation_as_json_or_in_a_batch_is_refused() {
    let here = tables(&["sticks"]);
    for args in
        [&["sticks.bouton", "3,5,7", "--explain", "--json"][..], &["sticks.bouton", "--batch", "--explain"]]
    {
        let ran = lookup(here.path(), args, b"");
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""));
        assert!(ran.stderr.contains("--explain answers in words"), "{}", ran.stderr);
    }
}

#[test]
fn bad_positions_say_what_was_found_and_what_is_covered() {
    let here = tables(&["sticks"]);
    for (position, expected) in [
        ("3,5,7,1", "number of heaps: found 4, but the table covers 3 heaps"),
        ("8,0,0", "heaps: found 8,0,0, but the table covers heaps of at most 3,5,7 stones"),
        ("0,8,0", "heaps: found 0,8,0, but"),
        ("0,0,8", "heaps: found 0,0,8, but"),
        ("4,6,6", "heaps: found 4,6,6, but"),
        ("6,4,6", "heaps: found 6,4,6, but"),
        ("6,6,4", "heaps: found 6,6,4, but"),
        ("3,5,7/0", "end: found '0', expected nothing after the heaps"),
        ("3,5,7 and", "heaps: found '7 and'"),
        ("", "heaps: found ''"),
    ] {
        let ran = lookup(here.path(), &["sticks.bouton", position], b"");
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{position}");
        assert!(ran.stderr.contains(expected), "{position}: {}", ran.stderr);
    }
}

#[test]
fn bad_rulesets_are_refused_and_make_no_file() {
    let here = tempfile::tempdir().expect("a folder can be made");
    for (preset, settings, expected) in [
        ("sticks", &["take=[]"][..], "take = []: expected"),
        ("sticks", &["take=0"], "take = 0: expected"),
        ("sticks", &["heaps-per-move=4"], "heaps-per-move = 4: expected a whole number from 1 to 3"),
        ("sticks", &["equal-take=true"], "equal-take = true: expected false"),
        (
            "sticks",
            &["heaps-per-move=3", "take=200", "bounds=[200,200,200]"],
            "an answer would take 8120600 lookups",
        ),
        ("nim", &["heaps=16", "size=63"], "a table of 21,566,576,904,406,820 positions takes"),
        ("nim", &["size=1000000000"], "a table of"),
    ] {
        let sets: Vec<&str> = settings.iter().flat_map(|&setting| ["--set", setting]).collect();
        let ran = bouton(here.path(), &[&["generate", preset][..], &sets].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{settings:?}");
        assert!(ran.stderr.contains(expected), "{settings:?}: {}", ran.stderr);
    }
    assert_eq!(std::fs::read_dir(here.path()).expect("a folder").count(), 0);
    let huge = bouton(here.path(), &["generate", "nim", "--set", "heaps=12", "--set", "size=63"]);
    assert!(huge.stderr.contains("a table of 26,123,889,412,400 positions takes"), "{}", huge.stderr);
    assert!(huge.stderr.contains("ask for fewer heaps or smaller ones"), "{}", huge.stderr);
}

#[test]
fn every_heap_preset_is_listed_and_prints_a_ruleset_with_as_many_positions() {
    let here = tempfile::tempdir().expect("a folder can be made");
    let listed = bouton(here.path(), &["rules", "--list"]).stdout;
    let names = ["sticks", "marienbad", "nim", "nim-misere", "subtraction", "moore", "wythoff", "nim-pass"];
    for name in names {
        assert!(listed.lines().any(|line| line.split_whitespace().next() == Some(name)), "{name}: {listed}");
        let printed = bouton(here.path(), &["rules", name]).stdout;
        std::fs::write(here.path().join("my.toml"), &printed).expect("it can be written");
        let estimate = |which| bouton(here.path(), &["generate", which, "--estimate"]).stdout;
        let positions = |text: String| text.lines().next().map(str::to_owned);
        assert_eq!(positions(estimate("my.toml")), positions(estimate(name)), "{name}");
    }
}

#[test]
fn games_with_too_many_positions_are_made_and_proved_by_classes() {
    let here = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| bouton(here.path(), args);
    let misere = ["--set", "heaps=16", "--set", "size=100", "--no-depth", "-o", "t.bouton"];
    let made = run(&[&["generate", "nim-misere"][..], &misere].concat());
    assert_eq!(made.status, Some(0), "{}", made.stderr);
    let proved = run(&["verify", "--by-classes", "t.bouton"]);
    assert_eq!(proved.status, Some(0), "{}", proved.stderr);
    assert!(
        proved.stdout.starts_with("t.bouton is right: 130 classes decide all its positions ("),
        "{}",
        proved.stdout
    );
    let json = run(&["verify", "--by-classes", "--json", "t.bouton"]);
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((&report["right"], &report["proved-for"]), (&true.into(), &"any number of heaps".into()));
    let by_enumeration = run(&["verify", "t.bouton"]);
    assert_eq!(by_enumeration.status, Some(2));
    assert!(by_enumeration.stderr.contains("or try --by-classes"), "{}", by_enumeration.stderr);

    for (args, why) in [
        (&["nim-pass", "--no-depth"][..], "the proof by classes is for games without passes"),
        (&["moore", "--no-depth"], "the proof by classes is for games in which a move takes from one heap"),
        (&["sticks"], "the proof by classes is for tables without depths"),
        (&["expanding", "--set", "stones=20", "--no-depth"], "the proof by classes is for games of heaps"),
    ] {
        let generated = run(&[&["generate"][..], args, &["-o", "u.bouton", "--force"]].concat());
        assert_eq!(generated.status, Some(0), "{}", generated.stderr);
        let refused = run(&["verify", "--by-classes", "u.bouton"]);
        assert_eq!(refused.status, Some(2));
        assert!(refused.stderr.contains(why), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("enumerate all positions instead: omit --by-classes"),
            "{}",
            refused.stderr
        );
    }
}
