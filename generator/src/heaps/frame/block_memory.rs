//! The memory for a game that is solved in blocks.

/// Memory for a game, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockMemory {
    /// The edges of the first level that packing computes; also lists of blocks, tasks and lines.
    pub(crate) edges: u64,
    /// The search for classes, if it can be large.
    pub(crate) search: u64,
    /// All blocks that packing reads.
    pub(crate) blocks: u64,
    /// Temporary blocks: the maximum at a time.
    pub(crate) temporary: u64,
    /// The blocks that must be in memory at a time while the game is solved.
    pub(crate) batch: u64,
    /// The largest section, when packing from a folder. `None` if the game can only be packed from memory.
    pub(crate) section: Option<u64>,
    /// While the game is solved: the buffers of the kernel and of all threads, lists of blocks, and allocator slack.
    pub(crate) buffers: u64,
}

impl BlockMemory {
    /// Returns the memory of packing, without blocks.
    pub(crate) fn packing(self) -> u64 {
        self.edges.saturating_add(self.search)
    }

    pub(crate) fn without_folder(self) -> u64 {
        self.blocks.saturating_add(self.packing().max(self.temporary)).saturating_add(self.buffers)
    }

    /// Returns the minimum memory with a folder.
    pub(crate) fn least(self) -> u64 {
        self.section.map_or(self.without_folder(), |section| {
            self.batch.saturating_add(self.buffers).max(section.saturating_add(self.packing()))
        })
    }

    /// Returns the minimum memory in which MPI rank 0 packs everything: from the folder if possible, otherwise from
    /// memory.
    pub(crate) fn of_rank_0(self) -> u64 {
        self.section.map_or(self.without_folder(), |section| section.saturating_add(self.packing()))
    }
}
