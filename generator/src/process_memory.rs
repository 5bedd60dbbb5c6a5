//! The memory of a whole process: the program, its threads, and the data.

use crate::family::Measurement;
use crate::memory::capped;
use crate::parallel;

/// Bytes of the program itself.
const PROGRAM_BYTES: u128 = 8 << 20;
/// Bytes of a thread.
const THREAD_BYTES: u128 = 256 << 10;
/// Bytes of debug information, if the program has any.
const DEBUG_INFO_BYTES: u128 = 1 << 20;

/// Returns the memory of the process if solving uses `solving` bytes, and packing uses the measured bytes.
pub(crate) fn memory(solving: u128, measurement: Measurement) -> u64 {
    let sum = program_bytes() + DEBUG_INFO_BYTES + solving + measurement.packed + measurement.file;
    // The allocator does not reuse all freed memory.
    capped(sum + sum / 10)
}

/// Returns the memory of the process if blocks, which are page-aligned, use `bytes` bytes.
pub(crate) fn memory_of_blocks(bytes: u128) -> u64 {
    let sum = program_bytes() + bytes;
    capped(sum + sum / 16)
}

/// Returns the bytes of the program and its threads.
pub(crate) fn program_bytes() -> u128 {
    PROGRAM_BYTES + THREAD_BYTES * parallel::threads() as u128
}
