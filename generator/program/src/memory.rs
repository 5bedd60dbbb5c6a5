//! Determines how much memory there is, and whether it suffices for a table.

use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

use bouton_generator::{
    ClusterCost, GenerateOptions, NeededMemory, enough_processes, estimate_cluster, memory_beyond,
    memory_with_folder,
};
use bouton_memory::{about_bytes, at_least_bytes, threads_within};
use bouton_tables::Ruleset;

use crate::commands::{bytes, bytes_rounded_up};

/// Threads that the program starts in addition to worker threads: the one that waits for signals.
const OTHER_THREADS: usize = 1;

/// Returns the number of worker threads: as requested, or one for each processor, fewer if a limit of address space
/// requires it.
pub(crate) fn threads(requested: Option<usize>) -> usize {
    requested.unwrap_or_else(|| threads_within(available_parallelism().map_or(1, NonZero::get)))
}

/// Returns the bytes that this process may still use once it has started `threads` worker threads.
pub(crate) fn available_for(threads: usize) -> u64 {
    bouton_memory::available_for(threads + OTHER_THREADS)
}

/// Returns the bytes that this process may still use with the default number of threads.
pub(crate) fn available() -> u64 {
    available_for(threads(None))
}

/// Returns the peak memory of this process in bytes, or `None` if the system does not say.
pub(crate) fn peak() -> Option<u64> {
    Some(1024 * status("VmHWM")?.strip_suffix(" kB")?.parse::<u64>().ok()?)
}

/// Returns a value from `/proc/self/status`, or `None` if there is none.
pub(crate) fn status(name: &str) -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let value = |line: &str| line.strip_prefix(name)?.strip_prefix(':').map(|value| value.trim().to_owned());
    status.lines().find_map(value)
}

/// Returns the message for a table that takes more memory than is available; `None` if it fits.
pub(crate) fn shortage_for(ruleset: &Ruleset, options: GenerateOptions) -> Option<String> {
    let available = available();
    match fit(ruleset, options, available) {
        Fit::InMemory => None,
        Fit::Folder(whole, _) => Some(shortage(whole, available, false)),
        Fit::TooLarge(shortage) => Some(shortage),
    }
}

/// Returns whether a table that is too large with depths fits without them.
pub(crate) fn fits_without_depths(ruleset: &Ruleset, options: GenerateOptions, limit: u64) -> bool {
    options.depths && !matches!(fit(ruleset, GenerateOptions { depths: false }, limit), Fit::TooLarge(_))
}

/// Returns the free bytes of the disk for a file or folder, or `None` if the system does not say.
pub(crate) fn free_disk_bytes(path: &Path) -> Option<u64> {
    let folder =
        path.ancestors().skip(1).map(|folder| if folder == Path::new("") { Path::new(".") } else { folder });
    let disk = folder.into_iter().find_map(|folder| rustix::fs::statvfs(folder).ok())?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// How a table can be made within a limit of memory.
pub(crate) enum Fit {
    /// Entirely in memory.
    InMemory,
    /// With a work folder: the bytes that making the table entirely in memory would take, and the maximum bytes of the folder.
    Folder(u64, u64),
    /// Not at all, with the message.
    TooLarge(String),
}

/// Determines how a table can be made within `limit` bytes.
pub(crate) fn fit(ruleset: &Ruleset, options: GenerateOptions, limit: u64) -> Fit {
    let Some(NeededMemory { bytes: whole, at_least }) = memory_beyond(ruleset, options, limit) else {
        return Fit::InMemory;
    };
    match memory_with_folder(ruleset, options, limit).filter(|least| least.memory < whole) {
        Some(least) if least.memory <= limit => Fit::Folder(whole, least.folder),
        Some(least) => Fit::TooLarge(shortage(least.memory, limit, true)),
        None => Fit::TooLarge(shortage(whole, limit, at_least)),
    }
}

/// Determines how several processes with `limit` bytes each can make a table.
pub(crate) fn fit_cluster(ruleset: &Ruleset, options: GenerateOptions, processes: usize, limit: u64) -> Fit {
    let Some(ClusterCost { memory, .. }) = estimate_cluster(ruleset, options, processes) else {
        return fit(ruleset, options, limit);
    };
    if memory <= limit {
        return Fit::InMemory;
    }
    let enough = enough_processes(ruleset, options, limit);
    let alone = memory_with_folder(ruleset, options, limit).map(|least| least.memory);
    let instead = match (enough, alone) {
        (Some(enough), Some(alone)) if alone <= limit => format!(
            "{enough} processes with this much memory each would be enough, or `bouton generate` alone, with a work folder"
        ),
        (Some(enough), _) => format!("{enough} processes with this much memory each would be enough"),
        (None, Some(alone)) if alone <= limit => {
            "no number of processes would be enough, but `bouton generate` alone, with a work folder"
                .to_owned()
        }
        (None, Some(alone)) => format!("with any number of processes it takes {}", at_least_bytes(alone)),
        (None, None) => "no number of processes would be enough".to_owned(),
    };
    let (needed, limit) = (bytes_rounded_up(memory), bytes(limit));
    Fit::TooLarge(format!(
        "{needed} of memory in the first of {processes} processes, and {limit} are available ({instead})"
    ))
}

/// Returns the message that more bytes are needed than are available. With `is_bound`, `needed` is a lower bound.
pub(crate) fn shortage(needed: u64, available: u64, is_bound: bool) -> String {
    let needs = if is_bound { at_least_bytes } else { about_bytes };
    format!("{} of memory, and {} are available", needs(needed), bytes(available))
}
