//! Returns freed memory to the system.

/// Minimum size in bytes of an array that gets memory pages of its own.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 1 << 20;

/// From now on, returns the memory of each large array to the system when it is freed. By default, glibc's malloc
/// keeps arrays of up to 32 MiB after the first of that size is freed. Does nothing with other allocators.
pub fn return_freed_memory() {
    // SAFETY: malloc allows setting this parameter at any time.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code)]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}
