//! How much memory there is.

use crate::commands::bytes;

/// Memory that this process may still use, in bytes; no limit where the system does not say.
pub(crate) fn available() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return u64::MAX };
    system.refresh_memory();
    let machine = match system.available_memory() {
        0 => u64::MAX,
        available => available,
    };
    system.cgroup_limits().map_or(machine, |group| machine.min(group.free_memory))
}

/// What to say if so many bytes are more than are available.
pub(crate) fn shortage(needed: u64) -> Option<String> {
    let available = available();
    (needed > available)
        .then(|| format!("about {} of memory, of which {} are available,", bytes(needed), bytes(available)))
}
