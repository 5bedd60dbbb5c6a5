//! Starts Bouton's programs in a folder, as a user does, and returns their status and output.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::children::{self, command};

/// The result of running a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramRun {
    /// The exit status; `None` if a signal ended the program.
    pub status: Option<i32>,
    /// The standard output.
    pub stdout: String,
    /// The standard error.
    pub stderr: String,
}

/// Returns the folder of the workspace.
#[must_use]
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests lie in the workspace")
}

/// Returns the path of a program, and builds it first if necessary: cargo builds no programs of other packages for a
/// package's tests.
///
/// # Panics
/// If the program cannot be built.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        // A test is at .../debug/deps/NAME, an example at .../release/examples/NAME. In both cases the programs are
        // two folders up.
        let test = std::env::current_exe().expect("a running program has a path");
        let folder = test.ancestors().nth(2).expect("two folders above").to_owned();
        let profile = if folder.ends_with("release") { "release" } else { "test" };
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args(["build", "--quiet", "--profile", profile])
            .args([
                "--bin",
                "bouton",
                "--bin",
                "bouton-lookup",
                "--bin",
                "bouton-match",
                "--bin",
                "bouton-server",
            ])
            .current_dir(workspace())
            .status()
            .expect("cargo runs");
        assert!(built.success(), "the programs build");
        folder
    });
    folder.join(name)
}

/// Starts a program of the project in a folder.
fn start(name: &str, folder: &Path, args: &[&str]) -> Child {
    spawn(command(program(name)).args(args), folder)
}

/// Starts a command in a folder, with pipes for its input and outputs.
fn spawn(command: &mut Command, folder: &Path) -> Child {
    let command = command
        .current_dir(folder)
        .env_remove("CARGO")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    children::spawn(command)
}

/// Waits until a program has ended. Returns its peak memory in bytes, as observed every millisecond.
///
/// # Panics
/// If the system does not say whether the program has ended.
#[cfg(target_os = "linux")]
pub fn peak_memory(child: &mut Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let now = || {
        let status = std::fs::read_to_string(&status).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    let mut peak = 0;
    while child.try_wait().expect("the child is ours").is_none() {
        peak = now().unwrap_or(0).max(peak);
        std::thread::sleep(Duration::from_millis(1));
    }
    1024 * peak
}

/// Starts `bouton` in a folder.
///
/// # Panics
/// If the program does not start.
#[must_use]
pub fn start_bouton(folder: &Path, args: &[&str]) -> Child {
    start("bouton", folder, args)
}

/// Runs `bouton` in a folder.
///
/// # Panics
/// If the program does not start.
#[must_use]
pub fn bouton(folder: &Path, args: &[&str]) -> ProgramRun {
    finish(start("bouton", folder, args), b"")
}

/// Runs `bouton-lookup` in a folder with this standard input.
///
/// # Panics
/// If the program does not start.
#[must_use]
pub fn lookup(folder: &Path, args: &[&str], input: &[u8]) -> ProgramRun {
    finish(start("bouton-lookup", folder, args), input)
}

/// Starts `bouton-match` in a folder.
///
/// # Panics
/// If the program does not start.
#[must_use]
pub fn start_match(folder: &Path, args: &[&str]) -> Child {
    start("bouton-match", folder, args)
}

/// Runs `bouton-match` in a folder with this standard input.
///
/// # Panics
/// If the program does not start.
#[must_use]
pub fn run_match(folder: &Path, args: &[&str], input: &[u8]) -> ProgramRun {
    finish(start_match(folder, args), input)
}

/// Runs a program in a folder, limited to this many bytes of address space.
///
/// # Panics
/// If the program does not start.
#[must_use]
pub fn run_within(bytes: u64, name: &str, folder: &Path, args: &[&str]) -> ProgramRun {
    run_in_bash(&format!("ulimit -v {}; exec \"$0\" \"$@\"", bytes / 1024), name, folder, args)
}

/// Runs a bash script in a folder. In the script, `"$0" "$@"` is the program with its arguments.
///
/// # Panics
/// If bash does not start.
#[must_use]
pub fn run_in_bash(script: &str, name: &str, folder: &Path, args: &[&str]) -> ProgramRun {
    let mut command = command("bash");
    command.args(["-c", script]).arg(program(name)).args(args);
    finish(spawn(&mut command, folder), b"")
}

/// Sends a signal, for example `INT`, to a program.
///
/// # Panics
/// If the signal cannot be sent.
pub fn send_signal(signal: &str, child: &Child) {
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

/// Writes the input of a process, and waits for its end.
fn finish(mut child: Child, input: &[u8]) -> ProgramRun {
    let mut stdin = child.stdin.take().expect("it was piped");
    let input = input.to_owned();
    // A thread of its own writes the input: a program that answers while it reads would deadlock with a single
    // thread.
    let writer = std::thread::spawn(move || {
        // A program may end without reading all input, which closes the pipe.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    ProgramRun {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("programs print UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("programs print UTF-8"),
    }
}

/// Returns the names of all files in a folder, including hidden ones, in order.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Waits until a condition holds, checking it every 5 ms.
///
/// # Panics
/// If the condition does not hold within a minute.
pub fn wait_until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(60), "waited for a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
}
