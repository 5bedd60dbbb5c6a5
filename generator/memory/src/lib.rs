//! Determines how much memory a program may still use, and writes sizes of memory in words.

mod size;

use rustix::process::{Resource, getrlimit};
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessesToUpdate, System};

pub use size::{about_bytes, at_least_bytes, bytes, bytes_rounded_up};

/// Address space that each thread reserves, in bytes: glibc reserves 64 MiB for its allocations, and Rust maps 2 MiB
/// for its stack; 2 MiB are spare.
const THREAD_BYTES: u64 = 68 << 20;

/// However many threads there are, 1 / `USABLE_DIVISOR` of the unused address space counts as usable, because the space
/// that threads reserve also serves their allocations.
const USABLE_DIVISOR: u64 = 8;

/// Returns the bytes that this process may still use: the least of the machine's free memory, the rest of the limits of
/// its control groups, and the rest of its address space (`ulimit -v`). `u64::MAX` if the system does not say.
#[must_use]
pub fn available() -> u64 {
    available_for(0)
}

/// Returns the bytes that this process may still use once it has started `threads` more threads, which reserve a part
/// of a limited address space.
#[must_use]
pub fn available_for(threads: usize) -> u64 {
    let Some((mut system, own)) = own_process() else { return u64::MAX };
    system.refresh_memory();
    let process = system.process(own);
    let machine = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let group = process.and_then(Process::cgroup_limits).map(|group| group.free_memory);
    let address_space = unused_address_space(process).map(|left| left_after(threads, left));
    [machine, group, address_space].into_iter().flatten().min().unwrap_or(u64::MAX)
}

/// Returns the number of threads to start, from 1 to `most`, so that they leave half of a limited address space.
#[must_use]
pub fn threads_within(most: usize) -> usize {
    let left = own_process().and_then(|(system, own)| unused_address_space(system.process(own)));
    left.map_or(most, |left| most.min((left / 2 / THREAD_BYTES) as usize)).max(1)
}

/// Returns the system's data on this process.
fn own_process() -> Option<(System, Pid)> {
    let mut system = System::new().ok()?;
    let own = Pid::from_u32(std::process::id());
    let refresh = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, refresh);
    Some((system, own))
}

/// Returns the unused address space of this process, if it is limited.
fn unused_address_space(process: Option<&Process>) -> Option<u64> {
    let used = process.map_or(0, Process::virtual_memory);
    getrlimit(Resource::As).current.map(|most| most.saturating_sub(used))
}

/// Returns the bytes of `left` that remain after `threads` threads have reserved theirs.
fn left_after(threads: usize, left: u64) -> u64 {
    left.saturating_sub(THREAD_BYTES.saturating_mul(threads as u64)).max(left / USABLE_DIVISOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_take_their_part_of_a_limited_address_space_but_leave_an_eighth() {
        assert_eq!(left_after(0, 1 << 30), 1 << 30);
        assert_eq!(left_after(3, 1 << 30), (1 << 30) - 3 * THREAD_BYTES);
        // Something is left for small tables.
        for threads in [100, usize::MAX] {
            assert_eq!(left_after(threads, 1 << 30), (1 << 30) / USABLE_DIVISOR);
        }
        assert!(threads_within(5) >= 1 && threads_within(5) <= 5);
        assert_eq!(threads_within(0), 1);
    }
}
