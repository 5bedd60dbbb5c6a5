//! How much memory there is, and whether it is enough for a table.

use bouton_generator::{Options, estimate, greatest_memory};
use bouton_tables::Ruleset;
use rustix::process::{Resource, getrlimit};
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessesToUpdate, System};

use crate::commands::bytes;

/// Memory that this process may still use, in bytes: what the machine has free, the process's control groups allow, and
/// its limit of address space (`ulimit -v`) leaves. No limit where the system does not say.
pub(crate) fn available() -> u64 {
    let Ok(mut system) = System::new() else { return u64::MAX };
    system.refresh_memory();
    let own = Pid::from_u32(std::process::id());
    let refresh = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, refresh);
    let process = system.process(own);
    let machine = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let group = process.and_then(Process::cgroup_limits).map(|group| group.free_memory);
    let used = process.map_or(0, Process::virtual_memory);
    let address_space = getrlimit(Resource::As).current.map(|most| most.saturating_sub(used));
    [machine, group, address_space].into_iter().flatten().min().unwrap_or(u64::MAX)
}

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
