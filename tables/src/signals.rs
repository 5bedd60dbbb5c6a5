//! Requests to end a program: Ctrl-C, a signal, or a closed terminal.

use std::io;

/// Replaces the default action of Ctrl-C, SIGTERM and SIGHUP: each signal calls `on_signal` with its number, on another
/// thread. A program that ignored SIGHUP at its start, as `nohup` arranges, continues to ignore SIGHUP on systems where
/// `/proc` shows this. Call this once.
#[cfg(unix)]
pub fn when_asked_to_end(on_signal: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    if !is_ignored(SIGHUP) {
        signals.handle().add_signal(SIGHUP)?;
    }
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || signals.forever().for_each(on_signal))?;
    Ok(())
}

/// Replaces the default action of Ctrl-C, and on Windows of every other console event, such as closing the console:
/// each calls `on_signal` with the number of SIGINT.
#[cfg(not(unix))]
pub fn when_asked_to_end(mut on_signal: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    const SIGINT: i32 = 2;
    ctrlc::set_handler(move || on_signal(SIGINT)).map_err(io::Error::other)
}

/// Returns true if this process ignores a signal, according to `/proc`; false without `/proc`.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
