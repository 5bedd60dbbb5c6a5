//! Tests of `bouton-mpi` under `mpirun`: tables do not depend on the number of processes, interrupted runs resume,
//! and errors are reported once.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use bouton_generator::generate_in_memory;
use bouton_tables::{Ruleset, rulesets};

/// Time after which a waiting test fails.
const HANG_LIMIT: Duration = Duration::from_secs(100);

const PROGRAM: &str = env!("CARGO_BIN_EXE_bouton-mpi");

/// Returns an `mpirun` command for a number of processes, usable on any machine and by any user.
fn mpirun(processes: usize, folder: &Path, args: &[&str]) -> Command {
    let mut command = mpirun_of(folder, &["-n", &processes.to_string(), PROGRAM]);
    command.args(args);
    command
}

/// Returns an `mpirun` command with these arguments.
fn mpirun_of(folder: &Path, args: &[impl AsRef<std::ffi::OsStr>]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(args);
    let settings =
        ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"];
    command.envs(settings.map(|name| (name, "1"))).current_dir(folder);
    command
}

fn run(processes: usize, folder: &Path, args: &[&str]) -> Output {
    mpirun(processes, folder, args).stdin(Stdio::null()).output().expect("MPI is installed")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn nim(settings: &[&str]) -> Ruleset {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    rulesets::find("nim", &settings).expect("an allowed ruleset").ruleset
}

/// Returns the command line for a ruleset.
fn generate<'a>(settings: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let set = settings.iter().flat_map(|&setting| ["--set", setting]);
    ["generate", "nim", "-o", "t.bouton"].into_iter().chain(set).chain(more.iter().copied()).collect()
}

#[test]
fn the_table_is_the_same_for_any_number_of_processes() {
    for settings in [&["heaps=5", "size=31"][..], &["heaps=4", "size=20", "passes=1", "play=misere"]] {
        let expected = generate_in_memory(&nim(settings), true).unwrap();
        for processes in 1..=4 {
            let here = tempfile::tempdir().unwrap();
            let output = run(processes, here.path(), &generate(settings, &[]));
            assert!(output.status.success(), "{}", text(&output.stderr));
            let made = fs::read(here.path().join("t.bouton")).unwrap();
            assert!(made == expected, "{settings:?} by {processes} processes");
            let printed = text(&output.stdout);
            assert_eq!(printed.matches("every position of nim, solved").count(), 1, "{printed}");
            assert_eq!(printed.contains("messages"), processes > 1, "{printed}");
            assert_eq!(fs::read_dir(here.path()).unwrap().count(), 1, "something is left behind");
        }
    }
}

#[test]
fn processes_of_another_build_are_refused() {
    let here = tempfile::tempdir().unwrap();
    // Bytes after the end of an executable do not change what it does.
    let other = here.path().join("other");
    fs::copy(PROGRAM, &other).unwrap();
    let mut file = fs::File::options().append(true).open(&other).unwrap();
    std::io::Write::write_all(&mut file, b"x").unwrap();
    drop(file);
    let of_one = |program: &str| {
        let command = ["-n", "1", program].into_iter().chain(generate(&["heaps=4", "size=9"], &[]));
        command.map(str::to_owned).collect::<Vec<_>>()
    };
    let both = |other: &str| [of_one(PROGRAM), vec![":".to_owned()], of_one(other)].concat();
    let output = mpirun_of(here.path(), &both(other.to_str().unwrap())).output().unwrap();
    assert!(!output.status.success());
    let printed = text(&output.stderr);
    assert!(printed.contains("runs a different build of bouton-mpi from process 0"), "{printed}");
    let output = mpirun_of(here.path(), &both(PROGRAM)).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// Returns the ids of the processes that a process has started.
fn started_by(process: u32) -> Vec<String> {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    children.split_whitespace().map(str::to_owned).collect()
}

/// Waits until a condition holds, or the program has ended. Returns whether the condition holds.
fn wait_for(child: &mut Child, mut holds: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if holds() {
            return true;
        }
        assert!(began.elapsed() < HANG_LIMIT, "the condition does not come true");
        sleep(Duration::from_millis(2));
    }
    false
}

#[test]
fn when_a_process_is_killed_all_end_and_the_next_run_resumes() {
    // Much work for little memory, so that checkpoints are due early.
    let settings = ["heaps=3", "size=1200"];
    let expected = generate_in_memory(&nim(&settings), true).unwrap();
    let here = tempfile::tempdir().unwrap();
    let (table, progress) = (here.path().join("t.bouton"), here.path().join("t.bouton.work/progress"));
    let args = generate(&settings, &["--checkpoint", "0"]);
    let (mut killed, mut resumed) = (0, 0);
    for (processes, victim) in [(3, 0), (3, 1), (2, 1), (4, 3)] {
        let before = fs::read(&progress).ok();
        resumed += u32::from(before.is_some());
        let mut child = mpirun(processes, here.path(), &args)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Kill a rank as soon as there is another checkpoint.
        if wait_for(&mut child, || fs::read(&progress).ok().is_some_and(|now| Some(now) != before)) {
            let ranks = started_by(child.id());
            assert_eq!(ranks.len(), processes);
            Command::new("kill").args(["-9", &ranks[victim]]).status().unwrap();
        }
        let output = child.wait_with_output().unwrap();
        if table.exists() {
            // The run was done before the kill.
            assert!(fs::read(&table).unwrap() == expected);
            fs::remove_file(&table).unwrap();
            continue;
        }
        killed += 1;
        let printed = text(&output.stderr);
        assert!(
            !output.status.success() && printed.contains(&format!("process rank {victim} ")),
            "{printed}"
        );
        assert!(printed.contains("signal 9"), "{printed}");
    }
    assert!(killed > 1 && resumed > 0, "{killed} killed, {resumed} resumed");
    let last = run(2, here.path(), &args);
    assert!(last.status.success(), "{}", text(&last.stderr));
    assert!(text(&last.stderr).contains("resumes from a checkpoint"), "{}", text(&last.stderr));
    assert!(fs::read(&table).unwrap() == expected);
    assert_eq!(fs::read_dir(here.path()).unwrap().count(), 1, "something is left behind");
}

#[test]
fn an_error_is_reported_once_and_leaves_no_files() {
    let here = tempfile::tempdir().unwrap();
    let wrong = [
        (&["generate", "nim", "--set", "size=none"][..], "size = \"none\""),
        (&["generate", "nim", "--frobnicate"], "--frobnicate"),
        (&["generate", "there-is-none.toml"], "there-is-none"),
        (&["generate", "nim", "-o", "no-folder/t.bouton"], "no-folder/t.bouton"),
        (
            &["generate", "nim", "--set", "heaps=6", "--set", "size=63", "--memory", "20MiB"],
            "of memory in the first of 3 processes, and 20.0 MiB are available",
        ),
        (&["generate", "nim", "--set", "heaps=3", "--processes", "3"], "--estimate"),
    ];
    for (args, expected) in wrong {
        let output = run(3, here.path(), args);
        assert!(!output.status.success());
        let printed = text(&output.stderr);
        let ours: Vec<&str> = printed
            .lines()
            .filter(|line| line.starts_with("bouton-mpi: ") || line.starts_with("error: "))
            .collect();
        assert!(ours.len() == 1 && printed.contains(expected), "{args:?}: {printed}");
        assert_eq!(fs::read_dir(here.path()).unwrap().count(), 0, "{args:?} leaves something behind");
    }
    let help = run(3, here.path(), &["generate", "--help"]);
    assert!(help.status.success());
    assert_eq!(text(&help.stdout).matches("bouton-mpi generate [OPTIONS]").count(), 1);
}

#[test]
fn the_number_of_processes_that_the_message_names_is_enough_and_one_less_is_not() {
    let here = tempfile::tempdir().unwrap();
    let settings = ["heaps=6", "size=63"];
    let with = |memory: &'static str| generate(&settings, &["--memory", memory]);
    let refused = text(&run(2, here.path(), &with("24MiB")).stderr);
    let (before, _) =
        refused.split_once(" processes with this much memory each would be enough").expect(&refused);
    let enough: usize = before.rsplit_once('(').expect(&refused).1.parse().expect(&refused);
    let one_less = run(enough - 1, here.path(), &with("24MiB"));
    assert!(!one_less.status.success() && text(&one_less.stderr).contains("would be enough"), "{one_less:?}");
    let output = run(enough, here.path(), &with("24MiB"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    // The memory for packing in the first process does not depend on the number of processes.
    fs::remove_file(here.path().join("t.bouton")).unwrap();
    let refused = text(&run(2, here.path(), &with("10MiB")).stderr);
    assert!(refused.contains("with any number of processes it takes at least"), "{refused}");
}

#[test]
fn expanding_nim_is_made_by_one_process_and_an_estimate_is_printed_once() {
    let here = tempfile::tempdir().unwrap();
    let output = run(3, here.path(), &["generate", "expanding", "--set", "stones=50", "-o", "e.bouton"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let expanding = rulesets::find("expanding", &["stones=50".to_owned()]).unwrap().ruleset;
    let made = fs::read(here.path().join("e.bouton")).unwrap();
    assert!(made == generate_in_memory(&expanding, true).unwrap());
    let estimate = run(3, here.path(), &["generate", "nim", "--set", "heaps=5", "--estimate"]);
    assert!(estimate.status.success());
    let printed = text(&estimate.stdout);
    assert_eq!(printed.matches("of 3 processes").count(), 1, "{printed}");
    let again = run(2, here.path(), &["generate", "expanding", "--set", "stones=50", "-o", "e.bouton"]);
    assert!(again.status.success());
    assert_eq!(text(&again.stdout).matches("exists already").count(), 1);
}

#[test]
fn one_of_several_processes_proves_a_table_and_reports_an_error_once() {
    let here = tempfile::tempdir().unwrap();
    fs::write(here.path().join("t.bouton"), generate_in_memory(&nim(&["heaps=5", "size=12"]), true).unwrap())
        .unwrap();
    for processes in [1, 3] {
        let output = run(processes, here.path(), &["verify", "t.bouton"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout).matches("t.bouton is right").count(), 1, "{output:?}");
        let output = run(processes, here.path(), &["verify", "there-is-none.bouton"]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(text(&output.stderr).matches("bouton-mpi: ").count(), 1, "{}", text(&output.stderr));
    }
}
