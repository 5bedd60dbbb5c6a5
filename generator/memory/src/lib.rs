//! How much memory a program may still use.

use rustix::process::{Resource, getrlimit};
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessesToUpdate, System};

/// Memory that this process may still use, in bytes: what the machine has free, the process's control groups allow, and
/// its limit of address space (`ulimit -v`) leaves. No limit where the system does not say.
#[must_use]
pub fn available() -> u64 {
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
