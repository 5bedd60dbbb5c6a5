//! Ends the program early on Ctrl-C or another signal: at once, if it only has to remove an unfinished file; otherwise when
//! the work next checks [`is_requested`].

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

use bouton_tables::when_asked_to_end;

/// The signal that asked the program to end, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// A file to remove before the program exits on a signal. Without one, the program continues until it checks
/// [`is_requested`].
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Returns whether a signal has asked the program to end.
pub(crate) fn is_requested() -> bool {
    SIGNAL.load(SeqCst) != 0
}

/// Returns the exit status for the signal that asked the program to end. If only another process of the run received a
/// signal, returns the status of Ctrl-C.
pub(crate) fn exit_status() -> u8 {
    const SIGINT: i32 = 2;
    let signal = SIGNAL.load(SeqCst);
    128 + if signal == 0 { SIGINT } else { signal } as u8
}

/// Makes Ctrl-C and signals set [`is_requested`] instead of ending the program. A second signal ends the program
/// immediately.
pub(crate) fn handle_signals() -> io::Result<()> {
    static IS_INSTALLED: AtomicBool = AtomicBool::new(false);
    if IS_INSTALLED.swap(true, SeqCst) {
        return Ok(());
    }
    when_asked_to_end(|signal| {
        let earlier_signal = SIGNAL.swap(signal, SeqCst);
        let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &*unfinished {
            // Ignore an error: the file may already be in its final place.
            let _ = fs::remove_file(file);
        }
        if earlier_signal != 0 || unfinished.is_some() {
            process::exit(exit_status().into());
        }
    })
}

/// Makes Ctrl-C and signals end the program immediately, after it has removed this file.
pub(crate) fn remove_when_stopped(unfinished: PathBuf) -> io::Result<()> {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = Some(unfinished);
    handle_signals()
}
