//! Destinations of exports: standard output, files, closed pipes, and unwritable places.

use std::fs;
use std::path::Path;
use std::process::Output;

use bouton_tests::children::{command, output};
use bouton_tests::programs::{ProgramRun, bouton, files, program, send_signal, start_bouton};

use super::{export, folder};

const SMALL: [&str; 5] = ["expanding", "--set", "stones=20", "--set", "resets=1,1"];
const FORMATS: [&str; 4] = ["csv", "jsonl", "npy", "bfile"];

fn small(here: &Path, format: &str, more: &[&str]) -> ProgramRun {
    bouton(here, &[&["export"], &SMALL[..], &["--format", format], more].concat())
}

/// Returns the bytes that an export prints.
fn printed(here: &Path, args: &[&str]) -> Vec<u8> {
    let child = start_bouton(here, &[&["export"], args].concat());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    assert!(status.success() && stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    stdout
}

#[test]
fn a_file_has_what_standard_output_would() {
    let here = folder();
    for format in FORMATS {
        let ran = small(here.path(), format, &["-o", "file"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{format}");
        let bytes = fs::read(here.path().join("file")).expect("it is there");
        assert!(bytes == printed(here.path(), &[&SMALL[..], &["--format", format]].concat()), "{format}");
        fs::remove_file(here.path().join("file")).expect("it is there");
        let quiet = small(here.path(), format, &["--output", "file", "--quiet"]);
        let said = (quiet.status, quiet.stdout.as_str(), quiet.stderr.as_str());
        assert_eq!(said, (Some(0), "", ""), "{format}");
        assert!(fs::read(here.path().join("file")).expect("it is there") == bytes, "{format}");
        assert_eq!(files(here.path()), ["file"]);
        fs::remove_file(here.path().join("file")).expect("it is there");
    }
}

#[test]
fn an_export_is_the_same_each_time_from_a_ruleset_and_from_its_table() {
    let here = folder();
    for format in FORMATS {
        let of_rules = printed(here.path(), &[&SMALL[..], &["--format", format]].concat());
        let made = bouton(here.path(), &[&["generate", "--force", "-o", "t.bouton"], &SMALL[..]].concat());
        assert_eq!(made.status, Some(0));
        for _ in 0..2 {
            assert!(printed(here.path(), &["t.bouton", "--format", format]) == of_rules, "{format}");
        }
    }
}

#[test]
fn a_file_that_is_there_is_replaced_by_force_only() {
    let here = folder();
    let path = here.path().join("file");
    for format in FORMATS {
        fs::write(&path, "precious").expect("it can be written");
        let ran = small(here.path(), format, &["-o", "file"]);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{format}");
        assert!(ran.stderr.contains("file") && ran.stderr.contains("--force"), "{}", ran.stderr);
        assert_eq!(fs::read(&path).expect("it is there"), b"precious");
        assert_eq!(small(here.path(), format, &["-o", "file", "--force"]).status, Some(0));
        assert!(
            fs::read(&path).expect("it is there")
                == printed(here.path(), &[&SMALL[..], &["--format", format]].concat())
        );
        assert_eq!(files(here.path()), ["file"]);
        fs::remove_file(&path).expect("it is there");
        // `--force` is allowed without a file to replace.
        assert_eq!(small(here.path(), format, &["-o", "file", "--force"]).status, Some(0));
        fs::remove_file(&path).expect("it is there");
    }
}

#[test]
fn an_unwritable_place_is_reported_with_advice() {
    let here = folder();
    fs::create_dir(here.path().join("folder")).expect("a folder can be made");
    for format in FORMATS {
        for (place, expected) in
            [("no/such/file", "folder"), ("folder", "folder"), ("/proc/file", "/proc/file")]
        {
            for more in [&[][..], &["--force"]] {
                let ran = small(here.path(), format, &[&["-o", place], more].concat());
                assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{format} {place}");
                assert!(ran.stderr.contains(place) && ran.stderr.contains(expected), "{}", ran.stderr);
                assert_eq!(files(here.path()), ["folder"], "{format} {place}");
                assert!(files(&here.path().join("folder")).is_empty());
            }
        }
    }
}

#[test]
fn the_table_itself_is_not_overwritten_unasked() {
    let here = folder();
    let made = bouton(here.path(), &[&["generate", "-o", "t.bouton"], &SMALL[..]].concat());
    assert_eq!(made.status, Some(0));
    let before = fs::read(here.path().join("t.bouton")).expect("it is there");
    let ran = bouton(here.path(), &["export", "t.bouton", "--format", "csv", "-o", "t.bouton"]);
    assert_eq!(ran.status, Some(2));
    assert_eq!(fs::read(here.path().join("t.bouton")).expect("it is there"), before);
}

/// Runs `bouton export` of a large table in a shell, with `behind` appended. Returns its exit status and its standard
/// error.
fn in_a_shell(format: &str, behind: &str) -> (String, String) {
    let script = format!(
        "\"$0\" export expanding --set stones=150 --format {format} {behind}; echo ${{PIPESTATUS[0]}} >&3",
    );
    let here = folder();
    let status = here.path().join("status");
    let mut command = command("bash");
    command.args(["-c", &format!("exec 3>'{}'; {script}", status.display())]).arg(program("bouton"));
    let output = output(&mut command);
    let status = fs::read_to_string(status).expect("the script wrote it");
    (status.trim().to_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_closed_pipe_is_no_error() {
    for format in ["csv", "jsonl", "npy"] {
        assert_eq!(in_a_shell(format, "| head -c 300"), ("0".into(), String::new()), "{format}");
        assert_eq!(in_a_shell(format, "| true"), ("0".into(), String::new()), "{format}");
    }
    assert_eq!(in_a_shell("bfile", "| true"), ("0".into(), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for format in FORMATS {
        let (status, error) = in_a_shell(format, "> /dev/full");
        assert_eq!(status, "2", "{format}");
        let expected = "bouton: cannot write standard output: No space left on device (os error 28)\n";
        assert_eq!(error, expected, "{format}");
    }
}

#[test]
fn an_empty_selection_is_reported_and_gives_an_empty_file() {
    let here = folder();
    let header = export(here.path(), &[&SMALL[..], &["--format", "csv"]].concat());
    let header = format!("{}\n", header.lines().next().expect("a line"));
    for (format, expected) in [("csv", header.as_str()), ("jsonl", "")] {
        for more in [
            &["--where", "stones=21.."][..],
            &["--where", "stones=20 currentmax=1"],
            &["--where", "outcome=win", "--outcome", "loss"],
            &["--starts", "--where", "turn=2"],
        ] {
            let ran = small(here.path(), format, more);
            assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), expected), "{format} {more:?}");
            assert!(!ran.stderr.is_empty(), "{format} {more:?}");
            let ran = small(here.path(), format, &[more, &["-o", "file"]].concat());
            assert_eq!(ran.status, Some(0), "{format} {more:?}");
            assert!(!ran.stderr.is_empty(), "{format} {more:?}");
            assert_eq!(fs::read_to_string(here.path().join("file")).expect("it is there"), expected);
            fs::remove_file(here.path().join("file")).expect("it is there");
        }
    }
    let ran = small(here.path(), "npy", &["--where", "stones=21..", "-o", "file"]);
    assert!(ran.status == Some(0) && !ran.stderr.is_empty(), "{ran:?}");
    let bytes = fs::read(here.path().join("file")).expect("it is there");
    assert_eq!(bytes.len() % 64, 0, "a header and no row");
    assert!(String::from_utf8_lossy(&bytes).contains("(0,)"));
}

#[test]
fn help_is_complete() {
    let ran = bouton(folder().path(), &["export", "--help"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    for word in [
        "--format",
        "csv",
        "jsonl",
        "npy",
        "bfile",
        "--sequence",
        "losing",
        "grundy",
        "--outcome",
        "--starts",
        "--where",
        "--set",
        "--output",
        "--force",
        "--quiet",
    ] {
        assert!(ran.stdout.contains(word), "{word}: {}", ran.stdout);
    }
    assert!(bouton(folder().path(), &["--help"]).stdout.contains("export"));
}

/// Starts a long export, and waits until it writes its file.
#[cfg(unix)]
fn begun(here: &Path) -> std::process::Child {
    let args = ["export", "nim", "--set", "heaps=6", "--set", "size=50", "--no-depth"];
    let mut child = start_bouton(here, &[&args[..], &["--format", "csv", "-o", "rows.csv"]].concat());
    let written = |name: &String| {
        name.contains("rows") && fs::metadata(here.join(name)).is_ok_and(|file| file.len() > 0)
    };
    while !files(here).iter().any(written) {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ends before anything is written");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
#[test]
fn an_interrupted_export_leaves_nothing_behind() {
    for (signal, expected) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let here = folder();
        fs::write(here.path().join("other"), "kept").expect("it can be written");
        let child = begun(here.path());
        send_signal(signal, &child);
        let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
        assert_eq!((status.code(), stdout, stderr), (Some(expected), vec![], vec![]), "{signal}");
        assert_eq!(files(here.path()), ["other"], "{signal}");
    }
}
