//! How much memory there is, and whether it is enough for a table.

use bouton_generator::{Options, estimate, greatest_memory};
pub(crate) use bouton_memory::available;
use bouton_tables::Ruleset;

use crate::commands::bytes;

/// The most memory that this process has held so far, in bytes; `None` where the system does not say.
pub(crate) fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * kibibytes.trim().strip_suffix(" kB")?.parse::<u64>().ok()?)
}

/// What to say if a table takes more memory than is available.
pub(crate) fn shortage(ruleset: &Ruleset, options: Options) -> Option<String> {
    let available = available();
    // Most tables need no look at how much exactly they take.
    if greatest_memory(ruleset, options) <= available {
        return None;
    }
    too_much(estimate(ruleset, options).memory, available)
}

/// Whether a table that is too large with depths can be made without them.
pub(crate) fn fits_without_depths(ruleset: &Ruleset, options: Options) -> bool {
    options.depths && shortage(ruleset, Options { depths: false }).is_none()
}

/// What to say if so many bytes are more than are available.
pub(crate) fn too_much(needed: u64, available: u64) -> Option<String> {
    (needed > available)
        .then(|| format!("about {} of memory, of which {} are available,", bytes(needed), bytes(available)))
}
