//! The frame around the kernels that solve a game in blocks: schedules tasks on threads and MPI ranks, keeps blocks in
//! memory or in the work folder, and makes checkpoints.

pub(crate) mod assignment;
pub(crate) mod block;
pub(crate) mod block_cache;
pub(crate) mod block_memory;
mod distributed;
pub(crate) mod heap_ranges;
pub(crate) mod kernel;
pub(crate) mod numbers;
pub(crate) mod partition;
pub(crate) mod run;
pub(crate) mod search_checkpoints;
