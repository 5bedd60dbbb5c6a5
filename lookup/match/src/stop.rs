//! Ending in order when the program is asked to: by Ctrl-C or a signal.

use std::collections::BTreeSet;
use std::io;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

use bouton_tables::when_asked_to_end;

/// The signal that asked, or 0.
static ASKED: AtomicI32 = AtomicI32::new(0);
/// Whether the program goes on, when it is asked, to where it looks at [`asked`].
static FINISHES: AtomicBool = AtomicBool::new(false);
/// What is to be done before the program ends at once.
static LAST: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);
/// The programs that play, by the number of their process group.
static PROGRAMS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// The exit status that stands for the signal that asked the program to end; `None` if none has.
pub fn asked() -> Option<u8> {
    match ASKED.load(SeqCst) {
        0 => None,
        signal => Some(status(signal)),
    }
}

fn status(signal: i32) -> u8 {
    (128 + signal) as u8
}

/// From now on SIGINT, SIGTERM and SIGHUP end the program at once, and the programs that play for it. To be called once.
///
/// # Errors
/// If the system does not allow it.
pub fn end_in_order() -> io::Result<()> {
    when_asked_to_end(|signal| {
        let before = ASKED.swap(signal, SeqCst);
        kill_programs();
        if before != 0 || !FINISHES.load(SeqCst) {
            if let Some(last) = LAST.lock().unwrap_or_else(PoisonError::into_inner).take() {
                last();
            }
            process::exit(status(signal).into());
        }
    })
}

/// Does this before the program ends at once because it is asked to, in place of what was to be done before.
pub(crate) fn before_the_end(last: impl FnOnce() + Send + 'static) {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(last));
}

/// From now on the program looks at [`asked`] and ends by itself. Asked twice, it ends at once.
pub fn finish_when_asked() {
    FINISHES.store(true, SeqCst);
}

/// Counts a program among those that are killed when this one is asked to end.
pub(crate) fn watch_over(group: u32) {
    PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).insert(group);
    // One that is started while the others are killed.
    if asked().is_some() {
        kill_programs();
    }
}

/// The program is about to be reaped: its number may be another's soon.
pub(crate) fn forget(group: u32) {
    PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).remove(&group);
}

#[cfg(unix)]
fn kill_programs() {
    use rustix::process::{Pid, Signal, kill_process_group};
    for &group in &*PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner) {
        if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
            // It fails if no process of the group is left, which is fine.
            _ = kill_process_group(group, Signal::KILL);
        }
    }
}

#[cfg(not(unix))]
fn kill_programs() {}
