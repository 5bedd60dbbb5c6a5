//! Helpers to watch the processes of bots, which a player starts and must end.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use bouton_tests::children::{command, output};

/// Longer than any step of these tests takes on a busy machine.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// Waits up to 10 s until a process is gone or a zombie. Returns whether it is.
pub(crate) fn is_gone(pid: &str) -> bool {
    let began = Instant::now();
    loop {
        let alive = format!("kill -0 {pid} && ! grep -q '^State:.Z' /proc/{pid}/status");
        let ran = output(command("sh").args(["-c", &alive]));
        if !ran.status.success() {
            return true;
        }
        if began.elapsed() > Duration::from_secs(10) {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Waits for a script to write a line into a file, and returns the text.
pub(crate) fn wait_for_line(file: &Path) -> String {
    let began = Instant::now();
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if text.ends_with('\n') {
            return text.trim().to_owned();
        }
        assert!(began.elapsed() < LONG, "nothing was written");
        thread::sleep(Duration::from_millis(5));
    }
}
