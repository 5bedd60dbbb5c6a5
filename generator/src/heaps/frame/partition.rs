//! The partition of a game into blocks, and what a block must provide to be cached and saved.

use crate::making::GenerateError;
use crate::work::{WorkError, WorkFolder};

/// A block of a solver's data, in memory and in a file.
pub(crate) trait CachedBlock: Sized + Send + Sync {
    /// Dimensions of a block: they determine its size.
    type Shape: Copy + Send + Sync;

    fn memory_bytes(shape: Self::Shape) -> u64;

    /// Returns the length of the block's file without checksums.
    fn file_bytes(shape: Self::Shape) -> u64;

    /// Returns an unsolved block.
    fn new(shape: Self::Shape) -> Result<Self, GenerateError>;

    fn read(shape: Self::Shape, folder: &WorkFolder, name: &str) -> Result<Self, GenerateError>;

    fn write(&self, folder: &WorkFolder, name: &str) -> Result<(), WorkError>;
}

/// A partition of a game into numbered blocks.
pub(crate) trait Partition: Sync {
    type Block: CachedBlock;

    /// Returns the number of blocks, including empty ones.
    fn blocks(&self) -> usize;

    fn shape(&self, block: usize) -> <Self::Block as CachedBlock>::Shape;

    /// Returns the name of a block in the work folder.
    fn name(&self, block: usize) -> String;

    /// Returns the number of tasks that [`BlockCache::tasks_done`](super::block_cache::BlockCache::tasks_done) counts for a block if all are done.
    fn max_tasks(&self, block: usize) -> u32;

    /// Returns the bytes in memory with which no block ever has to be evicted.
    fn max_bytes(&self) -> u64 {
        (0..self.blocks())
            .map(|block| Self::Block::memory_bytes(self.shape(block)))
            .fold(0, u64::saturating_add)
    }
}
