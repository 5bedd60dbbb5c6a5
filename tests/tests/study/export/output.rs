//! Where exports go: standard output, files, closed pipes, and places that cannot be written; and interrupted exports.

use std::fs;
use std::path::Path;
use std::process::Output;

use bouton_tests::children::{command, output};
use bouton_tests::programs::{ProgramRun, bouton, files, program, send_signal, start_bouton};

use super::{export, folder};

const SMALL: [&str; 5] = ["expanding", "--set", "stones=20", "--set", "resets=1,1"];
const FORMATS: [&str; 4] = ["csv", "jsonl", "npy", "bfile"];

/// Exports a small game in a format.
fn export_small(here: &Path, format: &str, more: &[&str]) -> ProgramRun {
    bouton(here, &[&["export"], &SMALL[..], &["--format", format], more].concat())
}

/// Returns the bytes that an export prints.
fn exported_bytes(here: &Path, args: &[&str]) -> Vec<u8> {
    let child = start_bouton(here, &[&["export"], args].concat());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    assert!(status.success() && stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    stdout
}

#[test]
fn a_file_gets_the_same_bytes_as_standard_output() {
    let here = folder();
    for format in FORMATS {
        let ran = export_small(here.path(), format, &["-o", "file"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{format}");
        let bytes = fs::read(here.path().join("file")).expect("it is there");
        assert!(
            bytes == exported_bytes(here.path(), &[&SMALL[..], &["--format", format]].concat()),
            "{format}"
        );
        fs::remove_file(here.path().join("file")).expect("it is there");
        let quiet = export_small(here.path(), format, &["--output", "file", "--quiet"]);
        let result = (quiet.status, quiet.stdout.as_str(), quiet.stderr.as_str());
        assert_eq!(result, (Some(0), "", ""), "{format}");
        assert!(fs::read(here.path().join("file")).expect("it is there") == bytes, "{format}");
        assert_eq!(files(here.path()), ["file"]);
        fs::remove_file(here.path().join("file")).expect("it is there");
    }
}

#[test]
fn a_ruleset_and_its_table_give_the_same_export_each_time() {
    let here = folder();
    for format in FORMATS {
        let expected = exported_bytes(here.path(), &[&SMALL[..], &["--format", format]].concat());
        let made = bouton(here.path(), &[&["generate", "--force", "-o", "t.bouton"], &SMALL[..]].concat());
        assert_eq!(made.status, Some(0));
        for _ in 0..2 {
            assert!(exported_bytes(here.path(), &["t.bouton", "--format", format]) == expected, "{format}");
        }
    }
}

#[test]
fn an_existing_file_is_replaced_with_force_only() {
    let here = folder();
    let path = here.path().join("file");
    for format in FORMATS {
        fs::write(&path, "precious").expect("it can be written");
        let ran = export_small(here.path(), format, &["-o", "file"]);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{format}");
        assert!(ran.stderr.contains("file") && ran.stderr.contains("--force"), "{}", ran.stderr);
        assert_eq!(fs::read(&path).expect("it is there"), b"precious");
        assert_eq!(export_small(here.path(), format, &["-o", "file", "--force"]).status, Some(0));
        assert!(
            fs::read(&path).expect("it is there")
                == exported_bytes(here.path(), &[&SMALL[..], &["--format", format]].concat())
        );
        assert_eq!(files(here.path()), ["file"]);
        fs::remove_file(&path).expect("it is there");
        // `--force` is allowed without a file to replace.
        assert_eq!(export_small(here.path(), format, &["-o", "file", "--force"]).status, Some(0));
        fs::remove_file(&path).expect("it is there");
    }
}

#[test]
fn an_unwritable_place_is_named_in_the_error() {
    let here = folder();
    fs::create_dir(here.path().join("folder")).expect("a folder can be made");
    for format in FORMATS {
        for (place, expected) in
            [("no/such/file", "folder"), ("folder", "folder"), ("/proc/file", "/proc/file")]
        {
            for more in [&[][..], &["--force"]] {
                let ran = export_small(here.path(), format, &[&["-o", place], more].concat());
                assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{format} {place}");
                assert!(ran.stderr.contains(place) && ran.stderr.contains(expected), "{}", ran.stderr);
                assert_eq!(files(here.path()), ["folder"], "{format} {place}");
                assert!(files(&here.path().join("folder")).is_empty());
            }
        }
    }
}

#[test]
fn the_exported_table_is_not_overwritten_without_force() {
    let here = folder();
    let made = bouton(here.path(), &[&["generate", "-o", "t.bouton"], &SMALL[..]].concat());
    assert_eq!(made.status, Some(0));
    let before = fs::read(here.path().join("t.bouton")).expect("it is there");
    let ran = bouton(here.path(), &["export", "t.bouton", "--format", "csv", "-o", "t.bouton"]);
    assert_eq!(ran.status, Some(2));
    assert_eq!(fs::read(here.path().join("t.bouton")).expect("it is there"), before);
}

/// Runs `bouton export` of a large table in a shell, with `suffix` appended. Returns its exit status and its standard
/// error.
fn run_in_shell(format: &str, suffix: &str) -> (String, String) {
    let script = format!(
        "\"$0\" export expanding --set stones=150 --format {format} {suffix}; echo ${{PIPESTATUS[0]}} >&3",
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
fn a_closed_pipe_ends_an_export_without_error() {
    for format in ["csv", "jsonl", "npy"] {
        assert_eq!(run_in_shell(format, "| head -c 300"), ("0".into(), String::new()), "{format}");
        assert_eq!(run_in_shell(format, "| true"), ("0".into(), String::new()), "{format}");
    }
    assert_eq!(run_in_shell("bfile", "| true"), ("0".into(), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for format in FORMATS {
        let (status, error) = run_in_shell(format, "> /dev/full");
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
            let ran = export_small(here.path(), format, more);
            assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), expected), "{format} {more:?}");
            assert!(!ran.stderr.is_empty(), "{format} {more:?}");
            let ran = export_small(here.path(), format, &[more, &["-o", "file"]].concat());
            assert_eq!(ran.status, Some(0), "{format} {more:?}");
            assert!(!ran.stderr.is_empty(), "{format} {more:?}");
            assert_eq!(fs::read_to_string(here.path().join("file")).expect("it is there"), expected);
            fs::remove_file(here.path().join("file")).expect("it is there");
        }
    }
    let ran = export_small(here.path(), "npy", &["--where", "stones=21..", "-o", "file"]);
    assert!(ran.status == Some(0) && !ran.stderr.is_empty(), "{ran:?}");
    let bytes = fs::read(here.path().join("file")).expect("it is there");
    assert_eq!(bytes.len() % 64, 0, "a header and no row");
    assert!(String::from_utf8_lossy(&bytes).contains("(0,)"));
}

#[test]
fn help_names_formats_sequences_and_options() {
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
fn start_long_export(here: &Path) -> std::process::Child {
    let args = ["export", "nim", "--set", "heaps=6", "--set", "size=50", "--no-depth"];
    let mut child = start_bouton(here, &[&args[..], &["--format", "csv", "-o", "rows.csv"]].concat());
    let is_written = |name: &String| {
        name.contains("rows") && fs::metadata(here.join(name)).is_ok_and(|file| file.len() > 0)
    };
    while !files(here).iter().any(is_written) {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ends before anything is written");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
#[test]
fn an_interrupted_export_leaves_no_file() {
    for (signal, expected) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let here = folder();
        fs::write(here.path().join("other"), "kept").expect("it can be written");
        let child = start_long_export(here.path());
        send_signal(signal, &child);
        let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
        assert_eq!((status.code(), stdout, stderr), (Some(expected), vec![], vec![]), "{signal}");
        assert_eq!(files(here.path()), ["other"], "{signal}");
    }
}
