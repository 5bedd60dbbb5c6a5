//! The program `bouton`, as a user runs it, mostly `generate`, `info`, `verify` and `rules`: what they print and make,
//! which errors they report, and what they say about files of all kinds.

use std::fs;

use bouton_tests::programs::{bouton, files, start_bouton, wait_until};
use tempfile::TempDir;

/// Makes an empty temporary folder.
fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

#[test]
fn without_arguments_generate_makes_the_table_of_the_default_preset_and_shows_what_to_do_next() {
    let here = folder();
    let ran = bouton(here.path(), &["generate"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(files(here.path()), ["expanding.bouton"]);
    for expected in ["1,499,600", "won 790,962, lost 708,638", "bytes a position", "digest", " s on "] {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
    let last: Vec<&str> = ran.stdout.lines().rev().take(3).collect();
    assert!(last[2].contains("Player 1 wins from 1,000 stones. The best first move: 1"), "{}", ran.stdout);
    assert!(last[0].trim().starts_with("bouton-lookup expanding.bouton 9"), "{}", ran.stdout);
}

#[test]
fn an_existing_table_is_kept_and_another_file_is_replaced_only_with_force() {
    let here = folder();
    let path = here.path().join("t.bouton");
    let generate = |more: &[&str]| {
        bouton(here.path(), &[&["generate", "--set", "stones=50", "-o", "t.bouton"], more].concat())
    };
    assert_eq!(generate(&[]).status, Some(0));
    let first = fs::read(&path).unwrap();

    let again = generate(&[]);
    assert_eq!(again.status, Some(0));
    assert!(again.stdout.contains("exists already"), "{}", again.stdout);

    let other = generate(&["--set", "growth=2"]);
    assert_eq!(other.status, Some(2));
    assert!(other.stderr.contains("exists and is not this table; --force"), "{}", other.stderr);
    assert_eq!(fs::read(&path).unwrap(), first);

    // After this damage the file is not that table any more.
    let mut damaged = first.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&path, &damaged).unwrap();
    assert_eq!(generate(&[]).status, Some(2));
    assert_eq!(generate(&["--force", "--quiet"]).stdout, "");
    assert_eq!(fs::read(&path).unwrap(), first);
    assert_eq!(files(here.path()), ["t.bouton"]);
}

#[test]
fn an_estimate_is_printed_and_no_file_is_made() {
    let here = folder();
    let ran = bouton(here.path(), &["generate", "--estimate"]);
    assert_eq!(ran.status, Some(0));
    assert!(ran.stdout.starts_with("positions  1,499,600\n"), "{}", ran.stdout);
    assert!(files(here.path()).is_empty());
}

#[test]
fn bad_rulesets_and_output_files_are_refused_and_change_no_file() {
    let here = folder();
    fs::write(here.path().join("bad.toml"), "stones = = 3").unwrap();
    fs::write(here.path().join("binary.toml"), b"\xff\xfe\0").unwrap();
    fs::write(here.path().join("key.toml"), "game = \"expanding\"\nstoness = 5\n").unwrap();
    fs::create_dir(here.path().join("folder.bouton")).unwrap();
    let before = files(here.path());
    let cases: &[(&[&str], &str)] = &[
        (&["chess"], "there is no preset 'chess'; presets are: expanding"),
        (&["missing.toml"], "cannot read the ruleset missing.toml"),
        (&["bad.toml"], "bad.toml: not a TOML file"),
        (&["binary.toml"], "cannot read the ruleset binary.toml"),
        (&["key.toml"], "key.toml: unknown key 'stoness'"),
        (&["key.toml", "--set", "stones=5"], "key.toml: unknown key 'stoness'"),
        (&["expanding", "--set", "stoness=5"], "bouton: unknown key 'stoness'"),
        (&["--set", "colour=red"], "unknown key 'colour'"),
        (&["--set", "stones=0"], "stones = 0: expected a whole number from 1"),
        (&["--set", "stones=-5"], "stones = -5: expected"),
        (&["--set", "stones=123456789012345678901234567890"], "stones = "),
        (&["--set", "base-limit=0"], "base-limit = 0: expected"),
        (&["--set", "reset-limit=4"], "reset-limit = 4: expected a whole number from 1 to 3"),
        (&["--set", "resets=[16,4]"], "resets = [16, 4]: expected"),
        (&["--set", "play=reverse"], "expected \"normal\" or \"misere\""),
        (&["--set", "growth"], "'growth' does not set a key"),
        (&["--set", "stones=1000000000"], "--estimate says in advance"),
        (
            &["--set", "stones=1000000001"],
            "stones = 1000000001: expected at most 1000000000 in a table with depths; ask for fewer stones, or add --no-depth",
        ),
        (&["--set", "stones=1000000001", "--estimate"], "or add --no-depth"),
        (&["--set", "stones=1000000000001", "--no-depth"], "expected a whole number from 1 to 1000000000000"),
        (
            &["--set", "stones=1000000000000", "--set", "growth=1000000000", "--no-depth"],
            "the limit of a move could reach 2^32 stones",
        ),
        (&["-o", "no/such/folder/t.bouton"], "make its folder first"),
        (&["-o", "/proc/t.bouton"], "cannot write /proc/t.bouton"),
        (&["-o", "folder.bouton"], "is a folder"),
        (&["--threads", "0"], "invalid value '0'"),
        (&["--frobnicate"], "unexpected argument"),
    ];
    for (args, expected) in cases {
        let ran = bouton(here.path(), &[&["generate"], *args].concat());
        assert_eq!(ran.status, Some(2), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{args:?}");
        assert_eq!(files(here.path()), before, "{args:?}");
    }
}

#[test]
fn refusing_a_damaged_table_or_another_file_says_what_it_is() {
    let here = folder();
    assert_eq!(bouton(here.path(), &["generate", "--set", "stones=50", "-o", "t.bouton"]).status, Some(0));
    let valid = fs::read(here.path().join("t.bouton")).unwrap();
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = valid.clone();
        change(&mut bytes);
        bytes
    };
    let cases: &[(&str, Vec<u8>, &str)] = &[
        ("empty", Vec::new(), "not a Bouton table but an empty file"),
        ("text", b"hello, world".to_vec(), "not a Bouton table but a file that begins with \"hello, w\""),
        ("newer", changed(&|bytes| bytes[8] = 9), "format version 9, this program reads version 1"),
        ("cut", changed(&|bytes| bytes.truncate(bytes.len() / 2)), "the table is damaged"),
        ("bit", changed(&|bytes| *bytes.last_mut().unwrap() ^= 0x10), "the table is damaged"),
        (
            "converted",
            changed(&|bytes| {
                bytes.remove(4);
            }),
            "damaged by a transfer in text mode",
        ),
    ];
    for (name, bytes, expected) in cases {
        fs::write(here.path().join(name), bytes).unwrap();
        for command in ["verify", "info"] {
            let ran = bouton(here.path(), &[command, name]);
            assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{name}");
            assert!(ran.stderr.contains(expected), "{name}: {}", ran.stderr);
        }
    }
    let missing = bouton(here.path(), &["verify", "missing"]);
    assert!(missing.status == Some(2) && missing.stderr.contains("cannot open missing"), "{missing:?}");
    fs::create_dir(here.path().join("early.work")).unwrap();
    let early = bouton(here.path(), &["info", "early.work"]);
    assert!(early.status == Some(2) && early.stderr.contains("it has no checkpoint yet"), "{early:?}");
}

#[test]
fn files_left_by_interrupted_runs_are_listed() {
    let here = folder();
    let listed = || bouton(here.path(), &["info", "."]);
    assert!(listed().stdout.contains("no interrupted run has left anything"), "{:?}", listed());
    // The run takes minutes, and is killed at the first checkpoint.
    let args = ["generate", "nim", "--set", "heaps=8", "--set", "size=50"];
    let mut run = start_bouton(here.path(), &[&args[..], &["--checkpoint", "0", "-o", "a.bouton"]].concat());
    wait_until(|| here.path().join("a.bouton.work/progress").exists());
    run.kill().unwrap();
    run.wait().unwrap();
    fs::create_dir(here.path().join("early.work")).unwrap();
    fs::write(here.path().join(".c.bouton.abcdef.part"), "half").unwrap();
    let run = listed();
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    let work = run.stdout.lines().find(|line| line.trim_start().starts_with("a.bouton.work"));
    let resumable = "% solved; `bouton generate -o a.bouton` with the same ruleset resumes it";
    assert!(work.is_some_and(|line| line.contains(resumable)), "{run:?}");
    for expected in ["early.work", "no checkpoint yet", ".c.bouton.abcdef.part", "an incomplete file"] {
        assert!(run.stdout.contains(expected), "{expected}: {run:?}");
    }
    let json = bouton(here.path(), &["info", ".", "--json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let all = json["leftovers"].as_array().unwrap();
    let leftovers_of =
        |kind: &str| all.iter().filter(|leftover| leftover["kind"] == kind).collect::<Vec<_>>();
    assert_eq!(leftovers_of("work").len(), 2);
    assert!(leftovers_of("part").iter().any(|part| part["bytes"] == 4 && part["error"].is_null()), "{json}");
}

#[test]
fn verify_and_info_agree_about_a_table() {
    let here = folder();
    assert_eq!(bouton(here.path(), &["generate", "--set", "stones=80", "-o", "t.bouton"]).status, Some(0));
    let verified = bouton(here.path(), &["verify", "t.bouton", "--json"]);
    assert_eq!(verified.status, Some(0));
    let verified: serde_json::Value = serde_json::from_str(&verified.stdout).unwrap();
    assert_eq!(verified["right"], true);
    let info: serde_json::Value =
        serde_json::from_str(&bouton(here.path(), &["info", "t.bouton", "--json"]).stdout).unwrap();
    assert_eq!(info["digest"], verified["digest"]);
    assert_eq!(info["positions"], verified["positions"]);
    assert_eq!(info["rules"]["stones"], 80);
    assert_eq!(info["bytes"], fs::metadata(here.path().join("t.bouton")).unwrap().len());
    let text = bouton(here.path(), &["verify", "t.bouton"]).stdout;
    assert!(text.starts_with("t.bouton is right"), "{text}");
    assert!(bouton(here.path(), &["info", "t.bouton"]).stdout.contains("whole and undamaged"));
}

#[test]
fn a_printed_ruleset_is_a_ruleset_file() {
    let here = folder();
    let printed = bouton(here.path(), &["rules", "--set", "growth=2", "--set", "resets=[1,2]"]);
    assert_eq!(printed.status, Some(0));
    fs::write(here.path().join("mine.toml"), &printed.stdout).unwrap();
    assert_eq!(bouton(here.path(), &["rules", "mine.toml"]).stdout, printed.stdout);
    assert_eq!(bouton(here.path(), &["generate", "mine.toml", "--set", "stones=30"]).status, Some(0));
    assert_eq!(files(here.path()), ["mine.bouton", "mine.toml"]);
    assert!(bouton(here.path(), &["rules", "--list"]).stdout.starts_with("expanding "));
}

#[test]
fn help_names_the_main_options_and_version_the_table_format() {
    let here = folder();
    let help = bouton(here.path(), &["generate", "--help"]).stdout;
    for option in ["--output", "--set", "--no-depth", "--threads", "--estimate", "--force", "--quiet"] {
        assert!(help.contains(option), "{option}: {help}");
    }
    let version = bouton(here.path(), &["--version"]);
    assert_eq!((version.status, version.stdout.trim_end()), (Some(0), "bouton 0.1.0 (table format 1)"));
}

#[test]
fn a_device_is_refused_as_a_ruleset_and_as_a_table() {
    let here = folder();
    for (command, file, expected) in [
        ("generate", "/dev/zero", "cannot read the ruleset /dev/zero: it has more than 2097152 bytes"),
        ("export", "/dev/zero", "cannot read the ruleset /dev/zero: it has more than 2097152 bytes"),
        ("generate", "/dev/null", "/dev/null: the key 'game' is missing"),
        ("info", "/dev/zero", "/dev/zero: not a Bouton table but a file that begins with"),
        ("verify", "/dev/null", "/dev/null: not a Bouton table but an empty file"),
    ] {
        let args = if command == "export" { vec![command, file, "-f", "csv"] } else { vec![command, file] };
        let ran = bouton(here.path(), &args);
        assert!(ran.status == Some(2) && ran.stderr.contains(expected), "{args:?}: {ran:?}");
    }
    assert_eq!(bouton(here.path(), &["generate", "--set", "stones=9", "-o", "t.bouton"]).status, Some(0));
    assert!(
        bouton(here.path(), &["generate", "t.bouton"])
            .stderr
            .contains("it is a Bouton file, not a ruleset; `bouton info`")
    );
}

#[cfg(unix)]
#[test]
fn through_a_link_the_linked_file_is_replaced() {
    use std::os::unix::fs::symlink;
    let here = folder();
    fs::create_dir(here.path().join("folder")).unwrap();
    symlink("folder", here.path().join("to-folder")).unwrap();
    symlink("folder/t.bouton", here.path().join("link")).unwrap();
    let generate = |to: &str, growth: &str| {
        bouton(here.path(), &["generate", "--force", "-q", "--set", "stones=9", "--set", growth, "-o", to])
    };
    assert_eq!(generate("folder/t.bouton", "growth=1").status, Some(0));
    let first = fs::read(here.path().join("link")).unwrap();
    assert_eq!(generate("link", "growth=2").status, Some(0));
    assert!(here.path().join("link").is_symlink());
    assert_ne!(fs::read(here.path().join("folder/t.bouton")).unwrap(), first);
    assert!(generate("to-folder", "growth=1").stderr.contains("is a folder"));
}

#[test]
fn six_parallel_runs_make_the_same_table() {
    let here = folder();
    let args = ["generate", "--set", "stones=300", "-o", "t.bouton"];
    let children: Vec<_> = (0..6).map(|_| bouton_tests::programs::start_bouton(here.path(), &args)).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(files(here.path()), ["t.bouton"]);
}

#[test]
fn the_greatest_rulesets_are_estimated_and_made_or_refused() {
    let here = folder();
    let most = ["--set", "stones=1000000000", "--set", "growth=1000000000", "--set", "resets=15,15"];
    assert_eq!(bouton(here.path(), &[&["generate", "--estimate"], &most[..]].concat()).status, Some(0));
    // Without a reset in force, a move may take everything at any currentmax, so the outcomes fit in one row.
    let made = bouton(here.path(), &[&["generate", "--no-depth"], &most[..]].concat());
    assert_eq!(made.status, Some(0), "{made:?}");
    let right = bouton(here.path(), &["verify", "expanding.bouton"]);
    assert_eq!(right.status, Some(0), "{right:?}");
    // With the greatest number of rows, depths exceed the memory of any machine.
    let rows = ["--set", "stones=1000000000", "--set", "growth=1", "--set", "resets=15,15"];
    let refused = bouton(here.path(), &[&["generate", "-o", "deep.bouton"], &rows[..]].concat());
    assert!(refused.status == Some(2) && refused.stderr.contains("of memory"), "{refused:?}");
}

#[test]
fn stones_beyond_32_bits_are_exported_in_full() {
    let here = folder();
    let made = ["--no-depth", "--set", "stones=5000000000", "--set", "growth=0", "--set", "resets=0,0"];
    let made = bouton(here.path(), &[&["generate", "-o", "long.bouton"], &made[..]].concat());
    assert_eq!(made.status, Some(0), "{made:?}");
    let export = |more: &[&str]| {
        let filter =
            ["export", "long.bouton", "--where", "stones=4999999999.. currentmax=0 turn=1 imposed=-"];
        bouton(here.path(), &[&filter, more].concat())
    };
    let rows = export(&["--format", "csv"]).stdout;
    assert!(rows.ends_with("\n4999999999,0,1,0,0,0,win,1,3\n5000000000,0,1,0,0,0,loss,0,1\n"), "{rows}");
    assert_eq!(export(&["--format", "npy", "-o", "long.npy"]).status, Some(0));
    let array = fs::read(here.path().join("long.npy")).unwrap();
    assert!(String::from_utf8_lossy(&array).contains("('stones', '<u8'), ('currentmax', '<u4')"));
    assert!(array.windows(8).any(|bytes| bytes == 5_000_000_000_u64.to_le_bytes()));
}

#[test]
fn errors_advise_what_to_type() {
    let here = folder();
    assert_eq!(bouton(here.path(), &["generate", "sticks", "-q"]).status, Some(0));
    for (args, expected, absent) in [
        (&["generate", "-1"][..], "unexpected argument '-1'", "-- -1"),
        (&["generate", "--thread", "2"], "--threads", "-- --thread"),
        (&["--memory", "1G", "generate", "nim"], "'generate --memory' exists", "-- --memory"),
        (
            &["export", "sticks.bouton", "-f", "csv", "--no-depth"],
            "sticks.bouton is a table, whose depths are fixed",
            "",
        ),
        (&["diff", "sticks.bouton", "sticks.bouton", "--no-depth"], "omit it", ""),
    ] {
        let ran = bouton(here.path(), args);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
        assert!(absent.is_empty() || !ran.stderr.contains(absent), "{args:?}: {}", ran.stderr);
    }
    // With a ruleset on one side, depths can be omitted.
    let ran = bouton(here.path(), &["diff", "sticks.bouton", "sticks", "--no-depth", "-q"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
}
