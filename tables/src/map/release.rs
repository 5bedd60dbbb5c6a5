//! Memory that is freed goes back to the system.

/// Arrays of so many bytes and more have pages of their own.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 1 << 20;

/// Has the memory of every large array go back to the system once it is freed, in this process from now on; where malloc is that of
/// glibc, which otherwise keeps arrays of up to 32 MiB after the first of that size was freed.
pub fn release_large() {
    // SAFETY: a parameter of malloc is set, which it allows at any time.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code)]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}
