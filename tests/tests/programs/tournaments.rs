//! `bouton-match tournament` and `standings` as a user runs them.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::process::Child;

use bouton_tests::programs::{files, run_match, send_signal, start_match, wait_until};
use serde_json::Value;
use tempfile::TempDir;

use crate::matches::{folder, json, run_ok, run_refused, table};

/// Returns the results without the duration.
fn results(folder: &TempDir, args: &[&str]) -> Value {
    let mut results = json(&run_ok(folder, &[args, &["--json"]].concat()));
    results.as_object_mut().unwrap().remove("seconds");
    results
}

/// Waits until a process has ended.
fn wait_until_ended(child: &mut Child) {
    let child = RefCell::new(child);
    wait_until(|| child.borrow_mut().try_wait().unwrap().is_some());
}

/// Returns the games of a transcript without their times.
fn games(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    let games = text.lines().map(|line| {
        let mut game = json(line);
        let fields = game.as_object_mut().unwrap();
        fields.remove("seconds").and(fields.remove("times")).unwrap();
        game
    });
    games.collect()
}

#[test]
fn a_round_robin_counts_each_game_once_and_the_table_wins_its_won_starts() {
    let folder = folder();
    table(&folder, 40, "t.bouton");
    let args = [
        "tournament",
        "t=table:t.bouton:longest",
        "random",
        "greedy",
        "minimax:2",
        "--stones",
        "1-38,40",
        "--games",
        "2",
    ];
    let report = json(&run_ok(&folder, &[&args[..], &["--json"]].concat()));
    assert_eq!(
        (&report["games"], report["starts"].as_array().unwrap().len()),
        (&Value::from(39 * 6 * 4), 39)
    );
    let standings = report["standings"].as_array().unwrap();
    let sum = |key: &str| standings.iter().map(|standing| standing[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("games"), sum("wins"), sum("losses_by_play")), (39 * 6 * 8, 39 * 6 * 4, 39 * 6 * 4));
    assert_eq!(sum("wins_as_first") + sum("wins_as_second"), sum("wins"));
    assert_eq!(
        (&standings[0]["player"], report["failures"].as_array().unwrap().len()),
        (&Value::from("t"), 0)
    );
    assert!(standings.iter().all(|standing| standing["games"] == 39 * 3 * 4));
    // In every pair of games from a start, one is won from the beginning.
    assert!(standings[0]["wins"].as_u64().unwrap() >= 39 * 3 * 2);
    // The order of the threads changes nothing.
    let again = json(&run_ok(&folder, &[&args[..], &["--json", "--threads", "1"]].concat()));
    assert_eq!(again["standings"], report["standings"]);
    let words = run_ok(&folder, &args);
    assert!(words.lines().nth(3).unwrap().starts_with("t  "), "{words}");
}

#[test]
fn a_player_that_crashes_hangs_or_sends_nonsense_loses_and_the_tournament_continues() {
    let folder = folder();
    let args = [
        "tournament",
        "good=exec:while read position; do echo 1; done",
        "dead=exec:read position; echo 1; exit 3",
        "silent=exec:sleep 1000",
        "rude=exec:while read position; do echo hello; done",
        "cheat=exec:while read position; do echo 99; done",
        "table:longest",
        "--set",
        "stones=6",
        "--clock",
        "0.3",
        "--json",
    ];
    let ran = run_match(folder.path(), &args, b"");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("silent: no answer to its first position"), "{}", ran.stderr);
    let report = json(&ran.stdout);
    assert_eq!(report["games"], 30);
    let standing_of = |name: &str| {
        let standings = report["standings"].as_array().unwrap();
        standings.iter().find(|standing| standing["player"] == name).unwrap().clone()
    };
    // The good player never fails.
    assert_eq!(
        standing_of("good")["wins"].as_u64().unwrap()
            + standing_of("good")["losses_by_play"].as_u64().unwrap(),
        10
    );
    // The faulty players fail, except if the opponent fails first. The dead one must move twice in both games against
    // the good one, who takes one stone at a time.
    assert!(standing_of("dead")["losses_by_failure"].as_u64().unwrap() >= 2, "{report}");
    assert!(standing_of("silent")["losses_by_time"].as_u64().unwrap() >= 7, "{report}");
    assert!(standing_of("rude")["losses_by_failure"].as_u64().unwrap() >= 7, "{report}");
    assert!(standing_of("cheat")["losses_by_illegal_move"].as_u64().unwrap() >= 7, "{report}");
    let failures = report["failures"].to_string();
    assert!(
        failures.contains("silent's time ran out") && failures.contains("made an illegal move: 99 at 6/0/1")
    );
}

#[test]
fn tournaments_of_heap_games_are_played() {
    let folder = folder();
    let args = [
        "tournament",
        "table",
        "greedy",
        "minimax:3",
        "--rules",
        "sticks",
        "--start",
        "3,5,7",
        "--start",
        "1,2,3",
        "--games",
        "3",
    ];
    let report = json(&run_ok(&folder, &[&args[..], &["--json"]].concat()));
    assert_eq!(report["standings"][0]["player"], "table");
    assert!(
        run_refused(&folder, &["tournament", "random", "greedy", "--rules", "sticks", "--stones", "5"])
            .contains("--start 3,5,7")
    );
    assert!(
        run_refused(&folder, &["play", "model:misread", "random", "--rules", "sticks"])
            .contains("is about resets")
    );
    assert!(
        run_refused(&folder, &["play", "table:swindle:misread", "random", "--rules", "sticks"])
            .contains("is about resets")
    );
}

#[test]
fn the_same_seed_plays_the_same_games_with_any_number_of_jobs() {
    let folder = folder();
    let args = [
        "tournament",
        "random",
        "b=random",
        "model:err:0.3",
        "--set",
        "stones=60",
        "--stones",
        "1-60",
        "--games",
        "2",
    ];
    let mut first: Option<(Value, Vec<Value>)> = None;
    for jobs in ["1", "2", "7"] {
        let file = format!("{jobs}.jsonl");
        let played = results(&folder, &[&args[..], &["--jobs", jobs, "--record", &file]].concat());
        let with_jobs = (played, games(&folder.path().join(file)));
        assert_eq!(with_jobs.1.len(), 60 * 3 * 4);
        assert_eq!(first.get_or_insert_with(|| with_jobs.clone()), &with_jobs, "{jobs}");
    }
    let other = results(&folder, &[&args[..], &["--seed", "2"]].concat());
    assert_ne!(other["standings"], first.unwrap().0["standings"]);
}

#[test]
fn bots_that_play_a_whole_pairing_get_its_games_in_order_with_any_number_of_jobs() {
    let folder = folder();
    // The bot's moves depend on the number of games it has played.
    let bot = "n=0; while read -r word rest; do case $word in bouton) echo ready 1 pairing;; newgame) n=$((n+1));; \
               position) echo $((1 + n % 2));; quit) exit;; esac; done";
    fs::write(folder.path().join("bot.sh"), bot).unwrap();
    let args = ["tournament", "a=bot:sh bot.sh", "b=bot:sh bot.sh", "random", "c=random", "--stones", "5-20"];
    let games = |jobs: &str| run_ok(&folder, &[&args[..], &["--csv=games", "--jobs", jobs]].concat());
    let one = games("1");
    assert_eq!(one.lines().count(), 1 + 16 * 6 * 2);
    assert_eq!(games("2"), one);
    assert_eq!(games("5"), one);
}

#[test]
fn a_tournament_truncated_anywhere_resumes_to_the_same_results() {
    let folder = folder();
    let args = [
        "tournament",
        "random",
        "cheat=exec:while read p; do echo 99; done",
        "table:longest",
        "--set",
        "stones=12",
        "--stones",
        "3-12",
        "--save",
        "r.jsonl",
    ];
    let whole = results(&folder, &args);
    assert_eq!((&whole["games"], &whole["of"]), (&Value::from(60), &Value::from(60)));
    assert!(
        run_refused(&folder, &args)
            .contains("r.jsonl exists already; `bouton-match tournament --resume r.jsonl`")
    );
    let file = folder.path().join("r.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 61);
    let first = text.find('\n').unwrap() + 1;
    for cut in [first, first + 10, text.len() / 3, text.len() / 2, text.len() - 1, text.len()] {
        fs::write(&file, &text[..cut]).unwrap();
        let stands = results(&folder, &["standings", "r.jsonl"]);
        assert_eq!(stands["games"], text[..cut].matches('\n').count() - 1, "{cut}");
        assert_eq!(results(&folder, &["tournament", "--resume", "r.jsonl"]), whole, "{cut}");
        assert_eq!(results(&folder, &["standings", "r.jsonl"]), whole);
        let mut lines: Vec<&str> = text.lines().collect();
        let again = fs::read_to_string(&file).unwrap();
        let mut lines_again: Vec<&str> = again.lines().collect();
        lines.sort_unstable();
        lines_again.sort_unstable();
        assert_eq!(lines_again, lines);
    }
}

#[test]
fn a_killed_and_an_interrupted_tournament_resume() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    // A bot that pauses once the bots have made as many moves as a file says.
    let bot = "while read p; do echo >> made; while [ $(wc -l < made) -gt $(cat limit) ]; do sleep 0.02; done; echo 1; done";
    fs::write(path("bot.sh"), bot).unwrap();
    fs::write(path("limit"), "1000000").unwrap();
    let args =
        ["tournament", "slow=exec:sh bot.sh", "greedy", "random", "--set", "stones=9", "--stones", "4-9"];
    let whole = results(&folder, &args);
    fs::remove_file(path("made")).unwrap();
    let made = || fs::read_to_string(path("made")).map_or(0, |text| text.lines().count());
    let mut saved = 0;
    for (signal, status) in [("KILL", None), ("INT", Some(130)), ("TERM", Some(143))] {
        let limit = made() + 12;
        fs::write(path("limit"), limit.to_string()).unwrap();
        let begin = [&args[..], &["--save", "r.jsonl"]].concat();
        let again = ["tournament", "--resume", "r.jsonl"];
        let child = start_match(folder.path(), if saved == 0 { &begin } else { &again });
        wait_until(|| made() > limit);
        send_signal(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), status);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            status.is_none() || error.contains("`bouton-match tournament --resume r.jsonl` plays the rest"),
            "{error}"
        );
        let before =
            std::mem::replace(&mut saved, fs::read_to_string(path("r.jsonl")).unwrap().matches('\n').count());
        assert!(saved > before && saved < 37, "{before} {saved}");
    }
    fs::write(path("limit"), "1000000").unwrap();
    assert_eq!(results(&folder, &["tournament", "--resume", "r.jsonl"]), whole);
}

#[test]
fn a_tournament_of_slow_players_ends_on_a_signal() {
    let folder = folder();
    // Without a clock they would think for years.
    let args = ["tournament", "minimax:900", "minimax:901", "--save", "r.jsonl", "--clock", "none"];
    let mut child = start_match(folder.path(), &args);
    wait_until(|| folder.path().join("r.jsonl").exists());
    send_signal("INT", &child);
    wait_until_ended(&mut child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("0 of 2 games from 1 start"));
}

#[test]
fn players_called_table_play_from_the_given_table_and_by_its_rules() {
    let folder = folder();
    let ran = bouton_tests::programs::bouton(
        folder.path(),
        &["generate", "-q", "--set", "stones=30", "--set", "growth=2", "--no-depth", "-o", "t.bouton"],
    );
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    for more in [&[][..], &["--set", "stones=20"], &["--set", "stones=20", "--set", "resets=1,1"]] {
        let stones = if more.is_empty() { "30" } else { "20" };
        let args = ["table:longest", "random", "--table", "t.bouton", "--record", "r.jsonl", "-q"];
        run_ok(&folder, &[&["play"][..], &args, more].concat());
        let recorded = fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
        let rules = format!("\"stones\":{stones},\"base-limit\":3,\"growth\":2,");
        assert!(recorded.lines().last().unwrap().contains(&rules), "{recorded}");
    }
    let saved = ["tournament", "table:longest", "random", "--table", "t.bouton", "--save", "s.jsonl"];
    let whole = results(&folder, &saved);
    // The resumed tournament plays from the same table.
    let text = fs::read_to_string(folder.path().join("s.jsonl")).unwrap();
    assert!(
        text.starts_with("{\"tournament\":1,\"ruleset\":") && text.contains("\"table\":\"t.bouton\""),
        "{text}"
    );
    fs::write(folder.path().join("s.jsonl"), text.lines().next().unwrap().to_owned() + "\n").unwrap();
    assert_eq!(results(&folder, &["tournament", "--resume", "s.jsonl"]), whole);
    for (command, more, expected) in [
        (
            "play",
            &["--set", "growth=1"][..],
            "t.bouton: the table has growth=2, but the game has growth=1; make a table",
        ),
        ("tournament", &["--set", "stones=31"], "the table has stones=30, but the game has stones=31"),
        ("tournament", &["--rules", "nim"], "cannot be used with"),
        ("tournament", &["--resume", "s.jsonl"], "cannot be used with"),
    ] {
        let error =
            run_refused(&folder, &[&[command, "table", "random", "--table", "t.bouton"], more].concat());
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn starts_can_be_chosen_by_their_outcome() {
    let folder = folder();
    let starts = |args: &[&str]| -> Vec<String> {
        let args = [&["tournament", "random", "greedy"][..], args].concat();
        let starts = results(&folder, &args)["starts"].clone();
        starts.as_array().unwrap().iter().map(|start| start.as_str().unwrap().to_owned()).collect()
    };
    // In Nim a position is lost if and only if the nim-sum of the heaps is 0 (Bouton 1901).
    let nim = ["--rules", "nim", "--set", "bounds=[3,4,5]", "--starts"];
    let [lost, won, all] = ["lost", "won", "all"].map(|which| starts(&[&nim[..], &[which]].concat()));
    let is_lost =
        |start: &String| start.split(',').fold(0, |sum, heap| sum ^ heap.parse::<u32>().unwrap()) == 0;
    assert!(lost.iter().all(is_lost) && !won.iter().any(is_lost) && !lost.is_empty());
    assert_eq!(lost.len() + won.len(), all.len());
    // Counts the nonempty multisets within 3, 4 and 5 one by one.
    let mut multisets = 0;
    for (a, b, c) in (0..=5).flat_map(|a| (0..=4).flat_map(move |b| (0..=3).map(move |c| (a, b, c)))) {
        multisets += usize::from(a >= b && b >= c && a > 0);
    }
    assert_eq!(all.len(), multisets);
    // In natural order: by the greatest heap, then by the second greatest.
    assert!(all.is_sorted_by_key(|start| {
        start.split(',').rev().map(|heap| heap.parse().unwrap()).collect::<Vec<u32>>()
    }));
    // Without resets and with growth 0, multiples of the limit plus one are lost.
    let simple = ["--set", "stones=30", "--set", "growth=0", "--set", "resets=[0,0]"];
    let lost = starts(&[&simple[..], &["--starts", "lost"]].concat());
    let stones = lost.iter().map(|start| start.split('/').next().unwrap()).collect::<Vec<_>>();
    assert_eq!(stones, ["4", "8", "12", "16", "20", "24", "28"]);
    let chosen = starts(&[&simple[..], &["--stones", "1-9", "--starts", "won"]].concat());
    assert_eq!(chosen.len(), 7);
    fs::write(folder.path().join("starts"), "# some\n 5 \n\n7 # more\n8\n").unwrap();
    let chosen = starts(&[&simple[..], &["--start-file", "starts", "--start", "3"]].concat());
    assert_eq!(chosen.len(), 4);
    assert_eq!(starts(&[&simple[..], &["--start-file", "starts", "--starts", "lost"]].concat()).len(), 1);
}

#[test]
fn games_in_csv_add_up_to_the_standings_and_the_pairs() {
    let folder = folder();
    let args = [
        "tournament",
        "random",
        "table:longest",
        "minimax:2",
        "--rules",
        "sticks",
        "--starts",
        "all",
        "--games",
        "2",
    ];
    let csv = |what: &str| run_ok(&folder, &[&args[..], &[what]].concat());
    let whole = results(&folder, &args);
    let games = csv("--csv=games");
    let mut lines = games.lines();
    assert_eq!(lines.next().unwrap(), "game,first,second,start,winner,side,reason,moves,detail");
    let games: Vec<Vec<String>> = lines
        .map(|line| {
            // A start contains commas, and stands in quotation marks.
            let [before, start, after] = line.split('"').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let cells = |text: &str| text.trim_matches(',').split(',').map(str::to_owned).collect::<Vec<_>>();
            [cells(before), vec![start.to_owned()], cells(after)].concat()
        })
        .collect();
    assert_eq!(whole["games"], games.len());
    for standing in whole["standings"].as_array().unwrap() {
        let wins = games.iter().filter(|game| game[4] == standing["player"].as_str().unwrap()).count();
        assert_eq!(standing["wins"], wins);
        let row = format!("\n{},{},{wins},", standing["player"].as_str().unwrap(), standing["games"]);
        assert!(csv("--csv").contains(&row), "{row}");
    }
    for pair in whole["pairs"].as_array().unwrap() {
        let names = [&pair["player"], &pair["opponent"]].map(|name| name.as_str().unwrap());
        let count = |first: &str, second: &str, winner: &str| {
            games.iter().filter(|game| game[1] == first && game[2] == second && game[4] == winner).count()
        };
        let [one, other] = names;
        assert_eq!(pair["won_as_first"], count(one, other, one));
        assert_eq!(pair["lost_as_first"], count(one, other, other));
        assert_eq!(pair["won_as_second"], count(other, one, one));
        assert_eq!(pair["lost_as_second"], count(other, one, other));
        let row = format!("\n{one},{other},{},{},", pair["won_as_first"], pair["lost_as_first"]);
        assert!(csv("--csv=pairs").contains(&row), "{row}");
    }
}

#[test]
fn an_adjudicated_game_has_the_winner_of_the_whole_game() {
    let folder = folder();
    let args =
        ["tournament", "table:longest", "minimax:3", "random", "--set", "stones=40", "--starts", "all"];
    let games = |more: &str| -> Vec<Vec<String>> {
        let played = run_ok(&folder, &[&args[..], &["--csv=games", more]].concat());
        played
            .lines()
            .skip(1)
            .map(|line| line.replace('"', "").split(',').map(str::to_owned).collect())
            .collect()
    };
    let (played, decided) = (games("--quiet"), games("--adjudicate"));
    let mut early = 0;
    for (played, decided) in played.iter().zip(&decided) {
        let column = |game: &[String], from_end: usize| game[game.len() - from_end].clone();
        let moves = [played, decided].map(|game| column(game, 2).parse::<u32>().unwrap());
        let names = [&played[1], &played[2]];
        if names.contains(&&"table:longest".to_owned()) {
            assert_eq!(column(played, 5), column(decided, 5), "{played:?} {decided:?}");
        } else {
            assert_eq!(played, decided);
        }
        assert!(moves[1] <= moves[0]);
        early += u32::from(column(decided, 3) == "decided");
    }
    assert!(early > 40, "{early}");
    let error = run_refused(&folder, &["tournament", "random", "greedy", "--adjudicate"]);
    assert!(
        error.contains("--adjudicate ends games that a player with a table has won, and no player has one"),
        "{error}"
    );
}

#[test]
fn a_sequential_test_ends_a_tournament_at_the_same_game_with_any_number_of_jobs() {
    let folder = folder();
    let args = ["tournament", "minimax:4", "random", "--stones", "1-200", "--games", "50", "--sprt", "0,50"];
    let whole = results(&folder, &[&args[..], &["--jobs", "1", "--save", "r.jsonl"]].concat());
    assert_eq!(whole["sprt"]["accepted"], 1);
    assert!(whole["games"].as_u64().unwrap() < 1000 && whole["of"] == 20_000, "{}", whole["games"]);
    assert_eq!(results(&folder, &[&args[..], &["--jobs", "5"]].concat()), whole);
    for resumed in [&["tournament", "--resume", "r.jsonl"][..], &["standings", "r.jsonl"]] {
        assert_eq!(results(&folder, resumed), whole);
    }
    let text = fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    // Without the first game, no game is in order for the test. The others still count in the standings.
    let without_first: Vec<&str> =
        text.split_inclusive('\n').take(1).chain(text.split_inclusive('\n').skip(2)).collect();
    fs::write(folder.path().join("gap.jsonl"), without_first.concat()).unwrap();
    let rest = results(&folder, &["standings", "gap.jsonl"]);
    assert_eq!(rest["games"].as_u64().unwrap() + 1, whole["games"].as_u64().unwrap());
    assert!(rest["sprt"]["accepted"].is_null(), "{}", rest["sprt"]);
    // Removes the last lines, as an interruption would.
    let kept: Vec<&str> = text.split_inclusive('\n').take(5).collect();
    fs::write(folder.path().join("r.jsonl"), kept.concat()).unwrap();
    assert_eq!(results(&folder, &["tournament", "--resume", "r.jsonl"]), whole);
    let words = run_ok(&folder, &["standings", "r.jsonl"]);
    assert!(
        words.contains("sequential test: minimax:4 is at least 50 Elo above random, and not 0"),
        "{words}"
    );
}

#[test]
fn an_impossible_tournament_is_refused_with_advice() {
    let folder = folder();
    table(&folder, 30, "t.bouton");
    fs::write(folder.path().join("bad"), "5\nx\n").unwrap();
    fs::write(folder.path().join("none"), "# nothing\n").unwrap();
    fs::write(folder.path().join("large"), "2000/0/1/4,4/-\n3000/0/1/4,4/-\n2500/0/1/4,4/-\n").unwrap();
    fs::write(folder.path().join("r.jsonl"), "{\"game\":\"expanding\"}\n").unwrap();
    let two = ["tournament", "random", "greedy"];
    for (args, expected) in [
        (&["tournament", "random"][..], "for example `bouton-match tournament random table`"),
        (&["tournament", "table"], "for example `bouton-match tournament table random`"),
        (&["tournament", "table", "bob"], "; players are random, greedy,"),
        (&["tournament", "table", "human"], "with `bouton-match play`, and not here; players are random,"),
        (
            &["--stones", "1-2000"],
            "stones: found 2000, but the rules allow games of at most 1000 stones; --set stones=2000",
        ),
        (&["--start-file", "large"], "large, line 2: stones: found 3000, but"),
        (&["tournament"], "<PLAYERS>"),
        (&["--start-file", "bad"], "bad, line 2: "),
        (&["--start-file", "none"], "none has no starts; write a position on each line"),
        (&["--start-file", "missing"], "cannot read missing"),
        (&["--stones", "0-5"], "no game begins in 0/0/1/4,4/-, where there is no move"),
        (&["--stones", "1-2000000"], "makes more than 1000000 starts"),
        (
            &["--stones", "4", "--starts", "won"],
            "--starts won: the first player loses from every start; give",
        ),
        (
            &["--rules", "nim", "--set", "bounds=[200,200,200,200]", "--starts", "all"],
            "at most 1000000 are allowed; name some with",
        ),
        (
            &["--stones", "3", "--starts", "lost"],
            "--starts lost: the first player wins from every start; give",
        ),
        (&["--adjudicate"], "no player has one; add a player `table`, or omit --adjudicate"),
        (&["--starts", "some"], "'some'"),
        (&["--sprt", "5"], "found '5', expected two differences in Elo"),
        (&["--sprt", "9,3"], "found '9,3', expected"),
        (&["table", "--sprt", "0,5"], "--sprt compares two players, and 3 are named"),
        (&["--csv=all"], "'all'"),
        (&["--csv", "--json"], "cannot be used with"),
        (&["--jobs", "0"], "expected a whole number from 1 to 1024"),
        (&["--save", "no/r.jsonl"], "cannot write no/r.jsonl"),
        (&["--save", "t.bouton"], "t.bouton exists already"),
        (&["--resume", "r.jsonl"], "cannot be used with"),
        (
            &["tournament", "--resume", "r.jsonl"],
            "r.jsonl, line 1: this is not the beginning of a file of results",
        ),
        (
            &["tournament", "--resume", "t.bouton"],
            "t.bouton, line 1: this is not the beginning of a file of results",
        ),
        (&["tournament", "--resume", "missing"], "cannot read missing"),
        (&["tournament", "--resume", "r.jsonl", "--games", "3"], "--games <N>"),
        (&["standings", "t.bouton"], "t.bouton, line 1: this is not the beginning"),
        (&["standings", "."], "cannot read ."),
    ] {
        let args = if args[0] == "tournament" || args[0] == "standings" {
            args.to_vec()
        } else {
            [&two[..], args].concat()
        };
        let error = run_refused(&folder, &args);
        assert!(error.contains(expected), "{args:?}: {error}");
    }
    assert_eq!(files(folder.path()), ["bad", "large", "none", "r.jsonl", "t.bouton"]);
}

#[test]
#[cfg(target_os = "linux")]
fn results_are_printed_even_if_the_games_cannot_be_recorded() {
    let here = tempfile::tempdir().unwrap();
    let args =
        ["tournament", "random", "greedy", "--set", "stones=20", "--stones", "10", "--record", "/dev/full"];
    let ran = run_match(here.path(), &args, b"");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stdout.contains("player") && ran.stdout.contains("random"), "{}", ran.stdout);
    assert!(ran.stderr.contains("interrupted by an error: these are the results of"), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot write the transcript /dev/full"), "{}", ran.stderr);
}
