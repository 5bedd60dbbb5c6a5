//! Being asked to end: by Ctrl-C, a signal, or a terminal that is gone.

use std::io;

/// From now on Ctrl-C and the signals SIGTERM and SIGHUP do not end the program: each time `asked` is given the signal's
/// number, on a thread of its own. A program that was started to ignore SIGHUP, as `nohup` does, goes on ignoring it. To be
/// called once.
///
/// # Errors
/// If the system does not allow it.
#[cfg(unix)]
pub fn when_asked_to_end(asked: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    if !is_ignored(SIGHUP) {
        signals.handle().add_signal(SIGHUP)?;
    }
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || signals.forever().for_each(asked))?;
    Ok(())
}

/// The same where there is but Ctrl-C.
///
/// # Errors
/// If the system does not allow it.
#[cfg(not(unix))]
pub fn when_asked_to_end(mut asked: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    const SIGINT: i32 = 2;
    ctrlc::set_handler(move || asked(SIGINT)).map_err(io::Error::other)
}

/// Whether this process ignores a signal, as far as the system says.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
