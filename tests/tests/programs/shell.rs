//! Shell completions and pages for `man` cover all options and subcommands of the programs' help.

use std::collections::BTreeSet;
use std::path::Path;

use bouton_tests::children::{command, output};
use bouton_tests::programs::{files, program};
use tempfile::TempDir;

/// The programs: the name, the program that prints completions and pages, and its arguments for the completions and for
/// the pages.
const PROGRAMS: [(&str, &str, &[&str], &[&str]); 4] = [
    ("bouton", "bouton", &["completions"], &["man"]),
    ("bouton-lookup", "bouton", &["completions", "SHELL", "bouton-lookup"], &["man", "FOLDER"]),
    ("bouton-match", "bouton-match", &["completions"], &["man"]),
    ("bouton-server", "bouton-server", &["--completions"], &["--man"]),
];

/// Runs a program, which must succeed without an error. Returns its output.
fn print(name: &str, args: &[&str]) -> String {
    let ran = output(command(program(name)).args(args));
    let (out, error) = (String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap());
    assert!(ran.status.success() && error.is_empty(), "{name} {args:?}: {error}");
    out
}

/// Returns the completions of a program for a shell, as the program prints them.
fn completions(described: &(&str, &str, &[&str], &[&str]), shell: &str) -> String {
    let (_, printed_by, args, _) = *described;
    let args = match args {
        [first] => vec![*first, shell],
        [first, _, subcommand] => vec![*first, shell, *subcommand],
        _ => unreachable!(),
    };
    print(printed_by, &args)
}

/// Returns the long options that a help text names at the start of its lines.
fn options(help: &str) -> BTreeSet<String> {
    let named = |line: &str| {
        let line = line.trim_start();
        let line = line.split_once(", --").map_or(line, |(short, _)| &line[short.len() + 2..]);
        let name = line.strip_prefix("--")?;
        let end = name.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
        Some(name[..end.unwrap_or(name.len())].to_owned())
    };
    help.lines().filter(|line| line.starts_with(' ')).filter_map(named).collect()
}

/// Returns the subcommands of a help text.
fn subcommands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| line.starts_with(' '));
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn each_option_of_the_help_is_completed_in_each_shell() {
    for described in &PROGRAMS {
        let name = described.0;
        let help = print(name, &["--help"]);
        let mut all = options(&help);
        for subcommand in subcommands(&help).iter().filter(|name| *name != "help") {
            all.extend(options(&print(name, &[subcommand, "--help"])));
        }
        assert!(all.len() > 8, "{name}: {all:?}");
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            let text = completions(described, shell);
            for option in &all {
                // Fish names them without dashes.
                let named = [format!("--{option}"), format!("-l {option}")];
                assert!(named.iter().any(|written| text.contains(written)), "{name}, {shell}: --{option}");
            }
        }
    }
    // For a command line that is described twice, both descriptions agree.
    let help = options(&print("bouton-lookup", &["--help"]));
    let options = completions(&PROGRAMS[1], "bash");
    let options =
        options.split_whitespace().filter_map(|word| word.trim_matches(['"', '\'']).strip_prefix("--"));
    let options: BTreeSet<String> = options
        .map(|word| word.trim_end_matches([')', '"']).to_owned())
        .filter(|word| !word.is_empty())
        .collect();
    assert_eq!(options, help);
}

/// Returns bash's completions at the end of a line.
fn complete_in_bash(script: &Path, words: &[&str]) -> Vec<String> {
    let text = std::fs::read_to_string(script).unwrap();
    let function = text.split("complete -F ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap();
    let line = format!(
        "source '{}'; COMP_WORDS=({}); COMP_CWORD={}; {function} {} '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display(),
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        words.len() - 1,
        words[0],
        words[words.len() - 1],
        words[words.len() - 2]
    );
    let ran = output(command("bash").args(["--norc", "-c", &line]));
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(ran.stderr.is_empty(), "{}", String::from_utf8_lossy(&ran.stderr));
    text.lines().filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[test]
fn bash_completes_a_started_word() {
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("script");
    for (number, words, expected) in [
        (0, &["bouton", "ver"][..], &["verify"][..]),
        (0, &["bouton", "export", "--gr"], &["--grundy"]),
        (0, &["bouton", "draw", "heatmap", "--of", "g"], &["grundy"]),
        (1, &["bouton-lookup", "--ex"], &["--explain"]),
        (1, &["bouton-lookup", "--policy", "t"], &["trap"]),
        (2, &["bouton-match", "sta"], &["standings"]),
        (3, &["bouton-server", "--solve"], &["--solve-limit"]),
    ] {
        std::fs::write(&script, completions(&PROGRAMS[number], "bash")).unwrap();
        assert_eq!(complete_in_bash(&script, words), expected, "{words:?}");
    }
}

#[test]
fn there_is_a_page_for_each_program_and_each_subcommand() {
    let folder = TempDir::new().unwrap();
    for (name, printed_by, _, args) in PROGRAMS {
        let here = folder.path().join(printed_by);
        if args[0] == "--man" {
            let page = print(printed_by, args);
            assert!(page.contains(".SH NAME") && page.contains("\\-\\-solve\\-limit"), "{page}");
            continue;
        }
        print(printed_by, &["man", here.to_str().unwrap()]);
        let pages = files(&here);
        let expected = [vec![name.to_owned()], subcommands(&print(name, &["--help"]))].concat();
        for (number, subcommand) in
            expected.iter().enumerate().filter(|(_, subcommand)| *subcommand != "help")
        {
            let page = if number == 0 { format!("{name}.1") } else { format!("{name}-{subcommand}.1") };
            assert!(pages.contains(&page), "{page} in {pages:?}");
            let text = std::fs::read_to_string(here.join(&page)).unwrap();
            assert!(
                text.contains(".TH") && text.contains(".SH NAME") && text.contains(".SH SYNOPSIS"),
                "{page}"
            );
        }
    }
    assert!(print("bouton", &["man"]).contains("bouton"));
}
