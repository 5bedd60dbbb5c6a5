//! Grundy values in exports, and genera in misère play, agree with outcomes and are equal in all formats and in
//! `bouton-lookup`.

use std::collections::HashMap;

use bouton_tests::programs::{bouton, lookup};
use serde_json::Value;

use super::{check_refused, export, folder};

#[test]
fn grundy_values_are_0_in_lost_positions_and_equal_in_each_format_and_program() {
    let folder = folder();
    let here = folder.path();
    for (preset, setting) in
        [("wythoff", "size=9"), ("moore", "size=4"), ("nim-pass", "size=5"), ("expanding", "stones=12")]
    {
        let made = bouton(here, &["generate", preset, "--set", setting, "-o", "g.bouton", "--force"]);
        assert_eq!(made.status, Some(0), "{}", made.stderr);
        let rows = export(here, &["g.bouton", "--grundy", "-f", "jsonl"]);
        let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(rows.len() > 50, "{preset}");
        for row in &rows {
            assert_eq!(row["grundy"] == 0, row["outcome"] == "loss", "{row}");
        }
        let lines = export(here, &["g.bouton", "--grundy", "-f", "csv"]);
        let mut lines = lines.lines();
        assert!(lines.next().unwrap().ends_with(",best,grundy"), "{preset}");
        let column: Vec<&str> = lines.map(|line| line.rsplit(',').next().unwrap()).collect();
        assert_eq!(column, rows.iter().map(|row| row["grundy"].to_string()).collect::<Vec<_>>(), "{preset}");
        let value_of: HashMap<&str, &Value> =
            rows.iter().map(|row| (row["position"].as_str().unwrap(), &row["grundy"])).collect();
        for (position, value) in value_of.iter().take(20) {
            let answered = lookup(here, &["g.bouton", position, "--grundy", "--json"], b"");
            let answer: Value = serde_json::from_str(&answered.stdout).unwrap();
            assert_eq!(&answer["grundy"], *value, "{position}");
            let output = lookup(here, &["g.bouton", position, "--grundy"], b"").stdout;
            assert!(output.contains(&format!("Grundy value {value}: ")), "{output}");
        }
    }
}

/// Parses a map from positions to Grundy values in the language of CGSuite, such as `grundy := {[0, 0] => 0,  [0, 1] =>
/// *};`, where `*` is 1 and `*2` is 2.
fn cgsuite_map(text: &str) -> HashMap<Vec<String>, u32> {
    let code: String = text.lines().filter(|line| !line.starts_with("//")).collect();
    let map = code.trim().strip_prefix("grundy := {").and_then(|map| map.strip_suffix("};")).expect("a map");
    if map == "=>" {
        return HashMap::new();
    }
    let entries = map.split(",  [").enumerate().map(|(number, entry)| {
        let entry = if number == 0 { entry.trim_start().strip_prefix('[').expect("a list") } else { entry };
        let (cells, value) = entry.split_once("] => ").expect("an entry");
        let value = match value.strip_prefix('*') {
            None => value.parse().ok().filter(|&value: &u32| value == 0).expect("0 or a nimber"),
            Some("") => 1,
            Some(value) => value.parse().ok().filter(|&value| value > 1).expect("a nimber"),
        };
        (cells.split(", ").map(str::to_owned).collect(), value)
    });
    entries.collect()
}

#[test]
fn a_map_of_cgsuite_has_every_grundy_value() {
    let folder = folder();
    let here = folder.path();
    for (preset, setting, filter) in [
        ("wythoff", "size=9", ""),
        ("moore", "size=4", "total=..6"),
        ("nim-pass", "size=5", ""),
        ("expanding", "stones=12", "resets=1,1"),
        ("nim", "bounds=[3]", ""),
    ] {
        let args = [preset, "--set", setting, "--where", filter, "-f"];
        let rows = export(here, &[&args[..], &["csv", "--grundy"]].concat());
        let rows: Vec<Vec<&str>> = rows.lines().map(|line| line.split(',').collect()).collect();
        let position_columns = rows[0].iter().position(|&name| name == "outcome").unwrap();
        let written = export(here, &[&args[..], &["cgsuite"]].concat());
        let map = cgsuite_map(&written);
        assert!(!map.is_empty() && map.len() == rows.len() - 1, "{preset}");
        for row in &rows[1..] {
            let position: Vec<String> = row[..position_columns].iter().map(|&cell| cell.to_owned()).collect();
            assert_eq!(map[&position].to_string(), *row.last().unwrap(), "{preset} {position:?}");
        }
        let example =
            format!("// as nimbers of CGSuite: grundy[[{}]]", rows[0][..position_columns].join(", "));
        assert!(written.starts_with("// Grundy values of ") && written.contains(&example), "{written}");
    }
    let none = bouton(here, &["export", "nim", "-f", "cgsuite", "--where", "total=9999", "-q"]);
    assert!(none.status == Some(0) && cgsuite_map(&none.stdout).is_empty(), "{none:?}");
}

#[test]
fn without_grundy_values_the_reason_is_printed() {
    let folder = folder();
    let here = folder.path();
    check_refused(here, &["sticks", "-f", "cgsuite", "-q"], &["misère play", "ask for the genus"]);
    check_refused(here, &["nim", "--grundy", "-f", "bfile", "-q"], &["--sequence grundy"]);
    let made = bouton(here, &["generate", "sticks", "-q"]);
    assert_eq!(made.status, Some(0), "{}", made.stderr);
    let answered = lookup(here, &["sticks.bouton", "--batch", "--grundy"], b"");
    assert_eq!((answered.status, answered.stdout.as_str()), (Some(2), ""));
    assert!(answered.stderr.contains("bouton export --grundy"), "{}", answered.stderr);
}

#[test]
fn in_misere_play_each_row_has_its_genus_instead() {
    let folder = folder();
    let here = folder.path();
    for (preset, settings, commas) in [
        ("sticks", &["bounds=[2,4,6]"][..], false),
        // Numbers with two digits are separated by commas.
        ("sticks", &["bounds=[17]"], true),
        ("nim-pass", &["size=3", "play=misere"], false),
        ("subtraction", &["bounds=[9,9]", "play=misere"], false),
    ] {
        let settings: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
        let made =
            bouton(here, &[&["generate", preset, "-q", "-o", "g.bouton", "--force"], &settings[..]].concat());
        assert_eq!(made.status, Some(0), "{}", made.stderr);
        let rows = export(here, &["g.bouton", "--grundy", "-f", "jsonl"]);
        let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(rows.len() > 15 && rows.iter().all(|row| row.get("grundy").is_none()), "{preset}");
        for row in rows.iter().step_by(7) {
            let position = row["position"].as_str().unwrap();
            let answered = lookup(here, &["g.bouton", position, "--grundy", "--json"], b"");
            let answer: Value = serde_json::from_str(&answered.stdout).unwrap();
            assert_eq!(answer["genus"], row["genus"], "{position}");
        }
        let csv = export(here, &["g.bouton", "--grundy", "-f", "csv"]);
        let mut lines = csv.lines();
        assert!(lines.next().unwrap().ends_with(",best,genus"), "{csv}");
        for (line, row) in lines.zip(&rows) {
            let genus = row["genus"].as_str().unwrap();
            let cell = if genus.contains(',') { format!(",\"{genus}\"") } else { format!(",{genus}") };
            assert!(line.ends_with(&cell), "{line}: {genus}");
        }
        assert_eq!(csv.contains('"'), commas, "{preset}");
    }
}

#[test]
fn in_misere_play_a_genus_determines_the_outcome() {
    let folder = folder();
    let here = folder.path();
    for (preset, setting) in [
        ("sticks", "play=misere"),
        ("wythoff", "size=7"),
        ("subtraction", "take=[1,4]"),
        ("expanding", "stones=9"),
    ] {
        let args =
            ["generate", preset, "--set", setting, "--set", "play=misere", "-o", "g.bouton", "--force"];
        let args = if preset == "subtraction" {
            [&args[..], &["--set", "bounds=[9,9]"]].concat()
        } else {
            args.to_vec()
        };
        let made = bouton(here, &args);
        assert_eq!(made.status, Some(0), "{}", made.stderr);
        let rows = export(here, &["g.bouton", "-f", "jsonl"]);
        let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let mut won_and_lost = [0; 2];
        for row in rows.iter().step_by(rows.len().div_ceil(60)) {
            let position = row["position"].as_str().unwrap();
            let answered = lookup(here, &["g.bouton", position, "--grundy", "--json"], b"");
            let answer: Value = serde_json::from_str(&answered.stdout).unwrap();
            let (normal, numbers) = answer["genus"].as_str().unwrap().split_once('^').unwrap();
            assert!(normal.parse::<u32>().is_ok(), "{answer}");
            let is_lost = row["outcome"] == "loss";
            assert_eq!(numbers.starts_with('0'), is_lost, "{answer}");
            won_and_lost[usize::from(is_lost)] += 1;
            let output = lookup(here, &["g.bouton", position, "--grundy"], b"").stdout;
            assert!(output.contains(&format!("Genus {normal}^{numbers}: ")), "{output}");
        }
        assert!(won_and_lost.iter().all(|&count| count > 2), "{preset}: {won_and_lost:?}");
    }
}
