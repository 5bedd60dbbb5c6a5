//! The whole table can be restored from its exported rows: from CSV by the rules of the game, from JSON lines directly.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use bouton_tables::{Game, MoveSet, Outcome, Ruleset, Solved, Table};
use bouton_tests::exported::cases::CASES;
use bouton_tests::exported::csv::{ExportedCsv, number};
use bouton_tests::exported::{ExportedGame, natural_order};
use bouton_tests::programs::{bouton, lookup};
use serde_json::Value;

use super::{export, folder};

/// The complete answer about a position.
#[derive(Debug, PartialEq)]
struct FullAnswer<G: Game> {
    position: G::Position,
    outcome: Outcome,
    depth: Option<u32>,
    winning: Vec<G::Move>,
    best: Option<G::Move>,
}

/// Returns the table's answers about all positions, in natural order.
fn table_answers<G: ExportedGame>(game: &G, table: &Table) -> Vec<FullAnswer<G>> {
    let solved = G::table_of(table);
    let answer_of = |position: G::Position| {
        let answer = solved.answer(&position).expect("the table has it");
        let winning = answer.winning.iter().collect();
        let (outcome, depth) = (answer.verdict.outcome, answer.verdict.depth);
        FullAnswer { position, outcome, depth, winning, best: answer.best }
    };
    natural_order(game).into_iter().map(answer_of).collect()
}

/// Parses an outcome.
fn outcome(word: &str) -> Outcome {
    assert!(["win", "loss"].contains(&word), "{word}");
    Outcome::from_won(word == "win")
}

/// Computes winning moves and best moves from outcomes and depths, by the rules of the game.
fn complete_answers<G: ExportedGame>(
    game: &G,
    verdicts: Vec<(G::Position, Outcome, Option<u32>)>,
) -> Vec<FullAnswer<G>> {
    let by_rank: BTreeMap<Vec<u32>, (Outcome, Option<u32>)> =
        verdicts.iter().map(|(position, outcome, depth)| (game.rank(position), (*outcome, *depth))).collect();
    assert_eq!(by_rank.len(), verdicts.len(), "each position once");
    let complete = |(position, outcome, depth): (G::Position, Outcome, Option<u32>)| {
        let after = |&chosen: &G::Move| by_rank[&game.rank(&game.after(&position, chosen))];
        let moves: Vec<G::Move> = game.moves(&position).collect();
        // The moves that keep the outcome: in a lost position, all moves.
        let keeping_outcome: Vec<G::Move> =
            moves.into_iter().filter(|chosen| after(chosen).0 == outcome.reversed()).collect();
        let stones = |chosen: &G::Move| game.stones_taken(*chosen);
        // If elements tie, `min_by_key` returns the first.
        let best = match (depth, outcome) {
            (None, _) => keeping_outcome.first(),
            (Some(_), Outcome::Win) => {
                keeping_outcome.iter().min_by_key(|chosen| (after(chosen).1, stones(chosen)))
            }
            (Some(_), Outcome::Loss) => {
                keeping_outcome.iter().min_by_key(|chosen| (Reverse(after(chosen).1), stones(chosen)))
            }
        };
        let best = best.copied();
        let winning = if outcome == Outcome::Win { keeping_outcome } else { Vec::new() };
        FullAnswer { position, outcome, depth, winning, best }
    };
    verdicts.into_iter().map(complete).collect()
}

/// Restores the answers from outcomes and depths in a CSV file, and checks the other columns.
fn read_csv<G: ExportedGame>(game: &G, csv: &ExportedCsv) -> Vec<FullAnswer<G>> {
    let verdicts = csv.rows.iter().map(|row| {
        let cells: Vec<u32> = row[..game.columns().len()].iter().map(|cell| number(cell)).collect();
        let depth = csv.has("depth").then(|| csv.number(row, "depth"));
        (game.position(&cells), outcome(csv.cell(row, "outcome")), depth)
    });
    let answers = complete_answers(game, verdicts.collect());
    // The other columns follow from outcomes and depths.
    for (row, answer) in csv.rows.iter().zip(&answers) {
        assert_eq!(csv.number(row, "winning") as usize, answer.winning.len(), "{row:?}");
        let best = answer.best.map(|best| best.to_string()).unwrap_or_default();
        assert_eq!(csv.cell(row, "best"), best, "{row:?}");
    }
    answers
}

/// Restores the answers from JSON lines, and checks that winning and best moves follow from outcomes and depths.
fn read_jsonl<G: ExportedGame>(game: &G, text: &str) -> Vec<FullAnswer<G>> {
    let parse = |line: &str| {
        let row: Value = serde_json::from_str(line).expect("a line of JSON");
        let text = row["position"].as_str().expect("a position");
        let position = game.parse_position(text).expect("a position of the game");
        assert_eq!(game.show_position(&position), text, "{line}");
        let chosen = |text: &Value| game.parse_move(text.as_str().expect("a move")).expect("a move");
        let depth = |depth: &Value| u32::try_from(depth.as_u64().expect("a number")).expect("of 32 bits");
        FullAnswer {
            position,
            outcome: outcome(row["outcome"].as_str().expect("an outcome")),
            depth: row.get("depth").map(depth),
            winning: row["winning"].as_array().expect("a list").iter().map(chosen).collect(),
            best: Some(&row["best"]).filter(|best| !best.is_null()).map(chosen),
        }
    };
    let answers: Vec<FullAnswer<G>> = text.lines().map(parse).collect();
    // The rest follows from outcomes and depths.
    let verdicts = answers.iter().map(|answer| (answer.position.clone(), answer.outcome, answer.depth));
    let completed = complete_answers(game, verdicts.collect());
    for (answer, completed) in answers.iter().zip(&completed) {
        check_answer(answer, completed);
    }
    answers
}

/// Compares two answers about the same position.
fn check_answer<G: Game>(found: &FullAnswer<G>, expected: &FullAnswer<G>) {
    assert_eq!(found.position, expected.position);
    let all = |answer: &FullAnswer<G>| (answer.outcome, answer.depth, answer.best, answer.winning.clone());
    assert_eq!(all(found), all(expected), "{:?}", found.position);
}

/// Checks the columns of the CSV file, and that both exports give the table's answers in natural order.
fn check_round_trip<G: ExportedGame>(game: &G, table: &Table, csv: &str, jsonl: &str, context: &str) {
    let depths = G::table_of(table).has_depths();
    let csv = ExportedCsv::read(csv);
    let depth = depths.then(|| "depth".to_owned());
    let columns = game.columns().into_iter().chain(["outcome".to_owned()]).chain(depth);
    let columns: Vec<String> = columns.chain(["winning".to_owned(), "best".to_owned()]).collect();
    assert_eq!(csv.columns, columns, "{context}");
    let expected = table_answers(game, table);
    for (format, found) in [("csv", read_csv(game, &csv)), ("jsonl", read_jsonl(game, jsonl))] {
        assert_eq!(found.len(), expected.len(), "{context}, {format}");
        for (found, expected) in found.iter().zip(&expected) {
            check_answer(found, expected);
        }
    }
}

/// Runs a check on the table `t.bouton` of each ruleset, with and without depths.
fn with_each_table(check: impl Fn(&Path, &Table, &str)) {
    for case in CASES {
        for depths in [true, false] {
            let here = folder();
            case.make(here.path(), "t.bouton", depths);
            let table = Table::map(&here.path().join("t.bouton")).expect("it opens");
            check(here.path(), &table, &format!("{case:?}, depths {depths}"));
        }
    }
}

#[test]
fn csv_and_jsonl_each_restore_the_whole_table_in_natural_order() {
    with_each_table(|here, table, context| {
        let [csv, jsonl] = ["csv", "jsonl"].map(|format| export(here, &["t.bouton", "--format", format]));
        match &table.header().ruleset {
            Ruleset::Expanding(game) => check_round_trip(game, table, &csv, &jsonl, context),
            Ruleset::Heaps(game) => check_round_trip(game, table, &csv, &jsonl, context),
        }
    });
}

#[test]
fn lines_of_json_equal_those_of_bouton_lookup() {
    with_each_table(|here, _, context| {
        let exported = export(here, &["t.bouton", "--format", "jsonl"]);
        let position = |line: &str| {
            let row: Value = serde_json::from_str(line).expect("a line of JSON");
            row["position"].as_str().expect("a position").to_owned()
        };
        let positions: Vec<String> = exported.lines().map(position).collect();
        let batch = positions.iter().map(|position| format!("{position}\n")).collect::<String>();
        let answered = lookup(here, &["t.bouton", "--batch"], batch.as_bytes());
        assert_eq!(answered.status, Some(0), "{context}");
        for (exported_line, answered_line) in exported.lines().zip(answered.stdout.lines()) {
            assert_eq!(exported_line, answered_line, "{context}");
        }
        assert!(exported == answered.stdout, "{context}: as many lines");
        for (line, position) in exported.lines().zip(&positions).step_by(positions.len().div_ceil(3)) {
            let one = lookup(here, &["t.bouton", position, "--json"], b"");
            assert_eq!(one.stdout, format!("{line}\n"), "{context}");
        }
    });
}

#[test]
fn a_ruleset_and_its_table_have_the_same_export() {
    for case in CASES {
        let here = folder();
        case.make(here.path(), "t.bouton", true);
        let printed = bouton(here.path(), &[&["rules"], &case.args()[..]].concat()).stdout;
        std::fs::write(here.path().join("mine.toml"), printed).expect("it can be written");
        for format in ["csv", "jsonl"] {
            let of = |which: &[&str]| export(here.path(), &[which, &["--format", format]].concat());
            let of_table = of(&["t.bouton"]);
            assert!(of(&case.args()) == of_table, "{case:?}, {format}");
            assert!(of(&["mine.toml"]) == of_table, "{case:?}, {format}, as a file");
        }
    }
}

#[test]
fn exports_of_two_small_games_equal_rows_written_by_hand() {
    let here = folder();
    let of = |preset: &str, settings: &[&str], format: &str| {
        let settings: Vec<&str> = settings.iter().flat_map(|&setting| ["--set", setting]).collect();
        export(here.path(), &[&[preset][..], &settings, &["--format", format]].concat())
    };
    // Two stones; only player 2 has a reset, which has no effect because the limit is 1 in any case.
    let rules = ["stones=2", "base-limit=1", "growth=0", "reset-limit=1", "resets=0,1"];
    let lines: Vec<String> = of("expanding", &rules, "csv").lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "stones,currentmax,turn,resets1,resets2,imposed,outcome,depth,winning,best");
    // With 0 or 1 stones left currentmax is 0 or 1, with 2 stones 0; each with two turns, two counts of resets, and a
    // reset imposed or not.
    assert_eq!(lines.len(), 1 + (2 + 2 + 1) * 2 * 2 * 2);
    for (number, line) in [
        (1, "0,0,1,0,0,0,loss,0,0,"),
        (2, "0,0,1,0,0,1,loss,0,0,"),
        (3, "0,0,1,0,1,0,loss,0,0,"),
        (5, "0,0,2,0,0,0,loss,0,0,"),
        (9, "0,1,1,0,0,0,loss,0,0,"),
        (17, "1,0,1,0,0,0,win,1,1,1"),
        (23, "1,0,2,0,1,0,win,1,2,1"),
        (40, "2,0,2,0,1,1,loss,2,0,1"),
    ] {
        assert_eq!(lines[number], line, "line {number}");
    }
    let rules = ["bounds=[1,2]", "passes=1", "play=normal"];
    let csv = "heap1,heap2,passes,outcome,depth,winning,best\n\
               0,0,0,loss,0,0,\n\
               0,0,1,loss,0,0,\n\
               0,1,0,win,1,1,2:1\n\
               0,1,1,win,1,1,2:1\n\
               1,1,0,loss,2,0,1:1\n\
               1,1,1,win,3,1,pass\n\
               0,2,0,win,1,1,2:2\n\
               0,2,1,win,1,1,2:2\n\
               1,2,0,win,3,1,2:1\n\
               1,2,1,loss,4,0,pass\n";
    assert_eq!(of("sticks", &rules, "csv"), csv);
    let jsonl = of("sticks", &rules, "jsonl");
    let last = "{\"position\":\"1,2/1\",\"outcome\":\"loss\",\"depth\":4,\"best\":\"pass\",\"winning\":[]}";
    assert_eq!((jsonl.lines().count(), jsonl.lines().last()), (10, Some(last)));
}
