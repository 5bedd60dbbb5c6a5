//! Ending early, by Ctrl-C or a signal: what is half written is removed first.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

use bouton_tables::when_asked_to_end;

/// The signal that asked the program to end, or 0.
static ASKED: AtomicI32 = AtomicI32::new(0);
/// What is removed before the program ends at once; without such a file it goes on to where it looks at [`asked`].
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Whether the program was asked to end.
pub(crate) fn asked() -> bool {
    ASKED.load(SeqCst) != 0
}

/// The exit status that stands for the signal by which the program was asked to end. If only another process that works
/// with this one was, it is that of Ctrl-C.
pub(crate) fn status() -> u8 {
    const SIGINT: i32 = 2;
    let signal = ASKED.load(SeqCst);
    128 + if signal == 0 { SIGINT } else { signal } as u8
}

/// From now on the program is not simply ended by Ctrl-C or a signal, but [`asked`] to end. Asked twice, it ends at
/// once.
pub(crate) fn ask_first() -> io::Result<()> {
    static LISTENS: AtomicBool = AtomicBool::new(false);
    if LISTENS.swap(true, SeqCst) {
        return Ok(());
    }
    when_asked_to_end(|signal| {
        let before = ASKED.swap(signal, SeqCst);
        let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &*unfinished {
            // If it cannot be removed, or is in its place by now, there is nothing more to do.
            let _ = fs::remove_file(file);
        }
        if before != 0 || unfinished.is_some() {
            process::exit(status().into());
        }
    })
}

/// From now on Ctrl-C or a signal ends the program at once, after it removed this file.
pub(crate) fn end_without(unfinished: PathBuf) -> io::Result<()> {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = Some(unfinished);
    ask_first()
}
