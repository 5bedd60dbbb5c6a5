//! The interface of a game that is solved in blocks.

use super::classes::merge_classes::SearchResult;
use super::frame::block_memory::BlockMemory;
use super::frame::partition::Partition;
use crate::census::Census;
use crate::control::Control;
use crate::making::{GenerateError, Resources};

/// A game that is solved in blocks.
pub(crate) trait BlockGame {
    fn partition(&self) -> &dyn Partition;

    /// Estimates the memory for solving and packing, partly by trial runs, which use at most `limit` bytes. The second value
    /// is the number of bytes that the trial runs use.
    fn memory(&self, limit: u64) -> Result<(BlockMemory, u128), GenerateError>;

    /// Solves the game, together with other MPI ranks if there are any, and packs it.
    fn make(
        &self,
        resources: &Resources,
        control: &dyn Control,
    ) -> Result<(SearchResult, Census), GenerateError>;

    /// Does the work of a rank other than 0.
    fn work_as_rank(&self, resources: &Resources, control: &dyn Control) -> Result<(), GenerateError>;

    /// Returns the bytes for solving in memory, plus those of the edges of the first level that packing computes. The
    /// memory of the search for classes is not included.
    fn solving_bytes(&self) -> u128;

    /// Returns the minimum memory with a work folder, and the maximum bytes of the folder. `None` if the game can only be
    /// packed from memory. Trial runs use at most `limit` bytes.
    fn least_memory_and_folder(&self, limit: u64) -> Option<(u128, u128)>;
}
