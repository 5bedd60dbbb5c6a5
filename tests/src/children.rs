//! Starting programs so that signals have their usual effect and no test waits forever.
//!
//! A test run may ignore signals (`nohup` ignores SIGHUP), and its children inherit that. A program that hangs would
//! keep a test waiting, whether the test waits for the program's end or for its output. So on Linux, each program starts
//! with the default signals, and is killed after [`LIMIT`], which closes its output too.

use std::ffi::OsStr;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A program that still runs after this time is killed.
pub const LIMIT: Duration = Duration::from_secs(600);

/// Returns a command that starts a program with the default effect of signals.
#[must_use]
pub fn command(program: impl AsRef<OsStr>) -> Command {
    if cfg!(target_os = "linux") {
        // `env` of coreutils 8.31 or newer. Without unsafe code, the standard library cannot do this.
        let mut command = Command::new("env");
        command.arg("--default-signal=HUP,INT,TERM").arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// Starts a program, which is killed after [`LIMIT`].
///
/// # Panics
/// If it does not start.
pub fn spawn(command: &mut Command) -> Child {
    spawn_within(LIMIT, command)
}

/// Runs a program for [`LIMIT`] at most, and returns its output.
///
/// # Panics
/// If it does not start.
pub fn output(command: &mut Command) -> Output {
    let child = spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    child.wait_with_output().expect("its output can be read")
}

/// Starts a process that is killed if it does not end within the limit.
fn spawn_within(limit: Duration, command: &mut Command) -> Child {
    let child = command.spawn().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    #[cfg(target_os = "linux")]
    watch(&child, limit, format!("{command:?}"));
    child
}

/// Kills a program that runs too long. Uses a descriptor of the process, because the system may reuse its number.
#[cfg(target_os = "linux")]
fn watch(child: &Child, limit: Duration, name: String) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    let process =
        pidfd_open(Pid::from_child(child), PidfdFlags::empty()).expect("the program has not been awaited");
    let limit = Timespec::try_from(limit).expect("limits are short");
    std::thread::spawn(move || {
        let ended = poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&limit));
        if ended == Ok(0) && pidfd_send_signal(&process, Signal::KILL).is_ok() {
            eprintln!("a test waited too long for {name}, which was killed after {} s", limit.tv_sec);
        }
    });
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    #[test]
    fn a_program_that_does_not_end_is_killed_and_its_output_ends() {
        let mut sleeps = command("sh");
        sleeps.args(["-c", "echo begun; exec sleep 1000"]).stdout(Stdio::piped());
        let ended = spawn_within(Duration::from_millis(500), &mut sleeps).wait_with_output().unwrap();
        assert_eq!((ended.status.signal(), &*ended.stdout), (Some(9), &b"begun\n"[..]));
    }

    #[test]
    fn ignored_signals_of_the_test_run_still_end_a_program() {
        for (signal, number) in [("HUP", 1), ("INT", 2), ("TERM", 15)] {
            let usual = command("sh");
            let mut ignoring = Command::new("env");
            ignoring.arg("--ignore-signal=HUP,INT,TERM").arg(usual.get_program()).args(usual.get_args());
            ignoring.args(["-c", &format!("kill -{signal} $$; echo ignored")]);
            let ended = output(&mut ignoring);
            assert_eq!((ended.status.signal(), &*ended.stdout), (Some(number), &b""[..]));
        }
    }
}
