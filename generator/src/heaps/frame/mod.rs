//! Shared by all kernels that solve a game in blocks: tasks, blocks in memory and in the work folder, checkpoints, threads
//! and MPI ranks.

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
