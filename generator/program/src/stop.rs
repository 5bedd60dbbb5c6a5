//! Ends the program early on Ctrl-C or a signal, after it has removed an unfinished file.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

use bouton_tables::when_asked_to_end;

/// The signal that asked the program to end, or 0.
static ASKED: AtomicI32 = AtomicI32::new(0);
/// A file to remove before the program exits on a signal. If there is none, the program runs on until it checks
/// [`asked`].
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Returns whether a signal has asked the program to end.
pub(crate) fn asked() -> bool {
    ASKED.load(SeqCst) != 0
}

/// Returns the exit status for the signal that asked the program to end; that of Ctrl-C if only another process of the
/// run received one.
pub(crate) fn status() -> u8 {
    const SIGINT: i32 = 2;
    let signal = ASKED.load(SeqCst);
    128 + if signal == 0 { SIGINT } else { signal } as u8
}

/// Makes Ctrl-C and signals set [`asked`] instead of ending the program. The second signal ends the program
/// immediately.
pub(crate) fn ask_first() -> io::Result<()> {
    static LISTENS: AtomicBool = AtomicBool::new(false);
    if LISTENS.swap(true, SeqCst) {
        return Ok(());
    }
    when_asked_to_end(|signal| {
        let before = ASKED.swap(signal, SeqCst);
        let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &*unfinished {
            // Ignore an error: the file may already be in its final place.
            let _ = fs::remove_file(file);
        }
        if before != 0 || unfinished.is_some() {
            process::exit(status().into());
        }
    })
}

/// Makes Ctrl-C and signals end the program immediately, after it has removed this file.
pub(crate) fn end_without(unfinished: PathBuf) -> io::Result<()> {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = Some(unfinished);
    ask_first()
}
