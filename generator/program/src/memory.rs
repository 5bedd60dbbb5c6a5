//! How much memory there is, and whether it is enough for a table.

use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

use bouton_generator::{
    Beyond, Options, Together, enough_processes, estimate_together, least_memory, memory_beyond,
};
use bouton_memory::{at_least, threads_within};
use bouton_tables::Ruleset;

use crate::commands::{bytes, bytes_enough};

/// Threads that a program starts besides those that work: that which waits for signals.
const WATCHERS: usize = 1;

/// Threads for the work: as many as are asked for, or one for each processor, if a limit of address space leaves room for them.
pub(crate) fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| threads_within(available_parallelism().map_or(1, NonZero::get)))
}

/// Memory that this process may still use, in bytes, before it starts so many threads for the work.
pub(crate) fn available_for(threads: usize) -> u64 {
    bouton_memory::available_for(threads + WATCHERS)
}

/// The same where threads are those of a program that names none.
pub(crate) fn available() -> u64 {
    available_for(threads(None))
}

/// The most memory that this process has held so far, in bytes; `None` where the system does not say.
pub(crate) fn peak() -> Option<u64> {
    Some(1024 * status("VmHWM")?.strip_suffix(" kB")?.parse::<u64>().ok()?)
}

/// What the system says of this process under a name; `None` where it does not.
pub(crate) fn status(name: &str) -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let named = |line: &str| line.strip_prefix(name)?.strip_prefix(':').map(|value| value.trim().to_owned());
    status.lines().find_map(named)
}

/// What to say if a table takes more memory than is available.
pub(crate) fn shortage(ruleset: &Ruleset, options: Options) -> Option<String> {
    let available = available();
    match fit(ruleset, options, available) {
        Fit::Whole => None,
        Fit::Folder(whole, _) => too_much(whole, available, false),
        Fit::Not(shortage) => Some(shortage),
    }
}

/// Whether a table that is too large with depths can be made without them.
pub(crate) fn fits_without_depths(ruleset: &Ruleset, options: Options, limit: u64) -> bool {
    options.depths && !matches!(fit(ruleset, Options { depths: false }, limit), Fit::Not(_))
}

/// Bytes that a disk has left for a file or folder in a place; `None` where the system does not say.
pub(crate) fn disk_left(place: &Path) -> Option<u64> {
    let folder =
        place.ancestors().skip(1).map(|folder| if folder == Path::new("") { Path::new(".") } else { folder });
    let disk = folder.into_iter().find_map(|folder| rustix::fs::statvfs(folder).ok())?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// How a table is made with limited memory.
pub(crate) enum Fit {
    /// All in memory.
    Whole,
    /// With a work folder: what all in memory would take, and the most bytes of the folder.
    Folder(u64, u64),
    /// Not at all: what to say.
    Not(String),
}

/// Whether a table can be made within so much memory.
pub(crate) fn fit(ruleset: &Ruleset, options: Options, limit: u64) -> Fit {
    let beyond = memory_beyond(ruleset, options, limit);
    let shortage = |Beyond { bytes, at_least }| Some((bytes, too_much(bytes, limit, at_least)?));
    let Some((whole, shortage)) = beyond.and_then(shortage) else { return Fit::Whole };
    match least_memory(ruleset, options) {
        Some(least) if least.memory <= limit && least.memory < whole => Fit::Folder(whole, least.folder),
        Some(least) if least.memory < whole => {
            let (least, limit) = (at_least(least.memory), bytes(limit));
            Fit::Not(format!("{least} of memory, and {limit} are available"))
        }
        _ => Fit::Not(shortage),
    }
}

/// How a table is made by several processes, each with so much memory.
pub(crate) fn fit_together(ruleset: &Ruleset, options: Options, processes: usize, limit: u64) -> Fit {
    let Some(Together { memory, .. }) = estimate_together(ruleset, options, processes) else {
        return fit(ruleset, options, limit);
    };
    if memory <= limit {
        return Fit::Whole;
    }
    let enough = enough_processes(ruleset, options, limit);
    let alone = least_memory(ruleset, options).is_some_and(|least| least.memory <= limit);
    let instead = match (enough, alone) {
        (Some(enough), true) => format!(
            " ({enough} processes with as much each would be enough, or `bouton generate` alone, with a work folder)"
        ),
        (Some(enough), false) => format!(" ({enough} processes with as much each would be enough)"),
        (None, true) => {
            " (no number of processes would be enough, but `bouton generate` alone, with a work folder)"
                .to_owned()
        }
        (None, false) => match least_memory(ruleset, options) {
            Some(least) => {
                format!(" (with any number of processes it takes {})", at_least(least.memory))
            }
            None => " (no number of processes would be enough)".to_owned(),
        },
    };
    let (needed, limit) = (bytes_enough(memory), bytes(limit));
    Fit::Not(format!(
        "{needed} of memory in the first of {processes} processes, and {limit} are available{instead}"
    ))
}

/// Returns the shortage if more bytes are needed than are available. `is_bound`: perhaps even more are needed.
pub(crate) fn too_much(needed: u64, available: u64, is_bound: bool) -> Option<String> {
    let needs = if is_bound { at_least } else { bouton_memory::about };
    (needed > available)
        .then(|| format!("{} of memory, and {} are available", needs(needed), bytes(available)))
}
