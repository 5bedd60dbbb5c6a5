//! An orderly end of the program after Ctrl-C or a signal. The first signal ends the program at once, unless the
//! program polls for it ([`declare_polling`]). In both cases, the handler kills the processes of players.

use std::collections::BTreeSet;
use std::io;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

use bouton_tables::when_asked_to_end;
use rustix::process::{Pid, Signal, kill_process_group};

/// The last signal received, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// True if the program polls [`signal_status`] and ends by itself.
static POLLED: AtomicBool = AtomicBool::new(false);
/// Action before an immediate end.
static EXIT_ACTION: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);
/// Process groups of the programs that play.
static PROGRAMS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Returns the exit status for the signal received; `None` if there was none.
pub fn signal_status() -> Option<u8> {
    match SIGNAL.load(SeqCst) {
        0 => None,
        signal => Some(status(signal)),
    }
}

fn status(signal: i32) -> u8 {
    (128 + signal) as u8
}

/// Installs the handler of Ctrl-C, SIGTERM and SIGHUP: it kills the programs of players, and ends this program unless
/// the program [polls](declare_polling). Call this once.
pub fn handle_signals() -> io::Result<()> {
    when_asked_to_end(|signal| {
        let earlier_signal = SIGNAL.swap(signal, SeqCst);
        kill_programs();
        if earlier_signal != 0 || !POLLED.load(SeqCst) {
            if let Some(action) = EXIT_ACTION.lock().unwrap_or_else(PoisonError::into_inner).take() {
                action();
            }
            process::exit(status(signal).into());
        }
    })
}

/// Sets the action before an immediate end, in place of the previous one.
pub(crate) fn set_exit_action(action: impl FnOnce() + Send + 'static) {
    *EXIT_ACTION.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(action));
}

/// Declares that the program polls [`signal_status`] and ends by itself. A second signal ends it at once.
pub fn declare_polling() {
    POLLED.store(true, SeqCst);
}

/// Registers a process group to be killed when a signal arrives.
pub(crate) fn register_group(group: u32) {
    PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).insert(group);
    // The program may have started after the signal handler killed the others.
    if signal_status().is_some() {
        kill_programs();
    }
}

/// Removes a process group whose program is about to be reaped: the system may reuse the number.
pub(crate) fn unregister_group(group: u32) {
    PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).remove(&group);
}

fn kill_programs() {
    for &group in &*PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner) {
        if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
            // Fails if the group has no process left, which is fine.
            _ = kill_process_group(group, Signal::KILL);
        }
    }
}
