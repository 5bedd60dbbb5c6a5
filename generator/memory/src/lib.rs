//! How much memory a program may still use, and sizes of memory in words.

mod size;

use rustix::process::{Resource, getrlimit};
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessesToUpdate, System};

pub use size::{about, at_least, bytes, bytes_enough};

/// Address space that a thread takes, whatever it does, in bytes: glibc reserves 64 MiB for its allocations, and Rust maps 2 MiB for its
/// stack.
const THREAD: u64 = 68 << 20;

/// However many threads there are, so much of what a limited address space leaves can be used: what is reserved for threads is used for
/// their allocations too.
const ONE_IN: u64 = 8;

/// Memory that this process may still use, in bytes: what the machine has free, the process's control groups allow, and
/// its limit of address space (`ulimit -v`) leaves. No limit where the system does not say.
#[must_use]
pub fn available() -> u64 {
    available_for(0)
}

/// The same for a process that is yet to start so many threads: of a limited address space they take a part before anything is in it.
#[must_use]
pub fn available_for(threads: usize) -> u64 {
    let Some((mut system, own)) = own() else { return u64::MAX };
    system.refresh_memory();
    let process = system.process(own);
    let machine = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let group = process.and_then(Process::cgroup_limits).map(|group| group.free_memory);
    let address_space = address_space(process).map(|left| left_by(threads, left));
    [machine, group, address_space].into_iter().flatten().min().unwrap_or(u64::MAX)
}

/// How many of so many threads are worth being started, one at the least: those that leave half of a limited address space.
#[must_use]
pub fn threads_within(most: usize) -> usize {
    let left = own().and_then(|(system, own)| address_space(system.process(own)));
    left.map_or(most, |left| most.min((left / 2 / THREAD) as usize)).max(1)
}

/// What the system knows of this process.
fn own() -> Option<(System, Pid)> {
    let mut system = System::new().ok()?;
    let own = Pid::from_u32(std::process::id());
    let refresh = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, refresh);
    Some((system, own))
}

/// What is left of the address space of this process, if that is limited.
fn address_space(process: Option<&Process>) -> Option<u64> {
    let used = process.map_or(0, Process::virtual_memory);
    getrlimit(Resource::As).current.map(|most| most.saturating_sub(used))
}

/// What threads leave of so much address space.
fn left_by(threads: usize, left: u64) -> u64 {
    left.saturating_sub(THREAD.saturating_mul(threads as u64)).max(left / ONE_IN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_take_their_part_of_a_limited_address_space() {
        assert_eq!(left_by(0, 1 << 30), 1 << 30);
        assert_eq!(left_by(3, 1 << 30), (1 << 30) - 3 * THREAD);
        // Something is left for small tables.
        for threads in [100, usize::MAX] {
            assert_eq!(left_by(threads, 1 << 30), (1 << 30) / ONE_IN);
        }
        assert!(threads_within(5) >= 1 && threads_within(5) <= 5);
        assert_eq!(threads_within(0), 1);
    }
}
