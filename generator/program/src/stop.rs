//! Ending early: what is half written is removed first.

use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the program was asked to end.
static ASKED: AtomicBool = AtomicBool::new(false);

/// The exit status of a program that was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whether the program was asked to end.
pub(crate) fn asked() -> bool {
    ASKED.load(Relaxed)
}

/// From now on the program is not simply ended by Ctrl-C or a signal, but [`asked`] to end. Asked twice, it ends at
/// once. To be called once.
pub(crate) fn ask_first() -> io::Result<()> {
    let handled = ctrlc::set_handler(|| {
        if ASKED.swap(true, Relaxed) {
            process::exit(INTERRUPTED.into());
        }
    });
    handled.map_err(io::Error::other)
}

/// A file that can no longer be written to once the program is asked to end: what writes it fails then, and leaves
/// nothing behind.
pub(crate) struct Stoppable<'a>(pub(crate) &'a mut dyn Write);

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Not as interrupted, after which one tries again.
        if asked() { Err(io::Error::other("the program was asked to end")) } else { self.0.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
