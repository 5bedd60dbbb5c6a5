//! Blocks of a game that may lie in a work folder, and checkpoints.

pub(crate) mod block_cache;
pub(crate) mod checkpoint;
pub(crate) mod checkpoint_timer;
pub(crate) mod numbers;
pub(crate) mod partition;
